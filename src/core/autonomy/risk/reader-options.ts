import { act } from './actions.ts'
import { note } from './ledger.ts'
import { wordSet, words } from './options.ts'
import { PLAIN_READERS } from './plain-readers.ts'
import { fileScore } from './run-file.ts'
import { isUnknown, type Scope } from './scope.ts'
import { targetKind } from './targets.ts'

/**
 * A reader with an option that no table knows may write where its words say, and load what they name. Only what others
 * trust, and what lies outside of the project, is judged so: of the rest it loses nothing that reading would not.
 */
export function judgeReaderOptions(name: string, args: readonly string[], scope: Scope): void {
  if (PLAIN_READERS.has(name)) return
  const unknown = args.filter((arg) => isOption(arg) && !isKnown(name, arg))
  for (const arg of unknown) {
    const [, flag = '', value = ''] = /^(--?[\w-]+)=(.*)$/s.exec(arg) ?? []
    if (WRITES.test(flag)) act(scope, name, 'write', value)
    else if (isAway(value, scope))
      note(scope.ledger, fileScore(value, scope), `${name}: ${flag} names a file from outside`)
  }
  for (const arg of args) {
    const isNamed = /^[a-z]{2,20}:(?!\/\/)/.test(arg)
    if (unknown.length === 0 && !isNamed) continue
    for (const path of pathsIn(arg, isNamed)) {
      if (isTrustedFile(path, scope)) act(scope, name, 'write', path)
      if (isNamed && isAway(path, scope))
        note(scope.ledger, fileScore(path, scope), `${name}: takes a file from outside`)
    }
  }
}

function isOption(arg: string): boolean {
  return /^--?[A-Za-z]/.test(arg)
}

/** A long name that most readers have, or letters that this one has for what it shows. */
function isKnown(name: string, arg: string): boolean {
  const flag = arg.split('=', 1)[0] ?? ''
  if (SHOWS.test(flag)) return true
  const known = KNOWN.get(name)
  if (known === undefined) return /^-[hvVqnlar]$/.test(flag)
  return (
    known.names.has(flag) ||
    (/^-\w+$/.test(flag) && Array.from(flag.slice(1)).every((letter) => known.letters.includes(letter)))
  )
}

const SHOWS =
  /^--?(?:help|version|verbose|quiet|silent|colou?r|no-[\w-]+|json|yaml|format|output-format|all|strict|noout|recursive|sort[\w-]*|limit|max-[\w-]+|count|list[\w-]*|raw[\w-]*|pretty[\w-]*|indent|ignore[\w-]*|exclude[\w-]*|include[\w-]*|only[\w-]*|show[\w-]*|type[\w-]*|filter[\w-]*|select[\w-]*|shell|severity|level|disable[\w-]*|enable[\w-]*|arg|argjson|input|encoding|nocolor|oneline)$/
/** Options whose value is written, by the last words of their names. */
const WRITES = /(?:out|outfile|output|report|report-file|log|logfile|log-file|save|export|dump|dump-bin|plist)$/i

interface KnownOptions {
  readonly letters: string
  readonly names: ReadonlySet<string>
}

const KNOWN: ReadonlyMap<string, KnownOptions> = new Map(
  (
    [
      ['yq xq tomlq', 'rcneMCNPopjyYahvVS', '--yaml-output --output-format --exit-status --null-input --unwrapScalar'],
      ['jsonlint', 'qcstVpE', '--compact --mode --comments'],
      ['shellcheck', 'sSefxaWCVPo', '--external-sources --check-sourced'],
      ['yamllint', 'dcfsv', '--config-data --config-file'],
      ['less more most', 'FRXSNiInEeqmMKgpPtrfsu', ''],
      ['xxd', 'pbiugcsleE', ''],
      [
        'mypy pylint flake8 bandit pyright pyflakes pycodestyle vulture',
        'rlivqvfnjdeEsxct',
        '--rcfile --config --config-file',
      ],
      ['hadolint actionlint', 'cft', '-verbose -ignore'],
      ['markdownlint', 'cipsq', '--config --dot'],
      ['ajv jsonschema', 'sdric', '--spec --errors --data'],
      ['xmllint xmlstarlet', 'tmvconeBNx', '--xpath --schema --noblanks --nonet'],
      ['nm objdump readelf size addr2line c++filt', 'aCDguABdSsxthrRTwlfpMjWne', ''],
      ['gum fx mlr fzf man tig', 'rsaknNE', '--icsv --ojson --ijson --ocsv --preview'],
      ['cloc tokei scc', 'fes', '--by-file --files --lang --vcs'],
      ['dwdiff difft meld kdiff3 vimdiff wdiff', 'nbwdR', ''],
      ['aspell hunspell spell', 'dlap', '--lang --mode'],
    ] as const
  ).flatMap(([names, letters, flags]) =>
    words(names).map((name) => [name, { letters, names: wordSet(flags) }] as const),
  ),
)

/** What may be a path in the word: itself, the value of an option, what stands behind a prefix. */
function pathsIn(arg: string, isNamed: boolean): readonly string[] {
  const plain = arg.replaceAll(/["']/g, '')
  if (isNamed) return [plain.slice(plain.indexOf(':') + 1)]
  const cut = plain.indexOf('=')
  if (!plain.startsWith('-')) return cut > 0 ? [plain, plain.slice(cut + 1)] : [plain]
  return cut > 0 ? [plain.slice(cut + 1)] : plain.startsWith('--') ? [] : [plain.slice(2)]
}

function isTrustedFile(path: string, scope: Scope): boolean {
  return /^[\w.~/@+-]+$/.test(path) && targetKind(path, scope) === 'trust'
}

function isAway(path: string, scope: Scope): boolean {
  return !isUnknown(path) && /^[/~]|^\.\.\//.test(path) && /^(temporary|outside)/.test(targetKind(path, scope))
}
