import { createHmac, randomBytes } from 'node:crypto'
import type { AuditEvent } from '../../protocol/audit.ts'
import type { AuditEntry } from '../audit/entry.ts'
import type { Clock } from '../ports/clock.ts'
import type { ApprovalChannel, Approver } from '../ports/human.ts'
import type { Changed, Store } from '../ports/store.ts'
import {
  linkRefOf,
  newRecord,
  OPERATOR_REF,
  type OperatorRecord,
  TRIES,
  takeLink,
  triesAt,
  withLink,
  withoutTries,
  withTry,
} from './operator-record.ts'
import { isSameText, makeVerifier, matches, type ScryptCost, type Verifier, verifierRef } from './verifier.ts'

/**
 * SELF-07, SELF-08: the one operator of a local installation. The secret is in the operator's head and, as a verifier
 * that is costly to search, in the store; nothing that reads the store can log in with what it finds.
 */
export interface OperatorAccount {
  isSet(): Promise<boolean>
  /** The first secret. Typed twice: nobody sees what they type. */
  set(secret: string, again: string, channel: ApprovalChannel): Promise<'set' | 'exists' | SecretFault>
  /** Wrong ones are counted by channel, and lock that channel alone. */
  check(secret: string, channel: ApprovalChannel): Promise<Checked>
  /** `right` must come from `check` a moment ago. Log-in links made before are void. */
  change(right: Right, secret: string, again: string): Promise<'set' | 'stale' | SecretFault>
  /** For the console: 256 bits, good once, for a minute. Only its hash is kept, and the trail says that it was made. */
  makeLink(right: Right): Promise<string | undefined>
  redeemLink(link: string): Promise<Approver | undefined>
  /**
   * The secret, typed at the console's sign-in page. Everybody on the computer can reach that, so a wrong one counts
   * for nothing here and locks nobody out of the terminal; whoever calls this slows guesses down.
   */
  signIn(secret: string): Promise<Approver | 'wrong' | 'unset'>
  /** A mark for a browser that has signed in. It opens nothing; it tells this browser from those that guess. */
  makePass(): Promise<string | undefined>
  isPass(pass: string): Promise<boolean>
}

export type SecretFault = 'short' | 'long' | 'differs'

export type Checked =
  | Right
  | { readonly kind: 'wrong'; readonly triesLeft: number; readonly retryAt?: number }
  | { readonly kind: 'locked'; readonly retryAt: number }
  | { readonly kind: 'unset' }

/** Somebody has just typed the secret; made by `check` alone. */
export interface Right {
  readonly kind: 'right'
  readonly operator: Approver & { readonly authenticatedAt: number }
}

export const SECRET_LENGTH = { least: 10, most: 1_000 } as const

/** A check is proof for as long as a human needs for the next step. */
const RIGHT_MS = 120_000

export interface AccountParts {
  readonly store: Store
  readonly clock: Clock
  /** Less only in tests. */
  readonly cost?: ScryptCost
}

