import { act } from './actions.ts'
import { wordSet, words } from './options.ts'
import { known, type Scope } from './scope.ts'
import { targetKind } from './targets.ts'

/** Where a program writes: behind which flags, and at which place among its operands (-1 is the last). */
interface OutputRow {
  readonly flags?: string
  readonly operand?: number
  /** Flags whose next word is no operand. */
  readonly values?: string
  /** Operands before this many are read, so that fewer write nothing. */
  readonly least?: number
}

const FORMATS =
  '-i -f -c -c:v -c:a -vf -af -r -b -b:v -b:a -t -ss -to -quality -resize -geometry -density -s -preset -crf -map -pix_fmt'

/** Programs that write where their words say, and that no other table follows there. */
const ROWS: readonly (readonly [names: string, row: OutputRow])[] = [
  ['xxd uniq pdftotext unifdef', { operand: 1, least: 2, values: '-c -g -l -s -o -n -f -w' }],
  [
    'ffmpeg sox lame convert magick composite montage qpdf wkhtmltopdf objcopy gs rsvg-convert optipng cjpeg',
    { operand: -1, least: 1, values: FORMATS },
  ],
  [
    'sort shuf tree xmllint iconv base64 gcc g++ cc c++ clang clang++ ld rustc go pandoc dot gnuplot asciidoctor cwebp age gpg protoc docker podman nerdctl perf strace ltrace age-keygen',
    { flags: '-o --output --out' },
  ],
  ['split', { operand: 1, least: 2, values: '-b -l -n -a -C -f -k' }],
  ['htpasswd crudini', { operand: 0, least: 1 }],
  ['pg_dump pg_dumpall', { flags: '-f --file' }],
  ['mysqldump', { flags: '-r --result-file' }],
  ['mongodump mongoexport', { flags: '-o --out' }],
  ['yt-dlp youtube-dl', { flags: '-o --output -P' }],
  ['aria2c', { flags: '-o -d --out --dir' }],
  ['tcpdump tshark dumpcap', { flags: '-w' }],
  ['mkcert', { flags: '-key-file -cert-file -p12-file' }],
  ['script', { operand: 0, least: 1, values: '-c -t -T -I -O -B -E -o -m' }],
  ['genisoimage mkisofs xorriso', { flags: '-o -output' }],
]

const OUTPUTS: ReadonlyMap<string, OutputRow> = new Map(
  ROWS.flatMap(([names, row]) => words(names).map((name) => [name, row] as const)),
)

/** Flags that name a file to write in almost every program that has them. */
const USUAL = wordSet(
  '-o -O --output --out --output-file --outfile --output-document --out-file --output-dir --out-dir --outdir --outDir --dest --destination --target-dir --log-file --logfile --report --save --save-to --export --dump-file --pidfile --pid-file -out',
)
/** Programs that judge their own targets, or whose `-o` is something else. */
const OWN = wordSet(
  'rm cp mv scp sftp ssh rsync install ln dd tee sponge curl wget tar zip unzip 7z 7za 7zz mount grep egrep fgrep zgrep ugrep rg ag ack ps set openssl test [ find sed awk sort shuf tree xmllint iconv base64 patch',
)

/** The target decides, whatever program writes: what a row or a usual flag names as output is judged as written to. */
export function judgeOutputs(name: string, args: readonly string[], scope: Scope): void {
  judgeInPlace(name, args, scope)
  const row = OUTPUTS.get(name)
  const flags = row?.flags === undefined ? USUAL : wordSet(row.flags)
  if (row || !OWN.has(name))
    for (const [at, arg] of args.entries()) {
      const plain = known(arg)
      const cut = plain.startsWith('--') ? plain.indexOf('=') : -1
      const path =
        cut > 0 && flags.has(plain.slice(0, cut))
          ? plain.slice(cut + 1)
          : flags.has(plain)
            ? args[at + 1]
            : row && flags.has('-o') && /^-o[/~.]/.test(plain)
              ? plain.slice(2)
              : undefined
      // The letter alone means something else in some programs that no row here names.
      if (path !== undefined && isAway(path)) act(scope, name, 'write', path, row || plain.length > 2 ? 0 : LESS)
    }
  if (row?.operand === undefined) return
  const takes = wordSet(row.values ?? '')
  const operands = args.filter((arg, at) => !arg.startsWith('-') && !takes.has(args[at - 1] ?? ''))
  const target = operands.length < (row.least ?? 1) ? undefined : operands.at(row.operand)
  if (target !== undefined) act(scope, name, 'write', target)
}

/** Programs that change the files that they are given, by the order that says so. */
const EDITS: ReadonlyMap<string, RegExp> = new Map([
  ['sd', /^/],
  ['dasel', /^(put|delete)$/],
  ['plutil', /^-(replace|insert|remove|convert)$/],
])
/** In these `-i` and `-w` are something else: what is looked for, a key, a terminal, a column, a workspace. */
const OTHER_SWITCHES = wordSet(
  `ls dir vdir exa eza cat bat less more grep egrep fgrep rgrep zgrep ugrep rg ag ack diff diff3 sdiff cmp colordiff
  delta wdiff wc nl od hexdump xxd strings file stat sort uniq comm join column fold fmt pr cut base64 base32 jq fx lsof ps env ssh scp
  sftp ssh-add ssh-keygen ssh-copy-id rsync docker podman nerdctl kubectl oc git gh curl wget http https npm pnpm yarn
  go rm cp mv ln install find ansible ansible-playbook gcc g++ cc clang ping socat nc iptables dig python python3 ipython
  bash sh zsh fish test [ sed gsed awk gawk perl ruby unzip zip tar aws gcloud az terraform mount mkdir`,
)
const SHORT_SWITCH = /^-(?!-|list$|in$)[a-zA-Z\d]{0,4}(?:i(?:\..*|[a-zA-Z]{1,2})?|w|I)$/
const LONG_SWITCH = /^--(in-?p[lace]*|in_place|write|fix|overwrite|edit-in-place|apply|unsafe)(=.*)?$/

/** A file that others trust, given to whatever changes files in place, is written. */
function judgeInPlace(name: string, args: readonly string[], scope: Scope): void {
  const edits =
    args.some((arg) => EDITS.get(name)?.test(arg)) ||
    args.some((arg) => LONG_SWITCH.test(arg) || (SHORT_SWITCH.test(arg) && !OTHER_SWITCHES.has(name)))
  if (!edits) return
  for (const arg of args) if (isPath(arg) && targetKind(arg, scope) === 'trust') act(scope, name, 'write', arg)
}

/** And no expression such as `.a.*`, nor one that replaces text. */
function isPath(arg: string): boolean {
  return /^[^-\s=]\S*$/.test(arg) && !/^[sy]\//.test(arg) && (arg.includes('/') || !/[*?[{]/.test(arg))
}

/** Still a question. */
const LESS = -8

/** Only a path that leads out of the project can be more than what the program itself is worth. */
function isAway(path: string): boolean {
  return /^(\/|~|\.\.\/|[A-Za-z]:|\.(git|ssh|claude|vscode|husky|cursor|npmrc|envrc|mcp)\b)|mcpaql|node_modules\/\.bin/.test(
    path,
  )
}
