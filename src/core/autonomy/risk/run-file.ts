import { note } from './ledger.ts'
import { wordSet } from './options.ts'
import { isUnknown, type Scope } from './scope.ts'
import { type TargetKind, targetKind } from './targets.ts'
import { partsOf, verbKind } from './verbs.ts'

/** What running a file is worth by its place: a project runs its own files all day. */
const RUNS: Readonly<Record<TargetKind, number>> = {
  sink: 50,
  temporary: 45,
  temporaryRoot: 45,
  regenerable: 28,
  project: 28,
  projectRoot: 28,
  unknown: 50,
  outside: 40,
  trust: 40,
  system: 35,
  home: 40,
  root: 40,
  device: 62,
}

export function fileScore(path: string, scope: Scope): number {
  return isUnknown(path) ? RUNS.unknown : RUNS[targetKind(path, scope)]
}

/** `./drop-tables.sh`, `deploy.py`: a name that says what it takes away or whom it reaches; what tidies a build takes nothing. */
export function judgeFileName(path: string, scope: Scope): void {
  if (/\s/.test(path)) return
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w{1,4}$/, '')
  const parts = partsOf(name)
  if (TESTS.test(name)) return
  if (parts.some((part) => REACHES_OTHERS.has(part)) && !parts.some((part) => STAYS_HERE.has(part)))
    note(scope.ledger, 45, `${path}: a name that says whom it reaches`)
  const kind = verbKind(name)
  if (kind === 'stop') note(scope.ledger, 45, `${path}: a name that says what it stops`)
  if (kind !== 'destroy' || parts.some((part) => TIDIES.has(part))) return
  note(scope.ledger, parts.some((part) => MILD.has(part)) ? 45 : 62, `${path}: a name that says what it deletes`)
}

const REACHES_OTHERS = wordSet('deploy deployment release publish prod production ship rollout')
const STAYS_HERE = wordSet('local dev dry preview notes build staging docker')
const TIDIES = wordSet('clean cleanup clear tidy cache')
const MILD = wordSet('kill reset prune trim expire flush remove empty leave down')
const TESTS = /test|spec|check|_?example/i
