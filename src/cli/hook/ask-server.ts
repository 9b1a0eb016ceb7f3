import { createHash, createPublicKey, type KeyObject, randomBytes, verify } from 'node:crypto'
import { request } from 'node:http'
import { isReport } from '../../core/hook/hook-events.ts'
import type { ToolCall } from '../../core/hook/tool-call.ts'

/** Where the safety server is, and how its word is told from anybody else's. */
export interface ServerAddress {
  readonly url: string
  /** The 32 bytes of its Ed25519 public key, base64url. */
  readonly key: string
}

export type Word = { readonly kind: 'allow' } | { readonly kind: 'deny'; readonly reason: string }

/** What the signature covers begins so; the same text stands in the server's `hook-key.ts`. */
const SIGNED_AS = 'mcpaql hook answer 1\n'
const MOST_ANSWER = 262_144

/** Section 6: allowed only by a signed answer to exactly this question that says so; everything else is a no. */
export async function askServer(call: ToolCall, { url, key }: ServerAddress, deadline: AbortSignal): Promise<Word> {
  const deny = isReport(call.event) ? notHeard : notAllowed
  const publicKey = readKey(key)
  if (!publicKey) return deny('its public key in the hook settings is not one')
  if (!isLocal(url)) return deny('its address in the hook settings is not on this computer')
  const nonce = randomBytes(24).toString('base64url')
  const body = JSON.stringify({ nonce, ...call })
  const answer = await post(url, body, deadline)
  if (answer.kind === 'failed') return deny(answer.why)
  const { status, bytes, signature } = answer
  if (status !== 200) return deny(`it answered ${status}`)
  if (!isSigned(bytes, signature, publicKey)) return deny('its answer is not signed with the key of the hook settings')
  return wordOf(bytes, nonce, createHash('sha256').update(body).digest('base64url'), deny)
}

function notAllowed(why: string): Word {
  return { kind: 'deny', reason: `The mcpaql safety server did not allow this call: ${why}` }
}

function notHeard(why: string): Word {
  return { kind: 'deny', reason: `The mcpaql safety server was not told of this call, which has run: ${why}` }
}

/** Signed, so it is the server's; now it must be the answer to this question. */
function wordOf(bytes: Buffer, nonce: string, request: string, deny: (why: string) => Word): Word {
  const answer = parsed(bytes)
  if (answer.version !== 1) return deny('it speaks another version of the hook protocol')
  if (answer.nonce !== nonce || answer.request !== request) return deny('it answered another question')
  if (answer.continue === true) return { kind: 'allow' }
  const { reason } = answer
  return { kind: 'deny', reason: typeof reason === 'string' && reason !== '' ? reason : 'The safety server refused it' }
}

function parsed(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function isSigned(bytes: Buffer, signature: string, key: KeyObject): boolean {
  const [, encoded = ''] = /^ed25519=([\w-]{86})$/.exec(signature) ?? []
  const text = Buffer.concat([Buffer.from(SIGNED_AS), bytes])
  return encoded !== '' && verify(null, text, key, Buffer.from(encoded, 'base64url'))
}

function readKey(key: string): KeyObject | undefined {
  try {
    return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: key } })
  } catch {
    return undefined
  }
}

function isLocal(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)
}

type Posted =
  | { readonly kind: 'answered'; readonly status: number; readonly bytes: Buffer; readonly signature: string }
  | { readonly kind: 'failed'; readonly why: string }

function post(url: string, body: string, signal: AbortSignal): Promise<Posted> {
  return new Promise((resolve) => {
    const fail = (why: string) => resolve({ kind: 'failed', why: signal.aborted ? 'it did not answer in time' : why })
    if (signal.aborted) return fail('')
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const sent = request(url, { method: 'POST', headers, signal, agent: false })
    sent.on('error', () => fail(`it cannot be reached at ${url}; start it with mcpaql safety`))
    sent.on('response', (response) => {
      const pieces: Buffer[] = []
      let size = 0
      response.on('data', (piece: Buffer) => {
        size += piece.length
        pieces.push(piece)
        if (size > MOST_ANSWER) response.destroy(new Error('too long'))
      })
      response.on('error', () => fail('its answer broke off'))
      response.on('aborted', () => fail('its answer broke off'))
      response.on('end', () => {
        const signature = String(response.headers['mcpaql-signature'] ?? '')
        resolve({ kind: 'answered', status: response.statusCode ?? 0, bytes: Buffer.concat(pieces), signature })
      })
    })
    sent.end(body)
  })
}
