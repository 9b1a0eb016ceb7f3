import type { ServerResponse } from 'node:http'
import type { ClientDirectory } from '../core/operator/client-directory.ts'
import { isShared } from '../core/session.ts'
import type { Identity } from './identity.ts'

/** What is under way for callers, by who they are: bounded for each, and ended when the operator revokes a client. */
export interface UnderWay {
  /** From here on the exchange ends when its client is revoked. */
  watch(identity: Identity, res: ServerResponse): void
  /** The request has arrived whole. False when its caller has too much under way already. */
  take(identity: Identity, res: ServerResponse, exchange: Exchange): boolean
  close(): void
}

export interface Exchange {
  /** The session it names, or its connection: what tells callers of a shared principal apart. */
  readonly of: unknown
  /** It may wait for an event or a human, and can be sent again when it was broken off. */
  readonly isPatient: boolean
}

export interface UnderWayOptions {
  readonly clients: ClientDirectory | undefined
  /** The client was revoked: its sessions and what they started end. */
  readonly onRevoked: (identity: Identity) => Promise<void>
  readonly onError: (error: unknown) => void
  readonly pollMs?: number
  readonly most?: { readonly ofCaller: number; readonly ofSession: number }
}

/** Exchanges and streams at a time, of one caller, and of one session where many callers share a principal. */
const MOST_AT_ONCE = { ofCaller: 512, ofSession: 128 }

interface Caller {
  readonly watched: Set<ServerResponse>
  /** In the order in which they began. */
  readonly taken: Map<ServerResponse, Exchange>
}

/**
 * A request of a revoked client is refused by whoever identifies it. What is open already makes no request, so here the
 * store is asked, once a second while there is a named client, whether its token is still good.
 */
export function trackUnderWay(options: UnderWayOptions): UnderWay {
  const { clients, onRevoked, onError, pollMs = 1_000, most = MOST_AT_ONCE } = options
  const callers = new Map<string, Caller>()
  const named = new Map<string, Identity>()
  let isLooking = false

  const look = async (): Promise<void> => {
    if (isLooking || !clients) return
    isLooking = true
    try {
      for (const identity of named.values()) if (!(await clients.isGood(identity.key))) await end(identity)
    } catch (error) {
      onError(error) // a store that cannot be read refuses every request of theirs; the next look tries again
    } finally {
      isLooking = false
    }
  }

  const end = async (identity: Identity): Promise<void> => {
    named.delete(identity.key)
    for (const res of callers.get(identity.key)?.watched ?? []) res.destroy()
    await onRevoked(identity)
  }

  const timer = clients && setInterval(() => void look(), pollMs)
  timer?.unref()

  const callerOf = (key: string): Caller => {
    const known = callers.get(key) ?? { watched: new Set(), taken: new Map() }
    callers.set(key, known)
    return known
  }

  return {
    watch(identity, res) {
      const { key, isNamed } = identity
      const caller = callerOf(key)
      if (isNamed && !named.has(key)) named.set(key, identity)
      caller.watched.add(res)
      res.once('close', () => {
        caller.watched.delete(res)
        caller.taken.delete(res)
        if (caller.watched.size === 0 && callers.get(key) === caller) callers.delete(key)
      })
    },
    take({ key, principal }, res, exchange) {
      if (res.destroyed) return false
      const { taken } = callerOf(key)
      if (isShared(principal) && countOf(taken, exchange.of) >= most.ofSession) return false
      if (taken.size >= most.ofCaller && !giveUpOne(taken)) return false
      taken.set(res, exchange)
      return true
    },
    close: () => clearInterval(timer),
  }
}

function countOf(taken: Caller['taken'], of: unknown): number {
  let count = 0
  for (const each of taken.values()) if (each.of === of) count++
  return count
}

/**
 * Unnamed callers share one budget, and one of them can fill it by waiting. So whoever comes new takes the place of what
 * can be broken off without harm: of the session with most of that, the oldest. Work is never broken off.
 */
function giveUpOne(taken: Caller['taken']): boolean {
  const waiting = [...taken].filter(([res, { isPatient }]) => isPatient || res.writableEnded)
  const counts = new Map<unknown, number>()
  for (const [, { of }] of waiting) counts.set(of, (counts.get(of) ?? 0) + 1)
  const largest = Math.max(0, ...counts.values())
  const [res] = waiting.find(([, { of }]) => counts.get(of) === largest) ?? []
  if (!res) return false
  taken.delete(res)
  res.destroy()
  return true
}
