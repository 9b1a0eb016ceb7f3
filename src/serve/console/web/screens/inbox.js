// @ts-check
/** What waits, by agent, the first to expire on top. Nothing moves under the pointer: what is new waits to be shown. */
import { clock, plural } from '../clock.js'
import { address, h, icon, one } from '../dom.js'
import { isLive } from '../live.js'
import { button, empty, heading, heldTag, levelTag, outcome, targetOf, timer, whence } from '../parts.js'
import { nodes, plain, value } from '../text.js'
import { unlessBusy } from '../turns.js'
import { idsOf, refreshWaiting, showMore, unshownCount, waiting, waitingCount } from '../waiting.js'

const STATES = /** @type {Record<string, readonly [string, 'good' | 'ask' | 'bad' | '']>} */ ({
  pending: ['waiting', 'ask'],
  approved: ['approved', 'good'],
  denied: ['denied', 'bad'],
  consumed: ['used', ''],
  revoked: ['taken back', ''],
  expired: ['expired', ''],
})

export async function open() {
  await refreshWaiting({ idle: false })
  /** @type {any} */
  let shown = waiting()
  const body = h('div', { id: 'inbox' })
  const paint = () => body.replaceChildren(...page(shown, more))
  const more = unlessBusy(async () => {
    const first = shown.items.length
    await showMore()
    shown = waiting()
    paint()
    const next = shown.items[first]
    one(`[data-row="${next?.id}"]`, body)?.focus()
  })
  const showNew = () => {
    shown = waiting()
    paint()
    one('#inbox h1').focus()
  }
  paint()
  return {
    title: 'Inbox',
    body,
    keys: {
      a: () => rowOf()?.click(),
    },
    onWaiting: () => {
      const latest = waiting()
      if (idsOf(shown).length === 0 && idsOf(latest).length > 0) {
        shown = latest
        paint()
        return
      }
      markDecided(body, latest)
      paintFresh(body, freshCount(shown, latest), showNew)
      const lead = one('#lead', body)
      if (lead) lead.textContent = leadText()
    },
    onConnection: () => body.classList.toggle('stale', !isLive()),
  }
}

function rowOf() {
  const row = /** @type {HTMLElement | null} */ (document.activeElement)
  return row?.dataset.row === undefined ? undefined : row
}

/** @param {any} shown @param {any} latest */
function freshCount(shown, latest) {
  const known = new Set(idsOf(shown))
  return idsOf(latest).filter((id) => !known.has(id)).length
}

/** A decided row stays where it is until the list is left. @param {HTMLElement} body @param {any} latest */
function markDecided(body, latest) {
  const open = new Set(idsOf(latest))
  const states = new Map([...latest.recent, ...latest.approved].map((item) => [item.id, item.state]))
  for (const row of /** @type {any[]} */ ([...body.querySelectorAll('.group [data-row]')])) {
    if (open.has(row.dataset.row) || row.classList.contains('done')) continue
    const [word, tone] = STATES[states.get(row.dataset.row) ?? 'expired'] ?? ['ended', '']
    row.classList.add('done')
    row.querySelector('.side-end').replaceChildren(outcome(word, tone))
  }
  for (const row of /** @type {any[]} */ ([...body.querySelectorAll('.fold [data-row]')])) {
    const [word, tone] = STATES[states.get(row.dataset.row) ?? ''] ?? []
    if (word !== undefined) row.querySelector('.side-end').replaceChildren(outcome(word, tone))
  }
}

/** @param {HTMLElement} body @param {number} count @param {() => void} showNew */
function paintFresh(body, count, showNew) {
  one('#fresh', body)?.replaceChildren(
    count > 0
      ? button(`Show ${count} new`, { class: 'small accent', onclick: showNew })
      : h('span', { class: 'muted' }, 'Up to date'),
  )
}

function leadText() {
  const count = waitingCount()
  if (count === 0) return 'Nothing is waiting for you.'
  return `${count} waiting, first to expire on top. Nothing runs until you decide.`
}

