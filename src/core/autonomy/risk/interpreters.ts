import { act } from './actions.ts'
import { agentOfFile } from './agents.ts'
import { runSource, source, unknownSource } from './builtins.ts'
import { wordsFor } from './code-words.ts'
import { judgeCode, type Language } from './inline-code.ts'
import { dataText, readInterpreted } from './interpreted-words.ts'
import { judgeCommandLine } from './judge-verbs.ts'
import { note } from './ledger.ts'
import { onlyTells } from './only-pretends.ts'
import { judgeOperatorWords } from './operator-words.ts'
import { wordSet } from './options.ts'
import { judgeOwnLoad, runOwnAmong, runOwnFile } from './own-program.ts'
import { judgeSources } from './package-sources.ts'
import { attaches, entersByCode, entersProcess, INTO_PROCESS, signalsByComputing, typesKeys } from './processes.ts'
import { type Call, noteGrave, type Programs } from './program.ts'
import { isMade, isStdin, readFile, writtenFile } from './redirects.ts'
import { fileScore, judgeFileName } from './run-file.ts'
import { ANYTHING, known, NOTHING, type Stream } from './scope.ts'
import { suspect } from './suspect.ts'
import { VERBS } from './verbs.ts'
import { firstWord } from './wrappers.ts'

/** Programs that run a text: of their arguments, of a file, of their input. */
export const INTERPRETERS: Programs = [
  ...names('sh bash dash ash zsh ksh mksh fish csh tcsh rbash posh yash sh.exe bash.exe', shell),
  ...names('python python2 python3 pypy pypy3 ipython py pythonw', language('python', '-c')),
  ...names(
    'node nodejs deno bun tsx ts-node ts-node-dev esno jiti qjs',
    language('javascript', '-e --eval -p --print -pe eval'),
  ),
  ...names('ruby jruby', language('ruby', '-e')),
  ...names('crystal', crystal),
  ...names('perl perl5', language('perl', '-e -E')),
  ...names('php', language('php', '-r -B -R -E --run --process-begin --process-code --process-end')),
  ...names('lua luajit', language('lua', '-e')),
  ...names('Rscript R', language('r', '-e')),
  ...names('osascript', language('applescript', '-e')),
  ...names(
    'groovy scala elixir julia guile sbcl swift ghc runghc tclsh wish expect racket kotlin kscript jshell clojure',
    language('other', '-e --eval -E -c --rpc-eval'),
  ),
  ...names('erl', language('other', '-eval --eval')),
  ['capsh', capsh],
  ['java', java],
  ['gdb', debug],
  ['lldb', debug],
]

function names(text: string, program: (call: Call) => Stream | undefined): Programs {
  return [...wordSet(text)].map((name) => [name, program] as const)
}

function shell(call: Call): Stream | undefined {
  const { name, args, scope, stdin } = call
  const { letters, orders, startFiles, first } = readShellCall(name, args)
  const [operand, ...rest] = args.slice(first)
  judgeStartFiles(startFiles, call)
  for (const order of orders) runSource(order, call)
  if (letters.includes('c')) {
    if (operand === undefined) return said(scope, 10, `${name}: nothing to run`)
    const inner = { ...scope, positionals: rest.length > 0 ? rest : scope.positionals && [name] }
    return runSource(operand, { ...call, scope: inner })
  }
  if (orders.length > 0 && operand === undefined) return undefined
  if (onlyTells(args)) return said(scope, 6, `${name}: shows its version`)
  if (args[0] === '-n' && !args.slice(0, first).some((arg) => arg.startsWith('+')))
    return said(scope, 12, `${name}: checks the syntax`)
  if (operand === undefined || letters.includes('s'))
    return fromInput(
      operand === undefined ? call : { ...call, scope: { ...scope, positionals: [name, ...args.slice(first)] } },
    )
  const given = { ...call, scope: { ...scope, positionals: [operand, ...rest] } }
  if (isStdin(operand)) return fromInput(rest.length > 0 ? given : call)
  const stream = readFile(operand, scope)
  if (stream.kind === 'text') return runSource(stream.text, { ...given, stdin })
  if (stream.kind === 'download' || operand.startsWith('/dev/fd/') || isMade(operand, scope))
    return unknownSource(stream, scope, name)
  if (runOwnFile(operand, rest, scope, stdin)) return ANYTHING
  judgeFileName(operand, scope)
  judgeOperatorWords(operand, rest, scope)
  return ran(operand, call)
}

