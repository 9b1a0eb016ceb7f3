import { createHmac } from 'node:crypto'
import { type ClientRequest, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Clock } from '../core/ports/clock.ts'
import { type Log, SILENT } from '../core/ports/log.ts'
import type { Secret } from '../core/ports/secret.ts'
import { type Address, isLoopbackName, type Resolve, resolveAddress } from './reachable.ts'

/** Rings, and says nothing that an agent wrote: no parameters, hints, names or codes. Not a channel of SELF-02. */
export interface Bell {
  ring(notice: Notice): Promise<'rung' | 'failed'>
}

export interface Notice {
  readonly kind: (typeof NOTICE_KINDS)[number]
  /** A danger level or a tier, in the protocol's own words. */
  readonly level: string
  /** To the console, which asks who is there; never a log-in link. */
  readonly link: string
  /** Whose connection it is, in the server's words and the operator's. */
  readonly from?: { readonly principal: string; readonly session?: string; readonly label?: string }
}

export const NOTICE_KINDS = ['approval', 'challenge', 'block', 'quota'] as const

export interface WebhookOptions {
  readonly url: string
  readonly secret: Secret
  readonly clock: Clock
  /** Hosts that may lie in a private network, by the operator's word. */
  readonly allowedHosts?: readonly string[]
  readonly log?: Log
  readonly resolve?: Resolve
  readonly timeoutMs?: number
  /** Pauses before the second, third … try. */
  readonly backOffMs?: readonly number[]
}

/** Why the address will not do; undefined when it will. */
export function webhookFault(url: string): string | undefined {
  if (!URL.canParse(url)) return 'must be an address such as https://example.org/bell'
  const { protocol, hostname, username, password } = new URL(url)
  if (username !== '' || password !== '') return 'must not hold a user name or a password'
  if (protocol === 'https:') return undefined
  return protocol === 'http:' && isLoopbackName(hostname) ? undefined : 'must be https, or http on this computer'
}

export function createWebhook(options: WebhookOptions): Bell {
  const { url, log = SILENT, backOffMs = [1_000, 4_000] } = options
  const fault = webhookFault(url)
  if (fault !== undefined) throw new Error(`The webhook ${fault}`)
  return {
    async ring(notice) {
      for (const pause of [...backOffMs, undefined]) {
        const answer = await tryOnce(notice, options)
        if (answer === 'rung') return answer
        log.write({ level: 'warning', message: `The webhook did not ring: ${answer.why}` })
        if (!answer.mayRetry || pause === undefined) return 'failed'
        await new Promise((resolve) => setTimeout(resolve, pause).unref())
      }
      return 'failed'
    },
  }
}

/** What the receiver computes again: `HMAC-SHA256(secret, timestamp + "." + body)`, in hex. */
export function signNotice(secret: Secret, timestamp: string, body: string): string {
  return secret.use((key) => createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex'))
}

const TIMEOUT_MS = 5_000

interface Unrung {
  readonly why: string
  readonly mayRetry: boolean
}

async function tryOnce(notice: Notice, options: WebhookOptions): Promise<'rung' | Unrung> {
  const url = new URL(options.url)
  const deadline = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS)
  const resolved = await Promise.race([resolveAddress(url.hostname, options), expired(deadline)])
  if (resolved.kind === 'refused') return { why: resolved.why, mayRetry: false }
  if (resolved.kind === 'failed') return { why: resolved.why, mayRetry: true }
  return post(url, resolved.address, notice, options, deadline)
}

function expired(signal: AbortSignal): Promise<{ readonly kind: 'failed'; readonly why: string }> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ kind: 'failed', why: TOO_SLOW }), { once: true })
  })
}

const TOO_SLOW = 'no answer in time'

/** Connects to the address that was checked, whatever the name means by now; redirects are answers like any other. */
function post(
  url: URL,
  { address, family }: Address,
  { kind, level, link, from }: Notice,
  { secret, clock }: WebhookOptions,
  signal: AbortSignal,
): Promise<'rung' | Unrung> {
  const at = clock.now()
  const body = JSON.stringify({ kind, level, link, ...(from && { from }), at: new Date(at).toISOString() })
  const timestamp = String(Math.floor(at / 1_000))
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve) => {
    const request: ClientRequest = send(url, {
      method: 'POST',
      agent: false,
      signal,
      lookup: (_, wanted, done) =>
        wanted.all === true ? done(null, [{ address, family }]) : done(null, address, family),
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'mcpaql',
        'mcpaql-timestamp': timestamp,
        'mcpaql-signature': `sha256=${signNotice(secret, timestamp, body)}`,
      },
    })
    request.on('response', (response) => {
      response.on('error', () => {}).destroy()
      resolve(outcomeOf(response.statusCode ?? 0))
    })
    request.on('error', () => resolve({ why: signal.aborted ? TOO_SLOW : 'it cannot be reached', mayRetry: true }))
    request.end(body)
  })
}

function outcomeOf(status: number): 'rung' | Unrung {
  if (status >= 200 && status < 300) return 'rung'
  return { why: `it answered ${status}`, mayRetry: status >= 500 || status === 429 }
}
