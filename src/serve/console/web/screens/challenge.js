// @ts-check
/** OOB-07: a code, shown once, for 60 seconds, to whoever has just typed the secret. It lives in the groups on the page and is gone with them. */
import { get, post, Refusal } from '../api.js'
import { clock, serverNow } from '../clock.js'
import { askSecret, closeDialogs } from '../dialog.js'
import { address, h, icon, one, say } from '../dom.js'
import { role } from '../frame.js'
import { isLive } from '../live.js'
import { button, card, facts, heldTag, historyList, note, tag, timer, whence } from '../parts.js'
import { nodes, value } from '../text.js'

/** @param {string | undefined} id */
export async function open(id) {
  /** @type {any} */
  let challenge = await get(`/api/challenges/${id}`)
  const box = h('div', { class: 'code-box' })
  let hideAt = 0

  const paint = () => box.replaceChildren(...[STATES[challenge.state]?.(challenge, reveal)].flat(9).filter(Boolean))

  /** Leaving, hiding or time-out ends it for good. */
  const hide = () => {
    if (hideAt === 0) return
    hideAt = 0
    box.replaceChildren()
    paint()
  }

  const reveal = () => {
    if (!isLive() || role() === 'viewer' || challenge.state !== 'waiting') return
    askSecret('Show the code?', `challenge:${id}`, 'Show the code', show)
  }

  const show = async (/** @type {string} */ proof) => {
    try {
      const { groups, shown_until } = await post(`/api/challenges/${id}/reveal`, { reauth_id: proof })
      challenge = { ...challenge, state: 'shown', shown_by: null, shown_at: serverNow() }
      hideAt = shown_until
      box.replaceChildren(...codeParts(groups, hide))
      one('#hide')?.focus()
    } catch (refused) {
      const words = refused instanceof Refusal ? refused.message : 'The code could not be shown.'
      challenge = await get(`/api/challenges/${id}`).catch(() => challenge)
      paint()
      box.prepend(note('bad', 'warn', words))
      say(words)
    }
  }

  const whenHidden = () => document.hidden && hide()
  document.addEventListener('visibilitychange', whenHidden)
  paint()
  return {
    title: 'Verification',
    body: page(challenge, box),
    onHappening: async (/** @type {any} */ event) => {
      if (event.id !== id && event.kind !== 'all') return
      challenge = await get(`/api/challenges/${id}`, { idle: true }).catch(() => challenge)
      if (hideAt === 0) paint()
    },
    onConnection: () => {
      if (hideAt === 0) paint()
    },
    onTick: () => {
      const left = one('#code-left', box)
      if (hideAt > 0 && left) left.textContent = `${Math.max(0, Math.ceil((hideAt - serverNow()) / 1000))} s`
      if (hideAt > 0 && serverNow() >= hideAt) hide()
      const isOpen = challenge.state === 'waiting' || challenge.state === 'shown'
      if (isOpen && serverNow() > challenge.expires_at) {
        challenge = { ...challenge, state: 'expired' }
        hideAt = 0
        closeDialogs()
        paint()
      }
    },
    onLeave: () => {
      hideAt = 0
      box.replaceChildren()
      document.removeEventListener('visibilitychange', whenHidden)
    },
  }
}

/** @param {readonly string[]} groups @param {() => void} hide */
function codeParts(groups, hide) {
  const spelled = groups.map((group) => group.split('').join(' ')).join(', ')
  return [
    h(
      'p',
      { class: 'code', role: 'img', 'aria-label': `Code: ${spelled}` },
      groups.map((group) => h('span', null, group)),
    ),
    h('p', { class: 'centred' }, 'Hidden in ', h('span', { class: 'num', id: 'code-left' }, '60 s')),
    button('Hide now', { id: 'hide', class: 'wide', onclick: hide }),
    h('p', { class: 'muted' }, 'Type it where the agent asks for it. It works once.'),
  ]
}

