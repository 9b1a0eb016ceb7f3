import { expect, test } from 'vitest'
import { tokensOf } from './search-tokens.ts'

const words = (text: string) => tokensOf(text).map((token) => token.lower)

test.each([
  ['kick off the build', ['start', 'the', 'build']],
  ['kicking it off', ['start', 'it']],
  ['spin up a box', ['start', 'create', 'a', 'box']],
  ['get rid of hook 12', ['delete', 'hook', '12']],
  ['throw user 9 out', ['remove', 'user', '9']],
  ['turn the old alerts off now', ['disable', 'the', 'old', 'alerts', 'now']],
  ['bring the branch up to date', ['bring', 'the', 'branch', 'update']],
  ['take one two three four five away', ['take', 'one', 'two', 'three', 'four', 'five', 'away']],
  ['throw it, get out', ['throw', 'it', 'get', 'out']],
  ["comment 'kick off' there", ['comment', 'kick', 'off', 'there']],
])('design §5 search puts phrasal verbs plainly: %j', (text, expected) => {
  expect(words(text)).toEqual(expected)
})

test('design §5 search keeps the end of a sentence when a particle goes', () => {
  expect(tokensOf('Throw user 9 out. Then list all').map((token) => token.ends)).toEqual([
    'nothing',
    'nothing',
    'sentence',
    'nothing',
    'nothing',
    'nothing',
  ])
})

test('design §5 search numbers quotations and gives up those that never end', () => {
  const quotations = (text: string) => tokensOf(text).map((token) => token.quotation)
  expect(quotations(`say 'off by one' and "x" now`)).toEqual([undefined, 1, 1, 1, undefined, 2, undefined])
  expect(quotations("the users' 'open end")).toEqual([undefined, undefined, undefined, undefined])
})

test('design §5 search reads 2,000 characters and no more', () => {
  expect(tokensOf('word '.repeat(10_000))).toHaveLength(400)
  expect(
    tokensOf('ﷺ'.repeat(5_000))
      .map((token) => token.text)
      .join('').length,
  ).toBeLessThanOrEqual(2_000)
})
