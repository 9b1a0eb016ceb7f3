// @ts-check
/** Seen before approved: a value counts as read when its end has been on the screen, below no bar and in no hidden fold. */
import { all, h, icon, one } from '../dom.js'

/** @param {HTMLElement} body @param {(name: string) => void} onSeen @returns {() => void} */
export function watchEnds(body, onSeen) {
  const isNarrow = innerWidth < 900
  const observer = new IntersectionObserver(
    (entries) => {
      if (document.hidden) return
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue
        observer.unobserve(target)
        const name = /** @type {HTMLElement} */ (target).dataset.end ?? ''
        markSeen(body, name)
        onSeen(name)
      }
    },
    { rootMargin: isNarrow ? '-96px 0px -150px 0px' : '-48px 0px 0px 0px' },
  )
  const observe = () => {
    for (const end of all('[data-end]', body)) observer.observe(end)
  }
  observe()
  const again = () => {
    if (document.hidden) return
    observer.disconnect()
    observe()
  }
  document.addEventListener('visibilitychange', again)
  return () => {
    observer.disconnect()
    document.removeEventListener('visibilitychange', again)
  }
}

/** @param {HTMLElement} body @param {string} name */
function markSeen(body, name) {
  const mark = all('[data-seen]', body).find((element) => element.dataset.seen === name)
  if (!mark) return
  mark.classList.add('ok')
  mark.replaceChildren(icon('check'), h('span', null, 'End seen'))
  one('.link', mark.parentElement)?.setAttribute('data-read', '')
}
