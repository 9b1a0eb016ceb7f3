import type { ServerResponse } from 'node:http'
import type { ClientDirectory } from '../core/operator/client-directory.ts'
import type { Identity } from './identity.ts'

/** What is under way for callers, by who they are: bounded for each, and ended when the operator revokes a client. */
export interface UnderWay {
  /** False when the caller has too much under way already. */
  take(identity: Identity, res: ServerResponse): boolean
  close(): void
}

export interface UnderWayOptions {
  readonly clients: ClientDirectory | undefined
  /** The client was revoked: its sessions and what they started end. */
  readonly onRevoked: (identity: Identity) => Promise<void>
  readonly onError: (error: unknown) => void
  readonly pollMs?: number
}

/** Exchanges and streams of one caller at a time: no caller takes all the connections there are. */
const MOST_AT_ONCE = 512

/**
 * A request of a revoked client is refused by whoever identifies it. What is open already makes no request, so here the
 * store is asked, once a second while there is a named client, whether its token is still good.
 */
export function trackUnderWay({ clients, onRevoked, onError, pollMs = 1_000 }: UnderWayOptions): UnderWay {
  const open = new Map<string, Set<ServerResponse>>()
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
    for (const res of open.get(identity.key) ?? []) res.destroy()
    await onRevoked(identity)
  }

  const timer = clients && setInterval(() => void look(), pollMs)
  timer?.unref()

  return {
    take(identity, res) {
      const { key, isNamed } = identity
      let responses = open.get(key)
      if (!responses) {
        responses = new Set()
        open.set(key, responses)
      }
      if (responses.size >= MOST_AT_ONCE) return false
      if (isNamed && !named.has(key)) named.set(key, identity)
      responses.add(res)
      res.once('close', () => {
        responses.delete(res)
        if (responses.size === 0 && open.get(key) === responses) open.delete(key)
      })
      return true
    },
    close: () => clearInterval(timer),
  }
}
