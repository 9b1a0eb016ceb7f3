import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SemanticCategory } from '../../protocol/categories.ts'
import type { DangerLevel } from '../../protocol/danger.ts'
import type { TrustLevel, TrustPolicy } from '../../protocol/trust.ts'
import { gateByTrust } from './gate-by-trust.ts'
import { matrixCell, minimumTrust } from './matrix.ts'
import { readTrustPolicy } from './trust-policy.ts'

const TRUST: readonly TrustLevel[] = ['untested', 'generated', 'validated', 'community_reviewed', 'certified']

test.each([
  ['TRUST-13', 'safe', ['introspect_only', 'allow', 'allow', 'allow', 'allow']],
  ['TRUST-14', 'reversible', ['deny', 'deny', 'allow', 'allow', 'allow']],
  ['TRUST-15', 'destructive', ['deny', 'deny', 'confirm', 'allow', 'allow']],
  ['TRUST-16', 'dangerous', ['deny', 'deny', 'deny', 'confirm', 'allow']],
  ['TRUST-17', 'forbidden', ['deny', 'deny', 'deny', 'deny', 'confirm']],
] as const)('%s matrix row %s', (_, level, cells) => {
  expect(TRUST.map((trust) => matrixCell(level, trust))).toEqual(cells)
})

test.each([
  ['safe', 'generated'],
  ['reversible', 'validated'],
  ['destructive', 'validated'],
  ['dangerous', 'community_reviewed'],
  ['forbidden', 'certified'],
] as const)('DNG-16 the minimum trust for %s is %s', (level, trust) => {
  expect(minimumTrust(level)).toBe(trust)
})

test.each([
  ['safe', ['deny', 'allow', 'allow', 'allow', 'allow']],
  ['reversible', ['deny', 'deny', 'allow', 'allow', 'allow']],
  ['destructive', ['deny', 'deny', 'confirm', 'confirm', 'confirm']],
  ['dangerous', ['deny', 'deny', 'deny', 'confirm', 'confirm']],
  ['forbidden', ['deny', 'deny', 'deny', 'deny', 'confirm']],
] as const)('DNG-13 R-10 from level 2 on `allow` still asks: %s', (level, permissions) => {
  expect(TRUST.map((trust) => ask(level, trust).permission)).toEqual(permissions)
})

test.each([
  ['destructive', 'certified', false, false],
  ['dangerous', 'certified', true, false],
  ['forbidden', 'certified', true, true],
] as const)('DNG-14 consent to %s: per call only, admin only', (level, trust, perCallOnly, adminOnly) => {
  expect(ask(level, trust)).toMatchObject({ permission: 'confirm', perCallOnly, adminOnly })
})

test('DNG-16 a refused cell says what was denied and which trust would do', () => {
  expect(ask('dangerous', 'validated')).toEqual({
    permission: 'deny',
    code: 'PERMISSION_DANGER_LEVEL_DENIED',
    details: {
      operation: 'do_it',
      danger_level: 'dangerous',
      adapter_trust: 'validated',
      minimum_trust_required: 'community_reviewed',
      reasons: ['because'],
    },
    reason: 'dangerous operations need trust community_reviewed, this one has validated',
  })
})

test('R-43 a refusal that one word would lift names the word', () => {
  expect(ask('reversible', 'generated').reason).toContain('mcpaql trust SOURCE validated')
})

test('TRUST-18 TRUST-20 an untested adapter reads nothing', () => {
  expect(ask('safe', 'untested', 'READ')).toMatchObject({
    permission: 'deny',
    code: 'PERMISSION_TRUST_LEVEL_INSUFFICIENT',
    details: { operation: 'do_it', required_trust: 'generated', actual_trust: 'untested', danger_level: 0 },
  })
})

test.each([
  ['untested', {}, 'allow'],
  ['untested', { allow_untested_introspection: true }, 'allow'],
  ['untested', { allow_untested_introspection: false }, 'deny'],
  ['generated', { allow_untested_introspection: false, require_confirmation_below: 'certified' }, 'allow'],
] as const)('TRUST-18 TRUST-19 introspect at trust %s under %j: %s', (trust, policy, permission) => {
  const question = { operation: 'introspect', category: 'READ', level: 'safe', reasons: [], trust } as const
  expect(gateByTrust(question, policy).permission).toBe(permission)
})

