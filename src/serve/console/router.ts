import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OperatorRole } from '../../core/ports/human.ts'
import type { Body } from '../body.ts'
import type { Connections } from '../connections.ts'
import { AGENTS } from './api/agents.ts'
import { AUDIT } from './api/audit.ts'
import { CHALLENGES } from './api/challenges.ts'
import { CLIENTS } from './api/clients.ts'
import { HEALTH } from './api/health.ts'
import { POLICIES } from './api/policies.ts'
import { QUOTAS } from './api/quotas.ts'
import { REAUTH } from './api/reauth.ts'
import { REQUESTS } from './api/requests.ts'
import { SESSION } from './api/session.ts'
import { SOURCES } from './api/sources.ts'
import type { EventStreams } from './events.ts'
import { isSafe } from './guard.ts'
import { type Answer, badBody, type Call, type ConsoleDesk, type Route, refusal } from './route.ts'
import type { SignIn } from './sign-ins.ts'

export const ROUTES: readonly Route[] = [
  ...SESSION,
  ...REAUTH,
  ...REQUESTS,
  ...CHALLENGES,
  ...AGENTS,
  ...CLIENTS,
  ...AUDIT,
  ...SOURCES,
  ...POLICIES,
  ...QUOTAS,
  ...HEALTH,
]

export type Router = (
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
  query: URLSearchParams,
) => Promise<Answer | undefined>

export interface RouterParts {
  readonly desk: ConsoleDesk
  readonly streams: EventStreams
  readonly connections: Connections
  readonly readBody: (req: IncomingMessage) => Promise<Body>
}

/** Route, sign-in, role, body, answer: in this order, and the first that fails ends it. */
export function createRouter({ desk, streams, connections, readBody }: RouterParts): Router {
  return async (req, res, path, query) => {
    const { method = '', headers } = req
    const isEvents = path === '/api/events'
    const matches = ROUTES.flatMap((route) => {
      const names = namesIn(route.path, path)
      return names ? [{ route, names }] : []
    })
    if (matches.length === 0 && !isEvents) return refusal(404, 'not_found', 'There is no such thing here.')
    const match = matches.find(({ route }) => route.method === method)
    if (!match && !(isEvents && method === 'GET')) return refusal(405, 'method', 'That cannot be done here.')

    const isIdle = isEvents || headers['x-mcpaql-idle'] === '1'
    const { host = '', origin } = headers
    const whence = { host, ...(origin !== undefined && { origin }) }
    const signIn = desk.signIns.find(headers.authorization, whence, !isIdle)
    if (signIn) connections.keep(req.socket, 'operator')
    const needs = match?.route.needs ?? 'viewer'
    if (needs !== 'none') {
      if (!signIn) return refusal(401, 'signed_out', 'Sign in again.')
      if (RANKS[signIn.role] < RANKS[needs])
        return refusal(403, 'role', `This needs the role ${needs}.`, { needs: 'role' })
    }
    if (!match) return openStream(res, signIn as SignIn, headers['last-event-id'])

    const body = isSafe(method) ? EMPTY : await bodyOf(req)
    if (!body) return undefined
    if (isAnswer(body)) return body
    const call = { names: match.names, query, body: body.fields, origin: origin ?? '', signIn: signIn as SignIn }
    const done = connections.answering(req.socket)
    return match.route.answer(call, desk).finally(done)
  }

  async function openStream(res: ServerResponse, signIn: SignIn, lastId: unknown): Promise<Answer | undefined> {
    const seq = typeof lastId === 'string' && /^\d{1,15}$/.test(lastId) ? Number(lastId) : undefined
    const isOpen = await streams.open(res, signIn, seq)
    return isOpen ? undefined : refusal(503, 'busy', 'Too many pages are open.')
  }

  /** Undefined: the client went away. */
  async function bodyOf(req: IncomingMessage): Promise<typeof EMPTY | Answer | undefined> {
    const type = headerOf(req.headers['content-type'])?.split(';')[0]?.trim()
    const body = await readBody(req)
    if (body.kind === 'gone') return undefined
    if (body.kind === 'no room') return refusal(503, 'busy', 'Too many large requests arrive at once. Try again.')
    if (body.kind !== 'whole') return refusal(413, 'too_large', 'The request is too large.')
    if (body.bytes.length === 0) return EMPTY
    // A form of another page can send no other type than its own three.
    if (type !== 'application/json') return refusal(415, 'type', 'The body must be JSON.')
    return parsed(body.bytes.toString('utf8'))
  }
}

const EMPTY: { readonly fields: Call['body'] } = { fields: {} }

const RANKS: Readonly<Record<OperatorRole, number>> = { viewer: 0, approver: 1, admin: 2 }

/** Ids and names of ours: nothing else can stand in an address. */
const NAME = /^[\w.:-]{1,128}$/

function namesIn(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  if (wanted.length !== given.length) return undefined
  const names: Record<string, string> = {}
  for (const [at, segment] of wanted.entries()) {
    const actual = given[at] ?? ''
    if (segment.startsWith(':') && NAME.test(actual)) names[segment.slice(1)] = actual
    else if (segment !== actual) return undefined
  }
  return names
}

function parsed(text: string): typeof EMPTY | Answer {
  try {
    const fields: unknown = JSON.parse(text)
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields))
      return { fields: fields as Call['body'] }
  } catch {
    // Answered below.
  }
  return badBody('The body must be a JSON object.')
}

function isAnswer(value: object): value is Answer {
  return Object.hasOwn(value, 'status')
}

function headerOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0]
}