export function createOperatorAccount({ store, clock, cost }: AccountParts): OperatorAccount {
  const refs = { account: OPERATOR_REF }
  const rights = new WeakSet<object>()
  const unnoted = { count: 0, notedAt: Number.NEGATIVE_INFINITY }
  const isFresh = (right: Right) =>
    rights.has(right) && Math.abs(clock.now() - right.operator.authenticatedAt) <= RIGHT_MS

  const entry = (
    event: AuditEvent,
    channel: string,
    more: Partial<AuditEntry> = {},
    now = clock.now(),
  ): AuditEntry => ({
    timestamp: new Date(now).toISOString(),
    event,
    operator: OPERATOR,
    channel,
    ...more,
  })

  const countTry = (channel: ApprovalChannel) =>
    store.update(refs, ({ account }): Changed<typeof refs, Tried> => {
      if (!account) return { result: { kind: 'unset' } }
      const { retryAt } = triesAt(account, channel)
      if (clock.now() < retryAt) {
        const audit = [entry('OPERATOR_LOGIN_FAILED', channel, { failure_reason: 'locked' })]
        return { audit, result: { kind: 'locked', retryAt } }
      }
      const next = withTry(account, channel, clock.now())
      return { next: { account: next }, result: { kind: 'try', account: next } }
    })

  const recordFailure = (channel: string, failures: number) =>
    store.update(refs, () => ({
      audit: [entry('OPERATOR_LOGIN_FAILED', channel, { failure_reason: 'wrong', failures })],
      result: undefined,
    }))

  const recordSuccess = (channel: ApprovalChannel, verifier: Verifier) =>
    store.update(refs, ({ account }) => {
      // Changed by somebody else in the meantime: what was typed is the secret no longer.
      if (account?.verifier.hash !== verifier.hash) return { result: false }
      return {
        next: { account: withoutTries(account, channel) },
        audit: [entry('OPERATOR_LOGIN', channel)],
        result: true,
      }
    })

  /** Whoever tries all day must not fill the trail: now and then an entry says how many there were. */
  const noteGuess = async (why: 'link' | 'secret') => {
    unnoted.count++
    if (clock.now() - unnoted.notedAt < NOTE_MS) return
    const failures = unnoted.count
    unnoted.count = 0
    unnoted.notedAt = clock.now()
    const audit = [entry('OPERATOR_LOGIN_FAILED', 'console', { failure_reason: why, failures })]
    await store.update({}, () => ({ audit, result: undefined }))
  }

  const passOf = (nonce: string, { hash }: Verifier) =>
    `${nonce}.${createHmac('sha256', hash).update(`console pass ${nonce}`).digest('base64url')}`

  return {
    isSet: async () => (await store.get(OPERATOR_REF)) !== undefined,

    async set(secret, again, channel) {
      const fault = faultOf(secret, again)
      if (fault) return fault
      const verifier = await makeVerifier(secret, cost)
      return store.update(refs, ({ account }) => {
        if (account) return { result: 'exists' as const }
        const audit = [entry('OPERATOR_SECRET_SET', channel, { verifier: verifierRef(verifier) })]
        return { next: { account: newRecord(verifier, clock.now()) }, audit, result: 'set' as const }
      })
    },

    async check(secret, channel) {
      const tried = await countTry(channel)
      if (tried.kind !== 'try') return tried
      const { verifier } = tried.account
      const { failures, retryAt } = triesAt(tried.account, channel)
      const isRight = secret.length <= SECRET_LENGTH.most && (await matches(secret, verifier))
      if (isRight && (await recordSuccess(channel, verifier))) {
        const right: Right = Object.freeze({ kind: 'right', operator: approverOf(channel, clock.now()) })
        rights.add(right)
        return right
      }
      await recordFailure(channel, failures)
      return { kind: 'wrong', triesLeft: Math.max(0, TRIES.free - failures), ...(retryAt > 0 && { retryAt }) }
    },

    async change(right, secret, again) {
      if (!isFresh(right)) return 'stale'
      const fault = faultOf(secret, again)
      if (fault) return fault
      const verifier = await makeVerifier(secret, cost)
      rights.delete(right)
      return store.update(refs, () => ({
        next: { account: newRecord(verifier, clock.now()) },
        audit: [
          entry('OPERATOR_SECRET_SET', right.operator.channel, { reason: 'changed', verifier: verifierRef(verifier) }),
        ],
        result: 'set' as const,
      }))
    },

    async makeLink(right) {
      if (!isFresh(right)) return undefined
      const link = randomBytes(32).toString('base64url')
      return store.update(refs, ({ account }): Changed<typeof refs, string | undefined> => {
        if (!account) return { result: undefined }
        const now = clock.now()
        const { made, account: next } = withLink(account, link, right.operator.authenticatedAt, now)
        const audit = [entry('OPERATOR_LINK_MADE', right.operator.channel, { link: linkRefOf(made) }, now)]
        return { next: { account: next }, audit, result: link }
      })
    },

    async redeemLink(link) {
      // A wrong one costs a look and no commit: there is nothing to slow down in guessing 256 bits.
      const known = await store.get(OPERATOR_REF)
      const approver =
        known && takeLink(known, link, clock.now())
          ? await store.update(refs, ({ account }): Changed<typeof refs, Approver | undefined> => {
              const now = clock.now()
              const taken = account && takeLink(account, link, now)
              if (!taken) return { result: undefined }
              return {
                next: { account: taken.account },
                audit: [entry('OPERATOR_LOGIN', 'console', { reason: 'link', link: linkRefOf(taken.found) }, now)],
                result: approverOf('console', taken.found.authenticatedAt),
              }
            })
          : undefined
      if (!approver) await noteGuess('link')
      return approver
    },

    async signIn(secret) {
      const known = await store.get(OPERATOR_REF)
      if (!known) return 'unset'
      const isRight = secret.length <= SECRET_LENGTH.most && (await matches(secret, known.verifier))
      if (isRight && (await recordSuccess('console', known.verifier))) return approverOf('console', clock.now())
      await noteGuess('secret')
      return 'wrong'
    },

    async makePass() {
      const known = await store.get(OPERATOR_REF)
      return known && passOf(randomBytes(12).toString('base64url'), known.verifier)
    },

    async isPass(pass) {
      const known = await store.get(OPERATOR_REF)
      const [nonce = ''] = pass.split('.', 1)
      return known !== undefined && isSameText(pass, passOf(nonce, known.verifier))
    },
  }
}

type Tried =
  | Exclude<Checked, Right | { readonly kind: 'wrong' }>
  | { readonly kind: 'try'; readonly account: OperatorRecord }

/** There is one on a machine; the audit trail calls them so. */
const OPERATOR = 'operator'

const NOTE_MS = 10_000

/** The local operator may do everything an operator may. */
function approverOf(channel: ApprovalChannel, authenticatedAt: number): Right['operator'] {
  return Object.freeze({ subject: OPERATOR, channel, role: 'admin', authenticatedAt })
}

function faultOf(secret: string, again: string): SecretFault | undefined {
  if ([...secret.normalize('NFC')].length < SECRET_LENGTH.least) return 'short'
  if (secret.length > SECRET_LENGTH.most) return 'long'
  return secret === again ? undefined : 'differs'
}