interface ShellCall {
  /** The letters of its switches. */
  readonly letters: string
  /** Command lines that are values of options. */
  readonly orders: readonly string[]
  /** Files that it runs before anything else. */
  readonly startFiles: readonly string[]
  /** Where the operands begin. */
  readonly first: number
}

/** Options of a shell begin with `-` or `+`; each `o` of a cluster takes a word behind it: `-oc pipefail 'ls'`. */
function readShellCall(name: string, args: readonly string[]): ShellCall {
  const [orders, startFiles]: [string[], string[]] = [[], []]
  let letters = ''
  let at = 0
  for (; at < args.length; at++) {
    const word = known(args[at] ?? '')
    if (word === '--' || word === '-')
      return { letters, orders, startFiles, first: at + (word === '-' && args.length === at + 1 ? 0 : 1) }
    if (!/^[-+]./.test(word)) break
    const [, long, value] = /^(--[\w-]+)(?:=([\s\S]*))?$/.exec(word) ?? []
    const isOrder = name === 'fish' && (long === undefined ? /^-[a-zA-Z]*[cC]$/.test(word) : FISH_ORDERS.has(long))
    if (isOrder || START_FILES.has(long ?? word)) (isOrder ? orders : startFiles).push(value ?? args[++at] ?? '')
    else if (long === undefined) {
      if (word.startsWith('-')) letters += word.slice(1)
      at += Array.from(word).filter((letter) => letter === 'o' || letter === 'O').length
    }
  }
  return { letters, orders, startFiles, first: at }
}

const START_FILES = wordSet('--rcfile --init-file -rcfile -init-file')
const FISH_ORDERS = wordSet('--command --init-command')

/** What an option names is run; what a variable names, where the text itself has written it. */
function judgeStartFiles(files: readonly string[], call: Call): void {
  const { name, scope } = call
  for (const file of files) source({ ...call, name, args: [file] })
  for (const [variable, inside] of START_VARIABLES) {
    const value = scope.variables.get(variable)?.[0] ?? ''
    const path = known(value) === '' ? '' : `${value}${inside}`
    if (path !== '' && writtenFile(path, scope)) source({ ...call, name, args: [path] })
  }
}

const START_VARIABLES = [
  ['BASH_ENV', ''],
  ['ENV', ''],
  ['ZDOTDIR', '/.zshenv'],
  ['ZDOTDIR', '/.zshrc'],
  ['HOME', '/.bashrc'],
  ['HOME', '/.bash_profile'],
  ['HOME', '/.profile'],
  ['HOME', '/.zshrc'],
] as const

function fromInput({ name, args, scope, stdin }: Call): Stream | undefined {
  if (stdin.kind === 'none') return said(scope, 12, `${name}: a shell without anything to run`)
  if (stdin.kind === 'text') return runSource(stdin.text, { name, args, scope, stdin: NOTHING })
  return unknownSource(stdin, scope, name)
}

/** Modules of Python that are programs of their own. */
const MODULES: ReadonlyMap<string, number> = new Map([
  ['pytest', 22],
  ['unittest', 22],
  ['json.tool', 8],
  ['http.server', 28],
  ['venv', 24],
  ['pdb', 28],
  ['timeit', 22],
  ['py_compile', 15],
  ['compileall', 18],
  ['mypy', 15],
  ['black', 24],
  ['ruff', 20],
  ['flake8', 12],
  ['pylint', 12],
  ['coverage', 22],
  ['build', 24],
  ['site', 8],
  ['cProfile', 30],
])

