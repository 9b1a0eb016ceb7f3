import { act } from './actions.ts'
import { runSource } from './builtins.ts'
import { judgeVariable } from './environment-variables.ts'
import { leaksSecrets } from './file-programs.ts'
import { GIT, GIT_READS } from './git-table.ts'
import { hostKind } from './hosts.ts'
import { note } from './ledger.ts'
import { picksTrusted } from './listed-files.ts'
import { onlyPretends, onlyTells, type Rehearsal } from './only-pretends.ts'
import { has, type Options, splitOptions, wordSet } from './options.ts'
import type { Call, Programs } from './program.ts'
import { judgeApart, noteGrave } from './program.ts'
import { judgeWritten } from './redirects.ts'
import { fileScore } from './run-file.ts'
import { isUnknown, known, NOTHING, type Stream } from './scope.ts'
import { resolvePath, targetKind } from './targets.ts'

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
  let { cwd } = scope
  for (; at < args.length; at++) {
    const word = known(args[at] ?? '')
    if (!word.startsWith('-')) break
    if (word === '-c' || word === '--config-env') judgeSetting(args[at + 1] ?? '', aliases, call)
    else if (word.startsWith('-c') && word.includes('=')) judgeSetting(word.slice(2), aliases, call)
    if (word.startsWith('--exec-path=')) note(scope.ledger, 62, 'git: its own programs come from another folder')
    judgePlaces(word, args[at + 1] ?? '', call)
    if (word === '-C') cwd = resolvePath(args[at + 1] ?? '', cwd)
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
  judgeRun(name, rest, call)
  if (rest.some((arg) => /^(ext|fd)::/.test(arg))) note(scope.ledger, 75, `git ${name}: runs a program as transport`)
  if (name === 'clone' || name === 'submodule')
    for (const setting of valuesOf(rest, '-c', '--config')) judgeSetting(setting, aliases, call)
  const template = valuesOf(rest, '--template').find((path) => /^[/~]|^\.\./.test(path))
  if (template !== undefined && /^(init|clone)$/.test(name))
    note(scope.ledger, Math.max(45, fileScore(template, scope)), `git ${name}: brings in hooks of another folder`)
  if (name === 'bundle' && rest[0] === 'create')
    act(scope, 'git bundle', 'write', rest.find((arg, i) => i > 0 && !arg.startsWith('-')) ?? '')
  if (name === 'apply' && rest.includes('--unsafe-paths')) note(scope.ledger, 62, 'git apply: changes files anywhere')
  if (onlyTells(rest) || (rest.length === 1 && rest[0] === '-h')) return said(scope, 8, 'shows its help')
  const alias = aliases.get(name) ?? scope.aliases.get(`git ${name}`)
  if (alias !== undefined)
    return alias.startsWith('!')
      ? runSource([alias.slice(1), ...rest].join(' '), call)
      : runSource(`git ${[alias, ...rest].join(' ')}`, call)
  const there = { ...call, scope: { ...scope, cwd } }
  judgeTrusted(name, rest, there)
  judgeRenamed(name, rest, there)
  return subCommand(name, rest, there)
}

/** `git mv .env a`: under the new name nobody asks about it. */
function judgeRenamed(name: string, rest: readonly string[], { scope }: Call): void {
  const paths = rest.filter((arg) => !arg.startsWith('-'))
  if (name === 'mv' && leaksSecrets(paths.slice(0, -1), paths.at(-1), scope))
    note(scope.ledger, 62, 'git mv: gives a file that holds secrets another name')
}

/** Sub-commands that take files away, replace them by others, or put them elsewhere. */
const MOVES = wordSet('mv rm stash checkout restore clean checkout-index update-index clone worktree submodule subtree')
const TRUST_SCORE = 72

