import { isDeepStrictEqual } from 'node:util'
import { checkVersion } from '../../../src/core/query/if-match.ts'
import { mergeInput } from '../../../src/core/query/merge.ts'
import type { ObjectType } from '../../../src/core/registry/type.ts'
import { fail } from '../../../src/protocol/errors.ts'
import type { OperationFailure } from '../../../src/protocol/result.ts'
import type { Database, Row } from './database.ts'

/** A resource as the wire shows it. */
export type Resource = Readonly<Record<string, unknown>>

/** What came with an UPDATE. */
export interface Change {
  readonly input: Resource
  readonly ifMatch?: string | number | undefined
  readonly now: number
}

/**
 * Spec §4.5 and §9.3.2. The stored resource with the input merged into it, or why not. Call it inside the transaction
 * that writes, or the comparison with `if_match` proves nothing. Where nothing changes it is the stored one itself, which
 * needs no writing and keeps its version.
 */
export function merged(type: ObjectType, id: string, stored: Resource, change: Change): Resource | OperationFailure {
  const conflict = checkVersion(change.ifMatch, stored, type, id)
  if (conflict) return conflict
  const next = mergeInput(stored, change.input)
  const removed = Object.keys(type.fields).find((name) => type.fields[name]?.required && next[name] === undefined)
  if (removed === undefined) return isDeepStrictEqual(present(next), present(stored)) ? stored : next
  return fail('VALIDATION_INVALID_VALUE', {
    param_name: `input.${removed}`,
    constraint: 'a value; it cannot be removed',
  })
}

export function missing(resource_type: string, resource_id: string): OperationFailure {
  return fail('NOT_FOUND_RESOURCE', { resource_type, resource_id })
}

export function taken(resource_type: string, resource_id: string): OperationFailure {
  return fail('CONFLICT_ALREADY_EXISTS', { resource_type, resource_id })
}

/** Ids are never given twice, not even after a deletion. */
export function nextId(db: Database, prefix: string): string {
  const row = db.one('UPDATE counters SET last = last + 1 WHERE name = ? RETURNING last', [prefix])
  return `${prefix}_${row?.last}`
}

/** The row without its empty columns: what has no value is left out (DATA-12). */
export function present(row: Row): Resource {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
}

export function timestamp(now: number): string {
  return new Date(now).toISOString()
}

/** From a resource to a column; what is absent is NULL. */
export function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

export function number(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
