import { runSource } from './builtins.ts'
import { note } from './ledger.ts'
import { has, type Options, splitOptions, wordSet, words } from './options.ts'
import type { Call, Programs } from './program.ts'
import { judgeApart } from './program.ts'
import { isUnknown, known, NOTHING, type Stream } from './scope.ts'

/** When a sub-command is worth something: the rows are read in order, and the first that fits decides. */
type GitRow = readonly [when: (options: Options) => boolean, score: number, why: string]

const always = () => true
const flag =
  (...names: readonly string[]) =>
  (options: Options) =>
    has(options, ...names)
const first = (name: string) => (options: Options) => options.operands[0] === name
const both =
  (...tests: readonly ((options: Options) => boolean)[]) =>
  (options: Options) =>
    tests.every((test) => test(options))

const READS =
  words(`status log diff show blame shortlog describe rev-parse rev-list ls-files ls-tree ls-remote cat-file grep reflog-show whatchanged
  name-rev merge-base for-each-ref count-objects cherry range-diff diff-tree diff-index diff-files show-ref show-branch var help version verify-commit
  verify-tag check-ignore check-attr fsck annotate bugreport diagnose request-pull get-tar-commit-id instaweb column stripspace interpret-trailers
  difftool`)

const GIT: Readonly<Record<string, readonly GitRow[]>> = {
  add: [
    [flag('-A', '--all'), 32, 'stages everything there is, secrets too'],
    [always, 14, 'stages changes'],
  ],
  commit: [
    [flag('--amend'), 34, 'rewrites the last commit'],
    [always, 18, 'records changes'],
  ],
  fetch: [
    [flag('--prune', '-p'), 24, 'forgets branches that are gone'],
    [always, 12, 'fetches'],
  ],
  pull: [
    [flag('--force'), 45, 'overwrites local branches'],
    [always, 24, 'fetches and merges'],
  ],
  clone: [[always, 24, 'copies a repository']],
  init: [[always, 14, 'makes a repository']],
  merge: [[always, 26, 'merges']],
  rebase: [
    [flag('--abort', '--quit'), 34, 'drops a rebase'],
    [always, 30, 'rewrites commits'],
  ],
  'cherry-pick': [[always, 26, 'copies commits']],
  revert: [[always, 26, 'undoes a commit by another']],
  am: [[always, 28, 'applies patches']],
  apply: [
    [flag('--check', '--stat'), 8, 'reads a patch'],
    [always, 28, 'applies a patch'],
  ],
  mv: [[always, 24, 'renames files']],
  notes: [[always, 26, 'changes notes']],
  archive: [[always, 18, 'writes an archive']],
  bundle: [[always, 18, 'writes a bundle']],
  'format-patch': [[always, 18, 'writes patches']],
  bisect: [[always, 26, 'searches a commit']],
  lfs: [
    [first('prune'), 62, 'deletes local files'],
    [always, 24, 'large files'],
  ],
  rm: [
    [both(flag('--cached'), (o) => !has(o, '-f')), 26, 'unstages files'],
    [flag('-f', '--force'), 66, 'deletes changed files'],
    [always, 45, 'deletes files'],
  ],
  reset: [
    [flag('--hard'), 60, 'throws changes away'],
    [flag('--merge'), 68, 'throws staged changes away'],
    [flag('--keep'), 62, 'moves the branch and may lose commits'],
    [always, 26, 'unstages or moves the branch'],
  ],
  clean: [
    [flag('-n', '--dry-run'), 10, 'lists what would be deleted'],
    [flag('-f', '--force'), 72, 'deletes files that are not recorded'],
    [flag('-i', '--interactive'), 45, 'asks what to delete'],
    [always, 28, 'refuses without force'],
  ],
  checkout: [
    [flag('-f', '--force'), 68, 'throws changes away'],
    [flag('--ours', '--theirs', '--pathspec-from-file', '--overlay', '--no-overlay'), 64, 'overwrites files'],
    [flag('--patch', '-p'), 34, 'asks which changes to throw away'],
    [flag('--merge', '-m'), 30, 'changes the branch and keeps changes'],
    [flag('--orphan'), 30, 'starts a branch without history'],
  ],
  switch: [
    [flag('-f', '--force', '--discard-changes'), 68, 'throws changes away'],
    [flag('-C', '--force-create'), 34, 'makes a branch over another'],
    [always, 18, 'changes the branch'],
  ],
  restore: [
    [both(flag('--staged', '-S'), (o) => !has(o, '--worktree', '-W')), 20, 'unstages files'],
    [flag('--patch', '-p'), 34, 'asks which changes to throw away'],
    [always, 66, 'throws changes in files away'],
  ],
  stash: [
    [first('drop'), 66, 'deletes a stash'],
    [first('clear'), 74, 'deletes every stash'],
    [(o) => o.operands[0] === 'list' || o.operands[0] === 'show', 8, 'reads stashes'],
    [always, 22, 'sets changes aside or brings them back'],
  ],
  branch: [
    [flag('-D'), 66, 'deletes a branch with its commits'],
    [both(flag('-d', '--delete'), flag('-f', '--force')), 66, 'deletes a branch with its commits'],
    [flag('-d', '--delete'), 28, 'deletes a branch that is merged elsewhere'],
    [flag('-f', '--force'), 62, 'moves a branch and may lose commits'],
    [flag('-M', '-C'), 34, 'renames a branch over another'],
    [flag('-m', '--move'), 30, 'renames a branch'],
    [always, 14, 'lists or makes branches'],
  ],
  tag: [
    [flag('-d', '--delete'), 62, 'deletes a tag'],
    [flag('-f', '--force'), 62, 'moves a tag'],
    [always, 14, 'lists or makes tags'],
  ],
  remote: [
    [(o) => ['remove', 'rm'].includes(o.operands[0] ?? ''), 45, 'forgets a remote'],
    [(o) => ['set-url', 'prune', 'rename'].includes(o.operands[0] ?? ''), 45, 'changes a remote'],
    [first('add'), 26, 'adds a remote'],
    [always, 8, 'lists remotes'],
  ],
  push: [
    [flag('-n', '--dry-run'), 12, 'a rehearsal'],
    [flag('--mirror'), 80, 'makes the other side equal, deletions too'],
    [flag('--delete', '-d', '--prune'), 72, 'deletes branches on the other side'],
    [(o) => o.operands.slice(1).some((ref) => ref.startsWith(':')), 72, 'deletes branches on the other side'],
    [(o) => has(o, '-f') || o.flags.includes('--force'), 74, 'overwrites the history of the other side'],
    [(o) => o.operands.slice(1).some((ref) => ref.startsWith('+')), 74, 'overwrites the history of the other side'],
    [
      (o) => o.flags.some((name) => name.startsWith('--force-')),
      56,
      'overwrites the history of the other side if nobody else changed it',
    ],
    [
      (o) => o.flags.some((name) => name.length > 4 && '--force'.startsWith(name)),
      74,
      'overwrites the history of the other side',
    ],
    [always, 30, 'publishes commits'],
  ],
  worktree: [
    [both(first('remove'), flag('-f', '--force')), 68, 'deletes a work tree with its changes'],
    [first('remove'), 28, 'deletes a work tree without changes'],
    [first('prune'), 26, 'forgets work trees that are gone'],
    [first('list'), 8, 'lists work trees'],
    [always, 24, 'adds or moves work trees'],
  ],
  submodule: [
    [both(first('deinit'), flag('-f', '--force')), 66, 'deletes submodules with their changes'],
    [first('deinit'), 30, 'removes submodules without changes'],
    [(o) => o.operands.length === 0 || o.operands[0] === 'status', 8, 'lists submodules'],
    [both(first('update'), flag('-f', '--force')), 64, 'overwrites submodules'],
    [always, 24, 'fetches submodules'],
  ],
  reflog: [
    [(o) => ['expire', 'delete', 'drop'].includes(o.operands[0] ?? ''), 76, 'deletes what undoing needs'],
    [always, 8, 'reads where branches were'],
  ],
  gc: [
    [(o) => o.flags.includes('--prune') || has(o, '--aggressive'), 64, 'deletes what undoing needs'],
    [always, 26, 'tidies'],
  ],
  prune: [
    [flag('-n', '--dry-run'), 10, 'a rehearsal'],
    [always, 64, 'deletes what undoing needs'],
  ],
  repack: [[always, 28, 'tidies']],
  maintenance: [[always, 24, 'tidies']],
  'update-ref': [
    [flag('-d'), 70, 'deletes a branch or tag'],
    [always, 62, 'moves a branch or tag'],
  ],
  'symbolic-ref': [
    [flag('-d', '--delete'), 62, 'deletes a name'],
    [(o) => o.operands.length > 1, 45, 'moves a name'],
    [always, 8, 'reads a name'],
  ],
  'filter-branch': [[always, 80, 'rewrites the whole history']],
  'filter-repo': [[always, 82, 'rewrites the whole history']],
  replace: [[always, 62, 'replaces objects']],
  'read-tree': [
    [flag('--reset', '-u'), 66, 'throws changes away'],
    [always, 40, 'changes the index'],
  ],
  'checkout-index': [
    [flag('-f', '--force'), 66, 'overwrites files'],
    [always, 40, 'writes files'],
  ],
  'update-index': [[always, 34, 'changes the index']],
  'fast-import': [[always, 62, 'writes history']],
  config: [
    [
      (o) =>
        has(o, '--get', '--list', '-l', '--get-all', '--show-origin', '--get-regexp') ||
        ['get', 'list'].includes(o.operands[0] ?? '') ||
        o.operands.length === 1,
      8,
      'reads settings',
    ],
    [flag('--system'), 62, 'changes settings of all users'],
    [flag('--global'), 45, 'changes settings of the user'],
    [always, 28, 'changes settings'],
  ],
  'sparse-checkout': [[always, 34, 'changes which files are there']],
  'send-email': [[always, 62, 'sends mail']],
  svn: [[always, 40, 'exchanges with Subversion']],
  daemon: [[always, 62, 'serves repositories']],
}

