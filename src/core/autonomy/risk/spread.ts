import { act } from './actions.ts'
import { firstOf, spend } from './budget.ts'
import { runSource } from './builtins.ts'
import { unescaped } from './escapes.ts'
import { note } from './ledger.ts'
import { trustFound } from './listed-files.ts'
import { has, optionValue, splitOptions, wordSet } from './options.ts'
import { isPrivate } from './private-places.ts'
import { type Call, noteGrave, type Programs } from './program.ts'
import { keepIn, readFile } from './redirects.ts'
import { isInside, namesJunk } from './regenerable.ts'
import { ANYTHING, chosenOf, isUnknown, type Scope, type Stream, UNKNOWN } from './scope.ts'
import { resolvePath, targetKind } from './targets.ts'
import { startsOf } from './wrappers.ts'

/** Programs that run another one for each of many things. */
export const SPREADERS: Programs = [
  ['find', find],
  ['gfind', find],
  ['fd', fd],
  ['fdfind', fd],
  ['xargs', xargs],
  ['gxargs', xargs],
  ['parallel', parallel],
]

const MOST_ITEMS = 64

/** Conditions that pick some files out of many; a kind of file or a depth does not. */
const PICKS =
  wordSet(`-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -mtime -mmin -atime -amin -ctime -cmin -newer
  -size -empty -user -group -uid -gid -perm -inum -samefile -links -nouser -nogroup -newermt -used -executable -anewer -cnewer -Btime`)
const RUNS = wordSet('-exec -execdir -ok -okdir')
const WRITES = wordSet('-fprint -fprint0 -fls -fprintf')

