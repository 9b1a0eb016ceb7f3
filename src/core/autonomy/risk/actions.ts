import { note } from './ledger.ts'
import { isUnknown, known, PROJECT, type Scope } from './scope.ts'
import { resolvePath, TARGET_KINDS, type TargetKind, targetKind } from './targets.ts'
import { runsLater } from './trusted-places.ts'

/** What a program does to a path. */
export type Action = keyof typeof ACTIONS

type Scores = Readonly<Record<TargetKind, number>>

/** What doing it is worth, for each kind of place: the gravest loss that is usual there. */
const ACTIONS = {
  deleteTree: scores('deletes whole trees', [10, 28, 45, 28, 65, 80, 68, 75, 82, 92, 94, 97, 95]),
  /** Trees that a condition on names or ages picked. */
  deleteChosenTrees: scores('deletes chosen trees', [10, 26, 26, 26, 56, 58, 60, 60, 80, 90, 80, 90, 95]),
  deleteFile: scores('deletes files', [10, 22, 25, 22, 30, 62, 50, 62, 72, 88, 75, 90, 95]),
  deleteChosen: scores('deletes chosen files', [10, 22, 22, 22, 34, 36, 50, 52, 72, 86, 54, 68, 95]),
  destroy: scores('overwrites or erases beyond recovery', [10, 45, 66, 62, 68, 80, 75, 78, 85, 92, 92, 96, 97]),
  write: scores('writes files', [6, 15, 15, 20, 24, 24, 30, 62, 72, 82, 62, 72, 95]),
  append: scores('adds to files', [6, 15, 15, 20, 24, 24, 30, 45, 72, 82, 45, 72, 95]),
  /** Into a folder: what has another name stays. */
  add: scores('writes into a folder', [6, 15, 15, 20, 24, 24, 30, 30, 72, 82, 30, 72, 95]),
  overwrite: scores('empties or replaces files', [6, 20, 20, 24, 45, 45, 50, 66, 78, 88, 66, 88, 95]),
  moveAway: scores('moves files away', [6, 20, 20, 24, 26, 62, 30, 30, 72, 88, 80, 92, 90]),
  create: scores('creates files or folders', [5, 12, 12, 15, 18, 18, 22, 24, 58, 58, 22, 45, 80]),
  attributes: scores('changes modes or owners', [6, 15, 15, 22, 26, 28, 28, 30, 72, 72, 50, 88, 80]),
  attributesTree: scores('changes modes or owners of whole trees', [6, 20, 20, 24, 28, 30, 46, 56, 72, 90, 82, 94, 90]),
  unpack: scores('unpacks an archive', [8, 16, 16, 20, 26, 28, 30, 45, 72, 86, 45, 88, 90]),
  /** Files that a condition picked: few, and the condition says which. */
  writeChosen: scores('writes chosen files', [6, 15, 15, 20, 24, 24, 28, 30, 66, 66, 30, 34, 90]),
  moveChosen: scores('moves chosen files', [6, 18, 18, 22, 26, 28, 30, 30, 66, 80, 45, 66, 90]),
  attributesChosen: scores(
    'changes modes or owners of chosen files',
    [6, 15, 15, 20, 22, 22, 28, 30, 66, 66, 34, 45, 80],
  ),
  link: scores('makes a link', [6, 15, 15, 18, 22, 22, 26, 28, 72, 54, 26, 62, 80]),
  relink: scores('replaces a file by a link', [6, 15, 15, 18, 24, 24, 28, 62, 72, 60, 55, 72, 80]),
} as const

/** What an action is on files that `find` or a pipe named. */
const CHOSEN: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['deleteTree', 'deleteChosenTrees'],
  ['deleteFile', 'deleteChosen'],
  ['write', 'writeChosen'],
  ['add', 'writeChosen'],
  ['moveAway', 'moveChosen'],
  ['attributes', 'attributesChosen'],
  ['attributesTree', 'attributesChosen'],
])

/** What is written beside the project is mostly another one of the same people. */
const BESIDE = 50
const WRITES: ReadonlySet<Action> = new Set<Action>(['write', 'append', 'add', 'link', 'relink', 'unpack'])

const CHANGES: ReadonlySet<Action> = new Set<Action>([...WRITES, 'overwrite', 'writeChosen'])

/** A path that stands for what programs make again. */
const JUNK = `${PROJECT}/__pycache__`

/** Notes what the action on the path is worth. */
export function act(scope: Scope, program: string, action: Action, path: string, raise = 0): TargetKind {
  const { chosen, listed } = scope
  if (!chosen && listed && known(path) === '' && path !== '')
    judgeChosenTrust({ ...scope, chosen: listed }, program, action, CHOSEN.get(action) ?? action, raise)
  if (chosen && known(path) === '' && path !== '') {
    const isFew =
      (chosen.isChosen && !chosen.isData) || action === 'moveAway' || (chosen.trust === 'none' && action === 'write')
    const variant = isFew ? (CHOSEN.get(action) ?? action) : action
    judgeChosenTrust(scope, program, action, variant, raise)
    const kinds = chosen.roots.map((root) => noteAction(scope, program, variant, chosen.isJunk ? JUNK : root, raise))
    return kinds[0] ?? 'unknown'
  }
  return noteAction(scope, program, action, path, raise)
}

