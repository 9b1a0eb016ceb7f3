// @ts-check
/** Who may call under a name of its own, and taking the name away. */
import { get, post, Refusal } from '../api.js'
import { clock } from '../clock.js'
import { goBack, openDialog } from '../dialog.js'
import { h, one, repaint, toast } from '../dom.js'
import { role } from '../frame.js'
import { isLive } from '../live.js'
import { button, card, empty, heading, note, outcome, table } from '../parts.js'
import { nodes, plain } from '../text.js'
import { inTurn, unlessBusy } from '../turns.js'

export async function open() {
  const body = h('div')
  /** @type {() => Promise<void>} */
  const reload = inTurn(async () => repaint(body, list((await get('/api/clients')).items, reload)))
  await reload()
  return {
    title: 'Clients',
    body,
    onHappening: (/** @type {any} */ event) => {
      if (event.kind === 'agent' || event.kind === 'all') void reload().catch(() => {})
    },
  }
}

/** @param {any[]} clients @param {() => Promise<void>} reload */
function list(clients, reload) {
  return [
    heading('Clients', 'A named client proves itself by its token. Name one at a terminal: mcpaql client add NAME'),
    note(
      'calm',
      'audit',
      'Callers over HTTP without a token share the name anonymous, and processes on stdio the name stdio: what stops one of them stops all. serve --require-client refuses callers without a token.',
    ),
    clients.length === 0
      ? empty('No client has a name yet')
      : card('Named clients', { class: 'flush' }, clientTable(clients, reload)),
  ]
}

/** @param {any[]} clients @param {() => Promise<void>} reload */
function clientTable(clients, reload) {
  return table(
    'Named clients',
    ['Client', 'State', 'Approves in the client', 'Added', 'Last used', ''],
    clients.map((client) => [
      h('span', { class: 'mono' }, nodes(client.name, true)),
      client.active ? outcome('Active', 'good') : outcome('Revoked', 'bad'),
      client.elicitation ? 'Yes' : 'No',
      clock(client.created_at),
      client.last_used_at ? clock(client.last_used_at) : 'never',
      client.active && role() === 'admin'
        ? button('Revoke…', { class: 'small', icon: 'stop', onclick: () => askRevoke(client, reload) })
        : client.revoked_at
          ? clock(client.revoked_at)
          : '',
    ]),
  )
}

/** @param {any} client @param {() => Promise<void>} reload */
function askRevoke(client, reload) {
  const error = h('p', { class: 'error', role: 'alert' })
  const submit = unlessBusy(async () => {
    if (!isLive()) {
      error.textContent = 'Not connected. Decisions are off until it is back.'
      return
    }
    try {
      await post(`/api/clients/${client.id}/revoke`, {})
      dialog.close()
      toast(`${plain(client.name)} is revoked.`)
      await reload()
      one('#main h1')?.focus()
    } catch (refused) {
      error.textContent = refused instanceof Refusal ? refused.message : 'Something went wrong. Nothing has changed.'
    }
  })
  const dialog = openDialog(
    'Revoke this client?',
    [
      h('p', { class: 'restated' }, h('b', null, nodes(client.name))),
      h(
        'p',
        null,
        'Its next request is refused, its sessions and what they started end, and what it has asked is taken back. The name can be given again, with a new token.',
      ),
      error,
      note('calm', 'audit', 'This is recorded with your name.'),
    ],
    [goBack(), button('Revoke', { class: 'fill', id: 'yes', onclick: submit })],
  )
}
