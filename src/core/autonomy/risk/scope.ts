import type { OwnPlaces } from '../own-places.ts'
import type { Budget } from './budget.ts'
import type { Added } from './environment-arguments.ts'
import type { Ledger } from './ledger.ts'
import type { ParsedScript } from './parse-command.ts'

/** Stands in a word for what is known only at run time. A shell's words cannot hold it, and hints lose theirs. */
export const UNKNOWN = '\0'

/** What a command reads, or writes for the next one, as far as the text says. */
export type Stream =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'download' }
  /** Names of files; `isChosen` when a condition on names or ages picked them, `isJunk` when it named what is made again. */
  | {
      readonly kind: 'paths'
      readonly isChosen: boolean
      readonly isJunk?: boolean
      readonly isSecret?: boolean
      readonly isData?: boolean
      /** What others trust is among them: by a name that says so, by one of its kind, as everything is, or not at all. */
      readonly trust?: 'named' | 'any' | 'all' | 'none'
      readonly roots: readonly string[]
    }
  /** `made` is what a program was given to make it of; `isFile` when it stands in a file of the project; `lists` names of files, with what others trust or without. */
  | {
      readonly kind: 'unknown'
      readonly made?: string
      readonly isFile?: boolean
      /** All variables, or all commands that were typed: what is looked for in it decides. */
      readonly isListing?: boolean
      readonly lists?: 'named' | 'any' | 'none'
      /** Processes by their names; all that run where there is none. */
      readonly processes?: readonly string[]
    }

export const NOTHING: Stream = Object.freeze({ kind: 'none' })
export const ANYTHING: Stream = Object.freeze({ kind: 'unknown' })
export const LISTING: Stream = Object.freeze({ kind: 'unknown', isListing: true })

/** What an unknown word stands for behind a list of files. */
export function chosenOf(stream: Stream): Extract<Stream, { kind: 'paths' }> | undefined {
  if (stream.kind === 'paths') return stream
  if (stream.kind !== 'unknown' || stream.lists === undefined) return undefined
  return { kind: 'paths', isChosen: false, roots: [UNKNOWN], trust: stream.lists }
}

/** What the text did before that changes what later parts of it mean. */
export interface Seen {
  secret: boolean
  production: boolean
  /** A server of this program was looked for, by its name or its port. */
  judge?: boolean
  /** A file of this program was linked, copied or moved, so that any file may be it. */
  copiesOwn?: boolean
  /** What runs has another environment than the operator gave. */
  isForeign?: boolean
  /** What is read now goes into variables and is not shown. */
  isTaken?: boolean
  /** The text was cut out of a longer one and has lost its brackets. */
  isCut?: boolean
  /** Files that hold secrets were listed, so that what is chosen next may be one of them. */
  listed?: boolean
  /** The names of such files went on to what may read them. */
  handedOn?: 'named' | 'below'
  /** What is written now goes into a file, or is read as one. */
  isFiled?: boolean
  /** A remote was named, so that what is pushed may go there. */
  remote?: boolean
  /** By variable, the secrets of the environment that the text has put into it. */
  held?: Map<string, readonly string[]>
  /** Secrets of the environment that a command was given, for whatever it runs. */
  given?: readonly string[] | undefined
  /** Secrets of the environment that the text has printed somewhere. */
  printed?: Set<string>
  /** The program that a pipe gives the output to. */
  into?: string | undefined
  /** What is written now becomes a part of another command. */
  isCaptured?: boolean
  /** Files that were looked for before the text wrote them, and `*` where any file may be one of them. */
  missed?: Set<string>
  /** What runs now may run again, or still run, when later parts of the text have written files. */
  goesOn?: boolean
  /** Folders that the text has made for a while. */
  made?: Set<string>
  /** A secret is in a variable. */
  isHeld?: boolean
  /** A file of variables was loaded, so that what no other part of the text sets may hold a secret. */
  isLoaded?: boolean
  /** By variable, the words that a program takes from the environment. */
  added?: Map<string, Added> | undefined
  /** Variables that are given to programs whenever they are set; `*` is all of them. */
  exported?: Set<string>
  /** Sessions of terminals that the text has started. */
  sessions?: readonly string[]
  /** A shell was told that its patterns match names with a leading dot. */
  globsDots?: boolean
}

/** A shell as the walk sees it. Rules write to the ledger and look the rest up here. */
export interface Scope {
  readonly ledger: Ledger
  readonly budget: Budget
  readonly variables: Map<string, readonly string[]>
  readonly aliases: Map<string, string>
  readonly functions: Map<string, (args: readonly string[], stdin: Stream) => Stream>
  /** Text that the hint itself writes into files, by absolute path. */
  readonly files: Map<string, Stream>
  readonly projects: readonly string[]
  /** What the server that asks uses itself. */
  readonly own?: OwnPlaces
  /** `$1` and on; undefined where the text does not say. */
  positionals: readonly string[] | undefined
  /** What an unknown word stands for under `xargs` and `find -exec`. */
  chosen: Extract<Stream, { kind: 'paths' }> | undefined
  /** What a substitution listed: names of files, of which nothing else is known. */
  listed?: Extract<Stream, { kind: 'paths' }> | undefined
  /** What `$_` stands for where processes are listed. */
  readonly chosenProcesses?: readonly string[]
  cwd: string
  readonly seen: Seen
  /** True where a shell reads what was written for PowerShell: it has none of those commands. */
  readonly lacksCmdlets?: boolean
  depth: number
  /** Judges a command line that the text holds: the walk's own entrance, so that tables need not import it. */
  readonly runText: (source: string, scope: Scope, stdin: Stream) => Stream
  /** Judges a text that something may run, of whatever kind. */
  readonly judgeCarried: (text: string, scope: Scope) => void
  readonly runScript: (script: ParsedScript, scope: Scope, stdin: Stream) => Stream
  readonly runWords: (words: readonly string[], scope: Scope, stdin: Stream) => Stream
  /** The name by which a table knows the program; undefined where none does. */
  readonly programOf: (word: string) => string | undefined
}

/** Where relative paths start; what a variable of the environment is taken for. */
export const HOME = '/home/user'
export const PROJECT = '/home/user/project'

export const ENVIRONMENT: ReadonlyMap<string, string> = new Map([
  ['HOME', HOME],
  ['PWD', PROJECT],
  ['OLDPWD', HOME],
  ['TMPDIR', '/tmp'],
  ['TMP', '/tmp'],
  ['TEMP', '/tmp'],
  ['IFS', ' \t\n'],
  ['PATH', '/usr/local/bin:/usr/bin:/bin'],
  ['SHELL', '/bin/bash'],
  ['BASH', '/bin/bash'],
  ['USER', 'user'],
  ['LOGNAME', 'user'],
  ['LANG', 'C'],
  ['TERM', 'xterm'],
  ['EUID', '1000'],
  ['UID', '1000'],
])

/** The text with what is unknown taken for empty. */
export function known(text: string): string {
  return text.includes(UNKNOWN) ? text.replaceAll(UNKNOWN, '') : text
}

export function isUnknown(text: string): boolean {
  return text.includes(UNKNOWN)
}
