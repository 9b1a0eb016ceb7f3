// @ts-check
/** The small parts that every screen is made of. */
import { clock, minutes, serverNow } from './clock.js'
import { flat, h, icon, shape, sr } from './dom.js'
import { prefs } from './prefs.js'
import { nodes, plain, value } from './text.js'

export const LEVELS = ['Safe', 'Reversible', 'Destructive', 'Dangerous', 'Forbidden']

/** @param {number} level */
function meter(level) {
  const bars = [0, 1, 2, 3].map((at) =>
    shape('rect', {
      x: at * 5.6,
      y: 6.5 - at * 2,
      width: 4,
      height: 3.5 + at * 2,
      rx: 1,
      class: at < level ? 'on' : 'no',
    }),
  )
  return shape('svg', { viewBox: '0 0 22 10', class: 'meter', 'aria-hidden': 'true' }, ...bars)
}

/** @param {number} level @param {boolean} [bare] */
export function levelTag(level, bare = false) {
  const name = LEVELS[level] ?? 'Unknown'
  return h('span', { class: `lvl l${level}${bare ? ' bare' : ''}` }, meter(level), name, sr(`, level ${level} of 4`))
}

/** A verify pause holds the agent until the code is passed on or expires; a block stops it. @param {string} trigger */
export function heldTag(trigger) {
  return h('span', { class: 'lvl l4' }, icon('stop'), trigger === 'verify' ? 'Paused' : 'Stopped')
}

/** @param {...import('./dom.js').Kid} kids */
export function tag(...kids) {
  return h('span', { class: 'tag' }, ...kids)
}

/** @param {string} text @param {'good' | 'ask' | 'bad' | ''} [tone] */
export function outcome(text, tone = '') {
  return h('span', { class: `out ${tone}` }, text)
}

const PERMISSIONS = /** @type {const} */ ({ allow: 'good', confirm: 'ask', deny: 'bad' })

/** @param {'allow' | 'confirm' | 'deny'} permission */
export function permissionTag(permission) {
  return outcome(permission, PERMISSIONS[permission] ?? '')
}

/** @param {string} trust */
export function trustTag(trust) {
  return h('span', { class: `trust ${trust}` }, trust.replaceAll('_', ' '))
}

/** @param {string} text @param {import('./dom.js').Props & {key?: string, icon?: string}} [props] */
export function button(text, { key, icon: name, ...props } = {}) {
  const hint = key && prefs.keys ? h('kbd', { 'aria-hidden': 'true' }, key) : null
  const className = `btn ${props.class ?? ''}`
  return h('button', { type: 'button', ...props, class: className }, name ? icon(name) : null, text, hint)
}

/** @param {'good' | 'warn' | 'bad' | 'calm'} tone @param {string} name @param {...import('./dom.js').Kid} kids */
export function note(tone, name, ...kids) {
  return h('div', { class: `note ${tone}` }, icon(name), h('div', null, ...kids))
}

/** @param {string} title @param {import('./dom.js').Props | null} props @param {...import('./dom.js').Kid} kids */
export function card(title, props, ...kids) {
  const className = `card ${props?.class ?? ''}`
  return h('section', { ...props, class: className, 'aria-label': title }, h('h2', null, title), ...kids)
}

/** @param {string} title @param {import('./dom.js').Kid} under @param {...import('./dom.js').Kid} right */
export function heading(title, under, ...right) {
  const actions = flat(right)
  return h(
    'div',
    { class: 'head' },
    h('div', { class: 'grow' }, h('h1', { tabindex: '-1' }, title), under ? h('p', null, under) : null),
    actions.length > 0 ? h('div', { class: 'acts' }, ...actions) : null,
  )
}

/** @param {readonly (readonly [import('./dom.js').Kid, import('./dom.js').Kid] | null | false)[]} rows @param {string} [className] */
export function facts(rows, className = '') {
  const shown = rows.filter((row) => row !== null && row !== false)
  return h(
    'dl',
    { class: `facts ${className}` },
    shown.map(([name, what]) => h('div', null, h('dt', null, name), h('dd', null, what))),
  )
}

/** A quotation: what somebody says of themselves. @param {string} who @param {import('./text.js').Displayed} words */
export function claim(who, words) {
  const caption = h('figcaption', null, who, tag('not verified'))
  return h('figure', { class: 'claim' }, caption, h('blockquote', null, value(words)))
}

/** @param {string} caption @param {readonly string[]} heads @param {readonly (readonly import('./dom.js').Kid[])[]} rows */
export function table(caption, heads, rows) {
  const head = h('tr', null, ...heads.map((text) => h('th', { scope: 'col' }, text)))
  const body = rows.map((cells) =>
    h(
      'tr',
      null,
      cells.map((cell, at) =>
        at === 0 ? h('th', { scope: 'row' }, cell) : h('td', { 'data-head': heads[at] ?? '' }, h('div', null, cell)),
      ),
    ),
  )
  return h(
    'div',
    { class: 'scroll', role: 'region', tabindex: '0', 'aria-label': `${caption}, table` },
    h(
      'table',
      { class: 'stack' },
      h('caption', { class: 'sr' }, caption),
      h('thead', null, head),
      h('tbody', null, body),
    ),
  )
}

