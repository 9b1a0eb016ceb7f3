import { note } from './ledger.ts'
import { onlyTells } from './only-pretends.ts'
import { words } from './options.ts'
import { isUnknown, known, type Scope } from './scope.ts'

/** What is put into a process runs with its rights: into the one that judges, or into the one in which a human answers. */
export const INTO_PROCESS = 66

/** Programs that put code or keys into others; the pattern fits the words of a call that does. */
const ROWS: readonly (readonly [names: string, does: RegExp])[] = [
  ['pyrasite pyrasite-shell rbtrace jattach reptyr frida frida-trace injcode hotpatch', /^/],
  ['wtype dotool xte xvkbd xvkbd-ng cliclick sendkeys evemu-event', /^/],
  [
    'xdotool ydotool kdotool wlrctl',
    /(^| )(key|keydown|keyup|type|click|mousemove|mousedown|mouseup|window(activate|focus)|exec|keyboard|pointer|debug)( |$)/,
  ],
  ['kitty kitten wezterm zellij', /(^| )(send-text|send-key|write-chars|write)( |$)/],
  ['jdb', /(^| )-attach/],
  [
    'fuser skill start-stop-daemon supervisorctl pm2 killproc',
    /(^|[ =-])(SIG)?USR1( |$)|(^| )-(10|30)( |$)|(^| )(-s|--signal)[ =](10|30)( |$)/i,
  ],
]

const INTO = new Map(ROWS.flatMap(([names, does]) => words(names).map((name) => [name, does] as const)))

/** What is told to such a program acts inside of another one. */
export function judgeInto(name: string, args: readonly string[], { ledger }: Scope): void {
  const does = INTO.get(name)
  if (does === undefined || onlyTells(args, '--help --version -h -V help version')) return
  if (does.test(args.map(known).join(' '))) note(ledger, INTO_PROCESS, `${name}: acts inside of another program`)
}

/** `gdb -p 12`, `gdb app 12`, `lldb -o 'process attach …'`: a process that runs already, unless this text started it. */
export function attaches(all: readonly string[]): boolean {
  const args = all.slice(0, all.includes('--args') ? all.indexOf('--args') : all.length)
  const operands = args.filter((arg, at) => !arg.startsWith('-') && !TAKES_WORD.test(args[at - 1] ?? ''))
  const second = operands[1] ?? ''
  return (
    /^\d+$/.test(second) ||
    (second !== '' && known(second) === '') ||
    args.some((arg, at) => {
      const value =
        /^(?:-p|--(?:attach-)?pid=|--attach-name=)(.+)$/.exec(arg)?.[1] ??
        (ATTACH.test(arg) ? (args[at + 1] ?? '') : undefined)
      return (value !== undefined && !isOwnJob(value)) || ORDER.test(arg)
    })
  )
}

const ATTACH = /^(-p|--?pid|--?attach(-pid|-name)?|-n|-w|--waitfor)$/
const TAKES_WORD = /^(-ex|-iex|--ex|--eval-command|-o|--one-line|-x|-p|-n|--args|--?pid)$/
const ORDER = /^\s*(attach\b|process (attach|connect)|target (extended-)?remote|gdb-remote)/

/** `node inspect -p PID`, `node inspect localhost:9229`. */
export function entersProcess(words: readonly string[]): boolean {
  const [first = ''] = words
  return /^-p|^(wss?|https?):|^[\w.[\]:-]*:\d+$|^\d+$/.test(first) || (isUnknown(first) && known(first) === '')
}

/** The signal by which Node opens its debugger, as words and as a number: 10 on Linux, 30 on macOS. */
const DEBUGGER_SIGNAL = '(?:(?:SIG)?USR1|10|30)'

/** Node listens for its debugger when it gets this signal; others reopen their logs. */
export function opensDebugger(args: readonly string[]): boolean {
  return args.some((arg, at) => {
    if (FLAG.test(arg)) return true
    return /^(-s|-n|--signal)$/.test(args[at - 1] ?? '') && isDebuggerSignal(arg)
  })
}

const FLAG = new RegExp(`^(?:-[sn]?|--signal=)${DEBUGGER_SIGNAL}$`, 'i')

