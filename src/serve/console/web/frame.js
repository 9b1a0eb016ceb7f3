// @ts-check
/** Status strip, navigation, and the place where screens appear. Built once; its parts are refreshed in place. */
import { clock, zoneName, zoneOffset } from './clock.js'
import { all, h, icon, one, sr } from './dom.js'
import { showKeys } from './keys.js'
import { connection, retry } from './live.js'
import { button } from './parts.js'
import { prefs } from './prefs.js'
import { waiting, waitingCount } from './waiting.js'

export const SCREENS = [
  { name: 'inbox', label: 'Inbox', key: 'i' },
  { name: 'agents', label: 'Agents and blocks', key: 'a' },
  { name: 'clients', label: 'Clients', key: 'c' },
  { name: 'audit', label: 'Audit trail', key: 'u' },
  { name: 'sources', label: 'Sources', key: 's' },
  { name: 'policies', label: 'Policies', key: 'p' },
  { name: 'quotas', label: 'Quotas', key: 'q' },
  { name: 'health', label: 'Health and settings', key: 'h' },
]

/** @type {{operator: string, role: string}} */
let me = { operator: '', role: 'viewer' }
/** @type {any} */
let health
/** Open blocks, for the count. */
let blocks = 0
let screen = 'inbox'
let title = ''

export function role() {
  return me.role
}

/** @param {any} session */
export function setMe(session) {
  me = session
}

/** @param {any} given */
export function setHealth(given) {
  health = given
  paintStrip()
}

/** @param {number} count */
export function setBlocks(count) {
  blocks = count
  paintCounts()
}

/** @param {() => void} signOut */
export function buildFrame(signOut) {
  const menu = h(
    'button',
    { type: 'button', class: 'btn menu', 'aria-expanded': 'false', 'aria-controls': 'nav', onclick: toggleMenu },
    icon('menu'),
    'Menu',
  )
  const brand = h(
    'a',
    { class: 'brand', href: '#/inbox' },
    h('img', { src: '/icon.svg', alt: '', width: '22', height: '22' }),
    'mcpaql',
    h('span', null, 'console'),
  )
  const keys = button('Shortcuts', { class: 'small keys', key: '?', onclick: showKeys })
  const waitingLink = h('a', { class: 'waiting', href: '#/inbox' })
  return h(
    'div',
    { class: 'shell' },
    h(
      'header',
      { class: 'bar' },
      h('div', { class: 'row' }, brand, waitingLink, menu),
      h('div', { class: 'strip', id: 'strip' }),
      keys,
    ),
    h(
      'nav',
      { class: 'side', id: 'nav', 'aria-label': 'Console' },
      h('ul', null, SCREENS.map(navItem)),
      h(
        'div',
        { class: 'foot' },
        h('div', { class: 'me' }, h('span', { class: 'who' }, me.operator), h('span', null, me.role)),
        button('Sign out', { class: 'link', onclick: signOut }),
      ),
    ),
    h('main', { id: 'main', tabindex: '-1' }),
  )
}

/** @param {{name: string, label: string, key: string}} item */
function navItem({ name, label, key }) {
  return h(
    'li',
    null,
    h(
      'a',
      { class: 'nav', href: `#/${name}`, title: `g then ${key}`, data: { screen: name } },
      icon(name),
      h('span', { class: 'grow' }, label),
      h('span', { class: 'count', data: { count: name }, hidden: true }),
    ),
  )
}

/** @param {string} name @param {string} text */
export function setScreen(name, text) {
  screen = name
  title = text
  for (const link of all('.nav')) {
    if (link.dataset.screen === name) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  document.body.classList.remove('nav-open')
  one('.menu')?.setAttribute('aria-expanded', 'false')
  paintCounts()
}

const COUNTED = /** @type {Record<string, string>} */ ({ inbox: ' waiting', agents: ' blocked', sources: ' changed' })

export function paintCounts() {
  const open = waitingCount()
  document.title = `${open > 0 ? `(${open}) ` : ''}${title || screen} · mcpaql`
  const drifted = waiting().attention.filter((/** @type {any} */ { kind }) => kind === 'drift').length
  const counts = { inbox: open, agents: blocks, sources: drifted }
  for (const [name, count] of Object.entries(counts)) {
    const element = one(`[data-count="${name}"]`)
    if (!element) continue
    element.hidden = count === 0
    element.replaceChildren(String(count), sr(COUNTED[name] ?? ''))
  }
  const link = one('.waiting')
  if (link) link.textContent = open > 0 ? `${open} waiting` : ''
}

export function paintStrip() {
  const strip = one('#strip')
  if (!strip) return
  const { state, lastHeardAt } = connection()
  const isLost = state === 'lost'
  strip.className = `strip ${isLost ? 'lost' : ''}`
  strip.replaceChildren(...(isLost ? lostParts(lastHeardAt) : liveParts(state)))
}

/** @param {number} lastHeardAt */
function lostParts(lastHeardAt) {
  return [
    icon('off'),
    h(
      'span',
      { class: 'grow' },
      h('strong', null, 'Connection lost. '),
      lastHeardAt > 0 ? ['Last contact ', clock(lastHeardAt), '. '] : null,
      'Decisions are off; nothing runs meanwhile.',
    ),
    button('Retry now', { class: 'small', onclick: retry }),
  ]
}

/** @param {string} state */
function liveParts(state) {
  const modes = [...new Set((health?.modes ?? []).map((/** @type {any} */ row) => row.mode))]
  const mode = modes.length === 0 ? 'No server running' : `Safety: ${modes.join(', ')}`
  return [
    h('span', { class: 'chip' }, h('span', { class: `dot ${state}` }), state === 'live' ? 'Live' : 'Connecting'),
    h('a', { class: 'chip mode', href: '#/health' }, mode),
    separationChip(),
    h('span', { class: 'grow' }),
    h(
      'span',
      { class: 'zone', title: 'Time zone of every time on this page' },
      prefs.utc || zoneName() === 'UTC' ? null : h('span', { class: 'roomy' }, `${zoneName()} `),
      zoneOffset(),
    ),
  ].filter((part) => part !== null)
}

function separationChip() {
  const kind = health?.separation?.kind
  if (kind === undefined) return null
  const isSeparate = kind === 'separate'
  const words = isSeparate
    ? 'Separate OS account'
    : kind === 'same'
      ? ['Same OS account', h('span', { class: 'roomy' }, ' as agents')]
      : ['OS account unknown']
  return h(
    'a',
    { class: `chip ${isSeparate ? '' : 'warn'}`, href: '#/health' },
    icon(isSeparate ? 'lock' : 'warn'),
    h('span', null, words),
  )
}

function toggleMenu() {
  const isOpen = document.body.classList.toggle('nav-open')
  one('.menu').setAttribute('aria-expanded', String(isOpen))
}