/** @param {string} lead @param {...import('./dom.js').Kid} kids */
export function empty(lead, ...kids) {
  return h('div', { class: 'empty' }, icon('check', 'icon xl'), h('p', { class: 'big' }, lead), ...kids)
}

/** Runs down by the server's clock. @param {number} issuedAt @param {number} expiresAt */
export function timer(issuedAt, expiresAt) {
  const bar = shape(
    'svg',
    { viewBox: '0 0 100 4', preserveAspectRatio: 'none', class: 'drain', 'aria-hidden': 'true' },
    shape('rect', { width: 100, height: 4, class: 'rest' }),
    shape('rect', { width: 100, height: 4, class: 'left' }),
  )
  const data = { expires: String(expiresAt), span: String(Math.max(1, expiresAt - issuedAt)) }
  const element = h('span', { class: 'timer', role: 'timer', data }, h('span', { class: 'num' }), bar)
  paintTimer(element)
  return element
}

/** What is left, in milliseconds. @param {any} element */
export function paintTimer(element) {
  const left = Number(element.dataset.expires) - serverNow()
  const share = Math.max(0, Math.min(100, (left / Number(element.dataset.span)) * 100))
  element.querySelector('.num').textContent = left > 0 ? minutes(left) : 'Expired'
  element.querySelector('.left').setAttribute('width', String(share))
  element.classList.toggle('soon', left <= 60_000)
  return left
}

/**
 * Principal, the operator's label, session and what the client calls itself; the principal only where the name is another.
 * @param {any} agent @param {boolean} [brief]
 */
export function whence({ name, principal, session, label, says }, brief = false) {
  const isNamed = plain(name) !== plain(principal)
  const isShort = plain(session).length <= 8
  return [
    isNamed ? [nodes(principal, brief), ' · '] : null,
    label ? [h('strong', null, nodes(label, brief)), ' · '] : null,
    h('span', { class: isShort ? 'nb' : '' }, 'session ', nodes(session, brief)),
    says ? [' · says “', nodes(says, brief), '”'] : null,
  ]
}

/** @param {readonly {name: any, text: any}[]} target @param {boolean} [brief] */
export function targetOf(target, brief = true) {
  const parts = target.map(({ text }, at) => [at > 0 ? h('span', { class: 'sep' }, ' / ') : null, value(text, brief)])
  return h('span', { class: 'target' }, parts)
}

const VERDICTS = /** @type {Record<string, readonly [string, string]>} */ ({
  allow: ['Passes', ''],
  confirm: ['Asks', 'ask'],
  deny: ['Refuses', 'bad'],
  none: ['Silent', ''],
})

/** @param {readonly {layer: any, verdict: string, text: any, decisive: boolean}[]} trace */
export function traceList(trace) {
  return h(
    'ol',
    { class: 'trace' },
    trace.map(({ layer, verdict, text, decisive }) => {
      const [word, tone] = VERDICTS[verdict] ?? ['Unclear', '']
      return h(
        'li',
        { class: decisive ? 'decisive' : '' },
        h('span', { class: `verdict ${tone}` }, word),
        h('span', { class: 'layer' }, nodes(layer)),
        h('span', { class: 'words' }, nodes(text), decisive ? h('strong', null, ' Decisive.') : null),
      )
    }),
  )
}

const DEEDS = /** @type {Record<string, 'good' | 'ask' | 'bad' | ''>} */ ({
  asked: 'ask',
  approved: 'good',
  denied: 'bad',
  refused: 'bad',
  ran: '',
  failed: 'ask',
  unknown: 'ask',
  stopped: 'bad',
})

/** @param {readonly any[]} deeds */
export function historyList(deeds) {
  if (deeds.length === 0) return h('p', { class: 'muted' }, 'Nothing is recorded yet.')
  return h(
    'ul',
    { class: 'deeds' },
    deeds.map(({ seq, at, operation, level, result, by }) =>
      h(
        'li',
        null,
        h('a', { class: 'when', href: `#/audit/${Number(seq)}` }, clock(at)),
        h('span', { class: 'op' }, nodes(operation, true)),
        level === null ? h('span') : levelTag(level, true),
        h('span', { class: `out ${DEEDS[result] ?? ''}` }, result, by ? [' by ', nodes(by, true)] : null),
      ),
    ),
  )
}

/** @param {{sign: string, text: any}} line */
export function diffLine({ sign, text }) {
  const kind = sign === '-' ? 'removed' : sign === '+' ? 'added' : 'same'
  return h(
    'div',
    { class: kind },
    h('span', { class: 'sign', 'aria-hidden': 'true' }, sign === '-' ? '−' : sign),
    sign === ' ' ? null : sr(`${kind}: `),
    value(text),
  )
}
