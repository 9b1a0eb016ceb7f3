import { act } from './actions.ts'
import { firstOf, spend } from './budget.ts'
import { decodedOf } from './decoded.ts'
import type { Language } from './inline-code.ts'
import { note } from './ledger.ts'
import { type Call, noteGrave } from './program.ts'
import { fileScore } from './run-file.ts'
import { ANYTHING, chosenOf, type Scope, type Stream, UNKNOWN } from './scope.ts'
import { targetKind } from './targets.ts'

type CodeCall = Pick<Call, 'name' | 'scope'>

const MOST_WORDS = 24
const LONGEST_WORD = 400

/**
 * What code is given beside its text, and may write to, delete, run or load: the words behind it, the lines of its
 * input and the variables that it names.
 */
export function wordsFor(source: string, args: readonly string[], stdin: Stream, scope: Scope): readonly string[] {
  const lines = stdin.kind === 'text' && READS_INPUT.test(source) ? stdin.text.slice(0, 4_000).split('\n') : []
  const paths = lines.map((line) => line.trim()).filter((line) => PLAIN.test(line))
  const named = scope.variables.size === 0 ? [] : (source.slice(0, 4_000).match(/[A-Za-z_]\w{0,60}/g) ?? [])
  const values = named.flatMap((name) => scope.variables.get(name) ?? [])
  const given = args.map((arg) => (arg.startsWith('-') ? arg.slice(arg.indexOf('=') + 1) : arg))
  const listed = chosenOf(stdin)?.trust === 'named' && READS_INPUT.test(source) ? [A_TRUSTED_FILE] : []
  return [...new Set([...given, ...paths, ...values, ...listed])].filter(isWord).slice(0, MOST_WORDS)
}

/** What a list of such files may name. */
const A_TRUSTED_FILE = '.claude/settings.json'

function isWord(word: string): boolean {
  return word !== '' && !word.startsWith('-') && word.length <= LONGEST_WORD
}