const VALUES = wordSet(
  '-m --message -C -c -F --file --author --date -n --onto -S --max-count --format --pretty -b -B -U --unified --track --conflict -o --output -x --exec --strategy -X --depth --branch --reference --since --until --grep',
)
const TOP_VALUES = wordSet(
  '-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix --attr-source',
)

export const GIT_PROGRAMS: Programs = [
  ['git', git],
  ['git.exe', git],
  ['hub', git],
  ['jj', git],
]

function git(call: Call): Stream | undefined {
  const { args, scope } = call
  const aliases = new Map<string, string>()
  let at = 0
  for (; at < args.length; at++) {
    const word = known(args[at] ?? '')
    if (!word.startsWith('-')) break
    if (word === '-c' || word === '--config-env') judgeSetting(args[at + 1] ?? '', aliases, call)
    else if (word.startsWith('-c') && word.includes('=')) judgeSetting(word.slice(2), aliases, call)
    if (TOP_VALUES.has(word)) at++
  }
  const name = known(args[at] ?? '')
  const rest = args.slice(at + 1)
  if (name === '')
    return said(
      scope,
      at < args.length ? 62 : 8,
      at < args.length ? 'what it shall do is known only at run time' : 'shows its help',
    )
  if (rest.some((arg) => arg === '--help' || arg === '-h')) return said(scope, 8, 'shows its help')
  const alias = aliases.get(name) ?? scope.aliases.get(`git ${name}`)
  if (alias !== undefined)
    return alias.startsWith('!')
      ? runSource([alias.slice(1), ...rest].join(' '), call)
      : runSource(`git ${[alias, ...rest].join(' ')}`, call)
  return subCommand(name, rest, call)
}

