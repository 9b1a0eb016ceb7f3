import { type Action, act } from './actions.ts'
import { firstOf } from './budget.ts'
import { runSource, unknownSource } from './builtins.ts'
import { giveVariable } from './environment-variables.ts'
import { leaksSecrets } from './file-programs.ts'
import { judgeMethod } from './http.ts'
import { judgeCode } from './inline-code.ts'
import { note } from './ledger.ts'
import { trustFound } from './listed-files.ts'
import { words } from './options.ts'
import { BLOCK, judgeEach, judgeMember, NAMED_ANEW } from './powershell-members.ts'
import { INTO_PROCESS } from './processes.ts'
import type { Call, Program, Programs } from './program.ts'
import { keepIn } from './redirects.ts'
import { isInside, namesJunk } from './regenerable.ts'
import { fileScore } from './run-file.ts'
import { ANYTHING, isUnknown, known, NOTHING, PROJECT, type Scope, type Stream, UNKNOWN } from './scope.ts'
import { resolvePath, targetKind } from './targets.ts'

/**
 * What the verb of a cmdlet is worth where no row knows the whole name. Only verbs that promise to read are below a
 * question.
 */
const VERB_SCORES: readonly (readonly [verbs: string, score: number])[] = [
  [
    'get test find search select where sort group measure compare format show read watch wait resolve convertto convertfrom join split assert confirm',
    12,
  ],
  [
    'write out trace convert tee foreach import export enter exit use push pop limit debug ping new add start install save register open connect invoke send copy expand compress initialize mount publish submit receive step sync request update',
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
  [
    'write-error write-warning write-verbose write-debug write-information write-progress out-default out-gridview push-location pop-location import-clixml import-powershelldatafile import-localizeddata convert-path exit-pssession exit-pshostprocess export-modulemember use-transaction',
    12,
    'reads or shows',
  ],
  ['debug-process enter-pshostprocess', INTO_PROCESS, 'acts inside of another program'],
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
    'set-variable set-strictmode set-psreadlineoption new-variable new-guid set-psdebug new-timespan new-pssession start-sleep import-csv add-member update-help update-typedata enter-pssession out-null out-string out-host',
    16,
    'works on its own session',
  ],
  ['set-psrepository register-psrepository register-packagesource', 62, 'changes where code comes from'],
  ['invoke-pester invoke-scriptanalyzer invoke-build invoke-psake', 22, 'builds, tests or checks'],
  ['start-service restart-service', 45, 'starts a service'],
  ['add-appxpackage add-appxprovisionedpackage add-computer', 62, 'installs with all rights'],
]

export const CMDLETS: Programs = [
  ...EXACT.flatMap(([names, score, why]) => words(names).map((name) => [name, exact(score, why)] as const)),
  ...words(
    'get-content gc get-itemproperty select-string sls measure-object select-object where-object sort-object test-path resolve-path get-help get-command gcm get-service gsv get-location gl convertfrom-json convertto-json write-host write-output get-date',
  ).map((name) => [name, exact(8, 'reads')] as const),
  ...words('install-module install-package install-script update-module save-module install-packageprovider').map(
    (name) => [name, install] as const,
  ),
  ...words('get-childitem gci get-item gi').map((name) => [name, children] as const),
  ...words('get-process gps').map((name) => [name, processes] as const),
  ['foreach-object', forEach],
  ...words('remove-item ri').map((name) => [name, remove] as const),
  ...words('clear-content clc').map((name) => [name, onPath('overwrite')] as const),
  ...words('set-content out-file tee-object start-transcript').map((name) => [name, onPath('write')] as const),
  ...words(
    'export-csv export-clixml export-alias export-console export-formatdata export-counter export-binarymilog',
  ).map((name) => [name, onPath('write')] as const),
  ...words('add-content ac').map((name) => [name, onPath('append')] as const),
  ...words('copy-item cpi move-item mi').map((name) => [name, arrive] as const),
  ['rename-item', rename],
  ['new-object', makeObject],
  ['export-pfxcertificate', exportKey],
  ...words('invoke-cimmethod invoke-wmimethod').map((name) => [name, callMethod] as const),
  ['import-module', importModule],
  ['add-type', addType],
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
  return BY_VERB.get(verbOf(first))
}

