import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../core/ports/clock.ts'
import type { SignedIn } from './account.ts'

/** One browser that is signed in. */
export interface SignIn extends SignedIn {
  /** Names it in the audit trail and in memory; it opens nothing. */
  readonly id: string
  readonly csrf: string
  readonly since: number
  readonly expiresAt: number
  readonly idleAt: number
}

/** Security note, section 5. */
export const SIGN_IN = { absoluteMs: 8 * 3_600_000, idleMs: 30 * 60_000, most: 50 } as const

export interface SignIns {
  /** The value of the cookie, which is kept here only as a hash. */
  open(who: SignedIn): { readonly cookie: string; readonly signIn: SignIn } | undefined
  /** `touch` false: the page asks by itself, nobody is there. */
  find(cookie: string | undefined, touch: boolean): SignIn | undefined
  isOpen(id: string): boolean
  end(id: string): void
  endAll(subject: string): void
}

/** In memory: a console that starts again asks everybody to sign in again. */
export function createSignIns(clock: Clock): SignIns {
  const open = new Map<string, SignIn>()

  const isLive = ({ expiresAt, idleAt }: SignIn) => clock.now() < Math.min(expiresAt, idleAt)

  const sweep = () => {
    for (const [key, signIn] of open) if (!isLive(signIn)) open.delete(key)
  }

  return {
    open(who) {
      sweep()
      if (open.size >= SIGN_IN.most) return undefined
      const cookie = randomBytes(32).toString('base64url')
      const now = clock.now()
      const signIn = {
        ...who,
        id: randomBytes(9).toString('base64url'),
        csrf: randomBytes(24).toString('base64url'),
        since: now,
        expiresAt: now + SIGN_IN.absoluteMs,
        idleAt: now + SIGN_IN.idleMs,
      }
      open.set(hashed(cookie), signIn)
      return { cookie, signIn }
    },

    find(cookie, touch) {
      if (cookie === undefined) return undefined
      const key = hashed(cookie)
      const signIn = open.get(key)
      if (!signIn || !isLive(signIn)) {
        open.delete(key)
        return undefined
      }
      if (!touch) return signIn
      const touched = { ...signIn, idleAt: clock.now() + SIGN_IN.idleMs }
      open.set(key, touched)
      return touched
    },

    isOpen: (id) => [...open.values()].some((signIn) => signIn.id === id && isLive(signIn)),

    end(id) {
      for (const [key, signIn] of open) if (signIn.id === id) open.delete(key)
    },

    endAll(subject) {
      for (const [key, signIn] of open) if (signIn.subject === subject) open.delete(key)
    },
  }
}

/** Anti-forgery: compared over digests, so that neither length nor place of a difference shows. */
export function isSameSecret(given: string | undefined, expected: string): boolean {
  return given !== undefined && timingSafeEqual(digest(given), digest(expected))
}

function hashed(cookie: string): string {
  return digest(cookie).toString('hex')
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
