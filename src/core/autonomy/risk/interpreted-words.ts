import { Buffer } from 'node:buffer'
import type { Language } from './inline-code.ts'
import { familyOf, isOnlyWord } from './only-word.ts'
import { wordSet } from './options.ts'

/** What the words of an interpreter say that it runs. */
export interface Interpreted {
  /** Texts that are code. */
  readonly codes: readonly string[]
  /** What is loaded before the program. */
  readonly loads: readonly string[]
  /** A module of Python and its words. */
  readonly module?: readonly string[]
  /** Where the script stands; -1 without one. */
  readonly at: number
  /** False where the script may be the value of the option before it. */
  readonly isSure: boolean
  /** Only checks the program. */
  readonly checks: boolean
}

/**
 * Options end at the script. A word behind an option that may take a value may be that value, so that options go on
 * behind it: code is found wherever it can stand before a word that is sure to be the script.
 */
export function readInterpreted(
  kind: Language,
  name: string,
  args: readonly string[],
  flags: ReadonlySet<string>,
): Interpreted {
  const codes: string[] = []
  const loads: string[] = []
  const isCode = (arg: string) => flags.has(arg) || [...flags].some((flag) => isClustered(kind, arg, flag))
  let candidate = -1
  let checks = false
  let isEval = false
  for (const [at, arg] of args.entries()) {
    const before = args[at - 1] ?? ''
    if (arg === '--') return { codes, loads, at: at + 1 < args.length ? at + 1 : -1, isSure: true, checks }
    if (arg === '-') return { codes, loads, at, isSure: true, checks }
    if (!arg.startsWith('-')) {
      if (isEval) codes.push(arg)
      else if (flags.has(arg)) isEval = true
      else if (at > 0 && (isCode(before) || LOADS[kind]?.test(before) || TAKES[kind]?.test(before))) continue
      else if (kind === 'javascript' && arg === 'repl') continue
      else if (codes.length > 0) break
      else if (mayTake(kind, before)) candidate = candidate < 0 ? at : candidate
      else return { codes, loads, at, isSure: true, checks }
      continue
    }
    const [, attached] = kind === 'python' ? (MODULE.exec(arg) ?? []) : []
    if (attached !== undefined && codes.length === 0) {
      const module = attached === '' ? args.slice(at + 1) : [attached, ...args.slice(at + 1)]
      return { codes, loads, module, at: -1, isSure: true, checks }
    }
    if (CHECKS.get(name)?.has(arg) && !mayTake(kind, before)) checks = isOnlyWord(args, at, familyOf([arg]))
    codes.push(...(isCode(arg) ? [args[at + 1] ?? ''] : joinedCode(kind, arg, flags)))
    loads.push(...loadedBy(kind, arg, args[at + 1] ?? ''))
  }
  return { codes, loads, at: codes.length > 0 ? -1 : candidate, isSure: false, checks }
}

const MODULE = /^-[bBdEiIOPqsSuvx]*m(.*)$/s

/** Options that take the next word, for each language. */
const TAKES: Partial<Record<Language, RegExp>> = {
  python: /^(-[WXQ]|--check-hash-based-pycs)$/,
  javascript:
    /^(-C|--conditions|--title|--input-type|--stack-trace-limit|--max-old-space-size|--env-file|--config|--tsconfig|--cwd|-P|--project|--icu-data-dir|--port|--seed|--v8-flags|--lock|--import-map|--cert|--location|--ext)$/,
  ruby: /^-[IEWCFTKx]$|^--(encoding|external-encoding|internal-encoding|disable|enable)$/,
  perl: /^-I$/,
  php: /^(-[dczg]|--define|--php-ini)$/,
  r: /^(-g|-d)$/,
  applescript: /^-[ls]$/,
  other: /^(-O|-t|-p|-C|-J|-L|-H|-cp|-classpath|--threads|--optimize|-S|-pa|-pz|-name|-sname|-setcookie|-l|-s)$/,
}

/** Options whose value is loaded or run before the program. */
const LOADS: Partial<Record<Language, RegExp>> = {
  javascript: /^(-r|--require|--import|--loader|--experimental-loader|--preload|--require-module)$/,
  ruby: /^-r$/,
  perl: /^-[Mm]$/,
  lua: /^-l$/,
  php: /^(-z|--zend-extension)$/,
  other: /^(-r|-L|--load|-i)$/,
}

