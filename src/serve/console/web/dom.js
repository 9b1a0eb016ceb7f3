// @ts-check
/** The only way anything reaches the page: elements, fixed attributes and text nodes. Nothing is ever parsed as HTML. */
import { ICONS } from './icons.js'

const SVG = 'http://www.w3.org/2000/svg'

/**
 * @typedef {Node | string | number | null | undefined | false | readonly any[]} Kid
 * @typedef {Record<string, any>} Props
 */

/**
 * @param {string} tag
 * @param {Props | null} [props]
 * @param {...Kid} kids
 * @returns {any}
 */
export function h(tag, props, ...kids) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue
    if (name === 'class') element.className = value
    else if (name === 'data') Object.assign(element.dataset, value)
    else if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(...flat(kids))
  return element
}

/**
 * @param {readonly Kid[]} kids
 * @returns {(Node | string)[]}
 */
export function flat(kids) {
  return kids.flat(9).flatMap((kid) => {
    if (kid === null || kid === undefined || kid === false || kid === '') return []
    return [kid instanceof Node ? kid : String(kid)]
  })
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...Node} kids
 */
export function shape(tag, attributes, ...kids) {
  const element = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
  element.append(...kids)
  return element
}

/**
 * @param {string} name
 * @param {string} [className]
 */
export function icon(name, className = 'icon') {
  const path = shape('path', { d: ICONS[name] ?? '' })
  return shape('svg', { viewBox: '0 0 16 16', class: className, 'aria-hidden': 'true' }, path)
}

/**
 * Puts new parts in the place of the old ones. Whoever stood on a part stands on the same one afterwards.
 * @param {HTMLElement} element @param {Kid} kids
 */
export function repaint(element, kids) {
  const focused = document.activeElement
  const place = focused && element.contains(focused) ? placeOf(element, focused) : undefined
  element.replaceChildren(...flat([kids]))
  if (place) all(place.selector, element)[place.at]?.focus({ preventScroll: true })
}

/** @param {HTMLElement} element @param {Element} focused */
function placeOf(element, focused) {
  const href = focused.getAttribute('href')
  const selector = href === null ? focused.localName : `[href="${CSS.escape(href)}"]`
  return { selector, at: all(selector, element).indexOf(focused) }
}

/** For screen readers alone. @param {...Kid} kids */
export function sr(...kids) {
  return h('span', { class: 'sr' }, ...kids)
}

/** @param {string} selector @param {ParentNode} [root] @returns {any} */
export function one(selector, root = document) {
  return root.querySelector(selector)
}

/** @param {string} selector @param {ParentNode} [root] @returns {any[]} */
export function all(selector, root = document) {
  return [...root.querySelectorAll(selector)]
}

/** One sentence for screen readers: politely, or at once. @param {string} text @param {boolean} [atOnce] */
export function say(text, atOnce = false) {
  one(atOnce ? '#say-now' : '#say').textContent = text
}

/** @param {string} text */
export function toast(text) {
  const element = h('div', { class: 'toast' }, text)
  one('#toasts').append(element)
  setTimeout(() => element.remove(), 6000)
}

/** Ids are ours; whatever is not one leads to the inbox. @param {string} screen @param {unknown} [id] */
export function address(screen, id) {
  if (id === undefined) return `#/${screen}`
  return /^[\w.:-]{1,128}$/.test(String(id)) ? `#/${screen}/${id}` : '#/inbox'
}
