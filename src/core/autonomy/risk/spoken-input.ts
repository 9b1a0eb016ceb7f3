import { wordSet } from './options.ts'

/** Orders whose texts are written for people, also where they read them from their input. */
const SPOKEN_INPUT: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['git', wordSet('commit tag notes merge stash')],
  ['gh', wordSet('pr issue release')],
  ['glab', wordSet('mr issue release')],
])

/** `git commit -F -`, `gh pr create --body-file -`: what is read is kept as a text. */
export function takesSpoken(name: string, args: readonly string[]): boolean {
  const orders = SPOKEN_INPUT.get(name)
  const reads = args.some((arg, at) => JOINED.test(arg) || (arg === '-' && FLAG.test(args[at - 1] ?? '')))
  return reads && (orders?.has(args[0] ?? '') ?? false)
}

const FLAG = /^(-[a-zA-Z]*F|--file|--body-file|--notes-file)$/
const JOINED = /^(-F|--(body-|notes-)?file=)-$/

/** The text without the lines of a quoted here-document that such an order reads: no shell looks into these. */
export function withoutSpoken(text: string): string {
  if (!text.includes('<<') || text.length > LONGEST) return text
  return text.replaceAll(HERE, (whole, line: string, words: string) => {
    const [name = '', ...args] = words.trim().split(/\s+/)
    return takesSpoken(name, args) ? line : whole
  })
}

const LONGEST = 12_000
/** Commands of plain words, the one that reads, its quoted mark, the body, and the mark alone on a line. */
const HERE =
  /^((?:[\w \t./@%+=:,-]+&&)*[ \t]*((?:git|gh|glab)(?:[ \t]+(?:"[^"$`\n]*"|'[^'\n]*'|[\w@%+=:,./-]+))*)[ \t]*<<-?[ \t]*(['"])(\w+)\3)\n(?:(?![^\S\n]*\4\n)[^\n]*\n)*?[^\S\n]*\4(?=\n|$)/gm
