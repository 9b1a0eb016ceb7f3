import { wordSet, words } from './options.ts'
import { known, type Scope } from './scope.ts'

/** Words that a program adds to its own, from a variable of the environment. */
export interface Added {
  readonly program: string
  readonly words: readonly string[]
}

/** The program that takes the value for words of its own: by the name of the variable, `TAR_OPTIONS`, `ZIPOPT`, `LESS`. */
export function addedBy(name: string, value: string): Added | undefined {
  const text = value.trim()
  if (known(text).trim() === '') return undefined
  const [, order = ''] = /^TF_CLI_ARGS_(\w+)$/.exec(name) ?? []
  if (order !== '') return { program: 'terraform', words: [order, ...split(text)] }
  const [, settings, key = ''] = SETTINGS.exec(name) ?? []
  // What is only switched off is told less, or kept less.
  if (/^(no|disable)_/i.test(key)) return undefined
  if (settings !== undefined) return { program: readerOf(settings.toLowerCase()), words: [flagOf(key, text)] }
  if (JVM.test(name)) return { program: 'java', words: split(text) }
  const base = name.replace(SUFFIX, '')
  // `UNZIP`, `LESS`: a name without a suffix is one only where its value is options.
  if (base === '' || (base === name && !/^[-+]/.test(known(text).trim()))) return undefined
  return { program: readerOf(base.toLowerCase()), words: split(text) }
}

/** Keeps the words for the program that is to come. */
export function keepAdded(name: string, added: Added | undefined, { seen }: Scope): void {
  if (!added) seen.added?.delete(name)
  else {
    seen.added ??= new Map()
    if (seen.added.size < MOST_ADDED || seen.added.has(name)) seen.added.set(name, added)
  }
}

/** What the flags of a container give to the program in it; of the environment here it gets nothing. */
export function addedInside(args: readonly string[]): Map<string, Added> {
  const given = args.flatMap((arg, at) =>
    /^(-e|--env)$/.test(args[at - 1] ?? '') ? [arg] : (/^(?:-e|--env=)(\w+=.*)$/s.exec(arg)?.[1] ?? []),
  )
  return new Map(
    given.slice(0, MOST_ADDED).flatMap((one) => {
      const at = one.indexOf('=')
      const added = at > 0 ? addedBy(one.slice(0, at), one.slice(at + 1)) : undefined
      return added ? [[one.slice(0, at), added] as const] : []
    }),
  )
}

/** The words with those that the environment adds; undefined where it adds none. */
export function withAdded(program: string, args: readonly string[], { seen }: Scope): readonly string[] | undefined {
  if (!seen.added || seen.added.size === 0) return undefined
  const reader = readerOf(program)
  const added = [...seen.added.values()].filter(({ program: other }) => other === reader)
  if (added.length === 0) return undefined
  const more = added.flatMap((one) => (one.words[0] === args[0] ? one.words.slice(1) : ownWords(one, args)))
  if (FIRST.has(reader)) return [...more, ...args]
  const end = args.indexOf('--')
  return end < 0 ? [...args, ...more] : [...args.slice(0, end), ...more, ...args.slice(end)]
}

/** `TF_CLI_ARGS_apply` is for that order alone. */
function ownWords({ program, words: [first = '', ...rest] }: Added, args: readonly string[]): readonly string[] {
  const isOther = program === 'terraform' && /^\w/.test(first) && !args.includes(first)
  return isOther ? [] : [first, ...rest]
}

const MOST_ADDED = 32

const SUFFIX = /_?((CLI_)?ARGS?|(DEFAULT_|ADD_?|[AZ])?(OPT(ION)?S?|FLAGS)|DEFAULTS?)$/

/** `npm_config_registry`, `PIP_INDEX_URL`: every flag is a variable too. */
const SETTINGS = /^(npm_config|PIP)_(\w+)$/i

const JVM = /^(MAVEN|GRADLE|SBT|CATALINA|JVM|JAVA|\w+_JAVA)_OPTS$|^(JAVA_TOOL|_JAVA|JDK_JAVA)_OPTIONS$/

/** Names of one program, and the names that its variables have. */
const READERS: ReadonlyMap<string, string> = new Map(
  [
    'tar gtar bsdtar',
    'gzip gunzip zcat',
    'bzip2 bunzip2 bzip bzcat',
    'xz unxz xzcat lzma',
    'make gmake gnumake',
    'terraform tofu tf',
    'mvn mvnw maven',
    'perl perl5',
    'erl elixir_erl',
    'npm npx pnpm yarn bun npm_config',
    'pip pip3 pipx',
    'go',
  ].flatMap((row) => {
    const [reader = '', ...others] = words(row)
    return others.map((other) => [other, reader] as const)
  }),
)

/** Behind their file the words are the file's own. */
const FIRST = wordSet('node ruby perl erl java php python lua deno')

function readerOf(name: string): string {
  return READERS.get(name) ?? name
}

function flagOf(key: string, value: string): string {
  const flag = `--${key.toLowerCase().replaceAll('_', '-')}`
  return value === 'true' ? flag : `${flag}=${value}`
}

/** Quotes around a word, or behind its `=`, are taken off; those of code stay. */
function split(text: string): readonly string[] {
  return [...text.matchAll(/(?:"[^"]*"|'[^']*'|\$\([^)]{0,1000}\)|[^\s"'])+/g)].map(([word]) => withoutQuotes(word))
}

function withoutQuotes(word: string): string {
  const quote = word.at(-1) ?? ''
  if (quote !== '"' && quote !== "'") return word
  const opens = word.startsWith(quote) ? 0 : word.indexOf(`=${quote}`) + 1
  if (opens === word.length - 1 || (opens === 0 && !word.startsWith(quote))) return word
  return word.slice(0, opens) + word.slice(opens + 1, -1)
}