test.each<[TrustPolicy, SemanticCategory | 'unknown', DangerLevel, TrustLevel, string, TrustLevel | undefined]>([
  [
    { minimum_trust_for_writes: 'community_reviewed' },
    'CREATE',
    'reversible',
    'validated',
    'deny',
    'community_reviewed',
  ],
  [{ minimum_trust_for_writes: 'community_reviewed' }, 'EXECUTE', 'safe', 'validated', 'deny', 'community_reviewed'],
  [{ minimum_trust_for_writes: 'community_reviewed' }, 'READ', 'safe', 'generated', 'allow', undefined],
  [{ minimum_trust_for_writes: 'community_reviewed' }, 'unknown', 'safe', 'validated', 'deny', 'community_reviewed'],
  [{ minimum_trust_for_writes: 'validated' }, 'UPDATE', 'reversible', 'validated', 'allow', undefined],
  [
    { minimum_trust_for_deletes: 'community_reviewed' },
    'DELETE',
    'destructive',
    'validated',
    'deny',
    'community_reviewed',
  ],
  [
    { minimum_trust_for_deletes: 'community_reviewed' },
    'DELETE',
    'destructive',
    'community_reviewed',
    'confirm',
    undefined,
  ],
  [{ minimum_trust_for_deletes: 'community_reviewed' }, 'UPDATE', 'reversible', 'validated', 'allow', undefined],
  [
    { minimum_trust_for_writes: 'validated', minimum_trust_for_deletes: 'certified' },
    'DELETE',
    'destructive',
    'community_reviewed',
    'deny',
    'certified',
  ],
  [{ require_confirmation_below: 'community_reviewed' }, 'CREATE', 'reversible', 'validated', 'confirm', undefined],
  [{ require_confirmation_below: 'validated' }, 'CREATE', 'reversible', 'validated', 'allow', undefined],
  [{ require_confirmation_below: 'validated' }, 'READ', 'safe', 'generated', 'confirm', undefined],
])('TRUST-19 TRUST-20 %j: %s of level %s at trust %s is %s', (policy, category, level, trust, permission, required) => {
  const verdict = ask(level, trust, category, policy)
  expect(verdict.permission).toBe(permission)
  if (required)
    expect(verdict).toMatchObject({
      code: 'PERMISSION_TRUST_LEVEL_INSUFFICIENT',
      details: { required_trust: required, actual_trust: trust },
    })
})

test('TRUST-20 the danger level of a trust refusal is a number', () => {
  const policy = { minimum_trust_for_writes: 'certified' } as const
  expect(ask('dangerous', 'community_reviewed', 'EXECUTE', policy)).toMatchObject({ details: { danger_level: 3 } })
})

test('TRUST-19 a policy only ever tightens', () => {
  const severity = { allow: 0, confirm: 1, deny: 2 }
  const trust = fc.constantFrom(...TRUST)
  const level = fc.constantFrom<DangerLevel>('safe', 'reversible', 'destructive', 'dangerous', 'forbidden')
  const category = fc.constantFrom<SemanticCategory | 'unknown'>(
    'CREATE',
    'READ',
    'UPDATE',
    'DELETE',
    'EXECUTE',
    'unknown',
  )
  const policy = fc.record(
    {
      minimum_trust_for_writes: trust,
      minimum_trust_for_deletes: trust,
      allow_untested_introspection: fc.boolean(),
      require_confirmation_below: trust,
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(level, trust, category, policy, (l, t, c, p) => {
      expect(severity[ask(l, t, c, p).permission]).toBeGreaterThanOrEqual(severity[ask(l, t, c).permission])
    }),
  )
})

test.each([
  [undefined, {}],
  [{ minimum_trust_for_writes: 'validated' }, { minimum_trust_for_writes: 'validated' }],
])('TRUST-19 readTrustPolicy takes %j', (settings, policy) => {
  expect(readTrustPolicy(settings)).toEqual({ policy })
})

test.each([
  [{ minimum_trust_for_reads: 'validated' }, '"minimum_trust_for_reads", which is unknown'],
  [{ minimum_trust_for_writes: 'high' }, 'one of untested, generated, validated, community_reviewed, certified'],
  [{ allow_untested_introspection: 'no' }, 'true or false'],
  [null, 'must be an object'],
])('TRUST-19 readTrustPolicy refuses %j', (settings, part) => {
  expect(readTrustPolicy(settings)).toEqual({ error: expect.stringContaining(part) })
})

function ask(
  level: DangerLevel,
  trust: TrustLevel,
  category: SemanticCategory | 'unknown' = 'EXECUTE',
  policy?: TrustPolicy,
) {
  const known = category === 'unknown' ? {} : { category }
  return gateByTrust({ operation: 'do_it', ...known, level, reasons: ['because'], trust }, policy)
}