/** @param {any} inbox @param {() => void} more @returns {Node[]} */
function page(inbox, more) {
  const groups = groupsOf(inbox)
  const fresh = h('span', { class: 'slot', id: 'fresh' }, h('span', { class: 'muted' }, 'Up to date'))
  const parts = [heading('Inbox', h('span', { id: 'lead' }, leadText()), fresh), attention(inbox)]
  if (groups.length === 0) parts.push(nothing())
  parts.push(...groups.map((group) => groupPart(group, inbox.held)))
  parts.push(unshown(inbox, more), heldElsewhere(inbox, groups))
  parts.push(fold('Approved, not used yet', inbox.approved, true))
  parts.push(fold('Decided, used or expired in the last hour', inbox.recent, false))
  return parts.filter((part) => part !== null)
}

/** @param {any} inbox @param {() => void} more */
function unshown(inbox, more) {
  const count = unshownCount(inbox)
  if (count === 0) return null
  const canShow = inbox.items.length < MOST_SHOWN
  return h(
    'p',
    { class: 'unshown' },
    `${plural(count, 'more request')} ${count === 1 ? 'waits' : 'wait'} with more time than these. `,
    canShow ? button('Show more', { id: 'more', class: 'small', onclick: more }) : 'They appear as you decide.',
  )
}

const MOST_SHOWN = 500

/** @param {any} inbox */
function groupsOf({ items, challenges }) {
  /** @type {Map<string, {agent: any, rows: any[]}>} */
  const groups = new Map()
  const rows = [...items, ...challenges.map((/** @type {any} */ each) => ({ ...each, isChallenge: true }))]
  for (const row of rows.sort((a, b) => a.expires_at - b.expires_at)) {
    const key = `${row.agent.id} ${plain(row.agent.session)}`
    const group = groups.get(key)
    if (group) group.rows.push(row)
    else groups.set(key, { agent: row.agent, rows: [row] })
  }
  return [...groups.values()]
}

/** @param {{agent: any, rows: any[]}} group @param {any[]} held */
function groupPart({ agent, rows }, held) {
  const own = held.find((each) => isOf(each, agent))
  return h(
    'section',
    { class: 'group' },
    h(
      'div',
      { class: 'group-head' },
      h('h2', null, h('a', { href: address('agents', agent.id) }, nodes(agent.name, true))),
      h('span', { class: 'meta' }, whence(agent, true)),
    ),
    h(
      'ul',
      { class: 'rows' },
      rows.map((row) => h('li', null, row.isChallenge ? challengeRow(row) : requestRow(row))),
    ),
    own ? heldPart(own) : null,
  )
}

/** @param {any} item @param {boolean} [isOpen] */
export function requestRow(item, isOpen = true) {
  const [word, tone] = STATES[item.state] ?? ['ended', '']
  return h(
    'a',
    { class: `row edge${item.level} ${isOpen ? '' : 'done'}`, href: address('r', item.id), data: { row: item.id } },
    h('span', { class: 'side-start' }, levelTag(item.level)),
    h(
      'span',
      { class: 'middle' },
      h(
        'span',
        { class: 'what' },
        h('b', { class: 'op' }, nodes(item.operation, true)),
        item.target.length > 0 ? [h('span', { class: 'on' }, ' on '), targetOf(item.target)] : null,
      ),
      h(
        'span',
        { class: 'why' },
        h('span', null, nodes(item.source.name, true), ' · ', nodes(item.why, true)),
        item.flags > 0
          ? h('span', { class: 'flag' }, icon('warn'), `${plural(item.flags, 'value')} with deceptive characters`)
          : null,
      ),
    ),
    h('span', { class: 'side-end' }, isOpen ? timer(item.issued_at, item.expires_at) : outcome(word, tone)),
    icon('next', 'icon go'),
  )
}

/** @param {any} item */
function challengeRow(item) {
  return h(
    'a',
    { class: 'row edge4', href: address('c', item.id), data: { row: item.id } },
    h('span', { class: 'side-start' }, heldTag(item.trigger)),
    h(
      'span',
      { class: 'middle' },
      h('span', { class: 'what' }, h('b', null, 'Verification code needed')),
      h('span', { class: 'why words' }, value(item.hint, true)),
    ),
    h('span', { class: 'side-end' }, timer(item.issued_at, item.expires_at)),
    icon('next', 'icon go'),
  )
}

