import { firstOf, spend } from './budget.ts'
import { note } from './ledger.ts'
import { wordSet } from './options.ts'
import { PLAIN_READERS } from './plain-readers.ts'
import { noteGrave } from './program.ts'
import { isMade, writtenFile } from './redirects.ts'
import { fileScore } from './run-file.ts'
import { isUnknown, NOTHING, type Scope } from './scope.ts'
import { targetKind } from './targets.ts'

/** Options whose value is code that the program loads, by the last words of their names. */
const LOADS_CODE =
  /^-{0,2}(?:[\w.:-]*[-.:])?(?:init-?script|plug-?ins?|add-?ons?|post-?renderer|plugin-?(?:dir|path)s?|load(?:er)?s?|load-?(?:plugins?|extensions?|path)|ext(?:ensions?)?|requires?|imports?|pre-?load|global-?(?:setup|teardown)|setup-?files?(?:-?after-?env)?|rules-?dir|resolver|transform(?:er)?|reporters?|formatter|test-?environment|(?:test-?)?runner|preset|processor|java-?agent|hooks?(?:-?(?:path|dir))?|startup-?(?:file|script)|script|class\.?path)$/i
/** Options whose value is a file of settings: most of these can name programs or code. */
const LOADS_SETTINGS =
  /^-{0,2}(?:[\w.:-]*[-.:])?(?:config(?:uration)?|conf|config-?(?:file|path|dir|option)|(?:ack|tig|pylint|screen|vim)?rc(?:-?file)?|settings(?:-?file)?|kubeconfig|makefile|build-?file|init-?file|defaults-(?:extra-)?file|options?-?file|inventory)$/i
/** Short options, and long ones with one sign, that name such a file. */
const SHORT: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [
    ['gradle gradlew', '-I -b -c'],
    ['mvn mvnw', '-f -s -gs -t'],
    ['make gmake', '-f -I'],
    ['jest vitest eslint pytest webpack vite rollup mocha stylelint karma babel nginx haproxy', '-c'],
    ['mocha', '-c -r'],
    ['ansible ansible-playbook', '-i'],
    ['perl perl5 ruby jruby', '-I'],
    ['php', '-d'],
    ['gdb', '-x -ix'],
    ['vimdiff', '-S -u -U'],
    ['ip', '-b -batch'],
    ['markdownlint', '-r'],
    ['mlr', '-s -f'],
    ['less', '-k'],
    ['man', '-P -H -C'],
    ['lldb', '-s -S'],
  ].flatMap(([names = '', flags = '']) => [...wordSet(names)].map((name) => [name, wordSet(flags)] as const)),
)
/** Settings that are command lines: `alias.x=!…`, `hooks.pre=…`, `-Dexec.executable=…`. */
const RUNS_VALUE =
  /(?:^|[._:-])(?:hooks?|alias|editor|pager|diff-?cmd|launcher|executable|command|cmd|wrapper|ssh|askpass)(?:$|[._:-])/i

const FROM_OUTSIDE = 66
const UNKNOWN_CONTENT = 35
const MOST_LOADED = 16

/** What a program loads as code or as settings is judged by where it comes from, whatever the program. */
export function judgeLoads(name: string, args: readonly string[], scope: Scope): void {
  if (PLAIN_READERS.has(name)) return
  const short = SHORT.get(name)
  const named = args.flatMap((arg, at): Loaded[] => {
    const next = args[at + 1] ?? ''
    if (short?.has(arg)) return shortValue(next)
    const letters = arg.slice(0, 2)
    if (short?.has(letters)) return shortValue(arg.slice(2))
    const [, flag = '', joined = next] = /^(--?[A-Za-z][\w.:-]*)(?:=([\s\S]*))?$/.exec(arg) ?? []
    if (flag === '') return []
    // The parser gives `--config=<(…)` as two words.
    const value = joined === '' && isStream(next) ? next : joined
    if (short?.has(flag)) return shortValue(value)
    // `-Dkey=value`, and as one option a pair of its own: `--config extensions.x=/tmp/x.py`.
    return loadedBy(flag.replace(/^-[DP](?=\w+\.)/, ''), value, scope)
  })
  for (const one of firstOf(named, MOST_LOADED, scope.budget))
    if (spend(scope.budget, 10)) judgeLoaded(name, one, scope)
  for (const arg of args)
    if (isStream(arg) && writtenFile(arg, scope)?.kind === 'download')
      note(scope.ledger, UNKNOWN_CONTENT, `${name}: is given what was just downloaded`)
}

/** Also `-d auto_prepend_file=/tmp/x`. */
function shortValue(value: string): Loaded[] {
  const [, key = '', path = value] = /^(\w+)=(.*)$/s.exec(value) ?? []
  return key === '' || /file|extension|path/.test(key) ? [{ value: path, isCode: key !== '' }] : []
}

interface Loaded {
  readonly value: string
  readonly isCode: boolean
}

function loadedBy(flag: string, value: string, scope: Scope): Loaded[] {
  if (value === '' || value.startsWith('-')) return []
  const isCode = LOADS_CODE.test(flag)
  if (RUNS_VALUE.test(flag) && !flag.startsWith('-'))
    noteGrave(scope, (inner) => void inner.runText(value.replace(/^!/, ''), inner, NOTHING))
  if (!isCode && !LOADS_SETTINGS.test(flag)) return programIn(value)
  if (value.startsWith('{'))
    return [...value.matchAll(/"([^"]{1,60})"\s?:\s?"([^"]*)"/g)]
      .slice(0, MOST_LOADED)
      .flatMap(([, key = '', text = '']) => (LOADS_CODE.test(key) ? [{ value: text, isCode: true }] : []))
  const [, key = '', path] = /^([\w.:-]+)=([\s\S]*)$/.exec(value) ?? []
  if (path === undefined) return [{ value, isCode }]
  if (RUNS_VALUE.test(key)) noteGrave(scope, (inner) => void inner.runText(path.replace(/^!/, ''), inner, NOTHING))
  return [{ value: path, isCode: isCode || /ext|plugin|hook|helper|cmd|command/i.test(key) }]
}

/** `-e ansible_python_interpreter=/tmp/x`: a setting that names the program of something. */
function programIn(value: string): Loaded[] {
  const [, path] = /^[\w.:-]{0,60}(?:interpreter|executable)[ =:]+(\S+)$/.exec(value) ?? []
  return path === undefined ? [] : [{ value: path, isCode: true }]
}

function judgeLoaded(name: string, { value, isCode }: Loaded, scope: Scope): void {
  const stream = writtenFile(value, scope)
  if (stream?.kind === 'download' || (isCode && /^https?:/.test(value)))
    note(scope.ledger, FROM_OUTSIDE, `${name}: loads what comes from an address`)
  else if (stream?.kind === 'text') scope.judgeCarried(stream.text, scope)
  else if (isMade(value, scope))
    note(scope.ledger, isCode ? 62 : UNKNOWN_CONTENT, `${name}: loads what is known only at run time`)
  else if (isAway(value, isCode, scope))
    note(scope.ledger, fileScore(value, scope), `${name}: loads a file from outside the project`)
}

/** The name of a process substitution. */
function isStream(path: string): boolean {
  return /^\/dev\/fd\/\d/.test(path)
}

/** In a folder that everybody can write to; for code, anywhere that is neither the project's nor the system's. */
function isAway(path: string, isCode: boolean, scope: Scope): boolean {
  if (isUnknown(path) || isStream(path) || !/^[/~]/.test(path)) return false
  const kind = targetKind(path, scope)
  return kind.startsWith('temporary') || (isCode && kind === 'outside')
}
