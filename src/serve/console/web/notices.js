// @ts-check
/** A notice of the browser says that somebody waits and nothing else: whoever sees the screen may read it. */
import { prefs, setPref } from './prefs.js'

export function canNotify() {
  return 'Notification' in window
}

/** Asks the browser the first time. @param {boolean} on @returns {Promise<boolean>} whether it is as wished */
export async function setNotices(on) {
  const isAllowed = !on || (await Notification.requestPermission()) === 'granted'
  setPref('notices', on && isAllowed)
  return isAllowed
}

/** Only while nobody looks; of several tabs, one notice is seen. */
export function notify() {
  if (!prefs.notices || !document.hidden || !canNotify() || Notification.permission !== 'granted') return
  const notice = new Notification('mcpaql', { body: 'Something waits for your decision.', tag: 'mcpaql-console' })
  notice.addEventListener('click', () => window.focus())
}
