// @ts-check
/** The trail: search, whether it is whole, one record, and what was found out about an unknown outcome. */
import { get, post, Refusal } from '../api.js'
import { clock, number } from '../clock.js'
import { h, icon, one, say } from '../dom.js'
import { role } from '../frame.js'
import { button, empty, facts, heading, LEVELS, levelTag, note, outcome } from '../parts.js'
import { prefs } from '../prefs.js'
import { nodes, value } from '../text.js'

const TONES = /** @type {Record<string, 'good' | 'ask' | 'bad' | ''>} */ ({
  allowed: '',
  confirmed: 'good',
  success: '',
  denied: 'bad',
  failure: 'ask',
  unknown: 'ask',
})

/** Kept while the page is open, so that going back finds the same list. */
const filters = { text: '', event: '', result: '', level: '', agent: '', source: '', from: '', to: '' }

/** @param {string | undefined} id */
export async function open(id) {
  const [chain, events, record] = await Promise.all([
    get('/api/audit/chain'),
    get('/api/audit/events'),
    id === undefined ? undefined : get(`/api/audit/${id}`),
  ])
  const list = h('div', { class: 'records', id: 'records' })
  const count = h('p', { class: 'muted', id: 'hits', role: 'status' })
  let isStale = false
  const search = async () => {
    const { items, next } = await get(`/api/audit?${queryOf()}`)
    list.replaceChildren(...listParts(items, next, id, chain))
    count.textContent = items.length === 0 ? 'No record' : `${number(items.length)}${next ? ' newest' : ''} records`
  }
  await search()
  const body = [
    heading(
      'Audit trail',
      'Every record names its predecessor by its hash. Reading parameters of a request is itself recorded.',
      h('span', { id: 'newer' }),
      h('a', { class: 'btn small', href: '/api/audit/export', download: 'mcpaql-audit.jsonl' }, icon('down'), 'Export'),
    ),
    chainNote(chain),
    h(
      'div',
      { class: `split ${record ? 'has-record' : ''}` },
      h('div', { class: 'left-side' }, filterForm(events.items, search), count, list),
      record ? recordPart(record, chain) : null,
    ),
  ]
  return {
    title: record ? `Record ${record.seq}` : 'Audit trail',
    body,
    onShown: () => {
      if (record && innerWidth < 900) scrollTo(0, 0)
    },
    onHappening: () => {
      if (isStale) return
      isStale = true
      one('#newer')?.replaceChildren(
        button('Show newer', {
          class: 'small accent',
          onclick: async () => {
            isStale = false
            one('#newer')?.replaceChildren()
            await search()
          },
        }),
      )
    },
  }
}

function queryOf(more = {}) {
  const moments = { from: moment(filters.from), to: moment(filters.to) }
  const given = Object.entries({ ...filters, ...moments, ...more }).filter(([, text]) => text !== '')
  return new URLSearchParams([...given.map(([name, text]) => [name, String(text)]), ['limit', '50']])
}

/** In the zone of the page, as every other time on it. @param {string} text */
function moment(text) {
  const at = Date.parse(text === '' || !prefs.utc ? text : `${text}Z`)
  return Number.isNaN(at) ? '' : new Date(at).toISOString()
}

