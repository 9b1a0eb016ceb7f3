import { runSource } from './builtins.ts'
import { GIT, GIT_READS } from './git-table.ts'
import { hostKind } from './hosts.ts'
import { note } from './ledger.ts'
import { has, type Options, splitOptions, wordSet } from './options.ts'
import type { Call, Programs } from './program.ts'
import { judgeApart, noteGrave } from './program.ts'
import { judgeWritten } from './redirects.ts'
import { isUnknown, known, NOTHING, type Stream } from './scope.ts'

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
  judgeRun(name, rest, call)
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
  if (GIT_READS.includes(name)) return said(scope, 8, `${name} reads`)
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
  if (name === 'push' && options.operands.some((one) => /:\/\/|^git@/.test(one)))
    note(
      scope.ledger,
      options.operands.some((one) => /:\/\/|^git@/.test(one) && hostKind(one) === 'foreign') ? 62 : 45,
      'git push: to an address that is no remote of the project',
    )
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
  else if (RUN_SETTINGS.has(key) && value.includes(' ') && !value.endsWith('--wait')) {
    note(call.scope.ledger, value.startsWith('!') ? 62 : 45, `git: ${key} names a program to run`)
    runSource(value.replace(/^!/, ''), call)
  } else if (/^url\..*\.(push)?insteadof$/.test(key))
    note(call.scope.ledger, 62, 'git: another machine in place of the one that is named')
  else if (RUN_SETTINGS.has(key) && value !== '' && value !== 'cat') {
    if (
      !/^(vim?|nvim|nano|emacs|code( --wait)?|subl|true|:|less|delta|cat|gpg2?|store|cache|osxkeychain|manager\S*|libsecret)$/.test(
        value,
      )
    )
      note(call.scope.ledger, 62, `git: ${key} names a program to run`)
    judgeWritten(call.scope)
  } else if (value.includes(' '))
    noteGrave(call.scope, (inner) => void inner.runText(value.replace(/^!/, ''), inner, NOTHING))
}

function keepAlias({ operands }: Options, call: Call): void {
  const [key = '', value = ''] = operands[0] === 'set' ? operands.slice(1) : operands
  if (key.startsWith('alias.') && value !== '') {
    call.scope.aliases.set(`git ${key.slice(6)}`, value)
    if (!value.startsWith('!')) return
    const apart = judgeApart(call.scope, (scope) => runSource(value.slice(1), { ...call, scope, stdin: NOTHING }))
    note(call.scope.ledger, Math.max(45, apart.score), 'git config: an alias that runs a command')
  } else if (RUN_SETTINGS.has(key.toLowerCase()) || key.startsWith('url.'))
    judgeSetting(`${key}=${value}`, new Map(), call)
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
