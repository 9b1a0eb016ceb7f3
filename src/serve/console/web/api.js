// @ts-check
/** Calls to our own server, each with the bearer of this tab. */
import { setServerNow } from './clock.js'
import { sessionHeader } from './session.js'

/** @type {(why: 'ended' | 'moved') => void} */
let whenSignedOut = () => {}

/** @param {(why: 'ended' | 'moved') => void} listener */
export function onSignedOut(listener) {
  whenSignedOut = listener
}

/** What the server refused, and why in words for the operator. */
export class Refusal extends Error {
  /** @param {number} status @param {any} body */
  constructor(status, body) {
    super(body?.error?.message ?? 'The console does not answer.')
    this.status = status
    this.code = body?.error?.code ?? 'unreachable'
    this.body = body ?? {}
  }
}

/** Started again, the console has another name, and answers to this one no more. */
export const MOVED = 421

/** Longer than any answer takes: a server that hangs is one that does not answer. */
const PATIENCE_MS = 30_000

const MAYBE = 'The console does not answer, so it is not known whether this counted. Look again before you repeat it.'

/** `idle`: the page asks by itself, so it does not keep the session alive. @param {string} path @param {{idle?: boolean}} [how] */
export function get(path, { idle = false } = {}) {
  return call('GET', path, undefined, idle ? { 'x-mcpaql-idle': '1' } : {})
}

/** @param {string} path @param {object} [body] */
export function post(path, body = {}) {
  return call('POST', path, body)
}

/** @param {string} path @param {object} [body] */
export function remove(path, body = {}) {
  return call('DELETE', path, body)
}

/** A file of ours, which a link could not fetch: a link carries no header. @param {string} path @param {string} name */
export async function download(path, name) {
  const response = await send('GET', path, {}).catch(() => undefined)
  if (!response?.ok) throw await refusalOf(response)
  const blob = await response.blob().catch(() => undefined)
  if (blob === undefined) throw new Refusal(0, undefined)
  const url = URL.createObjectURL(blob)
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), PATIENCE_MS)
}

/** The stream of events, open until `signal` ends it. @param {Record<string, string>} headers @param {AbortSignal} signal */
export async function openStream(headers, signal) {
  const response = await send('GET', '/api/events', { headers, signal })
  if (!response.ok || response.body === null) throw await refusalOf(response)
  return response.body.pipeThrough(new TextDecoderStream()).getReader()
}

/**
 * @param {string} method @param {string} path @param {object} [body] @param {Record<string, string>} [headers]
 * @returns {Promise<any>}
 */
async function call(method, path, body, headers = {}) {
  /** @type {Response} */
  let response
  try {
    response = await send(method, path, {
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  } catch {
    throw new Refusal(0, body === undefined ? undefined : { error: { code: 'unreachable', message: MAYBE } })
  }
  if (!response.ok) throw await refusalOf(response)
  return answerOf(response)
}

/** @param {string} method @param {string} path @param {RequestInit} init */
function send(method, path, init) {
  return fetch(path, {
    ...init,
    method,
    headers: { ...init.headers, ...sessionHeader() },
    credentials: 'omit',
    redirect: 'error',
    cache: 'no-store',
  })
}

/** @param {Response} response @returns {Promise<any>} */
async function answerOf(response) {
  const answer = await response.json().catch(() => undefined)
  if (typeof answer?.now === 'number') setServerNow(answer.now)
  return answer
}

/** @param {Response | undefined} response */
async function refusalOf(response) {
  if (response === undefined) return new Refusal(0, undefined)
  const answer = await answerOf(response)
  if (response.status === 401 && answer?.error?.code === 'signed_out') whenSignedOut('ended')
  if (response.status === MOVED) whenSignedOut('moved')
  return new Refusal(response.status, answer)
}
