import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { scoreHint } from '../src/core/autonomy/risk/score-hint.ts'
import { DATA_FOLDER } from './catalogue.ts'

/** CPU of judging a hint: the development set, and the worst texts of 10,000 characters. Targets: mean 1 ms, any 50 ms. */
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
}

if (existsSync(FILE)) {
  const hints = readFileSync(FILE, 'utf8')
    .trim()
    .split('\n')
    .map((line): string => JSON.parse(line).text)
  for (const hint of hints) scoreHint(hint)
  const times = hints.map(cpuOf).sort((a, b) => a - b)
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

function cpuOf(hint: string): number {
  const before = process.cpuUsage()
  scoreHint(hint)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
