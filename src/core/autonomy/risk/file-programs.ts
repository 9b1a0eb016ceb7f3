import { holdsSecrets, isSecretPlace, namesSecret } from '../secret-places.ts'
import { type Action, act, isServed } from './actions.ts'
import { firstOf } from './budget.ts'
import { note } from './ledger.ts'
import { onlyPretends, onlyTells } from './only-pretends.ts'
import { has, type Options, optionValue, splitOptions, wordSet, words } from './options.ts'
import { isPrivate } from './private-places.ts'
import type { Call, Program, Programs } from './program.ts'
import { keepIn, readFile } from './redirects.ts'
import { ANYTHING, HOME, isUnknown, known, NOTHING, type Stream } from './scope.ts'
import { withoutAddresses } from './sed-script.ts'
import { resolvePath, targetKind } from './targets.ts'

/** Programs that change files and folders. */
export const FILE_PROGRAMS: Programs = [
  ['rm', remove],
  ['grm', remove],
  ['unlink', onOperands('deleteFile')],
  ['rmdir', removeFolder],
  ['trash', onOperands('deleteFile', -10)],
  ['trash-put', onOperands('deleteFile', -10)],
  ['rimraf', onOperands('deleteTree')],
  ['del-cli', onOperands('deleteTree')],
  ['shred', onOperands('destroy', 0, '-n -s --iterations --size')],
  ['srm', onOperands('destroy')],
  ['wipe', onOperands('destroy')],
  ['wipefs', whenFlag('-a --all -o --offset', 'destroy')],
  ['blkdiscard', onOperands('destroy')],
  ['truncate', truncate],
  ['fallocate', onOperands('write', 0, '-l -o --length --offset')],
  ['mv', move],
  ['gmv', move],
  ['cp', copy],
  ['gcp', copy],
  ['install', copy],
  ['scp', copy],
  ['ditto', copy],
  ['ln', link],
  ['rename', ({ scope, args }) => said(scope, onlyPretends(args, RENAME) ? 10 : 30, 'rename: renames files')],
  ['mmv', ({ scope }) => said(scope, 34, 'mmv: renames files')],
  ['mkdir', makeFolder],
  ['touch', onOperands('create', 0, '-d -t -r --date --reference')],
  ['mktemp', mktemp],
  ['mkfifo', onOperands('create', 4)],
  ['mknod', onOperands('create', 30)],
  ['split', ({ scope }) => said(scope, 22, 'split: writes pieces of a file')],
  ['csplit', ({ scope }) => said(scope, 22, 'csplit: writes pieces of a file')],
  ['chmod', attributes],
  ['chown', attributes],
  ['chgrp', attributes],
  ['chattr', attributes],
  ['setfacl', attributes],
  ['setcap', ({ scope }) => said(scope, 72, 'setcap: gives a program rights')],
  ['dd', dd],
  ['patch', patch],
  ['dos2unix', onOperands('write', 4)],
  ['unix2dos', onOperands('write', 4)],
  ['ed', lineEditor],
  ['red', lineEditor],
  ['rsync', rsync],
]

const FORCED = wordSet('--no-preserve-root')

function remove({ name, args, scope }: Call): Stream {
  const options = splitOptions(args)
  const { operands } = options
  if (onlyTells(args)) return said(scope, 6, `${name}: shows its help`)
  const isTree = has(options, '-r', '-R', '--recursive')
  if (options.flags.some((flag) => FORCED.has(flag))) note(scope.ledger, 97, `${name}: without the guard of the root`)
  if (operands.length === 0) return said(scope, isTree ? 62 : 35, `${name}: deletes what is not in the text`)
  // An agent has no terminal: nothing is asked without force either, and `rm -r` is `rm -rf`.
  const asks = has(options, '-i', '--interactive') && !isTree && !has(options, '-f', '--force')
  // Beside other output that can be made again, `bin` is output; alone it may be written by hand.
  const isTidying = operands.some((operand) => targetKind(operand, scope) === 'regenerable')
  for (const operand of operands) {
    const isMade =
      (isTidying && /(^|\/)bin\/?$/.test(operand) && targetKind(operand, scope) === 'project') ||
      scope.seen.made?.has(resolvePath(operand, scope.cwd))
    // A name that ends like a file's is no tree, whatever the flags say.
    const action = isTree && !isFileName(operand) ? 'deleteTree' : 'deleteFile'
    // Many files at once are more than one that is named.
    const wide = action === 'deleteFile' && /[*?]/.test(operand) ? WIDER : 0
    act(scope, name, action, isMade ? 'node_modules' : operand, asks ? -16 : wide)
  }
  return NOTHING
}

