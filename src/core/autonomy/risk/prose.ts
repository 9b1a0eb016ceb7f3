import { type Budget, firstOf } from './budget.ts'
import { wordSet } from './options.ts'
import { isProgram } from './program-names.ts'
import { verbKind } from './verbs.ts'

const MOST_CANDIDATES = 24
const MOST_TOKENS = 4_000

/** Texts inside a hint that may be the command it speaks of. */
export function candidatesOf(hint: string, budget: Budget): readonly string[] {
  const found = new Set<string>()
  for (const span of spansOf(hint)) found.add(span)
  for (const mark of MARKS) {
    const at = hint.toLowerCase().indexOf(mark)
    if (at >= 0) found.add(hint.slice(at + mark.length).trim())
  }
  for (const [, , inner = ''] of firstOf([...hint.matchAll(/<(\w+)>([^<]*)<\/\1>/g)], MOST_CANDIDATES, budget))
    found.add(inner.trim())
  if (/^\s*>\s/.test(hint)) found.add(hint.replace(/^\s*>\s+/, ''))
  const called = CALL.exec(hint)?.[1]
  if (called !== undefined) found.add(called.replace(/^\s*["'`]|["'`]\s*$/g, ''))
  for (const suffix of suffixesOf(hint, budget)) found.add(suffix)
  found.delete(hint.trim())
  return firstOf(
    [...found].filter((text) => text.length > 1),
    MOST_CANDIDATES,
    budget,
  )
}

/** `Bash(rm -rf x)`, `shell("…")`: a call whose only argument is the command. */
const CALL = /^\s*[A-Za-z]\w*\(([\s\S]*)\)\s*(?:;\s*)?$/

export function readsAsCall(hint: string): boolean {
  return CALL.test(hint)
}

/** `<command>…</command>`, `> rm`: a mark stands before the command. */
export function readsAsMarked(hint: string): boolean {
  return /^\s*(<\w+>|>\s)/.test(hint)
}

const MARKS = [
  'command:',
  'run:',
  'execute:',
  'cmd:',
  'shell:',
  'bash:',
  'sql:',
  'query:',
  '$ ',
  'will run',
  'going to run',
  'executing',
]

/** What stands between quotes and back-ticks, fences too. */
function spansOf(hint: string): readonly string[] {
  const spans: string[] = []
  for (const quote of ['```', '`', '"', "'"]) {
    const pieces = hint.split(quote)
    for (let i = 1; i < pieces.length - 1 && spans.length <= MOST_CANDIDATES; i += 2) {
      const piece = (pieces[i] ?? '').replace(/^(sh|bash|shell|sql|console|zsh)\n/, '').trim()
      if (piece.includes(' ') || isProgram(piece)) spans.push(piece)
    }
  }
  return spans
}

/** Every rest of the text that starts at a known program. */
function suffixesOf(hint: string, budget: Budget): readonly string[] {
  const suffixes: string[] = []
  let at = 0
  for (const word of firstOf(hint.split(/(\s+)/), MOST_TOKENS, budget)) {
    const bare = word.replace(/^[`'"(]+/, '')
    if (at > 0 && suffixes.length <= MOST_CANDIDATES && bare !== '' && isProgram(bare) && !FILLERS.has(bare))
      suffixes.push(lineFrom(hint, at + (word.length - bare.length)))
    at += word.length
  }
  return suffixes
}

/** A command that a sentence speaks of ends with its line. */
function lineFrom(text: string, at: number): string {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.slice(at) : text.slice(at, end)
}

const FILLERS = wordSet('. : [ time which who type read set file test date at not do then else')

/** What a sentence without a command says about itself. It may only raise. */
export function proseFinding(hint: string): { readonly score: number; readonly why: string } | undefined {
  const words = [...new Set(hint.toLowerCase().split(/[^a-z]+/))]
  const verb = words.find(
    (word) => word.length > 2 && (verbKind(word) === 'destroy' || verbKind(stemOf(word)) === 'destroy'),
  )
  if (verb === undefined) return undefined
  const isWide = words.some((word) => WIDE.has(word))
  return { score: isWide ? 66 : 46, why: `the words say ${verb}${isWide ? ', and that it reaches far' : ''}` }
}

function stemOf(word: string): string {
  return word.replace(/(ting|ing|ted|ed|es|s)$/, '').replace(/^(delet|remov|eras|purg|wip)$/, '$1e')
}

const WIDE = wordSet(
  'all every everything production prod database databases entire whole permanently forever irreversible customers users backups disk system',
)

/** Words of sentences; two of them, or one right behind the program, and it is no command line. */
export function readsAsSentence(hint: string): boolean {
  const [first = '', second = '', ...rest] = hint.trim().slice(0, 2000).split(/\s+/)
  const isFile = /^\S+\.[A-Za-z]{1,4}$/.test(second) && isProgram(first)
  if (/^[A-Z][a-z]+$/.test(first) && second !== '' && !second.startsWith('-') && !isFile) return true
  if (!/^[A-Za-z]+$/.test(first) || !SPOKEN.has(first.toLowerCase())) return false
  if ([second, ...rest.slice(0, 2)].some((word) => /^[A-Za-z]+:$/.test(word))) return true
  if (first === 'make' && /^(all|install|clean)$/.test(second)) return false
  const small = [second, ...rest].filter((word) => SMALL.has(word.toLowerCase())).length
  return (SMALL.has(second.toLowerCase()) && small > 0 && !hint.includes(' -')) || small > 1
}

const SPOKEN =
  wordSet(`find make sort test watch cut kill time which who look more less type read set file date history split join paste touch head
  tail open start write at start install update patch format fetch apply clear expand yes last wait link locate compare view play say task just next export`)
const SMALL = wordSet(
  'the all an my our your this that these those whether if for to of every any new it and with them then please is are was be into about how why',
)
