import { type Budget, createBudget, spend } from './budget.ts'
import { judgeCarried } from './carried.ts'
import { judgeRequest } from './http.ts'
import { createLedger, factorsOf, note } from './ledger.ts'
import { DISGUISED, formsOf, LONGEST_FORM } from './normalise.ts'
import { judgeApart } from './program.ts'
import { isProgram } from './program-names.ts'
import { candidatesOf, proseFinding, readsAsCall, readsAsMarked, readsAsSentence } from './prose.ts'
import { runWords, UNLISTED } from './run-words.ts'
import { NOTHING, PROJECT, type Scope } from './scope.ts'
import { judgeSql, looksLikeSql } from './sql.ts'
import { type RiskTier, tierOf } from './tiers.ts'
import { judgeToolCall } from './tool-names.ts'
import { runScript, runText } from './walk.ts'

export interface RiskScore {
  /** 0 to 100, rounded up (AUTO-11). */
  readonly score: number
  readonly tier: RiskTier
  /** The rows that applied, the gravest first; at least one. */
  readonly factors: readonly string[]
}

export interface RiskSettings {
  /** Absolute folders that count as the project, beside the one that relative paths start in. */
  readonly projects?: readonly string[]
  /** Work that may be spent; more is never an error but a score. */
  readonly steps?: number
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
      const scope = newScope(budget, settings.projects ?? [])
      judgeForm(text, scope)
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
  return Object.freeze({ score, tier: tierOf(score), factors: Object.freeze(factorsOf(ledger)) })
}

function judgeForm(text: string, scope: Scope): void {
  if (looksLikeSql(text)) {
    judgeSql(text, scope, 'hint')
    return
  }
  if (judgeRequest(text, scope)) return
  const shell = judgeApart(scope, (inner) => void runText(text, inner, NOTHING))
  const isObject = /^\s*[\w.:/-]+\s*\(?\s*\{\s*"/.test(text)
  const isStrange = !isProgram(firstWordOf(text)) && [...shell.findings.keys()].some((why) => why.endsWith(UNLISTED))
  if (isObject && !isStrange) judgeToolCall(text, scope)
  if (isStrange && judgeToolCall(text, scope)) return
  for (const [why, score] of shell.findings) note(scope.ledger, score, why)
  if (shell.findings.size === 0) note(scope.ledger, UNRECOGNISED, 'nothing in it is known')
  // What is no command line may be a message, a call or a plan that holds one.
  if (!isProgram(firstWordOf(text))) judgeCarried(text, scope)
  const isSentence = readsAsSentence(text)
  if (isSentence) note(scope.ledger, UNRECOGNISED, 'it reads as a sentence')
  if (isStrange || isSentence || readsAsCall(text) || readsAsMarked(text)) judgeProse(text, scope)
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
    else if (!judgeRequest(candidate, scope)) runText(candidate, freshly(scope), NOTHING)
  }
}

function newScope(budget: Budget, projects: readonly string[]): Scope {
  return {
    ledger: createLedger(),
    budget,
    variables: new Map(),
    aliases: new Map(),
    functions: new Map(),
    files: new Map(),
    projects: [PROJECT, ...projects],
    positionals: undefined,
    chosen: undefined,
    cwd: PROJECT,
    depth: 0,
    runText,
    judgeCarried,
    runScript,
    runWords,
  }
}

/** The same ledger and budget, and nothing of what other candidates set. */
function freshly(scope: Scope): Scope {
  return { ...newScope(scope.budget, scope.projects), ledger: scope.ledger }
}
