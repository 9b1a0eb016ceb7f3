import type { Store } from '../ports/store.ts'
import type { SourceChannel, SourceRecord } from './source-record.ts'

/** What the promise about an agent with a shell rests on (security note, section 1). */
export interface Separation {
  readonly kind: 'separate' | 'same' | 'unknown'
  /** Names of OS accounts, where known. */
  readonly store?: string
  readonly here?: string
  /** In a sentence. */
  readonly why: string
}

export interface StoreHealth {
  readonly kind: string
  readonly place: string
  readonly entries: number
  readonly isWritable: boolean
  readonly trouble?: string
}

export interface Health {
  readonly separation: Separation
  readonly channels: readonly (SourceChannel & { readonly adapter: string })[]
  readonly store: StoreHealth
  readonly modes: readonly { readonly adapter: string; readonly mode: string; readonly updatedAt: number }[]
  readonly version: string
}

export interface HealthParts {
  readonly store: Store
  /** What the store is and where; for people. */
  readonly storeName?: { readonly kind: string; readonly place: string }
  readonly version?: string
  readonly separation?: () => Promise<Separation>
}

export async function readHealth(parts: HealthParts, sources: readonly SourceRecord[]): Promise<Health> {
  const separation = (await parts.separation?.()) ?? UNKNOWN
  return {
    separation,
    channels: sources.flatMap(({ adapter, channels }) => channels.map((channel) => ({ ...channel, adapter }))),
    store: await readStore(parts),
    modes: sources.map(({ adapter, mode, updated_at }) => ({ adapter, mode, updatedAt: updated_at })),
    version: parts.version ?? '',
  }
}

const UNKNOWN: Separation = { kind: 'unknown', why: 'Nothing here says which OS account owns the store.' }

async function readStore({ store, storeName }: HealthParts): Promise<StoreHealth> {
  const named = storeName ?? { kind: 'memory', place: 'this process' }
  try {
    const { seq } = await store.trail.head()
    return { ...named, entries: seq, isWritable: true }
  } catch {
    return {
      ...named,
      entries: 0,
      isWritable: false,
      trouble: 'The store cannot be read. Side effects are refused until it can.',
    }
  }
}