/** A place that others trust, as an operand or a pathspec; all files of the project only where they are deleted. */
function judgeTrusted(name: string, rest: readonly string[], { scope }: Call): void {
  const keeps =
    (name === 'rm' && rest.includes('--cached')) ||
    (name === 'restore' &&
      rest.some((arg) => /^(--staged|-S)$/.test(arg)) &&
      !rest.some((arg) => /^(--worktree|-W)$/.test(arg))) ||
    (name === 'stash' && /^(list|show)$/.test(rest[0] ?? '')) ||
    (REHEARSALS[name] !== undefined && onlyPretends(rest, REHEARSALS[name]))
  if (!MOVES.has(name) || keeps) return
  const places = rest
    .map((arg) => arg.replace(/^--prefix=/, ''))
    .filter((arg) => !/^-|^:(!|\^|\([^)]*exclude)|:\/\/|^[\w.-]+@[\w.-]+:/.test(arg))
  if (places.some((place) => picksTrusted(place, scope)))
    note(scope.ledger, TRUST_SCORE, `git ${name}: takes away or replaces what others trust`)
  if (name === 'rm' && places.some((place) => targetKind(place.replace(/^:\//, './'), scope) === 'projectRoot'))
    note(scope.ledger, 45, 'git rm: deletes all files that are recorded')
}

/** `--git-dir=PATH`: its settings and hooks run, as with the variable. */
function judgePlaces(word: string, next: string, { scope }: Call): void {
  const [, flag = '', value = next] = /^--(git-dir|work-tree)(?:=(.*))?$/s.exec(word) ?? []
  if (flag !== '') judgeVariable(flag === 'git-dir' ? 'GIT_DIR' : 'GIT_WORK_TREE', value, scope)
}

/** Sub-commands that can say what they would do. */
const REHEARSALS: Readonly<Record<string, Rehearsal>> = {
  clean: { names: '-n --dry-run', switches: 'dfqxX' },
  push: { names: '-n --dry-run', switches: 'fuvqd46' },
  prune: { names: '-n --dry-run', switches: 'v' },
  lfs: { names: '--dry-run -d', switches: 'v' },
  fetch: { names: '--dry-run', switches: 'afkpPtuqv46' },
  add: { names: '-n --dry-run', switches: 'vfipeuAN' },
  rm: { names: '-n --dry-run', switches: 'frq' },
  mv: { names: '-n --dry-run', switches: 'fkv' },
}

function subCommand(name: string, rest: readonly string[], call: Call): Stream | undefined {
  const { scope } = call
  if (REHEARSALS[name] && onlyPretends(rest, REHEARSALS[name])) return said(scope, 10, `${name}: a rehearsal`)
  if (GIT_READS.includes(name)) return said(scope, 8, `${name} reads`)
  const options = splitOptions(
    rest,
    name === 'checkout' || name === 'switch'
      ? wordSet('-b -B --orphan --conflict --unified -U --inter-hunk-context -c -C --track')
      : name === 'clean'
        ? wordSet('-e --exclude')
        : name === 'push'
          ? wordSet('-o --push-option --repo --receive-pack --exec')
          : name === 'restore'
            ? wordSet('-s --source --pathspec-from-file --conflict')
            : VALUES,
  )
  const row = GIT[name]?.find(([when]) => when(options))
  if (name === 'config') {
    keepAlias(options, call)
    judgeSettingsFile(rest, options, scope)
  }
  if (name === 'checkout' && !row) return checkout(rest, options, scope)
  if (name === 'restore' && row?.[1] === 66) return overwritten(options.operands, 66, 'restore', scope)
  if (name === 'remote' && /^(add|set-url)$/.test(options.operands[0] ?? '')) scope.seen.remote = true
  if (name === 'push' && scope.seen.remote) note(scope.ledger, 66, 'git push: to a remote that was just named')
  if (name === 'push' && options.operands.some((one) => /:\/\/|^git@/.test(one)))
    note(
      scope.ledger,
      options.operands.some((one) => /:\/\/|^git@/.test(one) && hostKind(one) === 'foreign') ? 62 : 45,
      'git push: to an address that is no remote of the project',
    )
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
  const behind = rest.includes('--') ? rest.slice(rest.indexOf('--') + 1) : []
  if (behind.length > 0) return overwritten(behind, 68, 'checkout', scope)
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
  const [first = '', ...others] = operands
  if (operands.length > 1 || isPath)
    return overwritten(isFileOf(first) || others.length === 0 ? operands : others, 66, 'checkout', scope)
  return said(scope, 18, 'checkout changes the branch')
}

/** One or a few files that are named are less than a folder, a pattern, or everything. */
function overwritten(paths: readonly string[], otherwise: number, name: string, scope: Call['scope']): undefined {
  if (paths.length > 0 && paths.length <= 3 && paths.every(isFileOf))
    return said(scope, 40, `${name} discards changes of files that are named`)
  return said(scope, otherwise, `${name} overwrites files`)
}

/** `src/a.ts`, `package-lock.json`, `Makefile`: a file of the project by its name. */
function isFileOf(path: string): boolean {
  if (isUnknown(path) || /[*?[\]:{}]|^[/~-]|(^|\/)\.\.?(\/|$)|\/$/.test(path.replace(/^\.\//, ''))) return false
  const name = path.slice(path.lastIndexOf('/') + 1)
  return (
    /^[\w@.-]*\w\.[a-z]\w{0,8}$/i.test(name) ||
    /^(Makefile|Dockerfile|Gemfile|Rakefile|Procfile|LICENSE|README)$/.test(name)
  )
}

/** Sub-commands that run a command line of their own. */
function judgeRun(name: string, rest: readonly string[], call: Call): void {
  const value = (...names: readonly string[]) => valuesOf(rest, ...names)
  const pack = /^(fetch|clone|pull|ls-remote|push|fetch-pack|send-pack|archive)$/.test(name)
    ? value('--upload-pack', '--receive-pack', '--exec', ...(name === 'clone' ? ['-u'] : []))
    : []
  for (const text of pack) {
    if (/(^|[/ ])git[- ](upload|receive)-(pack|archive)$/.test(text)) continue
    note(call.scope.ledger, 62, `git ${name}: names a program to run`)
    runSource(text, call)
  }
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
                ? rest.flatMap((arg) => /^(?:-[a-zA-Z]*O|--open-files-in-pager=)(.+)$/s.exec(arg)?.[1] ?? [])
                : []
  for (const text of texts) if (text !== '') runSource(text, call)
}

/** The values of an option: in the next word, behind `=`, or behind a letter. Long names may be cut. */
function valuesOf(rest: readonly string[], ...names: readonly string[]): readonly string[] {
  return rest.flatMap((arg, i) => {
    const cut = arg.startsWith('--') ? arg.indexOf('=') : -1
    const flag = cut > 0 ? arg.slice(0, cut) : arg
    const isNamed = names.some((one) => one === flag || (flag.length > 5 && one.startsWith(flag)))
    if (isNamed) return [cut > 0 ? arg.slice(cut + 1) : (rest[i + 1] ?? '')]
    const short = names.find((one) => one.length === 2 && arg.startsWith(one) && arg.length > 2)
    return short === undefined ? [] : [arg.slice(2)]
  })
}

/** Settings whose value git runs. */
const RUN_SETTINGS = wordSet(
  'core.sshcommand core.pager core.editor core.fsmonitor core.hookspath diff.external sequence.editor credential.helper gpg.program core.askpass',
)

/** The same, where a part of the name is free. */
const RUN_SETTING_PATTERN =
  /^(difftool|mergetool|browser|man)\..*\.(cmd|path)$|^filter\..*\.(clean|smudge|process)$|^diff\..*\.(command|textconv)$|^merge\..*\.driver$|^pager\.|^remote\..*\.(uploadpack|receivepack|vcs)$|^gpg\..*\.program$|^credential\..*helper$|^trailer\..*\.(command|cmd)$|^core\.(gitproxy|attributesfile)$|^uploadpack\.packobjectshook$|^interactive\.difffilter$|^init\.templatedir$|^protocol\.ext\.allow$|^include(if\..*)?\.path$/

function isRunSetting(key: string): boolean {
  return RUN_SETTINGS.has(key) || RUN_SETTING_PATTERN.test(key)
}

function judgeSetting(text: string, aliases: Map<string, string>, call: Call): void {
  const at = text.indexOf('=')
  const key = (at < 0 ? text : text.slice(0, at)).toLowerCase()
  const value = at < 0 ? '' : text.slice(at + 1)
  if (key.startsWith('alias.')) aliases.set(text.slice(6, at), value)
  else if (isRunSetting(key) && value.includes(' ') && !value.endsWith('--wait')) {
    note(call.scope.ledger, value.startsWith('!') ? 62 : 45, `git: ${key} names a program to run`)
    runSource(value.replace(/^!/, ''), call)
  } else if (/^url\..*\.(push)?insteadof$/.test(key))
    note(call.scope.ledger, 62, 'git: another machine in place of the one that is named')
  else if (isRunSetting(key) && value !== '' && value !== 'cat') {
    if (
      !/^(vim?|nvim|nano|emacs|code( --wait)?|subl|true|:|less|delta|cat|gpg2?|store|cache|osxkeychain|manager\S*|libsecret|true|false|git-lfs .*|diff-so-fancy|bat|diff-highlight)$/.test(
        value,
      )
    )
      note(call.scope.ledger, 62, `git: ${key} names a program to run`)
    judgeWritten(call.scope)
  } else if (value.includes(' '))
    noteGrave(call.scope, (inner) => void inner.runText(value.replace(/^!/, ''), inner, NOTHING))
}

/** `-f FILE key value`: any file is written as one of settings. */
function judgeSettingsFile(rest: readonly string[], options: Options, scope: Call['scope']): void {
  const files = valuesOf(rest, '-f', '--file')
  const isSet = options.operands.filter((operand) => !files.includes(operand)).length > 1
  if (isSet && !has(options, '--get', '--get-all', '--get-regexp', '--list', '-l'))
    for (const file of files) act(scope, 'git config', 'write', file)
}

function keepAlias({ operands }: Options, call: Call): void {
  const [key = '', value = ''] = operands[0] === 'set' ? operands.slice(1) : operands
  if (key.startsWith('alias.') && value !== '') {
    call.scope.aliases.set(`git ${key.slice(6)}`, value)
    if (!value.startsWith('!')) return
    const apart = judgeApart(call.scope, (scope) => runSource(value.slice(1), { ...call, scope, stdin: NOTHING }))
    note(call.scope.ledger, Math.max(45, apart.score), 'git config: an alias that runs a command')
  } else if (/^http\.(.*\.)?sslverify$/i.test(key) && /^(false|0|no|off)$/i.test(value))
    note(call.scope.ledger, 50, 'git config: takes a check away')
  else if (isRunSetting(key.toLowerCase()) || key.startsWith('url.')) judgeSetting(`${key}=${value}`, new Map(), call)
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
