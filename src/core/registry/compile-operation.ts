import { CATEGORIES, isCategory, type SemanticCategory } from '../../protocol/categories.ts'
import type { EndpointProfile } from '../../protocol/endpoints.ts'
import type { TypeInfo } from '../../protocol/introspection.ts'
import type { Lifecycle } from '../../protocol/lifecycle.ts'
import { NAME_PATTERN, PROTOCOL_FIELDS } from '../../protocol/request.ts'
import { type Collection, compileCollection } from '../query/compile-collection.ts'
import { FIELDS, PAGING_PARAMS } from '../query/shared-params.ts'
import { type Check, compileCheck, isObject, type Matchers } from './check-value.ts'
import type { Context, OperationDefinition } from './operation.ts'
import { hasSensitive } from './operation-places.ts'
import type { Param, Params } from './param.ts'
import { DRY_RUN, IF_MATCH, MAX_TOKENS } from './shared-params.ts'
import { inputFields, type ObjectType, type TypeDefinition } from './type.ts'
import { BUILTIN_TYPES, parseType } from './type-grammar.ts'

/** An operation as the pipeline uses it: checked, complete, frozen. */
export interface Operation {
  readonly name: string
  readonly category: SemanticCategory
  /** The family in the active profile. */
  readonly endpoint: string
  readonly description: string
  readonly params: readonly CompiledParam[]
  readonly returns: TypeInfo
  readonly collection?: Collection
  /** The object type of the answer, or of each item: what field selection works on. */
  readonly resource?: ObjectType
  /** UPDATE: which fields of `input` exist, and what stands in the way of writing them. */
  readonly input?: InputRules
  /** The listed types, which a parameter may name. */
  readonly types: ReadonlyMap<string, TypeDefinition>
  readonly lifecycle?: Lifecycle
  /** Some parameter or field is sensitive: failures, warnings and log lines are looked through (VAL-10). */
  readonly hasSecrets: boolean
  /** Some parameter is deprecated or renamed: binding looks at them again. */
  readonly hasNotes: boolean
  readonly definition: OperationDefinition
  readonly handler: (params: Readonly<Record<string, unknown>>, context: Context) => unknown
}

export interface CompiledParam {
  readonly name: string
  readonly param: Param
  readonly required: boolean
  readonly check: Check
  /** The default is filled in by the binder; that of a paging control only by the query (PAGE-02). */
  readonly fillsIn: boolean
  /** The camelCase spelling, where it differs (REQ-06). */
  readonly alias?: string
}

export interface InputRules {
  readonly type: ObjectType
  /** Parameters that locate the resource; they may not stand in `input` (UPD-08). */
  readonly identifiers: readonly string[]
  readonly writable: Params
  /** The same with listed types written out. */
  readonly rows: Params
  readonly checks: ReadonlyMap<string, Check>
}

/** What compiling one definition may look at. */
export interface Surroundings {
  readonly types: ReadonlyMap<string, TypeDefinition>
  readonly profile: EndpointProfile
  readonly matchers: Matchers
  readonly maxPageSize: number
}

/** VAL-09, OPN-03, REQ-05, MODE-06. Throws with the reason; the registry adds the operation's name. */
export function compileOperation(definition: OperationDefinition, around: Surroundings): Operation {
  checkDefinition(definition)
  const resource = resourceOf(definition, around.types)
  const collection =
    definition.collection &&
    resource &&
    compileCollection(definition.collection, resource, {
      maxPageSize: around.maxPageSize,
      operationName: definition.name,
      types: around.types,
    })
  const input = definition.updates === undefined ? undefined : inputRules(definition, around)
  const params = allParams(definition, { resource, collection, input })
  const compiled = Object.entries(params).map(([name, param]) =>
    compileParam(name, param, params, around.matchers, isPaged(definition, name)),
  )
  for (const { params: example } of definition.examples ?? []) checkExample(example, compiled)
  return Object.freeze({
    name: definition.name,
    category: definition.category,
    endpoint: familyOf(definition, around.profile),
    description: describe(definition),
    params: compiled,
    returns: returnType(definition, collection, around.types),
    ...(collection && { collection }),
    ...(resource && { resource }),
    ...(input && { input }),
    types: around.types,
    ...(definition.lifecycle && { lifecycle: lifecycleOf(definition.lifecycle) }),
    hasNotes: Object.values(params).some((param) => param.deprecated !== undefined || param.mapTo !== undefined),
    hasSecrets: hasSensitive({
      params: compiled,
      types: around.types,
      ...(input && { input }),
      ...(collection && { collection }),
    }),
    definition,
    handler: definition.handler,
  })
}

/** INT-13: an example that the operation itself would refuse misleads. */
function checkExample(example: unknown, params: readonly CompiledParam[]): void {
  if (!isObject(example)) throw new Error('an example needs `params`, an object')
  const declared = new Set(params.map(({ name }) => name))
  const unknown = Object.keys(example).find((name) => !declared.has(name))
  if (unknown !== undefined) throw new Error(`an example has '${unknown}', which is no parameter`)
  for (const { name, required, check } of params) {
    const given = Object.hasOwn(example, name)
    if (required && !given) throw new Error(`an example lacks '${name}', which is required`)
    if (given && check(example[name])) throw new Error(`an example has a wrong value for '${name}'`)
  }
}

