import { expect, test } from 'vitest'
import type { ObjectType } from '../registry/type.ts'
import { checkVersion } from './if-match.ts'

const type: ObjectType = { name: 'Note', kind: 'object', fields: {}, version: '_version' }

test.each([
  ['the same number', 3, { _version: 3 }],
  ['the same number as text', '3', { _version: 3 }],
  ['the same etag', 'W/"a1"', { _version: 'W/"a1"' }],
  ['nothing asked', undefined, { _version: 3 }],
])('CONC-03 %s passes', (_, given, stored) => {
  expect(checkVersion(given, stored, type, 'n1')).toBeUndefined()
})

test.each([
  ['another number', 2, { _version: 3 }, 3],
  ['another etag', 'W/"a1"', { _version: 'W/"b2"' }, 'W/"b2"'],
  ['no version stored', 'undefined', {}, 'none'],
])('CONC-03 %s is a conflict', (_, given, stored, actual) => {
  expect(checkVersion(given, stored, type, 'n1')).toEqual({
    success: false,
    error: {
      code: 'CONFLICT_VERSION_MISMATCH',
      message: "Version mismatch for 'n1'",
      details: { resource_type: 'Note', resource_id: 'n1', expected_version: given, actual_version: actual },
    },
  })
})

test('CONC-03 a type without versions has nothing to compare', () => {
  const { version: _, ...plain } = type
  expect(checkVersion(1, { _version: 2 }, plain, 'n1')).toBeUndefined()
})
