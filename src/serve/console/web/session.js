// @ts-check
/**
 * The bearer of this tab. It stands in `sessionStorage`, which belongs to this origin with its port and to this tab
 * (and to a copy of it), and it goes to our own server in a header: never into an address, an element or a message.
 */
const KEY = 'mcpaql-console-session'
/** Marks a browser that has signed in before, so that others who guess do not slow it down. It opens nothing. */
const PASS = 'mcpaql-console-pass'

/** For a browser that keeps nothing: until the page is left. */
let bearer = read(() => sessionStorage.getItem(KEY)) ?? ''

export function hasSession() {
  return bearer !== ''
}

/** @returns {Record<string, string>} */
export function sessionHeader() {
  return bearer === '' ? {} : { authorization: `Bearer ${bearer}` }
}

/** @param {{bearer: string, pass: string | null}} opened */
export function keepSession(opened) {
  bearer = opened.bearer
  read(() => sessionStorage.setItem(KEY, bearer))
  if (opened.pass !== null) read(() => localStorage.setItem(PASS, opened.pass ?? ''))
}

export function forgetSession() {
  bearer = ''
  read(() => sessionStorage.removeItem(KEY))
}

export function knownPass() {
  const pass = read(() => localStorage.getItem(PASS)) ?? ''
  return /^[\w.-]{20,120}$/.test(pass) ? { pass } : {}
}

/** @template T @param {() => T} storage @returns {T | undefined} */
function read(storage) {
  try {
    return storage()
  } catch {
    return undefined // A browser that keeps nothing: this page works until it is left.
  }
}