/** Deprecation is told in the description: introspection has no key for it (INT-12). */
function describe({ description, deprecated }: OperationDefinition): string {
  if (!deprecated) return description
  const advice = deprecated.replacement ? `; use ${deprecated.replacement}` : ''
  return `Deprecated${advice}. ${description}`
}

function checkDefinition({
  name,
  category,
  description,
  params,
  lifecycle,
  updates,
  collection,
  dryRun,
  returns,
  handler,
}: OperationDefinition): void {
  if (!NAME_PATTERN.test(name)) throw new Error('the name must match ^[a-z][a-z0-9_]*$')
  if (!isCategory(category)) throw new Error(`category must be one of ${Object.keys(CATEGORIES).join(', ')}`)
  if (typeof description !== 'string' || !description.trim()) throw new Error('a description is required')
  if (returns !== undefined && typeof returns !== 'string') throw new Error('`returns` is the name of a type')
  if (params !== undefined && !isObject(params)) throw new Error('`params` is an object of rows by name')
  if (lifecycle && category !== 'EXECUTE') throw new Error('only an EXECUTE operation has a lifecycle')
  if (collection && category !== 'READ') throw new Error('only a READ operation is a collection')
  if (updates !== undefined && category !== 'UPDATE') throw new Error('`updates` belongs to an UPDATE operation')
  if (dryRun && category === 'READ') throw new Error('a READ changes nothing and needs no `dryRun`')
  if (typeof handler !== 'function') throw new Error('a handler is required')
  if (category === 'UPDATE' && updates === undefined && !isInput(params?.input)) {
    throw new Error(
      'an UPDATE takes its changes in `input`: name the type with `updates`, or declare `input` as a required object',
    )
  }
  for (const [param, row] of Object.entries(params ?? {})) {
    if (!NAME_PATTERN.test(param)) throw new Error(`parameter '${param}' must match ^[a-z][a-z0-9_]*$`)
    if (PROTOCOL_FIELDS.has(param)) throw new Error(`parameter '${param}' has a name of the protocol's own`)
    if (typeof row?.type !== 'string') throw new Error(`parameter '${param}' needs a type`)
  }
}

/** UPD-02: absent or of another type it is refused. */
function isInput(input: Param | undefined): boolean {
  return input?.type === 'object' && input.required === true
}

/** MODE-06: exactly one family. */
function familyOf({ name, category, endpoint }: OperationDefinition, profile: EndpointProfile): string {
  const fits = profile.families.filter((family) => family.categories.includes(category))
  if (name === 'introspect') return profile.introspection
  const chosen = endpoint === undefined ? undefined : profile.families.find((family) => family.name === endpoint)
  if (chosen && profile.name === 'crude' && !fits.includes(chosen)) {
    throw new Error(`category ${category} does not belong to the family '${endpoint}' of the profile crude`)
  }
  if (chosen) return chosen.name
  const [family, ...others] = fits
  if (!family) throw new Error(`no family of the profile '${profile.name}' takes ${category} operations`)
  if (others.length > 0) {
    const names = fits.map((fit) => fit.name).join(', ')
    throw new Error(
      `several families of the profile '${profile.name}' take ${category} (${names}); name one with \`endpoint\``,
    )
  }
  return family.name
}

function resourceOf(
  { collection, returns }: OperationDefinition,
  types: Surroundings['types'],
): ObjectType | undefined {
  const name = collection?.of ?? returns
  const type = name === undefined ? undefined : types.get(name)
  if (collection && type?.kind !== 'object')
    throw new Error(`collection.of '${collection.of}' is not a listed object type`)
  return type?.kind === 'object' ? type : undefined
}

function inputRules(definition: OperationDefinition, { types, matchers }: Surroundings): InputRules {
  const type = types.get(definition.updates ?? '')
  if (type?.kind !== 'object') throw new Error(`updates '${definition.updates}' is not a listed object type`)
  const identifiers = Object.keys(definition.params ?? {})
  const writable = inputFields(type, [...identifiers, ...(type.key ? [type.key] : [])])
  const rows = Object.fromEntries(Object.entries(writable).map(([name, field]) => [name, builtin(field, types)]))
  const checks = new Map(Object.entries(rows).map(([name, field]) => [name, compileCheck(partial(field), matchers)]))
  return { type, identifiers, writable, rows, checks }
}

/** A field may name a listed type; its check then is that type's. A type inside itself is checked as an open object. */
function builtin(field: Param, types: Surroundings['types'], inside: readonly string[] = []): Param {
  const alternatives = parseType(field.type) ?? []
  const named = alternatives.filter(({ base }) => !BUILTIN_TYPES.has(base))
  const [only, ...others] = named
  if (!only) return field
  const type = alternatives.map(({ base, depth }) => baseOf(base, types) + '[]'.repeat(depth)).join(' | ')
  const listed = others.length === 0 && !inside.includes(only.base) ? types.get(only.base) : undefined
  if (listed?.kind === 'enum') return { ...field, type, enum: listed.values }
  if (listed?.kind !== 'object') return { ...field, type }
  const fields = Object.entries(listed.fields).map(([name, inner]) => [
    name,
    builtin(inner, types, [...inside, only.base]),
  ])
  return { ...field, type, fields: Object.fromEntries(fields) }
}

