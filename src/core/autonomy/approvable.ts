import { DEFAULT_AUTONOMY } from '../../protocol/directive.ts'
import { foldCase, matchesWhole, type ReadHint } from './hint-patterns.ts'
import { goesOn } from './risk/frames.ts'
import { readCall } from './risk/heads.ts'
import { isProgram } from './risk/program-names.ts'
import { isFileWriter, isToolName, type ToolName, toolKind, toolNameOf } from './risk/tool-names.ts'
import { WRAPPER_PROGRAMS } from './risk/wrappers.ts'

/** the one action of a plain hint, which `autoApprove` may speak for. */
export type Action =
  | { readonly kind: 'call'; readonly name: ToolName; readonly text: string }
  /** Without assignments and wrappers that change nothing. */
  | { readonly kind: 'command'; readonly program: string; readonly text: string }

/** Above this score only a pattern without a wildcard approves (AUTO-08). */
const MOST_FOR_WILDCARDS = 60

/** The first pattern that approves the hint: by the name of its only action, and by nothing else in it (AUTO-09, AUTO-10). */
export function findApproval(
  patterns: readonly string[],
  hint: ReadHint,
  { score, nameScore, isCommand = false }: Weight,
): string | undefined {
  const action = hint.isPlain ? actionOf(hint, isCommand) : undefined
  if (!action) return undefined
  const text = hint.texts[1]?.text ?? hint.texts[0]?.text ?? ''
  return patterns.find((pattern) => {
    const folded = foldCase(pattern).trim()
    const isExact = !/[*?]/.test(folded)
    // What the arguments add to the name is not approved with it.
    if (score > MOST_FOR_WILDCARDS && !(isExact && (folded === text || score <= (nameScore ?? 0)))) return false
    return action.kind === 'call'
      ? approvesCall(pattern, folded, action, hint.work)
      : !BUILT_IN.has(pattern) && approvesCommand(folded, action, hint.work)
  })
}

export interface Weight {
  readonly score: number
  /** What the name of a call is worth without its arguments. */
  readonly nameScore?: number
  /** True for what a shell is going to run. */
  readonly isCommand?: boolean
}

/** Names of operations and tools that read; they never speak for a command, a sentence, a label or a tool that writes. */
const BUILT_IN: ReadonlySet<string> = new Set(DEFAULT_AUTONOMY.autoApprove)

function approvesCall(pattern: string, folded: string, { name, text }: Extract<Action, { kind: 'call' }>, work: Work) {
  if (BUILT_IN.has(pattern) && (toolKind(name) !== 'read' || isFileWriter(name))) return false
  const [first = '', ...rest] = folded.split(' ')
  const full = foldCase(name.full)
  const names = /__|[.:/]/.test(first) ? [full, labelled(full)] : undefined
  const isNamed = names
    ? names.some((each) => matchesWhole(first, each, work))
    : name.readings.every((reading) => matchesWhole(first, foldCase(reading), work))
  return isNamed && (rest.length === 0 || matchesWhole(folded, text, work))
}

/** `mcp__github__list_issues` where the hint says `github.list_issues`. */
function labelled(full: string): string {
  return full.startsWith('mcp__') ? full : `mcp__${full.replaceAll('.', '__')}`
}

function approvesCommand(folded: string, { program, text }: Extract<Action, { kind: 'command' }>, work: Work) {
  const isExact = !/[*?]/.test(folded)
  if (WRAPPERS.has(program) && !isExact) return false
  return matchesWhole(folded.split(' ', 1)[0] ?? '', program, work) && matchesWhole(folded, text, work)
}

type Work = ReadHint['work']

/** What they run would have to match by its own name. */
const WRAPPERS: ReadonlySet<string> = new Set(WRAPPER_PROGRAMS.map(([name]) => name))

/** Undefined where a text is a sentence, or sets what a program would run by. */
function actionOf({ source, texts }: ReadHint, isCommand: boolean): Action | undefined {
  const called = isCommand ? undefined : readCall(source)
  const text = tidy(texts[0]?.text ?? '')
  if (called) return called.end === source.trimEnd().length ? { kind: 'call', name: called.name, text } : undefined
  const command = text.replace(ASSIGNED, '').replace(TRANSPARENT, '')
  const [program = ''] = command.split(' ', 1)
  if (program === '' || /[=$'"\\{}()!#]/.test(program) || goesOn(command)) return undefined
  const isNamed = isCommand || isProgram(program) || program.includes('/') || isToolName(toolNameOf(program))
  return isNamed ? { kind: 'command', program, text: command } : undefined
}

/** Variables that only change how a program speaks. */
const ASSIGNED = /^(?:(?:ci|node_env|debug|force_color|no_color|lang|lc_\w+|tz|term|columns)=[\w.:@/*-]*\s+)+/
/** Programs that run another one as it would run without them. */
const TRANSPARENT = /^(?:(?:time|command|nohup|builtin)\s+(?!-))+/

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