/** @param {readonly string[]} events @param {() => Promise<void>} search */
function filterForm(events, search) {
  const run = () => void search().catch((/** @type {Error} */ error) => say(error.message))
  let waiting = 0
  const soon = () => {
    clearTimeout(waiting)
    waiting = window.setTimeout(run, 250)
  }
  /** @param {keyof typeof filters} name @param {string} label @param {readonly (readonly [string, string])[]} options */
  const choice = (name, label, options) =>
    h(
      'label',
      { class: 'field' },
      h('span', null, label),
      h(
        'select',
        {
          onchange: (/** @type {any} */ event) => {
            filters[name] = event.target.value
            run()
          },
        },
        [['', 'All'], ...options].map(([key, text]) =>
          h('option', { value: key, selected: filters[name] === key }, text),
        ),
      ),
    )
  /** @param {keyof typeof filters} name @param {string} label @param {object} props */
  const field = (name, label, props) =>
    h(
      'label',
      { class: `field ${name === 'from' || name === 'to' ? 'moment' : ''}` },
      h('span', null, label),
      h('input', {
        ...props,
        value: filters[name],
        autocomplete: 'off',
        spellcheck: 'false',
        oninput: (/** @type {any} */ event) => {
          filters[name] = event.target.value
          soon()
        },
      }),
    )
  return h(
    'form',
    { class: 'filters', role: 'search', onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
    h(
      'div',
      { class: 'wide-field' },
      field('text', 'Search', {
        id: 'search',
        type: 'search',
        placeholder: 'operation, agent, reference…',
        maxlength: '200',
      }),
    ),
    choice(
      'event',
      'Event',
      events.map((name) => [name, eventName(name)]),
    ),
    choice(
      'result',
      'Result',
      ['allowed', 'confirmed', 'denied'].map((name) => [name, name]),
    ),
    choice(
      'level',
      'Level',
      LEVELS.map((name, at) => [String(at), name]),
    ),
    field('agent', 'Principal', { maxlength: '200' }),
    field('source', 'Source', { maxlength: '200' }),
    field('from', 'From', { type: 'datetime-local', step: '1' }),
    field('to', 'Until', { type: 'datetime-local', step: '1' }),
  )
}

/** @param {string} event */
function eventName(event) {
  return event.toLowerCase().replaceAll('_', ' ')
}

/** @param {any[]} items @param {number | null} next @param {string | undefined} open @param {any} chain @returns {Node[]} */
function listParts(items, next, open, chain) {
  if (items.length === 0) return [empty('No record matches')]
  const rows = items.map((item) => [breakLine(item, chain), recordRow(item, open, chain)])
  const more = button('Show older', {
    class: 'wide more',
    onclick: async (/** @type {any} */ event) => {
      const target = event.currentTarget
      const page = await get(`/api/audit?${queryOf({ before: next })}`)
      target.replaceWith(...listParts(page.items, page.next, open, chain))
    },
  })
  return [...rows.flat().filter((row) => row !== null), ...(next ? [more] : [])]
}

/** @param {any} item @param {string | undefined} open @param {any} chain */
function recordRow(item, open, chain) {
  const isUnproven = chain.broken_at !== null && item.seq >= chain.broken_at
  return h(
    'a',
    {
      class: `record ${isUnproven ? 'unproven' : ''}`,
      href: `#/audit/${item.seq}`,
      'aria-current': String(item.seq) === open ? 'true' : null,
      data: { row: String(item.seq) },
    },
    h('span', { class: 'seq' }, number(item.seq)),
    h('span', { class: 'when' }, clock(item.at)),
    h('span', { class: 'event' }, eventName(item.event)),
    h('span', { class: 'op' }, item.operation ? nodes(item.operation, true) : ''),
    h(
      'span',
      { class: 'agent' },
      item.operator ? nodes(item.operator, true) : item.agent ? nodes(item.agent, true) : '',
    ),
    h('span', { class: 'end-tag' }, item.result === null ? '' : outcome(item.result, TONES[item.result] ?? '')),
  )
}

/** @param {any} item @param {any} chain */
function breakLine({ seq }, chain) {
  if (chain.broken_at !== seq - 1) return null
  return h(
    'p',
    { class: 'break-line' },
    icon('warn'),
    `The chain breaks at ${number(chain.broken_at)}. What is above is not proven.`,
  )
}

/** @param {any} chain */
function chainNote(chain) {
  if (chain.running && chain.verified_to === 0)
    return note('calm', 'clock', `The chain of ${number(chain.head)} records is being verified. Come back in a moment.`)
  if (chain.broken_at !== null)
    return note(
      'bad',
      'warn',
      h('strong', null, `Chain broken at record ${number(chain.broken_at)}.`),
      ` ${chain.trouble ?? 'Its link to the record before does not match.'} Up to there the trail is proven; from there on it is not. Keep a copy before anything else: `,
      h('a', { href: `#/audit/${Number(chain.broken_at)}` }, 'show the record'),
      '.',
    )
  const anchored =
    chain.trouble !== null
      ? ` ${chain.trouble}`
      : chain.anchored_to === null
        ? ' It is not anchored outside the store: a trail that was cut short would not show it.'
        : ` Anchored outside the store up to ${number(chain.anchored_to)}; ${number(chain.head - chain.anchored_to)} wait for the next anchor.`
  return note(
    'good',
    'check',
    h('strong', null, `Verified up to record ${number(chain.verified_to)}`),
    ', ',
    clock(chain.verified_at),
    '.',
    anchored,
  )
}

/** @param {any} record @param {any} chain */
function recordPart(record, chain) {
  const isUnproven = chain.broken_at !== null && record.seq >= chain.broken_at
  return h(
    'section',
    { class: 'card detail', 'aria-label': `Record ${record.seq}` },
    h('div', { class: 'top' }, h('h2', null, `Record ${number(record.seq)}`), h('a', { href: '#/audit' }, 'Close')),
    record.level === null ? null : levelTag(record.level),
    facts([
      ['event', h('code', null, record.event)],
      ['time', clock(record.at)],
      ...record.fields.map((/** @type {any} */ { name, value: text }) => [
        h('span', { class: 'mono' }, nodes(name)),
        value(text),
      ]),
      ['predecessor', h('code', { class: 'hash' }, record.previous)],
      ['this record', h('code', { class: 'hash' }, record.hash)],
    ]),
    isUnproven
      ? note('bad', 'warn', record.seq === chain.broken_at ? 'The chain breaks here.' : 'After the break: not proven.')
      : record.seq <= chain.verified_to
        ? note('good', 'check', 'Its place in the chain is verified.')
        : note('calm', 'clock', 'Newer than the last check of the chain.'),
    record.unknown ? finding(record) : null,
  )
}

/** @param {any} record */
function finding({ seq }) {
  const box = h('div', { role: 'status' })
  /** @param {boolean} happened */
  const put = (happened) => async () => {
    try {
      await post(`/api/audit/${seq}/finding`, { happened, note: words.value.trim() })
      box.replaceChildren(
        note(
          'good',
          'check',
          h('strong', null, `Recorded: it ${happened ? 'happened' : 'did not happen'}.`),
          ' It is a new record; this one stays as it is.',
        ),
      )
    } catch (refused) {
      box.prepend(note('bad', 'warn', refused instanceof Refusal ? refused.message : 'It was not recorded.'))
    }
  }
  const words = h('input', { id: 'note', maxlength: '500', autocomplete: 'off' })
  if (role() !== 'viewer') {
    box.append(
      h('label', { class: 'field' }, h('span', null, 'How you know'), words),
      h(
        'div',
        { class: 'pair' },
        button('It happened', { onclick: put(true) }),
        button('It did not', { onclick: put(false) }),
      ),
    )
  }
  return h(
    'div',
    null,
    note(
      'warn',
      'warn',
      h('strong', null, 'Unknown is not failed.'),
      ' Look at the target itself, then record what you found. Nothing is repeated by itself.',
    ),
    box,
  )
}