function language(kind: Language, code: string): (call: Call) => Stream | undefined {
  const flags = wordSet(code)
  return (call) => {
    const { name, args, scope, stdin } = call
    const isAsking = args.length > 0 && args.every((arg) => VERSION.has(arg))
    // Alone, `-v` of Python says more about the code that it reads.
    if (isAsking && (kind !== 'python' || stdin.kind === 'none' || !args.includes('-v')))
      return said(scope, 6, `${name}: shows its version`)
    const { codes, loads, module, at, isSure, checks } = readInterpreted(kind, name, args, flags)
    for (const text of loads) judgeLoaded(kind, text, call)
    for (const source of codes) judgeSource(kind, source, call, wordsFor(source, behind(args, codes), stdin, scope))
    if (codes.length > 0) {
      if (kind !== 'python' && args.some((arg) => /^-[a-zA-FSTUWX\d]*i/.test(arg)))
        for (const file of args.slice(args.indexOf(codes.at(-1) ?? '') + 1))
          if (!file.startsWith('-')) act(scope, `${name} -i`, args.some(keepsCopy) ? 'append' : 'write', file)
      return undefined
    }
    if (checks) return said(scope, 12, `${name}: checks the syntax`)
    if (module) return runModule(module, call)
    const file = args[at] ?? ''
    if (file === '' || isStdin(file)) return codeFromInput(kind, call, stdin, args.slice(at + 1))
    // It may be the value of the option before it.
    if (!isSure && (stdin.kind === 'text' || stdin.kind === 'download')) codeFromInput(kind, call, stdin)
    const given = args.slice(at + 1)
    if (kind === 'javascript' && /^(inspect|debug)$/.test(file) && entersProcess(given))
      return said(scope, INTO_PROCESS, `${name}: runs what it is told inside of a process`)
    const script = name.startsWith('node') ? projectScript(args.slice(0, at)) : undefined
    if (script !== undefined) return scope.runWords(['npm', 'run', script, '--', ...args.slice(at)], scope, stdin)
    // What was taken for the file may be the value of an option, and the file the next word.
    if (kind === 'javascript') noteGrave(scope, (inner) => void runOwnAmong(given, inner, stdin))
    if (kind === 'javascript' && STARTS_FILE.test(`${name} ${file}`) && given.length > 0)
      return scope.runWords([name, ...given], scope, stdin)
    if (kind === 'javascript' && isSure && RUNTIME_VERBS.test(args.slice(0, at).includes('--test') ? 'test' : file))
      return runtimeVerb(file, given, call)
    const stream = readFile(file, scope)
    if (stream.kind === 'text') judgeCode(kind, stream.text, call, wordsFor(stream.text, given, stdin, scope))
    else if (stream.kind === 'download' || file.startsWith('/dev/fd/') || isMade(file, scope))
      return unknownSource(stream, scope, name)
    if (runOwnFile(file, given, scope, stdin)) return ANYTHING
    const agent = agentOfFile(file)
    if (agent !== undefined) return scope.runWords([agent, ...given], scope, stdin)
    const tool = PROJECT_TOOLS.get(file.slice(file.lastIndexOf('/') + 1))
    if (tool !== undefined && stream.kind !== 'text') return scope.runWords([tool, ...given], scope, stdin)
    suspect(given, scope, true)
    judgeFileName(file, scope)
    judgeOperatorWords(file, given, scope)
    return ran(file, call)
  }
}

/** The words that code gets: what stands behind the first text of it. */
function behind(args: readonly string[], codes: readonly string[]): readonly string[] {
  return args.slice(args.indexOf(codes[0] ?? '') + 1)
}

/** `node --run NAME -- WORDS`: a script of the project. */
function projectScript(options: readonly string[]): string | undefined {
  const at = options.findIndex((arg) => /^--run(=|$)/.test(arg))
  if (at < 0) return undefined
  const [, joined] = /^--run=(.+)$/.exec(options[at] ?? '') ?? []
  return joined ?? options[at + 1]
}

/** Orders of an interpreter that start the file behind them. */
const STARTS_FILE = /^(node|nodejs) (inspect|debug)$|^(tsx|ts-node-dev|esno) watch$|^bun --bun$/

const RUNTIME_VERBS =
  /^(test|check|fmt|lint|info|build|bench|doc|cache|task|init|pm|create|upgrade|types|coverage|compile|lsp|outdated|update|remove|link|watch|run|install|add|i|x|ci|exec|serve)$/

