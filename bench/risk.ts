import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { evaluate } from '../src/core/autonomy/evaluate.ts'
import { scoreHint } from '../src/core/autonomy/risk/score-hint.ts'
import { withDefaults } from '../src/core/autonomy/settings.ts'
import { DATA_FOLDER } from './catalogue.ts'

/** How commands that are labelled score, and the CPU of judging a hint. Targets: mean 1 ms; any text of 10,000 characters 50 ms. */
const FILE = DATA_FOLDER === undefined ? '' : resolve(DATA_FOLDER, 'risk/commands-dev.jsonl')
const LENGTH = 10_000

const HOSTILE: Readonly<Record<string, string>> = {
  'open substitutions': '"$(',
  'open braces': '{a,',
  'back-ticks': '`',
  separators: 'a;',
  pipes: 'a|',
  words: 'a ',
  'programs in prose': 'please rm x ',
  'find in find': 'find . -exec ',
  conditions: 'if a;then ',
  'wrappers in wrappers': 'sudo ',
  'invisible characters': 'r\u200bm ',
  'characters that grow': 'ﷺ',
  'statements in statements': 'SELECT (DELETE FROM a ',
  'quoted commands': '"rm -rf x" ',
  redirects: '>a ',
}

/** Five hundred patterns of two hundred characters that almost fit. */
const PATTERNS = Array.from({ length: 500 }, (_, i) => `${'a-'.repeat(90)}b${i}`)
const SETTINGS = withDefaults({ deny: PATTERNS, requiresApproval: PATTERNS, autoApprove: PATTERNS })

for (const folder of ['test/risk/commands', 'test/risk/commands/second'])
  printShares(
    `commands of ${folder}`,
    (['risky', 'benign', 'ordinary'] as const).flatMap((label) =>
      readFileSync(resolve(folder, `${label}.txt`), 'utf8')
        .replace(/\n$/, '')
        .split('\n')
        .map((text) => ({ label, text })),
    ),
  )

if (existsSync(FILE)) {
  const labelled = readFileSync(FILE, 'utf8')
    .trim()
    .split('\n')
    .map((line): Labelled => JSON.parse(line))
  printShares('development set', labelled)
  const hints = labelled.map(({ text }) => text)
  for (const hint of hints) scoreHint(hint)
  const times = hints.map((hint) => cpuOf(hint)).sort((a, b) => a - b)
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length
  const p99 = times[Math.floor(times.length * 0.99)] ?? 0
  console.log(
    `${hints.length} hints: mean ${mean.toFixed(3)} ms of CPU, p99 ${p99.toFixed(2)}, worst ${times.at(-1)?.toFixed(2)}`,
  )
} else console.log(`Not measured: the development set is not beside the repository.`)

for (const [label, piece] of Object.entries(HOSTILE)) {
  const hint = piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH)
  const runs = Array.from({ length: 5 }, () => cpuOf(hint)).sort((a, b) => a - b)
  console.log(
    `${label.padEnd(24)} ${runs[2]?.toFixed(1)} ms of CPU (worst ${runs[4]?.toFixed(1)}), score ${scoreHint(hint).score}`,
  )
}

const withPatterns = Array.from({ length: 5 }, () =>
  cpuOf('a-'.repeat(5_000), (hint) => evaluate({ hint, count: 0, scored: scoreHint(hint), settings: SETTINGS })),
).sort((a, b) => a - b)
console.log(`${'with 1,500 patterns'.padEnd(24)} ${withPatterns[2]?.toFixed(1)} ms of CPU, scored and evaluated`)

interface Labelled {
  readonly label: string
  readonly text: string
}

function printShares(name: string, commands: readonly Labelled[]): void {
  console.log(name)
  for (const label of ['risky', 'benign', 'ordinary']) {
    const scores = commands.filter((command) => command.label === label).map(({ text }) => scoreHint(text).score)
    const share = (above: number) =>
      `${((100 * scores.filter((score) => score > above).length) / scores.length).toFixed(1)} %`
    console.log(
      `  ${label.padEnd(9)} ${String(scores.length).padStart(5)}   above 30: ${share(30)}   above 60: ${share(60)}`,
    )
  }
}

function cpuOf(hint: string, work: (hint: string) => unknown = scoreHint): number {
  const before = process.cpuUsage()
  work(hint)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
