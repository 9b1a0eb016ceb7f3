import { DEFAULT_AUTONOMY } from '../../protocol/directive.ts'
import { foldCase, matchesWhole, type ReadHint } from './hint-patterns.ts'
import { goesOn } from './risk/frames.ts'
import { readCall } from './risk/heads.ts'
import { isProgram } from './risk/program-names.ts'
import { isFileWriter, isToolName, type ToolName, toolKind, toolNameOf } from './risk/tool-names.ts'
import { WRAPPER_PROGRAMS } from './risk/wrappers.ts'

/** R-28: the one action of a plain hint, which `autoApprove` may speak for. */
export type Action =
  | { readonly kind: 'call'; readonly name: ToolName; readonly text: string }
  /** Without assignments and wrappers that change nothing. */
  | { readonly kind: 'command'; readonly program: string; readonly text: string }

/** Above this score only a pattern without a wildcard approves (AUTO-08). */
const MOST_FOR_WILDCARDS = 60

/** The first pattern that approves the hint: by the name of its only action, and by nothing else in it (AUTO-09, AUTO-10). */
export function findApproval(patterns: readonly string[], hint: ReadHint, weight: Weight): string | undefined {
  const action = hint.isPlain ? actionOf(hint, weight.isCommand ?? false) : undefined
  if (!action) return undefined
  return patterns.find((pattern) => {
    if (BUILT_IN.has(pattern) && isRaised(action, weight)) return false
    if (weight.score > MOST_FOR_WILDCARDS && !liftsMore(pattern, action, weight)) return false
    return action.kind === 'call'
      ? approvesCall(pattern, action, hint.work)
      : !BUILT_IN.has(pattern) && approvesCommand(pattern, action, hint.work)
  })
}

export interface Weight {
  readonly score: number
  /** The score without what the agent itself says. */
  readonly found?: number
  /** What the name of a call is worth without its arguments. */
  readonly nameScore?: number
  /** True for what a shell is going to run. */
  readonly isCommand?: boolean
}

/** A pattern on a name speaks for the name: SQL, commands, places and addresses among the arguments are not approved with it. */
function isRaised(action: Action, { score, found = score, nameScore = -1 }: Weight): boolean {
  if (action.kind === 'command') return true
  return tidy(action.text).replace(/\(\)$/, '') !== action.name.full && found > nameScore
}

/** Without a wildcard, and for all of the action or for what the name of the call is worth. */
function liftsMore(pattern: string, { kind, text }: Action, { score, nameScore = 0 }: Weight): boolean {
  const isSame = kind === 'call' ? foldCase(tidy(pattern)) === foldCase(text) : tidy(pattern) === text
  return !isWild(pattern) && (isSame || score <= nameScore)
}

function isWild(pattern: string): boolean {
  return /[*?]/.test(pattern)
}

/** Names of operations and tools that read; they never speak for a command, a sentence, a label or a tool that writes. */
const BUILT_IN: ReadonlySet<string> = new Set(DEFAULT_AUTONOMY.autoApprove)

/** Names are compared without case; what the pattern says of the arguments must be there as it stands. */
function approvesCall(pattern: string, { name, text }: Extract<Action, { kind: 'call' }>, work: Work) {
  if (BUILT_IN.has(pattern) && (toolKind(name) !== 'read' || isFileWriter(name))) return false
  const [first = '', ...rest] = tidy(pattern).split(' ')
  const folded = foldCase(first)
  const full = foldCase(name.full)
  const names = /__|[.:/]/.test(first) ? [full, labelled(full)] : undefined
  const isNamed = names
    ? names.some((each) => matchesWhole(folded, each, work))
    : name.readings.every((reading) => matchesWhole(folded, foldCase(reading), work))
  return isNamed && (rest.length === 0 || matchesWhole(rest.join(' '), text.slice(name.full.length).trim(), work))
}

/** `mcp__github__list_issues` where the hint says `github.list_issues`. */
function labelled(full: string): string {
  return full.startsWith('mcp__') ? full : `mcp__${full.replaceAll('.', '__')}`
}

/** Files and flags differ by case, so nothing is folded; and a wildcard does not lead out of the folder that it stands in. */
function approvesCommand(pattern: string, { program, text }: Extract<Action, { kind: 'command' }>, work: Work) {
  const plain = tidy(pattern)
  if (isWild(plain) && (WRAPPERS.has(program) || (LEADS_OUT.test(text) && !LEADS_OUT.test(plain)))) return false
  return matchesWhole(plain.split(' ', 1)[0] ?? '', program, work) && matchesWhole(plain, text, work)
}

const LEADS_OUT = /\.\.(?![\w.])/

type Work = ReadHint['work']

/** What they run would have to match by its own name. */
const WRAPPERS: ReadonlySet<string> = new Set(WRAPPER_PROGRAMS.map(([name]) => name))

/** Undefined where a text is a sentence, or sets what a program would run by. */
function actionOf({ source }: ReadHint, isCommand: boolean): Action | undefined {
  const called = isCommand ? undefined : readCall(source)
  const text = tidy(source)
  if (called) return called.end === source.trimEnd().length ? { kind: 'call', name: called.name, text } : undefined
  const command = text.replace(ASSIGNED, '').replace(TRANSPARENT, '')
  const [program = ''] = command.split(' ', 1)
  if (program === '' || /[=$'"\\{}()!#]/.test(program) || goesOn(command)) return undefined
  const isNamed = isCommand || isProgram(program) || program.includes('/') || isToolName(toolNameOf(program))
  return isNamed ? { kind: 'command', program, text: command } : undefined
}

/** Variables that only change how a program speaks. */
const ASSIGNED =
  /^(?:(?:CI|NODE_ENV|DEBUG|FORCE_COLOR|NO_COLOR|LANG|LC_\w+|TZ|TERM|COLUMNS)=(?!\/|[^\s]*\.\.)[\w.:@/*-]*\s+)+/
/** Programs that run another one as it would run without them. */
const TRANSPARENT = /^(?:(?:time|command|nohup|builtin)\s+(?!-))+/

/** Blanks between words are one; inside of quotes they are part of a word. */
function tidy(text: string): string {
  return /["'\\]/.test(text) ? text.trim() : text.replace(/[ \t]+/g, ' ').trim()
}