function loadedBy(kind: Language, arg: string, next: string): readonly string[] {
  if (LOADS[kind]?.test(arg)) return [next]
  const cut = arg.indexOf('=')
  if (arg.startsWith('--') && cut > 0 && LOADS[kind]?.test(arg.slice(0, cut))) return [arg.slice(cut + 1)]
  const [, joined] = (kind === 'perl' ? /^-[Mm]-?(.+)$/s : kind === 'ruby' ? /^-r(.+)$/s : /^$/).exec(arg) ?? []
  return joined === undefined ? [] : [joined]
}

/** Options that take no value, as far as they stand before scripts in everyday work. */
const SWITCHES: Partial<Record<Language, RegExp>> = {
  python: /^-[bBdEhiIOPqsSuvVx]+$/,
  javascript:
    /^(--(test|watch|check|enable-|no-|inspect|experimental-(?!loader|default-type)|trace-|harmony|preserve-|expose|allow-(?!\w+$)|allow-all|use-|throw-|unhandled-|abort-|cpu-prof$|prof$|hot|smol|bun|silent|transpile-only|esm|files|respawn|pending-deprecation|quiet|reload|cached-only|unstable)\S*|-[iAqT])$/,
  ruby: /^-[acdhlnpsSvwy0-9]+$|^--(jit|yjit|verbose|disable-\S+|enable-\S+)$/,
  perl: /^-[acfgilnpsStTuUvwWX0-9.]+\S*$/,
  php: /^-[afhilmnqsvw]+$/,
  lua: /^-[ivEW]+$/,
  r: /^--(vanilla|no-\S+|slave|quiet|verbose)$/,
  other:
    /^(-i|-q|-v|-h|--(quiet|no-\S+|script|vanilla|startup-file|noinform|non-interactive|batch|disable-\S+)|-noshell|-noinput|-n)$/,
}

function mayTake(kind: Language, option: string): boolean {
  return option.startsWith('-') && !/^--?[\w-]+=/.test(option) && !SWITCHES[kind]?.test(option)
}

/** Flags that read a program without running it. */
const CHECKS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['php', wordSet('-l -i -m --ini')],
  ['node', wordSet('--check')],
  ['ruby', wordSet('-c')],
])

function isClustered(kind: Language, arg: string, flag: string): boolean {
  if (flag.length !== 2 || !/^-\w+$/.test(arg) || arg === '-version') return false
  return arg.endsWith(flag[1] ?? '') && !takesRest(kind, arg.slice(1, -1))
}

/** True where a letter of the cluster takes what follows it in the same word: `-MList::Util`, `-Wignore`, `-I/opt`. */
function takesRest(kind: Language, letters: string): boolean {
  return Array.from(letters).some((letter) => TAKES_REST[kind]?.includes(letter))
}

/** `-pie` of Perl is left out: who writes it means code. */
const TAKES_REST: Partial<Record<Language, string>> = {
  python: 'WXQ',
  perl: 'MmIFDVC',
  ruby: 'rIEFTKWx',
  php: 'dczgS',
  lua: 'l',
}

/** `perl -lane'…'`, `python -c'…'`, `node --eval=…`: code in the same word as its flag. */
function joinedCode(kind: Language, arg: string, flags: ReadonlySet<string>): readonly string[] {
  return [...flags].flatMap((flag) => {
    if (flag.startsWith('--')) return arg.startsWith(`${flag}=`) ? [arg.slice(flag.length + 1)] : []
    const at = arg.indexOf(flag[1] ?? '')
    const isOther = /^-[MmIF]/.test(arg) || takesRest(kind, arg.slice(1, Math.max(1, at))) || kind === 'javascript'
    const isFlag = !isOther && flag.length === 2 && /^-\w*$/.test(arg.slice(0, at))
    return isFlag && at > 0 && at < arg.length - 1 ? [arg.slice(at + 1)] : []
  })
}

/** The text in `data:text/javascript,…`, also as Base64. */
export function dataText(address: string): string | undefined {
  const [, type = '', body] = /^data:([^,]*),([\s\S]*)$/i.exec(address) ?? []
  if (body === undefined) return undefined
  if (/;base64$/i.test(type)) return Buffer.from(body, 'base64').toString('utf8')
  try {
    return decodeURIComponent(body)
  } catch {
    return body
  }
}
