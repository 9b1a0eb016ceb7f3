import { HIGHEST_BY_WORD, isTrusted } from '../../protocol/trust.ts'
import { canonicalHash } from '../canonical-json.ts'
import type { Store } from '../ports/store.ts'
import { soundRecord, type TrustRecord } from '../trust/trust-record.ts'
import type { Difference } from './compare-records.ts'
import type { ToldState } from './read-told.ts'
import type { Told } from './trail-cut.ts'

/** How far sources are trusted, and in which mode the safety loop last ran, against what the trail says of it. */
export async function trustAgainst(store: Store, told: ToldState): Promise<readonly Difference[]> {
  return [...(await recordsAgainst(store, told)), ...(await modesAgainst(store, told))]
}

async function recordsAgainst(store: Store, { trust: told }: ToldState): Promise<readonly Difference[]> {
  const held = new Map((await store.list<TrustRecord>('trust')).map(({ id, value }) => [id, soundRecord(value)]))
  const gone = [...told].flatMap(([adapter, { seq }]) =>
    held.has(adapter)
      ? []
      : [{ seq, what: `The trail says how far the source ${adapter} is trusted, but the store does not` }],
  )
  const differing = [...held].flatMap(([adapter, record]): readonly Difference[] => {
    const known = told.get(adapter)
    const why = record && (known ? differenceOf(record, known) : untold(record))
    if (why === undefined) return []
    const what = `The store trusts the source ${adapter} as ${record?.level}, ${why}`
    return known ? [{ seq: known.seq, what }] : [{ what, isUntold: true }]
  })
  return [...gone, ...differing]
}

function differenceOf({ level, basis, hash, operations, isByHand }: TrustRecord, { entry }: Told): string | undefined {
  if (level !== entry.new) return `but the trail says ${String(entry.new)}`
  const isWord = entry.operator !== 'default'
  if (isWord && basis === 'default') return 'as what its kind starts with, but the trail has a word about it'
  if (entry.channel !== undefined && isByHand !== true) return 'but not by hand, as the trail says'
  if (basis === 'default') return undefined // whatever its content is now
  const isOther =
    (entry.content_hash !== undefined && entry.content_hash !== hash) ||
    (entry.operations_hash !== undefined && entry.operations_hash !== canonicalHash(operations))
  return isOther ? 'but for other content than the trail says' : undefined
}

/** What a source starts with is not recorded. */
function untold({ level, basis, isByHand }: TrustRecord): string | undefined {
  const isStart = basis === 'default' && isByHand !== true && isTrusted(HIGHEST_BY_WORD, level)
  return isStart ? undefined : 'but the trail does not say so'
}

async function modesAgainst(store: Store, { modes: told }: ToldState): Promise<readonly Difference[]> {
  const held = new Map((await store.list<string>('safety-mode')).map(({ id, value }) => [id, value]))
  return [...new Set([...told.keys(), ...held.keys()])].flatMap((adapter): readonly Difference[] => {
    const known = told.get(adapter)
    const [mode, said] = [held.get(adapter) ?? 'none', known?.entry.new ?? 'none']
    if (mode === said) return []
    const what = `The store has ${mode} as the last safety mode of ${adapter}, but the trail says ${String(said)}`
    return known ? [{ seq: known.seq, what }] : [{ what, isUntold: true }]
  })
}
