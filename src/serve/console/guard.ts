import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

export interface GuardedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** As they came, names and values in turn. */
  readonly rawHeaders: readonly string[]
}

export interface GuardRefusal {
  readonly status: 400 | 403 | 421
  readonly code: string
  readonly message: string
}

/** `app`: the console itself. `signpost`: the page that says how to get to it. */
export type Passed = 'app' | 'signpost'

/**
 * Rebinding, cross-site requests and framing end here, before any route is looked up. `Host` must be the name of this
 * start; whatever changes something must say that it comes from our own page, and what does not say so is refused.
 */
export function createGuard(host: string): (request: GuardedRequest) => Passed | GuardRefusal {
  return (request) =>
    CHECKS.find(({ refuses }) => refuses(request, host))?.refusal ?? leadsTo(request, host) ?? WRONG_HOST
}

/**
 * The name of one start, which the browser itself takes to the loopback addresses. Nobody could know it before, so no
 * worker, cached page or stored value of another program is waiting for it in the operator's browser.
 */
export function newHostName(): string {
  return `${randomBytes(12).toString('hex')}.localhost`
}

export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

interface Check {
  readonly refusal: GuardRefusal
  readonly refuses: (request: GuardedRequest, own: string) => boolean
}

const WRONG_HOST: GuardRefusal = {
  status: 421,
  code: 'wrong_host',
  message: 'This console is not served under that name. Run mcpaql console and follow the link that it prints.',
}

const CHECKS: readonly Check[] = [
  {
    refusal: { status: 400, code: 'two_headers', message: 'A header that may stand once stands twice.' },
    refuses: ({ rawHeaders }) => SINGLE.some((name) => countOf(name, rawHeaders) > 1),
  },
  { refusal: WRONG_HOST, refuses: (request, own) => leadsTo(request, own) === undefined },
  {
    refusal: { status: 403, code: 'foreign_origin', message: 'This request comes from another page.' },
    refuses: ({ headers: { origin, host } }) => origin !== undefined && !isOwnOrigin(origin, host),
  },
  {
    refusal: { status: 403, code: 'no_origin', message: 'A request that changes something must name its origin.' },
    refuses: ({ method, headers: { origin } }) => !isSafe(method) && origin === undefined,
  },
  {
    refusal: { status: 403, code: 'cross_site', message: 'This request comes from another site.' },
    refuses: (request) => isCrossSite(request),
  },
]

function leadsTo({ method, path, headers }: GuardedRequest, own: string): Passed | undefined {
  const host = headers.host?.toLowerCase() ?? ''
  if (host === own) return 'app'
  const [name = '', port] = split(host)
  const isPlain = PLAIN.test(name) && port === split(own)[1]
  return isPlain && method === 'GET' && path === '/' ? 'signpost' : undefined
}

/** Names of this computer by which an operator may come: typed, kept as a bookmark, or of an earlier start. */
const PLAIN = /^(?:127\.0\.0\.1|\[::1\]|(?:[a-z0-9-]+\.)?localhost)$/

/** The name and the port. */
function split(host: string): readonly [string, string] {
  const at = host.lastIndexOf(':')
  return [host.slice(0, at), host.slice(at + 1)]
}

/** Whoever reads the first and whoever reads the last would not agree on what was asked (RFC 9112). */
const SINGLE = ['host', 'origin', 'authorization', 'content-type']

function countOf(name: string, rawHeaders: readonly string[]): number {
  return rawHeaders.filter((each, at) => at % 2 === 0 && each.toLowerCase() === name).length
}

function isOwnOrigin(origin: string, host: string | undefined): boolean {
  const own = host?.toLowerCase()
  return origin === `http://${own}` || origin === `https://${own}`
}

/** A link to the page may be followed from anywhere; what the page is made of, and what it asks, is for itself alone. */
function isCrossSite({ path, headers }: GuardedRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin') return false
  if (path !== '/') return site !== 'none' || path.startsWith('/api/')
  return headers['sec-fetch-dest'] !== 'document'
}
