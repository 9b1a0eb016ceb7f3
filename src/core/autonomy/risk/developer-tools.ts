import { AGENTS, judgeAgent } from './agents.ts'
import { isRunnable } from './carried.ts'
import { commandLine } from './judge-verbs.ts'
import { note } from './ledger.ts'
import { onlyPretends, onlyTellsOfOrder } from './only-pretends.ts'
import { wordSet, words } from './options.ts'
import { judgeSources } from './package-sources.ts'
import { INTO_PROCESS } from './processes.ts'
import { type Call, noteGrave, type Program, type Programs } from './program.ts'
import { fileScore, judgeFileName } from './run-file.ts'
import type { Stream } from './scope.ts'

/** Tools of everyday work that take verbs: what builds, runs or looks is usual, what deletes or publishes is not. */
const VERBED = `flutter dart fvm adb xcrun simctl fastlane expo eas react-native ionic capacitor cordova gatsby hugo jekyll eleventy hexo
  zola mdbook docusaurus vuepress vitepress vue nest ember strapi directus sanity remix redwood quasar create-react-app react-scripts craco changeset
  semantic-release release-it standard-version commitizen husky lefthook jupyter jupyter-lab jupyter-notebook papermill streamlit gradio chainlit
  marimo tensorboard torchrun accelerate deepspeed ray dask kedro snakemake nextflow cookiecutter copier fab poe flit maturin pip-sync pipdeptree pip-audit
  arduino-cli platformio pio idf.py west esptool esptool.py openocd pyocd avrdude st-flash nrfjprog probe-rs espflash ampy mpremote
  godot godot4 blender aseprite latexmk tectonic biber bibtex makeindex texcount chktex quarto typst
  localstack minio redis-server mongod mysqld mailhog mailpit json-server http-server live-server
  browser-sync uvicorn gunicorn hypercorn daphne waitress-serve granian puma unicorn rackup foreman overmind hivemind honcho
  watchman chokidar onchange npm-run-all run-p run-s wait-on env-cmd dotenvx tsc-watch unbuild ncc
  swift-format swiftlint ktlint detekt spotbugs sonar-scanner codecov lcov gcov gcovr genhtml llvm-cov
  perf py-spy pyinstrument scalene memray autocannon wrk vegeta locust artillery gatling jmeter testcafe webdriverio wdio nightwatch backstop
  cucumber earthly dagger devcontainer devbox devenv gitpod sphinx-autobuild sphinx-quickstart pdoc typedoc jsdoc redoc-cli swagger-cli spectral
  openapi-generator-cli orval rover relay-compiler grpcurl xcodegen tuist xcbeautify xcpretty solargraph rdbg irb pry
  gdbserver ccmake xmake premake5 ghci hlint ormolu elm-test elm-format spago purs rescript nimble shards
  gleam rebar3 erl elixirc ocaml ocamlfind utop clojure clj shadow-cljs scala-cli coursier
  cargo-watch wasm-bindgen wasm-opt wasmtime wasmer tauri electron electron-builder electron-forge sst
  terraform-docs infracost tfenv detect-secrets gitleaks trufflehog semgrep snyk ncu npm-check-updates vhs asciinema ttyd glow mdcat
  rbenv pyenv nodenv goenv jenv asdf mise corepack kubectx kubens k9s stern kubeval kubeconform kube-linter helm-docs kompose jsonnet cue
  octave matlab maxima mpirun mpiexec bwa samtools bcftools bedtools fastqc multiqc hisat2 kallisto gatk seqkit blastn blastp minimap2
  gdal_translate gdalwarp ogr2ogr gdalinfo tippecanoe nodemon ts-node-dev gulp grunt yo plop hygen msw wiremock meteor sails
  phpstan psalm php-cs-fixer phpcs phpcbf phpmd laravel sail mockgen swag sqlboiler golines govulncheck gosec dlv gopls benchstat
  dotnet-ef csharpier fantomas paket pyupgrade autoflake docformatter radon pydocstyle basedpyright
  ollama llama-cli vllm fastapi litestar sanic dramatiq
  buildozer briefcase nuitka pyinstaller shiv pex rq ab scrapy sqlfluff great_expectations kaggle gmx scancel module buck2 doxygen
  xcode-select emulator sdkmanager avdmanager detox maestro telepresence molecule wscat idea verilator iverilog ghdl vivado yosys nextpnr rojo st-info dfu-util
  notepad hardhat truffle forge anvil cast  sqlx diesel sea-orm-cli refinery colima trunk goreleaser wire shfmt websocat hey love vstest.console vsce ovsx jsr mkdocs np gh-pages sbatch srun spark-submit qsub picocom minicom qemu-system Unity nx-cloud`

