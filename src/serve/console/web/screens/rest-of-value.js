// @ts-check
/** A value that is too long to come with the page: how much of it is shown, and the rest, part by part. */
import { get } from '../api.js'
import { number } from '../clock.js'
import { h, toast } from '../dom.js'
import { button } from '../parts.js'
import { nodes } from '../text.js'
import { unlessBusy } from '../turns.js'

/**
 * Its end counts as unread until all of it is on the page.
 * @param {any} request @param {number} at @param {HTMLElement} text where the value is written @param {HTMLElement} end
 * @returns {HTMLElement[]}
 */
export function restOfValue(request, at, text, end) {
  const { to: first, of } = request.params[at].shown
  if (first >= of) return []
  let to = first
  end.hidden = true
  const said = h('span', { class: 'flag', role: 'status' })
  const paint = () => {
    said.textContent =
      to < of
        ? `Shown in parts: ${number(to)} of ${number(of)} characters so far.`
        : `All ${number(of)} characters are shown.`
  }
  const loadRest = async () => {
    try {
      while (to < of && text.isConnected) {
        const part = await get(`/api/requests/${request.id}/values/${at}?from=${to}`)
        if (part.version !== request.version || part.params_hash !== request.params_hash) return
        text.append(...nodes(part.value))
        to = part.shown.to
        paint()
      }
      end.hidden = to < of
      if (to >= of) rest.remove()
    } catch (refused) {
      toast(refused instanceof Error ? refused.message : 'The rest could not be loaded.')
    }
  }
  const rest = button('Show the rest', { class: 'link', data: { rest: '' }, onclick: unlessBusy(loadRest) })
  paint()
  return [said, rest]
}
