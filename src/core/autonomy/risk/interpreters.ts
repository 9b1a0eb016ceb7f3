import { act } from './actions.ts'
import { runSource, unknownSource } from './builtins.ts'
import { judgeCode, type Language } from './inline-code.ts'
import { judgeCommandLine } from './judge-verbs.ts'
import { note } from './ledger.ts'
import { wordSet } from './options.ts'
import { judgeSources } from './package-sources.ts'
import { type Call, noteGrave, type Programs } from './program.ts'
import { isMade, isStdin, readFile } from './redirects.ts'
import { fileScore, judgeFileName } from './run-file.ts'
import { ANYTHING, NOTHING, type Stream } from './scope.ts'
import { suspect } from './suspect.ts'
import { VERBS } from './verbs.ts'
import { firstWord } from './wrappers.ts'

/** Programs that run a text: of their arguments, of a file, of their input. */
export const INTERPRETERS: Programs = [
  ...names('sh bash dash ash zsh ksh mksh fish csh tcsh rbash posh yash sh.exe bash.exe', shell),
  ...names('python python2 python3 pypy pypy3 ipython py pythonw', language('python', '-c', '-m')),
  ...names(
    'node nodejs deno bun tsx ts-node ts-node-dev esno jiti qjs',
    language('javascript', '-e --eval -p --print eval', ''),
  ),
  ...names('ruby jruby', language('ruby', '-e', '')),
  ...names('perl perl5', language('perl', '-e -E', '')),
  ...names('php', language('php', '-r', '')),
  ...names('lua luajit', language('lua', '-e', '')),
  ...names('Rscript R', language('r', '-e', '')),
  ...names('osascript', language('applescript', '-e', '')),
  ...names(
    'groovy scala elixir julia guile sbcl swift ghc runghc tclsh wish expect racket kotlin kscript jshell clojure',
    language('other', '-e --eval -E -c', ''),
  ),
  ['capsh', capsh],
  ['java', java],
  ['gdb', debug],
  ['lldb', debug],
]

function names(text: string, program: (call: Call) => Stream | undefined): Programs {
  return [...wordSet(text)].map((name) => [name, program] as const)
}

const SHELL_VALUES = wordSet('-o +o -O +O --rcfile --init-file')

function shell(call: Call): Stream | undefined {
  const { name, args, scope } = call
  const at = args.findIndex((arg) => /^-[a-zA-Z]*c[a-zA-Z]*$/.test(arg))
  const first = firstWord(args, SHELL_VALUES, {})
  if (at >= 0 && at < first + 1 && args[at - 1] !== '--' && !args.slice(0, at).includes('--')) {
    const [source, ...positionals] = args.slice(firstWord(args, SHELL_VALUES, {}))
    if (source === undefined) return said(scope, 10, `${name}: nothing to run`)
    const inner = { ...scope, positionals: positionals.length > 0 ? positionals : scope.positionals && [name] }
    return runSource(source, { ...call, scope: inner })
  }
  if (args.some((arg) => arg === '--version' || arg === '--help')) return said(scope, 6, `${name}: shows its version`)
  if (args[0] === '-n') return said(scope, 12, `${name}: checks the syntax`)
  const [file, ...rest] = args.slice(first)
  const isInput = file === undefined || isStdin(file) || args.some((arg) => /^-[a-z]*s/.test(arg))
  if (isInput) return fromInput(call)
  const stream = readFile(file, scope)
  if (stream.kind === 'text')
    return runSource(stream.text, { ...call, scope: { ...scope, positionals: [file, ...rest] } })
  if (stream.kind === 'download' || file.startsWith('/dev/fd/') || isMade(file, scope))
    return unknownSource(stream, scope, name)
  judgeFileName(file, scope)
  return ran(file, call)
}

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

