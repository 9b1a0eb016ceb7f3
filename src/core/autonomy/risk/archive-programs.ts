import { namesSecret } from '../secret-places.ts'
import { act } from './actions.ts'
import { firstOf } from './budget.ts'
import { runSource } from './builtins.ts'
import { judgeWholeFolders } from './file-programs.ts'
import { note } from './ledger.ts'
import { has, optionValue, splitOptions, wordSet, words } from './options.ts'
import type { Call, Programs } from './program.ts'
import { isStdin, readFile } from './redirects.ts'
import { ANYTHING, known, NOTHING, type Stream } from './scope.ts'
import { withoutAddresses } from './sed-script.ts'
import { resolvePath, targetKind } from './targets.ts'

/** Archives and editors: what they write, and what they run. */
export const ARCHIVE_PROGRAMS: Programs = [
  ...words('tar bsdtar gtar').map((name) => [name, tar] as const),
  ...words('unzip unrar unar').map((name) => [name, unpack] as const),
  ...words('7z 7za 7zz 7zr').map((name) => [name, sevenZip] as const),
  ...words('zip').map((name) => [name, zip] as const),
  ...words(
    'gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 lzma lzop compress uncompress pigz pbzip2 lbzip2 pxz pixz plzip lzip brotli',
  ).map((name) => [name, squeeze] as const),
  ...words('cpio ar pax').map((name) => [name, pack] as const),
  ...words('vim vi nvim ex view emacs nano pico micro code codium subl gedit kate').map(
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
  judgeListedOptions(optionValue(options, '-T', '--files-from'), call)
  const action = optionValue(options, '--checkpoint-action')
  if (action?.startsWith('exec=')) runSource(action.slice(5), call)
  if (
    has(options, '-t', '--list') &&
    !has(options, '-x', '-c', '-r', '-u', '-A', '--extract', '--get', '--create', '--delete')
  )
    return said(scope, 8, `${name}: lists an archive`)
  if (has(options, '--remove-files')) note(scope.ledger, 66, `${name}: deletes what it packed`)
  if (has(options, '--delete')) note(scope.ledger, 62, `${name}: deletes from an archive`)
  if (has(options, '-x', '--extract', '--get')) {
    if (has(options, '-O', '--to-stdout')) return ANYTHING
    const isForced = has(options, '--overwrite', '--recursive-unlink', '--unlink-first', '-U')
    act(
      scope,
      name,
      'unpack',
      optionValue(options, '-C', '--directory') ?? '.',
      isForced ? forced(optionValue(options, '-C', '--directory') ?? '.', scope) : 0,
    )
    // Only these come out of it.
    for (const path of options.operands) {
      const place = resolvePath(path, resolvePath(optionValue(options, '-C', '--directory') ?? '.', scope.cwd))
      if (targetKind(place, scope) === 'trust') act(scope, name, 'unpack', place)
    }
    if (has(options, '-P', '--absolute-names')) note(scope.ledger, 45, `${name}: unpacks to absolute paths`)
    return NOTHING
  }
  const file = optionValue(options, '-f', '--file') ?? words.find((word) => /\.(tar|tgz|tbz2?|txz)(\.\w+)?$/.test(word))
  const folder = resolvePath(optionValue(options, '-C', '--directory') ?? '.', scope.cwd)
  judgePacked(
    options.operands.map((path) => (/^[~/]/.test(path) ? path : resolvePath(path, folder))),
    call,
  )
  note(scope.ledger, 20, `${name}: packs files`)
  if (file !== undefined && file !== '-') act(scope, name, 'add', file)
  return stdin.kind === 'download' ? stdin : ANYTHING
}

/** In a list of files a line that begins like an option is one. */
function judgeListedOptions(list: string | undefined, { name, args, scope, stdin }: Call): void {
  if (list === undefined || args.some((arg) => arg.startsWith('--verbatim'))) return
  const stream = isStdin(list) ? stdin : readFile(list, scope)
  if (stream.kind === 'download') note(scope.ledger, 45, `${name}: takes options from what was just downloaded`)
  if (stream.kind !== 'text') return
  const lines = stream.text.split('\n').map((line) => line.trim())
  const given = firstOf(
    lines.filter((line) => line.startsWith('-') && !line.startsWith('-T')),
    32,
    scope.budget,
  )
  if (given.length > 0)
    scope.runWords(
      [name, '-c', ...given.flatMap((line) => (line.startsWith('--') ? [line] : words(line)))],
      scope,
      NOTHING,
    )
}

/** What lies in an archive is read by whoever opens it, under a name that says nothing of it. */
function judgePacked(sources: readonly string[], call: Pick<Call, 'name' | 'scope'>): void {
  const { name, scope } = call
  if (sources.some((path) => namesSecret(known(path), scope.cwd)))
    note(scope.ledger, 62, `${name}: packs files that hold secrets`)
  judgeWholeFolders(sources, call, 'packs')
}

/** Replacing without a question is more only where others keep their files. */
function forced(folder: string, scope: Call['scope']): number {
  return targetKind(folder, scope) === 'outside' ? 18 : 0
}

/** `7z x -oFOLDER`: its letters are words, and its flags have their values in them. */
function sevenZip({ name, args, scope }: Call): Stream | undefined {
  const [verb = ''] = args
  const folder = args.find((arg) => /^-o./.test(arg))?.slice(2) ?? '.'
  if (/^(l|t|h|i|b)$/.test(verb) || args.length === 0) return said(scope, 8, `${name}: lists an archive`)
  if (args.some((arg) => arg.toLowerCase() === '-sdel')) note(scope.ledger, 66, `${name}: deletes what it packed`)
  if (verb === 'd') return said(scope, 62, `${name}: deletes from an archive`)
  if (verb === 'x' || verb === 'e')
    act(scope, name, 'unpack', folder, args.includes('-aoa') || args.includes('-y') ? forced(folder, scope) : 0)
  else {
    const [archive = '', ...sources] = args.slice(1).filter((arg) => !arg.startsWith('-'))
    judgePacked(sources, { name, scope })
    act(scope, name, 'add', archive)
  }
  return NOTHING
}

function unpack({ name, args, scope }: Call): Stream | undefined {
  const options = splitOptions(args, wordSet('-d -x -P'))
  if (has(options, '-l', '-t', '-Z', '-v') || args[0] === 'l' || args[0] === 't')
    return said(scope, 8, `${name}: lists an archive`)
  if (has(options, '-p')) return ANYTHING
  if (args[0] === 'd') return said(scope, 62, `${name}: deletes from an archive`)
  act(
    scope,
    name,
    'unpack',
    optionValue(options, '-d') ?? '.',
    has(options, '-o') ? forced(optionValue(options, '-d') ?? '.', scope) : 0,
  )
  return NOTHING
}

function zip(call: Call): Stream | undefined {
  const { args, scope } = call
  const at = args.findIndex((arg) => arg === '-TT' || arg === '--unzip-command')
  if (at >= 0) runSource(args[at + 1] ?? '', call)
  const left = args.findIndex((arg) => /^(-x|--exclude)$/.test(arg))
  const given = (left < 0 ? args : args.slice(0, left)).filter((arg) => !/^-./.test(arg))
  if (!has(splitOptions(args), '-d', '--delete')) judgePacked(given.slice(1), call)
  note(
    scope.ledger,
    has(splitOptions(args), '-d', '--delete')
      ? 62
      : has(splitOptions(args), '-m', '--move')
        ? scope.chosen?.isChosen
          ? 45
          : 62
        : 20,
    'zip: packs files',
  )
  return NOTHING
}

/** `cpio -p FOLDER`, `pax -rw … FOLDER`: copies to the last word; the others work in the folder or on the archive. */
function pack({ name, args, scope }: Call): Stream | undefined {
  const options = splitOptions(args, wordSet('-F -I -O -D -f -E -H'))
  if (scope.seen.handedOn && has(options, '-o', '-p', '-w', '--create', '--pass-through'))
    note(scope.ledger, 45, `${name}: packs a folder below which secrets lie`)
  const last = options.operands.at(-1)
  if (last !== undefined && /^[/~.]/.test(last)) act(scope, name, 'unpack', last)
  const folder = optionValue(options, '-D', '--directory')
  if (folder !== undefined) act(scope, name, 'unpack', folder)
  return said(scope, 24, `${name}: packs or unpacks`)
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

/** Flags of editors whose value is an order, and those whose value is a file of orders. */
const ORDER_FLAG = /^(-[a-zA-Z]*c|--cmd|--eval|-eval|-f|--funcall|--execute)$/
const SCRIPT_FLAG = /^(-S|-s|-u|-U|-l|-load|--load|--script|-script|-q|--rcfile)$/
const BATCH = /^(-(?=[a-zA-Z]*[es])[a-zA-Z]*|--headless|--batch|-batch|--script)$/

/** `vim -c ':!rm'`, `-es`, `+…`: an order may leave the editor, delete, or write what is open. */
function editor(call: Call): Stream | undefined {
  const { name, args, scope, stdin } = call
  const orders = args.flatMap((arg, i) =>
    ORDER_FLAG.test(args[i - 1] ?? '')
      ? [arg]
      : arg.startsWith('+')
        ? [arg.slice(1)]
        : arg.startsWith('--eval=')
          ? [arg.slice(7)]
          : [],
  )
  if (stdin.kind === 'text' && args.some((arg) => BATCH.test(arg) || arg === '-'))
    orders.push(...stdin.text.split('\n').slice(0, 32))
  // `+10` and `+/word` only say where to begin.
  const given = orders.filter((order) => !/^(\d*|\/[^|]*|normal [^:!]*)$/.test(order))
  for (const order of given) judgeOrder(order, call)
  if (given.some((order) => WRITES_OUT.test(order)))
    for (const file of args.filter((arg, i) => !/^[-+]/.test(arg) && !ORDER_FLAG.test(args[i - 1] ?? '')))
      act(scope, name, given.some((order) => /^:?%?d|%d\b|delete/.test(order)) ? 'overwrite' : 'write', file)
  for (const [i, arg] of args.entries()) {
    if (!SCRIPT_FLAG.test(args[i - 1] ?? '') || arg.startsWith('-') || /^(NONE|NORC|DEFAULTS)$/.test(arg)) continue
    const kind = targetKind(arg, scope)
    note(scope.ledger, kind === 'project' || kind === 'trust' ? 45 : 62, `${name}: takes its orders from a file`)
  }
  if (/^(code|cursor|codium|subl)$/.test(name)) extensions(call)
  return said(scope, name === 'view' ? 10 : 24, `${name}: opens files`)
}

const WRITES_OUT = /(^|[|:\s])(wq?a?|x|xa|wqall|update|save-buffer|write-file|save-buffers-kill\S*)!?\b/

function judgeOrder(order: string, call: Call): void {
  const { name, scope } = call
  note(scope.ledger, 34, `${name}: runs an order`)
  const shell = order.indexOf('!')
  if (shell >= 0 && !/^:?(q|wq|x|w|qa|wqa)!$/.test(order)) runSource(order.slice(shell + 1), call)
  for (const text of order.split('"').filter((_, at) => at % 2 === 1))
    if (/system|shell-command|call-process|jobstart|io\.popen|os\.execute/.test(order)) runSource(text, call)
  for (const text of order.split("'").filter((_, at) => at % 2 === 1))
    if (/system|delete|execute|popen/.test(order)) runSource(text, call)
  if (/delete-(file|directory)|:?call delete|os\.remove/.test(order)) note(scope.ledger, 66, `${name}: deletes files`)
  for (const piece of firstOf(order.split(/[|\r\n]|<CR>|\^M/i), 16, scope.budget)) {
    const bare = withoutAddresses(piece.trim().replace(SILENTLY, ''))
    const [, target] = /^(?:w|wr\w*|wq|sav\w*|up\w*|x|xit|exi\w*|redi\w*)!?(?:\s+|\s*>>?\s*)(\S+)\s*$/.exec(bare) ?? []
    if (target !== undefined && !/^[!>]/.test(target)) act(scope, name, 'write', target)
  }
  if (/writefile/.test(order))
    for (const path of firstOf(order.split(/["']/), 16, scope.budget).filter((text) => /^[/~.]/.test(text)))
      act(scope, name, 'write', path)
  if (/^:?(so(urce)?|luafile|pyfile|rubyfile|runtime)\b/.test(order))
    note(scope.ledger, 62, `${name}: takes its orders from a file`)
}

/** Words before an order that only say how. */
const SILENTLY = /^:?\s?(?:(?:silent|sil|noautocmd|noa|keepalt|keeppatterns|normal|norm|execute|exe)!?[ "':]{1,4})+/

/** Extensions are programs that the editor runs from now on. */
function extensions({ name, args, scope }: Call): void {
  for (const [at, arg] of args.entries()) {
    const given = arg === '--install-extension' ? args[at + 1] : /^--install-extension=(.*)$/.exec(arg)?.[1]
    if (given !== undefined) note(scope.ledger, /[/\\]|\.vsix$/.test(given) ? 64 : 48, `${name}: installs an extension`)
    if (arg === '--uninstall-extension') note(scope.ledger, 40, `${name}: removes an extension`)
  }
}

function said(scope: Call['scope'], score: number, why: string): undefined {
  note(scope.ledger, score, why)
  return undefined
}
