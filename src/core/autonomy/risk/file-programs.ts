import { type Action, act } from './actions.ts'
import { firstOf } from './budget.ts'
import { note } from './ledger.ts'
import { has, optionValue, splitOptions, wordSet, words } from './options.ts'
import type { Call, Program, Programs } from './program.ts'
import { keepIn, readFile } from './redirects.ts'
import { ANYTHING, isUnknown, NOTHING, type Stream } from './scope.ts'
import { isSecretFile, resolvePath, targetKind } from './targets.ts'

/** Programs that change files and folders. */
export const FILE_PROGRAMS: Programs = [
  ['rm', remove],
  ['grm', remove],
  ['unlink', onOperands('deleteFile')],
  ['rmdir', onOperands('deleteFile', -20)],
  ['trash', onOperands('deleteFile', -10)],
  ['trash-put', onOperands('deleteFile', -10)],
  ['rimraf', onOperands('deleteTree')],
  ['del-cli', onOperands('deleteTree')],
  ['shred', onOperands('destroy', 0, '-n -s --iterations --size')],
  ['srm', onOperands('destroy')],
  ['wipe', onOperands('destroy')],
  ['wipefs', whenFlag('-a --all -o --offset', 'destroy')],
  ['blkdiscard', onOperands('destroy')],
  ['truncate', onOperands('overwrite', 5, '-s -r --size --reference')],
  ['fallocate', onOperands('write', 0, '-l -o --length --offset')],
  ['mv', move],
  ['gmv', move],
  ['cp', copy],
  ['gcp', copy],
  ['install', copy],
  ['scp', copy],
  ['ditto', copy],
  ['ln', link],
  [
    'rename',
    ({ scope, args }) =>
      said(scope, has(splitOptions(args), '-n', '--no-act', '--dry-run') ? 10 : 30, 'rename: renames files'),
  ],
  ['mmv', ({ scope }) => said(scope, 34, 'mmv: renames files')],
  ['mkdir', onOperands('create', 0, '-m --mode')],
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
  ['patch', ({ scope }) => said(scope, 28, 'patch: changes files')],
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
  if (has(options, '--help', '--version')) return said(scope, 6, `${name}: shows its help`)
  const isTree = has(options, '-r', '-R', '--recursive')
  if (options.flags.some((flag) => FORCED.has(flag))) note(scope.ledger, 97, `${name}: without the guard of the root`)
  if (operands.length === 0) return said(scope, isTree ? 62 : 35, `${name}: deletes what is not in the text`)
  const asks = has(options, '-i', '--interactive') && !isTree && !has(options, '-f', '--force')
  const isForced = has(options, '-f', '--force')
  const action = isTree ? (isForced ? 'deleteTree' : 'deleteTreeAsking') : 'deleteFile'
  // Beside other output that can be made again, `build` is what it says; alone it may be written by hand.
  const isTidying = operands.some((operand) => targetKind(operand, scope) === 'regenerable')
  for (const operand of operands)
    act(scope, name, action, isTidying && /^(\.\/)?build\/?$/.test(operand) ? 'node_modules' : operand, asks ? -16 : 0)
  return NOTHING
}

function onOperands(action: Action, raise = 0, valued = ''): Program {
  const values = wordSet(valued)
  return ({ name, args, scope }) => {
    const { operands, flags } = splitOptions(args, values)
    if (flags.includes('--help') || flags.includes('--version')) return said(scope, 6, `${name}: shows its help`)
    note(scope.ledger, 12, `${name}: works on files`)
    for (const operand of operands) act(scope, name, action, operand, raise)
    return NOTHING
  }
}

/** Without one of the flags it only looks. */
function whenFlag(flags: string, action: Action): Program {
  return (call) =>
    has(splitOptions(call.args), ...words(flags))
      ? onOperands(action)(call)
      : said(call.scope, 10, `${call.name}: looks`)
}

const COPY_VALUES = wordSet('-t -S -m -o -g -P -i -F -J -l --target-directory --suffix --mode --owner --group')

function copy(call: Call): Stream {
  const { name, args, scope } = call
  const options = splitOptions(args, COPY_VALUES)
  const into = optionValue(options, '-t', '--target-directory')
  const target = into ?? (options.operands.length > 1 ? options.operands.at(-1) : undefined)
  const sources = into === undefined ? options.operands.slice(0, -1) : options.operands
  note(scope.ledger, 16, `${name}: copies files`)
  if (name === 'install' && options.operands.length < 2 && into === undefined)
    return said(scope, 35, 'install: what it installs is not said')
  if (target !== undefined && isRemote(target)) judgeRemote(target, scope, name)
  if (target !== undefined && isRemote(target)) note(scope.ledger, 30, `${name}: sends files to another machine`)
  else if (target !== undefined)
    act(
      scope,
      name,
      sources.every((source) => /^\/dev\/(null|zero|u?random)$/.test(source)) && sources.length > 0
        ? 'overwrite'
        : 'write',
      target,
    )
  if (sources.some(isSecretFile)) note(scope.ledger, 62, `${name}: copies a file that holds secrets`)
  const [source] = sources
  keepName(source, target, scope)
  if (source !== undefined && target !== undefined && !isRemote(source))
    keepIn(resolvePath(target, scope.cwd), scope.files.get(resolvePath(source, scope.cwd)) ?? NOTHING, scope)
  return NOTHING
}

