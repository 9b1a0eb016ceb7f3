import type { Store } from '../ports/store.ts'
import { CLIENT, type ClientRecord, clientIdOf, type TokenRecord } from './client-record.ts'
import type { Difference } from './compare-records.ts'
import type { ToldState } from './read-told.ts'
import type { Told } from './trail-cut.ts'

/** The clients and the tokens that open sessions, against what the trail says of them. */
export async function clientsAgainst(store: Store, { clients: told }: ToldState): Promise<readonly Difference[]> {
  const clients = new Map((await store.list<ClientRecord>(CLIENT)).map(({ id, value }) => [id, value]))
  const tokens = await store.list<TokenRecord>('client_token')
  const gone = [...told].flatMap(([name, known]) =>
    isRevokedBy(known) || clients.has(name)
      ? []
      : [{ seq: known.seq, what: `The trail has the client ${name}, but the store does not` }],
  )
  const differing = [...clients].flatMap(([name, client]): readonly Difference[] => {
    const known = told.get(name)
    if (known) return differenceOf(name, client, known)
    return [{ what: `The store has the client ${name}, but the trail does not say that it was added`, isUntold: true }]
  })
  const foreign = tokens.flatMap(({ id, value: { name, hash, elicitation } }) => {
    const client = clients.get(name)
    const isIts = client?.revokedAt === undefined && client?.tokenHash === hash && id === hash
    return isIts && client.elicitation === elicitation
      ? []
      : [{ what: `The store takes a token for ${name} that is not the one of this client` }]
  })
  return [...gone, ...differing, ...foreign]
}

function isRevokedBy({ entry }: Told): boolean {
  return entry.event === 'CLIENT_REVOKED'
}

function differenceOf(name: string, client: ClientRecord, known: Told): readonly Difference[] {
  const isRevoked = client.revokedAt !== undefined
  const { seq, entry } = known
  if (isRevoked !== isRevokedBy(known)) {
    const [trail, store] = isRevoked ? ['active', 'revoked'] : ['revoked', 'active']
    return [{ seq, what: `The client ${name} is ${trail} by the trail, but ${store} in the store` }]
  }
  if (isRevoked) return []
  if (client.elicitation !== (entry.elicitation === true))
    return [{ seq, what: `Whether the client ${name} answers forms is not as the trail says` }]
  // Older trails do not have the id, which sets its token apart from others.
  return entry.client_id !== undefined && entry.client_id !== clientIdOf(client.tokenHash)
    ? [{ seq, what: `The token of the client ${name} is not the one that was made when it was added` }]
    : []
}
