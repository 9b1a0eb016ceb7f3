import { act } from './actions.ts'
import { runSource } from './builtins.ts'
import { note } from './ledger.ts'
import { has, optionValue, splitOptions, wordSet, words } from './options.ts'
import type { Call, Programs } from './program.ts'
import { ANYTHING, NOTHING, type Stream } from './scope.ts'
import { isSecretFile } from './targets.ts'

/** Archives and editors: what they write, and what they run. */
export const ARCHIVE_PROGRAMS: Programs = [
  ...words('tar bsdtar gtar').map((name) => [name, tar] as const),
  ...words('unzip 7z 7za 7zz unrar unar').map((name) => [name, unpack] as const),
  ...words('zip').map((name) => [name, zip] as const),
  ...words(
    'gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 lzma lzop compress uncompress pigz pbzip2 lbzip2 pxz pixz plzip lzip brotli',
  ).map((name) => [name, squeeze] as const),
  ...words('cpio ar pax').map(
    (name) => [name, ({ scope }: Call) => said(scope, 24, `${name}: packs or unpacks`)] as const,
  ),
  ...words('vim vi nvim ex view emacs nano pico micro ed-lines code subl gedit kate').map(
    (name) => [name, editor] as const,
  ),
]

function tar(call: Call): Stream | undefined {
  const { name, args, scope, stdin } = call
  const [first = '', ...rest] = args
  const words = /^[a-zA-Z]+$/.test(first) ? [`-${first}`, ...rest] : args
  const options = splitOptions(
    words,
    wordSet(
      '-f --file -C --directory -T --files-from -X --exclude -I --use-compress-program --checkpoint-action --to-command --transform -F --info-script',
    ),
  )
  const shells = [
    ...words.flatMap(
      (arg) =>
        /^--(checkpoint-action=exec=|to-command=|use-compress-program=|info-script=|new-volume-script=|rsh-command=)(.*)$/s.exec(
          arg,
        )?.[2] ?? [],
    ),
    optionValue(options, '-I', '-F') ?? '',
  ]
  for (const text of shells) if (text !== '') runSource(text.replace(/^exec=/, ''), call)
  const action = optionValue(options, '--checkpoint-action')
  if (action?.startsWith('exec=')) runSource(action.slice(5), call)
  if (has(options, '-t', '--list')) return said(scope, 8, `${name}: lists an archive`)
  if (has(options, '--remove-files')) note(scope.ledger, 66, `${name}: deletes what it packed`)
  if (has(options, '--delete')) note(scope.ledger, 62, `${name}: deletes from an archive`)
  if (has(options, '-x', '--extract', '--get')) {
    if (has(options, '-O', '--to-stdout')) return ANYTHING
    act(scope, name, 'unpack', optionValue(options, '-C', '--directory') ?? '.')
    if (has(options, '-P', '--absolute-names')) note(scope.ledger, 45, `${name}: unpacks to absolute paths`)
    return NOTHING
  }
  const file = optionValue(options, '-f', '--file') ?? words.find((word) => /\.(tar|tgz|tbz2?|txz)(\.\w+)?$/.test(word))
  if (options.operands.some(isSecretFile)) note(scope.ledger, 62, `${name}: packs files that hold secrets`)
  note(scope.ledger, 20, `${name}: packs files`)
  if (file !== undefined && file !== '-') act(scope, name, 'write', file)
  return stdin.kind === 'download' ? stdin : ANYTHING
}

function unpack({ name, args, scope }: Call): Stream | undefined {
  const options = splitOptions(args, wordSet('-d -x -P'))
  if (has(options, '-l', '-t', '-Z', '-v') || args[0] === 'l' || args[0] === 't')
    return said(scope, 8, `${name}: lists an archive`)
  if (has(options, '-p')) return ANYTHING
  if (args[0] === 'd') return said(scope, 62, `${name}: deletes from an archive`)
  act(scope, name, 'unpack', optionValue(options, '-d') ?? '.')
  return NOTHING
}

function zip(call: Call): Stream | undefined {
  const { args, scope } = call
  const at = args.findIndex((arg) => arg === '-TT' || arg === '--unzip-command')
  if (at >= 0) runSource(args[at + 1] ?? '', call)
  note(
    scope.ledger,
    has(splitOptions(args), '-d', '--delete') ? 62 : has(splitOptions(args), '-m', '--move') ? 45 : 20,
    'zip: packs files',
  )
  return NOTHING
}

/** The original is replaced by the packed or unpacked file. */
function squeeze({ name, args, scope, stdin }: Call): Stream | undefined {
  const options = splitOptions(args, wordSet('-S -o'))
  if (has(options, '-l', '--list', '-t', '--test', '-c', '--stdout', '--to-stdout') || options.operands.length === 0) {
    note(scope.ledger, 10, `${name}: packs or unpacks to its output`)
    return stdin.kind === 'download' ? stdin : ANYTHING
  }
  for (const file of options.operands) act(scope, name, 'write', file)
  return NOTHING
}

/** `vim -c ':!rm'`, `-es`, `+…`. */
function editor(call: Call): Stream | undefined {
  const { name, args, scope } = call
  for (const [i, arg] of args.entries()) {
    const order =
      arg === '-c' || arg === '--cmd' || arg === '--eval' ? args[i + 1] : arg.startsWith('+') ? arg.slice(1) : undefined
    // `+10` and `+/word` only say where to begin.
    if (order === undefined || /^(\d*|\/[^|]*)$/.test(order)) continue
    note(scope.ledger, 34, `${name}: runs an order`)
    const shell = order.indexOf('!')
    if (shell >= 0 && !/^:?(q|wq|x|w|qa|wqa)!$/.test(order)) runSource(order.slice(shell + 1), call)
    for (const text of order.split('"').filter((_, at) => at % 2 === 1))
      if (/system|shell-command|call-process/.test(order)) runSource(text, call)
    for (const text of order.split("'").filter((_, at) => at % 2 === 1))
      if (/system|delete/.test(order)) runSource(text, call)
    if (/delete-(file|directory)|:?call delete/.test(order)) note(scope.ledger, 66, `${name}: deletes files`)
  }
  return said(scope, name === 'view' ? 10 : 24, `${name}: opens files`)
}

function said(scope: Call['scope'], score: number, why: string): undefined {
  note(scope.ledger, score, why)
  return undefined
}
