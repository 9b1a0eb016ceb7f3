import {
  type Certification,
  HIGHEST_BY_WORD,
  isTrusted,
  lowerTrust,
  type TrustChange,
  type TrustLevel,
  type ValidationReport,
} from '../../protocol/trust.ts'
import { type RecordRef, record } from '../ports/store.ts'
import type { ContentHashes } from './content-hash.ts'

/** What the operator's store holds about one adapter, bound to the content it was recorded for (TRUST-03, R-43). */
export interface TrustRecord extends ContentHashes {
  readonly adapter: string
  readonly level: TrustLevel
  /** `word`: the operator said so; `evidence`: it was earned by promotion (TRUST-09). */
  readonly basis: 'word' | 'evidence'
  readonly history: readonly TrustChange[]
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
  /** What the operator said; without it the source has compiled, and no more is known. */
  readonly level?: TrustLevel
  readonly by: string
  readonly now: number
  /** The operator looked at what changed and accepts it. Otherwise a changed source keeps the record it had. */
  readonly acceptsChange?: boolean
}

export type Recorded = { readonly record: TrustRecord; readonly changed: boolean } | { readonly error: string }

/**
 * naming a source records `generated`, a word of the operator at most `validated`. The same word about changed
 * content is no new word: what changed stays fallen back until the operator accepts it.
 */
export function recordSource(known: TrustRecord | undefined, recording: SourceRecording): Recorded {
  const { level, content, acceptsChange = false } = recording
  if (level && !isTrusted(HIGHEST_BY_WORD, level)) {
    return { error: `trust ${level} cannot be set by word: it is earned by evidence; set ${HIGHEST_BY_WORD} at most` }
  }
  if (!known) return { record: created(recording), changed: true }
  const accepts = acceptsChange && known.hash !== content.hash
  if (accepts) return { record: replaced(known, recording), changed: true }
  const isEarned = !isTrusted(HIGHEST_BY_WORD, known.level)
  if (isEarned || level === undefined || level === known.level) return { record: known, changed: false }
  return {
    record: known.hash === content.hash ? reworded(known, level, recording) : replaced(known, recording),
    changed: true,
  }
}

function created({ adapter, content, level = 'generated', by, now }: SourceRecording): TrustRecord {
  const history = [change('untested', level, by, now, 'the operator named this source')]
  return { adapter, ...content, level, basis: 'word', history }
}

/** The same content at another level: what is known about it stays known. */
function reworded(known: TrustRecord, level: TrustLevel, { by, now }: SourceRecording): TrustRecord {
  const history = [...known.history, change(known.level, level, by, now, 'by word of the operator')]
  return { ...known, level, basis: 'word', history }
}

/** Other content: reports, reviews and certificates were about what it was before. */
function replaced({ adapter, level: from, history }: TrustRecord, recording: SourceRecording): TrustRecord {
  const { content, by, now, level = lowerTrust(from, HIGHEST_BY_WORD) } = recording
  const accepted = change(from, level, by, now, 'the operator accepted changed content')
  return { adapter, ...content, level, basis: 'word', history: [...history, accepted] }
}

function change(from: TrustLevel, to: TrustLevel, by: string, now: number, reason: string): TrustChange {
  return { from, to, at: new Date(now).toISOString(), by, reason }
}
