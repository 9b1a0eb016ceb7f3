// @ts-check
/** Before signing in: how to get in, or the secret itself. */
import { post, Refusal } from '../api.js'
import { zoneName, zoneOffset } from '../clock.js'
import { h } from '../dom.js'
import { button, facts, note } from '../parts.js'
import { knownPass } from '../session.js'
import { unlessBusy } from '../turns.js'

/** @type {Record<string, () => Node | null>} */
const STATES = {
  start: () => null,
  exchange: () => note('calm', 'clock', 'Signing in…'),
  expired: () =>
    note(
      'bad',
      'warn',
      h('strong', null, 'This link has expired or was used.'),
      ' A link works once and for 60 seconds. Run the command again for a new one.',
    ),
  ended: () => note('warn', 'clock', h('strong', null, 'Your session has ended.'), ' Nothing was decided meanwhile.'),
  moved: () =>
    note(
      'warn',
      'clock',
      h('strong', null, 'The console was started again.'),
      ' It has a new address: run the command and follow its link. This tab leads nowhere any more.',
    ),
  out: () =>
    note('calm', 'check', h('strong', null, 'You have signed out.'), ' This tab keeps nothing of the session.'),
  unreachable: () =>
    note('bad', 'off', h('strong', null, 'The console does not answer.'), ' It may have been stopped.'),
}

/**
 * @param {string} state
 * @param {{signedIn: (session: any) => void, again: () => void}} acts
 */
export function loginPage(state, { signedIn, again }) {
  return h(
    'div',
    { class: 'login' },
    h(
      'main',
      { id: 'login' },
      h(
        'div',
        { class: 'brand big' },
        h('img', { src: '/icon.svg', alt: '', width: '32', height: '32' }),
        'mcpaql',
        h('span', null, 'console'),
      ),
      h('h1', { tabindex: '-1' }, 'Sign in to decide'),
      STATES[state]?.(),
      state === 'unreachable' ? button('Try again', { id: 'again', onclick: again }) : null,
      h('p', null, 'Type this in a terminal of your own, not one that an agent can use:'),
      h('pre', { class: 'command', tabindex: '0', 'aria-label': 'Command' }, 'mcpaql console'),
      h(
        'ol',
        { class: 'steps' },
        h('li', null, 'It asks for your operator secret.'),
        h('li', null, 'It opens this page with a link that works once, for 60 seconds.'),
      ),
      state === 'moved' ? null : secretForm(signedIn),
      facts(
        [
          ['Address', h('code', null, location.host)],
          ['Session', 'this tab only, 8 h at most, 30 min idle'],
          ['Times', zoneName() === zoneOffset() ? 'UTC' : `${zoneName()} (${zoneOffset()})`],
        ],
        'small',
      ),
    ),
  )
}

/** The field has no name and the form goes nowhere by itself: what is typed leaves in one call or not at all. @param {(session: any) => void} signedIn */
function secretForm(signedIn) {
  const trouble = h('p', { class: 'error', id: 'login-error', role: 'alert' })
  const input = h('input', {
    id: 'login-secret',
    type: 'password',
    autocomplete: 'off',
    maxlength: '1000',
    'aria-describedby': 'login-error login-note',
  })
  const submit = unlessBusy(async () => {
    const secret = input.value
    input.value = ''
    trouble.textContent = secret === '' ? 'Type the operator secret.' : 'One moment…'
    if (secret !== '') {
      const refused = await exchange({ secret, ...knownPass() }).then(signedIn, (why) => why)
      if (!(refused instanceof Error)) return
      trouble.textContent =
        refused instanceof Refusal ? (WORDS[refused.code] ?? refused.message) : 'Something went wrong.'
    }
    input.focus()
  })
  return h(
    'form',
    {
      class: 'field or',
      method: 'post',
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault()
        void submit()
      },
    },
    h('label', { for: 'login-secret' }, 'Or type your operator secret here'),
    h('div', { class: 'with-button' }, input, h('button', { class: 'btn', id: 'login-submit' }, 'Sign in')),
    trouble,
    h(
      'p',
      { class: 'muted', id: 'login-note' },
      'Compare the address with the one that ',
      h('code', null, 'mcpaql console'),
      ' prints: other pages of this computer can imitate this one. Each tab signs in by itself.',
    ),
  )
}

const WORDS = /** @type {Record<string, string>} */ ({
  unreachable: 'The console does not answer. The secret was not checked.',
})

const BUSY = { tries: 5, pauseMs: 500 }

/** While others guess, a try may have to be made again. @param {object} proof @returns {Promise<any>} */
async function exchange(proof, tries = 1) {
  try {
    return await post('/api/session', proof)
  } catch (refused) {
    if (!(refused instanceof Refusal) || refused.code !== 'busy' || tries >= BUSY.tries) throw refused
    await new Promise((resolve) => setTimeout(resolve, BUSY.pauseMs))
    return exchange(proof, tries + 1)
  }
}