/** Files that were picked by a name that others trust, or by nothing that leaves such a name out. */
function judgeChosenTrust(scope: Scope, program: string, action: Action, variant: Action, raise: number): void {
  const { chosen } = scope
  const isInside = OVERWRITES.has(action) && (chosen?.roots.some((root) => holdsTrust(root, scope)) ?? false)
  if (chosen?.roots.some((root) => OVERWRITES.has(action) && runsLater(`${resolvePath(root, scope.cwd)}/x`)))
    note(scope.ledger, LATER_SCORE, `${program}: ${ACTIONS[action].why} that run later`)
  if (chosen?.trust === 'named' || isInside) noteAction(scope, program, variant, A_TRUSTED_FILE, raise)
  else if ((chosen?.trust === 'any' && REPLACES.has(action)) || (chosen?.trust === 'all' && OVERWRITES.has(action)))
    note(scope.ledger, LATER_SCORE, `${program}: ${ACTIONS[action].why}, among them what others trust`)
}

/** A folder that is no such place itself, while what lies in it is. */
function holdsTrust(root: string, scope: Scope): boolean {
  return !isUnknown(root) && targetKind(`${root}/x`, scope) === 'trust'
}

const A_TRUSTED_FILE = `${PROJECT}/.claude/settings.json`
const OVERWRITES: ReadonlySet<Action> = new Set<Action>(['write', 'append', 'overwrite'])
const REPLACES: ReadonlySet<Action> = new Set<Action>([...OVERWRITES, 'add', 'moveAway', 'deleteFile'])
/** What a runner, a container or an editor runs at another time. */
const LATER_SCORE = 45

function noteAction(scope: Scope, program: string, action: Action, path: string, raise: number): TargetKind {
  const kind = targetKind(path, scope)
  const { why, by } = ACTIONS[action]
  if (action === 'deleteTree' && isAdrift(path, scope))
    note(scope.ledger, 62, `${program}: deletes whole trees where a change of folder leads`)
  const most = kind === 'outside' && WRITES.has(action) && path.startsWith('..') ? BESIDE : 100
  const shared = ARRIVES.has(action) && kind === 'outside' && isServed(path, scope) ? SHARED : 0
  const isProgram = action === 'relink' && kind === 'system' && /\/s?bin\/[^/]+$/.test(resolvePath(path, scope.cwd))
  if (isProgram) note(scope.ledger, 82, `${program}: puts another program in the place of one of the system`)
  const spare = action === 'deleteTree' && kind === 'project' && !isWork(path) ? SPARE : 0
  if (CHANGES.has(action) && runsLater(resolvePath(path, scope.cwd), scope.seen.globsDots))
    note(scope.ledger, LATER_SCORE, `${program}: ${why} that run later`)
  note(scope.ledger, Math.min(most, by[kind] + raise + shared - spare), `${program}: ${why}, ${TARGET_KINDS[kind]}`)
  return kind
}

/** Less for a folder of the project whose name does not say that it holds the work itself. */
const SPARE = 8

/** The folders that projects keep their sources, data and settings in; and what is known only at run time. */
function isWork(path: string): boolean {
  return isUnknown(path) || path.split('/').some((segment) => WORK.test(segment))
}

const WORK =
  /^(src|source|sources|lib|libs|app|apps|packages|modules|internal|cmd|pkg|crates|include|server|client|frontend|backend|api|web|core|components|pages|views|models|controllers|services|tests?|spec|specs|docs?|data|datasets?|db|database|databases|migrations|schemas?|config|configs|conf|infra|infrastructure|terraform|deploy|k8s|charts?|scripts|tools|assets|public|static|media|uploads?|storage|backups?|secrets|keys|certs|content|notebooks|results|experiments|checkpoints|prod\w*|\.github|\.git|\.env\w*)$|\*/i

/** More for what arrives where a service or other users read it. */
const SHARED = 18
const ARRIVES: ReadonlySet<Action> = new Set<Action>(['add', 'unpack'])

export function isServed(path: string, { cwd }: Pick<Scope, 'cwd'>): boolean {
  return /^\/(srv|opt|var|usr|mnt|media|data|www)\//.test(resolvePath(path, cwd))
}

/** A relative path after a `cd`: where that fails, the path is another one. */
function isAdrift(path: string, { cwd }: Scope): boolean {
  return cwd !== PROJECT && !path.startsWith('/') && !path.startsWith('~')
}

/** The values stand in the order of `TARGET_KINDS`. */
function scores(why: string, values: readonly number[]): { readonly why: string; readonly by: Scores } {
  const kinds = Object.keys(TARGET_KINDS) as TargetKind[]
  return { why, by: Object.fromEntries(kinds.map((kind, i) => [kind, values[i] ?? 100])) as Scores }
}
