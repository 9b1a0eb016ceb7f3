import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { scoreHint } from '../../src/core/autonomy/risk/score-hint.ts'

/** Commands written and labelled for this test, before any of them was scored: one a line, a file for each label. */
const SCORES = new Map(
  (['risky', 'benign', 'ordinary'] as const).map((label) => {
    const text = readFileSync(new URL(`commands/${label}.txt`, import.meta.url), 'utf8')
    return [
      label,
      text
        .trim()
        .split('\n')
        .map((hint) => scoreHint(hint).score),
    ] as const
  }),
)

const share = (label: 'risky' | 'benign' | 'ordinary', above: number) => {
  const scores = SCORES.get(label) ?? []
  return scores.filter((score) => score > above).length / scores.length
}

describe('AUTO-13 commands of many tools', () => {
  test('there are enough of each kind', () => {
    expect([...SCORES].map(([label, scores]) => [label, scores.length])).toEqual([
      ['risky', 663],
      ['benign', 694],
      ['ordinary', 271],
    ])
  })

  test.each([
    ['risky', 30, 0.985],
    ['risky', 60, 0.97],
  ] as const)('of the %s ones above %i at least %f', (label, above, least) => {
    expect(share(label, above)).toBeGreaterThanOrEqual(least)
  })

  test.each([
    ['benign', 30, 0.05],
    ['benign', 60, 0.02],
    ['ordinary', 30, 0.14],
    ['ordinary', 60, 0.025],
  ] as const)('of the %s ones above %i at most %f', (label, above, most) => {
    expect(share(label, above)).toBeLessThanOrEqual(most)
  })
})
