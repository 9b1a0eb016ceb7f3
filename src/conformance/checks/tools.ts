import { CATEGORIES, isCategory } from '../../protocol/categories.ts'
import { checksOf, failed, verdict } from '../check.ts'
import { loose, matching, type Shape } from '../shapes.ts'
import { nameOf, type Target } from '../target.ts'
import { at, type Fields, isObject, objectAt, textAt, textsOf } from '../values.ts'
import { requestsIn } from './level-2.ts'

/** Tool naming and MCP integration documents: what a client sees before its first call. */
export const TOOLS = checksOf('Tools', 1, [
  {
    id: 'tools-list',
    requirements: ['MCP-14', 'TOOL-14', 'TOOL-15'],
    title: 'Each tool has a name, a description, annotations and an open input schema that model APIs accept',
    async run(target) {
      if (target.tools.length === 0) return failed('No tool takes an operation.')
      return verdict(
        target.tools.length,
        'tools',
        target.tools.flatMap((tool) => toolShape(tool, nameOf(tool))),
      )
    },
  },
  {
    id: 'tools-names',
    requirements: ['TOOL-01', 'TOOL-02', 'TOOL-04'],
    title: 'Tool names follow {adapter}_mcpaql_{endpoint} or the classic mcp_aql_{endpoint} and are unique',
    async run(target) {
      const names = target.tools.map(nameOf)
      const odd = names.filter((name) => !/^(?:[a-z0-9_]+_)?(?:mcpaql|mcp_aql)(?:_[a-z0-9_]+)?$/.test(name))
      const long = names.filter((name) => name.length > 64)
      const twice = names.filter((name, index) => names.indexOf(name) !== index)
      if (twice.length > 0) return failed(`Listed twice: ${twice.join(', ')}`)
      return verdict(names.length, 'tool names', [...odd, ...long], 'should')
    },
  },
  {
    id: 'tools-titles',
    requirements: ['TOOL-05'],
    title: 'annotations.title is "{Display Name} — {Endpoint}", and the display name alone on the unified tool',
    async run(target) {
      const faults = target.tools.flatMap((tool) => {
        const title = textAt(tool, 'annotations.title')
        const family = familyOf(target, nameOf(tool))
        const fits = family
          ? new RegExp(`^\\S.* — ${capital(family)}$`).test(title)
          : title !== '' && !title.includes('—')
        return fits ? [] : [`${nameOf(tool)}: '${title}'`]
      })
      return verdict(target.tools.length, 'titles', faults)
    },
  },
  {
    id: 'tools-annotations',
    requirements: ['TOOL-06', 'TOOL-07', 'TOOL-09'],
    title: 'The hints say what the riskiest operation of the tool can do',
    async run(target) {
      const faults = target.tools.flatMap((tool) => {
        const hints = objectAt(tool, 'annotations') ?? {}
        const { readOnly, destructive } = riskOf(target, nameOf(tool))
        const wrong = [
          ...(hints.readOnlyHint === readOnly ? [] : [`readOnlyHint is ${String(hints.readOnlyHint)}`]),
          ...(hints.destructiveHint === destructive ? [] : [`destructiveHint is ${String(hints.destructiveHint)}`]),
          ...(readOnly && hints.idempotentHint !== true ? ['idempotentHint is not true'] : []),
        ]
        return wrong.map((fault) => `${nameOf(tool)}: ${fault}`)
      })
      return verdict(target.tools.length, 'sets of hints', faults)
    },
  },
  {
    id: 'tools-descriptions',
    requirements: ['TOOL-10', 'TOOL-13'],
    title: 'Each description names operations and shows a literal introspect request, and where to send it',
    async run(target) {
      const faults = target.tools.flatMap((tool) => {
        const description = textAt(tool, 'description')
        const asked = requestsIn(description).filter(({ operation }) => operation === 'introspect')
        const elsewhere =
          target.mode !== 'single' && nameOf(tool) !== target.readTool && nameOf(tool) !== target.unified
        return [
          ...(asked.some((request) => at(request, 'params.query') === 'operations')
            ? []
            : ['shows no introspect request for operations']),
          ...(/operations/i.test(description) ? [] : ['does not speak of operations']),
          ...(elsewhere && !description.includes(target.readTool ?? '')
            ? ['does not say which tool takes introspect']
            : []),
        ].map((fault) => `${nameOf(tool)} ${fault}`)
      })
      return verdict(target.tools.length, 'descriptions', faults)
    },
  },
])

const toolShape: Shape = (tool, path = 'tool') => {
  if (!isObject(tool)) return [`${path} is not an object`]
  const schema = objectAt(tool, 'inputSchema') ?? {}
  const required = textsOf(schema.required)
  return [
    ...loose(
      { name: matching(/^[A-Za-z0-9_.-]{1,128}$/), description: matching(/\S/), annotations: loose({}, {}) },
      {},
    )(tool, path),
    ...(schema.type === 'object' ? [] : [`${path}: the schema's root is no object`]),
    ...(at(schema, 'properties.operation.type') === 'string' ? [] : [`${path}: operation is no string`]),
    ...(at(schema, 'properties.params.type') === 'object' ? [] : [`${path}: params is no object`]),
    ...(at(schema, 'properties.params.additionalProperties') === false ? [`${path}: params takes no parameters`] : []),
    ...(schema.additionalProperties === false ? [`${path}: parameters beside operation are forbidden`] : []),
    ...['anyOf', 'oneOf', 'allOf']
      .filter((key) => Object.hasOwn(schema, key))
      .map((key) => `${path}: ${key} at the root`),
    ...(isObject(at(schema, 'properties.operations'))
      ? batchSchema(schema, required, path)
      : required.includes('operation')
        ? []
        : [`${path}: operation is not required`]),
  ]
}

function batchSchema(schema: Fields, required: readonly string[], path: string): readonly string[] {
  const array = at(schema, 'properties.operations.type') === 'array' ? [] : [`${path}: operations is no array`]
  return required.includes('operation')
    ? [...array, `${path}: a batch could not be sent, operation is required`]
    : array
}

function familyOf(target: Target, tool: string): string | undefined {
  return [...target.families].find(([, name]) => name === tool)?.[0]
}

/** TOOL-06 to TOOL-09: from the categories of the family's operations; of the family's own name where it has none. */
function riskOf(target: Target, tool: string): { readonly readOnly: boolean; readonly destructive: boolean } {
  const family = familyOf(target, tool)
  if (!family) return { readOnly: false, destructive: true }
  const own = target.operations
    .filter(({ endpoint }) => endpoint.toLowerCase() === family)
    .map((entry) => entry.semantic_category)
  const rows = [...own, ...(own.length === 0 ? [family.toUpperCase()] : [])]
    .filter(isCategory)
    .map((name) => CATEGORIES[name])
  return { readOnly: rows.every((row) => row.readOnly), destructive: rows.some((row) => row.destructive) }
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
