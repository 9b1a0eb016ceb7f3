// @ts-check
/** What waits, as last fetched: for the inbox, for the counts beside the navigation, and for the next request. */
import { get } from './api.js'
import { say } from './dom.js'
import { notify } from './notices.js'
import { LEVELS } from './parts.js'
import { plain } from './text.js'

/** @type {any} */
let latest = { items: [], challenges: [], approved: [], recent: [], held: [], attention: [] }
/** @type {Set<() => void>} */
const watchers = new Set()
let isFirst = true

export function waiting() {
  return latest
}

export function waitingCount() {
  return latest.items.length + latest.challenges.length
}

/** Requests in the order of the inbox. @returns {any[]} */
export function openItems() {
  return [...latest.items].sort((a, b) => a.expires_at - b.expires_at)
}

/** @param {() => void} watcher */
export function onWaiting(watcher) {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** @param {{idle?: boolean}} [how] */
export async function refreshWaiting(how = { idle: true }) {
  const before = new Set(all().map(({ id }) => id))
  latest = await get('/api/requests?state=open', how)
  const fresh = all().filter(({ id }) => !before.has(id))
  if (!isFirst) announce(fresh)
  isFirst = false
  for (const watcher of watchers) watcher()
}

/** @returns {any[]} */
function all() {
  return [...latest.items, ...latest.challenges]
}

/** @param {any[]} fresh */
function announce(fresh) {
  const [first] = fresh
  if (!first) return
  notify()
  const what = first.operation ? `${plain(first.operation)}, ${LEVELS[first.level]}` : 'a verification code is needed'
  const more = fresh.length > 1 ? ` and ${fresh.length - 1} more` : ''
  say(`New request from ${plain(first.agent.name)}: ${what}${more}. ${waitingCount()} waiting.`)
}