function find({ name, args, scope, stdin }: Call): Stream {
  note(scope.ledger, 8, `${name}: searches files`)
  const start = args.findIndex((arg) => /^[-(!,]/.test(arg) && !/^-[HLPEXdsx]$|^-O\d?$|^-D$/.test(arg))
  const given = (start < 0 ? args : args.slice(0, start)).filter((arg) => !arg.startsWith('-'))
  const starts = given.length > 0 ? given : ['.']
  const tests = start < 0 ? [] : args.slice(start)
  const roots = namedRoots(starts, tests, scope)
  const isNear = starts.every((root) => isInside(root, scope))
  const isWide = starts.some((root) => /^(home|root|system)$/.test(targetKind(root, scope)))
  const picked = (some: readonly string[]) => ({
    ...conditions(isWide ? some.filter((test) => !AGES.test(test)) : some, isNear),
    isSecret: roots.some((root) => isPrivate(root, scope)) || namesSecrets(some, scope),
    ...trustFound(starts, some, scope),
  })
  const all: Paths = { kind: 'paths', ...picked(tests), roots }
  let inside = -1
  for (const [i, test] of tests.entries()) {
    // Only what stands before an action restricts it, and the words of a command are none.
    if (i <= inside || (test !== '-delete' && !RUNS.has(test) && !WRITES.has(test))) continue
    if (!spend(scope.budget, 10 + tests.length * 2)) break
    const chosen: Paths = { ...all, ...picked(tests.slice(0, i)) }
    if (test === '-delete') judgeDelete(name, chosen, scope)
    else if (WRITES.has(test)) {
      act(scope, name, 'write', tests[i + 1] ?? '')
      keepIn(
        resolvePath(tests[i + 1] ?? '', scope.cwd),
        test === '-fprintf' ? { kind: 'text', text: unescaped(tests[i + 2] ?? '') } : ANYTHING,
        scope,
      )
    } else if (RUNS.has(test)) {
      const inner: Scope = { ...scope, chosen }
      const end = tests.findIndex((word, at) => at > i && (word === ';' || (word === '+' && tests[at - 1] === '{}')))
      const words = tests.slice(i + 1, end < 0 ? undefined : end)
      inside = end
      const filled = words.map((word) => word.replaceAll('{}', UNKNOWN))
      inner.runWords(filled, inner, stdin)
      // Braces inside of a longer text may be meant for what runs there.
      if (words.some((word) => word.length > 2 && word.includes('{}'))) inner.runWords(words, inner, stdin)
    }
  }
  return all
}

/** `-name id_rsa`, `-path`, `-regex`: what is picked are secrets by their name. */
function namesSecrets(tests: readonly string[], scope: Scope): boolean {
  return tests.some((test, at) => {
    const before = tests[at - 1] ?? ''
    if (!NAMED_BY.test(before) || /^(!|-not)$/.test(tests[at - 2] ?? '')) return false
    const name = before.endsWith('regex')
      ? (/(?<![\w.-])[\w.-]*$/.exec(test.replaceAll(/\\|\$$/g, ''))?.[0] ?? '')
      : test
    const isSaid = !/[*?[]/.test(name) || /env|ssh|id_|key|pem|secret|cred|token|passw|history/i.test(name)
    return isSaid && /[a-z]{3}/i.test(name) && isPrivate(name, scope)
  })
}

const NAMED_BY = /^-i?(name|path|wholename|regex|lname)$/

/** `find /home -name authorized_keys`: a name that others trust says more than the place. */
function namedRoots(starts: readonly string[], tests: readonly string[], scope: Scope): readonly string[] {
  const name = tests[tests.findIndex((test) => /^-i?name$/.test(test)) + 1] ?? ''
  if (!tests.some((test) => /^-i?name$/.test(test)) || /[*?[/]/.test(name)) return starts
  return starts.map((start) => (targetKind(`${start}/${name}`, scope) === 'trust' ? `${start}/${name}` : start))
}

/** Of a whole home or system almost everything is old. */
const AGES = /^-([amcB](time|min)|newer\w*|[ac]newer)$/

type Paths = Extract<Stream, { kind: 'paths' }>

const DATA = /\.(sqlite3?|db|mdb|accdb|kdbx|docx?|xlsx?|pptx?|odt|psd|pst)$/i

function conditions(tests: readonly string[], isNear: boolean): Pick<Paths, 'isChosen' | 'isJunk' | 'isData'> {
  const names = tests.filter((_, i) => /^-i?name$/.test(tests[i - 1] ?? ''))
  const isNegated = tests.some((test, at) => /^(!|-not)$/.test(test) && !EXCEPTS.test(tests[at + 1] ?? ''))
  const isJunk = !isNegated && ownNames(tests) && namesJunk(names, isNear)
  // An empty folder holds nothing that could be lost.
  const isBare = isNear && !isNegated && tests.includes('-empty') && tests[tests.indexOf('-type') + 1] === 'd'
  // Files that people keep their work in, whatever their age.
  const isData =
    !isNear && !isNegated && names.some((name) => DATA.test(name)) && !tests.some((test) => AGES.test(test))
  const own = tests.slice(otherAt(tests) + 1)
  return { isData, isChosen: own.some((test, i) => picks(test, own, i)), isJunk: isJunk || isBare }
}

/** A path that is left out makes the choice smaller. */
const EXCEPTS = /^-i?(path|wholename)$/

/** True where what is chosen last is asked for its name: `-name a -prune -o -type f` asks nothing of the rest. */
function ownNames(tests: readonly string[]): boolean {
  return tests.slice(otherAt(tests) + 1).some((test) => /^-i?name$/.test(test))
}

/** The last `-o` outside of brackets: what stands before it is another choice. */
function otherAt(tests: readonly string[]): number {
  let depth = 0
  let last = -1
  for (const [at, test] of tests.entries()) {
    if (test === '(') depth++
    else if (test === ')') depth--
    else if (depth === 0 && /^(-o|-or|,)$/.test(test)) last = at
  }
  return last
}

/** It asks nobody, and a condition that is forgotten makes it everything. */
function judgeDelete(name: string, chosen: Paths, scope: Scope): void {
  if (chosen.isChosen) act({ ...scope, chosen }, `${name} -delete`, 'deleteFile', UNKNOWN, 6)
  else for (const root of chosen.roots) act(scope, `${name} -delete`, 'deleteTree', root)
}

function picks(test: string, tests: readonly string[], at: number): boolean {
  if (!PICKS.has(test)) return false
  const before = tests[at - 1]
  if (before === '!' || before === '-not') return false
  return (
    !(test.includes('name') || test.includes('path') || test.includes('regex')) ||
    /[^*?.[\]/]/.test(tests[at + 1] ?? '')
  )
}

function fd({ name, args, scope, stdin }: Call): Stream {
  note(scope.ledger, 8, `${name}: searches files`)
  const at = args.findIndex((arg) => /^(-x|-X|--exec|--exec-batch)$/.test(arg))
  const own = at < 0 ? args : args.slice(0, at)
  const [pattern, ...roots] = splitOptions(
    own,
    wordSet('-e -t -d -E -S -c -j --extension --type --max-depth --exclude --size'),
  ).operands
  const isChosen =
    (pattern !== undefined && pattern !== '.') ||
    own.some((arg) => /^(-e|--extension|-S|--size|--changed-before)/.test(arg))
  const isSecret = [pattern ?? '', ...roots].some((each) => each !== '' && isPrivate(each, scope))
  const from = roots.length > 0 ? roots : ['.']
  const isHidden = own.some((arg) => /^(-(?=[a-zA-Z]*[Hu])[a-zA-Z]*|--hidden|--unrestricted)$/.test(arg))
  const by = own.some((arg) => /^(-g|--glob)$/.test(arg)) ? '-iname' : '-regex'
  const tests = [
    ...(pattern === undefined || pattern === '.' ? [] : [by, pattern]),
    ...own.flatMap((arg, i) => (/^(-e|--extension)$/.test(own[i - 1] ?? '') ? ['-iname', `*.${arg}`] : [])),
    // What begins with a dot is left out unless it is asked for.
    ...(isHidden ? [] : ['!', '-path', '*/.*']),
  ]
  const trust = trustFound(from, tests, scope)
  const chosen: Stream = { kind: 'paths', isChosen, isSecret, roots: from, ...trust }
  if (at >= 0) {
    const inner: Scope = { ...scope, chosen }
    const words = args.slice(at + 1).map((word) => word.replaceAll(/\{[/.]*\}/g, UNKNOWN))
    inner.runWords(words.some(isUnknown) ? words : [...words, UNKNOWN], inner, stdin)
  }
  return chosen
}

const XARGS_VALUES =
  wordSet(`-I -n -P -L -d -a -s -E -R -J -S -i? -e? -l? --max-args --max-procs --delimiter --arg-file --max-chars
  --process-slot-var`)

function xargs({ name, args, scope, stdin }: Call): Stream {
  const [first = 0, ...later] = startsOf(args, XARGS_VALUES, {}, scope)
  const own = args.slice(0, first)
  const { values } = splitOptions(own, XARGS_VALUES)
  const words = args.slice(own.length)
  const file = optionValue({ values }, '-a', '--arg-file')
  const source = file === undefined ? stdin : readFile(file, scope)
  if (words.length === 0) return source.kind === 'text' ? source : said(scope, 'xargs: prints what it is given')
  const mark = optionValue({ values }, '-I', '-J', '--replace') ?? replaceMark(own)
  const items = itemsOf(source, own, XARGS_VALUES, mark !== undefined)
  const chosen: Paths = chosenOf(source) ?? { kind: 'paths', isChosen: false, roots: [UNKNOWN] }
  const inner: Scope = { ...scope, chosen }
  note(scope.ledger, 10, `${name}: runs a program on what it is given`)
  for (const start of later)
    noteGrave(inner, (unsure) => void spread(args.slice(start), items, mark, unsure, mark === undefined))
  return spread(words, items, mark, inner, mark === undefined)
}

/** `-i`, `-i{}`, `--replace`: the mark is `{}` unless it is said. */
function replaceMark(args: readonly string[]): string | undefined {
  const flag = args.find((arg) => /^-i|^--replace/.test(arg))
  if (flag === undefined) return undefined
  return flag.replace(/^-i|^--replace=?/, '') || '{}'
}

function itemsOf(
  source: Stream,
  args: readonly string[],
  values: ReadonlySet<string>,
  byLine: boolean,
): readonly string[] {
  if (source.kind !== 'text') return [UNKNOWN]
  const options = splitOptions(args, values)
  const given = unescaped(optionValue(options, '-d', '--delimiter') ?? '').slice(0, 1)
  const separator = has(options, '-0', '--null') ? '\0' : given !== '' ? given : byLine ? '\n' : /\s+/
  return source.text
    .split(separator)
    .map((item) => item.trim().replaceAll(/^['"]|['"]$/g, ''))
    .filter((item) => item !== '')
}

function parallel({ name, args, scope, stdin }: Call): Stream {
  const at = args.findIndex((arg) => /^:::[:+]?$/.test(arg))
  const values = wordSet(
    '-j -n -N -L -a -S -d -C -I -M -P -s -E -i? -l? --delimiter --arg-file --tagstring --load --memfree --nice --retries --halt --env --basefile --return --recstart --recend --block --max-args --max-procs --max-chars --profile --seqreplace --jobs --results --joblog --delay --timeout --colsep --tmpdir --workdir --wd --sshlogin',
  )
  const behind = at < 0 ? args : args.slice(0, at)
  const [first = 0, ...later] = startsOf(behind, values, {}, scope)
  const words = behind.slice(first)
  const items =
    at < 0
      ? itemsOf(stdin, args.slice(0, first), values, true)
      : args.slice(at + 1).filter((arg) => !arg.startsWith(':::'))
  note(scope.ledger, 10, `${name}: runs a program on what it is given`)
  const folder = args[args.findIndex((arg) => arg === '--wd' || arg === '--workdir') + 1]
  const cwd = args.some((arg) => arg === '--wd' || arg === '--workdir')
    ? resolvePath(folder ?? '.', scope.cwd)
    : scope.cwd
  const inner: Scope = { ...scope, cwd, chosen: chosenOf(stdin) }
  for (const start of later)
    noteGrave(inner, (unsure) => void spread(behind.slice(start), items, '{}', unsure, !words.join().includes('{')))
  if (words.length > 0) return spread(words, items, '{}', inner, !words.some((word) => word.includes('{')))
  // Without a command each line is one.
  for (const item of firstOf(items, MOST_ITEMS, scope.budget)) runSource(item, { name, args, scope, stdin })
  return ANYTHING
}

/** The program itself comes from what is read: whoever writes the input writes the command. */
function judgeInjection(words: readonly string[], mark: string | undefined, scope: Scope): void {
  const at = words.findIndex((word) => /^-[a-z]*c$/.test(word))
  const text = at < 0 ? words[0] : words[at + 1]
  if (mark !== undefined && text?.trim().startsWith(mark)) note(scope.ledger, 66, 'runs what it reads as a command')
}

function spread(
  words: readonly string[],
  items: readonly string[],
  mark: string | undefined,
  scope: Scope,
  appends: boolean,
): Stream {
  judgeInjection(words, mark, scope)
  const [only = ''] = words
  if (appends && words.length === 1 && only.includes(' '))
    return scope.runText([only, ...firstOf(items, MOST_ITEMS, scope.budget)].join(' '), scope, ANYTHING)
  if (appends) return scope.runWords([...words, ...firstOf(items, MOST_ITEMS, scope.budget)], scope, ANYTHING)
  // Deleting one by one is deleting them all.
  if (words[0] === 'rm' && words.at(-1) === mark)
    return scope.runWords([...words.slice(0, -1), ...firstOf(items, MOST_ITEMS, scope.budget)], scope, ANYTHING)
  let output: Stream = ANYTHING
  for (const item of firstOf(items, MOST_ITEMS, scope.budget)) {
    const filled = words.map((word) => (mark === undefined ? word : word.replaceAll(mark, item)))
    // One word with spaces is a command line for `parallel`.
    output =
      filled.length === 1 ? scope.runText(filled[0] ?? '', scope, ANYTHING) : scope.runWords(filled, scope, ANYTHING)
  }
  return items.length === 1 ? output : ANYTHING
}

function said(scope: Scope, why: string): Stream {
  note(scope.ledger, 8, why)
  return ANYTHING
}
