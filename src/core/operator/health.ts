import { record, type Store } from '../ports/store.ts'
import { CLIENT, type ClientRecord } from './client-record.ts'
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
  /** AUDIT-10: records that the trail itself says were lost. */
  readonly lost: number
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
    channels: await readChannels(parts.store, sources),
    store: await readStore(parts),
    modes: sources.map(({ adapter, mode, updated_at }) => ({ adapter, mode, updatedAt: updated_at })),
    version: parts.version ?? '',
  }
}

/** What servers published when they started, and the clients that may answer forms as they are now. */
async function readChannels(store: Store, sources: readonly SourceRecord[]): Promise<Health['channels']> {
  const clients = (await store.list<ClientRecord>(CLIENT)).map(({ value }) => value)
  const names = clients.filter(({ elicitation, revokedAt }) => elicitation && revokedAt === undefined)
  const form: SourceChannel = {
    name: 'elicitation',
    state: 'available',
    classes: ['C1'],
    note: `a form in ${names.map(({ name }) => name).join(', ')}, over HTTP`,
  }
  return sources.flatMap(({ adapter, channels }) => {
    const isMissing = names.length > 0 && channels.every(({ name }) => name !== form.name)
    return [...channels, ...(isMissing ? [form] : [])].map((channel) => ({ ...channel, adapter }))
  })
}

const UNKNOWN: Separation = { kind: 'unknown', why: 'Nothing here says which OS account owns the store.' }

async function readStore({ store, storeName }: HealthParts): Promise<StoreHealth> {
  const named = storeName ?? { kind: 'memory', place: 'this process' }
  try {
    const { seq } = await store.trail.head()
    const lost = await readLost(store)
    const trouble = (await unwritable(store)) ?? (lost > 0 ? lostNote(lost) : undefined)
    return { ...named, entries: seq, isWritable: !trouble?.isFatal, lost, ...(trouble && { trouble: trouble.text }) }
  } catch {
    const trouble = 'The store cannot be read. Side effects are refused until it can.'
    return { ...named, entries: 0, isWritable: false, lost: 0, trouble }
  }
}

interface Trouble {
  readonly text: string
  readonly isFatal: boolean
}

/** Whether it can be read does not show whether a record can be kept, so one is written and taken away. */
async function unwritable(store: Store): Promise<Trouble | undefined> {
  const refs = { it: record<number>('probe', 'health') }
  try {
    if (store.hasRoom?.() === false) throw new Error('Little room is left where it is.')
    await store.update(refs, () => ({ next: { it: 1 }, result: undefined }))
    await store.update(refs, () => ({ next: { it: undefined }, result: undefined }))
    return undefined
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    return { text: `${why} Every write is refused until records can be kept.`, isFatal: true }
  }
}

async function readLost(store: Store): Promise<number> {
  const losses = await store.trail.read({ events: ['RECORDS_LOST'], limit: MOST_LOSSES })
  return losses.reduce((sum, { entry: { lost } }) => sum + (typeof lost === 'number' ? lost : 0), 0)
}

const MOST_LOSSES = 1_000

function lostNote(lost: number): Trouble {
  const text = `${lost} records could not be written and were lost. The audit trail says when (RECORDS_LOST).`
  return { text, isFatal: false }
}
