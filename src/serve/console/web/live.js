// @ts-check
/**
 * The stream of ids, read by `fetch`, which can carry the bearer of this tab. A break of three seconds or silence of 25
 * counts as lost, whatever the browser believes. A browser opens six connections to one place at most, and a stream
 * keeps one: of the pages that nobody looks at, one has it.
 */
import { MOVED, openStream, Refusal } from './api.js'
import { setServerNow } from './clock.js'

const SILENCE_MS = 25_000
const BREAK_MS = 3_000
const HIDDEN_MS = 1_000
/** Between two tries: twice as long each time. */
const AGAIN_MS = { first: 500, longest: 10_000 }
const LOCK = 'mcpaql-console-stream'

/** @type {'live' | 'lost' | 'off'} */
let state = 'off'
let lastHeardAt = 0
/** When the stream broke; 0 while it holds. */
let brokenAt = 0
/** Nothing was heard since: whatever is on the page may be old. */
let wasAway = false
/** The place in the trail up to which everything was heard. */
let lastId = ''
let tries = 0
/** @type {AbortController | undefined} */
let stream
/** @type {ReturnType<typeof setTimeout> | undefined} */
let again
/** @type {Set<(event: {kind: string, id: string, seq: number}) => void>} */
const listeners = new Set()
/** @type {Set<() => void>} */
const watchers = new Set()
let whenEnded = () => {}
let isWanted = false
let letGo = () => {}

/** @param {() => void} ended the session has ended, and this says so first */
export function start(ended) {
  whenEnded = ended
  isWanted = true
  lastId = ''
  connect()
}

export function stop() {
  isWanted = false
  letGo()
  rest()
}

function rest() {
  clearTimeout(again)
  stream?.abort()
  stream = undefined
  brokenAt = 0
  lastHeardAt = 0
  wasAway = true
  set('off')
}

document.addEventListener('visibilitychange', () => {
  letGo()
  if (!isWanted || !navigator.locks) return
  if (document.hidden) keepIfFirst()
  else if (stream === undefined) connect()
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
    if (stream === undefined) connect()
    return held
  }
  navigator.locks.request(LOCK, { signal: asking.signal }, keep).catch(() => {})
}

export function retry() {
  tries = 0
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
  clearTimeout(again)
  stream?.abort()
  const mine = new AbortController()
  stream = mine
  follow(mine.signal)
    .catch((broken) => broken)
    .then((broken) => {
      if (stream !== mine) return
      if (brokenAt === 0) brokenAt = Date.now()
      // The page that asks to sign in is there already.
      if (broken instanceof Refusal && [401, MOVED].includes(broken.status)) return
      const pause = Math.min(AGAIN_MS.first * 2 ** tries++, AGAIN_MS.longest)
      again = setTimeout(connect, pause)
    })
}

/** Ends when the stream does. @param {AbortSignal} signal */
async function follow(signal) {
  const reader = await openStream(lastId === '' ? {} : { 'last-event-id': lastId }, signal)
  let rest = ''
  for (;;) {
    const { done, value = '' } = await reader.read()
    if (done || signal.aborted) return
    const blocks = (rest + value).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) take(fieldsOf(block))
  }
}

/** One event of the stream: a name, an id and JSON, one field on each line. @param {string} block */
function fieldsOf(block) {
  return Object.fromEntries(block.split('\n').map((line) => [line.split(':', 1)[0], line.slice(line.indexOf(':') + 2)]))
}

/** @param {Record<string, string>} fields */
function take({ event = 'message', id, data }) {
  if (data === undefined) return
  if (event === 'ended') {
    stop()
    whenEnded()
    return
  }
  heard()
  if (id !== undefined) lastId = id
  if (event === 'beat') setServerNow(JSON.parse(data).now)
  else if (event === 'reload') tell({ kind: 'all', id: '', seq: 0 })
  else tell(JSON.parse(data))
}

function heard() {
  lastHeardAt = Date.now()
  brokenAt = 0
  tries = 0
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
  if (stream === undefined) return
  const now = Date.now()
  const isSilent = lastHeardAt > 0 && now - lastHeardAt > SILENCE_MS
  if (isSilent || (brokenAt > 0 && now - brokenAt > BREAK_MS)) {
    const wasLive = state === 'live'
    set('lost')
    // A stream that is silent and open is as good as none.
    if (isSilent && wasLive) connect()
  }
}, 1_000)
