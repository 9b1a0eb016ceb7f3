import { type FoundVerb, judgeTexts } from './judge-texts.ts'
import { note } from './ledger.ts'
import { isTestRun, worksOnTestDatabase } from './named-environment.ts'
import { onlyPretends, onlyTellsOfOrder } from './only-pretends.ts'
import { familyOf, isOnlyWord } from './only-word.ts'
import { wordSet } from './options.ts'
import { markProduction, namesProduction } from './production.ts'
import { type Call, judgeApart, type Program } from './program.ts'
import { known, type Stream } from './scope.ts'
import {
  asks,
  partsOf,
  VERB_KINDS,
  VERBS,
  type VerbKind,
  type Verbs,
  verbFinding,
  verbKind,
  verbTable,
} from './verbs.ts'

export interface CommandLineRow {
  /** Verbs that mean something else here, or that only this program has. */
  readonly verbs?: Partial<Record<VerbKind, string>>
  /** What it is worth without any verb. */
  readonly bare?: number
  /** Verbs of others that only group things here: `gcloud run services list`. */
  readonly groups?: string
  /** With a test environment it works on a database that is made again. */
  readonly tests?: boolean
  /** A short flag that makes it a rehearsal here. */
  readonly rehearsal?: string
}

/** A program that takes verbs: `PROGRAM noun… verb name… --flags`. */
export function commandLine(row: CommandLineRow = {}): Program {
  const own = verbTable(row.verbs ?? {})
  const groups = wordSet(row.groups ?? '')
  return (call) => {
    const isTried = row.rehearsal !== undefined && onlyPretends(call.args, { names: row.rehearsal, switches: 'yq' })
    const words = groups.has(call.args[0] ?? '') ? call.args.slice(1) : call.args
    const isTest = row.tests === true && isTestRun(call)
    const judged = { ...call, args: isTried ? ['--dry-run', ...words] : words }
    if (row.tests !== true || !worksOnTestDatabase(call)) return judgeCommandLine(judged, own, row.bare ?? 35, isTest)
    const { findings } = judgeApart(call.scope, (scope) => {
      judgeCommandLine({ ...judged, scope }, own, row.bare ?? 35, isTest)
    })
    for (const [why, score] of findings) note(call.scope.ledger, Math.min(score, TEST_DATABASE), why)
    return undefined
  }
}

/** What is lost there is only data of tests, and yet somebody may have put it there. */
const TEST_DATABASE = 50

const MOST_WORDS = 8

export function judgeCommandLine(
  { name, args, scope, stdin }: Call,
  own: Verbs,
  bare: number,
  isTest = false,
): Stream | undefined {
  const plain = args.map(known)
  if (plain.length === 0) return noted(call(scope, name), bare > 35 ? bare : 12, 'shows its help')
  if (onlyTellsOfOrder(plain, '--help --version -version -help') || isHelpLetter(name, plain))
    return noted(call(scope, name), 8, 'shows its help or version')
  if (onlyPretends(args)) return noted(call(scope, name), 15, 'a rehearsal that changes nothing')
  const found = findVerb(args, plain, own)
  judgeTexts({ name, args, scope, stdin }, found)
  for (const flag of plain) judgeFlag(flag, found?.kind, call(scope, name))
  if (isOpen(args, plain, found?.at ?? 4)) note(scope.ledger, 62, `${name}: what it shall do is known only at run time`)
  if (partsOf(name).some((part) => VERBS.get(part) === 'destroy'))
    note(scope.ledger, 70, `${name}: a name that says what it deletes`)
  if (found?.kind === 'change' && scalesToNothing(found.verb, plain)) noted(call(scope, name), 64, 'scales to nothing')
  judgePlace(args, found, bare, call(scope, name))
  if ((found?.kind === 'create' || found?.kind === 'change') && givesAll(plain))
    noted(call(scope, name), 64, 'gives all rights')
  if (found?.kind !== 'read' && opensToAll(plain)) noted(call(scope, name), 64, 'opens something to everybody')
  // `config set project dev`, `account set`: settings of the tool itself.
  if (
    found?.verb === 'set' &&
    /^(config|account|context)$/.test(plain[found.at - 1] ?? '') &&
    !/proxy|endpoint|custom_ca|auth|override/.test(plain[found.at + 1] ?? '')
  )
    return noted(call(scope, name), 28, 'changes its own settings')
  if (found?.verb === 'config' && plain.slice(found.at + 1).every((arg) => arg.startsWith('-')))
    return noted(call(scope, name), 12, 'shows its settings')
  if (isTest) return noted(call(scope, name), 28, 'works on a database of tests')
  if (
    /^(downgrade|migrate|rollback|migrate:rollback)$/.test(found?.verb ?? '') &&
    /^(base|zero)$/.test(plain.at(-1) ?? '')
  )
    noted(call(scope, name), 66, 'takes every migration back')
  if (!found && isListing(plain)) return noted(call(scope, name), 14, 'lists')
  if (!found) return noted(call(scope, name), bare, 'a sub-command that no table knows')
  const { score, why } = verbFinding(
    found.kind,
    found.verb,
    plain.slice(0, found.at + 2).filter((word) => !OPERAND.test(word)),
  )
  note(scope.ledger, score, `${name} ${why}`)
  return undefined
}

