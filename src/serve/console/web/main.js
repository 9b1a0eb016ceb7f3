// @ts-check
/** Signing in, routes, the tick of the clocks. Routes carry ids only; whatever is not one leads to the inbox. */
import { get, onSignedOut, post, Refusal, setCsrf } from './api.js'
import { closeDialogs } from './dialog.js'
import { all, h, one, say } from './dom.js'
import { buildFrame, paintCounts, paintStrip, setBlocks, setHealth, setMe, setScreen } from './frame.js'
import { setScreenKeys, startKeys } from './keys.js'
import * as live from './live.js'
import { note, paintTimer } from './parts.js'
import * as agents from './screens/agents.js'
import * as audit from './screens/audit.js'
import * as challenge from './screens/challenge.js'
import * as health from './screens/health.js'
import * as inbox from './screens/inbox.js'
import { loginPage } from './screens/login.js'
import * as policies from './screens/policies.js'
import * as quotas from './screens/quotas.js'
import * as request from './screens/request.js'
import * as sources from './screens/sources.js'
import { onWaiting, refreshWaiting } from './waiting.js'

/**
 * @typedef {object} Screen
 * @property {string} title
 * @property {import('./dom.js').Kid} body
 * @property {Record<string, () => void>} [keys]
 * @property {(event: {kind: string, id: string}) => void} [onHappening]
 * @property {() => void} [onWaiting]
 * @property {() => void} [onTick]
 * @property {() => void} [onConnection]
 * @property {() => void} [onShown]
 * @property {() => void} [onLeave]
 */

/** @type {Record<string, {nav: string, open: (id: string | undefined) => Promise<Screen>}>} */
const ROUTES = {
  inbox: { nav: 'inbox', open: inbox.open },
  r: { nav: 'inbox', open: request.open },
  c: { nav: 'inbox', open: challenge.open },
  agents: { nav: 'agents', open: agents.open },
  audit: { nav: 'audit', open: audit.open },
  sources: { nav: 'sources', open: sources.open },
  policies: { nav: 'policies', open: policies.open },
  quotas: { nav: 'quotas', open: quotas.open },
  health: { nav: 'health', open: health.open },
}

/** @type {Screen | undefined} */
let current
let visit = 0

await begin()

async function begin() {
  onSignedOut(() => showLogin('ended'))
  one('.skip').addEventListener('click', (/** @type {Event} */ event) => {
    event.preventDefault()
    one('#main')?.focus()
  })
  const link = takeLink()
  if (link !== undefined) return signIn(link)
  try {
    await startConsole(await get('/api/session'))
  } catch (refused) {
    showLogin(refused instanceof Refusal && refused.status === 401 ? 'start' : 'unreachable')
  }
}

/** The one-time link stands in the fragment, which no server sees; it leaves the address at once. */
function takeLink() {
  const [, link] = /^#login=([\w-]{20,200})$/.exec(location.hash) ?? []
  if (link !== undefined) history.replaceState(null, '', '/#/inbox')
  return link
}

/** @param {string} link */
async function signIn(link) {
  one('#app').replaceChildren(loginPage('exchange'))
  try {
    await startConsole(await post('/api/session', { link }))
  } catch (refused) {
    if (refused instanceof Refusal && refused.status === 429) showLogin('locked', refused.body.retry_at)
    else showLogin(refused instanceof Refusal && refused.status === 401 ? 'expired' : 'unreachable')
  }
}

/** @param {string} state @param {number} [retryAt] */
function showLogin(state, retryAt) {
  leave()
  live.stop()
  closeDialogs()
  document.title = 'Sign in · mcpaql'
  one('#app').replaceChildren(loginPage(state, retryAt))
  one('h1').focus()
}

/** @param {any} session */
async function startConsole(session) {
  setCsrf(session.csrf)
  setMe(session)
  one('#app').replaceChildren(buildFrame())
  paintStrip()
  onWaiting(() => {
    paintCounts()
    current?.onWaiting?.()
  })
  live.onConnection(() => {
    paintStrip()
    const isLost = live.connection().state === 'lost'
    say(isLost ? 'Connection lost. Decisions are off.' : '', true)
    document.body.classList.toggle('lost', isLost)
    current?.onConnection?.()
  })
  live.onHappening((event) => {
    if (event.kind !== 'trail') void refreshAll(event.kind)
    current?.onHappening?.(event)
  })
  live.start(() => showLogin('ended'))
  startKeys()
  addEventListener('hashchange', () => void show(true))
  addEventListener('pagehide', leave)
  addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload()
  })
  setInterval(tick, 500)
  setInterval(() => void refreshAll('all'), 30_000)
  await refreshAll('all')
  await show(false)
}

/** @param {string} kind */
async function refreshAll(kind) {
  try {
    await refreshWaiting()
    if (kind === 'agent' || kind === 'all') {
      const { items } = await get('/api/blocks', { idle: true })
      setBlocks(items.filter((/** @type {any} */ block) => block.lifted_at === null).length)
    }
    if (kind === 'source' || kind === 'policy' || kind === 'all') setHealth(await get('/api/health', { idle: true }))
  } catch {
    // The strip says when nothing is heard any more.
  }
}

/** @param {boolean} isMove */
async function show(isMove) {
  const [name = '', id] = location.hash.replace(/^#\/?/, '').split('/')
  const isKnown = Object.hasOwn(ROUTES, name) && (id === undefined || /^[\w.:-]{1,128}$/.test(id))
  const route = isKnown ? ROUTES[name] : ROUTES.inbox
  if (!route) return
  leave()
  const mine = ++visit
  const screen = await route.open(isKnown ? id : undefined).catch(failed)
  if (mine !== visit || !one('#main')) return
  current = screen
  setScreen(route.nav, screen.title)
  setScreenKeys(screen.keys ?? {})
  one('#main').replaceChildren(...[screen.body].flat(9).filter(Boolean))
  screen.onShown?.()
  if (!isMove) return
  scrollTo(0, 0)
  one('#main h1')?.focus({ preventScroll: true })
}

/** @param {unknown} refused @returns {Screen} */
function failed(refused) {
  const message = refused instanceof Error ? refused.message : 'Something went wrong.'
  const back = h('p', null, h('a', { href: '#/inbox' }, 'Back to the inbox'))
  return { title: 'Not found', body: [h('h1', { tabindex: '-1' }, 'Not here'), note('warn', 'warn', message), back] }
}

function leave() {
  current?.onLeave?.()
  current = undefined
  setScreenKeys({})
}

function tick() {
  for (const element of all('[data-expires]')) {
    const left = paintTimer(element)
    if (left <= 0 && element.dataset.over === undefined) {
      element.dataset.over = ''
      void refreshAll('request')
    }
  }
  current?.onTick?.()
}
