import { act } from './actions.ts'
import { runSource, unknownSource } from './builtins.ts'
import { giveVariable } from './environment-variables.ts'
import { judgeMethod } from './http.ts'
import { judgeCode } from './inline-code.ts'
import { note } from './ledger.ts'
import { words } from './options.ts'
import type { Call, Program, Programs } from './program.ts'
import { keepIn } from './redirects.ts'
import { isInside, namesJunk } from './regenerable.ts'
import { ANYTHING, known, NOTHING, PROJECT, type Stream } from './scope.ts'
import { resolvePath, targetKind } from './targets.ts'

/** What the verb of a cmdlet is worth where no row knows the whole name. */
const VERB_SCORES: readonly (readonly [verbs: string, score: number])[] = [
  [
    'get test find search select where sort group measure compare format show write out read trace watch wait resolve convertto convertfrom convert join split tee foreach import export enter exit use push pop limit assert confirm debug',
    12,
  ],
  [
    'new add start install save register open connect invoke send copy expand compress initialize mount publish submit receive step sync request update',
    34,
  ],
  [
    'set rename move restart edit merge protect unprotect approve block grant enable repair restore resume switch undo unblock backup checkpoint dismount disconnect close',
    50,
  ],
  ['stop disable suspend deny revoke hide lock', 64],
  ['remove clear reset uninstall unregister unpublish delete complete', 68],
]

const BY_VERB: ReadonlyMap<string, number> = new Map(
  VERB_SCORES.flatMap(([verbs, score]) => words(verbs).map((verb) => [verb, score] as const)),
)

/** Cmdlets that are something else than their verb says. */
const EXACT: readonly (readonly [names: string, score: number, why: string])[] = [
  [
    'format-volume clear-disk initialize-disk remove-partition reset-physicaldisk remove-physicaldisk remove-virtualdisk',
    95,
    'destroys what is on a disk',
  ],
  ['format-table format-list format-wide format-custom format-hex clear-host write-host write-output', 6, 'shows'],
  ['stop-computer restart-computer', 80, 'stops the machine'],
  [
    'set-executionpolicy set-mppreference add-mppreference set-netfirewallprofile disable-netfirewallrule set-smbserverconfiguration',
    70,
    'weakens the protection of the machine',
  ],
  [
    'new-localuser add-localgroupmember set-localuser remove-localuser enable-localuser set-acl enable-psremoting set-adaccountpassword',
    68,
    'changes rights',
  ],
  [
    'register-scheduledtask new-scheduledtask set-scheduledtask new-service set-service register-wmievent',
    64,
    'changes what runs later',
  ],
  ['clear-eventlog remove-eventlog clear-recyclebin limit-eventlog', 66, 'removes traces or what could be restored'],
  [
    'clear-variable remove-variable remove-job stop-job remove-module clear-history stop-transcript remove-psdrive remove-alias remove-typedata stop-transcript',
    14,
    'tidies its own session',
  ],
  [
    'set-variable set-strictmode set-psreadlineoption new-variable new-object new-guid set-psdebug new-timespan new-pssession start-sleep start-transcript import-module import-csv export-csv add-type add-member update-help update-typedata enter-pssession out-null out-string out-host',
    16,
    'works on its own session',
  ],
  ['set-psrepository register-psrepository register-packagesource', 62, 'changes where code comes from'],
  ['invoke-pester invoke-scriptanalyzer invoke-build invoke-psake', 22, 'builds, tests or checks'],
  ['start-service restart-service', 45, 'starts a service'],
  ['add-appxpackage add-appxprovisionedpackage add-computer', 62, 'installs with all rights'],
  ['debug-process', 30, 'looks into a process'],
]

