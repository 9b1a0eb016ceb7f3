import { expect, test } from 'vitest'
import type { TrustLevel } from '../../protocol/trust.ts'
import {
  recordSource,
  type SourceRecording,
  type TrustRecord,
  trustOfContent,
  trustOfOperation,
  trustRecord,
} from './trust-record.ts'

const NOW = Date.parse('2026-02-04T10:30:00Z')
const A = { hash: 'a', operations: { get_note: '1', add_note: '2' } }
const B = { hash: 'b', operations: { get_note: '1', add_note: '3', wipe: '4' } }

const validated: TrustRecord = { adapter: 'notes', ...A, level: 'validated', basis: 'word', history: [] }

test('the record is kept under kind trust and the name of the adapter', () => {
  expect(trustRecord('notes')).toEqual({ kind: 'trust', id: 'notes' })
})

test.each<[TrustLevel, string, TrustLevel]>([
  ['certified', 'a', 'certified'],
  ['certified', 'b', 'generated'],
  ['validated', 'b', 'generated'],
  ['generated', 'b', 'generated'],
  ['untested', 'b', 'untested'],
])('TRUST-03 recorded %s for content a, asked for %s: %s', (level, hash, effective) => {
  expect(trustOfContent({ ...validated, level }, hash)).toBe(effective)
})

test('TRUST-02 without a record nothing is trusted', () => {
  expect(trustOfContent(undefined, 'a')).toBe('untested')
  expect(trustOfOperation(undefined, 'get_note', '1')).toBe('untested')
})

test.each([
  ['get_note', '1', 'validated'],
  ['add_note', '3', 'generated'],
  ['wipe', '4', 'generated'],
  ['toString', 'x', 'generated'],
])('R-43 only what changed falls back: %s with hash %s is %s', (name, hash, level) => {
  expect(trustOfOperation(validated, name, hash)).toBe(level)
})

test('R-43 naming a source records generated for its content', () => {
  expect(said({ content: A })).toEqual({
    changed: true,
    record: {
      adapter: 'notes',
      ...A,
      level: 'generated',
      basis: 'word',
      history: [
        {
          from: 'untested',
          to: 'generated',
          at: '2026-02-04T10:30:00.000Z',
          by: 'olga',
          reason: 'the operator named this source',
        },
      ],
    },
  })
})

test.each(['community_reviewed', 'certified'] as const)('R-43 %s is not given by word', (level) => {
  expect(said({ content: A, level })).toEqual({ error: expect.stringContaining('set validated at most') })
  expect(said({ content: A, level }, validated)).toEqual({ error: expect.stringContaining('set validated at most') })
})

test.each<[string, Partial<SourceRecording>, TrustRecord, { level: TrustLevel; hash: string; changed: boolean }]>([
  ['the same content again', { content: A }, validated, { level: 'validated', hash: 'a', changed: false }],
  ['changed content is held', { content: B }, validated, { level: 'validated', hash: 'a', changed: false }],
  [
    'the same word about changed content is no new word',
    { content: B, level: 'validated' },
    validated,
    { level: 'validated', hash: 'a', changed: false },
  ],
  [
    'an accepted change counts for the new content',
    { content: B, acceptsChange: true },
    validated,
    { level: 'validated', hash: 'b', changed: true },
  ],
  ['a lower word', { content: A, level: 'generated' }, validated, { level: 'generated', hash: 'a', changed: true }],
  [
    'a higher word',
    { content: A, level: 'validated' },
    { ...validated, level: 'generated' },
    { level: 'validated', hash: 'a', changed: true },
  ],
  [
    'a new word about changed content is about what it is now',
    { content: B, level: 'validated' },
    { ...validated, level: 'generated' },
    { level: 'validated', hash: 'b', changed: true },
  ],
  [
    'a word takes nothing from what was earned',
    { content: A, level: 'validated' },
    { ...validated, level: 'certified', basis: 'evidence' },
    { level: 'certified', hash: 'a', changed: false },
  ],
  [
    'accepting a change of what was earned gives what a word can give',
    { content: B, acceptsChange: true },
    { ...validated, level: 'certified', basis: 'evidence' },
    { level: 'validated', hash: 'b', changed: true },
  ],
])('R-43 %s', (_, recording, known, { level, hash, changed }) => {
  expect(said(recording, known)).toMatchObject({ changed, record: { level, hash } })
})

test('R-43 reports and reviews about other content are not kept', () => {
  const known: TrustRecord = { ...validated, validated_at: 'x', validation_report: {}, reviews: [] }
  const kept = said({ content: B, acceptsChange: true }, known)
  expect('record' in kept && Object.keys(kept.record).sort()).toEqual([
    'adapter',
    'basis',
    'hash',
    'history',
    'level',
    'operations',
  ])
})

function said(recording: Partial<SourceRecording>, known?: TrustRecord) {
  return recordSource(known, { adapter: 'notes', content: A, by: 'olga', now: NOW, ...recording })
}
