import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TRUST_LEVELS, type TrustLevel } from '../../protocol/trust.ts'
import type { Certificate } from './certificate.ts'
import { effectiveTrust, type TrustFacts } from './effective-trust.ts'
import type { TrustRecord } from './trust-record.ts'

const NOW = Date.parse('2026-06-01T00:00:00Z')
const record: TrustRecord = {
  adapter: 'notes',
  hash: 'a',
  operations: { get_note: '1', add_note: '2' },
  level: 'certified',
  basis: 'evidence',
  history: [],
}
// Made by hand: how a certificate is verified is the matter of certificate.test.ts.
const certificate = {
  authority: 'acme',
  signature: 'c2ln',
  certificate_id: 'c-1',
  issued_at: '2026-01-01T00:00:00Z',
  expires_at: '2027-01-01T00:00:00Z',
  scope: ['get_note'],
} as unknown as Certificate
const facts: TrustFacts = { recorded: record, hash: 'a', operation: { name: 'get_note', hash: '1' }, now: NOW }

test.each<[TrustLevel, TrustLevel, TrustLevel]>([
  ['validated', 'community_reviewed', 'validated'],
  ['community_reviewed', 'validated', 'validated'],
  ['certified', 'generated', 'generated'],
  ['untested', 'certified', 'untested'],
  ['generated', 'untested', 'untested'],
])('TRUST-03 R-18 claim %s, record %s: %s', (claim, level, effective) => {
  expect(effectiveTrust({ ...facts, claim, recorded: { ...record, level } }).level).toBe(effective)
})

test('TRUST-03 a claim without a record is worth nothing', () => {
  const { recorded: _, ...alone } = facts
  expect(effectiveTrust({ ...alone, claim: 'certified', certificate })).toEqual({
    level: 'untested',
    warnings: ["the adapter claims certified, but untested is what the operator's store holds"],
  })
})

test('TRUST-03 any edit of the file returns every operation to at most generated, with a warning', () => {
  const edited = effectiveTrust({ ...facts, claim: 'certified', certificate, hash: 'b' })
  expect(edited.level).toBe('generated')
  expect(edited.warnings[0]).toContain('the adapter has changed since certified was recorded')
})

test.each([
  ['get_note', '1', 'validated', 0],
  ['add_note', '9', 'generated', 1],
  ['new_note', '1', 'generated', 1],
])(
  'R-43 a source without block: the record alone, operation by operation: %s %s → %s',
  (name, hash, level, warnings) => {
    const recorded: TrustRecord = { ...record, level: 'validated' }
    const found = effectiveTrust({ ...facts, recorded, hash: 'b', operation: { name, hash } })
    expect(found.level).toBe(level)
    expect(found.warnings).toHaveLength(warnings)
  },
)

test.each<[string, Partial<TrustFacts>, TrustLevel, string | undefined]>([
  ['TRUST-07 in force and in scope', { certificate }, 'certified', undefined],
  ['TRUST-07 none verified', {}, 'community_reviewed', 'no certificate was verified'],
  [
    'TRUST-07 out of scope',
    { certificate, operation: { name: 'add_note', hash: '2' } },
    'community_reviewed',
    "does not cover 'add_note'",
  ],
  [
    'TRUST-11 from the moment it expires',
    { certificate, now: Date.parse('2027-01-01T00:00:00Z') },
    'community_reviewed',
    'in force from 2026-01-01T00:00:00Z to 2027-01-01T00:00:00Z only',
  ],
  ['TRUST-11 a moment before', { certificate, now: Date.parse('2027-01-01T00:00:00Z') - 1 }, 'certified', undefined],
])('%s', (_, change, level, warning) => {
  for (const claim of [{}, { claim: 'certified' }] as const) {
    const found = effectiveTrust({ ...facts, ...claim, ...change })
    expect(found.level).toBe(level)
    expect(found.warnings).toEqual(warning === undefined ? [] : [expect.stringContaining(warning)])
  }
})

test('TRUST-03 nothing raises the level above claim or record', () => {
  const levels = fc.constantFrom<TrustLevel>('untested', 'generated', 'validated', 'community_reviewed', 'certified')
  const hashes = fc.constantFrom('a', 'b', '1', '2')
  fc.assert(
    fc.property(levels, levels, hashes, hashes, fc.boolean(), (claim, level, hash, operationHash, hasCertificate) => {
      const found = effectiveTrust({
        claim,
        recorded: { ...record, level },
        hash,
        operation: { name: 'get_note', hash: operationHash },
        ...(hasCertificate && { certificate }),
        now: NOW,
      })
      expect(TRUST_LEVELS[found.level]).toBeLessThanOrEqual(Math.min(TRUST_LEVELS[claim], TRUST_LEVELS[level]))
    }),
  )
})
