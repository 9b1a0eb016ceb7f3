import type { OwnPlaces } from '../own-places.ts'
import { type Budget, createBudget, firstOf, spend } from './budget.ts'
import { judgeCarried } from './carried.ts'
import { withoutFiles } from './file-lines.ts'
import { asideOf, type Framed, frameOf, goesOn, isAside, withoutPurpose } from './frames.ts'
import { type Head, type HeadSettings, headOf, readCall } from './heads.ts'
import { judgeRequest } from './http.ts'
import { createLedger, factorsOf, note } from './ledger.ts'
import { DISGUISED, formsOf, LONGEST_FORM } from './normalise.ts'
import { wordSet } from './options.ts'
import { judgeApart, noteGrave } from './program.ts'
import { isProgram, programOf } from './program-names.ts'
import { candidatesOf, proseFinding, readsAsCall, readsAsMarked, readsAsSentence } from './prose.ts'
import { runWords, UNLISTED } from './run-words.ts'
import { PROJECT, type Scope } from './scope.ts'
import { withoutSpoken } from './spoken-input.ts'
import { judgeSql, looksLikeSql } from './sql.ts'
import { type RiskTier, tierOf } from './tiers.ts'
import { judgeToolCall, judgeToolName } from './tool-names.ts'
import { runScript, runText, runWhole } from './walk.ts'
import { withoutConditions } from './windows-programs.ts'

export interface RiskScore {
  /** 0 to 100, rounded up (AUTO-11). */
  readonly score: number
  readonly tier: RiskTier
  /** The rows that applied, the gravest first; at least one. */
  readonly factors: readonly string[]
  /** Of one call: what its name is worth without its arguments. */
  readonly nameScore?: number
}

export interface RiskSettings extends HeadSettings {
  /** Absolute folders that count as the project, beside the one that relative paths start in. */
  readonly projects?: readonly string[]
  /** What the server that asks uses itself. */
  readonly own?: OwnPlaces
  /** Work that may be spent; more is never an error but a score. */
  readonly steps?: number
  /** True for what a shell is going to run: then it is nothing else, whatever its first word looks like. */
  readonly isCommand?: boolean
}

/** A hint that is more work than the budget holds. */
const OVER_BUDGET = 70
/** AUTO-13: a hint in which nothing is recognised. */
const UNRECOGNISED = 35

/** What a next action is worth, judged from its words alone. Equal text, equal score; never an exception. */
export function scoreHint(hint: string, settings: RiskSettings = {}): RiskScore {
  const ledger = createLedger()
  const budget = createBudget(settings.steps)
  try {
    let before = -1
    for (const { text, because } of formsOf(hint)) {
      if (text.length >= LONGEST_FORM) budget.isSpent = true
      const scope = newScope(budget, settings.projects ?? [], settings.own)
      judgeForm(withoutConditions(text), scope, settings)
      for (const [why, score] of scope.ledger.findings) note(ledger, score, why)
      if (because !== undefined && scope.ledger.score !== before) note(ledger, DISGUISED, because)
      before = scope.ledger.score
    }
  } catch {
    // The parser is foreign code: what it cannot take is grave, not an error (AUTO-19).
    note(ledger, OVER_BUDGET, 'the text could not be judged')
  }
  if (budget.isSpent) note(ledger, OVER_BUDGET, 'the text is too involved to be judged')
  if (ledger.findings.size === 0) note(ledger, UNRECOGNISED, 'nothing in it is known')
  const score = Math.ceil(ledger.score)
  const nameScore = settings.isCommand ? undefined : scoreName(hint, settings)
  return Object.freeze({
    score,
    tier: tierOf(score),
    factors: Object.freeze(factorsOf(ledger)),
    ...(nameScore !== undefined && { nameScore }),
  })
}

function scoreName(hint: string, { operation }: RiskSettings): number | undefined {
  const called = hint.length > LONGEST_CALL ? undefined : readCall(hint, operation)
  if (!called || called.end !== hint.trimEnd().length) return undefined
  const scope = newScope(createBudget(), [])
  judgeToolName(called.name, scope)
  return operation?.(called.name.full) ?? scope.ledger.score
}

const LONGEST_CALL = 12_000

/** Every reading of the text is judged, and the gravest counts: no first word hides what stands behind it. */
function judgeForm(text: string, scope: Scope, settings: RiskSettings): void {
  if (settings.isCommand) {
    judgeShell(text, scope)
    return
  }
  const framed = frameOf(text)
  const head = framed && judgeFramed(framed, scope, settings) ? 'judged' : headOf(text, settings)
  if (!head) judgeText(text, scope)
  else if (head !== 'judged') judgeHead(head, scope)
  const [, ...later] = withoutFiles(withoutSpoken(text)).split(/[;\n]+/)
  for (const part of firstOf(later, MOST_PARTS, scope.budget)) judgePart(part, scope)
}

