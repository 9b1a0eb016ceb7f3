// @ts-check
/** Who acts, and who is stopped. */
import { get, post, Refusal } from '../api.js'
import { clock, number, plural, serverNow, span } from '../clock.js'
import { goBack, openDialog, secretField } from '../dialog.js'
import { address, h, icon, one, repaint, toast } from '../dom.js'
import { role } from '../frame.js'
import { isLive } from '../live.js'
import { button, card, claim, empty, facts, heading, historyList, note, outcome, table } from '../parts.js'
import { nodes, plain, value } from '../text.js'
import { inTurn, unlessBusy } from '../turns.js'

const STATES = /** @type {Record<string, readonly [string, 'good' | 'ask' | 'bad' | '']>} */ ({
  blocked: ['Blocked', 'bad'],
  waiting: ['Waiting for you', 'ask'],
  active: ['Active', 'good'],
  idle: ['Idle', ''],
})

/** @param {string | undefined} id */
export async function open(id) {
  const body = h('div')
  /** @returns {Promise<any[]>} */
  const load = async () => (id === undefined ? list(reload) : agentPage(await get(`/api/agents/${id}`), reload))
  /** @type {() => Promise<void>} */
  const reload = inTurn(async () => repaint(body, await load()))
  await reload()
  return {
    title: id === undefined ? 'Agents and blocks' : 'Agent',
    body,
    onHappening: (/** @type {any} */ event) => {
      if (event.kind === 'agent' || event.kind === 'all') void reload().catch(() => {})
    },
  }
}

/** @param {() => Promise<void>} reload */
async function list(reload) {
  const [{ items: agents }, { items: blocks }] = await Promise.all([get('/api/agents'), get('/api/blocks')])
  const open = blocks.filter((/** @type {any} */ block) => block.lifted_at === null)
  const lifted = blocks.filter((/** @type {any} */ block) => block.lifted_at !== null)
  return [
    heading('Agents and blocks', 'New sessions, new names and restarts do not escape a block.'),
    open.length > 0
      ? h(
          'section',
          { class: 'blocks', 'aria-label': 'Blocked agents' },
          h('h2', null, `Blocked (${open.length})`),
          open.map((/** @type {any} */ block) => blockPart(block, reload)),
        )
      : null,
    agents.length === 0
      ? empty('Nobody was here in the last 24 hours')
      : card('Agents of the last 24 hours', { class: 'flush' }, agentTable(agents)),
    lifted.length > 0 ? card('Lifted', { class: 'flush' }, liftedTable(lifted)) : null,
  ]
}

/** @param {any[]} agents */
function agentTable(agents) {
  return table(
    'Agents',
    ['Agent', 'State', 'Principal', 'Asked', 'Approved', 'Denied', 'Ran', 'Last seen'],
    agents.map(({ id, name, state, principal, day, last_seen_at }) => [
      h('a', { href: address('agents', id), data: { row: id } }, nodes(name, true)),
      stateTag(state),
      h('span', { class: 'mono' }, nodes(principal, true)),
      number(day.asked),
      number(day.approved),
      number(day.denied),
      number(day.ran),
      last_seen_at > 0 ? clock(last_seen_at) : 'never',
    ]),
  )
}

/** @param {any[]} blocks */
function liftedTable(blocks) {
  return table(
    'Lifted blocks',
    ['Agent', 'Lifted', 'By', 'Reason'],
    blocks
      .slice(0, 20)
      .map(({ name, lifted_at, lifted_by, lifted_reason }) => [
        nodes(name, true),
        clock(lifted_at),
        lifted_by ? nodes(lifted_by, true) : '',
        lifted_reason ? value(lifted_reason) : 'The code was typed',
      ]),
  )
}

/** @param {string} state */
function stateTag(state) {
  const [word, tone] = STATES[state] ?? [state, '']
  return outcome(word, tone)
}

const TRIGGERS = /** @type {Record<string, string>} */ ({
  danger_zone: 'Danger zone',
  deny: 'Matches a deny pattern',
  operator: 'Stopped by an operator',
})

const HOLDS = Object.freeze({
  operator: 'Holds in every safety mode, for everything of the principal.',
  loop: 'Holds where the safety loop is enforcing; in a weaker mode it is kept and not applied.',
})

/** @param {any} block @param {() => Promise<void>} reload */
function blockPart(block, reload) {
  const { id, name, principal, trigger, hint, score, since, by, reason, challenge } = block
  const label = plain(name)
  const hasHint = hint.segments.length > 0
  return h(
    'article',
    { class: 'block' },
    h(
      'div',
      { class: 'block-head' },
      icon('stop'),
      h('h3', null, nodes(name)),
      h('span', { class: 'muted' }, nodes(principal)),
      h('span', { class: 'grow' }),
      h('span', { class: 'muted' }, 'since ', clock(since), ` (${span(serverNow() - since)})`),
    ),
    hasHint
      ? h('div', { class: 'hint', tabindex: '0', role: 'region', 'aria-label': `Action of ${label}` }, value(hint))
      : null,
    h(
      'p',
      { class: 'block-why' },
      h('strong', null, TRIGGERS[trigger] ?? trigger),
      score === null ? '' : `, risk ${score} of 100`,
      by ? [', by ', nodes(by)] : null,
      reason ? ['. ', nodes(reason)] : '.',
    ),
    h('p', { class: 'muted' }, HOLDS[trigger === 'operator' ? 'operator' : 'loop']),
    h(
      'div',
      { class: 'acts' },
      h('a', { class: 'btn small', href: address('agents', id) }, 'History'),
      challenge ? h('a', { class: 'btn small', href: address('c', challenge) }, 'Verification code') : null,
      role() === 'admin' ? button('Unblock…', { class: 'small', onclick: () => askUnblock(block, reload) }) : null,
    ),
  )
}

