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
  /** The session it was found to belong to, or its connection: what tells callers of a shared principal apart. */
  readonly of: unknown
  readonly kind: ExchangeKind
}

/**
 * `short`: reads, or is answered at once; `stream`: waits for events; `wait`: may wait for a human; `work`: anything else.
 * All but work can be sent again when it was broken off.
 */
export type ExchangeKind = 'short' | 'stream' | 'wait' | 'work'

export interface UnderWayOptions {
  readonly clients: ClientDirectory | undefined
  /** The client was revoked: its sessions and what they started end. */
  readonly onRevoked: (identity: Identity) => Promise<void>
  readonly onError: (error: unknown) => void
  readonly pollMs?: number
  readonly most?: MostAtOnce
  readonly now?: () => number
}

interface MostAtOnce {
  readonly ofCaller: number
  /** Of one session, and of all that is not short, where many callers share a principal. */
  readonly ofSession: number
  readonly notShort: number
}

/** Exchanges and streams at a time. */
const MOST_AT_ONCE: MostAtOnce = { ofCaller: 512, ofSession: 128, notShort: 256 }

/** A short exchange that lasts longer gives way where all places are taken. */
const SHORT_MS = 1_000

interface Taken extends Exchange {
  readonly res: ServerResponse
  readonly since: number
}

interface Caller {
  readonly watched: Set<ServerResponse>
  /** In the order in which they began. */
  readonly taken: Map<ServerResponse, Taken>
}

/**
 * A request of a revoked client is refused by whoever identifies it. What is open already makes no request, so here the
 * store is asked, once a second while there is a named client, whether its token is still good.
 */
export function trackUnderWay(options: UnderWayOptions): UnderWay {
  const { clients, onRevoked, onError, pollMs = 1_000, most = MOST_AT_ONCE, now = () => performance.now() } = options
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
    const known = callers.get(key)
    if (known) return known
    const fresh = { watched: new Set<ServerResponse>(), taken: new Map<ServerResponse, Taken>() }
    callers.set(key, fresh)
    return fresh
  }

  /** Below it no limit can be met. */
  const roomForAny = Math.min(most.ofCaller, most.ofSession, most.notShort)
  const placeFor = (fresh: Taken, all: readonly Taken[], principal: string): Place =>
    isShared(principal) ? sharedPlace(all, fresh, most) : ownPlace(all, most)

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
      const fresh = { ...exchange, res, since: now() }
      const givesWay = taken.size < roomForAny ? undefined : placeFor(fresh, [...taken.values()], principal)
      if (givesWay === 'none') return false
      if (givesWay) {
        taken.delete(givesWay.res)
        givesWay.res.destroy()
      }
      taken.set(res, fresh)
      return true
    },
    close: () => clearInterval(timer),
  }
}

/** What has to be broken off for one more; undefined where there is room, `none` where nothing can be. */
type Place = Taken | undefined | 'none'

/** A named client gives up what it has itself. */
function ownPlace(all: readonly Taken[], { ofCaller }: MostAtOnce): Place {
  if (all.length < ofCaller) return undefined
  return newestOfLargest(all, (each) => isUnread(each) || each.kind === 'wait' || each.kind === 'stream') ?? 'none'
}

/**
 * Unnamed callers share one budget and cannot be told apart by who they are. So what is not short gets half of it: reads
 * and handshakes find a place however much the others run or wait for. Whoever comes new takes the place of what can be
 * broken off without harm, of the session or connection that holds most of it the newest, so that a call which has waited
 * alone outlasts a crowd that came after it. Work takes places of what waits down to half of them, and is never broken
 * off itself.
 */
function sharedPlace(all: readonly Taken[], fresh: Taken, { ofCaller, ofSession, notShort }: MostAtOnce): Place {
  const own = all.filter(({ of }) => of === fresh.of).length
  if (own >= ofSession) return 'none'
  const unread = newestOfLargest(all, isUnread)
  if (fresh.kind === 'short') {
    if (all.length < ofCaller) return undefined
    const isSlow = ({ kind, since }: Taken) => kind === 'short' && fresh.since - since >= SHORT_MS
    return unread ?? newestOfLargest(all, isSlow) ?? 'none'
  }
  const others = all.filter((each) => each.kind !== 'short' && !isUnread(each))
  if (others.length < notShort) return all.length < ofCaller ? undefined : (unread ?? 'none')
  const counts = countsOf(others)
  const holdsMore = ({ of }: Taken) => (counts.get(of) ?? 0) > (counts.get(fresh.of) ?? 0) + 1
  const areMost = others.filter(({ kind }) => kind !== 'work').length > notShort / 2
  const isAhead = (kind: ExchangeKind) => (fresh.kind === 'work' ? areMost : kind === 'stream' && fresh.kind === 'wait')
  const mayTake = (kind: ExchangeKind) => (each: Taken) => each.kind === kind && (isAhead(kind) || holdsMore(each))
  return newestOfLargest(others, mayTake('stream')) ?? newestOfLargest(others, mayTake('wait')) ?? 'none'
}

/** The answer is made, and nobody reads it. */
function isUnread({ res }: Taken): boolean {
  return res.writableEnded
}

function newestOfLargest(all: readonly Taken[], isOne: (each: Taken) => boolean): Taken | undefined {
  const found = all.filter(isOne)
  const counts = countsOf(found)
  const largest = Math.max(0, ...counts.values())
  return found.findLast(({ of }) => counts.get(of) === largest)
}

function countsOf(all: readonly Taken[]): ReadonlyMap<unknown, number> {
  const counts = new Map<unknown, number>()
  for (const { of } of all) counts.set(of, (counts.get(of) ?? 0) + 1)
  return counts
}
