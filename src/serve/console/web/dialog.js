// @ts-check
/** Questions. Nothing is decided by a key alone, and the safe answer has the focus. */
import { post, Refusal } from './api.js'
import { minutes, serverNow } from './clock.js'
import { h, one } from './dom.js'
import { button } from './parts.js'
import { unlessBusy } from './turns.js'

/**
 * @param {string} title
 * @param {import('./dom.js').Kid} body
 * @param {import('./dom.js').Kid} actions
 * @param {() => void} [whenClosed]
 */
export function openDialog(title, body, actions, whenClosed) {
  const form = h(
    'form',
    { method: 'dialog' },
    h('h2', { id: 'dialog-title' }, title),
    body,
    h('div', { class: 'acts' }, actions),
  )
  const dialog = h('dialog', { 'aria-labelledby': 'dialog-title' }, form)
  const opener = /** @type {HTMLElement | null} */ (document.activeElement)
  dialog.addEventListener('close', () => {
    for (const field of dialog.querySelectorAll('input[type=password]')) field.value = ''
    dialog.remove()
    if (whenClosed) whenClosed()
    const place = opener?.isConnected ? opener : one('#main h1')
    place?.focus()
  })
  one('#app').append(dialog)
  dialog.showModal()
  return dialog
}

export function closeDialogs() {
  one('dialog[open]')?.close()
}

export function goBack(text = 'Go back') {
  return h('button', { class: 'btn', value: 'cancel', formnovalidate: true, autofocus: true }, text)
}

/**
 * A question that only the secret answers; `done` gets the proof.
 * @param {string} title @param {string} purpose @param {string} label @param {(proof: string) => void} done
 */
export function askSecret(title, purpose, label, done) {
  const secret = secretField(purpose)
  const submit = unlessBusy(async () => {
    const proof = await secret.prove()
    if (proof === undefined || !dialog.open) return
    dialog.close()
    done(proof)
  })
  const yes = button(label, { class: 'fill', id: 'yes', onclick: submit })
  const dialog = openDialog(title, secret.element, [goBack(), yes])
  submitByEnter(dialog, submit)
}

/** Enter in the secret's field means the question, not the button that goes back. @param {any} dialog @param {() => unknown} submit */
export function submitByEnter(dialog, submit) {
  dialog.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Enter' || /** @type {HTMLElement} */ (event.target).id !== 'secret') return
    event.preventDefault()
    void submit()
  })
}

/**
 * The operator secret for one purpose. It lives in the field, goes to the server and is gone.
 * @param {string} purpose
 */
export function secretField(purpose) {
  const error = h('p', { class: 'error', id: 'secret-error', role: 'alert' })
  const input = h('input', {
    id: 'secret',
    type: 'password',
    autocomplete: 'off',
    required: true,
    maxlength: '1000',
    'aria-describedby': 'secret-error secret-note',
  })
  const element = h(
    'div',
    { class: 'field' },
    h('label', { for: 'secret' }, 'Operator secret'),
    input,
    error,
    h('p', { class: 'muted', id: 'secret-note' }, 'This needs your secret once more. It counts for this one act.'),
  )
  return {
    element,
    /** @returns {Promise<string | undefined>} the proof, or nothing when the secret was wrong */
    async prove() {
      const secret = input.value
      input.value = ''
      if (secret === '') {
        error.textContent = 'Type the operator secret.'
        input.focus()
        return undefined
      }
      try {
        return (await post('/api/reauth', { purpose, secret })).reauth_id
      } catch (refused) {
        error.textContent = secretTrouble(refused)
        input.focus()
        return undefined
      }
    },
  }
}

/** @param {unknown} refused */
function secretTrouble(refused) {
  if (!(refused instanceof Refusal)) return 'Something went wrong. The secret was not checked.'
  const { tries_left, retry_at } = refused.body
  if (typeof retry_at === 'number')
    return `Too many wrong secrets. The next try is possible in ${minutes(retry_at - serverNow())}.`
  if (typeof tries_left === 'number')
    return `That secret is not right. ${tries_left} ${tries_left === 1 ? 'try is' : 'tries are'} left before a delay.`
  return refused.message
}
