import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isDeceptive, judge } from './deceptive.ts'
import { createFlags } from './flags.ts'
import { shownValue } from './shown.ts'

const PIECES = [
  'a',
  'payment',
  ' ',
  '\n',
  '\t',
  '\r',
  '\u043E',
  '\u200B',
  '\u202E',
  'é',
  'e\u0301',
  '東',
  '"',
  '\\',
  '0',
]
const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(''))

test('DNG-17 a value counts as deceptive exactly where the page would mark it', async () => {
  const value = fc.oneof(
    text,
    fc.array(text, { maxLength: 3 }),
    fc.dictionary(text, text, { maxKeys: 3 }),
    fc.integer(),
  )
  await fc.assert(
    fc.asyncProperty(value, async (each) => {
      const { hidden, alike, scripts } = shownValue(each)
      expect(await isDeceptive(each)).toBe(hidden || alike)
      const judged = await judge(each)
      expect({ ...judged, scripts: [...judged.scripts].sort() }).toEqual({
        hidden,
        alike,
        scripts: [...scripts].sort(),
      })
    }),
  )
})

test('each version of a request is looked through once', async () => {
  let reads = 0
  const params = {
    get branch() {
      reads++
      return 'h\u043Etfix'
    },
    force: true,
  }
  const flags = createFlags()
  const counts = await Promise.all([1, 1, 1, 2].map((version) => flags({ id: 'req_1', version, params })))
  expect([counts, reads]).toEqual([[1, 1, 1, 1], 2])
})
