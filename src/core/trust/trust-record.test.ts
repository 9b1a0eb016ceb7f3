import { expect, test } from 'vitest'
import type { TrustLevel } from '../../protocol/trust.ts'
import {
  recordSource,
  type SourceRecording,
  type TrustRecord,
  type TrustWord,
  takeWord,
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

test('R-43 a source that is new starts with the level of its kind, for its content', () => {
  expect(said({ content: A })).toEqual({
    changed: true,
    record: {
      adapter: 'notes',
      ...A,
      level: 'generated',
      basis: 'default',
      history: [
        {
          from: 'untested',
          to: 'generated',
          at: '2026-02-04T10:30:00.000Z',
          by: 'olga',
          reason: 'what a source of this kind starts with',
        },
      ],
    },
  })
  expect(said({ initial: 'validated' })).toMatchObject({ record: { level: 'validated', basis: 'default' } })
  expect(said({ level: 'validated' })).toMatchObject({ record: { level: 'validated', basis: 'word' } })
})

test.each(['community_reviewed', 'certified'] as const)('R-43 %s is not given by word', (level) => {
  const refused = { error: expect.stringContaining('set validated at most') }
  expect(said({ content: A, level })).toEqual(refused)
  expect(said({ content: A, level }, validated)).toEqual(refused)
  expect(taken({ level })).toEqual(refused)
  expect(taken({ level, content: B }, { ...validated, level: 'certified', basis: 'evidence' })).toEqual(refused)
})

const byDefault: TrustRecord = { ...validated, basis: 'default' }
const byHand: TrustRecord = { ...validated, isByHand: true }
const earned: TrustRecord = { ...validated, level: 'certified', basis: 'evidence' }

type Expected = readonly [level: TrustLevel, hash: string, changed: boolean]

// biome-ignore format: a table reads by columns
test.each<[string, Partial<SourceRecording>, TrustRecord, Expected]>([
  ['the same content again',                          {},                                           validated, ['validated', 'a', false]],
  ['changed content is held',                         { content: B },                               validated, ['validated', 'a', false]],
  ['the same setting accepts no change',              { content: B, level: 'validated' },           validated, ['validated', 'a', false]],
  ['a lower setting',                                 { level: 'generated' },                       validated, ['generated', 'a', true]],
  ['a lower setting than what was set by hand',       { level: 'generated' },                       byHand,    ['generated', 'a', true]],
  ['a higher setting',                                { level: 'validated' },                       { ...validated, level: 'generated' }, ['validated', 'a', true]],
  ['a higher setting accepts no change either',       { content: B, level: 'validated' },           { ...validated, level: 'generated' }, ['validated', 'a', true]],
  ['no setting raises what was set by hand',          { level: 'validated' },                       { ...byHand, level: 'generated' }, ['generated', 'a', false]],
  ['a setting takes nothing from what was earned',    { level: 'validated' },                       earned,    ['certified', 'a', false]],
  ['a setting below what a word can give does',       { level: 'generated' },                       earned,    ['generated', 'a', true]],
  ['by default it holds for whatever it is now',      { content: B, initial: 'validated' },         byDefault, ['validated', 'b', true]],
  ['and follows its kind',                            { content: B, initial: 'generated' },         byDefault, ['generated', 'b', true]],
  ['TRUST-03 but not where the adapter vouches',      { content: B, initial: 'validated', hasClaim: true }, byDefault, ['validated', 'a', false]],
  ['the first setting is about what it is now',       { content: B, level: 'validated' },           byDefault, ['validated', 'b', true]],
])('R-43 at the start: %s', (_, recording, known, [level, hash, changed]) => {
  expect(said(recording, known)).toMatchObject({ changed, record: { level, hash } })
})

// biome-ignore format: a table reads by columns
test.each<[string, Partial<TrustWord>, TrustRecord, Expected]>([
  ['lowers',                                          { level: 'untested' },                        validated, ['untested', 'a', true]],
  ['raises',                                          {},                                           { ...byHand, level: 'generated' }, ['validated', 'a', true]],
  ['says the same again',                             {},                                           byHand,    ['validated', 'a', false]],
  ['vouches for a default',                           {},                                           byDefault, ['validated', 'a', true]],
  ['accepts a change',                                { content: B },                               byHand,    ['validated', 'b', true]],
  ['TRUST-10 lowers what was earned',                 { level: 'community_reviewed' },              earned,    ['community_reviewed', 'a', true]],
])('R-43 the operator %s', (_, word, known, [level, hash, changed]) => {
  expect(taken(word, known)).toMatchObject({ changed, record: { level, hash, ...(changed && { isByHand: true }) } })
})

test('R-43 what the operator said is kept in the history', () => {
  expect(taken({ level: 'generated' })).toMatchObject({
    record: {
      basis: 'word',
      history: [
        { from: 'validated', to: 'generated', at: '2026-02-04T10:30:00.000Z', by: 'olga', reason: 'it sends mail' },
      ],
    },
  })
})

test('R-43 reports and reviews about other content are not kept', () => {
  const known: TrustRecord = { ...validated, validated_at: 'x', validation_report: {}, reviews: [] }
  const kept = taken({ content: B }, known)
  expect('record' in kept && Object.keys(kept.record).sort()).toEqual([
    'adapter',
    'basis',
    'hash',
    'history',
    'isByHand',
    'level',
    'operations',
  ])
})

function said(recording: Partial<SourceRecording>, known?: TrustRecord) {
  return recordSource(known, { adapter: 'notes', content: A, by: 'olga', now: NOW, ...recording })
}

function taken(word: Partial<TrustWord>, known: TrustRecord = validated) {
  return takeWord(known, { content: A, level: 'validated', by: 'olga', reason: 'it sends mail', now: NOW, ...word })
}
