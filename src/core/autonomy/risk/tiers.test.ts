import { expect, test } from 'vitest'
import { tierOf } from './tiers.ts'

test.each([
  [0, 'advisory'],
  [30, 'advisory'],
  [30.1, 'confirm'],
  [31, 'confirm'],
  [60, 'confirm'],
  [61, 'verify'],
  [85, 'verify'],
  [86, 'danger_zone'],
  [100, 'danger_zone'],
])('AUTO-11 a score of %s is %s', (score, tier) => {
  expect(tierOf(score)).toBe(tier)
})
