import type { Clock } from '../ports/clock.ts'
import { type Store, updateRecord } from '../ports/store.ts'
import { clientRef, clientTokenRef, hashClientToken, isClientToken, isSameHash } from './client-record.ts'

/** Whose token a request brings. The store is asked each time, so that a revocation holds at the next request. */
export interface ClientDirectory {
  find(token: string): Promise<KnownClient | undefined>
  /** Is the token of that hash still good? */
  isGood(hash: string): Promise<boolean>
}

export interface KnownClient {
  readonly name: string
  readonly elicitation: boolean
  /** Of the token; tells two tokens of one name apart. */
  readonly hash: string
}

export function createClientDirectory(store: Store, clock: Clock, report: (cause: unknown) => void): ClientDirectory {
  const noted = new Map<string, number>()

  /** When a client was last seen is worth a commit now and then, and no request waits for it. */
  const note = ({ name, hash }: KnownClient): void => {
    const now = clock.now()
    if (now - (noted.get(name) ?? 0) < NOTE_MS) return
    noted.set(name, now)
    updateRecord(store, clientRef(name), (client) => ({
      next: client?.tokenHash === hash && client.revokedAt === undefined ? { ...client, lastUsedAt: now } : client,
      result: undefined,
    })).catch(report)
  }

  return {
    async find(token) {
      if (!isClientToken(token)) return undefined
      const hash = hashClientToken(token)
      const found = await store.get(clientTokenRef(hash))
      if (!found || !isSameHash(found.hash, hash)) return undefined
      const known = { name: found.name, elicitation: found.elicitation, hash }
      note(known)
      return known
    },

    isGood: async (hash) => (await store.get(clientTokenRef(hash))) !== undefined,
  }
}

const NOTE_MS = 60_000