function language(kind: Language, code: string, module: string): (call: Call) => Stream | undefined {
  const flags = wordSet(code)
  return (call) => {
    const { name, args, scope, stdin } = call
    if (args.some((arg) => CHECKS.get(name)?.has(arg))) return said(scope, 12, `${name}: checks the syntax`)
    if (args.length > 0 && args.every((arg) => VERSION.has(arg))) return said(scope, 6, `${name}: shows its version`)
    const at = args.findIndex((arg) => flags.has(arg) || [...flags].some((flag) => isClustered(arg, flag)))
    const isFile = args.findIndex((arg) => !arg.startsWith('-'))
    if (at >= 0 && !args.slice(0, at).includes('--') && (isFile < 0 || isFile > at || args[at] === 'eval')) {
      if (args.some((arg) => /^-[a-z]*i/.test(arg) && kind !== 'python'))
        for (const file of args.slice(at + 2))
          if (!file.startsWith('-')) act(scope, `${name} -i`, args.some(keepsCopy) ? 'append' : 'write', file)
      const source = args[at + 1] ?? ''
      judgeCode(kind, source, call)
      return undefined
    }
    const joined = args.slice(0, isFile < 0 ? undefined : isFile).flatMap((arg) => joinedCode(kind, arg, flags))
    for (const source of joined) judgeCode(kind, source, call)
    if (joined.length > 0) return undefined
    const run = module === '' ? -1 : args.indexOf(module)
    if (run >= 0) return runModule(args.slice(run + 1), call)
    if (isFile < 0 || isStdin(args[isFile] ?? '')) return codeFromInput(kind, call, stdin)
    const file = args[isFile] ?? ''
    if (
      kind === 'javascript' &&
      /^(test|--test|check|fmt|lint|info|--check|-v|build|bench|doc|cache|task|init|pm|create|upgrade|types|coverage|compile|lsp|outdated|update|remove|link|watch|run|install|add|i|x|ci)$/.test(
        args.find((arg) => /^(--test|--check)$/.test(arg)) ?? file,
      )
    )
      return runtimeVerb(file, args.slice(isFile + 1), call)
    const stream = readFile(file, scope)
    if (stream.kind === 'text') judgeCode(kind, stream.text, call)
    else if (stream.kind === 'download' || file.startsWith('/dev/fd/') || isMade(file, scope))
      return unknownSource(stream, scope, name)
    const tool = PROJECT_TOOLS.get(file.slice(file.lastIndexOf('/') + 1))
    if (tool !== undefined && stream.kind !== 'text')
      return scope.runWords([tool, ...args.slice(isFile + 1)], scope, stdin)
    suspect(args.slice(isFile + 1), scope, true)
    judgeFileName(file, scope)
    return ran(file, call)
  }
}

function ran(file: string, { name, scope }: Call): Stream {
  note(scope.ledger, fileScore(file, scope), `${name}: runs a file`)
  return ANYTHING
}

/** `-i.bak`: what was there stays beside it. */
function keepsCopy(arg: string): boolean {
  return /^-[a-z]*i\.\w+$/.test(arg)
}

function isClustered(arg: string, flag: string): boolean {
  return flag.length === 2 && /^-\w+$/.test(arg) && arg.at(-1) === flag[1] && arg !== '-version'
}

/** `perl -lane'…'`, `python -c'…'`, `node --eval=…`: code in the same word as its flag. */
function joinedCode(kind: Language, arg: string, flags: ReadonlySet<string>): readonly string[] {
  return [...flags].flatMap((flag) => {
    if (flag.startsWith('--')) return arg.startsWith(`${flag}=`) ? [arg.slice(flag.length + 1)] : []
    const at = arg.indexOf(flag[1] ?? '')
    const isFlag =
      kind !== 'javascript' && flag.length === 2 && /^-\w*$/.test(arg.slice(0, at)) && !/^-[MmIF]/.test(arg)
    return isFlag && at > 0 && at < arg.length - 1 ? [arg.slice(at + 1)] : []
  })
}

/** `bun install`, `deno run server.ts`: the runtimes that are package managers too. */
function runtimeVerb(verb: string, rest: readonly string[], call: Call): Stream | undefined {
  const { name, scope, stdin } = call
  const target = rest.find((arg) => !arg.startsWith('-')) ?? ''
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
  if (verb === 'run' || verb === 'task') return scope.runWords(['npm', 'run', ...rest], scope, stdin)
  return said(scope, 24, `${name}: builds, tests or checks`)
}

function runModule([module = '', ...args]: readonly string[], { scope, stdin }: Call): Stream | undefined {
  if (module === 'pip' || (MODULES.get(module) === undefined && scope.programOf(module) !== undefined))
    return scope.runWords([module, ...args], scope, stdin)
  const worth = MODULES.get(module)
  return said(scope, worth ?? 28, `python -m ${module}: ${worth === undefined ? 'runs a module' : 'a known tool'}`)
}

function codeFromInput(kind: Language, call: Call, stdin: Stream): Stream | undefined {
  if (stdin.kind === 'none') return said(call.scope, 12, `${call.name}: an interpreter without anything to run`)
  if (stdin.kind === 'text') {
    judgeCode(kind, stdin.text, call)
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
  const rest = args.slice(firstWord(args, wordSet('-ex -iex -x --ex -p -o'), {}))
  note(scope.ledger, 26, `${name}: runs a program under a debugger`)
  return rest.length > 0 ? scope.runWords(rest, scope, stdin) : undefined
}

/** Flags that read a program without running it. */
const CHECKS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['php', wordSet('-l -i -m --ini')],
  ['node', wordSet('--check')],
  ['ruby', wordSet('-c')],
])

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
