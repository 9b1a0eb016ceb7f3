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
  CREATE: 'Adds only.',
  READ: 'Never changes state.',
  UPDATE: 'Overwrites values.',
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
    familyDescription(family, operations, categories, registry, names),
    categories,
    registry,
    batch,
    family.name === registry.profile.introspection ? ALWAYS_LOADED : searchHint(operations),
  )
}

/** TOOL-11 for CRUDE, TOOL-12 for other profiles; TOOL-10 and TOOL-13 in the last line. */
function familyDescription(
  family: EndpointFamily,
  operations: readonly Operation[],
  categories: readonly SemanticCategory[],
  registry: Registry,
  names: ToolNames,
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
    return FINDING
  }
  const name = example === undefined ? '' : `, name: "${example}"`
  const where = names.families.get(profile.introspection)
  const others = isCut ? SEARCH_HINT : ''
  return `Parameters: {operation: "introspect", params: {query: "operations"${name}}} on ${where}${others}`
}

/** TOOL-11: where a family is not listed whole. */
const SEARCH_HINT = '; others: query: "search"'
const FINDING = [
  'Find operations: introspect {query: "search", text: "what to do"}',
  'List all: {operation: "introspect", params: {query: "operations"}}',
].join('\n')
const BATCH_LINE = 'Batch: {operations: [{operation, params}]}'

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
    FINDING,
  ].join('\n')
  return tool(name, displayName(registry), description, CATEGORY_NAMES, registry, batch, ALWAYS_LOADED)
}

/**
 * Some clients hide tools until the model searches for them, and a model that does not know what there is does not
 * search. So the tool with `introspect` asks to be loaded at once; the others say what they are about.
 */
const ALWAYS_LOADED = Object.freeze({ 'anthropic/alwaysLoad': true })

const HINTED = 1

/** What most operations of the family are about; what comes first in a name is a verb or a group. */
function searchHint(operations: readonly Operation[]): Tool['_meta'] {
  const counts = new Map<string, number>()
  for (const { name } of ranked(operations))
    for (const word of name.split('_').slice(1)) if (!NOT_NOUNS.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const nouns = [...counts].toSorted(([, a], [, b]) => b - a).map(([noun]) => noun)
  if (nouns.length === 0) return undefined
  return Object.freeze({ 'anthropic/searchHint': nouns.slice(0, HINTED).join(' ') })
}

const NOT_NOUNS: ReadonlySet<string> = new Set(
  'add create delete get list put remove replace reset set update for from in of on or the to with by all'.split(' '),
)

function tool(
  name: string,
  title: string,
  description: string,
  categories: readonly SemanticCategory[],
  { adapter }: Registry,
  batch: boolean,
  meta: Tool['_meta'],
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
      // TOOL-08: MCP takes an absent hint as false, and every token of the list is paid by every conversation.
      ...(readOnly && { idempotentHint: true as const }),
      openWorldHint: adapter.openWorld === true,
    }),
    ...(meta && { _meta: meta }),
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
  return `{operation: "${name}"${written.find((text) => text.length <= 40) ?? ', params: {…}'}}`
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
    readonly idempotentHint?: true
    readonly openWorldHint: boolean
  }
  /** For clients that load tools late; others pass over it. */
  readonly _meta?: Readonly<Record<string, string | boolean>> | undefined
}
