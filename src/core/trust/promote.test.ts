import { expect, test } from 'vitest'
import type { TrustLevel } from '../../protocol/trust.ts'
import type { Certificate } from './certificate.ts'
import { approvals, type Evidence } from './evidence.ts'
import { demote, promote, type TrustActor } from './promote.ts'
import { revalidationDue } from './revalidation.ts'
import type { TrustRecord } from './trust-record.ts'

const NOW = Date.parse('2026-02-04T10:30:00Z')
const DAY = 86_400_000
const olga: TrustActor = { role: 'operator', name: 'olga' }

const structure = {
  parses: true,
  present: ['name', 'type', 'version', 'description'],
  targetIsValid: true,
  operationsAreValid: true,
}
const run = {
  isLive: true,
  at: '2026-02-04T10:00:00Z',
  reads: { offered: 3, tried: 3, passed: 3 },
  writes: { offered: 5, tried: 2, passed: 2 },
  documentedErrorsAppeared: true,
  validation_report: { tests_passed: 7, tests_total: 7 },
  api_version: 'v3',
}
const review = {
  reviews: [
    { reviewer: 'ann', approved: true, at: '2026-02-01T00:00:00Z' },
    { reviewer: 'bob', approved: true, at: '2026-02-02T00:00:00Z' },
  ],
  openSecurityConcerns: 0,
  documentationChecked: true,
}
// Made by hand: how a certificate is verified is the matter of certificate.test.ts.
const certificate = {
  authority: 'acme',
  signature: 'c2ln',
  certificate_id: 'c-1',
  issued_at: '2026-01-01T00:00:00Z',
  expires_at: '2026-03-01T00:00:00Z',
  scope: ['all_operations'],
} as unknown as Certificate
const everything: Evidence = { hash: 'a', structure, run, review, certificate }

test.each([
  ['TRUST-04', 'untested', 'generated', {}],
  [
    'TRUST-05',
    'generated',
    'validated',
    { validated_at: run.at, validation_report: run.validation_report, api_version: 'v3' },
  ],
  ['TRUST-06', 'validated', 'community_reviewed', { reviews: review.reviews }],
  ['TRUST-07', 'community_reviewed', 'certified', { certification: certificate }],
] as const)('%s TRUST-09 %s becomes %s with its evidence', (_, from, to, kept) => {
  expect(promote(at(from), to, everything, olga, { now: NOW })).toMatchObject({
    record: {
      level: to,
      basis: 'evidence',
      history: [{ from, to, at: '2026-02-04T10:30:00.000Z', by: 'olga' }],
      ...kept,
    },
    warnings: [],
  })
})

test.each<[string, TrustLevel, Partial<Evidence>, string]>([
  ['TRUST-04 nothing known', 'generated', { structure: undefined as never }, 'must parse'],
  ['TRUST-04 does not parse', 'generated', { structure: { ...structure, parses: false } }, 'must parse'],
  [
    'TRUST-04 no version',
    'generated',
    { structure: { ...structure, present: ['name', 'type', 'description'] } },
    'version',
  ],
  ['TRUST-04 a bad target', 'generated', { structure: { ...structure, targetIsValid: false } }, 'target'],
  [
    'TRUST-04 a bad operation',
    'generated',
    { structure: { ...structure, operationsAreValid: false } },
    'every operation',
  ],
  ['TRUST-05 no run', 'validated', { run: undefined as never }, 'live API'],
  ['TRUST-05 a recorded API', 'validated', { run: { ...run, isLive: false } }, 'live API'],
  [
    'TRUST-05 a read that failed',
    'validated',
    { run: { ...run, reads: { offered: 3, tried: 3, passed: 2 } } },
    'all read operations',
  ],
  [
    'TRUST-05 a read that was left out',
    'validated',
    { run: { ...run, reads: { offered: 4, tried: 3, passed: 3 } } },
    'all read operations',
  ],
  [
    'TRUST-05 no write tried',
    'validated',
    { run: { ...run, writes: { offered: 5, tried: 0, passed: 0 } } },
    'create and update',
  ],
  [
    'TRUST-05 a write that failed',
    'validated',
    { run: { ...run, writes: { offered: 5, tried: 2, passed: 1 } } },
    'create and update',
  ],
  ['TRUST-05 no errors seen', 'validated', { run: { ...run, documentedErrorsAppeared: false } }, 'documented errors'],
  ['TRUST-05 no report', 'validated', { run: { ...run, validation_report: {} } }, 'validation_report'],
  [
    'TRUST-06 one reviewer twice',
    'community_reviewed',
    { review: { ...review, reviews: ['ann', 'Ann '].map((reviewer) => ({ reviewer, approved: true, at: '' })) } },
    'more reviewers',
  ],
  ['TRUST-06 a concern', 'community_reviewed', { review: { ...review, openSecurityConcerns: 1 } }, 'security concern'],
  ['TRUST-06 unread', 'community_reviewed', { review: { ...review, documentationChecked: false } }, 'documentation'],
  ['TRUST-07 no certificate', 'certified', { certificate: undefined as never }, 'certificate'],
  ['TRUST-09 evidence about other content', 'certified', { hash: 'b' }, 'other content'],
])('%s is refused', (_, to, change, part) => {
  const steps: Record<string, TrustLevel> = {
    generated: 'untested',
    validated: 'generated',
    community_reviewed: 'validated',
    certified: 'community_reviewed',
  }
  const step = promote(at(steps[to] ?? 'untested'), to, { ...everything, ...change }, olga, { now: NOW })
  expect(step).toEqual({ error: expect.stringContaining(part) })
})

