import { createHash } from 'node:crypto'
import { canonicalJson } from '../canonical-json.ts'
import type { AdapterDefinition } from '../registry/adapter.ts'
import type { OperationDefinition } from '../registry/operation.ts'
import type { TypeDefinition } from '../registry/type.ts'

/** What a trust record is bound to: the content as a whole, and each operation with everything it rests on. */
export interface ContentHashes {
  readonly hash: string
  /** By operation name. */
  readonly operations: Readonly<Record<string, string>>
}

/**
 * SHA-256 over the canonical JSON of everything that describes the adapter; handlers are no part of it, nor
 * is the trust block, which vouches for the rest. `origin` is where the calls go (address, command line): the same
 * operations of another server are other operations.
 */
export function contentHash(definition: AdapterDefinition, origin?: string): string {
  return sha256(adapterContent(definition, origin))
}

export function contentHashes(definition: AdapterDefinition, origin?: string): ContentHashes {
  const types = new Map((definition.types ?? []).map((type) => [type.name, type]))
  const hashes = definition.operations.map((operation) => [operation.name, operationHash(operation, types, origin)])
  return { hash: contentHash(definition, origin), operations: Object.freeze(Object.fromEntries(hashes)) }
}

/** The text that is hashed, and that an authority signs. The order of operations and types does not matter. */
export function adapterContent(definition: AdapterDefinition, origin?: string): string {
  const {
    operations,
    types = [],
    trust: _,
    ...adapter
  } = definition as AdapterDefinition & { readonly trust?: unknown }
  return canonicalJson({ origin, adapter: described(adapter), operations: byName(operations), types: byName(types) })
}

/** An operation, and the types that it names, directly or through other types. */
function operationHash(
  operation: OperationDefinition,
  types: ReadonlyMap<string, TypeDefinition>,
  origin: string | undefined,
): string {
  const named = [...reachable(operation, types)].sort().map((name) => described(types.get(name)))
  return sha256(canonicalJson({ origin, operation: described(operation), types: named }))
}

function reachable(operation: OperationDefinition, types: ReadonlyMap<string, TypeDefinition>): ReadonlySet<string> {
  const found = new Set<string>()
  const open: object[] = [operation]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const name of namesIn(next)) {
      const type = types.get(name)
      if (!type || found.has(name)) continue
      found.add(name)
      open.push(type)
    }
  }
  return found
}

/** Any string outside of prose that spells a type counts: one type too many is harmless, one too few is not. */
function* namesIn(value: object): Iterable<string> {
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'string' && !PROSE.has(key)) yield* inner.match(/[A-Z][A-Za-z0-9]*/g) ?? []
    else if (typeof inner === 'object' && inner !== null) yield* namesIn(inner)
  }
}

const PROSE: ReadonlySet<string> = new Set(['description', 'summary', 'path'])

function byName(items: readonly { readonly name: string }[]): unknown {
  return Object.fromEntries(items.map((item) => [item.name, described(item)]))
}

/** Without functions, which have no text of their own. */
export function described(value: unknown): unknown {
  if (typeof value === 'function') return undefined
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return value.map(described)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, described(inner)]))
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
