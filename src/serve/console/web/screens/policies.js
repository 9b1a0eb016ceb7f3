// @ts-check
/** Records in force, what a draft would have changed, and why one call is decided as it is. Nothing here writes. */
import { get, post, Refusal } from '../api.js'
import { number, plural } from '../clock.js'
import { h } from '../dom.js'
import { button, card, heading, note, permissionTag, table, traceList } from '../parts.js'
import { nodes } from '../text.js'

export async function open() {
  const [{ items, can_explain }, { items: sources }] = await Promise.all([get('/api/policies'), get('/api/sources')])
  return {
    title: 'Policies',
    body: [
      heading(
        'Policies',
        'The strictest matching record counts, whatever the order. They are changed in the policy file, never from here.',
      ),
      records(items),
      h('div', { class: 'columns uneven' }, replayCard(), explainCard(can_explain, sources)),
    ],
  }
}

/** @param {any[]} items */
function records(items) {
  if (items.length === 0)
    return note('calm', 'policies', 'No policy record is in force. Levels, trust and categories decide alone.')
  return card(
    'Records in force',
    { class: 'flush' },
    table(
      'Policy records',
      ['Operation', 'Permission', 'When', 'Source', 'Calls, 7 days', 'Place'],
      items.map(({ operation, permission, conditions, source, calls, place }) => [
        h('code', null, nodes(operation, true)),
        permissionTag(permission),
        conditions.length === 0
          ? h('span', { class: 'muted' }, 'always')
          : conditions.map((/** @type {any} */ each, /** @type {number} */ at) => [
              at > 0 ? ', ' : '',
              nodes(each, true),
            ]),
        nodes(source, true),
        number(calls),
        place ? h('span', { class: 'muted' }, nodes(place, true)) : '',
      ]),
    ),
  )
}

function replayCard() {
  const out = h('div', { id: 'replay', 'aria-live': 'polite' })
  const glob = h('input', {
    id: 'glob',
    class: 'mono',
    value: 'delete_*',
    maxlength: '200',
    autocapitalize: 'off',
    spellcheck: 'false',
    autocomplete: 'off',
  })
  const permission = h(
    'select',
    { id: 'permission' },
    ['deny', 'confirm', 'allow'].map((word) => h('option', { value: word }, word)),
  )
  const days = h(
    'select',
    { id: 'days' },
    [1, 7, 30].map((count) => h('option', { value: String(count), selected: count === 7 }, plural(count, 'day'))),
  )
  const run = async (/** @type {Event} */ event) => {
    event.preventDefault()
    try {
      const draft = { operation: glob.value, permission: permission.value, days: Number(days.value) }
      out.replaceChildren(...replayParts(await post('/api/policies/replay', draft), draft))
    } catch (refused) {
      out.replaceChildren(note('bad', 'warn', refused instanceof Refusal ? refused.message : 'It could not be tried.'))
    }
  }
  return card(
    'What would have happened',
    null,
    h('p', { class: 'sub' }, 'Try a record against the audit trail. Nothing is saved or changed.'),
    h(
      'form',
      { class: 'filters', onsubmit: run },
      h('label', { class: 'field' }, h('span', null, 'Operation'), glob),
      h('label', { class: 'field' }, h('span', null, 'Permission'), permission),
      h('label', { class: 'field' }, h('span', null, 'Period'), days),
      button('Try', { type: 'submit', id: 'try' }),
    ),
    out,
  )
}

const EFFECTS = /** @type {Record<string, string>} */ ({
  deny: 'They would have been refused without asking.',
  confirm: 'They would have waited for a person.',
  allow: 'A record can only tighten: levels and trust still ask.',
})

/** @param {any} replay @param {{permission: string, days: number}} draft @returns {Node[]} */
function replayParts({ total, matched, changed, rows, whole }, { permission, days }) {
  const lead =
    changed === 0
      ? 'Nothing would have changed.'
      : `${number(changed)} of ${plural(total, 'call')} would have been decided differently.`
  return [
    h('p', { class: 'big' }, lead),
    h(
      'p',
      { class: 'sub' },
      `${plural(matched, 'call')} match. `,
      EFFECTS[permission] ?? '',
      permission === 'confirm' && changed > 0 ? ` That is about ${number(changed / days)} more questions a day.` : '',
      whole ? '' : ' Only the newest part of the period was read.',
    ),
    rows.length === 0
      ? h('span')
      : table(
          'Changed decisions',
          ['Operation', 'Source', 'Principal', 'Calls', 'Was', 'Would be'],
          rows.map((/** @type {any} */ row) => [
            h('span', { class: 'op' }, nodes(row.operation, true)),
            nodes(row.source, true),
            nodes(row.agent, true),
            number(row.calls),
            permissionTag(row.was),
            permissionTag(row.would_be),
          ]),
        ),
  ]
}

/** @param {boolean} canExplain @param {any[]} sources */
function explainCard(canExplain, sources) {
  if (!canExplain)
    return card(
      'Explain one call',
      null,
      note(
        'calm',
        'policies',
        'This console runs beside no server, so it cannot ask the gate. Use mcpaql explain, or the console of mcpaql serve.',
      ),
    )
  const out = h('div', { 'aria-live': 'polite' })
  const source = h(
    'select',
    { id: 'explain-source' },
    sources.map(({ id, name }) => h('option', { value: id }, nodes(name, true))),
  )
  const operation = h('input', {
    id: 'explain-operation',
    class: 'mono',
    maxlength: '200',
    autocomplete: 'off',
    spellcheck: 'false',
  })
  const params = h('textarea', { id: 'explain-params', class: 'mono', rows: '3', spellcheck: 'false' }, '{}')
  const run = async (/** @type {Event} */ event) => {
    event.preventDefault()
    try {
      const given = JSON.parse(params.value || '{}')
      const { decision, trace } = await post('/api/explain', {
        source: source.value,
        operation: operation.value.trim(),
        params: given,
      })
      out.replaceChildren(h('p', { class: 'big' }, permissionTag(decision)), traceList(trace))
    } catch (refused) {
      const words = refused instanceof Refusal ? refused.message : 'The parameters must be JSON.'
      out.replaceChildren(note('bad', 'warn', words))
    }
  }
  return card(
    'Explain one call',
    null,
    h('p', { class: 'sub' }, 'Which layer decides, for a call as it would arrive now. Nothing runs.'),
    h(
      'form',
      { class: 'filters', onsubmit: run },
      h('label', { class: 'field' }, h('span', null, 'Source'), source),
      h('label', { class: 'field' }, h('span', null, 'Operation'), operation),
      h('label', { class: 'field wide-field' }, h('span', null, 'Parameters, as JSON'), params),
      button('Explain', { type: 'submit', id: 'explain' }),
    ),
    out,
  )
}
