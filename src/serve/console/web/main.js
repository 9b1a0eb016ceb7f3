// @ts-check
/** Signing in, routes, the tick of the clocks. Routes carry ids only; whatever is not one leads to the inbox. */
import { get, MOVED, onSignedOut, post, Refusal, remove } from './api.js'
import { closeDialogs } from './dialog.js'
import { all, h, one, say, toast } from './dom.js'
import { buildFrame, paintCounts, paintStrip, setBlocks, setHealth, setMe, setScreen } from './frame.js'
import { setScreenKeys, startKeys } from './keys.js'
import * as live from './live.js'
import { button, note, paintTimer } from './parts.js'
import * as agents from './screens/agents.js'
import * as audit from './screens/audit.js'
import * as challenge from './screens/challenge.js'
import * as clients from './screens/clients.js'
import * as health from './screens/health.js'
import * as inbox from './screens/inbox.js'
import { loginPage } from './screens/login.js'
import * as policies from './screens/policies.js'
import * as quotas from './screens/quotas.js'
import * as request from './screens/request.js'
import * as sources from './screens/sources.js'
import { forgetSession, hasSession, keepSession, knownPass } from './session.js'
import { inTurn } from './turns.js'
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
 * @property {() => void} [arrive] Where the reader is put; otherwise at the heading.
 * @property {() => void} [onLeave]
 */

/** @type {Record<string, {nav: string, open: (id: string | undefined) => Promise<Screen>}>} */
const ROUTES = {
  inbox: { nav: 'inbox', open: inbox.open },
  r: { nav: 'inbox', open: request.open },
  c: { nav: 'inbox', open: challenge.open },
  agents: { nav: 'agents', open: agents.open },
  clients: { nav: 'clients', open: clients.open },
  audit: { nav: 'audit', open: audit.open },
  sources: { nav: 'sources', open: sources.open },
  policies: { nav: 'policies', open: policies.open },
  quotas: { nav: 'quotas', open: quotas.open },
  health: { nav: 'health', open: health.open },
}

/** @type {Screen | undefined} */
let current
let visit = 0
let isSignedIn = false
let isFurnished = false

async function begin() {
  onSignedOut((why) => isSignedIn && showLogin(why))
  addEventListener('hashchange', ({ oldURL }) => {
    const link = takeLink(new URL(oldURL).hash)
    if (link !== undefined) void follow(link)
    else if (isSignedIn) void show(true)
  })
  one('.skip').addEventListener('click', (/** @type {Event} */ event) => {
    event.preventDefault()
    one('#main')?.focus()
  })
  const link = takeLink('')
  if (link !== undefined) return follow(link)
  if (hasSession()) return resume()
  showLogin(location.hash === SIGNED_OUT ? 'out' : 'start')
}

const SIGNED_OUT = '#/signed-out'

/** The one-time link stands in the fragment, which no server sees; it leaves the address at once. @param {string} before */
function takeLink(before) {
  const [, link] = /^#login=([\w-]{20,200})$/.exec(location.hash) ?? []
  const place = /^#\/[\w/.:-]+$/.test(before) && before !== SIGNED_OUT ? before : '#/inbox'
  if (link !== undefined) history.replaceState(null, '', `/${place}`)
  return link
}

/** A page of somebody else can open a link here as well: it never takes the place of a session. @param {string} link */
async function follow(link) {
  if (hasSession() && (await resume(() => {}))) {
    toast('You are signed in already. The link was not used.')
    return
  }
  showLogin('exchange')
  try {
    await signedIn(await post('/api/session', { link, ...knownPass() }))
  } catch (refused) {
    showLogin(stateAfter(refused, 'expired'))
  }
}

/** With the bearer of this tab, after a reload or when the server answers again. @returns {Promise<boolean>} */
async function resume(refuse = showLogin) {
  if (isSignedIn) return true
  try {
    await startConsole(await get('/api/session'))
    return true
  } catch (refused) {
    const state = stateAfter(refused, 'ended')
    if (state !== 'unreachable') forgetSession()
    refuse(state)
    return false
  }
}

/** @param {unknown} refused @param {string} ifRefused */
function stateAfter(refused, ifRefused) {
  const status = refused instanceof Refusal ? refused.status : 0
  return status === 401 ? ifRefused : status === MOVED ? 'moved' : 'unreachable'
}

/** @param {any} opened */
async function signedIn({ bearer, pass, ...session }) {
  keepSession({ bearer, pass })
  await startConsole(session)
}

