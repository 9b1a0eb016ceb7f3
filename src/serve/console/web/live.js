// @ts-check
/**
 * The stream of ids. A break of three seconds or silence of 25 counts as lost, whatever the browser believes. A browser
 * opens six connections to one place at most, and a stream keeps one: of the pages that nobody looks at, one has it.
 */
import { setServerNow } from './clock.js'

const SILENCE_MS = 25_000
const BREAK_MS = 3_000
const HIDDEN_MS = 1_000
const LOCK = 'mcpaql-console-stream'

/** @type {'live' | 'lost' | 'off'} */
let state = 'off'
let lastHeardAt = 0
/** When the stream broke; 0 while it holds. */
let brokenAt = 0
/** Nothing was heard since: whatever is on the page may be old. */
let wasAway = false
/** @type {EventSource | undefined} */
let source
/** @type {Set<(event: {kind: string, id: string, seq: number}) => void>} */
const listeners = new Set()
/** @type {Set<() => void>} */
const watchers = new Set()
/** @type {{ended: () => void, refused: () => void}} */
let told = { ended: () => {}, refused: () => {} }
let isWanted = false
let letGo = () => {}

/** `refused`: the server answers, and not with a stream. @param {{ended: () => void, refused: () => void}} listener */
export function start(listener) {
  told = listener
  isWanted = true
  connect()
}

export function stop() {
  isWanted = false
  letGo()
  rest()
}

function rest() {
  source?.close()
  source = undefined
  brokenAt = 0
  lastHeardAt = 0
  wasAway = true
  set('off')
}

document.addEventListener('visibilitychange', () => {
  letGo()
  if (!isWanted || !navigator.locks) return
  if (document.hidden) keepIfFirst()
  else if (source === undefined) connect()
})

/** Whoever holds the lock keeps the stream, or opens it again when the one before has gone. */
function keepIfFirst() {
  const asking = new AbortController()
  const late = setTimeout(rest, HIDDEN_MS)
  const held = new Promise((resolve) => {
    letGo = () => {
      clearTimeout(late)
      asking.abort()
      resolve(undefined)
    }
  })
  const keep = () => {
    clearTimeout(late)
    if (source === undefined) connect()
    return held
  }
  navigator.locks.request(LOCK, { signal: asking.signal }, keep).catch(() => {})
}

export function retry() {
  connect()
}

export function isLive() {
  return state === 'live'
}

export function connection() {
  return { state, lastHeardAt }
}

/** @param {(event: {kind: string, id: string, seq: number}) => void} listener */
export function onHappening(listener) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** @param {() => void} watcher */
export function onConnection(watcher) {
  watchers.add(watcher)
}

function connect() {
  source?.close()
  const stream = new EventSource('/api/events')
  source = stream
  stream.addEventListener('beat', (event) => {
    heard()
    setServerNow(JSON.parse(event.data).now)
  })
  stream.addEventListener('message', (event) => {
    heard()
    tell(JSON.parse(event.data))
  })
  stream.addEventListener('reload', () => tell({ kind: 'all', id: '', seq: 0 }))
  stream.addEventListener('ended', () => {
    stop()
    told.ended()
  })
  stream.addEventListener('error', () => {
    if (source !== stream) return
    if (brokenAt === 0) brokenAt = Date.now()
    if (stream.readyState === EventSource.CLOSED) told.refused()
  })
}

function heard() {
  lastHeardAt = Date.now()
  brokenAt = 0
  const isBack = wasAway
  wasAway = false
  set('live')
  if (isBack) tell({ kind: 'all', id: '', seq: 0 })
}

/** @param {{kind: string, id: string, seq: number}} event */
function tell(event) {
  for (const listener of listeners) listener(event)
}

/** @param {'live' | 'lost' | 'off'} next */
function set(next) {
  if (state === next) return
  state = next
  if (next === 'lost') wasAway = true
  for (const watcher of watchers) watcher()
}

setInterval(() => {
  if (source === undefined) return
  const now = Date.now()
  if (lastHeardAt > 0 && now - lastHeardAt > SILENCE_MS) set('lost')
  if (brokenAt > 0 && now - brokenAt > BREAK_MS) set('lost')
  if (state === 'lost' && source.readyState === EventSource.CLOSED) connect()
}, 1_000)