/** `az group delete -h`: alone, or behind the orders of a tool that has no other use of the letter. */
function isHelpLetter(name: string, plain: readonly string[]): boolean {
  if (plain.at(-1) !== '-h') return false
  return plain.length === 1 || (HELP_LETTER.has(name) && plain.slice(0, -1).every((arg) => /^[a-z][a-z-]*$/.test(arg)))
}

const HELP_LETTER = wordSet('az helm argocd flux eksctl kind minikube k3d flyctl fly doctl gcloud')

/** What changes something is more where others live with it. */
function judgePlace(args: readonly string[], found: Found | undefined, bare: number, here: Here): void {
  const { seen } = here.scope
  const isChange = found ? found.kind === 'change' : bare > 30
  if ((isChange && namesProduction(args)) || (seen.production && (isChange || found?.kind === 'create')))
    noted(here, 63, 'changes what is in production')
  markProduction(args, here.scope)
}

/** `-policy=root`, `--clusterrole cluster-admin`: rights without a bound. */
function givesAll(plain: readonly string[]): boolean {
  return plain.some((arg, at) => {
    const [, flag = plain[at - 1] ?? '', value = arg] = /^(--?[\w-]+)=(.*)$/.exec(arg) ?? []
    return (
      /polic(y|ies)|role|permission|scope|privilege|access-level/i.test(flag) &&
      /(^|[/-])(root|admin|administrator|owner|superuser|AdministratorAccess|full_?access|\*)$/i.test(value)
    )
  })
}

/** A word before the verb that is known only at run time, and is no flag's value. */
function isOpen(args: readonly string[], plain: readonly string[], before: number): boolean {
  return args.slice(0, before).some((arg, at) => arg !== '' && plain[at] === '' && !plain[at - 1]?.startsWith('-'))
}

/** One thing in the plural and nothing to do with it: it is listed. */
function isListing(plain: readonly string[]): boolean {
  const [first = '', ...rest] = plain
  return /[^s]s$/.test(first) && rest.every((arg) => arg.startsWith('-'))
}

/** Verbs among the flags (`--delete`, `-destroy`) and flags that take away a safety. */
function judgeFlag(flag: string, kind: VerbKind | undefined, here: Here): void {
  if (!flag.startsWith('-') || flag.length < 4) return
  const name = flag.split('=', 1)[0] ?? flag
  const own = RISKY_FLAGS.get(name.replace(/^--?/, ''))
  const worth = kind === undefined ? 100 : VERB_KINDS[kind].score
  // Force on what only builds is a question; the other flags say what is lost.
  if (own !== undefined && worth > VERB_KINDS.read.score)
    noted(here, worth > 30 || !FORCES.has(name) ? own : 45, `${name} takes away a safety`)
  const parts = partsOf(name)
  // A cache is made again, and so is what a build writes.
  if (parts.includes('cache') || parts.at(-1) === 'outputs') return
  if (parts.includes('protection') || parts.includes('termination')) {
    if (parts[0] === 'no') noted(here, 64, `${name} takes away a protection`)
    return
  }
  // `--force-reset`: the verb stands behind a word that only says how.
  const first = (parts[0] === 'force' && parts.length > 1 ? parts[1] : parts[0]) ?? ''
  const byFlag = VERBS.get(first)
  if (byFlag === 'destroy' && first.length > 2 && !flag.endsWith('=false')) noted(here, 66, `${name} deletes`)
  else if (kind === undefined && byFlag && name.startsWith('--'))
    noted(here, VERB_KINDS[byFlag].score, `${name} ${VERB_KINDS[byFlag].why}`)
}

