import {
  type Certification,
  HIGHEST_BY_WORD,
  isTrusted,
  isTrustLevel,
  lowerTrust,
  TRUST_LEVELS,
  type TrustChange,
  type TrustLevel,
  type ValidationReport,
} from '../../protocol/trust.ts'
import { type RecordRef, record } from '../ports/store.ts'
import { isObject } from '../registry/check-value.ts'
import type { ContentHashes } from './content-hash.ts'

/** What the operator's store holds about one adapter, bound to the content it was recorded for (TRUST-03, R-43). */
export interface TrustRecord extends ContentHashes {
  readonly adapter: string
  readonly level: TrustLevel
  /** `default`: nobody has said anything; `word`: the operator said so; `evidence`: it was earned (TRUST-09). */
  readonly basis: 'default' | 'word' | 'evidence'
  readonly history: readonly TrustChange[]
  /** The operator has spoken at the console or the terminal: no setting of a server raises it any more. */
  readonly isByHand?: true
  /** The other content that was last noticed, so that it is told of once. */
  readonly noticed?: string
  readonly validated_at?: string
  readonly validation_report?: ValidationReport
  /** The version of the API that was validated. */
  readonly api_version?: string
  readonly reviews?: readonly Review[]
  readonly certification?: Certification
}

/** TRUST-06. */
export interface Review {
  readonly reviewer: string
  readonly approved: boolean
  readonly at: string
}

export function trustRecord(adapter: string): RecordRef<TrustRecord> {
  return record<TrustRecord>('trust', adapter)
}

/** Rises with every change of the record: small enough to be looked at again and again. */
export function trustVersion(adapter: string): RecordRef<number> {
  return record<number>('trust-version', adapter)
}

/** What does not look like a record trusts nothing, and no setting of a server raises it. */
export function soundRecord(held: TrustRecord | undefined): TrustRecord | undefined {
  if (held === undefined) return undefined
  const isSound = isObject(held) && isTrustLevel(held.level) && isObject(held.operations) && Array.isArray(held.history)
  if (isSound) return held
  return { adapter: '', hash: '', operations: {}, level: 'untested', basis: 'word', history: [], isByHand: true }
}

/** TRUST-03: the level for exactly this content; any other has at most been generated. */
export function trustOfContent(known: TrustRecord | undefined, hash: string): TrustLevel {
  if (!known) return 'untested'
  return known.hash === hash ? known.level : lowerTrust(known.level, 'generated')
}

/** a change of the source affects only the operations whose definition changed. */
export function trustOfOperation(known: TrustRecord | undefined, name: string, operationHash: string): TrustLevel {
  if (!known) return 'untested'
  const isSame = Object.hasOwn(known.operations, name) && known.operations[name] === operationHash
  return isSame ? known.level : lowerTrust(known.level, 'generated')
}

export interface SourceRecording {
  readonly adapter: string
  readonly content: ContentHashes
  /** What a source of this kind is trusted before anybody has spoken; `generated` for a foreign one. */
  readonly initial?: TrustLevel
  /** What the configuration says. */
  readonly level?: TrustLevel
  /** The adapter vouches for itself, so whatever is recorded is about this content alone (TRUST-03). */
  readonly hasClaim?: boolean
  readonly by: string
  readonly now: number
}

export type Recorded = { readonly record: TrustRecord; readonly changed: boolean } | { readonly error: string }

/**
 * at the start, a source that is new gets the level of its kind, or what the configuration says, at most
 * `validated`. Clients start servers too, always with the same setting, so a setting accepts no changed content and
 * raises nothing that the operator has set by hand. One that lowers always counts.
 */
export function recordSource(known: TrustRecord | undefined, recording: SourceRecording): Recorded {
  const { level } = recording
  if (level && !isTrusted(HIGHEST_BY_WORD, level)) return { error: notByWord(level) }
  if (!known) return { record: created(recording), changed: true }
  const said = { ...recording, reason: SETTING }
  if (level === undefined)
    return known.basis === 'default' ? byKind(known, recording) : { record: known, changed: false }
  if (known.basis === 'default') return { record: replaced(known, level, said), changed: true }
  return counts(known, level)
    ? { record: reworded(known, level, said), changed: true }
    : { record: known, changed: false }
}

/** Nobody has vouched for any content, so the level of the kind holds for whatever it is now. */
function byKind(known: TrustRecord, recording: SourceRecording): Recorded {
  const { content, hasClaim = false, initial = 'generated' } = recording
  if (hasClaim || (known.hash === content.hash && known.level === initial)) return { record: known, changed: false }
  const history = known.level === initial ? known.history : withChange(known, initial, { ...recording, reason: KIND })
  return { record: { ...known, ...content, level: initial, history }, changed: true }
}

export interface TrustWord {
  readonly content: ContentHashes
  readonly level: TrustLevel
  readonly by: string
  readonly reason: string
  readonly now: number
}

/** R-43, TRUST-10: the operator says how far this very content is trusted, having seen what changed. */
export function takeWord(known: TrustRecord, word: TrustWord): Recorded {
  const { level, content } = word
  const isSame = known.hash === content.hash
  const isLower = isSame && TRUST_LEVELS[level] < TRUST_LEVELS[known.level]
  if (!isTrusted(HIGHEST_BY_WORD, level) && !isLower) return { error: notByWord(level) }
  if (isSame && level === known.level && (known.isByHand || known.basis === 'evidence'))
    return { record: known, changed: false }
  const next = isSame ? reworded(known, level, word) : replaced(known, level, word)
  return { record: { ...next, isByHand: true }, changed: true }
}

function notByWord(level: TrustLevel): string {
  return `trust ${level} cannot be set by word: it is earned by evidence; set ${HIGHEST_BY_WORD} at most`
}

const SETTING = 'by the setting of the server'
const KIND = 'what a source of this kind starts with'

/** What was earned is more than a word can give, so only one below that takes from it. */
function counts(known: TrustRecord, level: TrustLevel): boolean {
  if (TRUST_LEVELS[level] > TRUST_LEVELS[known.level]) return !known.isByHand
  return level !== known.level && (isTrusted(HIGHEST_BY_WORD, known.level) || level !== HIGHEST_BY_WORD)
}

function created({ adapter, content, level, initial = 'generated', by, now }: SourceRecording): TrustRecord {
  const to = level ?? initial
  const reason = level ? SETTING : KIND
  const history = [change('untested', to, { by, now, reason })]
  return { adapter, ...content, level: to, basis: level ? 'word' : 'default', history }
}

type Said = Pick<TrustWord, 'by' | 'now' | 'reason'>

/** The same content at another level: what is known about it stays known. */
function reworded(known: TrustRecord, level: TrustLevel, said: Said): TrustRecord {
  const basis = isTrusted(HIGHEST_BY_WORD, level) ? 'word' : known.basis
  return { ...known, level, basis, history: withChange(known, level, said) }
}

/** Other content: reports, reviews and certificates were about what it was before. */
function replaced(known: TrustRecord, level: TrustLevel, word: Said & Pick<TrustWord, 'content'>): TrustRecord {
  const history = withChange(known, level, word)
  return { adapter: known.adapter, ...word.content, level, basis: 'word', history }
}

/** The trail has every change; the record those that a page can show. */
const KEPT_CHANGES = 50

function withChange({ history, level: from }: TrustRecord, to: TrustLevel, said: Said): readonly TrustChange[] {
  return [...history, change(from, to, said)].slice(-KEPT_CHANGES)
}

function change(from: TrustLevel, to: TrustLevel, { by, now, reason }: Said): TrustChange {
  return { from, to, at: new Date(now).toISOString(), by, reason }
}
