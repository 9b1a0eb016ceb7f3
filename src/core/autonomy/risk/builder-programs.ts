import { firstOf } from './budget.ts'
import { isRunnable } from './carried.ts'
import { giveVariable } from './environment-variables.ts'
import { hostKind } from './hosts.ts'
import { judgeCode } from './inline-code.ts'
import { note } from './ledger.ts'
import { isTestRun } from './named-environment.ts'
import { onlyPretends, onlyTellsInWords, onlyTellsOfOrder } from './only-pretends.ts'
import { optionValue, splitOptions, wordSet, words } from './options.ts'
import { judgeSources } from './package-sources.ts'
import { type Call, noteGrave, type Programs } from './program.ts'
import { isStdin, writtenFile } from './redirects.ts'
import { fileScore } from './run-file.ts'
import { ANYTHING, type Stream } from './scope.ts'
import { partsOf, VERBS } from './verbs.ts'
import { firstWord, startsOf } from './wrappers.ts'

/** Tools of everyday work: they read the project and write its build. */
const BUILDERS = `make gmake cmake ninja meson bazel buck scons ant gradle gradlew mvn mvnw sbt lein rake just task nx turbo lerna jest vitest mocha ava tap karma
  cypress playwright pytest tox nox nose2 unittest phpunit rspec minitest ctest gtest tsc eslint prettier stylelint biome oxlint xo standard black ruff isort autopep8 yapf
  rubocop gofmt goimports golangci-lint rustfmt rustc gcc g++ cc c++ clang clang++ clang-format clang-tidy ld ar ranlib javac kotlinc scalac ghc webpack rollup vite esbuild
  parcel swc babel sass lessc postcss tailwindcss next nuxt astro svelte-kit ng vue-cli-service protoc buf swiftc xcodebuild dotnet msbuild nuget coverage pre-commit
  husky lint-staged commitlint wasm-pack zig nim crystal elm mix dune stack cabal pip-compile tsup tsd depcheck knip c8 nyc jasmine storybook graphql-codegen openapi-generator
  sqlc mypy pyright pylint flake8 bandit go gotestsum air cargo rustup-show configure autoconf automake autoreconf libtool pkg-config m4 bison flex yacc lex strip objcopy`

/** Words after a builder that make it more than a build. */
const BUILDER_VERBS: readonly (readonly [pattern: RegExp, score: number, why: string])[] = [
  [/^(clean|distclean|mrproper|clobber)$/, 28, 'deletes what was built'],
  [/^(clean|purge|prune)(:|$)/, 28, 'deletes what was built'],
  [/(^|[:-])(deploy|publish|release|push|ship|prod|production|upload)(:|-|$)/, 62, 'publishes or deploys'],
  [/(^|[:_-])(destroy|nuke|drop|wipe|reset|teardown|uninstall|delete|flush)(:|-|_|$)/, 66, 'deletes or resets'],
  [/^(install)$/, 28, 'installs'],
  [/^(yank|owner|login|logout)$/, 62, 'changes what others get'],
  [/(^|[:_-])(migrate|seed|db)(:|$)/, 28, 'changes a database'],
]

/** Builders whose words are names of tasks, and those that can rehearse. */
const TASKS = wordSet('make gmake rake gradle gradlew mvn mvnw mix just task nx lein sbt ant dotnet invoke doit')
const MAKE = { names: '-n --dry-run --just-print --recon', switches: 'beiknqrRsStvwB' }
const REHEARSES = wordSet('cargo gradle gradlew rake just task ninja nx turbo lerna bazel mix')
const MAVEN = wordSet('mvn mvnw')
/** Builders that have `help ORDER`. */
const HELPS = wordSet('cargo go mix dotnet lerna bazel stack cabal elm lein dune')

export const BUILDER_PROGRAMS: Programs = words(BUILDERS).map((name) => [name, builder] as const)

