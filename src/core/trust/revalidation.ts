import { REVALIDATION_DAYS, TRUST_LEVELS, type TrustLevel } from '../../protocol/trust.ts'
import { isInForce } from './certificate.ts'
import type { TrustRecord } from './trust-record.ts'

export interface Revalidation {
  readonly due: boolean
  /** Present when due; shown as a warning. */
  readonly reason?: string
}

/**
 * Trust levels document §4.4, TRUST-12. A level that the operator gave by word was never validated, and the content hash
 * holds it: nothing is due.
 */
export function revalidationDue(known: TrustRecord, now: number, apiVersion?: string): Revalidation {
  switch (known.level) {
    case 'untested':
      return NOT_DUE
    case 'generated':
      return due('generated adapters are checked against the schema on each load')
    case 'validated':
      if (known.basis === 'word') return NOT_DUE
      if (isOtherVersion(known, apiVersion)) return due(`the API is at version ${apiVersion}, not ${known.api_version}`)
      return byAge(known, 'validated', now)
    case 'community_reviewed':
      return byAge(known, 'community_reviewed', now)
    case 'certified': {
      const { certification } = known
      if (certification && isInForce(certification, now)) return NOT_DUE
      return due(certification ? `the certificate expired at ${certification.expires_at}` : 'there is no certificate')
    }
  }
}

const DAY = 86_400_000
const NOT_DUE: Revalidation = Object.freeze({ due: false })

function due(reason: string): Revalidation {
  return { due: true, reason }
}

function isOtherVersion({ api_version }: TrustRecord, apiVersion: string | undefined): boolean {
  return apiVersion !== undefined && api_version !== undefined && apiVersion !== api_version
}

/** Counted from the last proof of any kind: a validation, or the promotion to the level. */
function byAge(known: TrustRecord, level: keyof typeof REVALIDATION_DAYS, now: number): Revalidation {
  const times = [known.validated_at, promotedAt(known, level)].filter((time) => time !== undefined).map(Date.parse)
  const age = now - Math.max(...times)
  const days = REVALIDATION_DAYS[level]
  return age < days * DAY ? NOT_DUE : due(`the last validation is ${days} days old or more`)
}

function promotedAt({ history }: TrustRecord, level: TrustLevel): string | undefined {
  return history.findLast(({ from, to }) => to === level && TRUST_LEVELS[from] < TRUST_LEVELS[to])?.at
}
