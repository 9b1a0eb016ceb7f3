/**
 * One row of a parameter table, or one field of a type. The same row feeds validation, introspection, signatures and
 * search (INT-17); nothing about a parameter is said twice.
 *
 * `type` is written as TYPE-04 spells it: `string`, `number`, `integer`, `boolean`, `object`, `array`, with `[]` for
 * elements and ` | ` for alternatives. `string | null` accepts null; nothing else does (VAL-04).
 */
export interface Param {
  readonly type: string
  readonly required?: boolean
  readonly description?: string
  /** Filled in when the parameter is absent, after all checks (VAL-08). */
  readonly default?: unknown
  /** For an array type the allowed values of its elements. */
  readonly enum?: readonly (string | number | boolean | null)[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  /** Matched by a linear-time engine: no look-around, no back-references. */
  readonly pattern?: string
  readonly format?: string
  /** Constraints on each element of an array. */
  readonly items?: Param
  /** LOOP-11: both spellings with different values are a fault, not a choice. */
  readonly oneSpelling?: true
  /** The value appears in no message, detail, warning or log line (VAL-10). */
  readonly sensitive?: boolean
  /** Members of an object, or of each element of an array of objects. Other members are refused unless `open`. */
  readonly fields?: Params
  readonly open?: boolean
  /** A JSON Schema (2020-12) for what the rows above cannot say; a schema inside it may have `sensitive: true`. */
  readonly schema?: Readonly<Record<string, unknown>>
  readonly deprecated?: Deprecation
  /** A string that may hold U+0000 (DATA-03). Say so in the description. */
  readonly allowNul?: boolean
  /** The name under which the handler receives it (REQ-11). */
  readonly mapTo?: string
  /** Dotted paths in the request that are looked up in turn when the parameter itself is absent (REQ-11). */
  readonly sources?: readonly string[]
}

export type Params = Readonly<Record<string, Param>>

/** Warnings document §4.2. `removal` is an ISO date. */
export interface Deprecation {
  readonly since?: string
  readonly replacement?: string
  readonly removal?: string
  readonly guide?: string
}

/** What the handler receives, read off the table: `note_id` is a `string` because its row says so. */
export type Values<P extends Params> = Simplify<
  { readonly [K in keyof P as IsPresent<P[K]> extends true ? K : never]: ValueOf<P[K]> } & {
    readonly [K in keyof P as IsPresent<P[K]> extends true ? never : K]?: ValueOf<P[K]>
  }
>

type Simplify<T> = { [K in keyof T]: T[K] }

type IsPresent<P> = P extends { readonly required: true }
  ? true
  : P extends { readonly default: unknown }
    ? true
    : false

type ValueOf<P extends Param> = P extends { readonly enum: readonly (infer E)[] }
  ? P['type'] extends `${string}[]`
    ? readonly E[]
    : E | NullOf<P['type']>
  : P extends { readonly fields: infer F extends Params }
    ? P['type'] extends `${string}[]`
      ? readonly Values<F>[]
      : Values<F> | NullOf<P['type']>
    : TypeOf<P['type']>

type NullOf<T extends string> = T extends `${string}| null` ? null : never

type TypeOf<T extends string> = string extends T
  ? unknown
  : T extends `${infer Head} | ${infer Rest}`
    ? BaseOf<Head> | TypeOf<Rest>
    : BaseOf<T>

type BaseOf<T extends string> = T extends `${infer Element}[]`
  ? readonly BaseOf<Element>[]
  : T extends keyof Builtin
    ? Builtin[T]
    : unknown

interface Builtin {
  string: string
  number: number
  integer: number
  boolean: boolean
  object: Readonly<Record<string, unknown>>
  array: readonly unknown[]
  null: null
}
