import type { TrustChange, TrustLevel } from '../../protocol/trust.ts'
import { revokeWhere } from '../gatekeeper/end-session.ts'
import type { ApprovalRequest } from '../gatekeeper/request.ts'
import { trustEntry } from '../gatekeeper/stored-trust.ts'
import type { Clock } from '../ports/clock.ts'
import type { Changed, Store } from '../ports/store.ts'
import type { ContentHashes } from '../trust/content-hash.ts'
import { readTrust } from '../trust/read-trust.ts'
import { viewBy } from '../trust/source-trust.ts'
import { soundRecord, type TrustRecord, takeWord, trustRecord, trustVersion } from '../trust/trust-record.ts'
import { type SourceRecord, sourceRef } from './source-record.ts'

/** GATE-13, SELF-14: how far sources are trusted, and the one way to change it while a server runs. */
export interface Trusts {
  list(): Promise<readonly TrustedSource[]>
  set(order: TrustOrder): Promise<TrustSet>
}

/** A source as its server last published it, and the record of the operator's words about it. */
export interface TrustedSource {
  readonly source: SourceRecord
  readonly history: readonly TrustChange[]
}

export interface TrustOrder {
  readonly adapter: string
  readonly level: TrustLevel
  /** The content that the operator was shown; a word about anything else is none. */
  readonly hash: string
  readonly reason: string
  readonly by: string
  readonly channel: string
}

export type TrustSet =
  | { readonly kind: 'set'; readonly from: TrustLevel; readonly to: TrustLevel; readonly accepted: boolean }
  | { readonly kind: 'same' }
  /** `changed`: the source is no longer what was shown. `fixed`: the program that serves it decides. */
  | { readonly kind: 'refused'; readonly why: 'unknown' | 'changed' | 'fixed' | 'level'; readonly text: string }

export function createTrusts(store: Store, clock: Clock): Trusts {
  return {
    async list() {
      const sources = await store.list<SourceRecord>('source')
      const records = new Map(
        (await store.list<TrustRecord>('trust')).map(({ id, value }) => [id, soundRecord(value)?.history]),
      )
      return sources.map(({ id, value }) => ({ source: value, history: records.get(id) ?? [] }))
    },

    async set(order) {
      const done = await store.update(refsOf(order.adapter), (held) => changeOf(held, order, clock.now()))
      if (done.kind === 'set') await revokeWhere(store, clock, isTheirs(order.adapter), CHANGED, order)
      return done
    },
  }
}

function refsOf(adapter: string) {
  return { record: trustRecord(adapter), version: trustVersion(adapter), source: sourceRef(adapter) }
}

type Refs = ReturnType<typeof refsOf>
interface Held {
  readonly record: TrustRecord | undefined
  readonly version: number | undefined
  readonly source: SourceRecord | undefined
}

function changeOf({ record: held, version, source }: Held, order: TrustOrder, now: number): Changed<Refs, TrustSet> {
  const { level, reason, by, channel, hash } = order
  const record = soundRecord(held)
  if (source?.trust_from === 'program') return refused('fixed', 'the program that serves this source fixes its trust')
  if (!record || !source?.content) return refused('unknown', 'no server has recorded a source of this name')
  const { content } = source
  if (content.hash !== hash) return refused('changed', 'the source is no longer what was shown; look again')
  const taken = takeWord({ ...record, adapter: order.adapter }, { content, level, by, reason, now })
  if ('error' in taken) return refused('level', taken.error)
  if (!taken.changed) return { result: { kind: 'same' } }
  const accepted = record.hash !== hash
  const entry = trustEntry(taken.record, now, {
    operator: by,
    channel,
    old: record.level,
    new: level,
    reason,
    ...(accepted && { accepted: (source.drift ?? []).map(({ operation, what }) => `${operation} ${what}`) }),
  })
  return {
    next: { record: taken.record, version: (version ?? 0) + 1, source: shownAs(source, taken.record, content, now) },
    audit: [entry],
    result: { kind: 'set', from: record.level, to: level, accepted },
  }
}

/** What the lists show until a server has taken it in, and publishes what each operation makes of it. */
function shownAs(source: SourceRecord, record: TrustRecord, content: ContentHashes, now: number): SourceRecord {
  const claim = source.claim === '' ? {} : { claim: readTrust({ level: source.claim }).claim }
  const { level, from, text } = viewBy(record, { content, now, ...claim })
  return { ...source, trust: level, trust_from: from, trust_why: text, drift: [] }
}

function refused(why: 'unknown' | 'changed' | 'fixed' | 'level', text: string) {
  return { result: { kind: 'refused', why, text } as const }
}

/** TOK-15: what was approved was approved under other circumstances. */
const CHANGED = 'the trust of the source was changed'

/** A pause of the loop rests on no trust. */
function isTheirs(name: string): (request: ApprovalRequest) => boolean {
  return ({ adapter, token }) => adapter === name && token !== undefined
}
