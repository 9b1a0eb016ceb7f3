import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCursorCodec } from './cursor.ts'

const codec = createCursorCodec(new Uint8Array(32).fill(7))
const position = fc.array(fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)), { maxLength: 3 })

test('PAGE-08 a cursor always denotes the same position, in base64url, also for another process with the same key', () => {
  fc.assert(
    fc.property(position, fc.string(), (values, scope) => {
      const cursor = codec.encode(values, scope)
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/)
      expect(codec.encode(values, scope)).toBe(cursor)
      expect(createCursorCodec(new Uint8Array(32).fill(7)).decode(cursor, scope)).toEqual(values)
    }),
  )
})

test('PAGE-08 a cursor is compact', () => {
  expect(codec.encode(['2026-02-04T10:30:00.000Z', 'iss_12345'], 'list_issues').length).toBeLessThan(70)
})

test('PAGE-08 any other text is refused', () => {
  fc.assert(
    fc.property(position, fc.nat(), fc.constantFrom(...'AZaz09-_=+/. \n'), fc.nat(2), (values, at, letter, how) => {
      const cursor = codec.encode(values, 's')
      const index = at % cursor.length
      const tampered = [
        cursor.slice(0, index) + letter + cursor.slice(index + 1),
        cursor.slice(0, index) + letter + cursor.slice(index),
        cursor.slice(0, index) + cursor.slice(index + 1),
      ][how]
      fc.pre(tampered !== cursor)
      expect(codec.decode(tampered ?? '', 's')).toBeUndefined()
    }),
    { numRuns: 1000 },
  )
})

test.each([
  ['of another scope', codec.encode([1], 'list_notes'), 'list_tasks'],
  ['of another key', createCursorCodec(new Uint8Array(32)).encode([1], 's'), 's'],
  ['empty', '', 's'],
  ['invented', 'eyJvZmZzZXQiOjIwfQ', 's'],
  ['enormous', 'A'.repeat(200_000), 's'],
  ['not ASCII', 'ünïcödé'.repeat(9), 's'],
])('PAGE-08 a cursor %s is refused', (_, cursor, scope) => {
  expect(codec.decode(cursor, scope)).toBeUndefined()
})

test('PAGE-08 a position that is too large for a cursor is a bug, not a cursor', () => {
  expect(() => codec.encode(['x'.repeat(70_000)], 's')).toThrow(RangeError)
})
