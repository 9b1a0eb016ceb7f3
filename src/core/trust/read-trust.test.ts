import { expect, test } from 'vitest'
import { TRUST_LEVEL_NAMES } from '../../protocol/trust.ts'
import { readTrust } from './read-trust.ts'

const AT = '2026-02-04T10:30:00Z'

const CERTIFICATION = {
  authority: 'acme',
  signature: 'c2lnbmVk',
  certificate_id: 'c-1',
  issued_at: AT,
  expires_at: '2027-02-04T10:30:00Z',
  scope: ['all_operations'],
}

const WHOLE = {
  level: 'certified',
  generated_at: AT,
  generated_by: 'generator 1.0',
  validated_at: AT,
  validated_by: 'harness',
  validation_report: {
    tests_passed: 9,
    tests_total: 9,
    endpoints_verified: 4,
    coverage_percent: 87.5,
    last_api_response: AT,
  },
  promoted_from: 'community_reviewed',
  promotion_history: [{ from: 'untested', to: 'generated', at: AT, by: 'me', reason: 'first' }],
  certification: CERTIFICATION,
}

test('TRUST-01 the levels in their order, and no others', () => {
  expect(TRUST_LEVEL_NAMES).toEqual(['untested', 'generated', 'validated', 'community_reviewed', 'certified'])
})

test('TRUST-08 the whole block is taken as it is', () => {
  expect(readTrust(WHOLE)).toEqual({ claim: 'certified', block: WHOLE, warnings: [] })
})

test.each([
  [{ level: 'untested' }],
  [{ level: 'generated', certification: null }],
  [{ level: 'validated', validation_report: {}, promotion_history: [] }],
])('TRUST-08 %j is a block', (block) => {
  expect(readTrust(block)).toEqual({ claim: block.level, block, warnings: [] })
})

test.each([
  ['no block', undefined, 'there is no `trust` block'],
  ['null', null, 'must be an object'],
  ['a bare level', 'certified', 'must be an object'],
  ['no level', { generated_at: AT }, '`trust.level` is missing'],
  ['R-17 a level of the adapter schema', { level: 'verified' }, 'the trust level "verified" is unknown'],
  ['R-17 another spelling', { level: 'Certified' }, 'the trust level "Certified" is unknown'],
  ['R-17 a name of Object.prototype', { level: 'constructor' }, 'the trust level "constructor" is unknown'],
  ['a number', { level: 4 }, '`trust.level` must be one of untested'],
  ['TRUST-08 operation_overrides', { ...WHOLE, operation_overrides: {} }, '"operation_overrides", which is unknown'],
  ['TRUST-08 delegated_from', { ...WHOLE, delegated_from: 'x' }, '"delegated_from", which is unknown'],
  ['TRUST-08 composite', { ...WHOLE, composite: [] }, '"composite", which is unknown'],
  ['TRUST-08 a day alone', { ...WHOLE, generated_at: '2026-02-04' }, '`trust.generated_at` must be an ISO 8601 time'],
  ['TRUST-08 a report with another key', { ...WHOLE, validation_report: { passed: 1 } }, '"passed", which is unknown'],
  ['TRUST-08 half a test', { ...WHOLE, validation_report: { tests_passed: 1.5 } }, 'tests_passed` must be an integer'],
  ['TRUST-08 more than everything', { ...WHOLE, validation_report: { coverage_percent: 101 } }, 'from 0 to 100'],
  ['TRUST-08 an unknown origin', { ...WHOLE, promoted_from: 'nowhere' }, '`trust.promoted_from` must be one of'],
  ['TRUST-08 a history of texts', { ...WHOLE, promotion_history: ['x'] }, 'promotion_history[0]` must be an object'],
  [
    'TRUST-08 a history without name',
    { ...WHOLE, promotion_history: [{ from: 'untested', to: 'generated', at: AT }] },
    'promotion_history[0].by` is missing',
  ],
  ['TRUST-08 a certificate without end', without('expires_at'), '`trust.certification.expires_at` is missing'],
  ['TRUST-08 a certificate without scope', without('scope'), '`trust.certification.scope` is missing'],
  ['TRUST-08 a signature that is none', certified({ signature: '***' }), 'a signature in base64'],
  ['TRUST-08 an empty signature', certified({ signature: '' }), 'a signature in base64'],
  ['TRUST-08 a certificate with another key', certified({ trust: 1 }), '"trust", which is unknown'],
])('TRUST-02 %s loads as untested with a warning', (_, block, part) => {
  expect(readTrust(block)).toEqual({ claim: 'untested', warnings: [expect.stringContaining(part)] })
})

test('TRUST-02 a block that is changed afterwards changes nothing', () => {
  const block = structuredClone(WHOLE)
  const read = readTrust(block)
  block.certification.scope.push('more')
  expect(read.block).toEqual(WHOLE)
})

function certified(change: object) {
  return { ...WHOLE, certification: { ...CERTIFICATION, ...change } }
}

function without(key: string) {
  const entries = Object.entries(CERTIFICATION).filter(([name]) => name !== key)
  return { ...WHOLE, certification: Object.fromEntries(entries) }
}
