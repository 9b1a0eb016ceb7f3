import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AuditEntry } from '../audit/entry.ts'
import type { ShownChallenge } from '../ports/channel.ts'
import { Secret } from '../ports/secret.ts'
import { type RecordRef, record } from '../ports/store.ts'

/**
 * Spec §8.8.2. The record holds no code: the code is made when it is shown (`reveal`), and what stays of it is a salted
 * hash (OOB-04).
 */
export interface Challenge extends ShownChallenge {
  /** UUID v4, without relation to the code (OOB-03). */
  readonly id: string
  readonly agentKey: string
  /** The agent's session: what a success grants, it grants there (AUTO-17). */
  readonly session: string
  readonly trigger: 'verify' | 'danger_zone' | 'deny' | 'operator'
  readonly hintHash: string
  readonly issuedAt: number
  readonly state: 'waiting' | 'shown' | 'verified' | 'failed' | 'undeliverable'
  /** Whoever made it; a challenge of a process that has ended is void (BLOCK-05). */
  readonly opener: string
  readonly salt?: string
  readonly hash?: string
  readonly shownAt?: number
  readonly shownBy?: string
  readonly endedAt?: number
}

export function challengeRef(id: string): RecordRef<Challenge> {
  return record('challenge', id)
}

/** It could still be answered, or shown. */
export function isOpen({ state }: Challenge): boolean {
  return state === 'waiting' || state === 'shown'
}

/** Failed, whatever the reason; the hash is of no more use. */
export function closed({ salt: _, hash: __, ...challenge }: Challenge, now: number): Challenge {
  return { ...challenge, state: 'failed', endedAt: now }
}

/** OOB-02: 28 letters of base32 are 140 bits. */
export function makeCode(): Secret {
  return new Secret(Array.from(randomBytes(LETTERS), (byte) => BASE32[byte % 32]).join(''))
}

/** For whoever shows it: seven groups of four. */
export function codeGroups(code: Secret): readonly string[] {
  return code.use((text) => text.match(/.{4}/g) ?? [])
}

export function hashCode(code: Secret, salt: string): string {
  return code.use((text) => createHash('sha256').update(`${salt}\n${text}`).digest('hex'))
}

export function makeSalt(): string {
  return randomBytes(16).toString('hex')
}

/** In constant time, also when there is nothing to compare with. */
export function isCode({ salt = '', hash }: Pick<Challenge, 'salt' | 'hash'>, typed: string): boolean {
  const actual = hashCode(new Secret(typedCode(typed)), salt)
  const isEqual = timingSafeEqual(Buffer.from(actual, 'hex'), Buffer.from(hash ?? NOTHING, 'hex'))
  return isEqual && hash !== undefined
}

/** Grouping and case are the typist's; zero and one are no letters of base32, so they can only be O and I. */
function typedCode(typed: string): string {
  return typed.slice(0, 200).toUpperCase().replace(/[\s-]/g, '').replaceAll('0', 'O').replaceAll('1', 'I')
}

const LETTERS = 28
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const NOTHING = '0'.repeat(64)

/** AUDIT-04. */
export function challengeEntry(
  event: AuditEntry['event'],
  challenge: Challenge,
  now: number,
  extra: Partial<AuditEntry> = {},
): AuditEntry {
  return {
    timestamp: new Date(now).toISOString(),
    event,
    verificationId: challenge.id,
    agent_key: challenge.agentKey,
    element_name: challenge.element_name,
    trigger: challenge.trigger,
    user_id: challenge.principal,
    session_id: challenge.session,
    ...extra,
  }
}
