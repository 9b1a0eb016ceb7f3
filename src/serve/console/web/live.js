// @ts-check
/** The stream of ids. A break of three seconds or silence of 25 counts as lost, whatever the browser believes. */
import { setServerNow } from './clock.js'

const SILENCE_MS = 25_000
const BREAK_MS = 3_000

/** @type {'live' | 'lost' | 'off'} */
let state = 'off'
let lastHeardAt = 0
/** When the stream broke; 0 while it holds. */
let brokenAt = 0
/** @type {EventSource | undefined} */
let source
/** @type {Set<(event: {kind: string, id: string, seq: number}) => void>} */
const listeners = new Set()
/** @type {Set<() => void>} */
const watchers = new Set()
/** @type {() => void} */
let whenEnded = () => {}

/** @param {() => void} onEnded */
export function start(onEnded) {
  whenEnded = onEnded
  connect()
}

export function stop() {
  source?.close()
  source = undefined
  set('off')
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
    whenEnded()
  })
  stream.addEventListener('error', () => {
    if (source === stream && brokenAt === 0) brokenAt = Date.now()
  })
}

function heard() {
  lastHeardAt = Date.now()
  brokenAt = 0
  const wasLost = state === 'lost'
  set('live')
  if (wasLost) tell({ kind: 'all', id: '', seq: 0 })
}

/** @param {{kind: string, id: string, seq: number}} event */
function tell(event) {
  for (const listener of listeners) listener(event)
}

/** @param {'live' | 'lost' | 'off'} next */
function set(next) {
  if (state === next) return
  state = next
  for (const watcher of watchers) watcher()
}

setInterval(() => {
  if (state === 'off' || source === undefined) return
  const now = Date.now()
  if (lastHeardAt > 0 && now - lastHeardAt > SILENCE_MS) set('lost')
  if (brokenAt > 0 && now - brokenAt > BREAK_MS) set('lost')
  if (state === 'lost' && source.readyState === EventSource.CLOSED) connect()
}, 1_000)
