import { ALL_OPERATIONS, lowerTrust, type TrustLevel } from '../../protocol/trust.ts'
import { type Certificate, covers, isInForce } from './certificate.ts'
import { type TrustRecord, trustOfContent, trustOfOperation } from './trust-record.ts'

export interface TrustFacts {
  /** What the adapter's file says (`readTrust`); absent for a source that has no file of its own. */
  readonly claim?: TrustLevel
  /** What the operator's store says. */
  readonly recorded?: TrustRecord
  /** The hash of the content as it is. */
  readonly hash: string
  /** Without one it is about the source as a whole. */
  readonly operation?: { readonly name: string; readonly hash: string }
  /** As found good by `verifyCertificate` for this content. */
  readonly certificate?: Certificate
  readonly now: number
}

export interface EffectiveTrust {
  readonly level: TrustLevel
  readonly warnings: readonly string[]
}

/** TRUST-03, TRUST-07, TRUST-11, R-18: the lower of claim and record; `certified` only under a certificate in force. */
export function effectiveTrust(facts: TrustFacts): EffectiveTrust {
  const { claim, recorded, hash, operation } = facts
  if (claim === undefined) {
    if (!operation) return underCertificate(recorded?.level ?? 'untested', [], facts)
    const known = trustOfOperation(recorded, operation.name, operation.hash)
    return underCertificate(known, driftWarning(recorded, known, `operation '${operation.name}'`), facts)
  }
  const known = trustOfContent(recorded, hash)
  const level = lowerTrust(claim, known)
  const excess = level === claim ? [] : [`the adapter claims ${claim}, but ${known} is what the operator's store holds`]
  return underCertificate(level, [...driftWarning(recorded, known, 'the adapter'), ...excess], facts)
}

function underCertificate(level: TrustLevel, warnings: readonly string[], facts: TrustFacts): EffectiveTrust {
  if (level !== 'certified') return { level, warnings }
  const flaw = flawOf(facts)
  if (flaw === undefined) return { level, warnings }
  return { level: 'community_reviewed', warnings: [...warnings, `${flaw}; it counts as community_reviewed`] }
}

function flawOf({ certificate, operation, now }: TrustFacts): string | undefined {
  if (!certificate) return 'no certificate was verified'
  const { issued_at, expires_at } = certificate
  if (!isInForce(certificate, now)) return `the certificate is in force from ${issued_at} to ${expires_at} only`
  const { name } = operation ?? { name: ALL_OPERATIONS }
  return covers(certificate, name) ? undefined : `the certificate does not cover '${name}'`
}

function driftWarning(recorded: TrustRecord | undefined, known: TrustLevel, what: string): readonly string[] {
  if (!recorded || recorded.level === known) return []
  return [
    `${what} has changed since ${recorded.level} was recorded; it counts as ${known} until the operator accepts it`,
  ]
}
