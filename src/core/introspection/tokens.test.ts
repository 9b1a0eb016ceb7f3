import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { cpuTime } from '../../../test/cpu-time.ts'
import { estimateTokens } from './tokens.ts'

const exactly = (text: string) => countTokens(text, { disallowedSpecial: new Set() })

// biome-ignore format: a table reads by columns
test.each([
  ['',                          0],
  [' ',                         1],
  ['a',                         1],
  ['word',                      1],
  ['camelCase',                 2],
  ['HTTPServer',                1],
  ['snake_case',                3],
  ['12345',                     2],
  ['{"a":1}',                   4],
  ['{"operation":"get_issue"}', 6],
  ['😀',                        3],
  ['\u0000\n\t',                1],
])('%j is about %d tokens', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens)
})

test('is whole, and falls by no more than rounding when text is put behind', () => {
  const text = JSON.stringify(
    { operation: 'list_issues', filter: { points: { $gt: 3.5 } }, note: 'é 😀 a b c' },
    null,
    2,
  )
  const estimates = Array.from({ length: text.length }, (_, i) => estimateTokens(text.slice(0, i)))
  for (const [i, estimate] of estimates.entries()) {
    expect(Number.isInteger(estimate)).toBe(true)
    expect(estimate).toBeGreaterThanOrEqual((estimates[i - 1] ?? 0) - 1)
  }
})

test('is quick on any text', () => {
  const cost = cpuTime(() => {
    for (const piece of ['a', 'aA', '{', ' ', '1a', '😀', '\ud800']) estimateTokens(piece.repeat(500_000))
  })
  expect(cost).toBeLessThan(3000)
})

/** Pieces of JSON as agents read them, from data beside the repository. */
const SOURCES: readonly { readonly name: string; readonly file: URL; readonly pieces: (json: Json) => unknown[] }[] = [
  { name: 'GitHub', file: shared('openapi/github.json.gz'), pieces: apiPieces },
  { name: 'Box', file: shared('openapi/box.json.gz'), pieces: apiPieces },
  { name: 'Discord', file: shared('openapi/discord.json.gz'), pieces: apiPieces },
  { name: 'petstore', file: shared('openapi/petstore3.json'), pieces: apiPieces },
  {
    name: 'StableToolBench',
    file: shared('search/stabletoolbench-dev.json'),
    pieces: ({ tools }) => tools as unknown[],
  },
]

describe('beside o200k', () => {
  if (!SOURCES.every(({ file }) => existsSync(file))) {
    test.skip('SKIPPED: the shared data is not there', () => {})
    return
  }
  const pieces = SOURCES.flatMap(({ file, pieces }) => sample(pieces(load(file)), 160))

  test('there is enough to measure', () => {
    expect(pieces.length).toBeGreaterThan(500)
  })

  test.each(['as it is sent', 'indented'])('JSON %s: half are within 4 of 100, nearly all within 12', (form) => {
    const indent = form === 'indented' ? 2 : 0
    const texts = pieces.map((piece) => JSON.stringify(JSON.parse(piece), null, indent))
    const errors = texts.map((piece) => estimateTokens(piece) / exactly(piece) - 1)
    const sizes = errors.map(Math.abs).sort((a, b) => a - b)
    expect(sizes[Math.floor(sizes.length * 0.5)]).toBeLessThan(0.04)
    expect(sizes[Math.floor(sizes.length * 0.95)]).toBeLessThan(0.12)
    expect(Math.abs(errors.reduce((sum, error) => sum + error, 0) / errors.length)).toBeLessThan(0.03)
  })
})

describe('beside o200k, on the schemas of this package', () => {
  const folder = new URL('../../../schemas/', import.meta.url)
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')) : []
  if (files.length === 0) test.skip('SKIPPED: there are no schemas', () => {})

  test.each(files)('%s is within 15 %%', (file) => {
    const text = JSON.stringify(JSON.parse(readFileSync(new URL(file, folder), 'utf8')))
    expect(Math.abs(estimateTokens(text) / exactly(text) - 1)).toBeLessThan(0.15)
  })
})

type Json = Readonly<Record<string, unknown>>

function shared(path: string): URL {
  return new URL(`../../../../shared/data/${path}`, import.meta.url)
}

function load(file: URL): Json {
  const bytes = readFileSync(file)
  return JSON.parse((file.pathname.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'))
}

/** The operations and the schemas of an OpenAPI document. */
function apiPieces({ paths, components }: Json): unknown[] {
  const operations = Object.values(paths as Json).flatMap((item) => Object.values(item as Json))
  return [...operations, ...Object.values((components as Json).schemas as Json)]
}

/** Evenly spread, of the size of one reply. */
function sample(values: readonly unknown[], count: number): string[] {
  const every = Math.ceil(values.length / count)
  const chosen = values.filter((_, i) => i % every === 0).map((value) => JSON.stringify(value))
  return chosen.filter((text) => text.length > 80 && text.length < 20_000)
}
