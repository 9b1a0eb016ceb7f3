import { onlyPretends, onlyTellsOfOrder } from './only-pretends.ts'
import { wordSet, words } from './options.ts'
import { known } from './scope.ts'

/** Which orders of a program copy, and how it writes a place that is not this machine. */
interface CopyRow {
  readonly orders: RegExp
  readonly remote: RegExp
  /** Where `-n` only says what would be copied. */
  readonly rehearses?: boolean
}

const BUCKET = /^(s3|gs|oss|cos|az|b2):\/\//
const ROWS: readonly (readonly [names: string, row: CopyRow])[] = [
  ['aws awslocal', { orders: /\bs3 (cp|sync|mv)\b/, remote: BUCKET }],
  ['gsutil', { orders: /\b(cp|rsync|mv)\b/, remote: BUCKET, rehearses: true }],
  ['gcloud', { orders: /\bstorage (cp|rsync|mv)\b/, remote: BUCKET }],
  ['s3cmd s5cmd ossutil', { orders: /\b(put|cp|sync|mv)\b/, remote: BUCKET, rehearses: true }],
  ['skopeo', { orders: /^copy\b/, remote: /^docker:\/\// }],
  ['b2', { orders: /\bsync\b/, remote: BUCKET }],
  ['azcopy', { orders: /^(copy|cp|c|sync)\b/, remote: /^https?:/ }],
  ['rclone', { orders: /^(copy|copyto|sync|move|moveto|bisync)\b/, remote: /^:?[\w-]{2}[\w,=.-]*:/, rehearses: true }],
  // An alias looks like a folder: what does not start as a path of this machine is one.
  ['mc minio-client', { orders: /^(cp|mirror|mv|put)\b/, remote: /^(?![./~])[\w.-]+\// }],
]

const COPIES: ReadonlyMap<string, CopyRow> = new Map(
  ROWS.flatMap(([names, row]) => words(names).map((name) => [name, row] as const)),
)

/** Programs whose order alone says that something leaves this machine. */
const SENDS: ReadonlyMap<string, RegExp> = new Map([
  ['az', /\bstorage (blob|file|fs \w+|directory) upload(-batch)?\b/],
  ['b2', /\b(upload-file|file upload)\b/],
  ['gdrive', /\bupload\b/],
  ['rclone', /^rcat\b/],
])

/** True for a copy from this machine to where others may keep or read it; what is fetched is not one. */
export function sendsOut(name: string, args: readonly string[]): boolean {
  const row = COPIES.get(name)
  const orders = SENDS.get(name)
  if (!row && !orders) return false
  const plain = args.map(known)
  const text = plain.join(' ')
  const sends = orders?.test(text) === true || (row?.orders.test(text) === true && isUpload(plain, row.remote))
  if (!sends || onlyPretends(args) || onlyTellsOfOrder(args)) return false
  return !(row?.rehearses === true && onlyPretends(args, { names: '-n', switches: 'mrvP' }))
}

/** A word of this machine, and behind it the first one of another. */
function isUpload(plain: readonly string[], remote: RegExp): boolean {
  const from = plain.findIndex((arg) => ORDERS.has(arg)) + 1
  const operands = plain.filter(
    (arg, at) => at >= from && (!arg.startsWith('-') || arg === '-') && !takesNext(plain[at - 1] ?? ''),
  )
  return operands.findIndex((arg) => remote.test(arg)) > 0
}

const ORDERS = wordSet('cp copy copyto c sync rsync mv move moveto bisync mirror put')

function takesNext(before: string): boolean {
  return before.startsWith('--') && !before.includes('=') && !SWITCHES.has(before) && !before.startsWith('--no-')
}

/** Options of these programs that take no value. */
const SWITCHES = wordSet(
  `--recursive --delete --quiet --only-show-errors --follow-symlinks --dryrun --exact-timestamps --size-only --force --progress -P --verbose --interactive
  --checksum --update --ignore-existing --fast-list --skip-existing --overwrite --remove --watch --delete-unmatched-destination-objects --continue-on-error`,
)