const READS_INPUT = /\b(?:stdin|STDIN|input|gets|readline|readlines|ARGF|fileinput|io\.read)\b|<>|\/dev\/stdin|\(\s?0\b/
const PLAIN = /^[\w.~/@%+:-]+$/

/** Each word may be what the code writes to; without any it is known only at run time. */
export function writeWords(source: string, words: readonly string[], { name, scope }: CodeCall): void {
  if (words.length === 0 && NAMES_WORDS.test(source)) act(scope, name, 'write', UNKNOWN)
  for (const path of [...words, ...madeOf(words, scope)])
    if (!/\s/.test(path) && spend(scope.budget, 5)) act(scope, name, 'write', path)
}

/** Words put together, read backwards or decoded: what others trust may be hidden in them. */
function madeOf(words: readonly string[], scope: Scope): readonly string[] {
  const whole = words.length > 1 ? [words.join(''), words.join('/')] : []
  const made = [...whole, ...[...words, ...whole].flatMap((word) => (word.length > 7 ? decodedOf(word) : []))]
  return [...new Set(made)].filter((path) => PLAIN.test(path) && targetKind(path, scope) === 'trust').slice(0, 16)
}

/** Each word may be a command that the code runs, or a part of the one that it puts together. */
export function runWordsOf(words: readonly string[], commands: readonly string[], { scope }: CodeCall): void {
  const list = words.slice(0, 8)
  for (const word of list) noteGrave(scope, (inner) => void inner.runText(word, inner, ANYTHING))
  for (const start of [[], commands.slice(0, 8)])
    if (list.length > 0) noteGrave(scope, (inner) => void inner.runWords([...start, ...list], inner, ANYTHING))
  const [first] = commands
  if (first !== undefined && list.length > 0)
    noteGrave(scope, (inner) => void inner.runText([first, ...list].join(' '), inner, ANYTHING))
}

/** Functions that run what they are given as code, or load a file of it. */
const CALLS =
  'eval|Function|runIn\\w{1,20}|instance_eval|class_eval|loadstring|require|import|__import__|import_module|run_path|run_module|CDLL|LoadLibrary|cdll|dlopen|load_dynamic|SourceFileLoader|spec_from_file_location|execfile|dofile|loadfile|require_relative|include_once|require_once|createRequire|_load|importScripts|path\\.insert|path\\.append|(?<!\\.)(?:load|exec|do|source|include|register|fork|Worker)'
/** With the quoted place, and with what is none. */
const LOADS_PLACE = new RegExp(
  `\\b(?:${CALLS})\\b\\s{0,4}\\(?\\s{0,4}(?:['"\`]?[\\w.]{1,40}['"\`]?\\s{0,4},\\s{0,4}){0,2}['"\`]([^'"\`\\n]{1,400})['"\`]`,
  'g',
)
const LOADS_GIVEN = new RegExp(`\\b(?:${CALLS})\\b\\s{0,4}\\(\\s{0,4}(?![\\s'"\`({)])([^;\\n]{1,80})`, 'g')
/** Where a call needs no brackets. */
const LOADS_BARE =
  /\b(?:eval|do|require|load|require_relative|include|include_once|require_once|dofile)\s{1,4}(?![\s'"`({)])([^;\n]{1,80})/g
const NEEDS_NO_BRACKETS: ReadonlySet<Language> = new Set<Language>(['perl', 'ruby', 'php', 'other'])
/** What comes from outside of the text. */
const FROM_OUTSIDE =
  /\b(?:argv|ARGV|args|arg\s?\[|shift|environ|getenv|process\.env|ENV|stdin|STDIN|gets|input\s?\(|readFileSync|commandArgs|read\s?\()|\$_|@_|\bopen\s?\(/
/** The words of the command line. */
const NAMES_WORDS = /\b(?:argv|ARGV|ARGS|commandArgs|Deno\.args|shift)\b|\barg\s?\[/
const MOST_LOADS = 16

/** Code that loads a file from outside the project, or runs what it is given as a word. */
export function judgeLoadedCode(
  language: Language,
  source: string,
  words: readonly string[],
  judgeCode: (language: Language, source: string, call: CodeCall) => void,
  { name, scope }: CodeCall,
): void {
  if (!spend(scope.budget, source.length / 4)) return
  for (const [, place = ''] of firstOf([...source.matchAll(LOADS_PLACE)], MOST_LOADS * 4, scope.budget))
    if (isAway(place, scope)) note(scope.ledger, placeScore(place, scope), `${name}: code that loads a file`)
  const calls = NEEDS_NO_BRACKETS.has(language) ? [LOADS_GIVEN, LOADS_BARE] : [LOADS_GIVEN]
  const given = calls.flatMap((call) => [...source.matchAll(call)].map(([, rest = '']) => rest))
  const isGiven = given.some((rest) => FROM_OUTSIDE.test(rest) || (words.length > 0 && LOADED_LATER.test(rest)))
  if (!isGiven) return
  note(scope.ledger, 45, `${name}: runs code that it is given`)
  for (const word of words) {
    if (!spend(scope.budget, 20)) return
    noteGrave(scope, (inner) => judgeCode(language, word, { name, scope: inner }))
    if (isAway(word, scope)) note(scope.ledger, placeScore(word, scope), `${name}: loads a file`)
  }
}

/** A name that the code has given to it before. */
const LOADED_LATER = /^[$@]?\w{1,40}\s{0,4}[),;[.]|^[$@]?\w{1,40}$/

/** By an address, or a path that is neither the project's nor the system's. */
function isAway(place: string, scope: Scope): boolean {
  if (/^(https?|file|data):/.test(place)) return true
  return /^[/~]|^\.\.\//.test(place) && /^(temporary|outside|trust|home)/.test(targetKind(place, scope))
}

function placeScore(place: string, scope: Scope): number {
  return /^https?:/.test(place) ? 64 : fileScore(place.replace(/^file:(\/\/)?/, ''), scope)
}

/** A call of a member of a module that can do harm, by a name that is put together or stands in a variable. */
export function callsComputed(source: string): boolean {
  return HARMFUL_MODULES.test(source) && COMPUTED_MEMBERS.some((member) => member.test(source))
}

const HARMFUL_MODULES = /\b(?:fs|child_process|fsp|os|shutil|subprocess|Deno|Bun|globalThis|builtins|__builtins__)\b/
const COMPUTED_MEMBERS = [
  /[\w)\]]\[[^\]'"`\n]{0,80}['"`](?:\w{0,40}['"`]\s{0,4}[^\]\s]|[^\]\n]{0,80}\$\{)[^\]\n]{0,80}\]\s{0,4}\(/,
  /[\w)\]]\[\s{0,4}\[/,
  /\b(?:fs|child_process|fsp|os|shutil|subprocess)\s{0,4}\[\s{0,4}[A-Za-z_]\w{0,40}\s{0,4}\]\s{0,4}\(/,
  /\bgetattr\s{0,4}\(\s{0,4}\w{1,40}\s{0,4},\s{0,4}(?!['"])[^()\n]{1,60}\)\s{0,4}\(/,
]

/** Members that are named by a string: `f['rmSync']`, and those that are called so. */
export function membersOf(source: string): readonly string[] {
  return [...source.matchAll(NAMED_MEMBER)]
    .slice(0, 64)
    .flatMap(([, name = '', call]) => (call !== undefined || GRAVE_MEMBER.test(name) ? [name] : []))
}

/** A function is called by what a variable holds, or by a member whose name stands in one: strings and words may name it. */
export function callsByName(language: Language, source: string): boolean {
  if (language === 'perl') return /&\s{0,4}[{$]|->\$/.test(source)
  return (language === 'php' ? /[\])]\s{0,4}\(|\$\w{1,40}\s{0,4}\(/ : /\]\s{0,4}\(/).test(source)
}

const NAMED_MEMBER = /\[\s{0,4}['"`](\w{1,40})['"`]\s{0,4}\]\s{0,4}(\()?/g
const GRAVE_MEMBER = /Sync$|^(?:rmtree|exec\w*|spawn\w*|system|unlink\w*|popen\w*|rm_rf)$/

/** Where nothing names the place, it is known only at run time. */
export function targetsOf(paths: readonly string[], words: readonly string[]): readonly string[] {
  return [...(paths.length > 0 ? paths : [UNKNOWN]), ...words.filter((word) => !/\s/.test(word))]
}