interface Found extends FoundVerb {
  readonly isSure: boolean
}

/**
 * The first word that is a verb. A word behind a flag may be that flag's value: it counts only where it is graver
 * than the verb that follows, or where none does.
 */
function findVerb(args: readonly string[], plain: readonly string[], own: Verbs): Found | undefined {
  let gravest: Found | undefined
  let seen = 0
  for (const [at, verb] of plain.entries()) {
    if (seen >= MOST_WORDS) break
    if (verb.startsWith('-') || verb === '' || OPERAND.test(verb) || verb.includes(' ')) continue
    if (NAMES.has(plain[at - 1] ?? '')) continue
    if (!plain[at - 1]?.startsWith('-')) seen++
    const kind = verbKind(verb, own)
    if (!kind || isNoun(verb, plain[at + 1], own)) continue
    const before = plain[at - 1] ?? ''
    const isSure = !(before.startsWith('-') && !before.includes('='))
    const found: Found = { verb, kind, at, isSure }
    if (!gravest || VERB_KINDS[kind].score > VERB_KINDS[gravest.kind].score) gravest = found
    if (isSure && !args[at]?.includes('\0'))
      return asks(verb) || verb === 'create' ? gravest : graver(gravest, plain, at, own)
  }
  return graverFlag(gravest, plain, own) ?? verbFlag(plain, own)
}

/** `tarsnap -d -f name`: a flag that is a verb of this program counts where it is graver than a word. */
function graverFlag(found: Found | undefined, plain: readonly string[], own: Verbs): Found | undefined {
  const at = plain.findIndex((arg) => arg.startsWith('-') && own.has(arg))
  const kind = own.get(plain[at] ?? '')
  if (!found || !kind || VERB_KINDS[kind].score <= VERB_KINDS[found.kind].score) return found
  return { verb: plain[at] ?? '', kind, at, isSure: true }
}

/** `--visibility public`, `--acl public-read`, `--member allUsers`, `--cidr 0.0.0.0/0`. */
function opensToAll(plain: readonly string[]): boolean {
  return plain.some(
    (arg, at) =>
      /(^|[=:])(allUsers|allAuthenticatedUsers|0\.0\.0\.0\/0|::\/0)$/.test(arg) ||
      /^--(acl|visibility|access)=public/.test(arg) ||
      (arg.startsWith('public') && /^--(acl|visibility|access)$/.test(plain[at - 1] ?? '')) ||
      isWideRange(arg, plain[at - 1] ?? ''),
  )
}

/** `--add-port=1-65535/tcp`, `allow 1:65535/tcp`: almost every port. */
function isWideRange(arg: string, before: string): boolean {
  const [, named = before, first, last] = /^(?:(--?[\w-]+)=)?(\d{1,5})[-:](\d{1,5})(?:\/(?:tcp|udp))?$/.exec(arg) ?? []
  return first !== undefined && /ports?$|^allow$/.test(named) && Number(last) - Number(first) >= WIDE_RANGE
}

const WIDE_RANGE = 10_000

const COUNT = /(^|-)(count|replicas|size|capacity|instances|nodes|scale|desired|max|machines)(=0+)?$/

/** `--desired-count 0`, `scale count 0`, `ps:scale web=0`: what is scaled to nothing stops. */
function scalesToNothing(verb: string, plain: readonly string[]): boolean {
  const scales = partsOf(verb).includes('scale')
  return plain.some((arg, at) => {
    if (/"(replicas|desired\w*|min\w*|max\w*)"\s*:\s*0\b/i.test(arg)) return true
    if (arg.startsWith('-') && arg.endsWith('=0')) return COUNT.test(arg)
    if (scales && /^\w+=0$/.test(arg)) return true
    return arg === '0' && COUNT.test(plain[at - 1] ?? '')
  })
}