export const CMDLETS: Programs = [
  ...EXACT.flatMap(([names, score, why]) => words(names).map((name) => [name, exact(score, why)] as const)),
  ...words(
    'get-childitem gci get-content gc get-item gi get-itemproperty select-string sls measure-object select-object where-object sort-object foreach-object test-path resolve-path get-help get-command gcm get-process gps get-service gsv get-location gl convertfrom-json convertto-json write-host write-output get-date',
  ).map((name) => [name, exact(8, 'reads')] as const),
  ...words('install-module install-package install-script update-module save-module install-packageprovider').map(
    (name) => [name, install] as const,
  ),
  ...words('get-childitem gci').map((name) => [name, children] as const),
  ...words('remove-item ri').map((name) => [name, remove] as const),
  ...words('clear-content clc').map((name) => [name, onPath('overwrite', '-path -literalpath')] as const),
  ...words('set-content out-file tee-object').map(
    (name) => [name, onPath('write', '-path -literalpath -filepath')] as const,
  ),
  ...words('add-content ac').map((name) => [name, onPath('append', '-path -literalpath')] as const),
  ...words('copy-item cpi move-item mi rename-item').map((name) => [name, arrive] as const),
  ...words('expand-archive').map((name) => [name, arrive] as const),
  ...words('compress-archive').map((name) => [name, arrive] as const),
  ...words('new-item ni').map((name) => [name, create] as const),
  ...words('set-itemproperty new-itemproperty remove-itemproperty set-item').map((name) => [name, property] as const),
  ...words('invoke-expression iex').map((name) => [name, expression] as const),
  ...words('invoke-webrequest iwr invoke-restmethod irm start-bitstransfer').map((name) => [name, request] as const),
  ...words('invoke-command icm').map((name) => [name, remote] as const),
  ...words('start-process saps').map((name) => [name, start] as const),
  ...words('stop-process spps').map((name) => [name, stopProcess] as const),
  ...words('set-alias sal new-alias nal').map((name) => [name, keepAlias] as const),
  ...words('set-location sl').map(
    (name) => [name, ({ args, scope, stdin }: Call) => scope.runWords(['cd', ...args], scope, stdin)] as const,
  ),
]

const NAMES: ReadonlySet<string> = new Set(CMDLETS.map(([name]) => name))

/** True for a command that only PowerShell has; the shell of Elixir is a program. */
export function isCmdlet(first: string, name: string): boolean {
  return name !== 'iex' && (NAMES.has(name) || verbScore(first) !== undefined)
}

function verbScore(first: string): number | undefined {
  const [, verb = ''] = /^([A-Z][A-Za-z]+)-[A-Z]\w+$/.exec(first) ?? []
  return BY_VERB.get(verb.toLowerCase())
}

/** `Verb-Noun` of PowerShell that no row knows: its verb is one of a fixed list. */
export function judgeCmdlet(first: string, call: Call): boolean {
  const score = verbScore(first)
  if (score === undefined) return false
  const isTried = isWhatIf(call.args)
  note(call.scope.ledger, isTried ? 14 : score, `${first}: ${isTried ? 'a rehearsal' : 'a command of PowerShell'}`)
  return true
}

/** `-WhatIf`, also cut; not where it is the value of a parameter, nor as `-WhatIf:$false`. */
function isWhatIf(args: readonly string[]): boolean {
  return args.some((arg, at) => {
    const [, before] = /^-([A-Za-z]\w*)$/.exec(args[at - 1] ?? '') ?? []
    return /^-wh?a?t?i?f?$/i.test(arg) && arg.length > 2 && (before === undefined || SWITCHES.test(before))
  })
}

function exact(score: number, why: string): Program {
  return ({ name, args, scope }) => said(scope, isWhatIf(args) ? 14 : score, `${name}: ${why}`)
}

/** The value of a parameter, and what stands without one; names may be cut. */
function parametersOf(args: readonly string[]): {
  readonly named: (name: string) => string | undefined
  readonly rest: readonly string[]
} {
  const values = new Map<string, string>()
  const rest: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    const flag = /^-([A-Za-z]\w*)(?::(.*))?$/.exec(known(arg))
    if (!flag) rest.push(arg)
    else if (SWITCHES.test(flag[1] ?? '')) values.set((flag[1] ?? '').toLowerCase(), '')
    else values.set((flag[1] ?? '').toLowerCase(), flag[2] ?? args[++at] ?? '')
  }
  const named = (name: string) =>
    [...values].find(([key]) => key.length > 1 && name.startsWith(key))?.[1] ??
    (values.has(name) ? values.get(name) : undefined)
  return { named, rest: rest.flatMap((arg) => arg.split(',')) }
}

const SWITCHES =
  /^(r|re|rec\w*|fo|for\w*|wh\w*|confirm|verbose|wait|nonewwindow|passthru|usebasicparsing|append|noclobber|nonewline|raw|asjob|directory|file|hidden|readonly)$/i