/** @type {Record<string, (challenge: any, reveal: () => void) => any>} */
const STATES = {
  waiting: (_, reveal) => {
    const isOff = !isLive() || role() === 'viewer'
    return [
      h(
        'p',
        { class: 'code mask', 'aria-hidden': 'true' },
        Array.from({ length: 7 }, () => h('span', null, '••••')),
      ),
      button('Show the code…', {
        id: 'reveal',
        class: 'fill wide',
        icon: 'eye',
        'aria-disabled': isOff ? 'true' : null,
        onclick: reveal,
      }),
      h(
        'p',
        { class: 'muted' },
        role() === 'viewer'
          ? 'Your role cannot show codes.'
          : 'It asks for your secret. The code is made then, shown once, for 60 seconds. Make sure nobody looks over your shoulder.',
      ),
    ]
  },
  shown: ({ shown_by, shown_at }) => [
    h('h3', null, 'The code was shown'),
    shown_by ? h('p', null, 'To ', nodes(shown_by), ', ', clock(shown_at), '.') : null,
    h('p', null, 'It cannot be shown again. It stays valid until it is used once, rightly or wrongly, or expires.'),
  ],
  verified: () => [h('h3', null, 'Used'), h('p', null, 'The right code was typed. The agent may do this one action.')],
  failed: () => [h('h3', null, 'Burnt'), h('p', null, 'A wrong code was typed. The agent stays stopped.')],
  undeliverable: () => [
    h('h3', null, 'Not deliverable'),
    h('p', null, 'No channel could show the code. The next call of the agent makes a new challenge.'),
  ],
  expired: () => [
    h('h3', null, 'Expired'),
    h('p', null, 'The agent stays stopped. Its next call makes a new challenge, five in 10 minutes at most.'),
  ],
  void: () => [
    h('h3', null, 'No longer valid'),
    h('p', null, 'The server that made it has ended. The agent’s next call makes a new one.'),
  ],
}

/** @param {any} challenge @param {Node} box */
function page(challenge, box) {
  const { agent, hint, score, tier, factors, history } = challenge
  return [
    h('nav', { class: 'crumbs', 'aria-label': 'Position' }, h('a', { href: '#/inbox' }, icon('back'), 'Inbox')),
    h(
      'div',
      { class: 'request challenge' },
      h(
        'div',
        { class: 'column' },
        h(
          'section',
          { class: 'summary l4', 'aria-label': 'Summary' },
          h(
            'div',
            { class: 'tags' },
            heldTag(challenge.trigger),
            tag(`risk ${score} of 100`),
            tag(`tier ${tier.replaceAll('_', ' ')}`),
          ),
          h('h1', { tabindex: '-1' }, nodes(agent.name), ' wants to do this'),
          h(
            'div',
            { class: 'hint', tabindex: '0', role: 'region', 'aria-label': 'Full text of the action' },
            value(hint),
          ),
          h('p', { class: 'muted' }, 'In the words of the agent, complete, as judged.'),
          facts(
            [
              [
                'Who asks',
                [
                  h('a', { href: address('agents', agent.id) }, nodes(agent.name)),
                  h('span', { class: 'muted' }, ' ', whence(agent)),
                ],
              ],
              [
                'State',
                tier === 'verify' ? 'Paused until the code is typed' : 'Blocked, in every session and on every node',
              ],
              ['If the code is typed', 'The agent goes on, and this one action may run once'],
              ['Other way out', 'An administrator unblocks it, with a reason; that allows no action'],
            ],
            'two',
          ),
        ),
        factors.length > 0
          ? card(
              'Why it was stopped',
              null,
              h(
                'ul',
                { class: 'reasons plain' },
                factors.map((/** @type {any} */ text) => h('li', null, nodes(text))),
              ),
            )
          : null,
        card(
          'Recent history',
          null,
          h('p', { class: 'sub' }, 'Of ', nodes(agent.principal), ', newest first.'),
          historyList(history),
        ),
      ),
      h(
        'aside',
        { class: 'decide in-place', 'aria-label': 'Verification code' },
        h(
          'div',
          { class: 'top' },
          h('h2', null, 'Verification code'),
          timer(challenge.issued_at, challenge.expires_at),
        ),
        box,
        h('p', { class: 'muted' }, 'To refuse, do nothing: the agent stays stopped.'),
      ),
    ),
  ]
}