function verbOf(first: string): string {
  const [, verb = ''] = /^([A-Z][A-Za-z]+)-[A-Z]\w+$/.exec(first) ?? []
  return verb.toLowerCase()
}

/** `Verb-Noun` of PowerShell that no row knows: its verb is one of a fixed list. */
export function judgeCmdlet(first: string, call: Call): boolean {
  const score = verbScore(first)
  if (score === undefined) return false
  const isTried = isWhatIf(call.args)
  if (!isTried) judgeWritten(call, score > READS)
  note(call.scope.ledger, isTried ? 14 : score, `${first}: ${isTried ? 'a rehearsal' : 'a command of PowerShell'}`)
  return true
}

/** A cmdlet that is not known to only read may write to whatever it is given; others, where a parameter says so. */
function judgeWritten({ name, args, scope }: Call, mayWrite = true): void {
  for (const [at, arg] of args.entries()) {
    const isOutput = WRITTEN.test(args[at - 1] ?? '')
    for (const path of arg.split(','))
      if (isOutput || (mayWrite && !path.startsWith('-') && targetKind(path, scope) === 'trust'))
        act(scope, name, 'write', path)
  }
}

const READS = 12
const WRITTEN = /^-(out[a-z]*(file|path|dir\w*|folder)|dest[a-z]*|log[a-z]*(file|path)|filepath)$/i

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
  /** What stands without a name, and the same with lists taken apart. */
  readonly operands: readonly string[]
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
  return { named, operands: rest, rest: rest.flatMap((arg) => arg.split(',')) }
}

const SWITCHES =
  /^(r|re|rec\w*|fo|for\w*|wh\w*|confirm|verbose|wait|passthru|usebasicparsing|append|no[cnt][a-z]*|useculture|raw|asjob|asbytestream|directory|file|hidden|readonly|container|followsymlink|update|includeinvocationheader)$/i

/** Names of the parameters that say on what a cmdlet acts. */
const PATHS = 'path literalpath lp pspath filepath'

interface Places {
  readonly paths: readonly string[]
  /** True where they come by the pipe. */
  readonly isPiped: boolean
  /** What stands behind the first one without a name. */
  readonly rest: readonly string[]
  /** The scope in which a path that is not known is one of the pipe. */
  readonly scope: Scope
}

/** What a cmdlet acts on: said by a name, by the first word without one, or by what comes through the pipe. */
function placesOf({ args, scope, stdin }: Call, names = PATHS): Places {
  const { named, operands } = parametersOf(args)
  const [first, ...rest] = operands
  const byName = words(names).flatMap((name) => named(name)?.split(',') ?? [])
  if (byName.length > 0) return { paths: byName, isPiped: false, rest: operands, scope }
  if (first !== undefined) return { paths: first.split(','), isPiped: false, rest, scope }
  const paths = stdin.kind === 'text' ? stdin.text.split('\n').filter((line) => line !== '') : [UNKNOWN]
  return { paths: stdin.kind === 'none' ? [] : paths, isPiped: true, rest, scope: withChosen(scope, stdin) }
}

function withChosen(scope: Scope, stdin: Stream): Scope {
  return stdin.kind === 'paths' ? { ...scope, chosen: stdin } : scope
}

/** Of all that is in a folder, the folder decides; of what a condition picked, the condition says more. */
function actOn({ paths, scope }: Pick<Places, 'paths' | 'scope'>, name: string, action: Action): void {
  const { chosen } = scope
  for (const path of firstOf(paths, MOST_PATHS, scope.budget)) {
    act(scope, name, action, path)
    if (path !== UNKNOWN || !chosen || chosen.isChosen || chosen.isJunk) continue
    for (const root of firstOf(chosen.roots, MOST_PATHS, scope.budget))
      act({ ...scope, chosen: undefined }, name, action, root)
  }
}

