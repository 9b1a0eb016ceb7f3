import { timingSafeEqual } from 'node:crypto'
import type { ApprovalChannel } from '../ports/human.ts'
import { type RecordRef, record } from '../ports/store.ts'
import { sha256 } from '../sha256.ts'
import type { Verifier } from './verifier.ts'

/** What the store keeps of the local operator; nothing in it opens anything. */
export interface OperatorRecord {
  readonly verifier: Verifier
  readonly setAt: number
  /** Counted for each door alone: whoever has got into the console cannot lock the terminal. */
  readonly tries?: Readonly<Partial<Record<ApprovalChannel, Tries>>>
  readonly links: readonly LoginLink[]
}

interface Tries {
  /** Since the last right one. */
  readonly failures: number
  /** Until then no try is looked at; 0 when there is nothing to wait for. */
  readonly retryAt: number
}

export interface LoginLink {
  readonly hash: string
  readonly expiresAt: number
  readonly authenticatedAt: number
}

export const OPERATOR_REF: RecordRef<OperatorRecord> = record('operator', 'local')

/** Five tries are free; each failure from then on doubles the wait. */
export const TRIES = { free: 5, firstWaitMs: 30_000, longestWaitMs: 900_000 } as const

export const LINK_MS = 60_000

export function newRecord(verifier: Verifier, setAt: number): OperatorRecord {
  return { verifier, setAt, links: [] }
}

/** Counted as failed before it is compared, so that neither a crash nor a swarm of guesses goes uncounted. */
export function withTry(account: OperatorRecord, door: ApprovalChannel, now: number): OperatorRecord {
  const failures = triesAt(account, door).failures + 1
  const waitMs = Math.min(TRIES.firstWaitMs * 2 ** (failures - TRIES.free), TRIES.longestWaitMs)
  const tries = { failures, retryAt: failures < TRIES.free ? 0 : now + waitMs }
  return { ...account, tries: { ...account.tries, [door]: tries } }
}

export function withoutTries(account: OperatorRecord, door: ApprovalChannel): OperatorRecord {
  return { ...account, tries: { ...account.tries, [door]: NO_TRIES } }
}

export function triesAt({ tries }: OperatorRecord, door: ApprovalChannel): Tries {
  return tries?.[door] ?? NO_TRIES
}

const NO_TRIES: Tries = { failures: 0, retryAt: 0 }

export function withLink(account: OperatorRecord, link: string, authenticatedAt: number, now: number) {
  const made = { hash: hashOf(link), expiresAt: now + LINK_MS, authenticatedAt }
  return { made, account: { ...account, links: [...live(account, now), made].slice(-MOST_LINKS) } }
}

/** How the trail names a link, so that one that nobody has made is found out. It opens nothing. */
export function linkRefOf({ hash }: LoginLink): string {
  return hash.slice(0, 16)
}

/** The link and the record without it; undefined for a link that is unknown, used or too old. */
export function takeLink(account: OperatorRecord, link: string, now: number) {
  const hash = hashOf(link)
  const links = live(account, now)
  const found = links.find((other) => isEqual(other.hash, hash))
  return found && { found, account: { ...account, links: links.filter((other) => other !== found) } }
}

const MOST_LINKS = 5

function live({ links }: OperatorRecord, now: number): readonly LoginLink[] {
  return links.filter(({ expiresAt }) => now < expiresAt)
}

function hashOf(link: string): string {
  return sha256(link)
}

function isEqual(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'))
}