/** `stack rm`, `migrate reset`: one of the next words says more than a word that may be a thing. */
function graver(found: Found, plain: readonly string[], from: number, own: Verbs): Found {
  for (const [at, verb] of plain.slice(0, from + 3).entries()) {
    if (at <= from) continue
    if (asks(verb)) break
    if (NAMES.has(plain[at - 1] ?? '') || (verb.startsWith('-') && /cache|=|outputs$/.test(verb))) continue
    if (!own.has(verb) && !(verb.includes(':') && !OPERAND.test(verb)) && !VERBS.has(partsOf(verb)[0] ?? '')) continue
    const kind = verbKind(verb, own)
    const isPublished = kind === 'publish' && own.get(verb) === 'publish'
    if ((kind === 'destroy' || kind === 'stop' || isPublished) && VERB_KINDS[kind].score > VERB_KINDS[found.kind].score)
      return { ...found, verb, kind, at }
  }
  return found
}

/** `backup delete`, `release list`: words that are verbs elsewhere and things here. */
function isNoun(word: string, next: string | undefined, own: Verbs): boolean {
  if (!NOUNS.has(word) || next === undefined || next.startsWith('-') || OPERAND.test(next)) return false
  const kind = verbKind(next, own)
  return kind !== undefined && (kind !== 'read' || asks(next) || verbKind(word, own) === 'read')
}

/** `kafka-topics --list`: the flag is the verb. */
function verbFlag(plain: readonly string[], own: Verbs): Found | undefined {
  for (const [at, flag] of plain.entries()) {
    const name = flag.startsWith('--') ? flag.slice(2) : ''
    // Where help is believed, it was before.
    if (/^(help|version)$/.test(name)) continue
    const kind = /cache|outputs$/.test(name) ? undefined : (own.get(flag) ?? own.get(name) ?? VERBS.get(name))
    if (kind && (kind !== 'read' || isOnlyWord(plain, at, familyOf([flag]))))
      return { verb: flag, kind, at, isSure: true }
  }
  return undefined
}

interface Here {
  readonly scope: Call['scope']
  readonly name: string
}

function call(scope: Call['scope'], name: string): Here {
  return { scope, name }
}

function noted({ scope, name }: Here, score: number, why: string): undefined {
  note(scope.ledger, score, `${name}: ${why}`)
  return undefined
}

const NOUNS =
  wordSet(`backup restore schedule snapshot snapshots config tag label log logs plan version versions account key record store run
  test report watch lock release deploy import export template trace scan build archive process monitor proxy mount call event events
  request query scale migrate dist-tag owner access team package graph metrics output discover cache stat health audit history login comment issue`)
/** Flags whose value is a name that somebody chose. */
const NAMES = wordSet(
  '--name --message -m --title --description --filter --grep --label --testNamePattern --comment --tag --select --models',
)
const NO_VERB = /[/=.@{}<>,*]|::|^[^:]*:.*\d|:$/
const OPERAND = {
  /** `vm.destroy` is a verb between dots; other words with such signs are names, paths and values. */
  test: (word: string) => NO_VERB.test(word) && !(/^[a-z]+(\.[a-z]+)+$/.test(word) && isDotted(word)),
}

function isDotted(word: string): boolean {
  const last = word.slice(word.lastIndexOf('.') + 1)
  const kind = VERBS.get(last)
  return kind === 'destroy' || kind === 'stop' || asks(last)
}

const FORCES = wordSet('--force -force --admin --auto-approve')

const RISKY_FLAGS: ReadonlyMap<string, number> = new Map([
  ['force', 64],
  ['force-destroy', 75],
  ['auto-approve', 68],
  ['admin', 62],
  ['skip-final-snapshot', 72],
  ['force-delete-without-recovery', 80],
  ['unsafe-allow-remove-all', 80],
  ['no-preserve-root', 97],
  ['grace-period', 62],
  ['replicas=0', 64],
  ['allow-unauthenticated', 62],
  ['disable-rollback', 62],
  ['full-refresh', 62],
  ['ignore-not-found', 12],
])