/** What is loaded before the program: code in an address, a file, or code behind the name of a module. */
function judgeLoaded(kind: Language, text: string, call: Call): void {
  const { name, scope } = call
  const inside = dataText(text)
  if (inside !== undefined) judgeCode(kind, inside, call)
  else if (/^https?:/.test(text)) note(scope.ledger, 64, `${name}: runs code from an address`)
  else if (/[;({`]/.test(text)) judgeCode(kind, text, call)
  else if (judgeOwnLoad(name, text, scope)) return
  else if (/^[./~]|(?:^|\n)[^\\/\n]*[\\/].*\.\w+$/.test(text)) {
    judgeFileName(text, scope)
    note(scope.ledger, fileScore(text, scope), `${name}: loads a file`)
  }
}

function judgeSource(kind: Language, source: string, call: Call, words: readonly string[]): void {
  judgeCode(kind, source, call, words)
  if (signalsByComputing(source, kind))
    note(call.scope.ledger, 45, `${call.name}: sends a signal that is known only at run time`)
  if (entersByCode(source, kind) || (kind === 'applescript' && typesKeys(source)))
    note(call.scope.ledger, INTO_PROCESS, `${call.name}: acts inside of another program`)
}

/** `crystal eval CODE`; its other verbs build and test. */
function crystal(call: Call): Stream | undefined {
  const { args, name, scope } = call
  if (args[0] === 'eval') for (const arg of args.slice(1)) judgeCode('ruby', arg, call)
  return said(scope, 22, `${name}: builds, tests or checks`)
}

function ran(file: string, { name, scope }: Call): Stream {
  note(scope.ledger, fileScore(file, scope), `${name}: runs a file`)
  return ANYTHING
}

/** `-i.bak`: what was there stays beside it. */
function keepsCopy(arg: string): boolean {
  return /^-[a-zA-FSTUWX\d]*i\.\w+$/.test(arg)
}

/** `bun install`, `deno run server.ts`: the runtimes that are package managers too. */
function runtimeVerb(verb: string, rest: readonly string[], call: Call): Stream | undefined {
  const { name, scope, stdin } = call
  const at = rest.findIndex((arg) => !arg.startsWith('-') || arg === '-')
  const target = at < 0 ? '' : (rest[at] ?? '')
  const inside = dataText(target)
  if (verb === 'exec') return runSource(rest.join(' '), call)
  if (inside !== undefined) judgeCode('javascript', inside, call)
  if (isStdin(target)) return codeFromInput('javascript', call, stdin)
  if (runOwnAmong(rest, scope, stdin)) return ANYTHING
  judgeOperatorWords(target, rest.slice(at + 1), scope)
  if (target.startsWith('npm:')) return scope.runWords(['npx', target.slice(4), ...rest.slice(at + 1)], scope, stdin)
  if (/^(install|add|i|ci|update|create|x|remove|link)$/.test(verb)) {
    judgeSources(rest, scope, name)
    if (verb === 'x') noteGrave(scope, (inner) => void inner.runWords(rest, inner, stdin))
    return said(scope, 28, `${name}: brings in foreign code`)
  }
  if (verb === 'run' && (/[/.]/.test(target) || target === '')) {
    if (/^https?:/.test(target)) note(scope.ledger, 64, `${name}: runs code from an address`)
    else judgeFileName(target, scope)
    if (rest.some((arg) => arg === '-A' || arg === '--allow-all')) note(scope.ledger, 28, `${name}: with every right`)
    return said(scope, fileScore(target === '' ? '.' : target, scope), `${name}: runs a file`)
  }
  // What is no script may be a program of the project, or of the system.
  if (verb === 'run' && name === 'bun' && at >= 0)
    noteGrave(scope, (inner) => void inner.runWords(rest.slice(at), inner, stdin))
  if (verb === 'run' || verb === 'task') return scope.runWords(['npm', 'run', ...rest], scope, stdin)
  return said(scope, 24, `${name}: builds, tests or checks`)
}

function runModule([module = '', ...args]: readonly string[], call: Call): Stream | undefined {
  const { scope, stdin } = call
  if (CODE_MODULES.test(module)) {
    for (const arg of args) if (/[\s(;=]/.test(arg)) judgeCode('python', arg.replace(/^!/, ''), call)
    if (stdin.kind !== 'none' && !args.some((arg) => /\.py$/.test(arg))) codeFromInput('python', call, stdin)
  } else if (module === 'pip' || (MODULES.get(module) === undefined && scope.programOf(module) !== undefined))
    return scope.runWords([module, ...args], scope, stdin)
  const target = WRITING_MODULES.get(module)?.(args)
  if (target !== undefined) act(scope, `python -m ${module}`, /file$/.test(module) ? 'unpack' : 'write', target)
  const worth = MODULES.get(module)
  const file = args.find((arg) => /\.py$/.test(arg))
  if (file !== undefined && worth !== undefined) judgeFileName(file, scope)
  return said(scope, worth ?? 28, `python -m ${module}: ${worth === undefined ? 'runs a module' : 'a known tool'}`)
}

/** Modules that run code of their words or of their input. */
const CODE_MODULES =
  /^(timeit|code|asyncio|pdb|ipdb|pudb|cProfile|profile|trace|idlelib(\.\w+)?|IPython|bpython|ptpython|ptipython|jupyter_console|doctest|runpy|pyinstrument|scalene|line_profiler|memory_profiler|viztracer|debugpy|torch\.utils\.bottleneck)$/

/** Modules that write where their words say. */
const WRITING_MODULES: ReadonlyMap<string, (args: readonly string[]) => string | undefined> = new Map([
  ['json.tool', (args) => args.filter((arg) => !arg.startsWith('-'))[1]],
  ['zipfile', (args) => (/^(-e|--extract)$/.test(args[0] ?? '') ? args[2] : undefined)],
  ['tarfile', (args) => (/^(-e|--extract)$/.test(args[0] ?? '') ? args[2] : undefined)],
])

function codeFromInput(kind: Language, call: Call, stdin: Stream, args: readonly string[] = []): Stream | undefined {
  if (stdin.kind === 'none') return said(call.scope, 12, `${call.name}: an interpreter without anything to run`)
  if (stdin.kind === 'text') {
    judgeSource(kind, stdin.text, call, wordsFor(stdin.text, args, NOTHING, call.scope))
    return undefined
  }
  return unknownSource(stdin, call.scope, call.name)
}

/** What stands behind `--` is given to a shell. */
function capsh({ args, scope, stdin }: Call): Stream | undefined {
  const at = args.indexOf('--')
  return at < 0
    ? said(scope, 12, 'capsh: shows or sets rights')
    : scope.runWords(['bash', ...args.slice(at + 1)], scope, stdin)
}

/** `java -jar TOOL verb`: the verb decides where there is one. */
function java(call: Call): Stream | undefined {
  const { args, scope } = call
  if (args.every((arg) => VERSION.has(arg))) return said(scope, 6, 'java: shows its version')
  const at = args.indexOf('-jar')
  const from = args.flatMap((arg, i) =>
    /^(-cp|-classpath|--class-path|-jar|-javaagent:.*)$/.test(args[i - 1] ?? '') ? arg.split(':') : [],
  )
  for (const path of from) note(scope.ledger, javaScore(path, scope), 'java: runs classes of a file')
  for (const arg of args)
    if (/^-(javaagent|agentpath|agentlib):/.test(arg))
      note(scope.ledger, javaScore(arg.slice(arg.indexOf(':') + 1), scope), 'java: loads an agent')
  const jar = scope.programOf((args[at + 1] ?? '').replace(/\.jar$/, ''))
  // `java -jar jenkins-cli.jar`: a command line that a table knows by its name.
  if (at >= 0 && jar !== undefined && !INTERPRETED.has(jar))
    return scope.runWords([jar, ...args.slice(at + 2)], scope, call.stdin)
  return judgeCommandLine({ ...call, args: at < 0 ? args : args.slice(at + 2) }, VERBS, 28)
}

/** Jars that only share a name with something else. */
const INTERPRETED = wordSet('app server main test service api web core batch start run')

function javaScore(path: string, scope: Call['scope']): number {
  const score = fileScore(path, scope)
  return score >= 45 ? 62 : Math.min(30, score)
}

/** `-ex 'shell …'`, `--args program …`: an order may leave the debugger, and what is debugged runs. */
function debug(call: Call): Stream | undefined {
  const { name, args, scope, stdin } = call
  for (const [at, arg] of args.entries()) {
    if (!/^(-ex|-iex|--ex|--eval-command|-o|--one-line)$/.test(args[at - 1] ?? '')) continue
    const [, order] = /^(?:!|shell |make |pipe |python |platform shell )(.*)$/s.exec(arg.trim()) ?? []
    if (order !== undefined) runSource(order, call)
    else if (arg.includes('"')) judgeCode('other', arg, call)
  }
  if (attaches(args)) note(scope.ledger, INTO_PROCESS, `${name}: runs what it is told inside of a process`)
  const rest = args.slice(firstWord(args, wordSet('-ex -iex -x --ex -p -o'), {}))
  note(scope.ledger, 26, `${name}: runs a program under a debugger`)
  return rest.length > 0 ? scope.runWords(rest, scope, stdin) : undefined
}

/** Command lines that frameworks put into a project as a script. */
const PROJECT_TOOLS: ReadonlyMap<string, string> = new Map([
  ['artisan', 'artisan'],
  ['manage.py', 'manage.py'],
  ['console', 'console'],
  ['rails', 'rails'],
  ['rake', 'rake'],
  ['composer.phar', 'composer'],
  ['wp-cli.phar', 'wp'],
])

const VERSION = wordSet('--version -V -v -version --help -h')

function said(scope: Call['scope'], score: number, why: string): Stream | undefined {
  note(scope.ledger, score, why)
  return score === 35 ? ANYTHING : undefined
}
