import type { IncomingMessage } from 'node:http'
import type { ClientDirectory } from '../core/operator/client-directory.ts'
import { clientIdOf } from '../core/operator/client-record.ts'

/** Who is asking over HTTP: a client that the operator has named, or one of those whom nobody has. */
export interface Identity {
  readonly principal: string
  /** What sessions and streams are held under: a client's token, so that those of a revoked one are not its heirs'. */
  readonly key: string
  /** The id of the client record, which sessions carry; absent for unnamed callers. */
  readonly client?: string
  readonly mayElicit: boolean
  readonly isNamed: boolean
}

/** Whoever can connect and brings no token. They share one principal, so that reconnecting evades no block. */
export const ANONYMOUS: Identity = Object.freeze({
  principal: 'anonymous',
  key: 'anonymous',
  mayElicit: false,
  isNamed: false,
})

export interface Unidentified {
  /** What is wrong and what to do, for the client's user. */
  readonly refused: string
  /** RFC 6750. */
  readonly challenge: string
}

export type Identify = (req: IncomingMessage) => Identity | Unidentified | Promise<Identity | Unidentified>

/** A token that is wrong in whatever way is refused: never does it make its bearer an anonymous caller. */
export function createIdentify(clients: ClientDirectory | undefined, requireClient: boolean): Identify {
  return (req) => {
    if (req.headers.authorization === undefined) return requireClient ? MISSING : ANONYMOUS
    const token = tokenIn(req)
    return token === undefined || !clients ? (token === undefined ? MALFORMED : UNKNOWN) : known(clients, token)
  }
}

async function known(clients: ClientDirectory, token: string): Promise<Identity | Unidentified> {
  const client = await clients.find(token)
  if (!client) return UNKNOWN
  const { name, hash, elicitation } = client
  return { principal: name, key: hash, client: clientIdOf(hash), mayElicit: elicitation, isNamed: true }
}

/** Undefined unless there is one header with one bearer token; Node itself would keep the first of several. */
function tokenIn({ headersDistinct }: IncomingMessage): string | undefined {
  const [given = '', ...others] = headersDistinct.authorization ?? []
  return others.length > 0 ? undefined : /^bearer ([\x21-\x7e]{1,512})$/i.exec(given)?.[1]
}

const WHERE = 'The operator makes a token with: mcpaql client add NAME'

const MISSING: Unidentified = {
  refused: `This server answers named clients alone. Send Authorization: Bearer TOKEN. ${WHERE}`,
  challenge: 'Bearer realm="mcpaql"',
}

const MALFORMED: Unidentified = {
  refused: 'The Authorization header must be sent once, as: Bearer TOKEN',
  challenge: 'Bearer realm="mcpaql", error="invalid_request"',
}

const UNKNOWN: Unidentified = {
  refused: `The bearer token is not known here, or was revoked. ${WHERE}`,
  challenge: 'Bearer realm="mcpaql", error="invalid_token"',
}

export function isUnidentified(identified: Identity | Unidentified): identified is Unidentified {
  return Object.hasOwn(identified, 'refused')
}