function builder({ name, args, scope, stdin }: Call): Stream | undefined {
  note(scope.ledger, 22, `${name}: builds, tests or checks`)
  const inner = innerCommand(name, args)
  if (inner) return scope.runWords(inner, scope, stdin)
  judgeExec(name, args, scope, stdin)
  judgePassedOn({ name, args, scope, stdin })
  judgeLoadedFiles(name, args, scope)
  judgeCompiler(name, args, scope, stdin)
  if (name.endsWith('make')) {
    const given = optionValue(splitOptions(args, wordSet('-f --file --makefile')), '-f', '--file', '--makefile')
    const file = given ?? 'Makefile'
    for (const [at, arg] of args.entries()) {
      const [, key = '', value = ''] = /^([A-Za-z_]\w*)[:+?]?:?=([\s\S]*)$/.exec(arg) ?? []
      if (key !== '') noteGrave(scope, (inner) => giveVariable(key, value, inner))
      const text = arg === '--eval' || arg === '-E' ? args[at + 1] : /^--eval=([\s\S]*)$/.exec(arg)?.[1]
      if (text !== undefined) judgeRecipes({ kind: 'text', text }, scope)
    }
    judgeRecipes(isStdin(file) ? stdin : writtenFile(file, scope), scope)
  }
  for (const [at, arg] of args.entries())
    if (/^(-e|--eval|eval)$/.test(args[at - 1] ?? '') && /[\w)][.(]/.test(arg))
      noteGrave(scope, (inner) => judgeCode('other', arg, { name, scope: inner }))
  if (onlyTellsOfOrder(args) || (HELPS.has(name) && onlyTellsInWords(args, 'first'))) return undefined
  if (name.endsWith('make') && onlyPretends(args, MAKE)) return undefined
  if (REHEARSES.has(name) && onlyPretends(args, { names: '--dry-run' })) return undefined
  if (MAVEN.has(name) && args.some((arg) => /^-DdryRun(=true)?$/.test(arg))) return undefined
  // Only tasks are words of their own choice; other tools have their verb first.
  const takes = (flag: string) => VALUED.test(flag) && !(name.endsWith('make') && MAKE_SWITCHES.test(flag))
  const said = args.filter((word, at) => !word.startsWith('-') && !takes(args[at - 1] ?? ''))
  const verbs = args.findIndex((word) => word.startsWith('-'))
  const few = (verbs < 0 ? args : args.slice(0, verbs)).slice(0, VERB_PLACES.get(name) ?? 1)
  const isTest = isTestRun({ args, scope })
  for (const arg of TASKS.has(name) ? said : few) {
    if (/dry-?run|local|preview/i.test(arg)) continue
    // A path or the name of a test is no task.
    if (
      HARMLESS_TASKS.has(`${name} ${arg}`) ||
      /[/\\]|::|\.([cm]?[jt]sx?|py|go|rb|java|rs|kt|swift|php|exs?|json|ya?ml|toml|sln|csproj)$/.test(arg)
    )
      continue
    if (isTest && /^(db|ecto)[.:]/.test(arg)) continue
    const row = BUILDER_VERBS.find(([pattern]) => pattern.test(arg))
    if (row) note(scope.ledger, row[1], `${name} ${arg}: ${row[2]}`)
    else if (TASKS.has(name) && /^[:+]?[a-z][\w:.-]*$/i.test(arg)) judgeTask(arg, name, scope)
  }
  if (name === 'go' || name === 'cargo' || name === 'dotnet' || name === 'zig') {
    if (args[0] === 'run') judgeRun(name, args.slice(1), scope, stdin)
    if (/^(install|get|add|tool|binstall|nuget|restore)$/.test(args[0] ?? '')) {
      note(scope.ledger, 28, `${name}: brings in foreign code`)
      judgeSources(args.slice(1), scope, name)
      if (name === 'go') for (const arg of args.slice(1)) judgeModule(arg, scope, args[0] === 'install')
    }
    if (args[0] === 'clean' && args.includes('-modcache')) note(scope.ledger, 28, `${name}: empties the cache`)
    if (args[0] === 'remove' || args[0] === 'uninstall') note(scope.ledger, 28, `${name}: removes a dependency`)
    if (name === 'go' && args[0] === 'env' && args.includes('-w'))
      for (const arg of args.slice(2)) giveVariable(arg.split('=', 1)[0] ?? '', arg.slice(arg.indexOf('=') + 1), scope)
    if (args.some((arg) => /^-?-toolexec|^-overlay|^--config=\S*(rustc-wrapper|runner|linker)/.test(arg)))
      note(scope.ledger, 62, `${name}: puts a program into the build`)
  }
  return undefined
}

/** Commands that a builder only passes on: `cmake -E env rm`, `just --command rm`. */
function innerCommand(name: string, args: readonly string[]): readonly string[] | undefined {
  if (name === 'just') {
    const at = args.findIndex((arg) => arg === '--command' || arg === '-c')
    return at >= 0 && at + 1 < args.length ? args.slice(at + 1) : undefined
  }
  if (name !== 'cmake' || args[0] !== '-E') return undefined
  const [, order = '', ...rest] = args
  if (order === 'time') return rest
  if (order === 'chdir') return rest.slice(1)
  const program = CMAKE_ORDERS.get(order)
  return program && [...program, ...rest]
}