/** What the text makes itself under a name that says that it is for a while. */
function makeFolder(call: Call): Stream | undefined {
  const { args, scope } = call
  for (const operand of splitOptions(args, wordSet('-m --mode')).operands)
    if (targetKind(operand, scope) === 'project' && FOR_A_WHILE.test(operand)) {
      scope.seen.made ??= new Set()
      scope.seen.made.add(resolvePath(operand, scope.cwd))
    }
  return onOperands('create', 0, '-m --mode')(call)
}

const FOR_A_WHILE = /(^|\/)[.\w-]*(scratch|sandbox|playground|throwaway|te?mp)[\w-]*\/?$/i

const removeEmpty = onOperands('deleteFile', -20)

/** Only empty folders; `rmdir /s` of Windows takes what is in them as well. */
function removeFolder(call: Call): Stream | undefined {
  const isTree = call.args.some((arg) => /^\/s$/i.test(arg))
  return isTree ? call.scope.runWords(['rd', ...call.args], call.scope, call.stdin) : removeEmpty(call)
}

/** Leaves what programs make again below a question. */
const WIDER = 8

function onOperands(action: Action, raise = 0, valued = ''): Program {
  const values = wordSet(valued)
  return ({ name, args, scope }) => {
    const { operands } = splitOptions(args, values)
    if (onlyTells(args)) return said(scope, 6, `${name}: shows its help`)
    note(scope.ledger, 12, `${name}: works on files`)
    for (const operand of operands) act(scope, name, action, operand, raise)
    return NOTHING
  }
}

const TRUNCATE_VALUES = '-s -r --size --reference'

/** A file of tests is as long as the tests need it. */
function truncate(call: Call): Stream | undefined {
  const { operands } = splitOptions(call.args, wordSet(TRUNCATE_VALUES))
  const isMade = operands.length > 0 && operands.every((operand) => isFixture(operand, call.scope))
  return onOperands(isMade ? 'write' : 'overwrite', 5, TRUNCATE_VALUES)(call)
}

/** A file of the project in a folder that holds what tests are given. */
function isFixture(path: string, scope: Call['scope']): boolean {
  return (
    targetKind(path, scope) === 'project' && /(^|\/)(__fixtures__|fixtures?|test[-_]?data|test[-_]?files)\//i.test(path)
  )
}

/** Files of bytes that programs make for a test or a machine. */
const IMAGES = /\.(bin|blob|raw|img|iso|dat)$/i

/** In the project such a file is written as any other is. */
function inPlace(path: string, scope: Call['scope']): Action {
  return targetKind(path, scope) === 'project' ? 'write' : 'overwrite'
}

/** Without one of the flags it only looks. */
function whenFlag(flags: string, action: Action): Program {
  return (call) =>
    has(splitOptions(call.args), ...words(flags)) && !onlyPretends(call.args, { names: '--no-act', switches: 'afq' })
      ? onOperands(action)(call)
      : said(call.scope, 10, `${call.name}: looks`)
}

/** `package-lock.json`, `*.csv`: one file, or files of one kind beside each other. */
function isFileName(path: string): boolean {
  return (
    /[\w*?\]-]\.[a-z]{1,5}$|\.json[5c]?$/i.test(path) &&
    !/\.(app|git|d|bundle|framework|xcodeproj|photoslibrary)$/i.test(path)
  )
}

const COPY_VALUES = wordSet('-t -S -m -o -g -P -i -F -J -l --target-directory --suffix --mode --owner --group')

