// @ts-check
/** What waits, as last fetched: for the inbox, for the counts beside the navigation, and for the next request. */
import { get } from './api.js'
import { say } from './dom.js'
import { notify } from './notices.js'
import { LEVELS } from './parts.js'
import { plain } from './text.js'

/** @type {any} */
let latest = { items: [], waiting: [], challenges: [], approved: [], recent: [], held: [], attention: [] }
/** @type {Set<() => void>} */
const watchers = new Set()
let isFirst = true
/** How many requests are shown; of the others the ids are known. */
let limit = 100

export function waiting() {
  return latest
}

export function waitingCount() {
  return latest.waiting.length + latest.challenges.length
}

/** Those that are not shown have more time than those that are. @param {any} inbox */
export function unshownCount({ waiting: all, items }) {
  return Math.max(0, all.length - items.length)
}

export function showMore() {
  limit = Math.min(limit + 100, 500)
  return refreshWaiting({ idle: false })
}

/** Of all that waits, shown or not. @param {any} inbox @returns {string[]} */
export function idsOf({ waiting: all, challenges }) {
  return [...all, ...challenges.map((/** @type {any} */ { id }) => id)]
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
  const before = new Set(idsOf(latest))
  latest = await get(`/api/requests?limit=${limit}`, how)
  const fresh = idsOf(latest).filter((id) => !before.has(id))
  if (!isFirst) announce(fresh)
  isFirst = false
  for (const watcher of watchers) watcher()
}

/** @param {string[]} fresh */
function announce([first, ...others]) {
  if (first === undefined) return
  notify()
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  say(`New request${wordsOf(first)}${more}. ${waitingCount()} waiting.`)
}

/** Of one that is not shown only the id is known. @param {string} id */
function wordsOf(id) {
  const item = [...latest.items, ...latest.challenges].find((each) => each.id === id)
  if (!item) return ''
  const what = item.operation ? `${plain(item.operation)}, ${LEVELS[item.level]}` : 'a verification code is needed'
  return ` from ${plain(item.agent.name)}: ${what}`
}
