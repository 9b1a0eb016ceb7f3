import { expect, test } from 'vitest'
import { createByteBudget } from './byte-budget.ts'

function setUp(most: number) {
  const time = { now: 0 }
  const given: string[] = []
  const budget = createByteBudget(most, () => time.now)
  const hold = (name: string, bytes: number, key = 'one') => {
    const share = budget(key, () => given.push(name))
    share.grow(bytes)
    return share
  }
  return { hold, given, time }
}

test.each([
  ['the largest', [3, 5, 4], 'b'],
  ['the oldest of equals', [4, 4, 4], 'a'],
  ['the new one where it is the largest', [3, 3, 6], 'c'],
])('beyond the limit %s is given up', (_, [a, b, c], expected) => {
  const { hold, given } = setUp(11)
  hold('a', a as number)
  hold('b', b as number)
  expect(given).toEqual([])
  hold('c', c as number)
  expect(given).toEqual([expected])
})

test('what was held for long goes first, however small it is', () => {
  const { hold, given, time } = setUp(10)
  hold('small', 2)
  time.now += 2_001
  hold('large', 7)
  hold('new', 3)
  expect(given).toEqual(['small'])
})

test('whoever holds most gives up something, and keeps what the others hold out of it', () => {
  const { hold, given, time } = setUp(12)
  hold('own', 3, 'named')
  time.now += 2_001
  hold('a', 4)
  hold('b', 5)
  hold('more', 2, 'named')
  expect(given).toEqual(['b'])
})

test('what was released or given up makes room, once', () => {
  const { hold, given } = setUp(10)
  const first = hold('a', 6)
  first.release()
  first.release()
  const second = hold('b', 10)
  second.grow(1)
  second.grow(100)
  hold('c', 10)
  expect(given).toEqual(['b'])
})