function baseOf(name: string, types: Surroundings['types']): string {
  if (BUILTIN_TYPES.has(name)) return name
  return types.get(name)?.kind === 'enum' ? 'string' : 'object'
}

/** UPD-03: what is merged may be incomplete at every depth; what replaces, the elements of an array, may not. */
function partial(field: Param): Param {
  if (!field.fields || field.type.includes('[]')) return field
  const fields = Object.entries(field.fields).map(([name, inner]) => [name, { ...partial(inner), required: false }])
  return { ...field, fields: Object.fromEntries(fields) }
}

interface Parts {
  readonly resource: ObjectType | undefined
  readonly collection: Collection | undefined
  readonly input: InputRules | undefined
}

/** INT-17: declared parameters first, then those that come with what the operation is. */
function allParams(definition: OperationDefinition, { resource, collection, input }: Parts): Params {
  const { params = {}, category, dryRun } = definition
  const added: Record<string, Param> = { ...collection?.params }
  if (input) {
    added.input = {
      type: 'object',
      required: true,
      description: `Changed fields; null removes one. ${fieldList(input.writable)}`,
    }
    if (input.type.version) added.if_match = IF_MATCH
  }
  if (category === 'READ' && resource && !collection) added.fields = FIELDS
  if (dryRun) added.dry_run = DRY_RUN
  if (category === 'READ' && definition.name !== 'introspect') added.max_tokens = MAX_TOKENS
  for (const name of Object.keys(params)) delete added[name]
  return { ...params, ...added }
}

function fieldList(fields: Params): string {
  return `Fields: ${Object.entries(fields)
    .map(([name, field]) => `${name}: ${shortType(field)}`)
    .join(', ')}.`
}

/** A type as a signature writes it: `open|closed`, `int`, `string[]`. */
export function shortType(param: Param, room = Number.POSITIVE_INFINITY): string {
  if (param.enum) return shortEnum(param.enum.map(String), room) + (param.type.endsWith('[]') ? '[]' : '')
  if (param.format === 'date' || param.format === 'date-time') return param.type.replace('string', param.format)
  return param.type.replaceAll(' ', '').replaceAll('integer', 'int').replaceAll('boolean', 'bool')
}

function shortEnum(values: readonly string[], room: number): string {
  let text = ''
  for (const value of values) {
    const next = text === '' ? value : `${text}|${value}`
    if (next.length > room && text !== '') return `${text}|~`
    text = next
  }
  return text
}

/** PAGE-02: which parameters leave their default to the query. */
function isPaged({ collection, relationships }: OperationDefinition, name: string): boolean {
  return (collection !== undefined || relationships !== undefined) && PAGING_PARAMS.has(name)
}

function compileParam(name: string, param: Param, all: Params, matchers: Matchers, paged: boolean): CompiledParam {
  try {
    const alias = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    const check = compileCheck(param, matchers)
    if (param.default !== undefined && check(param.default)) throw new Error('the default is not a valid value')
    deepFreeze(param.default)
    const hasAlias = !Object.hasOwn(all, alias)
    const fillsIn = param.default !== undefined && !paged
    return Object.freeze({ name, param, required: param.required === true, check, fillsIn, ...(hasAlias && { alias }) })
  } catch (cause) {
    throw new Error(`parameter '${name}': ${(cause as Error).message}`)
  }
}

/** Every call that leaves the parameter out is given this very value. */
function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  Object.values(value).forEach(deepFreeze)
}

function returnType(
  { returns = 'object' }: OperationDefinition,
  collection: Collection | undefined,
  types: Surroundings['types'],
): TypeInfo {
  if (collection) return info(collection.listType)
  const type = types.get(returns)
  if (type) return info(type)
  const [only, ...others] = parseType(returns) ?? []
  if (!only || others.length > 0)
    throw new Error(`returns '${returns}' must be a listed type, Name[] or a built-in one`)
  if (!BUILTIN_TYPES.has(only.base) && !types.has(only.base))
    throw new Error(`returns '${returns}' is not a listed type`)
  if (only.depth > 0) return { name: returns, kind: 'object', description: `A list of ${only.base}.` }
  return { name: returns, kind: returns === 'object' ? 'object' : 'scalar' }
}

function info({ name, kind, description }: TypeDefinition): TypeInfo {
  return { name, kind, ...(description && { description }) }
}

function lifecycleOf(given: Partial<Lifecycle>): Lifecycle {
  return {
    states: given.states ?? ['pending', 'running', 'completed', 'failed', 'cancelled'],
    supports_cancel: given.supports_cancel ?? true,
    supports_retry: given.supports_retry ?? false,
    progress_reporting: given.progress_reporting ?? false,
  }
}
