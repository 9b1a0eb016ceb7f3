import type { AuditEntry } from '../audit/entry.ts'
import { revokeWhere } from '../gatekeeper/end-session.ts'
import type { ApprovalRequest } from '../gatekeeper/request.ts'
import type { Clock } from '../ports/clock.ts'
import type { Changed, Store } from '../ports/store.ts'
import { clientOf } from '../session.ts'
import {
  CLIENT,
  type ClientRecord,
  clientIdOf,
  clientRef,
  clientTokenRef,
  faultOfName,
  hashClientToken,
  makeClientToken,
} from './client-record.ts'

/** Named clients, and the one way to make and to revoke them: an act of the operator, who has typed the secret. */
export interface Clients {
  /** In the order of their names; revoked ones too, for what was done under their name is still in the trail. */
  list(): Promise<readonly ClientView[]>
  add(order: ClientOrder): Promise<ClientAdded>
  revoke(order: RevokeOrder): Promise<'revoked' | 'unknown'>
}

export interface ClientView extends Omit<ClientRecord, 'tokenHash'> {
  readonly isActive: boolean
}

export interface ClientOrder {
  readonly name: string
  readonly elicitation: boolean
  readonly by: string
  readonly channel: string
}

export interface RevokeOrder {
  readonly name: string
  readonly by: string
  readonly channel: string
}

export type ClientAdded =
  /** The token is shown once: nobody can read it again. */
  | { readonly kind: 'added'; readonly token: string }
  | { readonly kind: 'exists' }
  | { readonly kind: 'refused'; readonly why: string }

export function createClients(store: Store, clock: Clock): Clients {
  return {
    async list() {
      return (await store.list<ClientRecord>(CLIENT)).map(({ value: { tokenHash: _, ...client } }) => ({
        ...client,
        isActive: client.revokedAt === undefined,
      }))
    },

    async add({ name, elicitation, by, channel }) {
      const fault = faultOfName(name)
      if (fault !== undefined) return { kind: 'refused', why: fault }
      const token = makeClientToken()
      const tokenHash = hashClientToken(token)
      const refs = { client: clientRef(name), token: clientTokenRef(tokenHash) }
      return store.update(refs, ({ client }): Changed<typeof refs, ClientAdded> => {
        if (client && client.revokedAt === undefined) return { result: { kind: 'exists' } }
        const now = clock.now()
        return {
          next: {
            client: { name, tokenHash, elicitation, createdAt: now, createdBy: by },
            token: { name, hash: tokenHash, elicitation },
          },
          audit: [
            entryOf(
              'CLIENT_ADDED',
              name,
              { operator: by, channel, elicitation, client_id: clientIdOf(tokenHash) },
              now,
            ),
          ],
          result: { kind: 'added', token },
        }
      })
    },

    async revoke({ name, by, channel }) {
      const client = await takeAway(store, clock, { name, by, channel })
      if (client === undefined) return 'unknown'
      const isTheirs = ({ principal, session }: ApprovalRequest) =>
        principal === name && (clientOf(session) ?? client) === client // a client that has the name by now keeps its own
      await revokeWhere(store, clock, isTheirs, 'the client was revoked', { by, channel })
      return 'revoked'
    },
  }
}

/** The id of the client that was revoked; undefined where there was none. */
async function takeAway(store: Store, clock: Clock, { name, by, channel }: RevokeOrder): Promise<string | undefined> {
  for (;;) {
    const known = await store.get(clientRef(name))
    if (!known || known.revokedAt !== undefined) return undefined
    const refs = { client: clientRef(name), token: clientTokenRef(known.tokenHash) }
    const done = await store.update(refs, ({ client }): Changed<typeof refs, 'revoked' | 'again'> => {
      if (client?.tokenHash !== known.tokenHash || client.revokedAt !== undefined) return { result: 'again' }
      const now = clock.now()
      return {
        next: { client: { ...client, revokedAt: now, revokedBy: by }, token: undefined },
        audit: [entryOf('CLIENT_REVOKED', name, { operator: by, channel }, now)],
        result: 'revoked',
      }
    })
    if (done === 'revoked') return clientIdOf(known.tokenHash)
  }
}

function entryOf(event: AuditEntry['event'], name: string, more: Partial<AuditEntry>, now: number): AuditEntry {
  return { timestamp: new Date(now).toISOString(), event, client_name: name, ...more }
}