function copy(call: Call): Stream {
  const { name, args, scope } = call
  if (onlyTells(args)) return said(scope, 6, `${name}: shows its help`)
  const options = splitOptions(args, COPY_VALUES)
  const into = optionValue(options, '-t', '--target-directory')
  const target = into ?? (options.operands.length > 1 ? options.operands.at(-1) : undefined)
  const sources = into === undefined ? options.operands.slice(0, -1) : options.operands
  note(scope.ledger, 16, `${name}: copies files`)
  if (name === 'install' && options.operands.length < 2 && into === undefined)
    return said(scope, has(options, '-d') ? 20 : 35, 'install: what it installs is not said')
  const isTree = has(options, '-r', '-R', '-a', '--recursive', '--archive')
  const isWithin = isTree && has(options, '-T', '--no-target-directory')
  if (target !== undefined)
    judgeArrival(
      target,
      isWithin ? sources.map((source) => `${source}/.`) : sources,
      isTree || into !== undefined || keepsOld(options, name),
      call,
      name !== 'scp' && has(options, '-f', '--force', '-T'),
    )
  if (name === 'scp' && isTree && isRemote(target ?? '') && sources.some((path) => isOfPeople(path, scope)))
    note(scope.ledger, 34, `${name}: sends a whole folder to another machine`)
  if (isTree) judgeWholeFolders(sources, call, 'copies')
  if (leaksSecrets(sources, target, scope)) note(scope.ledger, 62, `${name}: copies a file that holds secrets`)
  const [source] = sources
  keepName(source, target, scope)
  if (source !== undefined && target !== undefined && !isRemote(source))
    keepIn(resolvePath(target, scope.cwd), scope.files.get(resolvePath(source, scope.cwd)) ?? NOTHING, scope)
  return NOTHING
}

/** Copying or packing a folder takes along what lies below it. */
export function judgeWholeFolders(
  folders: readonly string[],
  { name, scope }: Pick<Call, 'name' | 'scope'>,
  deed: string,
): void {
  if (folders.some((path) => /^[~/]/.test(path) && !isRemote(path) && holdsSecrets(known(path), scope.cwd)))
    note(scope.ledger, 45, `${name}: ${deed} a folder below which secrets lie`)
}

/** `cp -n`, `mv --update=none`: what is there stays. */
function keepsOld(options: Options, name: string): boolean {
  return name !== 'scp' && name !== 'install' && has(options, '-n', '--no-clobber')
}

/** What arrives at a path: over a file, into a folder, or nothing at all over what was there. */
export function judgeArrival(
  target: string,
  sources: readonly string[],
  isFolder: boolean,
  { name, scope }: Call,
  isForced = false,
): void {
  const isEmpty = sources.length > 0 && sources.every((source) => EMPTY.test(source))
  // Force says that something may be there to replace.
  const adds = isFolder || sources.length > 1 || isFolderName(target, isForced ? '' : (sources[0] ?? ''))
  if (isRemote(target)) judgeRemote(target, isEmpty, adds, scope, name)
  else {
    act(scope, name, isEmpty ? 'overwrite' : adds ? 'add' : 'write', target)
    if (adds)
      for (const source of firstOf(sources, MOST_SOURCES, scope.budget)) judgeArriving(name, source, target, scope)
  }
}

const MOST_SOURCES = 32

/** What arrives in a folder keeps its name; with all of a foreign folder comes whatever has one that others trust. */
function judgeArriving(program: string, source: string, target: string, scope: Call['scope']): void {
  const place = isRemote(source) ? source.slice(source.indexOf(':') + 1) : source
  const arrived = `${target}/${place.slice(place.lastIndexOf('/') + 1)}`
  if (targetKind(arrived, scope) === 'trust') act(scope, program, 'add', arrived)
  if (isWhole(place) && isForeign(source, scope) && targetKind(target, scope) === 'projectRoot')
    note(scope.ledger, 45, `${program}: brings all of a foreign folder into the project, whatever is in it`)
}

/** `dir/.`, and `dir/` as rsync and some systems read it: names with a leading dot too. */
function isWhole(source: string): boolean {
  return /(^|\/)\.{0,2}$/.test(source)
}

function isForeign(source: string, scope: Call['scope']): boolean {
  return isRemote(source) || /^(temporary|temporaryRoot|outside|home)$/.test(targetKind(source, scope))
}

const EMPTY = /^\/dev\/(null|zero|u?random)$/