/** `stack --resolver lts exec rm …`, `lerna exec -- rm …`, `mvn -Dexec.executable=rm`: a builder that runs another program. */
function judgeExec(name: string, args: readonly string[], scope: Call['scope'], stdin: Stream): void {
  const property = (key: RegExp) => args.flatMap((arg) => key.exec(arg)?.[1] ?? [])
  const [program] = property(/^-Dexec\.executable=([\s\S]+)$/)
  const given = property(/^-Dexec\.(?:args|commandlineArgs|arguments)=([\s\S]*)$/)
  if (program !== undefined) scope.runText([program, ...given].join(' '), scope, stdin)
  const at = WRAPS.has(name) ? -1 : args.indexOf('exec')
  if (at < 0 && !WRAPS.has(name)) return
  const rest = args.slice(at + 1)
  for (const start of startsOf(rest, NO_VALUES, {}, scope)) {
    const words = rest.slice(start)
    if (words.length === 0) continue
    if (start === 0 && scope.programOf(words[0] ?? '') !== undefined) scope.runWords(words, scope, stdin)
    else noteGrave(scope, (inner) => void inner.runWords(words, inner, stdin))
  }
}

/** Tools that measure what a program does. */
const WRAPS = wordSet('nyc c8')
const NO_VALUES: ReadonlySet<string> = new Set()

const CMAKE_ORDERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['env', ['env']],
  ['rm', ['rm']],
  ['remove', ['rm']],
  ['remove_directory', ['rm', '-r']],
  ['copy', ['cp']],
  ['copy_if_different', ['cp']],
  ['copy_directory', ['cp', '-r']],
  ['rename', ['mv']],
  ['create_symlink', ['ln', '-sf']],
  ['touch', ['touch']],
  ['make_directory', ['mkdir']],
  ['tar', ['tar']],
])

/** Flags with a value of those that measure another program, and their own orders. */
const MEASURES: ReadonlyMap<string, readonly [values: ReadonlySet<string>, orders: ReadonlySet<string>]> = new Map([
  [
    'c8',
    [
      wordSet(
        '-r --reporter -o --report-dir --reports-dir -x --exclude -n --include -c --config -e --extension --src --temp-directory --lines --branches --functions --statements --resolve --monocart-args',
      ),
      wordSet('report check-coverage'),
    ],
  ],
  [
    'nyc',
    [
      wordSet(
        '-r --reporter --report-dir -x --exclude -n --include --nycrc-path -t --temp-dir --cwd -e --extension -i --require -h --hook-run-in-context -b --lines --branches --functions --statements --parser-plugins --cache-dir',
      ),
      wordSet('report check-coverage merge instrument'),
    ],
  ],
])

/** Words that a builder runs: `c8 rm`, `coverage run x.py`, `mix do cmd rm`, `tox -e py -- rm`. */
function judgePassedOn({ name, args, scope, stdin }: Call): void {
  const measures = MEASURES.get(name)
  const [values, orders] = measures ?? []
  const at = values && orders ? firstWord(args, values, {}) : -1
  const [program = ''] = args.slice(at < 0 ? args.length : at)
  // A test runner that no table knows is still one.
  if (program !== '' && !orders?.has(program))
    if (scope.programOf(program) !== undefined || /[/\\]/.test(program)) scope.runWords(args.slice(at), scope, stdin)
    else noteGrave(scope, (inner) => void inner.runWords(args.slice(at), inner, stdin))
  if (name === 'coverage' && args[0] === 'run') {
    const file = firstWord(args, wordSet('--source --rcfile --omit --include --data-file --context --concurrency'), {
      skip: 1,
    })
    const python =
      args.indexOf('-m') > 0 && args.indexOf('-m') < file ? args.slice(args.indexOf('-m')) : args.slice(file)
    if (python.length > 0) scope.runWords(['python3', ...python], scope, stdin)
  }
  if (name === 'mix')
    for (const [i, arg] of args.entries())
      if (arg === 'cmd')
        scope.runWords(args.slice(firstWord(args, wordSet('--app --cd'), { skip: i + 1 })), scope, stdin)
  // A task is often called like a program; what tests and checks is given files, names and programs.
  if (TASKS.has(name)) return
  for (const [i, arg] of args.slice(0, MOST_PASSED).entries())
    if (i < args.length - 1 && isRunnable(arg, scope))
      noteGrave(scope, (inner) => void inner.runWords(args.slice(i), inner, stdin))
}

