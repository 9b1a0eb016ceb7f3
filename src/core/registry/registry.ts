import { CONCURRENCY, CRUDE, type EndpointProfile } from '../../protocol/endpoints.ts'
import { CODE_PREFIXES, ERRORS, isAdapterCode } from '../../protocol/errors.ts'
import { NAME_PATTERN } from '../../protocol/request.ts'
import { RESERVED_OPERATIONS } from '../../protocol/reserved.ts'
import { fieldSelectionType } from '../query/field-selection-type.ts'
import { FIELD_SELECTION_TYPES } from '../query/page-types.ts'
import type { AdapterDefinition } from './adapter.ts'
import { compileOperation, type Operation } from './compile-operation.ts'
import { matchesGlob } from './glob.ts'
import { loadMatchers } from './matchers.ts'
import type { OperationDefinition } from './operation.ts'
import type { Param } from './param.ts'
import { PROTOCOL_TYPES } from './protocol-types.ts'
import type { TypeDefinition } from './type.ts'
import { BUILTIN_TYPES, parseType } from './type-grammar.ts'

/** Everything an adapter offers, checked once and frozen. */
export interface Registry {
  readonly adapter: AdapterDefinition
  readonly profile: EndpointProfile
  readonly operations: ReadonlyMap<string, Operation>
  readonly types: ReadonlyMap<string, TypeDefinition>
}

export interface RegistrySettings {
  readonly profile: string
  readonly maxPageSize: number
  /** Operations of the protocol itself, which may carry reserved names: `introspect` first. */
  readonly builtIn: readonly OperationDefinition[]
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
}

/** VAL-09, OPN-05, MODE-06, TYPE-03: a wrong definition stops here, with the reason and the operation's name. */
export async function createRegistry(adapter: AdapterDefinition, settings: RegistrySettings): Promise<Registry> {
  checkAdapter(adapter)
  const profile = profileOf(adapter, settings.profile)
  const types = collectTypes([...(adapter.types ?? []), ...errorType(adapter)])
  const [introspect, ...others] = settings.builtIn
  const definitions = [...(introspect ? [introspect] : []), ...chosen(adapter.operations, settings), ...others]
  const matchers = await loadMatchers(allRows(definitions, types.values()))
  const around = { types, profile, matchers, maxPageSize: settings.maxPageSize }
  const operations = new Map<string, Operation>()
  for (const definition of definitions) {
    try {
      checkName(definition.name, operations, settings.builtIn.includes(definition))
      operations.set(definition.name, compileOperation(definition, around))
    } catch (cause) {
      throw new Error(`Operation '${definition.name}': ${(cause as Error).message}`)
    }
  }
  for (const { collection } of operations.values())
    if (collection) types.set(collection.listType.name, collection.listType)
  checkTypeNames(types)
  return Object.freeze({ adapter, profile, operations, types })
}

function checkAdapter({ name, description, operations, errors = {}, concurrency }: AdapterDefinition): void {
  if (!/^[A-Za-z][A-Za-z0-9_ -]{0,63}$/.test(name ?? '')) {
    throw new Error(`Adapter name '${name}' must begin with a letter and hold letters, digits, '-' and '_' only`)
  }
  if (!description?.trim()) throw new Error(`Adapter '${name}': a description is required`)
  if (!Array.isArray(operations)) throw new Error(`Adapter '${name}': operations must be a list`)
  const broken = operations.findIndex((operation) => typeof operation?.name !== 'string')
  if (broken >= 0) throw new Error(`Adapter '${name}': operations[${broken}] is no operation with a name`)
  if (concurrency !== undefined && !CONCURRENCY.includes(concurrency)) {
    const words = CONCURRENCY.join(', ')
    throw new Error(`Adapter '${name}': concurrency must be one of ${words}; it is ${JSON.stringify(concurrency)}`)
  }
  const wrong = Object.keys(errors).find((code) => !isAdapterCode(code) || Object.hasOwn(ERRORS, code))
  if (wrong !== undefined) {
    throw new Error(
      `Adapter '${name}': error code ${wrong} must be one of its own and begin with one of ${CODE_PREFIXES.join(' ')}`,
    )
  }
}