function remove({ name, args, scope, stdin }: Call): Stream {
  const { named, rest } = parametersOf(args)
  note(scope.ledger, 12, `${name}: works on files`)
  if (isWhatIf(args)) return NOTHING
  const isTree = named('recurse') !== undefined || args.some((arg) => /^-r$/i.test(arg))
  const listed = [named('path'), named('literalpath')].flatMap((list) => list?.split(',') ?? [])
  const given = [...listed, ...rest].flatMap((path) => (path === '' ? [] : [unescapedPath(path)]))
  const isTidying = given.some((path) => targetKind(path, scope) === 'regenerable')
  // Beside `obj` it is the other folder that a build of .NET makes; `.\\bin` lost its sign to the reading shell.
  const paths = given.map((path) => (isTidying && /^(?:\.?|\.[\\/])bin$/i.test(path) ? 'obj' : path))
  const piped = stdin.kind !== 'paths' ? ['\0'] : stdin.isJunk ? ['node_modules'] : stdin.roots
  const isAll = isTree || (paths.length === 0 && stdin.kind === 'paths' && !stdin.isChosen)
  for (const path of paths.length > 0 ? paths : piped) {
    if (/^(hk\w+|registry):/i.test(path)) note(scope.ledger, 70, `${name}: deletes from the registry`)
    else if (!/^(env|variable|function|alias):/i.test(path)) act(scope, name, isAll ? 'deleteTree' : 'deleteFile', path)
  }
  return NOTHING
}

function install({ name, args, scope }: Call): Stream {
  const { named } = parametersOf(args)
  const from = named('repository') ?? named('source') ?? 'PSGallery'
  return said(scope, /^psgallery$/i.test(from) ? 30 : 62, `${name}: brings in foreign code`)
}

/** What it lists is what the next command gets. */
function children({ name, args, scope }: Call): Stream {
  const { named, rest } = parametersOf(args)
  const root = named('path') ?? named('literalpath') ?? rest[0] ?? '.'
  note(scope.ledger, 8, `${name}: reads`)
  const names = ['filter', 'include'].flatMap((one) => named(one)?.split(',') ?? [])
  const isJunk = namesJunk(names) && isInside(root, scope)
  return { kind: 'paths', isChosen: names.length > 0, isJunk, roots: [root] }
}

function onPath(action: 'write' | 'overwrite' | 'append', names: string): Program {
  return ({ name, args, scope, stdin }) => {
    const { named, rest } = parametersOf(args)
    const target =
      words(names)
        .map((one) => named(one.slice(1)))
        .find((path) => path !== undefined) ??
      rest[0] ??
      ''
    note(scope.ledger, 16, `${name}: writes files`)
    act(scope, name, named('append') === undefined ? action : 'append', target)
    const text = named('value') ?? rest[1]
    keepIn(resolvePath(target, scope.cwd), text === undefined ? stdin : { kind: 'text', text }, scope)
    return NOTHING
  }
}

/** `.\dist` as another shell leaves it: without its sign. */
function unescapedPath(path: string): string {
  return /^\.[a-z]\w*$/i.test(path) &&
    targetKind(path.slice(1), { cwd: PROJECT, projects: [PROJECT] }) === 'regenerable'
    ? path.slice(1)
    : path
}

function arrive({ name, args, scope }: Call): Stream {
  const { named, rest } = parametersOf(args)
  const source = named('path') ?? named('literalpath') ?? rest[0] ?? ''
  const target =
    named('destination') ?? named('destinationpath') ?? (named('path') === undefined ? rest[1] : rest[0]) ?? '.'
  note(scope.ledger, 18, `${name}: copies or moves files`)
  if (/^(move-item|mi)$/.test(name)) act(scope, name, 'moveAway', source)
  if (name === 'rename-item') act(scope, name, 'write', source)
  act(scope, name, name === 'expand-archive' ? 'unpack' : 'write', target)
  return NOTHING
}

function create({ name, args, scope }: Call): Stream {
  const { named, rest } = parametersOf(args)
  const target = named('path') ?? rest[0] ?? ''
  note(scope.ledger, 16, `${name}: creates files or folders`)
  if (/^hk\w+:/i.test(target)) note(scope.ledger, 62, `${name}: changes the registry`)
  else
    act(
      scope,
      name,
      named('force') !== undefined && !/dir|link|container/i.test(named('itemtype') ?? '') ? 'write' : 'create',
      target,
    )
  return NOTHING
}

