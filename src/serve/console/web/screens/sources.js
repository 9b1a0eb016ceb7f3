// @ts-check
/** What agents can reach, and how far each source is trusted. */
import { get } from '../api.js'
import { clock, number, plural } from '../clock.js'
import { address, h, icon, repaint } from '../dom.js'
import {
  card,
  empty,
  facts,
  heading,
  LEVELS,
  levelTag,
  note,
  outcome,
  permissionTag,
  table,
  trustTag,
} from '../parts.js'
import { nodes, plain } from '../text.js'
import { inTurn } from '../turns.js'
import { driftCard, trustCard, trustHistory } from './trust.js'

/** @param {string | undefined} id */
export async function open(id) {
  const body = h('div')
  let title = 'Sources'
  const load = async () => {
    if (id === undefined) return list()
    const source = await get(`/api/sources/${id}`)
    title = plain(source.name)
    return sourcePage(source, reload)
  }
  /** @type {() => Promise<void>} */
  const reload = inTurn(async () => repaint(body, await load()))
  await reload()
  return {
    title,
    body,
    onHappening: (/** @type {any} */ event) => {
      if (event.kind === 'source' || event.kind === 'all') void reload().catch(() => {})
    },
  }
}

/** @returns {Promise<any[]>} */
async function list() {
  const { items } = await get('/api/sources')
  const head = heading('Sources', 'What agents can reach, and how far each source is trusted.')
  if (items.length === 0) return [head, note('calm', 'sources', 'No server has published a source in this store yet.')]
  const rows = items.map(
    (/** @type {any} */ { id, name, version, trust, drift, matrix, operations, mode, updated_at }) => [
      h('a', { href: address('sources', id), data: { row: id } }, nodes(name, true)),
      [trustTag(trust), drift > 0 ? outcome(` ${number(drift)} changed`, 'ask') : null],
      five(matrix),
      number(operations),
      nodes(version, true),
      mode,
      clock(updated_at),
    ],
  )
  const heads = ['Source', 'Trust', 'Levels 0 to 4', 'Operations', 'Version', 'Safety', 'Seen']
  return [head, card('All sources', { class: 'flush' }, table('Sources', heads, rows), legend())]
}

/** @param {readonly string[]} matrix */
function five(matrix) {
  const words = matrix.map((what, at) => `${LEVELS[at]} ${what}`).join(', ')
  return h('span', { class: 'five', role: 'img', 'aria-label': words }, matrix.map(cell))
}

/** @param {string} what */
function cell(what) {
  return h('span', { class: what }, what === 'runs' ? icon('check') : what === 'asks' ? '?' : icon('cross'))
}

function legend() {
  const items = [
    ['runs', 'runs'],
    ['asks', 'asks a person'],
    ['refused', 'refused'],
  ]
  return h(
    'p',
    { class: 'legend' },
    items.map(([what = '', words = '']) =>
      h('span', null, h('span', { class: 'five', 'aria-hidden': 'true' }, cell(what)), words),
    ),
  )
}

/** @param {any} source @param {() => Promise<void>} reload @returns {any[]} */
function sourcePage(source, reload) {
  const { name, trust, counts, matrix, list: operations, limits, updated_at } = source
  return [
    h('nav', { class: 'crumbs', 'aria-label': 'Position' }, h('a', { href: '#/sources' }, icon('back'), 'Sources')),
    heading(plain(name), [plural(operations.length, 'operation'), ', seen ', clock(updated_at)], trustTag(trust)),
    driftCard(source),
    h(
      'div',
      { class: 'columns' },
      trustCard(source, reload),
      card(
        'What happens at this trust',
        { class: 'flush' },
        table(
          'Levels',
          ['Level', 'Operations', 'A call'],
          LEVELS.map((_, at) => [
            levelTag(at),
            number(counts[at] ?? 0),
            [h('span', { class: 'five' }, cell(matrix[at])), ` ${matrix[at]}`],
          ]),
        ),
      ),
    ),
    limits.length > 0
      ? card(
          'Limits',
          null,
          facts(
            limits.map((/** @type {any} */ { what, per, most }) => [[nodes(what), ' per ', nodes(per)], number(most)]),
          ),
        )
      : null,
    trustHistory(source),
    operations.length === 0
      ? empty('No operation')
      : card(
          'Operations',
          { class: 'flush' },
          table(
            'Operations',
            ['Operation', 'Level', 'Category', 'A plain call', 'Why this level'],
            operations.map((/** @type {any} */ each) => [
              h('span', { class: 'op' }, nodes(each.name, true)),
              levelTag(each.level, true),
              each.category,
              [permissionTag(each.permission), each.trust ? [' ', trustTag(each.trust)] : null],
              h(
                'span',
                { class: 'muted' },
                each.reasons.map((/** @type {any} */ text, /** @type {number} */ at) => [
                  at > 0 ? '; ' : '',
                  nodes(text, true),
                ]),
              ),
            ]),
          ),
        ),
  ]
}
