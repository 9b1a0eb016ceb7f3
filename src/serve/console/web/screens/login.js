// @ts-check
/** Before signing in. The page never asks for the secret. */
import { minutes, serverNow, zoneName, zoneOffset } from '../clock.js'
import { h } from '../dom.js'
import { facts, note } from '../parts.js'

/** @type {Record<string, (retryAt?: number) => Node | null>} */
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
  locked: (retryAt) =>
    note(
      'bad',
      'clock',
      h('strong', null, 'Too many failed sign-ins.'),
      ` The next try is possible in ${minutes((retryAt ?? 0) - serverNow())}. The failures are in the audit trail.`,
    ),
  unreachable: () =>
    note('bad', 'off', h('strong', null, 'The console does not answer.'), ' It may have been stopped.'),
}

/** @param {string} state @param {number} [retryAt] */
export function loginPage(state, retryAt) {
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
      STATES[state]?.(retryAt),
      h('p', null, 'Type this in a terminal of your own, not one that an agent can use:'),
      h('pre', { class: 'command', tabindex: '0', 'aria-label': 'Command' }, 'mcpaql console'),
      h(
        'ol',
        { class: 'steps' },
        h('li', null, 'It asks for your operator secret.'),
        h('li', null, 'It opens this page with a link that works once, for 60 seconds.'),
      ),
      h(
        'p',
        { class: 'muted' },
        'This page never asks for the secret to sign in, and no agent or log is given a link.',
      ),
      facts(
        [
          ['Address', h('code', null, location.host)],
          ['Session', '8 h at most, 30 min idle'],
          ['Times', zoneName() === zoneOffset() ? 'UTC' : `${zoneName()} (${zoneOffset()})`],
        ],
        'small',
      ),
    ),
  )
}