const MOST_PATHS = 64

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
function children({ name, args, scope, stdin }: Call): Stream {
  const { named, operands } = parametersOf(args)
  const said = named('path') ?? named('literalpath') ?? operands[0] ?? '.'
  note(scope.ledger, 8, `${name}: reads`)
  const roots = said.split(',')
  if (stdin.kind === 'paths' && operands.length === 0 && named('path') === undefined) return stdin
  if (/^g(et-item|i)$/.test(name)) return { kind: 'paths', isChosen: false, roots }
  const filter = named('filter') ?? (named('path') === undefined ? operands[1] : operands[0])
  const names = [filter, named('include')].flatMap((one) => one?.split(',') ?? [])
  const isJunk = namesJunk(names) && roots.every((root) => isInside(root, scope))
  const isDeep =
    named('recurse') !== undefined || named('depth') !== undefined || args.some((arg) => /^-[rs]$/i.test(arg))
  const common = [
    ...(isDeep ? [] : ['-maxdepth', '1']),
    ...(named('directory') === undefined ? [] : ['-type', 'd']),
    ...(named('exclude')?.split(',') ?? []).flatMap((pattern) => ['!', '-iname', pattern]),
  ]
  const found = roots.flatMap((root) => listTrust(root, names, common, scope))
  const trust = TRUST_ORDER.find((one) => found.includes(one))
  return { kind: 'paths', isChosen: names.some((one) => /[^*?.]/.test(one)), isJunk, roots, ...(trust && { trust }) }
}

