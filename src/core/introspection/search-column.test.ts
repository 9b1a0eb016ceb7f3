import { expect, test } from 'vitest'
import { createColumn } from './search-column.ts'

test('design §5 search keeps every number of a growing column, in order', () => {
  const column = createColumn((length) => new Int32Array(length))
  for (let at = 0; at < 5_000; at++) column.push(at - 2_500)
  expect(column.length()).toBe(5_000)
  expect(Array.from(column.finish())).toEqual(Array.from({ length: 5_000 }, (_, at) => at - 2_500))
})

test('design §5 search has nothing in an empty column', () => {
  expect(createColumn((length) => new Float32Array(length)).finish()).toEqual(new Float32Array(0))
})
