// @ts-check
/** What the operator can do with a request, as it stands. The server checks all of it again. */
import { clock, minutes, number, serverNow } from '../clock.js'
import { h, icon } from '../dom.js'
import { role } from '../frame.js'
import { isLive } from '../live.js'
import { button, timer } from '../parts.js'
import { nodes } from '../text.js'

const CLASSES = /** @type {Record<string, string>} */ ({
  C1: 'Any approval channel may decide this.',
  C2: 'Console, terminal or another principal only: it must be seen in full.',
  C3: 'An administrator, here or on the terminal, after typing the secret again.',
})

const DEAD_MS = 1_000
const DOWNLOAD_BYTES = 65_536

/**
 * What the operator has seen of this version, since when it is on the screen, and whether a decision is on its way.
 * @typedef {{ends: Set<string>, downloaded: boolean, since: number, isSent: boolean}} Seen
 */

/** Why approve does not work yet; empty when it does. @param {any} request @param {Seen} seen */
export function gateOf({ params, params_bytes }, { ends, downloaded, since, isSent }) {
  if (isSent) return 'Your decision is on its way.'
  if (!isLive()) return 'Not connected. Decisions are off until it is back.'
  if (window.top !== window) return 'This page is inside another one. Open it by itself.'
  if (params_bytes > DOWNLOAD_BYTES && !downloaded) return 'Download the parameters first: they are long.'
  if (ends.size < params.length) return `Read every value to its end first: ${ends.size} of ${params.length}.`
  if (document.hidden || Date.now() - since < DEAD_MS) return 'One moment: this has only just appeared.'
  return ''
}

/**
 * @param {any} request
 * @param {Seen} seen
 * @param {{approve: (isSession: boolean) => void, deny: () => void, takeBack: () => void}} acts
 * @returns {Node[]}
 */
export function panelParts(request, seen, acts) {
  const parts = PARTS[request.state] ?? PARTS.expired
  return (parts?.(request, seen, acts) ?? []).flat(9).filter(Boolean)
}

/** @type {Record<string, (request: any, seen: any, acts: any) => any[]>} */
const PARTS = { pending, approved, denied, consumed, revoked, expired }

/** @param {any} request @param {any} seen @param {any} acts */
function pending(request, seen, acts) {
  const top = h(
    'div',
    { class: 'top' },
    h('h2', { tabindex: '-1' }, 'Decision'),
    timer(request.issued_at, request.expires_at),
  )
  if (role() === 'viewer')
    return [top, h('p', null, 'You have the viewer role. An approver or administrator can decide this.')]
  const why = gateOf(request, seen)
  const lacksAdmin = request.class === 'C3' && role() !== 'admin'
  const gated = { 'aria-describedby': 'gate', 'aria-disabled': why === '' ? null : 'true', data: { gated: '' } }
  const { allowed, max_uses } = request.session_scope
  return [
    top,
    h(
      'p',
      { class: `gate ${why === '' ? 'ok' : ''}`, id: 'gate', role: 'status' },
      icon(why === '' ? 'check' : 'eye'),
      h('span', null, why || 'You have seen every value.'),
    ),
    h(
      'div',
      { class: 'pair' },
      button('Deny', { id: 'deny', key: 'd', 'aria-disabled': canAct(seen) ? null : 'true', onclick: acts.deny }),
      lacksAdmin
        ? null
        : button(request.requires_reauth ? 'Approve once…' : 'Approve once', {
            id: 'approve',
            key: 'a',
            class: `yes l${request.level}`,
            ...gated,
            onclick: () => acts.approve(false),
          }),
    ),
    lacksAdmin ? h('p', null, 'Only an administrator can approve class C3. You can deny it.') : null,
    allowed
      ? button(`Allow this exact call for the session, ${max_uses} times at most`, {
          id: 'approve-session',
          class: 'link wrap',
          ...gated,
          onclick: () => acts.approve(true),
        })
      : h(
          'p',
          { class: 'muted roomy-only' },
          'This is asked for every single call; it cannot be allowed for a session.',
        ),
    h(
      'p',
      { class: 'muted roomy-only' },
      h('strong', null, `Class ${request.class}. `),
      CLASSES[request.class] ?? '',
      request.cooldown_seconds > 0 ? ` Cooldown of ${request.cooldown_seconds} s after approval.` : '',
    ),
    request.denials.count > 0
      ? h(
          'p',
          { class: 'muted roomy-only' },
          `Denied ${request.denials.count} of ${request.denials.most} times in this session; then it is refused without asking.`,
        )
      : null,
  ]
}

