// @ts-check
/** Foreign text, as the server has made it safe to look at: segments in, text nodes out. */
import { h } from './dom.js'

/**
 * @typedef {{kind: 'text' | 'escape' | 'alike', text: string, name?: string}} Segment
 * @typedef {{segments: Segment[], hidden: boolean, alike: boolean, scripts: string[]}} Displayed
 */

/** White space that is written out: seen, but no reason for alarm. */
const QUIET = new Set(['LINE FEED', 'TAB', 'SPACE'])

/** `brief`: codes without names, line ends without lines. @param {Displayed} displayed @param {boolean} [brief] */
export function nodes({ segments }, brief = false) {
  return segments.flatMap((segment) => {
    if (segment.kind === 'text') return [segment.text]
    const name = segment.name ?? ''
    const isQuiet = QUIET.has(name)
    const kind = isQuiet ? 'quiet' : segment.kind
    const mark = h('span', { class: `seg ${kind}`, title: name }, brief ? short(segment) : long(segment))
    return name === 'LINE FEED' && !brief ? [mark, '\n'] : [mark]
  })
}

/** @param {Displayed} displayed @param {boolean} [brief] */
export function value(displayed, brief = false) {
  return h('span', { class: 'val' }, nodes(displayed, brief))
}

/** For labels and announcements: the same, without elements. @param {Displayed} displayed */
export function plain({ segments }) {
  return segments.map(({ text }) => text).join('')
}

/** @param {Displayed} displayed */
export function isDeceptive({ hidden, alike }) {
  return hidden || alike
}

/** @param {Segment} segment */
function short({ text, name }) {
  return name === undefined ? text : text.replace(` ${name}⟩`, '⟩')
}

/** @param {Segment} segment */
function long({ kind, text, name }) {
  return kind === 'alike' && name !== undefined ? text.replace(/⟩$/, ` ${name}⟩`) : text
}
