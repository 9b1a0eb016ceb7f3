// @ts-check
/** A file that the operator keeps. */
import { download } from './api.js'
import { toast } from './dom.js'
import { button } from './parts.js'
import { unlessBusy } from './turns.js'

/** @param {string} text @param {string} path @param {string} name @param {() => void} [done] it has arrived */
export function downloadButton(text, path, name, done = () => {}) {
  const save = async () => {
    try {
      await download(path, name)
      done()
    } catch (refused) {
      toast(refused instanceof Error ? refused.message : 'The file could not be loaded.')
    }
  }
  return button(text, { class: 'small', icon: 'down', onclick: unlessBusy(save) })
}