function subCommand(name: string, rest: readonly string[], call: Call): Stream | undefined {
  const { scope } = call
  judgeRun(name, rest, call)
  if (READS.includes(name)) return said(scope, 8, `${name} reads`)
  const options = splitOptions(
    rest,
    name === 'checkout' || name === 'switch'
      ? wordSet('-b -B --orphan --conflict --unified -U --inter-hunk-context -c -C --track')
      : name === 'clean'
        ? wordSet('-e --exclude')
        : name === 'push'
          ? wordSet('-o --push-option --repo --receive-pack --exec')
          : VALUES,
  )
  const row = GIT[name]?.find(([when]) => when(options))
  if (name === 'config') keepAlias(options, call)
  if (name === 'checkout' && !row) return checkout(rest, options, scope)
  if (name === 'clone' && options.operands.some((url) => url.startsWith('ext::')))
    note(scope.ledger, 75, 'git clone: runs a program as transport')
  if (
    rest.some(isUnknown) &&
    row &&
    options.operands.length === 1 &&
    known(options.operands[0] ?? '') === '' &&
    name !== 'add' &&
    name !== 'commit'
  )
    note(scope.ledger, Math.min(row[1] + 20, 55), `git ${name}: its words are known only at run time`)
  if (!row) return said(scope, nearest(name) ? 62 : 35, `${name} is a sub-command that no table knows`)
  return said(scope, row[1], `${name} ${row[2]}`)
}