/** @param {string} state */
function showLogin(state) {
  isSignedIn = false
  if (state === 'ended' || state === 'moved') forgetSession()
  visit++
  leave()
  live.stop()
  closeDialogs()
  document.body.classList.remove('lost')
  document.title = 'Sign in · mcpaql'
  one('#app').replaceChildren(
    loginPage(state, { signedIn, again: () => (hasSession() ? void resume() : location.reload()) }),
  )
  one('h1').focus()
}

/** @param {any} session */
async function startConsole(session) {
  setMe(session)
  isSignedIn = true
  one('#app').replaceChildren(buildFrame(signOut))
  paintStrip()
  furnish()
  live.start(() => showLogin('ended'))
  await refreshAll('all')
  await show(false)
}

/** Ended there, and forgotten here even if the server does not answer. */
async function signOut() {
  await remove('/api/session').catch(() => {})
  forgetSession()
  history.replaceState(null, '', `/${SIGNED_OUT}`)
  showLogin('out')
}

/** What listens for as long as the page is there, whoever signs in. */
function furnish() {
  if (isFurnished) return
  isFurnished = true
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
  startKeys()
  addEventListener('pagehide', leave)
  addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload()
  })
  setInterval(tick, 500)
  setInterval(() => isSignedIn && void refreshAll('all'), 30_000)
}

/** What has changed since the counts were last fetched. @type {Set<string>} */
const stale = new Set()

/** @param {string} kind */
function refreshAll(kind) {
  stale.add(kind)
  return refresh()
}

const refresh = inTurn(async () => {
  const kinds = new Set(stale)
  const has = (/** @type {string[]} */ ...some) => ['all', ...some].some((kind) => kinds.has(kind))
  stale.clear()
  try {
    await refreshWaiting()
    if (has('agent')) {
      const { items } = await get('/api/blocks', { idle: true })
      setBlocks(items.filter((/** @type {any} */ block) => block.lifted_at === null).length)
    }
    if (has('source', 'policy')) setHealth(await get('/api/health', { idle: true }))
  } catch {
    // The strip says when nothing is heard any more.
  }
})

/** @param {boolean} isMove */
async function show(isMove) {
  if (!isSignedIn) return
  const [name = '', id] = location.hash.replace(/^#\/?/, '').split('/')
  const isKnown = Object.hasOwn(ROUTES, name) && (id === undefined || /^[\w.:-]{1,128}$/.test(id))
  const route = isKnown ? ROUTES[name] : ROUTES.inbox
  if (!route) return
  leave()
  closeDialogs()
  const mine = ++visit
  const late = setTimeout(() => mine === visit && one('#main')?.replaceChildren(loading()), LATE_MS)
  /** @type {Screen} */
  const screen = await route.open(isKnown ? id : undefined).catch(failed)
  clearTimeout(late)
  if (mine !== visit || !one('#main')) {
    screen.onLeave?.()
    return
  }
  current = screen
  setScreen(route.nav, screen.title)
  setScreenKeys(screen.keys ?? {})
  one('#main').replaceChildren(...[screen.body].flat(9).filter(Boolean))
  screen.onShown?.()
  if (!isMove) return
  if (screen.arrive) {
    screen.arrive()
    return
  }
  scrollTo(0, 0)
  one('#main h1')?.focus({ preventScroll: true })
}

const LATE_MS = 400

/** What stood there belongs to another screen; nothing on it may be pressed any more. */
function loading() {
  return h('p', { class: 'muted', role: 'status' }, 'Loading…')
}

/** @param {unknown} refused @returns {Screen} */
function failed(refused) {
  const message = refused instanceof Error ? refused.message : 'Something went wrong.'
  const back = h('a', { href: '#/inbox' }, 'Back to the inbox')
  if (refused instanceof Refusal && refused.status === 404)
    return {
      title: 'Not found',
      body: [h('h1', { tabindex: '-1' }, 'Not here'), note('warn', 'warn', message), h('p', null, back)],
    }
  const again = () => void show(true)
  return {
    title: 'Not loaded',
    body: [
      h('h1', { tabindex: '-1' }, 'Not loaded'),
      note('bad', 'off', message),
      h('div', { class: 'acts' }, button('Try again', { id: 'again', onclick: again }), back),
    ],
    onConnection: () => live.isLive() && again(),
  }
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

await begin()
