import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { scoreHint } from '../../src/core/autonomy/risk/score-hint.ts'

type Label = 'risky' | 'benign' | 'ordinary'

/** Commands written and labelled for this test, before any of them was scored: one a line, a file for each label. */
const hintsOf = (folder: string, label: Label) =>
  readFileSync(new URL(`commands/${folder}${label}.txt`, import.meta.url), 'utf8')
    .replace(/\n$/, '')
    .split('\n')

const known = new Map<string, readonly number[]>()

const share = (folder: string, label: Label, above: number) => {
  const scores = known.get(folder + label) ?? hintsOf(folder, label).map((hint) => scoreHint(hint).score)
  known.set(folder + label, scores)
  return scores.filter((score) => score > above).length / scores.length
}

describe('AUTO-13 commands of many tools', () => {
  test('there are enough of each kind', () => {
    const counts = (['', 'second/'] as const).map((folder) =>
      (['risky', 'benign', 'ordinary'] as const).map((label) => hintsOf(folder, label).length),
    )
    expect(counts).toEqual([
      [663, 694, 271],
      [369, 319, 510],
    ])
  })

  test.each([
    ['', 'risky', 30, 0.985],
    ['', 'risky', 60, 0.97],
    ['second/', 'risky', 30, 0.98],
    ['second/', 'risky', 60, 0.93],
  ] as const)('of %s%s ones above %i at least %f', (folder, label, above, least) => {
    expect(share(folder, label, above)).toBeGreaterThanOrEqual(least)
  })

  test.each([
    ['', 'benign', 30, 0.05],
    ['', 'benign', 60, 0.02],
    ['', 'ordinary', 30, 0.14],
    ['', 'ordinary', 60, 0.025],
    ['second/', 'benign', 30, 0.04],
    ['second/', 'benign', 60, 0.005],
    ['second/', 'ordinary', 30, 0.135],
    ['second/', 'ordinary', 60, 0.025],
  ] as const)('of %s%s ones above %i at most %f', (folder, label, above, most) => {
    expect(share(folder, label, above)).toBeLessThanOrEqual(most)
  })
})
