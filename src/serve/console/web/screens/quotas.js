// @ts-check
/** Use against warn, pause and stop. There is no button that resets anything. */
import { get } from '../api.js'
import { clock, number } from '../clock.js'
import { address, h, shape } from '../dom.js'
import { card, empty, heading, note, outcome } from '../parts.js'
import { nodes, plain } from '../text.js'
import { openItems } from '../waiting.js'

const STATES = /** @type {Record<string, readonly [string, 'good' | 'ask' | 'bad']>} */ ({
  ok: ['OK', 'good'],
  warn: ['Warning', 'ask'],
  paused: ['Paused', 'bad'],
  exhausted: ['Exhausted', 'bad'],
})

export async function open() {
  const head = heading(
    'Quotas',
    'Warn lets calls run, pause asks you for each one, stop refuses until the window resets.',
  )
  const { available, items } = await get('/api/quotas')
  if (!available) {
    const words = 'This console runs beside no server, so it knows no quotas. Use the console of mcpaql serve.'
    return { title: 'Quotas', body: [head, note('calm', 'quotas', words)] }
  }
  return { title: 'Quotas', body: [head, items.length === 0 ? empty('No quota is set') : groups(items)] }
}

/** @param {any[]} items */
function groups(items) {
  const sources = [...new Set(items.map(({ source }) => plain(source)))]
  return sources.map((name) => card(name, null, items.filter(({ source }) => plain(source) === name).map(quota)))
}

/** @param {any} item */
function quota(item) {
  const { metric, unit, window: period, current, warn, pause, stop, status, resets_at } = item
  const [word, tone] = STATES[status] ?? [status, 'ask']
  const marks = [
    warn === undefined ? '' : `warns at ${number(warn)}`,
    pause === undefined ? '' : `pauses at ${number(pause)}`,
    stop === undefined ? '' : `stops at ${number(stop)}`,
  ].filter((text) => text !== '')
  return h(
    'div',
    { class: 'quota' },
    h(
      'div',
      { class: 'quota-top' },
      h('h3', null, nodes(metric)),
      outcome(word, tone),
      h('span', { class: 'grow' }),
      h('span', { class: 'num' }, number(current), ' ', nodes(unit), ' per ', nodes(period)),
    ),
    gauge(item, marks.join(', ')),
    h('p', { class: 'muted' }, marks.join(', '), resets_at ? ['; resets ', clock(resets_at)] : '', waitingCall(item)),
  )
}

/** The call that a pause has stopped, if one waits. @param {any} quota */
function waitingCall({ source, metric }) {
  const stopped = openItems().find(
    (item) =>
      item.quota_metric !== null &&
      plain(item.quota_metric) === plain(metric) &&
      plain(item.source.name) === plain(source),
  )
  return stopped ? ['. ', h('a', { href: address('r', stopped.id) }, 'A call waits for you')] : null
}

/** @param {any} quota @param {string} marks */
function gauge({ current, warn, pause, stop, status }, marks) {
  const full = stop ?? Math.max(current, pause ?? 0, warn ?? 0, 1)
  const x = (/** @type {number} */ count) => Math.min(300, (count / full) * 300)
  const ticks = [warn, pause]
    .filter((count) => count !== undefined)
    .map((count) => shape('rect', { x: x(count) - 0.4, y: 0, width: 0.8, height: 14, class: 'tick' }))
  return shape(
    'svg',
    {
      viewBox: '0 0 300 14',
      preserveAspectRatio: 'none',
      class: `gauge ${status}`,
      role: 'img',
      'aria-label': `${number(current)} used; ${marks}`,
    },
    shape('rect', { x: 0, y: 3, width: 300, height: 8, class: 'rest' }),
    shape('rect', { x: 0, y: 3, width: x(current), height: 8, class: 'used' }),
    ...ticks,
  )
}
