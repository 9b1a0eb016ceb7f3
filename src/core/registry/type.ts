import type { Param, Params } from './param.ts'

/**
 * A type of the adapter's domain (spec §9.2). An object type is also a resource: its fields are declared here once and
 * give every operation that returns it field selection, and every collection of it filter, sort, paging and aggregates.
 */
export type TypeDefinition = ObjectType | EnumType | UnionType | ScalarType

export interface ObjectType {
  readonly name: string
  readonly kind: 'object'
  readonly description?: string
  readonly fields: Readonly<Record<string, Field>>
  /** The field that identifies one item; ties in a sort are broken by it (PAGE-07). */
  readonly key?: string
  /** Field lists by name; `minimal`, `standard` and `full` always exist (FIELD-02). */
  readonly presets?: Readonly<Record<string, readonly string[]>>
  /** Derived values, asked for as `_computed.{name}` (COMP-01). */
  readonly computed?: Readonly<Record<string, ComputedField>>
  /** The field that changes with every modification, `_version` or `_etag` (CONC-02). */
  readonly version?: string
}

export interface EnumType {
  readonly name: string
  readonly kind: 'enum'
  readonly description?: string
  readonly values: readonly string[]
}

export interface UnionType {
  readonly name: string
  readonly kind: 'union'
  readonly description?: string
  readonly members: readonly string[]
}

export interface ScalarType {
  readonly name: string
  readonly kind: 'scalar'
  readonly description?: string
}

/** A field may name a listed type (`Label[]`) where a parameter names a built-in one. */
export interface Field extends Param {
  readonly filterable?: boolean
  readonly sortable?: boolean
  readonly groupable?: boolean
  /** Free text in `query` looks here. */
  readonly searchable?: boolean
  /** Set by the server; in `input` it is refused with VALIDATION_READ_ONLY_FIELD (VAL-11). */
  readonly readOnly?: boolean
  /** Grows only; the value names the operation that adds to it (VAL-11). */
  readonly appendOnly?: string
}

export interface ComputedField {
  readonly type: string
  readonly description?: string
  readonly filterable?: boolean
  readonly sortable?: boolean
  /** Pure: from the stored item and the time of the request. */
  readonly compute: (item: Readonly<Record<string, unknown>>, now: number) => unknown
}

export function defineType<const T extends TypeDefinition>(definition: T): T {
  return definition
}

/** The fields that an UPDATE of this type may carry in `input`; `except` names the identifiers (UPD-08). */
export function inputFields(type: ObjectType, except: readonly string[] = []): Params {
  const hidden = new Set([...except, type.version])
  return Object.fromEntries(
    Object.entries(type.fields).filter(([name, field]) => !hidden.has(name) && !field.readOnly && !field.appendOnly),
  )
}
