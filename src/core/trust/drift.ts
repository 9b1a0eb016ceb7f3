import { type RecordRef, record } from '../ports/store.ts'
import type { AdapterDefinition } from '../registry/adapter.ts'
import { type ContentHashes, described } from './content-hash.ts'
import type { TrustRecord } from './trust-record.ts'

/** One operation that is not what it was when the operator trusted the source. */
export interface Drift {
  readonly operation: string
  readonly what: 'changed' | 'added' | 'removed'
}

/** What differs from the content that the record is about, by name. */
export function driftOf(known: TrustRecord, { operations }: ContentHashes): readonly Drift[] {
  const names = [...new Set([...Object.keys(known.operations), ...Object.keys(operations)])].sort()
  return names.flatMap((operation) => {
    const [before, after] = [hashOf(known.operations, operation), hashOf(operations, operation)]
    if (before === after) return []
    return [{ operation, what: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed' } as const]
  })
}

/** The operations as they were when the record was made: what a later change is compared with. */
export interface TrustedContent {
  readonly hash: string
  readonly operations: Readonly<Record<string, unknown>>
}

export function trustedContent(adapter: string): RecordRef<TrustedContent> {
  return record<TrustedContent>('trust-content', adapter)
}

export function contentOf({ operations }: AdapterDefinition, hash: string): TrustedContent {
  return { hash, operations: Object.fromEntries(operations.map((each) => [each.name, described(each)])) }
}

function hashOf(hashes: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(hashes, name) ? hashes[name] : undefined
}
