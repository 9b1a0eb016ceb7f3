// @ts-check
/** How you are reached, and what these protections can and cannot do here, in plain words. */
import { get, remove } from '../api.js'
import { clock, number } from '../clock.js'
import { h, repaint } from '../dom.js'
import { paintStrip } from '../frame.js'
import { canNotify, setNotices } from '../notices.js'
import { button, card, facts, heading, note, outcome, table } from '../parts.js'
import { prefs, setPref } from '../prefs.js'
import { nodes } from '../text.js'

const CHANNELS = /** @type {Record<string, readonly [string, 'good' | 'ask' | 'bad' | '']>} */ ({
  available: ['Available', 'good'],
  partly: ['Partly', 'ask'],
  failed: ['Not available', 'bad'],
  off: ['Off', ''],
})

export async function open() {
  const [health, me] = await Promise.all([get('/api/health'), get('/api/session')])
  const body = h('div')
  const paint = () =>
    repaint(body, [
      heading('Health and settings', 'How you are reached, and what these protections can and cannot do here.'),
      separation(health.separation),
      channels(health.channels),
      h('div', { class: 'columns' }, server(health), you(me, paint)),
    ])
  paint()
  return { title: 'Health and settings', body }
}

/** @param {any} given */
function separation({ kind, store, here, why }) {
  const isSeparate = kind === 'separate'
  const lead = isSeparate
    ? 'The store belongs to another OS account than the agents.'
    : kind === 'same'
      ? 'The store belongs to the OS account that agents run under.'
      : 'It is not known which OS account owns the store.'
  return card(
    'OS separation',
    null,
    note(isSeparate ? 'good' : 'warn', isSeparate ? 'lock' : 'warn', h('strong', null, lead), ` ${why}`),
    isSeparate
      ? null
      : h(
          'p',
          { class: 'sub' },
          'An agent with a shell under that account could change the store, replace the program or watch the screen. What still holds: your secret is in no file, codes are never stored, and edits of the trail break its chain. To close the gap, run the server and this console under an account of their own.',
        ),
    store || here
      ? facts([store ? ['Store', h('code', null, store)] : null, here ? ['This console', h('code', null, here)] : null])
      : null,
  )
}

/** @param {any[]} items */
function channels(items) {
  if (items.length === 0)
    return card(
      'Channels to a person',
      null,
      note(
        'calm',
        'health',
        'No server has said which channels it has. This console and the operator’s terminal can decide.',
      ),
    )
  return card(
    'Channels to a person',
    { class: 'flush' },
    table(
      'Channels',
      ['Channel', 'State', 'May approve', 'Source', 'Notes'],
      items.map(({ name, state, classes, source, note: words }) => {
        const [word, tone] = CHANNELS[state] ?? [state, '']
        return [
          nodes(name, true),
          outcome(word, tone),
          classes.length === 0 ? 'nothing' : classes.join(', '),
          nodes(source, true),
          words ? nodes(words) : '',
        ]
      }),
    ),
  )
}

/** @param {any} health */
function server({ version, store, modes }) {
  return card(
    'Server',
    null,
    store.trouble ? note('bad', 'warn', store.trouble) : null,
    facts([
      version ? ['Version', version] : null,
      ['Store', [store.kind, ' ', h('code', null, nodes(store.place))]],
      ['Audit records', h('a', { href: '#/audit' }, number(store.entries))],
      ...(modes.length === 0
        ? [['Servers', 'none has been seen']]
        : modes.map((/** @type {any} */ { source, mode, updated_at }) => [
            nodes(source),
            [`safety ${mode}, seen `, clock(updated_at)],
          ])),
    ]),
  )
}

/** @param {any} me @param {() => void} repaintTimes */
function you(me, repaintTimes) {
  const refused = h('p', { class: 'error', role: 'alert' })
  return card(
    'You',
    null,
    facts([
      ['Signed in', `${me.operator}, ${me.role}`],
      ['Since', clock(me.since)],
      ['Ends', [clock(me.expires_at), ', or after 30 min idle']],
    ]),
    h(
      'div',
      { class: 'prefs' },
      check('Show times in UTC', prefs.utc, (on) => {
        setPref('utc', on)
        paintStrip()
        repaintTimes()
      }),
      check('Single-key shortcuts', prefs.keys, (on) => setPref('keys', on)),
      canNotify()
        ? check('Browser notices while nobody looks here, without content', prefs.notices, async (on, box) => {
            const isSet = await setNotices(on)
            box.checked = prefs.notices
            refused.textContent = isSet ? '' : 'The browser does not allow notices from this page.'
          })
        : null,
      refused,
      button('Sign out everywhere', {
        class: 'small',
        onclick: async () => {
          await remove('/api/session', { everywhere: true }).catch(() => {})
          location.reload()
        },
      }),
    ),
  )
}

/** @param {string} label @param {boolean} isOn @param {(on: boolean, box: HTMLInputElement) => void} set */
function check(label, isOn, set) {
  const input = h('input', {
    type: 'checkbox',
    checked: isOn,
    onchange: (/** @type {any} */ event) => set(event.target.checked, event.target),
  })
  return h('label', { class: 'check' }, input, label)
}