const MOST_PASSED = 24

/** Code that a builder loads from outside of the project: its settings, its plugins, what it is told to run. */
function judgeLoadedFiles(name: string, args: readonly string[], scope: Call['scope']): void {
  for (const [at, arg] of args.entries()) {
    const cut = arg.startsWith('-') ? arg.indexOf('=') : -1
    const flag = cut > 0 ? arg.slice(0, cut) : (args[at - 1] ?? '')
    const isLoaded =
      LOADS.has(flag) || (cut > 0 && SCRIPT.test(arg) && !WRITTEN.test(flag)) || RUNS_FILE.has(`${name} ${flag}`)
    const isTested = TESTS.has(name) && !flag.startsWith('-') && !arg.startsWith('-')
    if (!isLoaded && !isTested) continue
    const path = cut > 0 ? arg.slice(cut + 1) : arg
    if (/^[/~]/.test(path) && !path.startsWith('/dev/') && !DATA.test(path)) {
      const score = fileScore(path, scope)
      if (score >= ELSEWHERE) note(scope.ledger, score, `${name}: runs a file`)
    }
  }
}

/** What a temporary folder is worth; a folder above the project may be the project's own. */
const ELSEWHERE = 45

/** Flags whose value is code in most builders that have them. */
const LOADS = wordSet(
  '--config --config-file --test-runner --testRunner --bootstrap --custom-formatter --load-plugins --init-hook --toolexec -vettool --init-script --rulesdir --plugin --plugins --require --import --loader --globalSetup --globalTeardown --setupFiles --setupFilesAfterEnv --transform --testEnvironment --runner --reporter --reporters --preset --gruntfile --gulpfile --build-file --buildfile --parser --formatter --noxfile --rakefile --justfile --taskfile --test-dir --swcrc',
)
/** Short ones, and orders, which mean that in these alone. */
const RUNS_FILE = new Set([
  'cmake -P',
  'cmake -C',
  'ctest -S',
  'gradle -I',
  'gradlew -I',
  'gradle -b',
  'gradlew -b',
  'ant -f',
  'ant -file',
  'rake -f',
  'rake -R',
  'rake -r',
  'mocha -r',
  'rspec -r',
  'rubocop -r',
  'rollup -p',
  'graphql-codegen -c',
  'playwright -c',
  'storybook -c',
  'ninja -f',
  'nyc -i',
  'nox -f',
  'pytest -p',
  'jest -c',
  'vitest -c',
  'vite -c',
  'webpack -c',
  'rollup -c',
  'eslint -c',
  'karma start',
  'dotnet exec',
  'zig run',
  'nim e',
  'nim r',
  'make -f',
  'gmake -f',
  'just -f',
  'task -t',
])
const TESTS = wordSet(
  'jest vitest mocha ava tap karma cypress playwright pytest phpunit rspec jasmine nose2 unittest minitest',
)
/** `--helper=/tmp/x.js`: a flag that no list here has, with code that it does not write. */
const SCRIPT = /\.([cm]?[jt]sx?|py|rb|php|gradle|kts|cmake|exs?|lua|sh)$/
const WRITTEN = /out|dest|report|log|save|target|^-o$/i
/** Settings that hold no code. */
const DATA = /\.(toml|ya?ml|json[c5]?|ini|cfg|conf|txt|xml|properties|lock|md)$/

/** `gcc -wrapper rm,-rf,/x`, `-fplugin=x.so`: programs and code that a compiler runs. */
function judgeCompiler(name: string, args: readonly string[], scope: Call['scope'], stdin: Stream): void {
  for (const [at, arg] of args.entries()) {
    if (arg === '-wrapper') scope.runWords((args[at + 1] ?? '').split(','), scope, stdin)
    const [, plugin] = /^-(?:fplugin|specs|Xclang -load)=(.*)$/.exec(arg) ?? []
    if (plugin !== undefined) note(scope.ledger, fileScore(plugin, scope), `${name}: loads code into the compiler`)
    if (args[at - 1] === '--config' && /(rustc-wrapper|runner|linker)\s*=/.test(arg))
      note(scope.ledger, 62, `${name}: puts a program into the build`)
  }
}

