import { CATEGORIES, type SemanticCategory } from '../../protocol/categories.ts'
import { DANGER_LEVELS, type DangerLevel } from '../../protocol/danger.ts'
import { HIGHEST_BY_WORD, isTrusted, TRUST_LEVELS, type TrustLevel, type TrustPolicy } from '../../protocol/trust.ts'
import { matrixCell, minimumTrust } from './matrix.ts'

export interface TrustQuestion {
  readonly operation: string
  readonly category?: SemanticCategory
  readonly level: DangerLevel
  readonly reasons: readonly string[]
  /** The effective trust of this operation. */
  readonly trust: TrustLevel
}

export type TrustVerdict = TrustAllowance | TrustConfirmation | TrustRefusal

export interface TrustAllowance {
  readonly permission: 'allow'
  readonly reason: string
}

export interface TrustConfirmation {
  readonly permission: 'confirm'
  readonly reason: string
  /** DNG-14: no approval for a session and none for several calls. */
  readonly perCallOnly: boolean
  /** DNG-14: only an approver with the admin role. */
  readonly adminOnly: boolean
}

export type TrustRefusal = { readonly permission: 'deny'; readonly reason: string } & (
  | { readonly code: 'PERMISSION_DANGER_LEVEL_DENIED'; readonly details: DangerRefusalDetails }
  | { readonly code: 'PERMISSION_TRUST_LEVEL_INSUFFICIENT'; readonly details: TrustRefusalDetails }
)

/** DNG-16. */
export interface DangerRefusalDetails {
  readonly operation: string
  readonly danger_level: DangerLevel
  readonly adapter_trust: TrustLevel
  readonly minimum_trust_required: TrustLevel
  readonly reasons: readonly string[]
}

/** TRUST-20. */
export interface TrustRefusalDetails {
  readonly operation: string
  readonly required_trust: TrustLevel
  readonly actual_trust: TrustLevel
  /** 0 to 4. */
  readonly danger_level: number
}

/**
 * The trust x danger cell, the operator's minima and the danger-level minimum, strictest first (TRUST-13 to TRUST-20,
 * DNG-13, DNG-14, R-09, R-10). Each step can only tighten what the one before it left.
 */
export function gateByTrust(question: TrustQuestion, policy: TrustPolicy = {}): TrustVerdict {
  if (question.operation === 'introspect') return introspection(question, policy)
  const cell = matrixCell(question.level, question.trust)
  if (cell === 'deny') return refuseDanger(question)
  if (cell === 'introspect_only') return refuseTrust(question, minimumTrust(question.level))
  const required = requiredTrust(question, policy)
  if (required && !isTrusted(question.trust, required)) return refuseTrust(question, required)
  const why = confirmationReason(question, cell, policy)
  return why === undefined ? { permission: 'allow', reason: allowed(question) } : confirm(question.level, why)
}

/** TRUST-18: the one operation that an untested adapter may answer, unless the operator says no (TRUST-19). */
function introspection(question: TrustQuestion, { allow_untested_introspection = true }: TrustPolicy): TrustVerdict {
  if (question.trust === 'untested' && !allow_untested_introspection) return refuseTrust(question, 'generated')
  return { permission: 'allow', reason: 'introspection changes nothing' }
}

/** TRUST-19: the highest minimum that concerns the operation. An unknown category counts as each of them. */
function requiredTrust({ category }: TrustQuestion, policy: TrustPolicy): TrustLevel | undefined {
  const isWrite = category === undefined || !CATEGORIES[category].readOnly
  const isDelete = category === undefined || category === 'DELETE'
  const minima = [
    isWrite ? policy.minimum_trust_for_writes : undefined,
    isDelete ? policy.minimum_trust_for_deletes : undefined,
  ].filter((minimum) => minimum !== undefined)
  return minima.toSorted((a, b) => TRUST_LEVELS[b] - TRUST_LEVELS[a])[0]
}

function confirmationReason({ level, trust }: TrustQuestion, cell: string, policy: TrustPolicy): string | undefined {
  const below = policy.require_confirmation_below
  if (DANGER_LEVELS[level] >= DANGER_LEVELS.destructive) return `${level} operations need a human's consent`
  if (cell === 'confirm') return `${level} operations need a human's consent at trust ${trust}`
  if (below && !isTrusted(trust, below)) return `the operator wants a human's consent below trust ${below}`
  return undefined
}

function confirm(level: DangerLevel, reason: string): TrustConfirmation {
  const perCallOnly = DANGER_LEVELS[level] >= DANGER_LEVELS.dangerous
  return { permission: 'confirm', reason, perCallOnly, adminOnly: level === 'forbidden' }
}

function allowed({ level, trust }: TrustQuestion): string {
  return `${level} operations run at trust ${trust}`
}

function refuseDanger({ operation, level, trust, reasons }: TrustQuestion): TrustRefusal {
  const minimum_trust_required = minimumTrust(level)
  return {
    permission: 'deny',
    code: 'PERMISSION_DANGER_LEVEL_DENIED',
    details: { operation, danger_level: level, adapter_trust: trust, minimum_trust_required, reasons },
    reason: `${level} operations need trust ${minimum_trust_required}, this one has ${trust}${advice(minimum_trust_required)}`,
  }
}

function refuseTrust({ operation, level, trust }: TrustQuestion, required_trust: TrustLevel): TrustRefusal {
  return {
    permission: 'deny',
    code: 'PERMISSION_TRUST_LEVEL_INSUFFICIENT',
    details: { operation, required_trust, actual_trust: trust, danger_level: DANGER_LEVELS[level] },
    reason: `it needs trust ${required_trust}, and this one has ${trust}${advice(required_trust)}`,
  }
}

/** the one word that helps, where a word is enough. */
function advice(required: TrustLevel): string {
  return isTrusted(HIGHEST_BY_WORD, required) ? `; the operator can set it: mcpaql trust SOURCE ${required}` : ''
}
