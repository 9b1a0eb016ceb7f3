import { CATEGORIES, CATEGORY_NAMES, type SemanticCategory } from '../../protocol/categories.ts'
import type { EndpointFamily } from '../../protocol/endpoints.ts'
import { NAME_PATTERN } from '../../protocol/request.ts'
import type { Operation } from '../registry/compile-operation.ts'
import type { Registry } from '../registry/registry.ts'
import type { ToolNames } from '../registry/tool-names.ts'
import { estimateTokens } from './tokens.ts'

/** TOOL-11: a family of up to this many operations is listed whole. */
const LISTED_WHOLE = 12
/** Of a larger one so many names are shown in any case. */
const LEAST_SHOWN = 2
/** Tokens for the names of a larger family, and of each category in the unified tool. */
const ROOM = { family: 12, category: 17 } as const

/** MCP integration §2.1.1: what the operations of a category do to state. */
const EFFECTS: Readonly<Record<SemanticCategory, string>> = {
  CREATE: 'Adds only; overwrites nothing.',
  READ: 'Never changes state.',
  UPDATE: 'Overwrites existing values.',
  DELETE: 'Removes data. Use with caution.',
  EXECUTE: 'Runtime state; potentially destructive, non-idempotent.',
}

/** The tools of a server as plain data: families in the profile's order, then the unified tool. */
export function listTools(registry: Registry, names: ToolNames, batch: boolean): readonly Tool[] {
  const families = registry.profile.families.flatMap((family) => {
    const name = names.families.get(family.name)
    return name === undefined ? [] : [familyTool(name, family, registry, names, batch)]
  })
  return Object.freeze(
    names.unified === undefined ? families : [...families, unifiedTool(names.unified, registry, batch)],
  )
}

function familyTool(name: string, family: EndpointFamily, registry: Registry, names: ToolNames, batch: boolean): Tool {
  const operations = [...registry.operations.values()].filter(({ endpoint }) => endpoint === family.name)
  const categories = CATEGORY_NAMES.filter((category) =>
    operations.length > 0
      ? operations.some((each) => each.category === category)
      : family.categories.includes(category),
  )
  const title = `${displayName(registry)} — ${capital(family.name)}`
  return tool(
    name,
    title,
    familyDescription(family, operations, categories, registry, names, batch),
    categories,
    registry,
    batch,
  )
}

/** TOOL-11 for CRUDE, TOOL-12 for other profiles; TOOL-10 and TOOL-13 in the last line. */
function familyDescription(
  family: EndpointFamily,
  operations: readonly Operation[],
  categories: readonly SemanticCategory[],
  registry: Registry,
  names: ToolNames,
  batch: boolean,
): string {
  const crude = registry.profile.name === 'crude'
  const [best] = ranked(operations.filter((each) => each.name !== 'introspect'))
  const lines = [
    family.name === registry.profile.introspection
      ? `${family.purpose} ${registry.adapter.description}`
      : family.purpose,
    ...(crude ? [] : [`Primary semantic categories: ${categories.join(', ')}`]),
    `Supported operations: ${operations.length > 0 ? namesOf(operations, ROOM.family, LISTED_WHOLE) : 'none'}`,
    categories.map((category) => EFFECTS[category]).join(' '),
    ...(best ? [`Quick start: ${quickStart(best)}`] : []),
    ...(batch && family.name === registry.profile.introspection ? [BATCH_LINE] : []),
    introspection(family, best?.name, registry, names, operations.length > LISTED_WHOLE),
  ]
  return lines.join('\n')
}

function introspection(
  family: EndpointFamily,
  example: string | undefined,
  { profile }: Registry,
  names: ToolNames,
  isCut: boolean,
): string {
  if (family.name === profile.introspection) {
    return [
      'Find operations: {operation: "introspect", params: {query: "search", text: "what to do"}} (text may be a list; add category if known)',
      'List all: {operation: "introspect", params: {query: "operations"}}',
    ].join('\n')
  }
  const name = example === undefined ? '' : `, name: "${example}"`
  const where = names.families.get(profile.introspection)
  const others = isCut ? SEARCH_HINT : ''
  return `Parameters: {operation: "introspect", params: {query: "operations"${name}}} on ${where}${others}`
}

/** TOOL-11: where a family is not listed whole. */
const SEARCH_HINT = '; others: query: "search", text: "what to do"'
const BATCH_LINE = 'Batch: {operations: [{operation, params}, …]}'