/** `go run FILE`: code that the text holds is judged; a file of the project is its own. */
function judgeRun(name: string, args: readonly string[], scope: Call['scope'], stdin: Stream): void {
  note(scope.ledger, 28, `${name}: runs the project`)
  for (const file of args.filter((arg) => !arg.startsWith('-')).slice(0, 4)) {
    const stream = isStdin(file) ? stdin : writtenFile(file, scope)
    if (stream?.kind === 'text') judgeCode('other', stream.text, { name, scope })
    else if (stream !== undefined && stream.kind !== 'none')
      note(scope.ledger, 75, `${name}: runs code that is known only at run time`)
    if (name === 'go') judgeModule(file, scope, true)
    if (/^[/~]/.test(file) && !isStdin(file)) note(scope.ledger, fileScore(file, scope), `${name}: runs a file`)
  }
}

/** `example.com/tool@latest`: a module is named by the machine it comes from. */
function judgeModule(path: string, scope: Call['scope'], isRun = false): void {
  const isModule = /^[\w-]+(\.[\w-]+)+\/\S+/.test(path) && !path.endsWith('.go')
  if (isModule && !MODULE_HOSTS.test(path) && hostKind(path) === 'foreign')
    note(scope.ledger, isRun ? 62 : 58, 'go: brings in code from an address')
}

const MODULE_HOSTS =
  /^(go\.uber\.org|gopkg\.in|google\.golang\.org|gorm\.io|entgo\.io|sigs\.k8s\.io|gotest\.tools|honnef\.co|mvdan\.cc|modernc\.org|go\.opentelemetry\.io|go\.mongodb\.org|cloud\.google\.com|cel\.dev|buf\.build|connectrpc\.com|charm\.land|rsc\.io)\//

/** Flags whose value is a name, a pattern or a place, never a verb. */
const VALUED =
  /^(--mode|--configuration|--env|-k|-m|-t|-p|-n|-C|-f|-o|-j|-g|-e|--grep|--filter|--target|--project|--name|--testNamePattern|--config|--scope|--package|--features|--bin|--example|--profile|-D)$/

/** Letters that take a value elsewhere. */
const MAKE_SWITCHES = /^-[nektpm]$/

/** Tasks that are named like something graver. */
const HARMLESS_TASKS = new Set([
  'nx reset',
  'dotnet publish',
  'dotnet clean',
  'nx release:dry',
  'sbt publishLocal',
  'gradle publishToMavenLocal',
  './gradlew publishToMavenLocal',
])

/** Tools whose verb may stand behind a word that groups. */
const VERB_PLACES: ReadonlyMap<string, number> = new Map([
  ['bazel', 2],
  ['stack', 2],
  ['lerna', 2],
  ['turbo', 3],
  ['nuget', 2],
  ['cargo', 2],
])

/** `ecto.drop`, `flywayClean`, `db:migrate:undo`: one part of a task's name says what it takes away. */
function judgeTask(task: string, name: string, scope: Call['scope']): void {
  const parts = partsOf(task)
  if (parts.length > 1 && parts.some((part) => PUBLISHES.has(part)))
    note(scope.ledger, 62, `${name} ${task}: publishes or deploys`)
  const kinds = parts.length > 1 ? parts.map((part) => VERBS.get(part)) : []
  if (kinds.includes('destroy')) note(scope.ledger, 66, `${name} ${task}: deletes or resets`)
  else if (kinds.includes('stop')) note(scope.ledger, 62, `${name} ${task}: stops or takes back`)
}

/** `hex.publish`, `publishPlugins`, `:app:publishAllPublications`. */
const PUBLISHES = wordSet('publish upload')

/** The recipes of a Makefile that the text itself wrote, or that comes from a pipe. */
function judgeRecipes(stream: Stream | undefined, scope: Call['scope']): void {
  if (stream === undefined || stream.kind === 'none') return
  if (stream.kind !== 'text') return void note(scope.ledger, 62, 'make: rules that are known only at run time')
  for (const line of firstOf(stream.text.split(/\n|;/), 256, scope.budget)) {
    const recipe = line.startsWith('\t') ? line.trim() : (/^[\w.%/-]+:[^=]*?;?(.*)$/.exec(line)?.[1] ?? line)
    if (recipe.trim() !== '') scope.runText(recipe.trim().replace(/^[@-]+/, ''), scope, ANYTHING)
  }
}
