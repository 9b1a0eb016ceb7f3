import { isTrusted, REVIEWERS, TRUST_LEVEL_NAMES, TRUST_LEVELS, type TrustLevel } from '../../protocol/trust.ts'
import { type Evidence, missingEvidence } from './evidence.ts'
import type { TrustRecord } from './trust-record.ts'

/** Who changes trust. An agent is none of them (TRUST-09). */
export interface TrustActor {
  readonly role: 'operator' | 'validation'
  readonly name: string
}

export type TrustStep =
  | { readonly record: TrustRecord; readonly warnings: readonly string[] }
  | { readonly error: string }

export interface PromotionTerms {
  readonly now: number
  /** TRUST-06; 2 by default. */
  readonly reviewers?: number
}

/** Trust levels document §4.1 and §4.2, TRUST-04 to TRUST-07 and TRUST-09: one level up, and only with its evidence. */
export function promote(
  known: TrustRecord,
  to: TrustLevel,
  evidence: Evidence,
  by: TrustActor,
  { now, reviewers = REVIEWERS.default }: PromotionTerms,
): TrustStep {
  const error =
    wrongActor(by) ??
    wrongStep(known.level, to) ??
    (evidence.hash === known.hash ? undefined : 'the evidence is about other content than the record') ??
    missingEvidence(to, evidence, { now, reviewers: Math.max(reviewers, REVIEWERS.least) })
  if (error !== undefined) return { error }
  return { record: { ...changed(known, to, by, now), basis: 'evidence', ...kept(evidence) }, warnings: [] }
}

/** §4.3, TRUST-10: as many levels down as it takes; `validated_at` stays as a fact of the past. */
export function demote(known: TrustRecord, to: TrustLevel, reason: string, by: TrustActor, now: number): TrustStep {
  if (TRUST_LEVELS[to] >= TRUST_LEVELS[known.level]) return { error: `${to} is not below ${known.level}` }
  if (reason.trim() === '') return { error: 'a demotion needs a reason' }
  const warning = `trust of adapter '${known.adapter}' went from ${known.level} down to ${to}: ${reason}`
  return { record: changed(known, to, by, now, reason), warnings: [warning] }
}

function wrongActor({ role }: TrustActor): string | undefined {
  return role === 'operator' || role === 'validation' ? undefined : 'only the operator or a validation may promote'
}

function wrongStep(from: TrustLevel, to: TrustLevel): string | undefined {
  if (isTrusted(from, to)) return `${to} is not above ${from}`
  const next = TRUST_LEVEL_NAMES[TRUST_LEVELS[from] + 1]
  return to === next ? undefined : `from ${from} the next level is ${next}; none can be skipped`
}

function changed(known: TrustRecord, to: TrustLevel, by: TrustActor, now: number, reason?: string): TrustRecord {
  const change = { from: known.level, to, at: new Date(now).toISOString(), by: by.name, ...(reason && { reason }) }
  return { ...known, level: to, history: [...known.history, change] }
}

/** What the record remembers of the evidence. */
function kept({ run, review, certificate }: Evidence): Partial<TrustRecord> {
  return {
    ...(run && { validated_at: run.at }),
    ...(run?.validation_report && { validation_report: run.validation_report }),
    ...(run?.api_version !== undefined && { api_version: run.api_version }),
    ...(review && { reviews: review.reviews }),
    ...(certificate && { certification: certificate }),
  }
}
