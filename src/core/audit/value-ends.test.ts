import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createValueEnds } from './value-ends.ts'

const PIECES = ['pw=', '/', '"', "'", '\\"', '\\', ' ', ',', '$', '$(', '`', '%a%', 'a', 'b1', '&', '\n', '$A'] as const

test('what was read before does not change where a value ends', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), fc.boolean(), (pieces, isCut) => {
      const text = pieces.join('')
      const ends = createValueEnds(text, isCut)
      for (let start = 0; start <= text.length; start++) {
        if (text[start - 1] === '\\') continue // no value begins inside an escape
        expect(ends.valueEnd(start), `${text} at ${start}`).toBe(createValueEnds(text, isCut).valueEnd(start))
      }
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  ['pw=abc def', 3, 6],
  ['pw="a b"c;', 3, 9],
  [`pw="a b"'c d' e`, 3, 13],
  ['pw=$NAME x', 3, 3],
  ['pw="a $(rm)"', 3, 6],
  ['pw="open', 3, 8],
])('%s', (text, start, end) => {
  expect(createValueEnds(text, false).valueEnd(start)).toBe(end)
})
