// @ts-check
/** Calls to our own server. The anti-forgery value lives in this variable and nowhere else. */
import { setServerNow } from './clock.js'

let csrf = ''
/** @type {() => void} */
let whenSignedOut = () => {}

/** @param {string} value */
export function setCsrf(value) {
  csrf = value
}

/** @param {() => void} listener */
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

/**
 * @param {string} method @param {string} path @param {object} [body] @param {Record<string, string>} [headers]
 * @returns {Promise<any>}
 */
async function call(method, path, body, headers = {}) {
  /** @type {Record<string, string>} */
  const change = body === undefined ? {} : { 'content-type': 'application/json', 'x-mcpaql-csrf': csrf }
  /** @type {Response} */
  let response
  try {
    response = await fetch(path, {
      method,
      headers: { ...headers, ...change },
      credentials: 'same-origin',
      redirect: 'error',
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  } catch {
    throw new Refusal(0, body === undefined ? undefined : { error: { code: 'unreachable', message: MAYBE } })
  }
  const answer = await response.json().catch(() => undefined)
  if (typeof answer?.now === 'number') setServerNow(answer.now)
  if (response.ok) return answer
  if (response.status === 401 && answer?.error?.code === 'signed_out') whenSignedOut()
  throw new Refusal(response.status, answer)
}
