import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../../core/ports/clock.ts'
import type { SignedIn } from './account.ts'

/** One tab that is signed in. */
export interface SignIn extends SignedIn {
  /** Names it in the audit trail and in memory; it opens nothing. */
  readonly id: string
  /** Scheme, name and port of the page that signed in: the bearer counts nowhere else. */
  readonly origin: string
  readonly since: number
  readonly expiresAt: number
  readonly idleAt: number
}

/** From where a request says that it comes. */
export interface Whence {
  readonly host: string
  /** A page names it with whatever changes something, and may leave it out when it reads. */
  readonly origin?: string
}

/** Security note, section 5. */
export const SIGN_IN = { absoluteMs: 8 * 3_600_000, idleMs: 30 * 60_000, most: 50 } as const

export interface SignIns {
  /** The bearer is for the page alone; kept here is its hash. */
  open(who: SignedIn, origin: string): { readonly bearer: string; readonly signIn: SignIn }
  /** `touch` false: the page asks by itself, nobody is there. */
  find(authorization: string | undefined, whence: Whence, touch: boolean): SignIn | undefined
  isOpen(id: string): boolean
  end(id: string): void
  endAll(subject: string): void
}

/** In memory: a console that starts again asks everybody to sign in again, and what a page still sends is worth nothing. */
export function createSignIns(clock: Clock): SignIns {
  const open = new Map<string, SignIn>()

  const isLive = ({ expiresAt, idleAt }: SignIn) => clock.now() < Math.min(expiresAt, idleAt)

  /** Signing in always works: a tab that was left longest makes room. */
  const makeRoom = () => {
    for (const [key, signIn] of open) if (!isLive(signIn)) open.delete(key)
    const oldest = [...open].sort(([, a], [, b]) => a.idleAt - b.idleAt)
    for (const [key] of oldest.slice(0, Math.max(0, open.size - SIGN_IN.most + 1))) open.delete(key)
  }

  return {
    open(who, origin) {
      makeRoom()
      const bearer = randomBytes(32).toString('base64url')
      const now = clock.now()
      const signIn = {
        ...who,
        id: randomBytes(9).toString('base64url'),
        origin,
        since: now,
        expiresAt: now + SIGN_IN.absoluteMs,
        idleAt: now + SIGN_IN.idleMs,
      }
      open.set(hashed(bearer), signIn)
      return { bearer, signIn }
    },

    find(authorization, whence, touch) {
      const bearer = bearerIn(authorization)
      if (bearer === undefined) return undefined
      const key = hashed(bearer)
      const signIn = open.get(key)
      if (!signIn || !isFrom(signIn.origin, whence)) return undefined
      if (!isLive(signIn)) {
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

/** No browser adds this header by itself, to whatever place; a cookie would go to every port of this computer. */
function bearerIn(authorization: string | undefined): string | undefined {
  return /^Bearer ([\w-]{43})$/.exec(authorization ?? '')?.[1]
}

function isFrom(signedInAt: string, { host, origin }: Whence): boolean {
  return signedInAt.endsWith(`://${host.toLowerCase()}`) && (origin === undefined || origin === signedInAt)
}

/** Looked up by its digest, so that the time it takes says nothing about the bearer. */
function hashed(bearer: string): string {
  return createHash('sha256').update(bearer).digest('hex')
}
