// @ts-check
/** The two questions, and the one call that carries the answer. */
import { post, Refusal } from '../api.js'
import { goBack, openDialog, secretField, submitByEnter } from '../dialog.js'
import { h, one, toast } from '../dom.js'
import { button, levelTag, targetOf } from '../parts.js'
import { nodes, plain } from '../text.js'
import { unlessBusy } from '../turns.js'

/** Undefined when it counted, otherwise why not. @param {any} request @param {string} decision @param {object} more */
export async function decide({ id, version, params_hash, operation }, decision, more) {
  try {
    const { state } = await post(`/api/requests/${id}/decision`, { decision, version, params_hash, ...more })
    toast(`${plain(operation)}: ${state === 'revoked' ? 'taken back' : state}`)
    return undefined
  } catch (refused) {
    return refused instanceof Refusal ? refused.message : 'Something went wrong. Look at the request again.'
  }
}

/** @param {any} request @param {boolean} isSession @param {(more: object) => void} done */
export function askApprove(request, isSession, done) {
  const { level, requires_reauth, cooldown_seconds, session_scope } = request
  const secret = requires_reauth ? secretField(`request:${request.id}`) : undefined
  const label = requires_reauth ? 'Sign in again and approve' : isSession ? 'Allow for the session' : 'Approve once'
  const submit = unlessBusy(async () => {
    const proof = secret ? await secret.prove() : undefined
    if ((secret && proof === undefined) || !dialog.open) return
    dialog.close()
    done({ scope: isSession ? 'session' : 'once', ...(proof !== undefined && { reauth_id: proof }) })
  })
  const effect = isSession
    ? `The agent may run exactly this call, with exactly these values, ${session_scope.max_uses} times at most, until its session ends or the approval expires.`
    : 'It runs once, with exactly the values you have seen.'
  const dialog = openDialog(
    isSession ? 'Allow for this session?' : 'Approve once?',
    [
      restated(request),
      h('p', null, effect, cooldown_seconds > 0 ? ` It can run ${cooldown_seconds} s after your approval.` : ''),
      secret?.element,
    ],
    [goBack(), button(label, { class: `fill l${level}`, id: 'yes', onclick: submit })],
  )
  submitByEnter(dialog, submit)
}

const REASONS = ['Wrong target', 'Not now', 'Not needed', 'Looks manipulated', 'Other']

/** @param {any} request @param {(more: object) => void} done */
export function askDeny(request, done) {
  const more = h('textarea', {
    id: 'why',
    rows: '2',
    maxlength: '450',
    placeholder: 'Optional, the agent does not see it',
  })
  const tell = h('textarea', { id: 'tell', rows: '2', maxlength: '500', placeholder: 'Optional, with the refusal' })
  const { count, most } = request.denials
  const dialog = openDialog(
    'Deny this request?',
    [
      restated(request),
      h('fieldset', null, h('legend', null, 'Reason'), h('div', { class: 'radios' }, REASONS.map(radio))),
      h('div', { class: 'field' }, h('label', { for: 'why' }, 'More, for the audit trail'), more),
      h('div', { class: 'field' }, h('label', { for: 'tell' }, 'Tell the agent'), tell),
      h('p', { class: 'muted', id: 'manipulated' }, '“Looks manipulated” also stops the agent until you let it go on.'),
      h(
        'p',
        { class: 'muted' },
        'The same call is refused for the rest of this session.',
        count === most - 1 ? ' This is the last denial: the operation is then refused without asking.' : '',
      ),
    ],
    [
      h('button', { class: 'btn', value: 'cancel' }, 'Go back'),
      h('button', { class: 'btn fill', value: 'deny', id: 'deny-yes' }, 'Deny'),
    ],
    () => {
      if (dialog.returnValue !== 'deny') return
      const picked = one('input[name=reason]:checked', dialog).value
      const words = [picked, more.value.trim()].filter((text) => text !== '').join(': ')
      const told = tell.value.trim()
      done({ reason: words, manipulated: picked === 'Looks manipulated', ...(told !== '' && { tell_agent: told }) })
    },
  )
  dialog.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const { tagName } = /** @type {HTMLElement} */ (event.target)
    if (event.key !== 'Enter' || tagName !== 'INPUT') return
    event.preventDefault()
    dialog.close('deny')
  })
}

/** @param {string} text @param {number} at */
function radio(text, at) {
  return h(
    'label',
    { class: 'radio' },
    h('input', { type: 'radio', name: 'reason', value: text, checked: at === 0, autofocus: at === 0 }),
    text,
  )
}

/** @param {any} request */
function restated({ level, operation, target }) {
  return h(
    'p',
    { class: 'restated' },
    levelTag(level),
    h(
      'span',
      null,
      h('b', { class: 'op' }, nodes(operation)),
      target.length > 0 ? [' on ', targetOf(target, false)] : null,
    ),
  )
}
