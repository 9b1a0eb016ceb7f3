import { cutBefore, type Displayed, displayPart } from '../../core/display.ts'
import { isMasked, sentKey } from '../../core/masked.ts'
import { nextTurn } from '../../core/next-turn.ts'

/** What the page would mark in a value, and the scripts of its letters. */
export type Judged = Omit<Displayed, 'segments'>

/** A value as a record holds it, whole, without writing it out. However long it is, the others have their turns. */
export async function judge(value: unknown): Promise<Judged> {
  const found = { hidden: false, alike: false, scripts: new Set<string>() }
  await eachPart(value, ({ hidden, alike, scripts }) => {
    found.hidden ||= hidden
    found.alike ||= alike
    for (const script of scripts) found.scripts.add(script)
    return false
  })
  return { ...found, scripts: [...found.scripts] }
}

/** Whether there is anything to mark. */
export async function isDeceptive(value: unknown): Promise<boolean> {
  let isFound = false
  await eachPart(value, ({ hidden, alike }) => {
    isFound = hidden || alike
    return isFound
  })
  return isFound
}

/** So many characters are looked at in one turn. */
const TURN = 16_384

async function eachPart(value: unknown, visit: (judged: Judged) => boolean): Promise<void> {
  let looked = 0
  for (const text of textsIn(value)) {
    for (const part of partsOf(text)) {
      if (visit(part())) return
      looked += Math.min(text.length, TURN) + LEAST
      if (looked < TURN) continue
      looked = 0
      await nextTurn()
    }
  }
}

/** What the shortest text takes, in characters. */
const LEAST = 16

/** Nothing in plain ASCII is marked. */
function* partsOf(text: string): Generator<() => Judged> {
  if (/^[\t\n\x20-\x7e]*$/.test(text)) {
    yield () => ({ hidden: false, alike: false, scripts: /[a-z]/i.test(text) ? ['Latin'] : [] })
    return
  }
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = from + TURN < text.length ? cutBefore(text, from + TURN) : text.length
    const part = { text, from, to }
    yield () => displayPart(part)
  }
}

/** Keys are texts as well; what is masked is not looked at. */
function textsIn(value: unknown, found: string[] = []): readonly string[] {
  if (typeof value === 'string') found.push(value)
  else if (Array.isArray(value)) for (const item of value) textsIn(item, found)
  else if (typeof value === 'object' && value !== null && !isMasked(value)) {
    for (const [key, held] of Object.entries(value)) {
      found.push(sentKey(key))
      textsIn(held, found)
    }
  }
  return found
}