/** @param {Seen} seen */
function canAct({ isSent }) {
  return isLive() && !isSent
}

/** @param {any} request @param {any} seen @param {any} acts */
function approved(request, seen, acts) {
  const { decisions, cooldown_until, expires_at, max_uses, use_count } = request
  const last = decisions.at(-1)
  const isCooling = cooldown_until !== null && cooldown_until > serverNow()
  const uses = max_uses > 1 ? ` Used ${number(use_count)} of ${number(max_uses)} times.` : ''
  return [
    h('h2', { tabindex: '-1' }, icon('check'), last?.scope === 'session' ? 'Allowed for the session' : 'Approved once'),
    who(last),
    isCooling
      ? h(
          'p',
          { data: { cooldown: String(cooldown_until) } },
          'Cooldown: the agent can use it from ',
          clock(cooldown_until),
          ' on, in ',
          h('span', { class: 'num' }, minutes(cooldown_until - serverNow())),
          '.',
        )
      : h('p', null, 'Waiting for the agent to use it. Not used by ', clock(expires_at), ' means refused.', uses),
    role() === 'viewer'
      ? null
      : button('Take it back', {
          class: 'wide',
          icon: 'cross',
          onclick: acts.takeBack,
          'aria-disabled': canAct(seen) ? null : 'true',
        }),
    h('p', { class: 'muted' }, 'Possible until the agent has used it.'),
  ]
}

/** @param {any} request */
function denied({ decisions }) {
  const last = decisions.at(-1)
  return [
    h('h2', { tabindex: '-1' }, icon('cross'), 'Denied'),
    who(last),
    last?.reason ? h('p', null, 'Reason: ', nodes(last.reason)) : null,
    last?.tell_agent ? h('p', null, 'The agent is told: ', nodes(last.tell_agent)) : null,
    h('p', { class: 'muted' }, 'Nothing ran. The same call is refused for the rest of this session.'),
  ]
}

/** @param {any} request */
function consumed({ decisions, consumed_at, outcome, use_count, max_uses }) {
  return [
    h('h2', { tabindex: '-1' }, icon('check'), 'Used'),
    who(decisions.at(-1)),
    consumed_at ? h('p', null, 'The agent used it at ', clock(consumed_at), '.') : null,
    max_uses > 1 ? h('p', null, `${number(use_count)} of ${number(max_uses)} uses.`) : null,
    outcome
      ? h('p', null, 'Outcome: ', nodes(outcome))
      : h('p', { class: 'muted' }, 'How it ended is in the audit trail.'),
  ]
}

/** A session's approval may have been used before it ended. @param {any} request */
function ranText({ use_count, max_uses }) {
  if (use_count === 0) return 'Nothing ran.'
  return `It was used ${number(use_count)} of ${number(max_uses)} times before.`
}

/** @param {any} request */
function revoked(request) {
  const { decisions } = request
  const last = decisions.at(-1)
  const byPerson = last?.decision === 'revoke'
  return [
    h('h2', { tabindex: '-1' }, icon('cross'), byPerson ? 'Taken back' : 'Revoked'),
    byPerson ? who(last) : h('p', null, 'The session ended, or the source changed. It can no longer be used.'),
    h('p', { class: 'muted' }, ranText(request), ' If the agent asks again, a new request appears.'),
  ]
}

/** @param {any} request */
function expired(request) {
  const { decisions, expires_at } = request
  const last = decisions.at(-1)
  const what = last ? 'The approval ended at ' : 'The time to decide ended at '
  return [
    h('h2', { tabindex: '-1' }, icon('clock'), 'Expired'),
    who(last),
    h('p', null, what, clock(expires_at), '. ', ranText(request)),
    h('p', { class: 'muted' }, 'If the agent asks again, a new request appears.'),
  ]
}

/** @param {any} decision */
function who(decision) {
  if (!decision) return null
  return h('p', null, 'By ', nodes(decision.by), ` on the ${decision.channel}, `, clock(decision.at), '.')
}