function move(call: Call): Stream {
  const { name, args, scope } = call
  const options = splitOptions(args, COPY_VALUES)
  const into = optionValue(options, '-t', '--target-directory')
  const sources = into === undefined && options.operands.length > 1 ? options.operands.slice(0, -1) : options.operands
  const target = into ?? options.operands.at(-1) ?? ''
  note(scope.ledger, 20, `${name}: moves files`)
  const isLost =
    target === '/dev/null' ||
    (targetKind(target, scope) === 'temporary' &&
      sources.some((source) => targetKind(source, scope) !== 'temporary' && targetKind(source, scope) !== 'project'))
  for (const source of sources) act(scope, name, target === '/dev/null' || isLost ? 'deleteTree' : 'moveAway', source)
  act(scope, name, 'write', target)
  const [source] = sources
  if (source !== undefined)
    keepIn(resolvePath(target, scope.cwd), scope.files.get(resolvePath(source, scope.cwd)) ?? NOTHING, scope)
  return NOTHING
}

function link({ name, args, scope }: Call): Stream {
  const options = splitOptions(args, COPY_VALUES)
  note(scope.ledger, 16, `${name}: makes a link`)
  if (options.operands.length === 2) keepName(options.operands[0], options.operands[1], scope)
  if (options.operands.length > 1)
    act(scope, name, 'link', options.operands.at(-1) ?? '', has(options, '-f', '--force') ? 4 : 0)
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
  const targets = has(options, '--reference') || name === 'setfacl' || name === 'chattr' ? options.operands : rest
  const isTight = name === 'chmod' && (/^0?[4-7]00$/.test(mode) || /^(go|g|o)(-\w+|=)$/.test(mode))
  note(scope.ledger, 15, `${name}: changes modes or owners`)
  const isOpen =
    name === 'chmod' &&
    (/^[0-7]?[0-7]?[0-7][2367]$/.test(mode) ||
      /[ao]*\+[rxst]*w/.test(mode.replace(/^u\+.*$|^g\+.*$/, '')) ||
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
      isTight && isSecretFile(target) ? -40 : isDeep(target, scope) ? -32 : 0,
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
  const kind = act(scope, 'dd', 'overwrite', target, -6)
  if (kind === 'device') note(scope.ledger, 96, 'dd: overwrites a device')
  const source = args.find((arg) => arg.startsWith('if='))?.slice(3)
  keepIn(resolvePath(target, scope.cwd), source === undefined ? stdin : readFile(source, scope), scope)
  return NOTHING
}

/** A program under another name is still that program. */
function keepName(source: string | undefined, target: string | undefined, scope: Call['scope']): void {
  if (source === undefined || target === undefined || scope.aliases.size >= 64) return
  if (/^(\/usr(\/local)?)?\/s?bin\/[\w.-]+$/.test(source) && !isUnknown(target)) scope.aliases.set(target, source)
}

/** Its orders come from its input; a line that begins with `!` is run. */
function lineEditor({ name, scope, stdin }: Call): Stream {
  const lines = stdin.kind === 'text' ? stdin.text.split('\n') : []
  for (const line of firstOf(lines, 64, scope.budget)) {
    const order = /^[\d,$%.]*(?:[rwe] *)?!(.*)$/.exec(line.trim())?.[1]
    if (order !== undefined) scope.runText(order, scope, NOTHING)
  }
  return said(scope, stdin.kind === 'none' ? 35 : 50, `${name}: changes files`)
}

function rsync({ name, args, scope }: Call): Stream {
  const options = splitOptions(
    args,
    wordSet(
      '-e -f -T -B -M --rsh --exclude --include --files-from --exclude-from --bwlimit --port --timeout --rsync-path',
    ),
  )
  if (has(options, '-n', '--dry-run') || has(options, '--list-only', '--version', '--help'))
    return said(scope, 12, `${name}: a rehearsal`)
  const shell = optionValue(options, '-e', '--rsh')
  if (shell?.includes(' ')) scope.runText(shell, scope, NOTHING)
  const target = options.operands.length > 1 ? (options.operands.at(-1) ?? '') : ''
  const sources = options.operands.slice(0, -1)
  note(scope.ledger, 22, `${name}: copies files`)
  if (options.flags.some((flag) => flag.startsWith('--del')))
    note(scope.ledger, 68, `${name}: deletes what the source does not have`)
  if (has(options, '--remove-source-files', '--remove-sent-files'))
    note(scope.ledger, 62, `${name}: deletes the source`)
  if (isRemote(target)) note(scope.ledger, 30, `${name}: sends files to another machine`)
  else if (target !== '') act(scope, name, 'write', target)
  if (sources.some(isSecretFile)) note(scope.ledger, 66, `${name}: copies a file that holds secrets`)
  return NOTHING
}

/** A path on another machine: its own system trees are as grave there. */
function judgeRemote(target: string, scope: Call['scope'], name: string): void {
  const kind = targetKind(target.slice(target.indexOf(':') + 1), scope)
  if (kind === 'system' || kind === 'trust' || kind === 'root')
    note(scope.ledger, 66, `${name}: writes into the system of another machine`)
}

function isRemote(path: string): boolean {
  const at = path.indexOf(':')
  return at > 1 && !path.slice(0, at).includes('/')
}

function said(scope: Call['scope'], score: number, why: string): Stream {
  note(scope.ledger, score, why)
  return NOTHING
}