/** Values of the registry and of files; `Env:` is the environment. */
function property({ name, args, scope }: Call): Stream {
  const { named, rest } = parametersOf(args)
  const target = named('path') ?? rest[0] ?? ''
  const [, variable] = /^env:[\\/]?(\w+)$/i.exec(target) ?? []
  if (variable !== undefined) giveVariable(variable, named('value') ?? rest[1] ?? '', scope)
  return said(scope, /^hk\w+:/i.test(target) ? 66 : variable !== undefined ? 12 : 40, `${name}: changes values`)
}

function expression(call: Call): Stream | undefined {
  const { name, args, scope, stdin } = call
  // The shell of Elixir has the same name.
  if (name === 'iex' && (args[0] === '-S' || /\.exs?$/.test(args[0] ?? '')))
    return said(scope, 24, 'iex: a shell of Elixir')
  if (name === 'iex' && /^(-e|--eval|--rpc-eval)$/.test(args[0] ?? '')) {
    judgeCode('other', args[1] ?? '', call)
    return undefined
  }
  const text = args.filter((arg) => !/^-Command$/i.test(arg)).join(' ')
  if (/DownloadString|Net\.WebClient|Invoke-WebRequest|iwr|irm/i.test(text))
    return unknownSource({ kind: 'download' }, scope, name)
  if (text !== '') return runSource(text, call)
  if (stdin.kind === 'text') return runSource(stdin.text, { ...call, stdin: NOTHING })
  return stdin.kind === 'none' ? said(scope, 12, `${name}: nothing to run`) : unknownSource(stdin, scope, name)
}

function request({ name, args, scope }: Call): Stream {
  const { named, rest } = parametersOf(args)
  const file = named('outfile') ?? named('destination')
  note(scope.ledger, 12, `${name}: fetches`)
  judgeMethod(
    named('method') ?? 'GET',
    named('uri') ?? named('source') ?? rest[0] ?? '',
    named('body') ?? '',
    scope,
    name,
  )
  if (file === undefined) return { kind: 'download' }
  act(scope, name, 'write', file)
  keepIn(resolvePath(file, scope.cwd), { kind: 'download' }, scope)
  return NOTHING
}

function remote(call: Call): Stream | undefined {
  const { named } = parametersOf(call.args)
  const block = call.args.join(' ').replace(/^.*?\{|\}.*$/gs, '')
  note(call.scope.ledger, named('computername') === undefined ? 30 : 50, `${call.name}: runs a command elsewhere`)
  return runSource(block, call)
}

function start(call: Call): Stream | undefined {
  const { args, scope, stdin, name } = call
  const { named, rest } = parametersOf(args)
  const program = named('filepath') ?? rest[0] ?? ''
  const given = (
    named('argumentlist') ??
    named('args') ??
    rest.slice(named('filepath') === undefined ? 1 : 0).join(' ')
  ).split(/[\s,]+/)
  if (/runas/i.test(named('verb') ?? '')) note(scope.ledger, 62, `${name}: with the rights of an administrator`)
  note(scope.ledger, 22, `${name}: starts a program`)
  return /^https?:/.test(program)
    ? ANYTHING
    : scope.runWords([program, ...given.filter((one) => one !== '')], scope, stdin)
}

/** `sal x ri`: another name for a command. */
function keepAlias({ name, args, scope }: Call): Stream {
  const { named, rest } = parametersOf(args)
  const alias = named('name') ?? rest[0] ?? ''
  const value = named('value') ?? (named('name') === undefined ? rest[1] : rest[0]) ?? ''
  if (alias !== '' && value !== '' && scope.aliases.size < 64) scope.aliases.set(alias, value)
  return said(scope, 16, `${name}: works on its own session`)
}

function stopProcess({ name, args, scope, stdin }: Call): Stream | undefined {
  const { named, rest } = parametersOf(args)
  const process = named('name') ?? named('processname')
  if (process !== undefined) return scope.runWords(['killall', process], scope, stdin)
  return said(scope, named('id') !== undefined || /^\d+$/.test(rest[0] ?? '') ? 28 : 62, `${name}: ends processes`)
}

function said(scope: Call['scope'], score: number, why: string): Stream {
  note(scope.ledger, score, why)
  return ANYTHING
}
