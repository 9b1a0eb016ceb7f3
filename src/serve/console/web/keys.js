// @ts-check
/** Shortcuts. Inactive in fields and dialogs and with modifiers; can be switched off (WCAG 2.1.4). */

import { goBack, openDialog } from './dialog.js'
import { all, h, one } from './dom.js'
import { prefs } from './prefs.js'

const LIST = [
  ['j, k', 'Next, previous in a list'],
  ['Enter or o', 'Open'],
  ['a', 'Approve: opens a question, never decides by itself'],
  ['d', 'Deny: opens the question for the reason'],
  ['] and [', 'Next, previous request'],
  ['/', 'Search the audit trail'],
  ['g then i a u s p q h', 'Go to inbox, agents, audit, sources, policies, quotas, health'],
  ['Esc', 'Close, or back to the inbox'],
  ['?', 'This list'],
]

const PLACES = /** @type {Record<string, string>} */ ({
  i: 'inbox',
  a: 'agents',
  u: 'audit',
  s: 'sources',
  p: 'policies',
  q: 'quotas',
  h: 'health',
})

export function showKeys() {
  const rows = LIST.map(([keys, what]) => h('div', null, h('dt', null, h('kbd', null, keys)), h('dd', null, what)))
  openDialog('Keyboard shortcuts', h('dl', { class: 'keylist' }, rows), goBack('Close'))
}

let afterG = 0

/** What a screen adds: `a`, `d`, `[`, `]`. @type {Record<string, () => void>} */
let own = {}

/** @param {Record<string, () => void>} actions */
export function setScreenKeys(actions) {
  own = actions
}

export function startKeys() {
  document.addEventListener('keydown', (event) => {
    if (!prefs.keys || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    if (one('dialog[open]') || isField(event.target) || !one('#main')) return
    const action = actionOf(event.key)
    if (!action) return
    event.preventDefault()
    action()
  })
}

/** @param {string} key @returns {(() => void) | undefined} */
function actionOf(key) {
  if (Date.now() - afterG < 1_500) {
    afterG = 0
    const place = Object.hasOwn(PLACES, key) ? PLACES[key] : undefined
    return place === undefined ? undefined : () => go(place)
  }
  if (Object.hasOwn(own, key)) return own[key]
  return Object.hasOwn(EVERYWHERE, key) ? EVERYWHERE[key] : undefined
}

const EVERYWHERE = /** @type {Record<string, () => void>} */ ({
  g: () => {
    afterG = Date.now()
  },
  j: () => move(1),
  k: () => move(-1),
  o: () => /** @type {HTMLElement} */ (document.activeElement).click(),
  '/': () => {
    const search = one('#search')
    if (search) search.focus()
    else go('audit')
  },
  '?': showKeys,
  Escape: () => {
    if (!location.hash.startsWith('#/inbox')) go('inbox')
  },
})

/** @param {string} place */
function go(place) {
  location.hash = `#/${place}`
}

/** @param {number} step */
function move(step) {
  const rows = all('[data-row]').filter((row) => row.offsetParent !== null)
  const at = rows.indexOf(document.activeElement)
  rows[at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + step))]?.focus()
}

/** @param {EventTarget | null} target */
function isField(target) {
  return target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
}