/** @param {any} agent @param {() => Promise<void>} reload @returns {any[]} */
function agentPage(agent, reload) {
  const { name, principal, session, client, connections, execution, state, last_seen_at, day, history, blocks } = agent
  const isBlocked = blocks.some((/** @type {any} */ block) => block.lifted_at === null)
  const stop =
    isBlocked || role() === 'viewer'
      ? null
      : button('Stop this agent…', { class: 'small', icon: 'stop', onclick: () => askBlock(agent, reload) })
  return [
    h(
      'nav',
      { class: 'crumbs', 'aria-label': 'Position' },
      h('a', { href: '#/agents' }, icon('back'), 'Agents and blocks'),
    ),
    heading(plain(name), stateTag(state), stop),
    blocks
      .filter((/** @type {any} */ block) => block.lifted_at === null)
      .map((/** @type {any} */ block) => blockPart(block, reload)),
    card(
      'Identity',
      null,
      facts([
        ['Principal', h('span', { class: 'mono' }, nodes(principal))],
        ['Session', h('span', { class: 'mono' }, nodes(session))],
        execution
          ? ['Execution', `${plural(execution.steps, 'step')}, ${number(execution.alone)} since a person last looked`]
          : null,
        [
          'Last 24 hours',
          `${number(day.asked)} asked, ${number(day.approved)} approved, ${number(day.denied)} denied, ${number(day.ran)} ran`,
        ],
        ['Last seen', last_seen_at > 0 ? clock(last_seen_at) : 'never'],
      ]),
    ),
    client || execution?.goal
      ? card(
          'What it says',
          null,
          client ? claim('The client calls itself', client) : null,
          execution?.goal ? claim('Its goal', execution.goal) : null,
        )
      : null,
    connections.length > 0 ? card('Connections', { class: 'flush' }, connectionTable(connections)) : null,
    card('History', null, historyList(history)),
  ]
}

/** @param {any[]} connections */
function connectionTable(connections) {
  return table(
    'Connections of the last 24 hours',
    ['Session', 'You call it', 'It calls itself (not verified)', 'Last seen'],
    connections.map(({ session, label, says, last_seen_at }) => [
      h('span', { class: 'mono' }, nodes(session, true)),
      label ? nodes(label, true) : '',
      says ? nodes(says, true) : '',
      clock(last_seen_at),
    ]),
  )
}

/** @param {any} agent @param {() => Promise<void>} reload */
function askBlock(agent, reload) {
  ask({
    title: 'Stop this agent?',
    label: 'Stop the agent',
    words: [
      h('p', { class: 'restated' }, h('b', null, nodes(agent.name))),
      h('p', null, `${agent.effect} An administrator can unblock it.`),
      agent.shared ? h('p', null, agent.shared) : null,
    ],
    send: (reason) => post(`/api/agents/${agent.id}/block`, { reason }),
    done: 'stopped',
    reload,
  })
}

/** @param {any} block @param {() => Promise<void>} reload */
function askUnblock(block, reload) {
  ask({
    title: 'Unblock this agent?',
    label: 'Unblock',
    words: [
      h('p', { class: 'restated' }, h('b', null, nodes(block.name))),
      block.hint.segments.length > 0 ? h('div', { class: 'hint' }, value(block.hint)) : null,
      h('p', null, 'Unblocking allows no action. The agent may start again, and everything it does is judged anew.'),
    ],
    purpose: `block:${block.id}`,
    send: (reason, proof) => post(`/api/blocks/${block.id}/lift`, { reason, reauth_id: proof }),
    done: 'unblocked',
    reload,
  })
}

const SHORTEST_REASON = 10

/**
 * A question with a reason, and with the secret where it has a purpose.
 * @param {{title: string, label: string, words: any, purpose?: string, send: (reason: string, proof?: string) => Promise<any>, done: string, reload: () => Promise<void>}} question
 */
function ask({ title, label, words, purpose, send, done, reload }) {
  const error = h('p', { class: 'error', role: 'alert', id: 'reason-error' })
  const reason = h('textarea', { id: 'why', rows: '3', maxlength: '500', 'aria-describedby': 'reason-error' })
  const secret = purpose === undefined ? undefined : secretField(purpose)
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
    const proof = secret ? await secret.prove() : undefined
    if (secret && proof === undefined) return
    try {
      await send(reason.value.trim(), proof)
      dialog.close()
      toast(`The agent is ${done}.`)
      await reload()
      one('#main h1')?.focus()
    } catch (refused) {
      error.textContent = refused instanceof Refusal ? refused.message : 'Something went wrong. Nothing has changed.'
    }
  })
  const dialog = openDialog(
    title,
    [
      words,
      h('div', { class: 'field' }, h('label', { for: 'why' }, 'Reason, written to the audit trail'), reason, error),
      secret?.element,
      note('calm', 'audit', 'This is recorded with your name.'),
    ],
    [goBack(), button(label, { class: 'fill', id: 'yes', onclick: submit })],
  )
}