/** What others trust among the children of a folder, or among what the pattern at the end of a path picks. */
function listTrust(root: string, names: readonly string[], common: readonly string[], scope: Scope) {
  const at = root.lastIndexOf('/')
  const last = root.slice(at + 1)
  const isPattern = /[*?[]/.test(last)
  const start = isPattern ? root.slice(0, Math.max(at, 0)) || '.' : root
  const wanted = isPattern ? ['-iname', last] : []
  const ways = names.length > 0 ? names.map((name) => ['-iname', name]) : [[]]
  const tests = ways.flatMap((way, i) => [...(i > 0 ? ['-o'] : []), ...common, ...wanted, ...way])
  return trustFound([start], tests, scope).trust
}

const TRUST_ORDER = ['named', 'any', 'all'] as const

/** The names say which processes the next command gets. */
function processes({ name, args, scope }: Call): Stream {
  const { named, rest } = parametersOf(args)
  note(scope.ledger, 8, `${name}: reads`)
  return { kind: 'unknown', processes: named('name')?.split(',') ?? named('processname')?.split(',') ?? rest }
}

/** A block has been run where it stands; without one the member of each thing is called or read. */
function forEach({ name, args, scope, stdin }: Call): Stream {
  const { named, operands } = parametersOf(args)
  note(scope.ledger, 8, `${name}: does the same with each`)
  const at = args.findIndex((arg) => /^-m[a-z]*$/i.test(arg))
  const given = operands.filter((word) => word !== BLOCK)
  // Another shell has taken a block apart.
  if (given.some((word) => word.startsWith('{'))) return ANYTHING
  const member = at < 0 ? given[0] : args[at + 1]
  // What stood in a block is no member.
  if (member === undefined || (scope.seen.isCut && isUnknown(member))) return ANYTHING
  const list = named('argumentlist') ?? named('args')
  judgeEach(member, [...(list?.split(',') ?? []), ...given.slice(at < 0 ? 1 : 0)], withChosen(scope, stdin))
  return /^(fullname|name|pspath)$/i.test(member) ? stdin : ANYTHING
}

function callMethod({ name, args, scope }: Call): Stream {
  const { named, operands } = parametersOf(args)
  const method = named('methodname') ?? named('name') ?? operands.at(-1) ?? UNKNOWN
  judgeMember(undefined, { name: method, isPlain: !isUnknown(method) }, [UNKNOWN], scope)
  return said(scope, isWhatIf(args) ? 14 : 45, `${name}: calls a method of the machine`)
}

/** A file runs when it is loaded; a name is that of a module that was installed. */
function importModule({ name, args, scope }: Call): Stream {
  const { named, rest } = parametersOf(args)
  const file = named('name') ?? rest[0] ?? ''
  const isFile = /[/\\\0]|\.(psm1|psd1|ps1|dll)$/i.test(file)
  return said(scope, isFile ? Math.max(16, fileScore(file, scope)) : 16, `${name}: loads code into its own session`)
}

function addType({ name, args, scope }: Call): Stream {
  const { named, operands } = parametersOf(args)
  const file = named('path') ?? named('literalpath')
  if (file !== undefined) return said(scope, fileScore(file, scope), `${name}: loads code from a file`)
  const isAssembly = named('assemblyname') !== undefined || (named('assembly') !== undefined && operands.length === 0)
  return said(scope, isAssembly ? 16 : 45, `${name}: ${isAssembly ? 'works on its own session' : 'compiles code'}`)
}

function onPath(action: 'write' | 'overwrite' | 'append'): Program {
  return (call) => {
    const { name, args, scope, stdin } = call
    const { named } = parametersOf(args)
    const given = placesOf(call, `${PATHS} outputdirectory outputpath outfile`)
    note(scope.ledger, 16, `${name}: writes files`)
    if (name === 'tee-object' && named('variable') !== undefined) return stdin
    if (isWhatIf(args)) return NOTHING
    const [target = ''] = given.paths
    const text = named('value') ?? given.rest[0]
    if (isVariable(target)) giveVariable(target.slice(4), text ?? UNKNOWN, scope)
    // What comes by the pipe are the files themselves, and what they hold is lost.
    else actOn(given, name, named('append') !== undefined ? 'append' : given.isPiped ? 'overwrite' : action)
    keepIn(resolvePath(target, scope.cwd), text === undefined ? stdin : { kind: 'text', text }, scope)
    return name === 'tee-object' ? stdin : NOTHING
  }
}

function exportKey(call: Call): Stream {
  judgeWritten(call)
  return said(call.scope, 62, `${call.name}: takes a private key out`)
}

function isVariable(path: string): boolean {
  return /^env:./i.test(path)
}

/** `.\dist` as another shell leaves it: without its sign. */
function unescapedPath(path: string): string {
  return /^\.[a-z]\w*$/i.test(path) &&
    targetKind(path.slice(1), { cwd: PROJECT, projects: [PROJECT] }) === 'regenerable'
    ? path.slice(1)
    : path
}

function arrive(call: Call): Stream {
  const { name, args, scope, stdin } = call
  const { named, operands } = parametersOf(args)
  const isPiped = stdin.kind !== 'none' && named('path') === undefined && named('literalpath') === undefined
  const isLone = isPiped && operands.length < 2
  const source = placesOf(isLone ? { ...call, args: [] } : call)
  const target = named('destination') ?? named('destinationpath') ?? (isLone ? operands[0] : source.rest[0]) ?? '.'
  note(scope.ledger, 18, `${name}: copies or moves files`)
  if (isWhatIf(args)) return NOTHING
  judgeNamedAnew(source.isPiped && stdin.kind === 'paths' ? stdin.roots : source.paths, target, call)
  if (/^(move-item|mi)$/.test(name)) actOn(source, name, 'moveAway')
  act(scope, name, name === 'expand-archive' ? 'unpack' : 'write', target)
  return NOTHING
}

function judgeNamedAnew(sources: readonly string[], target: string, { name, scope }: Call): void {
  if (leaksSecrets(sources, target, scope)) note(scope.ledger, 62, `${name}: ${NAMED_ANEW}`)
}

/** `New-Object IO.StreamWriter FILE`: a type that writes to the file that it is given, or reads it. */
function makeObject({ name, args, scope }: Call): Stream {
  const { named, rest } = parametersOf(args)
  const [first = '', ...more] = rest
  const [, type = '', glued = ''] =
    /^(?:System\.)?(IO\.\w*(?:Writer|Stream|Reader))(.*)$/i.exec(named('typename') ?? first) ?? []
  const path =
    (named('argumentlist') ?? named('args'))?.split(',')[0] ??
    (glued === '' ? (named('typename') ? first : more[0]) : glued)
  if (type !== '' && path !== undefined && !/reader$/i.test(type)) act(scope, name, 'write', path)
  return said(scope, 16, `${name}: works on its own session`)
}

/** The new name stands in the same folder. */
function rename(call: Call): Stream {
  const { name, args, scope } = call
  const source = placesOf(call)
  const target = parametersOf(args).named('newname') ?? source.rest[0] ?? UNKNOWN
  note(scope.ledger, 18, `${name}: renames files`)
  if (isWhatIf(args)) return NOTHING
  actOn(source, name, 'moveAway')
  const folder = source.isPiped ? '' : (source.paths[0] ?? '').replace(/[^/]*$/, '')
  if (target !== BLOCK && !isUnknown(target)) act(scope, name, 'write', `${folder}${target}`)
  return NOTHING
}

function create(call: Call): Stream {
  const { name, args, scope } = call
  const { named } = parametersOf(args)
  const given = placesOf(call)
  const child = named('name')
  const paths =
    child === undefined ? given.paths : given.paths.length > 0 ? given.paths.map((path) => `${path}/${child}`) : [child]
  const kind = named('itemtype') ?? named('type') ?? ''
  const isOver = named('force') !== undefined
  note(scope.ledger, 16, `${name}: creates files or folders`)
  if (paths.some((path) => /^hk\w+:/i.test(path))) note(scope.ledger, 62, `${name}: changes the registry`)
  else if (paths.some(isVariable)) giveVariable(paths[0]?.slice(4) ?? '', named('value') ?? UNKNOWN, scope)
  else if (/link|junction/i.test(kind)) {
    judgeNamedAnew([named('target') ?? named('value') ?? ''], paths[0] ?? '', call)
    actOn({ ...given, paths }, name, isOver ? 'relink' : 'link')
  } else actOn({ ...given, paths }, name, isOver && !/dir|container/i.test(kind) ? 'write' : 'create')
  return NOTHING
}

/** Values of the registry and of files; `Env:` is the environment. */
function property(call: Call): Stream {
  const { name, args, scope } = call
  const { named } = parametersOf(args)
  const given = placesOf(call)
  const [target = ''] = given.paths
  const isEnvironment = isVariable(target)
  if (isEnvironment) giveVariable(target.slice(4).replace(/^[\\/]/, ''), named('value') ?? given.rest[0] ?? '', scope)
  else if (!/^\w{2,}:/.test(target)) actOn(given, name, name === 'set-item' ? 'overwrite' : 'attributes')
  return said(scope, /^hk\w+:/i.test(target) ? 66 : isEnvironment ? 12 : 40, `${name}: changes values`)
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

/** Processes by their names, or by numbers; of those that a list gave, its names count. */
function stopProcess({ name, args, scope, stdin }: Call): Stream | undefined {
  const { named, rest } = parametersOf(args)
  const listed = stdin.kind === 'unknown' ? stdin.processes : undefined
  const number = named('id') ?? named('inputobject') ?? rest[0]
  const isListed =
    number === undefined ? listed !== undefined : isUnknown(number) && scope.chosenProcesses !== undefined
  const names =
    (named('name') ?? named('processname'))?.split(',') ?? (isListed ? (listed ?? scope.chosenProcesses) : undefined)
  if (names !== undefined && names.length > 0) return scope.runWords(['killall', ...names], scope, NOTHING)
  const isNumber = named('id') !== undefined || named('inputobject') !== undefined || /^[\d,\0]+$/.test(number ?? '')
  return said(scope, isNumber && !isListed ? 28 : 62, `${name}: ends processes`)
}

function said(scope: Call['scope'], score: number, why: string): Stream {
  note(scope.ledger, score, why)
  return ANYTHING
}
