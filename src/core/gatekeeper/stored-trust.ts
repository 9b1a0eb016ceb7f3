import type { TrustLevel } from '../../protocol/trust.ts'
import type { AuditEntry } from '../audit/entry.ts'
import { canonicalHash } from '../canonical-json.ts'
import type { Clock } from '../ports/clock.ts'
import type { Changed, Store } from '../ports/store.ts'
import type { AdapterDefinition } from '../registry/adapter.ts'
import { type ContentHashes, contentHashes } from '../trust/content-hash.ts'
import { contentOf, driftOf, type TrustedContent, trustedContent } from '../trust/drift.ts'
import { readTrust } from '../trust/read-trust.ts'
import {
  fixedTrust,
  type GivenTrust,
  type SourceTrust,
  type TrustTerms,
  trustBy,
  viewBy,
} from '../trust/source-trust.ts'
import { recordSource, soundRecord, type TrustRecord, trustRecord, trustVersion } from '../trust/trust-record.ts'

export interface TrustOptions {
  /** Fixes how far the adapter is trusted, as a whole or by operation. Without it the store's record decides. */
  readonly trust?: GivenTrust
  /** What the record of a source that is new says; a module of one's own is `validated`, a foreign one `generated`. */
  readonly initialTrust?: TrustLevel
  /** A setting of this server: recorded as far as R-43 lets it, and never exceeded. */
  readonly trustSetting?: TrustLevel
}

/** TRUST-03, R-43: what the embedding program has fixed, or what the store's record says from here on. */
export function openTrust(
  adapter: AdapterDefinition,
  { trust, initialTrust = 'validated', trustSetting }: TrustOptions,
  store: Store,
  clock: Clock,
): SourceTrust | Promise<SourceTrust> {
  const content = contentHashes(adapter)
  if (trust !== undefined) return fixedTrust(trust, content)
  const setting = trustSetting && { setting: trustSetting }
  return openStoredTrust(adapter, { store, clock, content, initial: initialTrust, ...setting })
}

interface StoredTrustParts {
  readonly store: Store
  readonly clock: Clock
  readonly content: ContentHashes
  /** What a source of this kind is trusted before anybody has spoken. */
  readonly initial: TrustLevel
  /** What the configuration says. */
  readonly setting?: TrustLevel
}

/**
 * records the source, and from then on knows what the record says. Whoever changes the record raises its version
 * in the same commit, so that looking costs next to nothing.
 */
async function openStoredTrust(adapter: AdapterDefinition, parts: StoredTrustParts): Promise<SourceTrust> {
  const { store, clock, content, setting } = parts
  const claim = adapter.trust === undefined ? undefined : readTrust(adapter.trust).claim
  const refs = refsOf(adapter.name)
  let { record, version } = await recordAtStart(adapter, parts, claim !== undefined)
  const followed = store.follow(refs.version)
  const terms = (): TrustTerms => ({
    content,
    now: clock.now(),
    ...(claim && { claim }),
    ...(setting && { setting }),
  })

  return {
    of: (operation) => trustBy(record, operation, terms()),
    view: () => viewBy(record, terms()),

    async refresh() {
      if ((followed.current() ?? 0) === version) return false
      const current = await store.update(refs, (held): Changed<typeof refs, Loaded> => {
        const isTrusted = held.record?.hash === content.hash && held.content?.hash !== content.hash
        return {
          ...(isTrusted && { next: { content: contentOf(adapter, content.hash) } }),
          result: { record: soundRecord(held.record), version: held.version ?? 0 },
        }
      })
      record = current.record
      version = current.version
      return true
    },
    close: followed.close,
  }
}

/** The operations as the operator trusted them; undefined where the store has another state of them, or none. */
export async function trustedBefore(store: Store, adapter: string): Promise<TrustedContent | undefined> {
  const refs = refsOf(adapter)
  const [record, content] = await Promise.all([store.get(refs.record), store.get(refs.content)])
  return content?.hash === record?.hash ? content : undefined
}

interface Loaded {
  /** None: somebody has taken it away, and nothing is trusted. */
  readonly record: TrustRecord | undefined
  readonly version: number
}

function refsOf(adapter: string) {
  return { record: trustRecord(adapter), version: trustVersion(adapter), content: trustedContent(adapter) }
}

async function recordAtStart(
  adapter: AdapterDefinition,
  { store, clock, content, initial, setting }: StoredTrustParts,
  hasClaim: boolean,
): Promise<Loaded> {
  const refs = refsOf(adapter.name)
  const loaded = await store.update(refs, (held): Changed<typeof refs, Loaded | { readonly error: string }> => {
    const now = clock.now()
    const before = soundRecord(held.record)
    const recorded = recordSource(before, {
      adapter: adapter.name,
      content,
      initial,
      ...(setting && { level: setting }),
      hasClaim,
      by: setting ? 'configuration' : 'default',
      now,
    })
    if ('error' in recorded) return { result: recorded }
    const record = noticing(recorded.record, content, hasClaim)
    const isSame = record === held.record
    const version = (held.version ?? 0) + (isSame ? 0 : 1)
    const isKept = record.hash !== content.hash || held.content?.hash === content.hash
    return {
      next: { ...(!isSame && { record, version }), ...(!isKept && { content: contentOf(adapter, content.hash) }) },
      audit: [...changeEntry(before, record, now), ...driftEntry(before, record, content, now)],
      result: { record, version },
    }
  })
  if ('error' in loaded) throw new Error(loaded.error)
  return loaded
}

/** Other content that takes trust away is told of once. */
function noticing(record: TrustRecord, content: ContentHashes, hasClaim: boolean): TrustRecord {
  if (record.hash === content.hash || record.noticed === content.hash) return record
  const isLess = hasClaim || driftOf(record, content).length > 0
  return isLess ? { ...record, noticed: content.hash } : record
}

function changeEntry(before: TrustRecord | undefined, after: TrustRecord, now: number): readonly AuditEntry[] {
  const last = after.history.at(-1)
  const isFirst = !before && after.basis === 'default' // nobody has done anything
  if (last === undefined || isFirst || after.history === before?.history) return []
  const { by: operator, from: old, to, reason = '' } = last
  return [trustEntry(after, now, { operator, old, new: to, reason })]
}

function driftEntry(
  before: TrustRecord | undefined,
  after: TrustRecord,
  content: ContentHashes,
  now: number,
): readonly AuditEntry[] {
  if (after.noticed === undefined || after.noticed === before?.noticed) return []
  const drift = driftOf(after, content)
  const reason = `the source has changed since ${after.level} was recorded; what changed counts as generated at most`
  const operations = drift.slice(0, MOST_NAMED).map(({ operation, what }) => `${operation} ${what}`)
  return [trustEntry(after, now, { reason, drift: drift.length, operations })]
}

const MOST_NAMED = 50

/** AUDIT-05. */
export function trustEntry(
  { adapter, hash, operations }: TrustRecord,
  now: number,
  more: Partial<AuditEntry>,
): AuditEntry {
  const timestamp = new Date(now).toISOString()
  const content = { content_hash: hash, operations_hash: canonicalHash(operations) }
  return { timestamp, event: 'TRUST_CHANGED', adapter_name: adapter, ...content, ...more }
}
