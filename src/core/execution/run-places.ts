import { fail } from '../../protocol/errors.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import type { Session } from '../session.ts'

/** Long-running work of one adapter that may be under way in one process; a session leaves room for the others. */
const MOST_RUNNING = { ofSession: 200, ofPrincipal: 1_000 } as const

export interface RunPlaces {
  /** Undefined where there is room for one more. */
  refuse(session: Session): OperationFailure | undefined
  /** Returns what gives the place back, once. */
  take(session: Session): () => void
  /** Is work of this owner under way? */
  has(owner: string): boolean
}

export function createRunPlaces(now: () => number): RunPlaces {
  const sessions = new Map<string, number>()
  const principals = new Map<string, number>()
  const count = ({ owner, principal }: Session, by: 1 | -1): void => {
    add(sessions, owner, by)
    add(principals, principal, by)
  }
  return {
    refuse({ owner, principal }) {
      const { ofSession, ofPrincipal } = MOST_RUNNING
      if ((sessions.get(owner) ?? 0) >= ofSession) return tooMany(ofSession, now())
      return (principals.get(principal) ?? 0) >= ofPrincipal ? tooMany(ofPrincipal, now()) : undefined
    },
    take(session) {
      let isTaken = true
      count(session, 1)
      return () => {
        if (isTaken) count(session, -1)
        isTaken = false
      }
    },
    has: (owner) => sessions.has(owner),
  }
}

function add(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const next = (counts.get(key) ?? 0) + by
  if (next > 0) counts.set(key, next)
  else counts.delete(key)
}

function tooMany(limit: number, now: number): OperationFailure {
  return fail('RATE_LIMIT_EXCEEDED', {
    limit,
    remaining: 0,
    window: 'minute',
    resets_at: new Date(now + 30_000).toISOString(),
    retry_after_seconds: 30,
    hint: 'The work was not started: so many long-running operations are under way. Wait until some have ended, or cancel some.',
  })
}