/** MCP integration §2.1.2. */
function unifiedTool(name: string, registry: Registry, batch: boolean): Tool {
  const operations = [...registry.operations.values()]
  const groups = CATEGORY_NAMES.map((category) => {
    const members = operations.filter((each) => each.category === category && each.name !== 'introspect')
    return `- ${capital(category.toLowerCase())}: ${members.length > 0 ? namesOf(members, ROOM.category, 0) : 'none'}`
  })
  const description = [
    `${registry.adapter.description} Every operation through one tool, routed by its category and family.`,
    ...groups,
    ...(batch ? [BATCH_LINE] : []),
    'Find operations: {operation: "introspect", params: {query: "search", text: "what to do"}} (text may be a list; add category if known)',
    'List all: {operation: "introspect", params: {query: "operations"}}',
  ].join('\n')
  return tool(name, displayName(registry), description, CATEGORY_NAMES, registry, batch)
}

function tool(
  name: string,
  title: string,
  description: string,
  categories: readonly SemanticCategory[],
  { adapter }: Registry,
  batch: boolean,
): Tool {
  const readOnly = categories.length > 0 && categories.every((category) => CATEGORIES[category].readOnly)
  return Object.freeze({
    name,
    title,
    description,
    inputSchema: batch ? BATCH_SCHEMA : SINGLE_SCHEMA,
    annotations: Object.freeze({
      title,
      readOnlyHint: readOnly,
      destructiveHint: categories.some((category) => CATEGORIES[category].destructive),
      idempotentHint: readOnly,
      openWorldHint: adapter.openWorld === true,
    }),
  })
}

/** TOOL-14 and TOOL-15: no `anyOf` at the root, which several model APIs refuse; either-or is checked by the server. */
const PROPERTIES = { operation: { type: 'string' }, params: { type: 'object', additionalProperties: true } } as const
const SINGLE_SCHEMA = Object.freeze({ type: 'object', properties: PROPERTIES, required: ['operation'] } as const)
const BATCH_SCHEMA = Object.freeze({
  type: 'object',
  properties: { ...PROPERTIES, operations: { type: 'array', items: { type: 'object' } } },
} as const)

/** Names while they fit; the description must not grow with the catalogue. */
function namesOf(operations: readonly Operation[], room: number, whole: number): string {
  if (operations.length <= whole) return operations.map(({ name }) => name).join(', ')
  const shown: string[] = []
  let left = room
  for (const { name } of ranked(operations)) {
    left -= estimateTokens(`, ${name}`)
    if (left < 0 && shown.length >= LEAST_SHOWN) break
    shown.push(name)
  }
  const more = operations.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** The author's weight first, then the plainest name, then what needs the fewest parameters. */
function ranked(operations: readonly Operation[]): readonly Operation[] {
  const rank = ({ name, params, definition }: Operation) => [
    -(definition.weight ?? 0),
    name.split('_').length,
    params.filter(({ required }) => required).length,
  ]
  const ordered = operations.map((operation, index) => ({ operation, rank: [...rank(operation), index] }))
  ordered.sort((a, b) => a.rank.map((value, i) => value - (b.rank[i] ?? 0)).find((difference) => difference !== 0) ?? 0)
  return ordered.map(({ operation }) => operation)
}

/** The example as it stands, or what it cannot do without: a quick start must work as written, or say what is open. */
function quickStart({ name, definition, params }: Operation): string {
  const example = definition.examples?.[0]?.params ?? {}
  const needed = params.filter(({ required }) => required).map((entry) => entry.name)
  const pick = (value: (key: string) => unknown) => Object.fromEntries(needed.map((key) => [key, value(key)]))
  const complete = needed.every((key) => Object.hasOwn(example, key))
  const open = params.some((entry) => entry.required && entry.param.type === 'object')
  const choices = [...(complete ? [example, pick((key) => example[key])] : []), ...(open ? [] : [pick(() => '…')])]
  const written = choices.map((choice) => (Object.keys(choice).length > 0 ? `, params: ${relaxed(choice)}` : ''))
  return `{operation: "${name}"${written.find((text) => text.length <= 60) ?? ', params: {…}'}}`
}

/** JSON without the quotes around keys: shorter, and as clear. */
function relaxed(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(relaxed).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, inner]) => `${NAME_PATTERN.test(key) ? key : JSON.stringify(key)}: ${relaxed(inner)}`,
  )
  return `{${members.join(', ')}}`
}

function displayName({ adapter }: Registry): string {
  return adapter.displayName ?? adapter.name
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** A tool as `tools/list` shows it; plain data. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>> & { readonly type: 'object' }
  readonly annotations: {
    readonly title: string
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
}
