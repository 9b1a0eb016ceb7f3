import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from '../canonical-json.ts'
import type { AuditEntry } from './entry.ts'
import { bounded, entryText } from './entry-text.ts'

const ENTRY: AuditEntry = { timestamp: '2026-11-16T00:00:00.000Z', event: 'OPERATION_DENIED', operation: 'delete_it' }
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('S3 AUDIT-03 no entry is longer than the trail can bear', () => {
  test('what is short is written as it is', () => {
    const entry = { ...ENTRY, parameters: { name: 'x'.repeat(3_000) }, reason: 'because' }
    expect(entryText(ENTRY)).toBe(JSON.stringify(ENTRY))
    expect(entryText(entry)).toBe(JSON.stringify(entry))
  })

  test('long parameters are written as hash, size and beginning', () => {
    const parameters = { b: 1, a: 'y'.repeat(900_000) }
    const text = canonicalJson(parameters)
    const stored = JSON.parse(entryText({ ...ENTRY, parameters }))
    expect(stored.operation).toBe('delete_it')
    expect(stored.parameters).toEqual({
      $cut: { sha256: sha256(text), bytes: text.length, preview: text.slice(0, 1_000) },
    })
  })

  test('what an agent does is kept whole up to 12 KiB', () => {
    const hint = `git log ${'src/a.ts '.repeat(1_000)}; rm -rf /srv`
    expect(JSON.parse(entryText({ ...ENTRY, hint })).hint).toBe(hint)
    expect(JSON.parse(entryText({ ...ENTRY, hint: hint.repeat(2) })).hint.$cut.bytes).toBe(hint.length * 2 + 2)
  })

  test('every other text is bounded as well', () => {
    const long = 'ß'.repeat(100_000)
    const stored = entryText({ ...ENTRY, reason: long, hint: long, old: [long], user_id: long, session_id: long })
    expect(Buffer.byteLength(stored)).toBeLessThanOrEqual(16_384)
    const { reason, user_id } = JSON.parse(stored)
    expect(reason.$cut).toMatchObject({ sha256: sha256(JSON.stringify(long)), bytes: 200_002 })
    expect(user_id).toContain(`SHA-256 ${sha256(long)}`)
  })

  test('whatever its fields hold', () => {
    const text = fc
      .tuple(fc.constantFrom('x', 'ß', '"', '\u0000', '\ud800', '🦊'), fc.integer({ min: 0, max: 9_000 }))
      .map(([letter, times]) => letter.repeat(times))
    const value = fc.oneof(
      text,
      fc.array(text, { maxLength: 3 }),
      fc.dictionary(text, fc.integer(), { maxKeys: 3 }),
      fc.constantFrom(null, 7, 'x'.repeat(4_090)),
    )
    const names = fc.constantFrom(...'abcdefghijkl', 'parameters', 'user_id', 'operation')
    const fields = fc.dictionary(names, value, { minKeys: 3, maxKeys: 12 })
    fc.assert(
      fc.property(fields, (more) => {
        const stored = entryText({ ...ENTRY, ...more })
        expect(Buffer.byteLength(stored)).toBeLessThanOrEqual(16_384)
        expect(JSON.parse(stored).event).toBe('OPERATION_DENIED')
        expect(JSON.stringify(JSON.parse(stored))).toBe(stored)
      }),
      { numRuns: 100 },
    )
  })
})

test('a value of 4 KiB is kept, a byte more is cut', () => {
  const fits = 'x'.repeat(4_094)
  expect(bounded(fits)).toBe(fits)
  expect(bounded(`${fits}x`)).toMatchObject({ $cut: { bytes: 4_097 } })
})
