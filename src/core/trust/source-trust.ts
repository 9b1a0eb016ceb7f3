import {
  HIGHEST_BY_WORD,
  isTrustLevel,
  lowerTrust,
  TRUST_LEVEL_NAMES,
  type TrustChange,
  type TrustLevel,
} from '../../protocol/trust.ts'
import type { AdapterDefinition } from '../registry/adapter.ts'
import type { ContentHashes } from './content-hash.ts'
import { type Drift, driftOf } from './drift.ts'
import { effectiveTrust } from './effective-trust.ts'
import { quoted } from './key-rules.ts'
import type { TrustRecord } from './trust-record.ts'

/** Where a level comes from, for the operator. */
export type TrustOrigin = 'program' | 'default' | 'setting' | 'operator' | 'evidence' | 'claim' | 'drift'

export interface KnownTrust {
  readonly level: TrustLevel
  readonly from: TrustOrigin
  /** The same in words. */
  readonly text: string
}

/** Of the source as a whole; single operations may have less. */
export interface TrustView extends KnownTrust {
  readonly claimed?: TrustLevel
  readonly drift: readonly Drift[]
  readonly history: readonly TrustChange[]
  readonly content: ContentHashes
}

/** How far a source is trusted, as the gate asks for it: without waiting. */
export interface SourceTrust {
  of(operation: string): KnownTrust
  view(): TrustView
  /** Looks whether somebody has changed the record. True when it was. */
  refresh(): Promise<boolean>
  close(): void
}

export type GivenTrust = TrustLevel | ((operation: string) => TrustLevel)

/** The embedding program has decided: no record is read. Throws on a level that there is not, which would open every cell. */
export function fixedTrust(given: GivenTrust, content: ContentHashes): SourceTrust {
  const of = (operation: string): KnownTrust => {
    const level: unknown = typeof given === 'function' ? given(operation) : given
    if (isTrustLevel(level)) return { level, from: 'program', text: 'the program that serves it has fixed it' }
    const names = TRUST_LEVEL_NAMES.join(', ')
    throw new Error(`trust must be one of ${names}; it is ${quoted(String(level))}`)
  }
  const known = ['introspect', ...Object.keys(content.operations)].map(of)
  const lowest = known.reduce((least, each) => (lowerTrust(least.level, each.level) === least.level ? least : each))
  return {
    of,
    view: () => ({ ...lowest, drift: [], history: [], content }),
    refresh: async () => false,
    close: () => {},
  }
}

export interface TrustTerms {
  readonly content: ContentHashes
  /** What the adapter says of itself. */
  readonly claim?: TrustLevel
  /** The setting of this server, which it never exceeds. */
  readonly setting?: TrustLevel
  readonly now: number
}

/** What a record makes of one operation; of the source as a whole where it has none of that name. */
export function trustBy(recorded: TrustRecord | undefined, name: string | undefined, terms: TrustTerms): KnownTrust {
  const { content, claim, setting, now } = terms
  const hash = name !== undefined && Object.hasOwn(content.operations, name) ? content.operations[name] : undefined
  const { level, warnings } = effectiveTrust({
    ...(claim && { claim }),
    ...(recorded && { recorded }),
    hash: content.hash,
    ...(name !== undefined && hash !== undefined && { operation: { name, hash } }),
    now,
  })
  if (setting && setting !== HIGHEST_BY_WORD && lowerTrust(level, setting) !== level)
    return { level: setting, from: 'setting', text: `the setting of this server allows no more than ${setting}` }
  if (recorded?.level === level) return { level, ...originOf(recorded) }
  const isClaim = claim === level && recorded !== undefined
  return { level, from: isClaim ? 'claim' : 'drift', text: warnings[0] ?? 'the adapter itself claims no more' }
}

export function viewBy(record: TrustRecord | undefined, terms: TrustTerms): TrustView {
  const { content, claim } = terms
  return {
    ...trustBy(record, undefined, terms),
    ...(claim && { claimed: claim }),
    drift: record ? driftOf(record, content) : [],
    history: record?.history ?? [],
    content,
  }
}

function originOf({ basis, history, isByHand }: TrustRecord): Pick<KnownTrust, 'from' | 'text'> {
  const last = history.at(-1)
  if (basis === 'default') return { from: 'default', text: 'what a source of this kind starts with' }
  if (basis === 'evidence') return { from: 'evidence', text: 'earned by evidence' }
  if (!isByHand || last === undefined) return { from: 'setting', text: `recorded by a setting${on(last)}` }
  return { from: 'operator', text: `set by ${last.by}${on(last)}${last.reason ? `: ${last.reason}` : ''}` }
}

function on(change: TrustChange | undefined): string {
  return change ? ` on ${change.at.slice(0, 10)}` : ''
}

/** INT-18, TRUST-21: what holds, and what the adapter says of itself. */
export function trustInfo(
  { trust: claim }: AdapterDefinition,
  { level }: TrustView,
): Readonly<Record<string, unknown>> {
  const { validated_at, validation_report, level: claimed } = claim ?? {}
  return {
    level,
    ...(claimed !== undefined && { claimed }),
    ...(validated_at !== undefined && { validated_at }),
    ...(validation_report !== undefined && { validation_report }),
  }
}
