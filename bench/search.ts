import { createSearchIndex } from '../src/core/introspection/search.ts'
import { DATA_FOLDER, toSearchDocument } from './catalogue.ts'
import { createPlainIndex } from './plain-bm25.ts'
import {
  everydayQuestions,
  filmQuestions,
  githubQuestions,
  type QuestionSet,
  spotifyQuestions,
  toolQuestions,
} from './question-sets.ts'
import { createSetIndex, measureQuality, type Quality, qualityOfAll } from './search-quality.ts'

/** Quality and speed of the search on public questions. */

const ROUNDS = 10

if (DATA_FOLDER === undefined) console.log('skipped: the folder shared/data is not beside the repository')
else {
  report('StableToolBench', toolQuestions())
  report('RestBench Spotify', spotifyQuestions())
  report('GitHub', githubQuestions())
  const everyday = everydayQuestions()
  reportAll(
    'Everyday words, five APIs, one step',
    everyday.map(({ single }) => single),
  )
  reportAll(
    'Everyday words, five APIs, several steps',
    everyday.map(({ steps }) => steps),
  )
}
report('Film database', filmQuestions())

function report(name: string, set: QuestionSet): void {
  const documents = set.operations.map(toSearchDocument)
  const build = timed(() => createSearchIndex(documents))
  const latency = timeQueries(set)
  const index = createSetIndex(set)
  console.log(`${name}: ${set.operations.length} operations, ${set.questions.length} questions`)
  console.log(`  category unknown  ${line(measureQuality(set, index, false))}`)
  console.log(`  category given    ${line(measureQuality(set, index, true))}`)
  const plain = createPlainIndex(documents)
  console.log(`  plain BM25        ${line(measureQuality(set, plain, false))}`)
  console.log(`  plain, given      ${line(measureQuality(set, plain, true))}`)
  console.log(`  build             ${build.wall.toFixed(0)} ms, CPU ${build.cpu.toFixed(0)} ms`)
  console.log(`  query, CPU        p50 ${latency.p50.toFixed(2)} ms, p99 ${latency.p99.toFixed(2)} ms`)
}

function reportAll(name: string, sets: readonly QuestionSet[]): void {
  const asked = sets.reduce((sum, { questions }) => sum + questions.length, 0)
  const plain = ({ operations }: QuestionSet) => createPlainIndex(operations.map(toSearchDocument))
  console.log(`${name}: ${asked} questions`)
  console.log(`  category unknown  ${line(qualityOfAll(sets, createSetIndex, false))}`)
  console.log(`  category given    ${line(qualityOfAll(sets, createSetIndex, true))}`)
  console.log(`  plain BM25        ${line(qualityOfAll(sets, plain, false))}`)
  console.log(`  plain, given      ${line(qualityOfAll(sets, plain, true))}`)
}

/** First runs, compilation and garbage collection included, which run on threads of their own. */
function timeQueries(set: QuestionSet) {
  const index = createSetIndex(set)
  const rounds = Array.from({ length: ROUNDS }, () =>
    set.questions.map(({ text }) => timed(() => index.search(text)).cpu),
  )
  const times = rounds.flat().sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(share * times.length)] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}

function timed(work: () => unknown): { readonly wall: number; readonly cpu: number } {
  const before = process.cpuUsage()
  const start = performance.now()
  work()
  const wall = performance.now() - start
  const { user, system } = process.cpuUsage(before)
  return { wall, cpu: (user + system) / 1_000 }
}

function line({ hit1, any5, recall5 }: Quality): string {
  return `hit@1 ${hit1.toFixed(3)}  one of five ${any5.toFixed(3)}  recall@5 ${recall5.toFixed(3)}`
}