/** Tools that are given a file to run. */
const RUNNERS = words(
  'sbatch srun spark-submit nodemon torchrun streamlit accelerate mpirun mpiexec papermill marimo octave',
)

const ROW = {
  verbs: {
    run: `run reload uninstall push erase shutdown boot kill-server start-server clear reset simctl stop crawl startproject load lint sync start dev serve build test compile lint format fmt watch install add new create init generate g gen pub get upgrade update clean
      analyze doctor devices logcat check flash monitor upload link unlink local global use shell rehash reshim exec sync export preview
      open launch attach select render convert notebook lab repro pull prebuild bundle bootstrap migrate make worker beat status
      list info version help config completion login logout whoami cache env ls-remote current which inspect debug erase_flash read_flash
      write_flash chip_id flash_id simulate screenshot`,
    create: 'connect pair',
    publish: 'publish submit deploy gh-deploy release deliver pilot supply',
    destroy: 'destroy purge delete',
  },
  bare: 26,
} as const

/** Words that are values here and verbs elsewhere: only the first two words are looked at. */
const FEW = 2
const MOST_WORDS = 8

/** Tools that publish without being told to. */
const RELEASES = wordSet('semantic-release release-it np gh-pages')
/** Flags with which nothing is published. */
const TRIED: ReadonlyMap<string, readonly string[]> = new Map([
  ['goreleaser', ['--snapshot', '--skip=publish']],
  ['dart', ['-n']],
  ['flutter', ['-n']],
  ['semantic-release', ['-d']],
  ['release-it', ['-d', '--no-publish']],
  ['np', ['--preview', '--no-publish']],
])
/** What these words are worth, their places say: the words that are looked at stand elsewhere. */
const PRETENDS =
  /^--?(help|version|dry-?run|dry|what-?if|no-?op|simulate|just-print|pretend|(check|build)-only)([=:]|$)/i

/** `--skip=publish` stands as it is. */
function isTrial(flag: string, args: readonly string[]): boolean {
  return flag.includes('=') ? args.includes(flag) : onlyPretends(args, { names: flag })
}

const BRINGS = /^(install|add|i|require|plugin|create|new|init)$/

const commands = commandLine(ROW)

export const DEVELOPER_TOOLS: Programs = [...words(VERBED), ...AGENTS].map((name) => [name, tool(name)] as const)

function tool(name: string): Program {
  const runs = RUNNERS.includes(name)
  return (call: Call): Stream | undefined => {
    const { args, scope, stdin } = call
    if (BRINGS.test(args.find((arg) => !arg.startsWith('-')) ?? '') && name !== 'adb') judgeSources(args, scope, name)
    const file = args.find((arg) => !arg.startsWith('-') && /\.\w{1,4}$/.test(arg))
    if (runs && file !== undefined) {
      judgeFileName(file, scope)
      note(scope.ledger, Math.max(24, fileScore(file, scope)), `${name}: runs a file`)
      return undefined
    }
    if (AGENTS.includes(name)) judgeAgent(call)
    if (/^(dlv|rdbg)$/.test(name) && args.some((arg) => /^(attach|connect|-A|--attach)$/.test(arg)))
      note(scope.ledger, INTO_PROCESS, `${name}: runs what it is told inside of a process`)
    // `perf stat rm`, `adb shell rm`: the name of a program among the words may be what it runs.
    for (const [at, arg] of args.slice(0, MOST_WORDS).entries())
      if (isRunnable(arg, scope) && !(name === 'xcrun' || name === 'simctl'))
        noteGrave(scope, (inner) => void inner.runWords(args.slice(at), inner, stdin))
    const said = args.filter((arg) => !arg.startsWith('-')).slice(0, FEW)
    // `--clean`, `--reset-cache`: what these tools made before.
    const flags = args.filter(
      (arg) =>
        arg.startsWith('-') &&
        !PRETENDS.test(arg) &&
        !/^--?(clean|reset|clear|purge|erase|apply|execute)([-=]|$)/.test(arg),
    )
    if (onlyTellsOfOrder(args)) return commands({ ...call, args: ['--help'] })
    const isTried = onlyPretends(args) || (TRIED.get(name)?.some((flag) => isTrial(flag, args)) ?? false)
    if (RELEASES.has(name) && !isTried) note(scope.ledger, 62, `${name}: publishes a release`)
    return commands({ ...call, args: [...(isTried ? ['--dry-run'] : []), ...said, ...flags] })
  }
}