function profileOf({ name, profiles = [] }: AdapterDefinition, wanted: string): EndpointProfile {
  const known = [CRUDE, ...profiles]
  const profile = known.find((candidate) => candidate.name === wanted)
  if (!profile) {
    throw new Error(
      `Adapter '${name}' has no profile '${wanted}'; there are ${known.map((each) => each.name).join(', ')}`,
    )
  }
  if (profiles.some((own) => own.name === CRUDE.name))
    throw new Error(`Adapter '${name}' may not redefine the profile crude`)
  checkFamilies(profile)
  return profile
}

function checkFamilies({ name, families, introspection }: EndpointProfile): void {
  const names = families.map((family) => family.name)
  const wrong = names.find((family) => !NAME_PATTERN.test(family))
  if (wrong !== undefined) throw new Error(`Profile '${name}': family '${wrong}' must match ^[a-z][a-z0-9_]*$`)
  if (new Set(names).size < names.length) throw new Error(`Profile '${name}' has two families of one name`)
  if (!names.includes(introspection)) throw new Error(`Profile '${name}' names no family for introspect`)
}

function chosen(operations: readonly OperationDefinition[], { include, exclude }: RegistrySettings) {
  return operations.filter(
    ({ name }) =>
      (!include?.length || include.some((glob) => matchesGlob(glob, name))) &&
      !exclude?.some((glob) => matchesGlob(glob, name)),
  )
}

function checkName(name: string, operations: ReadonlyMap<string, Operation>, builtIn: boolean): void {
  if (operations.has(name)) throw new Error('the name is taken')
  if (!builtIn && Object.hasOwn(RESERVED_OPERATIONS, name)) throw new Error('the name is reserved by the protocol')
}

function collectTypes(own: readonly TypeDefinition[]): Map<string, TypeDefinition> {
  const types = new Map<string, TypeDefinition>()
  for (const type of [...PROTOCOL_TYPES, ...FIELD_SELECTION_TYPES, fieldSelectionType(own), ...own]) {
    if (!/^[A-Z][A-Za-z0-9]*$/.test(type.name)) throw new Error(`Type '${type.name}' must be written in PascalCase`)
    if (types.has(type.name)) throw new Error(`Type '${type.name}' is defined twice`)
    types.set(type.name, type)
  }
  return types
}

/** ERR-02: codes of the adapter's own are documented where an agent can read them. */
function errorType({ errors = {} }: AdapterDefinition): readonly TypeDefinition[] {
  const rows = Object.entries(errors)
  if (rows.length === 0) return []
  const meanings = rows.map(([code, meaning]) => `${code}: ${meaning}`)
  return [{ name: 'ErrorCode', kind: 'enum', description: meanings.join(' '), values: rows.map(([code]) => code) }]
}

/** TYPE-03: every type that a field or member names is built in or listed. */
function checkTypeNames(types: ReadonlyMap<string, TypeDefinition>): void {
  for (const type of types.values()) {
    for (const name of namedBy(type)) {
      if (!BUILTIN_TYPES.has(name) && !types.has(name))
        throw new Error(`Type '${type.name}' names '${name}', which is not listed`)
    }
  }
}

function namedBy(type: TypeDefinition): readonly string[] {
  if (type.kind === 'union') return type.members
  if (type.kind !== 'object') return []
  return Object.entries(type.fields).flatMap(([name, field]) => {
    const alternatives = parseType(field.type)
    if (!alternatives) throw new Error(`Type '${type.name}', field '${name}': '${field.type}' is not a type`)
    return alternatives.map(({ base }) => base)
  })
}

function* allRows(definitions: readonly OperationDefinition[], types: Iterable<TypeDefinition>): Iterable<Param> {
  for (const { params = {} } of definitions) yield* Object.values(params).filter((param) => param !== undefined)
  for (const type of types) if (type.kind === 'object') yield* Object.values(type.fields)
}