test('TRUST-07 TRUST-11 an expired certificate promotes nothing', () => {
  const now = Date.parse(certificate.expires_at)
  expect(promote(at('community_reviewed'), 'certified', everything, olga, { now })).toHaveProperty('error')
})

test.each([
  [3, 'error'],
  [2, 'record'],
  [0, 'record'],
] as const)('TRUST-06 with %i reviewers wanted and two there: %s', (reviewers, outcome) => {
  expect(promote(at('validated'), 'community_reviewed', everything, olga, { now: NOW, reviewers })).toHaveProperty(
    outcome,
  )
})

test('TRUST-06 zero wanted reviewers still means one', () => {
  const evidence = { ...everything, review: { ...review, reviews: [] } }
  expect(promote(at('validated'), 'community_reviewed', evidence, olga, { now: NOW, reviewers: 0 })).toHaveProperty(
    'error',
  )
})

test('TRUST-06 the last word of each reviewer counts', () => {
  const said = [true, true, false].map((approved, i) => ({ reviewer: i === 1 ? 'bob' : 'ann', approved, at: '' }))
  expect(approvals(said)).toBe(1)
})

test.each([
  ['untested', 'validated', 'from untested the next level is generated'],
  ['generated', 'certified', 'none can be skipped'],
  ['validated', 'validated', 'validated is not above validated'],
  ['certified', 'generated', 'generated is not above certified'],
] as const)('TRUST-09 from %s to %s is refused', (from, to, part) => {
  expect(promote(at(from), to, everything, olga, { now: NOW })).toEqual({ error: expect.stringContaining(part) })
})

test('TRUST-09 an agent promotes nothing', () => {
  const agent = { role: 'agent', name: 'bot' } as unknown as TrustActor
  expect(promote(at('untested'), 'generated', everything, agent, { now: NOW })).toEqual({
    error: 'only the operator or a validation may promote',
  })
})

test('TRUST-10 a demotion drops several levels, keeps validated_at and warns', () => {
  const known: TrustRecord = { ...at('certified'), validated_at: run.at }
  expect(demote(known, 'generated', 'the API changed', olga, NOW)).toEqual({
    record: {
      ...known,
      level: 'generated',
      history: [
        { from: 'certified', to: 'generated', at: '2026-02-04T10:30:00.000Z', by: 'olga', reason: 'the API changed' },
      ],
    },
    warnings: ["trust of adapter 'notes' went from certified down to generated: the API changed"],
  })
})

test.each([
  ['validated', 'why', 'validated is not below validated'],
  ['certified', 'why', 'certified is not below validated'],
  ['untested', ' ', 'a demotion needs a reason'],
] as const)('TRUST-10 a demotion to %s for %j is refused', (to, reason, error) => {
  expect(demote(at('validated'), to, reason, olga, NOW)).toEqual({ error })
})

test.each<[string, Partial<TrustRecord>, number, string | undefined, boolean]>([
  ['generated on each load', { level: 'generated' }, 0, undefined, true],
  ['validated a moment before 7 days', { level: 'validated' }, 7 * DAY - 1, undefined, false],
  ['validated after 7 days', { level: 'validated' }, 7 * DAY, undefined, true],
  ['validated, the API as it was', { level: 'validated', api_version: 'v3' }, 0, 'v3', false],
  ['validated, another version of the API', { level: 'validated', api_version: 'v3' }, 0, 'v4', true],
  ['validated by word', { level: 'validated', basis: 'word' }, 70 * DAY, undefined, false],
  ['community_reviewed before 30 days', { level: 'community_reviewed' }, 30 * DAY - 1, undefined, false],
  ['community_reviewed after 30 days', { level: 'community_reviewed' }, 30 * DAY, undefined, true],
  ['certified in force', { level: 'certified', certification: certificate }, 0, undefined, false],
  ['certified and expired', { level: 'certified', certification: certificate }, 30 * DAY, undefined, true],
  ['certified without certificate', { level: 'certified' }, 0, undefined, true],
])('TRUST-12 re-validation: %s', (_, change, age, apiVersion, due) => {
  const known: TrustRecord = { ...at('validated'), validated_at: '2026-02-04T10:30:00Z', ...change }
  const found = revalidationDue(known, NOW + age, apiVersion)
  expect(found.due).toBe(due)
  expect(found.reason !== undefined).toBe(due)
})

test('TRUST-12 a promotion renews the term, a demotion does not', () => {
  const change = { at: '2026-02-04T10:30:00Z', by: 'olga' } as const
  const up: TrustRecord = { ...at('validated'), history: [{ from: 'generated', to: 'validated', ...change }] }
  const down: TrustRecord = { ...at('validated'), history: [{ from: 'certified', to: 'validated', ...change }] }
  expect(revalidationDue(up, NOW).due).toBe(false)
  expect(revalidationDue(down, NOW).due).toBe(true)
})

function at(level: TrustLevel): TrustRecord {
  return { adapter: 'notes', hash: 'a', operations: {}, level, basis: 'evidence', history: [] }
}