/** False where the words around the action are more than that. */
function judgeFramed(framed: Framed, scope: Scope, settings: RiskSettings): boolean {
  const { action, isCommand, rest } = withoutPurpose(framed)
  const head = isCommand ? undefined : headOf(action, settings)
  if (head?.called?.end === action.length || (head && !head.called)) {
    if (!isAside(rest)) return false
    judgeHead(head, scope)
    return true
  }
  const command = framed.action
  if (!isProgram(firstWordOf(command)) || !isAside(framed.rest)) return false
  if (goesOn(command) || !isAside(asideOf(command))) return false
  judgeShell(command, scope)
  return true
}

function judgeHead(head: Head, scope: Scope): void {
  head.judge(scope)
  if (head.shell === ':') return
  const shell = judgeApart(scope, (inner) => {
    judgeShell(head.shell, inner)
    const tail = head.shell.replace(/^:[\s;&|]*/, '')
    if (!head.isSpread && tail !== '') judgeText(tail, inner)
  })
  for (const [why, score] of shell.findings) if (!head.isSpread || score > 60) note(scope.ledger, score, why)
}

function judgeText(text: string, scope: Scope): void {
  const isStrange = judgeShell(text, scope)
  judgeSaid(withoutSpoken(text), isStrange, scope)
}

/** What the text is besides a command line. */
function judgeSaid(text: string, isStrange: boolean, scope: Scope): void {
  if (looksLikeSql(text)) judgeSql(text, scope, 'hint')
  judgeRequest(text, scope)
  const isNamed = isProgram(firstWordOf(text))
  if (!isNamed || OBJECT.test(text)) judgeToolCall(text, scope)
  const isSentence = readsAsSentence(text) || (isNamed && !SAYS.has(firstWordOf(text)) && goesOn(text))
  if (isSentence) note(scope.ledger, UNRECOGNISED, 'it reads as a sentence')
  if (isStrange || isSentence || readsAsCall(text) || readsAsMarked(text)) judgeProse(text, scope)
}

const MOST_PARTS = 64

/** A later line or statement may be a phrase around a command of its own. */
function judgePart(part: string, scope: Scope): void {
  const framed = scope.budget.isSpent ? undefined : frameOf(part)
  if (framed && isProgram(firstWordOf(framed.action)))
    noteGrave(scope, (inner) => runWhole(framed.action, freshly(inner)))
}

/** Programs whose words may be a sentence. */
const SAYS = wordSet('echo printf say espeak notify-send grep rg ag wall')

const OBJECT = /^\s*[\w.:/-]+\s*(?:\(\s*)?\{\s*"/

/** True where it holds a name that no table knows. */
function judgeShell(text: string, scope: Scope): boolean {
  const shell = judgeApart(scope, (inner) => runWhole(text, inner))
  for (const [why, score] of shell.findings) note(scope.ledger, score, why)
  if (shell.findings.size === 0) note(scope.ledger, UNRECOGNISED, 'nothing in it is known')
  if (isProgram(firstWordOf(text))) return false
  // What is no command line may be a message, a call or a plan that holds one.
  judgeCarried(text, scope)
  return [...shell.findings.keys()].some((why) => why.endsWith(UNLISTED))
}

/** Where a command's name stands, past assignments and signs. */
function firstWordOf(text: string): string {
  const words = text
    .trim()
    .slice(0, 400)
    .split(/[\s;|&]+/)
  const found = words.find((word) => word !== '' && word !== '!' && !/^\w+=/.test(word)) ?? ''
  return found.replace(/^[({\\'"`$]+/, '')
}

/** What is not a command line may speak of one. */
function judgeProse(text: string, scope: Scope): void {
  if (!spend(scope.budget, text.length / 2)) return
  const prose = proseFinding(text)
  if (prose) note(scope.ledger, prose.score, prose.why)
  for (const candidate of candidatesOf(text, scope.budget)) {
    if (scope.budget.isSpent) return
    if (looksLikeSql(candidate)) judgeSql(candidate, scope, 'hint')
    else if (!judgeRequest(candidate, scope)) runWhole(candidate, freshly(scope))
  }
}

function newScope(budget: Budget, projects: readonly string[], own?: OwnPlaces): Scope {
  return {
    ledger: createLedger(),
    budget,
    variables: new Map(),
    aliases: new Map(),
    functions: new Map(),
    files: new Map(),
    projects: [PROJECT, ...projects],
    ...(own && { own }),
    positionals: undefined,
    chosen: undefined,
    cwd: PROJECT,
    seen: { secret: false, production: false },
    depth: 0,
    runText,
    judgeCarried,
    runScript,
    programOf,
    runWords,
  }
}

/** The same ledger and budget, and nothing of what other candidates set. */
function freshly(scope: Scope): Scope {
  return { ...newScope(scope.budget, scope.projects, scope.own), ledger: scope.ledger }
}
