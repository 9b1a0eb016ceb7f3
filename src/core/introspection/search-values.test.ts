import { expect, test } from 'vitest'
import { tokensOf } from './search-tokens.ts'
import { kindOf } from './search-values.ts'

test.each([
  ['https://example.com/a?b=c', 0, 1],
  ['www.example.com', 0, 1],
  ['mia@example.com', 0, 1],
  ['env=prod', 0.1, 1],
  ['LEGACY_AUTH_HEADER', 0.1, 1],
  ['harbor/web', 0.25, 2],
  ['package.json', 0.25, 1],
  ['v1.4.0', 0.25, 1],
  ['500', 0.3, 1],
  ['2026-11-16', 0.3, 1],
  ['"stale"', 0.5, 0],
  ['issue', 1, 0],
  ['sub-issue', 1, 0],
  ['x'.repeat(201), 0, 1],
])('design §5 search weighs %s by %d and counts %d values', (text, weight, values) => {
  const [token] = tokensOf(text)
  expect(token && kindOf(token)).toEqual({ weight, values })
})