/** `dir/`, `~`, `..`; or no ending where the source has one. */
function isFolderName(target: string, source: string): boolean {
  if (/(^|\/)\.{0,2}$|^~$/.test(target) || source.endsWith('/') || /[*?]/.test(source)) return true
  const hasEnding = (path: string) => /\.\w{1,6}$/.test(path.slice(path.lastIndexOf('/') + 1))
  return (hasEnding(source) || isUnknown(source)) && !hasEnding(target)
}

function move(call: Call): Stream {
  const { name, args, scope } = call
  if (onlyTells(args)) return said(scope, 6, `${name}: shows its help`)
  const options = splitOptions(args, COPY_VALUES)
  const into = optionValue(options, '-t', '--target-directory')
  const sources = into === undefined && options.operands.length > 1 ? options.operands.slice(0, -1) : options.operands
  const target = into ?? options.operands.at(-1) ?? ''
  note(scope.ledger, 20, `${name}: moves files`)
  const isLost =
    target === '/dev/null' ||
    (/^temporary/.test(targetKind(target, scope)) &&
      sources.some((source) => targetKind(source, scope) !== 'temporary' && targetKind(source, scope) !== 'project'))
  for (const source of sources) act(scope, name, target === '/dev/null' || isLost ? 'deleteTree' : 'moveAway', source)
  judgeArrival(
    target,
    sources,
    into !== undefined || keepsOld(options, name),
    call,
    has(options, '-f', '--force', '-T'),
  )
  if (leaksSecrets(sources, target, scope))
    note(scope.ledger, 62, `${name}: gives a file that holds secrets another name`)
  const [source] = sources
  if (source !== undefined)
    keepIn(resolvePath(target, scope.cwd), scope.files.get(resolvePath(source, scope.cwd)) ?? NOTHING, scope)
  return NOTHING
}

function link({ name, args, scope }: Call): Stream {
  const options = splitOptions(args, COPY_VALUES)
  if (onlyTells(args)) return said(scope, 6, `${name}: shows its help`)
  note(scope.ledger, 16, `${name}: makes a link`)
  if (leaksSecrets(options.operands.slice(0, -1), options.operands.at(-1), scope))
    note(scope.ledger, 62, `${name}: gives a file that holds secrets another name`)
  if (options.operands.length === 2) keepName(options.operands[0], options.operands[1], scope)
  if (options.operands.length > 1)
    act(scope, name, has(options, '-f', '--force') ? 'relink' : 'link', options.operands.at(-1) ?? '')
  return NOTHING
}

function mktemp({ scope }: Call): Stream {
  note(scope.ledger, 12, 'mktemp: makes a temporary file')
  return { kind: 'text', text: '/tmp/tmp.x\n' }
}

/** Modes that open a file to everybody, or lend its owner's rights. */
function attributes({ name, args, scope }: Call): Stream {
  const options = splitOptions(
    args.filter((arg) => !/^-[rwxst]+$/.test(arg) || name !== 'chmod'),
    wordSet('--reference --from -m -M'),
  )
  const isTree = has(options, '-R', '--recursive')
  const [mode = '', ...rest] = options.operands
  // The modes of these two are flags: every operand is a target.
  const isFlagged = name === 'chmod' && args.some((arg) => /^-[rwxst]+$/.test(arg))
  const targets =
    has(options, '--reference') || name === 'setfacl' || name === 'chattr' || isFlagged ? options.operands : rest
  if (isTree && name === 'chown' && /^(root|0)(:|$)/.test(mode))
    note(scope.ledger, 62, `${name}: gives whole trees to the administrator`)
  const isTight = name === 'chmod' && (/^0?[4-7]00$/.test(mode) || /^(go|g|o)(-\w+|=)$/.test(mode))
  note(scope.ledger, 15, `${name}: changes modes or owners`)
  const isOpen =
    name === 'chmod' &&
    (/^[0-7]?[0-7]?[0-7][2367]$/.test(mode) ||
      /\+[rxst]*w/.test(mode.replace(/^u\+.*$|^g\+.*$/, '')) ||
      mode === '000' ||
      mode === '0')
  const isLent =
    name === 'chmod' && (/^[4-7][0-7]{3}$/.test(mode) || /^u?\+s|[ug]\+[rwx]*s/.test(mode)) && !mode.startsWith('g+s')
  if (isLent) note(scope.ledger, 66, `${name}: lends the rights of the owner`)
  if (isOpen) note(scope.ledger, isTree ? 68 : 45, `${name}: opens files to everybody`)
  for (const target of targets)
    act(
      scope,
      name,
      isTree ? 'attributesTree' : 'attributes',
      target,
      isTight && isSecretPlace(target, scope.cwd) ? -50 : isDeep(target, scope) ? -32 : 0,
    )
  return NOTHING
}