/** A branch is switched to; a path is overwritten. Two words, a dot or a file's ending say path. */
function checkout(rest: readonly string[], options: Options, scope: Call['scope']): undefined {
  const { operands } = options
  const makes = has(options, '-b', '-B', '--track', '-t', '--detach', '-d', '--guess') && !has(options, '--guess')
  if (rest.includes('--') && rest.at(-1) !== '--') return said(scope, 68, 'checkout overwrites files')
  if (makes) return said(scope, has(options, '-B') ? 30 : 16, 'checkout makes or changes the branch')
  const isPath = operands.some(
    (operand) =>
      operand === '.' ||
      operand.startsWith('./') ||
      operand === '*' ||
      operand.endsWith('/') ||
      operand.startsWith(':') ||
      /[a-z_-]\.[a-z]{1,5}$/i.test(operand),
  )
  if (operands.length > 1 || isPath) return said(scope, 66, 'checkout overwrites files')
  return said(scope, 18, 'checkout changes the branch')
}

/** Sub-commands that run a command line of their own. */
function judgeRun(name: string, rest: readonly string[], call: Call): void {
  const value = (...names: readonly string[]) =>
    rest.flatMap((arg, i) =>
      names.includes(arg)
        ? [rest[i + 1] ?? '']
        : names
            .filter((one) => one.startsWith('--') && arg.startsWith(`${one}=`))
            .map((one) => arg.slice(one.length + 1)),
    )
  const texts =
    name === 'rebase'
      ? value('--exec', '-x')
      : name === 'filter-branch'
        ? value('--tree-filter', '--index-filter', '--msg-filter', '--env-filter')
        : name === 'difftool' || name === 'mergetool'
          ? value('-x', '--extcmd')
          : name === 'submodule' && rest.includes('foreach')
            ? [
                rest
                  .slice(rest.indexOf('foreach') + 1)
                  .filter((arg) => arg !== '--recursive')
                  .join(' '),
              ]
            : name === 'bisect' && rest[0] === 'run'
              ? [rest.slice(1).join(' ')]
              : name === 'grep'
                ? value('-O', '--open-files-in-pager')
                : ['fetch', 'clone', 'pull', 'ls-remote', 'push'].includes(name)
                  ? value('--upload-pack', '-u', '--receive-pack', '--exec').filter((text) => text.includes(' '))
                  : []
  for (const text of texts) if (text !== '') runSource(text, call)
}

/** Settings whose value git runs. */
const RUN_SETTINGS = wordSet(
  'core.sshcommand core.pager core.editor core.fsmonitor core.hookspath diff.external sequence.editor credential.helper gpg.program core.askpass',
)

function judgeSetting(text: string, aliases: Map<string, string>, call: Call): void {
  const at = text.indexOf('=')
  const key = (at < 0 ? text : text.slice(0, at)).toLowerCase()
  const value = at < 0 ? '' : text.slice(at + 1)
  if (key.startsWith('alias.')) aliases.set(text.slice(6, at), value)
  else if (RUN_SETTINGS.has(key) && value.includes(' ')) runSource(value.replace(/^!/, ''), call)
  else if (RUN_SETTINGS.has(key) && value !== '' && value !== 'cat')
    note(call.scope.ledger, 45, `git: ${key} names a program to run`)
}

function keepAlias({ operands }: Options, call: Call): void {
  const [key = '', value = ''] = operands[0] === 'set' ? operands.slice(1) : operands
  if (key.startsWith('alias.') && value !== '') {
    call.scope.aliases.set(`git ${key.slice(6)}`, value)
    if (!value.startsWith('!')) return
    const apart = judgeApart(call.scope, (scope) => runSource(value.slice(1), { ...call, scope, stdin: NOTHING }))
    note(call.scope.ledger, Math.max(45, apart.score), 'git config: an alias that runs a command')
  } else if (RUN_SETTINGS.has(key.toLowerCase())) judgeSetting(`${key}=${value}`, new Map(), call)
}

/** Git completes no sub-commands, but `autocorrect` may run what was meant. */
function nearest(name: string): boolean {
  return (
    name.length > 4 &&
    ['reset', 'clean', 'restore', 'filter-branch'].some(
      (known) => known !== name && (known.startsWith(name) || name.startsWith(known)),
    )
  )
}

function said(scope: Call['scope'], score: number, why: string): undefined {
  note(scope.ledger, score, `git: ${why}`)
  return undefined
}