/** @param {any} held */
function heldPart({ count, next_at, operations, first }) {
  return h(
    'details',
    { class: 'held' },
    h(
      'summary',
      null,
      icon('stop'),
      h(
        'span',
        null,
        h('strong', null, `${plural(count, 'more request')} of this caller ${count === 1 ? 'is' : 'are'} held back`),
        ' because it has put too many before you. ',
        h('span', { class: 'as-link' }, 'What are they?'),
      ),
    ),
    h(
      'p',
      null,
      'They wait silently and are refused when they expire.',
      next_at ? [' The next one appears at ', clock(next_at), ' at the latest, or when you decide.'] : null,
      ' A flood like this can be an attempt to tire you out.',
    ),
    h(
      'ul',
      null,
      operations.map((/** @type {any} */ each) =>
        h('li', null, h('code', null, nodes(each.operation, true)), ` × ${each.count}`),
      ),
    ),
    h('p', null, 'You can look at them and decide all the same; these expire first.'),
    h(
      'ul',
      { class: 'rows' },
      first.map((/** @type {any} */ each) => h('li', null, requestRow(each))),
    ),
  )
}

/** @param {any} held @param {any} agent */
function isOf({ principal, session }, agent) {
  return plain(principal) === plain(agent.principal) && (session === null || plain(session) === plain(agent.session))
}

/** Held-back requests of callers that have nothing open. @param {any} inbox @param {{agent: any}[]} groups */
function heldElsewhere({ held }, groups) {
  const others = held.filter((/** @type {any} */ each) => !groups.some(({ agent }) => isOf(each, agent)))
  if (others.length === 0) return null
  return h(
    'section',
    { class: 'group', 'aria-label': 'Held back' },
    others.map((/** @type {any} */ each) => [
      h('h2', null, nodes(each.principal, true), each.session ? [' · session ', nodes(each.session, true)] : null),
      heldPart(each),
    ]),
  )
}

/** @param {any} inbox */
function attention({ attention: items }) {
  if (items.length === 0) return null
  const drifted = items.filter((/** @type {any} */ { kind }) => kind === 'drift')
  const unknown = items.filter((/** @type {any} */ { kind }) => kind !== 'drift')
  return h(
    'section',
    { class: 'attention', 'aria-label': 'Needs a look' },
    h('h2', null, 'Needs a look, no hurry'),
    h('ul', null, unknown.slice(0, MOST_UNKNOWN).map(unknownLine), drifted.map(driftLine)),
    unknown.length > MOST_UNKNOWN
      ? h('p', { class: 'muted' }, `${unknown.length - MOST_UNKNOWN} more unknown outcomes are in the audit trail.`)
      : null,
  )
}

const MOST_UNKNOWN = 5

/** @param {any} item */
function unknownLine({ operation, ref }) {
  return h(
    'li',
    null,
    icon('warn'),
    h(
      'span',
      { class: 'grow' },
      h('code', null, nodes(operation, true)),
      ' has an unknown outcome: the server stopped between the call and its result.',
    ),
    h('a', { href: address('audit', ref) }, 'Check and record'),
  )
}

/** @param {any} item */
function driftLine({ source, changed, ref }) {
  return h(
    'li',
    null,
    icon('sources'),
    h(
      'span',
      { class: 'grow' },
      nodes(source, true),
      ` has changed since it was trusted: ${plural(changed, 'operation')}.`,
    ),
    h('a', { href: address('sources', ref) }, 'Review the change'),
  )
}

function nothing() {
  return empty(
    'All decided',
    h(
      'p',
      null,
      'Agents work within what you allowed. When one needs you, it appears here and in the title of this tab.',
    ),
    h(
      'p',
      null,
      h('a', { href: '#/audit' }, 'See what ran'),
      ' · ',
      h('a', { href: '#/health' }, 'Check how you are reached'),
    ),
  )
}

/** @param {string} title @param {any[]} items @param {boolean} isOpen */
function fold(title, items, isOpen) {
  if (items.length === 0) return null
  return h(
    'details',
    { class: 'fold', open: isOpen },
    h('summary', null, `${title} (${items.length})`),
    h(
      'ul',
      { class: 'rows' },
      items.map((item) => h('li', null, requestRow(item, false))),
    ),
  )
}
