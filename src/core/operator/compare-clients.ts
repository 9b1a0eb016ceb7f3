import type { Store } from '../ports/store.ts'
import { CLIENT, type ClientRecord, clientIdOf, type TokenRecord } from './client-record.ts'
import type { Contradiction } from './compare-records.ts'

/** What the trail says last of a client. */
export interface ToldClient {
  readonly seq: number
  readonly isRevoked: boolean
  readonly elicitation: boolean
  /** Sets its token apart from others; older trails do not have it. */
  readonly id?: string
}

/** The clients and the tokens that open sessions, against what the trail says of them. */
export async function clientsAgainst(
  store: Store,
  told: ReadonlyMap<string, ToldClient>,
  excusedUntil: string,
): Promise<readonly Contradiction[]> {
  const clients = new Map((await store.list<ClientRecord>(CLIENT)).map(({ id, value }) => [id, value]))
  const tokens = await store.list<TokenRecord>('client_token')
  const gone = [...told].flatMap(([name, { seq, isRevoked }]) =>
    isRevoked || clients.has(name) ? [] : [{ seq, what: `The trail has the client ${name}, but the store does not` }],
  )
  const differing = [...clients].flatMap(([name, client]) => {
    const known = told.get(name)
    if (known) return differenceOf(name, client, known)
    return new Date(client.createdAt).toISOString() < excusedUntil
      ? []
      : [{ what: `The store has the client ${name}, but the trail does not say that it was added` }]
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

function differenceOf(name: string, client: ClientRecord, known: ToldClient): readonly Contradiction[] {
  const isRevoked = client.revokedAt !== undefined
  const { seq } = known
  if (isRevoked !== known.isRevoked) {
    const [trail, store] = known.isRevoked ? ['revoked', 'active'] : ['active', 'revoked']
    return [{ seq, what: `The client ${name} is ${trail} by the trail, but ${store} in the store` }]
  }
  if (isRevoked) return []
  if (client.elicitation !== known.elicitation)
    return [{ seq, what: `Whether the client ${name} answers forms is not as the trail says` }]
  return known.id !== undefined && known.id !== clientIdOf(client.tokenHash)
    ? [{ seq, what: `The token of the client ${name} is not the one that was made when it was added` }]
    : []
}
