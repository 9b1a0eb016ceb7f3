import { firstOf } from './budget.ts'
import { note } from './ledger.ts'
import { has, optionValue, splitOptions, wordSet, words } from './options.ts'
import type { Call, Programs } from './program.ts'
import { isStdin } from './redirects.ts'
import { ANYTHING, type Stream } from './scope.ts'
import { resolvePath } from './targets.ts'
import { partsOf, VERBS } from './verbs.ts'

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
  [/^(clean|purge|prune)(:|$)/, 40, 'deletes what was built'],
  [/(^|[:-])(deploy|publish|release|push|ship|prod|production|upload)(:|-|$)/, 62, 'publishes or deploys'],
  [/(^|[:_-])(destroy|nuke|drop|wipe|reset|teardown|uninstall|delete|flush)(:|-|_|$)/, 66, 'deletes or resets'],
  [/^(install)$/, 40, 'installs'],
  [/^(yank|owner|login|logout)$/, 62, 'changes what others get'],
  [/(^|[:_-])(migrate|seed|db)(:|$)/, 45, 'changes a database'],
]

/** Builders whose words are names of tasks, and those that can rehearse. */
const TASKS = wordSet('make gmake rake gradle gradlew mvn mvnw mix just task nx lein sbt ant dotnet invoke doit')
const REHEARSES = wordSet('cargo gradle gradlew rake just task ninja nx turbo lerna bazel')

export const BUILDER_PROGRAMS: Programs = words(BUILDERS).map((name) => [name, builder] as const)

function builder({ name, args, scope, stdin }: Call): Stream | undefined {
  note(scope.ledger, 22, `${name}: builds, tests or checks`)
  if (name.endsWith('make')) {
    const given = optionValue(splitOptions(args, wordSet('-f --file --makefile')), '-f', '--file', '--makefile')
    const file = given ?? 'Makefile'
    for (const [at, arg] of args.entries()) {
      const text = arg === '--eval' || arg === '-E' ? args[at + 1] : /^--eval=([\s\S]*)$/.exec(arg)?.[1]
      if (text !== undefined) judgeRecipes({ kind: 'text', text }, scope)
    }
    judgeRecipes(isStdin(file) ? stdin : scope.files.get(resolvePath(file, scope.cwd)), scope)
  }
  const options = splitOptions(args)
  if (has(options, '-n', '--dry-run', '--just-print') && name.endsWith('make')) return undefined
  if (options.flags.includes('--dry-run') && REHEARSES.has(name)) return undefined
  for (const arg of args.filter((word) => !word.startsWith('-'))) {
    const row = BUILDER_VERBS.find(([pattern]) => pattern.test(arg))
    if (row) note(scope.ledger, row[1], `${name} ${arg}: ${row[2]}`)
    else if (TASKS.has(name) && /^[a-z][\w:.-]*$/i.test(arg)) judgeTask(arg, name, scope)
  }
  if (name === 'go' || name === 'cargo' || name === 'dotnet' || name === 'zig') {
    if (args[0] === 'run') note(scope.ledger, 30, `${name}: runs the project`)
    if (/^(install|get|add)$/.test(args[0] ?? '')) note(scope.ledger, 38, `${name}: brings in foreign code`)
    if (args[0] === 'clean' && args.includes('-modcache')) note(scope.ledger, 45, `${name}: empties the cache`)
    if (args[0] === 'remove' || args[0] === 'uninstall') note(scope.ledger, 40, `${name}: removes a dependency`)
  }
  return undefined
}

/** `ecto.drop`, `flywayClean`, `db:migrate:undo`: one part of a task's name says what it takes away. */
function judgeTask(task: string, name: string, scope: Call['scope']): void {
  const parts = partsOf(task)
  const kinds = parts.length > 1 ? parts.map((part) => VERBS.get(part)) : []
  if (kinds.includes('destroy')) note(scope.ledger, 66, `${name} ${task}: deletes or resets`)
  else if (kinds.includes('stop')) note(scope.ledger, 62, `${name} ${task}: stops or takes back`)
}

/** The recipes of a Makefile that the text itself wrote, or that comes from a pipe. */
function judgeRecipes(stream: Stream | undefined, scope: Call['scope']): void {
  if (stream === undefined || stream.kind === 'none') return
  if (stream.kind !== 'text') return void note(scope.ledger, 62, 'make: rules that are known only at run time')
  for (const line of firstOf(stream.text.split(/\n|;/), 256, scope.budget)) {
    const recipe = line.startsWith('\t') ? line.trim() : (/^[\w.%/-]+:[^=]*?;?(.*)$/.exec(line)?.[1] ?? line)
    if (recipe.trim() !== '') scope.runText(recipe.trim().replace(/^[@-]+/, ''), scope, ANYTHING)
  }
}
