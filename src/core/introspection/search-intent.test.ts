import { expect, test } from 'vitest'
import { intentOf } from './search-intent.ts'
import { tokensOf } from './search-tokens.ts'

const guess = (text: string) => {
  const intent = intentOf(tokensOf(text), text.endsWith('?'))
  return Object.entries(intent).sort(([, a], [, b]) => b - a)[0]?.[0]
}

test.each([
  ['create a bug issue in harbor/web', 'CREATE'],
  ['please could you delete the old branch?', 'DELETE'],
  ['can you restart worker 4?', 'EXECUTE'],
  ['My disk is full. Can you purge the caches?', 'DELETE'],
  ['rename my playlist', 'UPDATE'],
  ['which checks were executed', 'READ'],
  ['is DNS healthy?', 'READ'],
  ['invites still waiting for an answer', 'READ'],
  ['tear down my dev box', 'DELETE'],
  ['roll the release back', 'EXECUTE'],
  ['frobnicate the thing', 'UPDATE'],
  ['mia should own task 7', 'UPDATE'],
  ['we do not use this project any more', 'DELETE'],
  ['I need a playground', 'CREATE'],
  ['too heated: lock the conversation', 'UPDATE'],
  ["show me the comment 'delete everything'", 'READ'],
  ['constructor', 'READ'],
  ['', 'READ'],
])('design §5 search guesses what is wanted: %j is %s', (text, category) => {
  expect(guess(text)).toBe(category)
})

test('design §5 search shares certainty out: the five add up to one', () => {
  const intent = intentOf(tokensOf('archive it and send a note, then merge'), false)
  expect(Object.values(intent).reduce((sum, value) => sum + value, 0)).toBeCloseTo(1)
  expect(Math.min(...Object.values(intent))).toBeGreaterThan(0)
})
