// @ts-check
/** The trail: search, whether it is whole, one record, and what was found out about an unknown outcome. */
import { get, post, Refusal } from '../api.js'
import { clock, number, plural } from '../clock.js'
import { h, icon, one } from '../dom.js'
import { downloadButton } from '../download.js'
import { role } from '../frame.js'
import { button, empty, facts, heading, LEVELS, levelTag, note, outcome } from '../parts.js'
import { prefs } from '../prefs.js'
import { nodes, value } from '../text.js'
import { inTurn, unlessBusy } from '../turns.js'

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

/**
 * The list as far as it was read, and the record that was open beside it, while only records are opened and closed.
 * @type {{query: string, items: any[], next: number | null, record: string | undefined} | undefined}
 */
let kept

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
  const paint = () => {
    const { items, next } = kept ?? { items: [], next: null }
    list.replaceChildren(...listParts(items, next, id, chain, older))
    count.textContent =
      items.length === 0 ? 'No record' : `${plural(items.length, 'record')}${next ? ', newest first' : ''}`
  }
  const load = async () => {
    const query = String(queryOf())
    kept = { query, record: id, ...(await get(`/api/audit?${query}`)) }
    paint()
  }
  const failed = (/** @type {Error} */ error) => {
    kept = undefined
    count.textContent = ''
    list.replaceChildren(note('bad', 'off', error.message))
  }
  const search = inTurn(() => load().catch(failed))
  const older = unlessBusy(async () => {
    const known = kept
    if (!known) return
    try {
      const page = await get(`/api/audit?${queryOf({ before: known.next })}`)
      if (kept !== known) return
      kept = { ...known, items: [...known.items, ...page.items], next: page.next }
      paint()
      one(`[data-row="${page.items[0]?.seq}"]`, list)?.focus()
    } catch (error) {
      one('.more', list)?.before(note('bad', 'off', /** @type {Error} */ (error).message))
    }
  })
  const before = kept?.query === String(queryOf()) ? kept : undefined
  const wasOpen = before?.record
  if (before) {
    kept = { ...before, record: id }
    paint()
  } else await load()
  const body = [
    heading(
      'Audit trail',
      'Every record names its predecessor by its hash. Reading parameters of a request is itself recorded.',
      h('span', { id: 'newer' }),
      downloadButton('Export', '/api/audit/export', 'mcpaql-audit.jsonl'),
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
    ...(before && {
      arrive: () => {
        if (record && innerWidth < 900) scrollTo(0, 0)
        if (record) one('.detail h2')?.focus({ preventScroll: true })
        else one(`[data-row="${wasOpen}"]`, list)?.focus()
      },
    }),
    onLeave: () => {
      if (!location.hash.startsWith('#/audit')) kept = undefined
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
  const run = () => void search()
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
    field('agent', 'Principal', { maxlength: '200', placeholder: 'whole name' }),
    field('source', 'Source', { maxlength: '200', placeholder: 'whole name' }),
    field('from', 'From', { type: 'datetime-local', step: '1' }),
    field('to', 'Until', { type: 'datetime-local', step: '1' }),
  )
}

/** @param {string} event */
function eventName(event) {
  return event.toLowerCase().replaceAll('_', ' ')
}

/** @param {any[]} items @param {number | null} next @param {string | undefined} open @param {any} chain @param {() => void} older @returns {Node[]} */
function listParts(items, next, open, chain, older) {
  if (items.length === 0) return [empty('No record matches')]
  const rows = items.map((item) => [breakLine(item, chain), recordRow(item, open, chain)])
  const more = button('Show older', { class: 'wide more', onclick: older })
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
    return note(
      'calm',
      'clock',
      `The chain of ${plural(chain.head, 'record')} is being verified. Come back in a moment.`,
    )
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
        : [
            ` Anchored outside the store up to ${number(chain.anchored_to)}`,
            chain.place ? [', in ', nodes(chain.place)] : null,
            chain.anchored_at ? [', ', clock(chain.anchored_at)] : null,
            `; ${plural(chain.head - chain.anchored_to, 'record')} after it.`,
          ]
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
    h(
      'div',
      { class: 'top' },
      h('h2', { tabindex: '-1' }, `Record ${number(record.seq)}`),
      h('a', { href: '#/audit' }, 'Close'),
    ),
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

/** @param {any} given */
function found({ seq, at, happened, by, note: words }) {
  return note(
    'good',
    'check',
    h('strong', null, `Found out: it ${happened ? 'happened' : 'did not happen'}.`),
    by ? [' By ', nodes(by)] : null,
    ', ',
    h('a', { href: `#/audit/${Number(seq)}` }, clock(at)),
    '.',
    words ? [' ', nodes(words)] : null,
  )
}

/** @param {any} record */
function finding({ seq, findings }) {
  const box = h('div', { role: 'status' })
  const put = unlessBusy(async (/** @type {boolean} */ happened) => {
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
  })
  const words = h('input', { id: 'note', maxlength: '500', autocomplete: 'off' })
  if (role() !== 'viewer') {
    box.append(
      h('label', { class: 'field' }, h('span', null, 'How you know'), words),
      h(
        'div',
        { class: 'pair' },
        button('It happened', { onclick: () => put(true) }),
        button('It did not', { onclick: () => put(false) }),
      ),
    )
  }
  return h(
    'div',
    null,
    findings.length > 0
      ? findings.map(found)
      : note(
          'warn',
          'warn',
          h('strong', null, 'Unknown is not failed.'),
          ' Look at the target itself, then record what you found. Nothing is repeated by itself.',
        ),
    findings.length > 0 && role() !== 'viewer' ? h('details', null, h('summary', null, 'It was otherwise'), box) : box,
  )
}