export function isDebuggerSignal(arg: string): boolean {
  return SIGNAL.test(arg)
}

const SIGNAL = new RegExp(`^${DEBUGGER_SIGNAL}$`, 'i')

/** A job of this shell: `%1`, or the process that it started last. */
export function isOwnJob(arg: string): boolean {
  return arg.startsWith('%')
}

/** What `$!` is taken for. */
export const LAST_JOB = '%!'

/** Names of programs that run on Node, and patterns that fit them. */
export const MAY_BE_NODE = /node|\.[cm]?js|mcpaql|np[mx]|claude|cursor|electron|^code|vite|next|tsx|^$|[.*]/i

/** Code that opens the debugger of another process, or writes into its memory. */
export function entersByCode(code: string, language: string): boolean {
  return (
    /SIGUSR1|_debugProcess\b|\bremote_exec\s*\(|process_vm_writev|PTRACE_(ATTACH|SEIZE|POKE\w*)|\bTIOCSTI\b/.test(
      code,
    ) ||
    signalsSent(code, language).some((signal) => isDebuggerSignal(signal) || DEBUGGER_NUMBERS.has(numberOf(signal)))
  )
}

/** A signal that is computed may be the one of the debugger. */
export function signalsByComputing(code: string, language: string): boolean {
  return signalsSent(code, language).some((signal) => !NAMES_SIGNAL.test(signal) && Number.isNaN(numberOf(signal)))
}

const DEBUGGER_NUMBERS: ReadonlySet<number> = new Set([10, 30])
const NAMES_SIGNAL =
  /^(?:\w+\.)*(?:SIG)?(?:HUP|INT|QUIT|ILL|TRAP|ABRT|BUS|FPE|KILL|USR[12]|SEGV|PIPE|ALRM|TERM|CHLD|CONT|STOP|TSTP|TTIN|TTOU|WINCH|IO|INFO|PWR|ZERO|EXIT)$/i

/** `0xa`, `012` and `1e1` are numbers as well. */
function numberOf(text: string): number {
  return /^-?0[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Math.abs(text === '' ? Number.NaN : Number(text))
}

/** What calls that send a signal are given for it: first in some languages, behind the process in the others. */
function signalsSent(code: string, language: string): readonly string[] {
  const isFirst = language === 'perl' || language === 'ruby'
  return [...code.matchAll(SENDS)].slice(0, MOST_CALLS).flatMap(({ 0: name, index }) => {
    const given = argumentsAt(code, index + name.length)
    const signal = given[isFirst || /send_?signal/i.test(name) ? 0 : 1]
    return signal === undefined ? [] : [signal.replace(/^[-:'"`]+|['"`]+$/g, '')]
  })
}

const MOST_CALLS = 64
const LONGEST_CALL = 300
/** Names of calls that send a signal, and what stands before their arguments. */
const SENDS =
  /(?<![A-Za-z\d])(?:killpg|kill|pskill|posix_kill|send_?signal|sigqueue|tgkill|pthread_kill)(?:['"`]?\])?\s{0,8}(?=[('"`:$\d]|(?:SIG)?USR1)/gi

/** The arguments of the call, in brackets or up to the end of the statement. */
function argumentsAt(code: string, from: number): readonly string[] {
  const isOpen = code[from] === '('
  const given = ['']
  let depth = 0
  for (const char of code.slice(isOpen ? from + 1 : from, from + LONGEST_CALL)) {
    if (/[([{]/.test(char)) depth++
    else if (/[)\]}]/.test(char) && depth-- === 0) break
    else if (depth === 0 && /[;\n]/.test(char)) break
    if (depth === 0 && (char === ',' || char === '=')) given.push('')
    else given[given.length - 1] += char
  }
  return given.map((text) => text.replace(/^[>\s]+|\s+$/g, '')).filter((text) => text !== '')
}

/** AppleScript that types or clicks in other programs. */
export function typesKeys(code: string): boolean {
  return /\bkeystroke\b|\bkey\s+code\b|\bkey(Code|stroke)\s*\(|System Events|\bclick\s+(button|menu|at)\b/i.test(code)
}
