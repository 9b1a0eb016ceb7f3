import { expect, test } from 'vitest'
import { likenessTo, nearestNames } from './letter-pairs.ts'

const NAMES = ['create_issue', 'create_comment', 'close_issue', 'list_users', 'constructor']

test.each([
  ['create_isue', ['create_issue', 'create_comment']],
  ['createIssue', ['create_issue', 'close_issue']],
  ['create-comment', ['create_comment', 'create_issue']],
  ['constructer', ['constructor']],
  ['__proto__', []],
  ['zzz', []],
  ['', []],
])('design §5 search suggests for %j the nearest names', (name, nearest) => {
  expect(nearestNames(name, NAMES, 2)).toEqual(nearest)
})

test('design §5 search suggests in the given order among equals, and no more than asked', () => {
  expect(nearestNames('abcd', ['abcx', 'abcy', 'abcz'], 2)).toEqual(['abcx', 'abcy'])
})

test.each([
  ['night', 'night', 1],
  ['night', 'nacht', 0.25],
  ['aa', 'aaaa', 0.5],
  ['a', 'a', 0],
])('design §5 search likens %s to %s by %d', (a, b, likeness) => {
  expect(likenessTo(a, 0)(b)).toBe(likeness)
})

test('design §5 search likens by nothing what is less like than asked', () => {
  const likenessOf = likenessTo('night', 0.5)
  expect(['nacht', 'n', 'nightly', 'night', 'n'.repeat(50)].map(likenessOf)).toEqual([0, 0, 0.8, 1, 0])
})
