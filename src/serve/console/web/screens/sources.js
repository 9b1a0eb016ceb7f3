// @ts-check
/** What agents can reach, and how far each source is trusted. */
import { get } from '../api.js'
import { clock, number, plural } from '../clock.js'
import { address, h, icon } from '../dom.js'
import { card, empty, facts, heading, LEVELS, levelTag, note, permissionTag, table, trustTag } from '../parts.js'
import { nodes, plain } from '../text.js'

/** @param {string | undefined} id */
export async function open(id) {
  if (id === undefined) return list()
  const source = await get(`/api/sources/${id}`)
  return { title: plain(source.name), body: sourcePage(source) }
}

async function list() {
  const { items } = await get('/api/sources')
  const head = heading('Sources', 'What agents can reach, and how far each source is trusted.')
  if (items.length === 0)
    return {
      title: 'Sources',
      body: [head, note('calm', 'sources', 'No server has published a source in this store yet.')],
    }
  const rows = items.map(
    (/** @type {any} */ { id, name, version, trust, claim, matrix, operations, mode, updated_at }) => [
      h('a', { href: address('sources', id), data: { row: id } }, nodes(name, true)),
      [
        trustTag(trust),
        claim !== trust ? h('span', { class: 'muted' }, ` claims ${claim.replaceAll('_', ' ')}`) : null,
      ],
      five(matrix),
      number(operations),
      nodes(version, true),
      mode,
      clock(updated_at),
    ],
  )
  const heads = ['Source', 'Trust', 'Levels 0 to 4', 'Operations', 'Version', 'Safety', 'Seen']
  return {
    title: 'Sources',
    body: [head, card('All sources', { class: 'flush' }, table('Sources', heads, rows), legend())],
  }
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

/** @param {any} source */
function sourcePage(source) {
  const {
    name,
    version,
    trust,
    claim,
    hash,
    ladder,
    counts,
    matrix,
    list: operations,
    limits,
    mode,
    updated_at,
  } = source
  const now = ladder.indexOf(trust)
  return [
    h('nav', { class: 'crumbs', 'aria-label': 'Position' }, h('a', { href: '#/sources' }, icon('back'), 'Sources')),
    heading(plain(name), [plural(operations.length, 'operation'), ', seen ', clock(updated_at)], trustTag(trust)),
    h(
      'div',
      { class: 'columns' },
      card(
        'Trust',
        null,
        h(
          'ol',
          { class: 'ladder' },
          ladder.map((/** @type {string} */ level, /** @type {number} */ at) =>
            h(
              'li',
              { class: at === now ? 'now' : at < now ? 'past' : '', 'aria-current': at === now ? 'step' : null },
              level.replaceAll('_', ' '),
            ),
          ),
        ),
        claim === trust
          ? null
          : h(
              'p',
              { class: 'sub' },
              `The source claims ${claim.replaceAll('_', ' ')}. What counts is what you have set.`,
            ),
        facts([
          ['Version', nodes(version)],
          ['Content', h('code', { class: 'hash' }, hash)],
          ['Safety mode', mode],
        ]),
        h(
          'p',
          { class: 'muted' },
          'Trust is a setting of the server that offers the source. It cannot be changed from here.',
        ),
      ),
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
              permissionTag(each.permission),
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
