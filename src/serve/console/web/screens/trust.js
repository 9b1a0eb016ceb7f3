// @ts-check
/** How far one source is trusted: where it comes from, what has changed since, and the change of it. */
import { post, Refusal } from '../api.js'
import { clock, plural } from '../clock.js'
import { goBack, openDialog, secretField } from '../dialog.js'
import { h, one, toast } from '../dom.js'
import { role } from '../frame.js'
import { isLive } from '../live.js'
import { button, card, diffLine, facts, note, table, trustTag } from '../parts.js'
import { nodes, value } from '../text.js'
import { unlessBusy } from '../turns.js'

/** @param {any} source @param {() => Promise<void>} reload */
export function trustCard(source, reload) {
  const { trust, claim, why, version, hash, ladder, levels, mode, from } = source
  const now = ladder.indexOf(trust)
  return card(
    'Trust',
    null,
    h(
      'ol',
      { class: 'ladder' },
      ladder.map((/** @type {string} */ level, /** @type {number} */ at) =>
        h(
          'li',
          { class: at === now ? 'now' : at < now ? 'past' : '', 'aria-current': at === now ? 'step' : null },
          words(level),
        ),
      ),
    ),
    facts([
      why ? ['Comes from', nodes(why)] : null,
      claim ? ['The source claims', [nodes(claim), h('span', { class: 'muted' }, ', not verified')]] : null,
      ['Version', nodes(version)],
      ['Content', h('code', { class: 'hash' }, hash)],
      ['Safety mode', mode],
    ]),
    levels.length === 0
      ? h(
          'p',
          { class: 'muted' },
          from === 'program' ? FIXED : 'The server of this source is too old to change it here.',
        )
      : role() === 'admin'
        ? button('Change trust…', { class: 'small', onclick: () => askTrust(source, reload) })
        : h('p', { class: 'muted' }, 'An administrator can change it.'),
  )
}

const FIXED = 'The program that serves this source has fixed its trust. It cannot be changed from here.'

const WHATS = /** @type {Record<string, string>} */ ({ changed: 'Changed', added: 'New', removed: 'Gone' })

/** What is not as it was when the operator trusted the source. @param {any} source */
export function driftCard({ changes, trust }) {
  if (changes.length === 0) return null
  return card(
    'Changed since it was trusted',
    null,
    note(
      'warn',
      'warn',
      `${plural(changes.length, 'operation')} differ from what was trusted as ${words(trust)}. What is changed or new counts as generated at most, until you set the trust again.`,
    ),
    changes.map((/** @type {any} */ { operation, what, fields }) =>
      h(
        'section',
        { class: 'drifted' },
        h('h3', null, h('span', { class: 'op' }, nodes(operation)), ` ${WHATS[what] ?? what}`),
        fields.map((/** @type {any} */ { path, lines }) =>
          h(
            'div',
            { class: 'diff' },
            h('div', { class: 'path' }, h('code', null, nodes(path))),
            h('div', { class: 'lines' }, lines.map(diffLine)),
          ),
        ),
      ),
    ),
  )
}

/** @param {any} source */
export function trustHistory({ history }) {
  if (history.length === 0) return null
  const rows = history.map((/** @type {any} */ { from, to, at, by, reason }) => [
    clock(at),
    words(from),
    trustTag(to),
    nodes(by, true),
    value(reason),
  ])
  return card('How it came to this', { class: 'flush' }, table('Changes of trust', HEADS, rows))
}

const HEADS = ['When', 'From', 'To', 'By', 'Reason']

const SHORTEST_REASON = 10

/** By then a running server has taken it in, and says what each operation makes of it. */
const FOLLOWED_MS = 1_500

const MEANINGS = /** @type {Record<string, string>} */ ({
  untested: 'nothing but introspection runs',
  generated: 'reads run, nothing else',
  validated: 'writes run, what destroys asks a person',
})

/** The secret, the level, a reason; the content that was shown goes with it. @param {any} source @param {() => Promise<void>} reload */
function askTrust(source, reload) {
  const { id, name, trust, hash, levels, changes } = source
  const error = h('p', { class: 'error', role: 'alert', id: 'trust-error' })
  const level = h(
    'select',
    { id: 'level' },
    levels.map((/** @type {string} */ each) =>
      h('option', { value: each, selected: each === trust }, `${words(each)}: ${MEANINGS[each] ?? ''}`),
    ),
  )
  const reason = h('textarea', { id: 'why', rows: '3', maxlength: '500', 'aria-describedby': 'trust-error' })
  const secret = secretField(`trust:${id}`)
  const submit = unlessBusy(async () => {
    if (!isLive()) {
      error.textContent = 'Not connected. Decisions are off until it is back.'
      return
    }
    if (reason.value.trim().length < SHORTEST_REASON) {
      error.textContent = `Give a reason of at least ${SHORTEST_REASON} characters.`
      reason.focus()
      return
    }
    error.textContent = ''
    const proof = await secret.prove()
    if (proof === undefined) return
    const body = { level: level.value, hash, reason: reason.value.trim(), reauth_id: proof }
    try {
      const { state } = await post(`/api/sources/${id}/trust`, body)
      dialog.close()
      toast(state === 'same' ? 'It was trusted so already.' : `The source is trusted as ${words(level.value)}.`)
      await reload()
      one('#main h1')?.focus()
      setTimeout(() => void reload().catch(() => {}), FOLLOWED_MS)
    } catch (refused) {
      error.textContent = refused instanceof Refusal ? refused.message : 'Something went wrong. Nothing has changed.'
    }
  })
  const dialog = openDialog(
    'Change trust?',
    [
      h('p', { class: 'restated' }, h('b', null, nodes(name))),
      changes.length > 0
        ? note('warn', 'warn', `This accepts the source as it is now, with ${plural(changes.length, 'change')}.`)
        : null,
      h('div', { class: 'field' }, h('label', { for: 'level' }, 'Trust'), level),
      h('div', { class: 'field' }, h('label', { for: 'why' }, 'Reason, written to the audit trail'), reason, error),
      secret.element,
      note('calm', 'audit', 'This is recorded with your name. What waits for approval is taken back.'),
    ],
    [goBack(), button('Change trust', { class: 'fill', id: 'yes', onclick: submit })],
  )
}

/** @param {string} level */
function words(level) {
  return level.replaceAll('_', ' ')
}