/** One package deep in a system tree is not the tree. */
function isDeep(path: string, scope: Call['scope']): boolean {
  return targetKind(path, scope) === 'system' && resolvePath(path, scope.cwd).split('/').length > 3
}

function dd({ args, scope, stdin }: Call): Stream {
  const target = args.find((arg) => arg.startsWith('of='))?.slice(3)
  note(scope.ledger, 12, 'dd: copies blocks')
  const isChanged = args.some((arg) => /^(skip|iseek|conv|cbs)=/.test(arg))
  if (target === undefined) return stdin.kind === 'text' && !isChanged ? stdin : ANYTHING
  const kind = act(
    scope,
    'dd',
    isFixture(target, scope) || IMAGES.test(target) ? inPlace(target, scope) : 'overwrite',
    target,
    -4,
  )
  if (kind === 'device') note(scope.ledger, 96, 'dd: overwrites a device')
  const source = args.find((arg) => arg.startsWith('if='))?.slice(3)
  keepIn(resolvePath(target, scope.cwd), source === undefined ? stdin : readFile(source, scope), scope)
  return NOTHING
}

const PATCH_VALUES = wordSet('-d -i -o -p -r -B -D -F -g -V -Y -z --directory --input --output --strip')

/** The folder decides, and the file if one is named. */
function patch({ name, args, scope }: Call): Stream {
  const options = splitOptions(args, PATCH_VALUES)
  if (onlyTells(args) || onlyPretends(args, { names: '--dry-run', switches: 'bcEflNRstTu' }))
    return said(scope, 8, `${name}: a rehearsal`)
  const folder = optionValue(options, '-d', '--directory') ?? '.'
  const file = optionValue(options, '-o', '--output') ?? options.operands[0]
  note(scope.ledger, 24, `${name}: changes files`)
  act(scope, name, 'write', file === undefined ? folder : resolvePath(file, resolvePath(folder, scope.cwd)))
  return NOTHING
}

/** A program under another name is still that program. */
function keepName(source: string | undefined, target: string | undefined, scope: Call['scope']): void {
  if (source === undefined || target === undefined || scope.aliases.size >= 64) return
  if (/^(\/usr(\/local)?)?\/s?bin\/[\w.-]+$/.test(source) && !isUnknown(target)) scope.aliases.set(target, source)
}

/** Its orders come from its input; a line that begins with `!` is run, and `w` writes the file that is open. */
function lineEditor({ name, args, scope, stdin }: Call): Stream {
  const lines = stdin.kind === 'text' ? stdin.text.split('\n') : []
  for (const line of firstOf(lines, 64, scope.budget)) {
    const [, order, target] = /^(?:[rwe]q? *)?!(.*)$|^(?:wq?|W)\s+(\S.*)$/.exec(withoutAddresses(line.trim())) ?? []
    if (order !== undefined) scope.runText(order, scope, NOTHING)
    if (target !== undefined) act(scope, name, 'write', target)
  }
  const empties = lines.some((line) => /^(1,\$|%|,)d/.test(line.trim()))
  for (const file of splitOptions(args, wordSet('-p')).operands)
    if (stdin.kind !== 'none') act(scope, name, empties ? 'overwrite' : 'write', file)
  return said(scope, stdin.kind === 'none' ? 30 : 34, `${name}: changes files`)
}

const RENAME = { names: '-n --no-act --dry-run --nono', switches: 'vfdui' }
const RSYNC = { names: '-n --dry-run --list-only', switches: '0468abcghiklopqrtuvxzACDEHIJKLNOPRSUWXy' }

