// @ts-check
/** Time as the server has it, and how it is written. The browser's own clock decides nothing. */
import { h } from './dom.js'
import { prefs } from './prefs.js'

let offset = 0

/** @param {number} now what an answer said */
export function setServerNow(now) {
  offset = now - Date.now()
}

export function serverNow() {
  return Date.now() + offset
}

export function zoneName() {
  return prefs.utc ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
}

export function zoneOffset() {
  if (zoneName() === 'UTC') return 'UTC'
  const minutes = -new Date().getTimezoneOffset()
  const hours = Math.floor(Math.abs(minutes) / 60)
  const rest = Math.abs(minutes) % 60
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest ? `:${String(rest).padStart(2, '0')}` : ''}`
}

/** To the second, in the one zone of the page; with the day when it is not today, and the year when that may be another. @param {number} at */
export function clock(at) {
  /** @type {Intl.DateTimeFormatOptions} */
  const style = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23', timeZone: zoneName() }
  const isOld = Math.abs(serverNow() - at) > 43_200_000
  const isAncient = Math.abs(serverNow() - at) > 15_552_000_000
  /** @type {Intl.DateTimeFormatOptions} */
  const day = { day: '2-digit', month: 'short', ...(isAncient && { year: 'numeric' }) }
  const iso = new Date(at).toISOString()
  const text = new Intl.DateTimeFormat('en-GB', isOld ? { ...style, ...day } : style).format(at)
  return h('time', { datetime: iso, title: iso, class: 'nb' }, text)
}

/** @param {number} ms */
export function span(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 90) return `${seconds} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`
  if (seconds < 129_600) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} d`
}

/** @param {number} ms */
export function minutes(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** @param {number} count */
export function number(count) {
  return new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 }).format(count)
}

/** @param {number} count @param {string} word */
export function plural(count, word) {
  return `${number(count)} ${word}${count === 1 ? '' : 's'}`
}
