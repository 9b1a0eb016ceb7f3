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

/**
 * Rebinding, cross-site requests and framing end here, before any route is looked up. `Host` must be one of our own
 * names; whatever changes something must say that it comes from our own page, and what does not say so is refused.
 */
export function createGuard(hosts: readonly string[]): (request: GuardedRequest) => GuardRefusal | undefined {
  const known: ReadonlySet<string> = new Set(hosts.map((host) => host.toLowerCase()))
  return (request) => CHECKS.find(({ refuses }) => refuses(request, known))?.refusal
}

/** The names of this computer, and those that the operator has added, with the port. */
export function hostNames(port: number, added: readonly string[] = []): readonly string[] {
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`)
  return [...own, ...added.flatMap((name) => (/:\d+$/.test(name) ? [name] : [name, `${name}:${port}`]))]
}

export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

interface Check {
  readonly refusal: GuardRefusal
  readonly refuses: (request: GuardedRequest, hosts: ReadonlySet<string>) => boolean
}

const CHECKS: readonly Check[] = [
  {
    refusal: { status: 400, code: 'two_headers', message: 'A header that may stand once stands twice.' },
    refuses: ({ rawHeaders }) => SINGLE.some((name) => countOf(name, rawHeaders) > 1),
  },
  {
    refusal: { status: 421, code: 'wrong_host', message: 'This console is not served under that name.' },
    refuses: ({ headers: { host } }, hosts) => host === undefined || !hosts.has(host.toLowerCase()),
  },
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