function rsync(call: Call): Stream {
  const { name, args, scope } = call
  const options = splitOptions(
    args,
    wordSet(
      '-e -f -T -B -M --rsh --exclude --include --files-from --exclude-from --bwlimit --port --timeout --rsync-path',
    ),
  )
  if (onlyTells(args) || onlyPretends(args, RSYNC)) return said(scope, 12, `${name}: a rehearsal`)
  const shell = optionValue(options, '-e', '--rsh')
  if (shell?.includes(' ')) scope.runText(shell, scope, NOTHING)
  const target = options.operands.length > 1 ? (options.operands.at(-1) ?? '') : ''
  const sources = options.operands.slice(0, -1)
  note(scope.ledger, 22, `${name}: copies files`)
  if (options.flags.some((flag) => flag.startsWith('--del'))) judgeMirror(target, sources, call)
  if (has(options, '--remove-source-files', '--remove-sent-files'))
    for (const source of sources)
      if (isRemote(source)) note(scope.ledger, 62, `${name}: deletes the source`)
      else act(scope, name, 'deleteFile', source, WIDER)
  if (target !== '') judgeArrival(target, sources, true, call)
  if (leaksSecrets(sources, target, scope)) note(scope.ledger, 66, `${name}: copies a file that holds secrets`)
  if (target !== '' && has(options, '-a', '-r', '--archive', '--recursive')) judgeWholeFolders(sources, call, 'copies')
  return NOTHING
}

/** What the source does not have is deleted: of an empty source that is everything. */
function judgeMirror(target: string, sources: readonly string[], { name, scope }: Call): void {
  const isEmpty = sources.some((source) => /(^|\/)\.?(empty|blank|nothing)/i.test(source) || isUnknown(source))
  if (target === '' || isRemote(target) || isEmpty)
    note(scope.ledger, 68, `${name}: deletes what the source does not have`)
  else act(scope, name, 'deleteTree', target)
}

/** A path on another machine: what lies outside of a home there is in use, and its system is as grave as here. */
function judgeRemote(target: string, isEmpty: boolean, adds: boolean, scope: Call['scope'], name: string): void {
  const path = target.slice(target.indexOf(':') + 1)
  const there = { cwd: HOME, projects: [] }
  const kind = targetKind(path === '' ? '.' : path, there)
  note(scope.ledger, kind === 'temporary' ? 26 : 30, `${name}: sends files to another machine`)
  if (isEmpty) note(scope.ledger, 66, `${name}: empties a file of another machine`)
  if (/^(system|trust|root|device)$/.test(kind))
    note(scope.ledger, 66, `${name}: writes into the system of another machine`)
  else if (kind === 'outside' && path.startsWith('/')) {
    const isUsed = isServed(path, there)
    const isLive = /prod|live/.test(target.slice(0, target.indexOf(':')))
    const score = isLive || (isUsed && !adds) ? 62 : isUsed ? 50 : adds ? 30 : 45
    note(scope.ledger, score, `${name}: replaces what another machine uses`)
  }
}

/** Made by people, and not again by a build. */
function isOfPeople(path: string, scope: Call['scope']): boolean {
  return !isRemote(path) && !/^(regenerable|temporary|sink)$/.test(targetKind(path, scope))
}

/** A copy that keeps the name is known as a secret as the file itself is; elsewhere nobody asks about it. */
export function leaksSecrets(
  sources: readonly string[],
  target: string | undefined,
  scope: Pick<Call['scope'], 'cwd' | 'own'>,
): boolean {
  return sources.some((source) => {
    if (target === undefined || isRemote(source) || !isPrivate(source, scope)) return false
    const at = source.lastIndexOf('/')
    const name = source.slice(at + 1)
    // All of a folder keeps its names.
    if (/[*?]/.test(name) && !/[a-z\d]/i.test(name) && !(at > 0 && isPrivate(source.slice(0, at), scope))) return false
    const isInto = target.endsWith('/') || /^\.{1,2}$/.test(target) || sources.length > 1
    return isRemote(target) || !namesSecret(known(isInto ? `${target}/${name}` : target), scope.cwd)
  })
}

function isRemote(path: string): boolean {
  const at = path.indexOf(':')
  return at > 1 && !path.slice(0, at).includes('/')
}

function said(scope: Call['scope'], score: number, why: string): Stream {
  note(scope.ledger, score, why)
  return NOTHING
}
