/**
 * `npm run bench:beside -- REVISION [--rounds N] [NAME…]`: dispatch, gated calls and transports of this tree beside those
 * of an earlier commit, in turns on one machine, and the ratio of the medians. The commit is cloned into a temporary
 * folder with its own packages; both sides run their own copies of the benchmarks.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const ROOT = join(import.meta.dirname, '..')
/** What is read from the output of each benchmark: a name and the number behind it, in µs of CPU. */
const BENCHMARKS = {
  dispatch: {
    env: {},
    figures: {
      'validated READ': /^validated READ +([\d.]+)/m,
      'entry of a batch': /^entry of a batch \(50\) +([\d.]+)/m,
      'refused call': /^refused \(wrong type\) +([\d.]+)/m,
    },
  },
  gate: {
    env: { MCPAQL_BENCH_SECONDS: '2' },
    figures: { 'gated execution': /^gated +(?:[\d.]+ +){3}(\d+)/gm, 'gated READ': /^gated READ ([\d.]+)/m },
  },
  transport: {
    env: { ROUNDS: '3', REQUESTS: '5000' },
    figures: Object.fromEntries(
      ['stdio legacy', 'stdio modern', 'HTTP legacy', 'HTTP modern'].map((name) => [
        name,
        new RegExp(`'${name}' *│ *([\\d.]+)`),
      ]),
    ),
  },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '10' } },
})
const [revision, ...asked] = positionals
const unknown = asked.filter((name) => !(name in BENCHMARKS))
if (!revision || unknown.length > 0 || !(Number(values.rounds) > 0)) {
  console.error('Usage: npm run bench:beside -- REVISION [--rounds N] [dispatch] [gate] [transport]')
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-beside-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
run('git', ['clone', '--quiet', '--no-checkout', ROOT, folder])
run('git', ['checkout', '--quiet', revision], folder)
run(process.execPath, ['scripts/setup.mjs'], folder)
for (const tree of [folder, ROOT])
  run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.bench.json'], tree)

for (const name of asked.length > 0 ? asked : Object.keys(BENCHMARKS)) {
  const { env, figures } = BENCHMARKS[name]
  const seen = { before: {}, now: {} }
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const side of round % 2 ? ['now', 'before'] : ['before', 'now']) {
      const tree = side === 'now' ? ROOT : folder
      const text = run(process.execPath, ['--expose-gc', `.bench/bench/${name}.js`], tree, env)
      for (const [figure, pattern] of Object.entries(figures)) {
        seen[side][figure] = [...(seen[side][figure] ?? []), ...numbersIn(text, pattern)]
      }
    }
  }
  for (const figure of Object.keys(figures)) {
    const [before, now] = [median(seen.before[figure]), median(seen.now[figure])]
    const ratio = (now / before).toFixed(2)
    const rounds = `${seen.now[figure].length} runs each; ${spread(seen.before[figure])} and ${spread(seen.now[figure])}`
    console.log(
      `${figure.padEnd(18)} ${ratio} of ${revision}: ${before.toFixed(2)} → ${now.toFixed(2)} µs of CPU (${rounds})`,
    )
  }
}

function numbersIn(text, pattern) {
  const found = pattern.global ? [...text.matchAll(pattern)] : [text.match(pattern)]
  return found.map((match) => {
    if (!match) throw new Error(`no line matches ${pattern} in:\n${text}`)
    return Number(match[1])
  })
}

function run(command, args, cwd = ROOT, env = {}) {
  const { status, stdout } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) process.exit(status ?? 1)
  return stdout
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]
}

function spread(numbers) {
  return `${Math.min(...numbers).toFixed(2)} to ${Math.max(...numbers).toFixed(2)}`
}
