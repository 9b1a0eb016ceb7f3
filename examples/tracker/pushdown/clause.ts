import type { Bindable } from '../backend/database.ts'

/** A piece of SQL and the values that its question marks stand for. No text of a caller is ever part of `sql`. */
export interface Clause {
  readonly sql: string
  readonly values: readonly Bindable[]
}

export function allOf(clauses: readonly Clause[]): Clause {
  return joined(clauses, ' AND ', '1')
}

export function anyOf(clauses: readonly Clause[]): Clause {
  return joined(clauses, ' OR ', '0')
}

function joined(clauses: readonly Clause[], word: string, none: string): Clause {
  if (clauses.length === 0) return { sql: none, values: [] }
  return { sql: clauses.map(({ sql }) => `(${sql})`).join(word), values: clauses.flatMap(({ values }) => values) }
}
