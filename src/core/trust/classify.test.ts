import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CATEGORIES, type SemanticCategory } from '../../protocol/categories.ts'
import { DANGER_LEVELS, DANGER_PATTERNS, type DangerLevel } from '../../protocol/danger.ts'
import type { TrustLevel } from '../../protocol/trust.ts'
import { type Classifiable, type ClassifySettings, classify } from './classify.ts'
import { type Danger, readDanger } from './read-danger.ts'

const generated: ClassifySettings = { trust: 'generated', patterns: DANGER_PATTERNS }

test.each([
  ['READ', 'look_up', 'safe'],
  ['CREATE', 'add_note', 'reversible'],
  ['UPDATE', 'change_note', 'reversible'],
  ['DELETE', 'remove_note', 'destructive'],
  ['EXECUTE', 'run_report', 'reversible'],
] as const)('DNG-02 R-06 %s without a declared level is %s → %s', (category, name, level) => {
  expect(classify(operation({ name, category }), generated)).toMatchObject({ level, warnings: [] })
})

test('DNG-03 R-11 without level and category an operation is reversible', () => {
  expect(classify(operation({ name: 'look_up' }), generated).level).toBe('reversible')
})

test('GATE-03 R-06 the flags of a category describe the endpoint and do not set the level', () => {
  const flags = Object.entries(CATEGORIES).map(([name, row]) => [name, row.readOnly, row.destructive])
  expect(flags).toEqual([
    ['CREATE', false, false],
    ['READ', true, false],
    ['UPDATE', false, true],
    ['DELETE', false, true],
    ['EXECUTE', false, true],
  ])
  expect(classify(operation({ name: 'run_it', category: 'EXECUTE' }), generated).level).toBe('reversible')
})

test.each([
  ['DNG-07', 'force_sync', 'dangerous', 'force_*'],
  ['DNG-07', 'remove_permanently', 'dangerous', '*_permanently'],
  ['DNG-07', 'bulk_delete', 'dangerous', 'bulk_delete*'],
  ['DNG-07', 'bulk_delete_notes', 'dangerous', 'bulk_delete*'],
  ['DNG-07', 'override_limit', 'dangerous', 'override_*'],
  ['DNG-07', 'bypass_review', 'dangerous', 'bypass_*'],
  ['DNG-07', 'migrate_without_backup', 'dangerous', '*_without_backup'],
  ['DNG-07', 'purge_cache', 'dangerous', 'purge_*'],
  ['DNG-08', 'drop_table', 'forbidden', 'drop_*'],
  ['DNG-08', 'delete_all', 'forbidden', 'delete_all*'],
  ['DNG-08', 'delete_all_users', 'forbidden', 'delete_all*'],
  ['DNG-08', 'truncate_log', 'forbidden', 'truncate_*'],
  ['DNG-08', 'reset_password', 'forbidden', 'reset_*'],
  ['DNG-08', 'destroy_server', 'forbidden', 'destroy_*'],
  ['DNG-08', 'wipe_disk', 'forbidden', 'wipe_*'],
  ['DNG-08', 'deploy_production', 'forbidden', '*_production'],
  ['DNG-09 R-12', 'force_delete_all', 'forbidden', 'delete_all*'],
  ['DNG-09 R-12', 'admin_force_sync', 'dangerous', 'force_*'],
  ['DNG-09 R-12', 'db_v2_drop_table', 'forbidden', 'drop_*'],
  ['DNG-09 R-12', 'x__wipe_disk', 'forbidden', 'wipe_*'],
] as const)('%s %s is %s by %s', (_, name, level, pattern) => {
  const found = classify(operation({ name, category: 'EXECUTE' }), generated)
  expect(found).toMatchObject({ level, inferred: { level, pattern } })
  expect(found.reasons).toEqual([expect.stringContaining(pattern)])
})

test.each([
  ['enforce_limits', 'a word that only ends like a pattern'],
  ['backdrop_change', 'a word that only ends like a pattern'],
  ['password_reset', 'the pattern needs something after it'],
  ['production_deploy', 'a suffix in front'],
  ['delete_some', 'not all of them'],
])('DNG-09 %s matches nothing: %s', (name) => {
  expect(classify(operation({ name, category: 'EXECUTE' }), generated)).not.toHaveProperty('inferred')
})

test.each([
  ['a safe name shields a READ from remainders', { name: 'get_reset_token', category: 'READ' }, 'safe'],
  ['also by GET', { name: 'get_reset_token', category: 'READ', method: 'get' }, 'safe'],
  ['not by POST', { name: 'get_reset_token', category: 'READ', method: 'POST' }, 'forbidden'],
  ['not another category', { name: 'get_reset_token', category: 'UPDATE' }, 'forbidden'],
  ['not an unknown category', { name: 'get_reset_token' }, 'forbidden'],
  ['a READ without safe name is not shielded', { name: 'fetch_reset_token', category: 'READ' }, 'forbidden'],
  ['a suffix is no remainder', { name: 'get_to_production', category: 'READ' }, 'forbidden'],
  ['list_*', { name: 'list_drop_zones', category: 'READ' }, 'safe'],
  ['search_*', { name: 'search_force_fields', category: 'READ' }, 'safe'],
  ['count_*', { name: 'count_purge_jobs', category: 'READ' }, 'safe'],
  ['check_*', { name: 'check_bypass_valve', category: 'READ' }, 'safe'],
  ['introspect*', { name: 'introspect_reset_rules', category: 'READ' }, 'safe'],
  ['a safe name lowers nothing', { name: 'check_out_branch', category: 'DELETE' }, 'destructive'],
] as const)('DNG-10 R-12 %s', (_, given, level) => {
  expect(classify(operation(given), generated).level).toBe(level)
})

test.each([
  ['POST', undefined, 'generated', 'reversible'],
  ['DELETE', undefined, 'generated', 'reversible'],
  ['GET', undefined, 'generated', 'safe'],
  ['POST', 'safe', 'generated', 'reversible'],
  ['POST', 'safe', 'validated', 'safe'],
] as const)('R-12 a READ by %s that declares %s is, at trust %s, %s', (method, declared, trust, level) => {
  const read = operation({ name: 'search_notes', category: 'READ', method }, declared)
  expect(classify(read, { ...generated, trust }).level).toBe(level)
})

test.each<
  [string, DangerLevel | undefined, SemanticCategory, TrustLevel, DangerLevel | undefined, DangerLevel, number]
>([
  // name, declared, category, trust, pinned → level, warnings
  ['note', 'forbidden', 'READ', 'untested', undefined, 'forbidden', 0],
  ['force_sync', 'forbidden', 'EXECUTE', 'generated', undefined, 'forbidden', 0],
  ['force_sync', 'safe', 'EXECUTE', 'untested', undefined, 'dangerous', 1],
  ['force_sync', 'safe', 'EXECUTE', 'generated', undefined, 'dangerous', 1],
  ['force_sync', 'safe', 'EXECUTE', 'validated', undefined, 'safe', 0],
  ['force_sync', 'safe', 'EXECUTE', 'community_reviewed', undefined, 'safe', 0],
  ['force_sync', 'safe', 'EXECUTE', 'certified', undefined, 'safe', 0],
  ['force_sync', 'safe', 'EXECUTE', 'generated', 'safe', 'safe', 0],
  ['force_sync', undefined, 'EXECUTE', 'certified', undefined, 'dangerous', 0],
  ['force_sync', undefined, 'EXECUTE', 'generated', 'reversible', 'reversible', 0],
  ['drop_table', 'safe', 'EXECUTE', 'generated', undefined, 'forbidden', 1],
  ['remove_note', 'safe', 'DELETE', 'generated', undefined, 'destructive', 1],
  ['remove_note', 'safe', 'DELETE', 'validated', undefined, 'safe', 0],
  ['note', undefined, 'READ', 'generated', 'dangerous', 'dangerous', 0],
  ['note', 'dangerous', 'READ', 'generated', 'safe', 'dangerous', 1],
])(
  'DNG-11 R-15 %s declared %s (%s, trust %s, pinned %s) is %s',
  (name, declared, category, trust, pinned, level, n) => {
    const found = classify(operation({ name, category }, declared), { ...generated, trust, ...(pinned && { pinned }) })
    expect(found.level).toBe(level)
    expect(found.warnings).toHaveLength(n)
  },
)

test.each([
  [undefined, 'READ', 'dangerous', 0],
  ['safe', 'READ', 'dangerous', 1],
  ['forbidden', 'READ', 'forbidden', 0],
] as const)('VAL-09 the flag `dangerous` beside a declared %s (%s) gives %s', (declared, category, level, warnings) => {
  const found = classify(operation({ name: 'note', category, dangerous: true }, declared), {
    ...generated,
    trust: 'certified',
  })
  expect(found.level).toBe(level)
  expect(found.warnings).toHaveLength(warnings)
})

test('DNG-15 the inferred level and its reasons are on the classification', () => {
  const read = readDanger({ danger: { level: 'safe', reasons: ['syncs'] } })
  if ('error' in read) throw new Error(read.error)
  expect(classify({ name: 'force_sync', category: 'EXECUTE', danger: read.danger }, generated)).toEqual({
    level: 'dangerous',
    declared: 'safe',
    inferred: {
      level: 'dangerous',
      pattern: 'force_*',
      reason: 'its name matches force_*: it forces what would otherwise be checked or refused',
    },
    reasons: ['syncs', 'its name matches force_*: it forces what would otherwise be checked or refused'],
    warnings: [
      "Operation 'force_sync' declares safe, but its category and name say dangerous; at trust generated dangerous applies",
    ],
    baselineRisk: 73,
  })
})

const RANGES = { safe: [0, 15], reversible: [16, 40], destructive: [41, 60], dangerous: [61, 85], forbidden: [86, 100] }
const levels = fc.constantFrom<DangerLevel>('safe', 'reversible', 'destructive', 'dangerous', 'forbidden')
const words = ['get', 'list', 'force', 'delete', 'all', 'drop', 'reset', 'production', 'note', 'x1', '']
const names = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }).map((parts) => parts.join('_'))
const operations = fc.record({
  name: names,
  category: fc.option(fc.constantFrom<SemanticCategory>('CREATE', 'READ', 'UPDATE', 'DELETE', 'EXECUTE')),
  method: fc.option(fc.constantFrom('GET', 'POST', 'DELETE')),
  declared: fc.option(levels),
})

test('DNG-21 the baseline lies in the range of its level', () => {
  fc.assert(
    fc.property(operations, ({ name, category, method, declared }) => {
      const given = operation({ name, ...(category && { category }), ...(method && { method }) }, declared ?? undefined)
      const { level, baselineRisk } = classify(given, generated)
      const [lowest = 0, highest = 0] = RANGES[level]
      expect(baselineRisk).toBeGreaterThanOrEqual(lowest)
      expect(baselineRisk).toBeLessThanOrEqual(highest)
      expect(classify(given, generated).baselineRisk).toBe(baselineRisk)
    }),
  )
})

test('DNG-11 R-15 below trust validated no declaration goes under the floor, and each has a reason', () => {
  const untrusted = fc.constantFrom<TrustLevel>('untested', 'generated')
  fc.assert(
    fc.property(operations, untrusted, ({ name, category, method, declared }, trust) => {
      const base = { name, ...(category && { category }), ...(method && { method }) }
      const floor = classify(operation(base), { ...generated, trust })
      const found = classify(operation(base, declared ?? undefined), { ...generated, trust })
      expect(DANGER_LEVELS[found.level]).toBeGreaterThanOrEqual(DANGER_LEVELS[floor.level])
      if (declared) expect(DANGER_LEVELS[found.level]).toBeGreaterThanOrEqual(DANGER_LEVELS[declared])
      expect(found.reasons.length).toBeGreaterThan(0)
    }),
  )
})

function operation(given: Omit<Classifiable, 'danger'>, declared?: DangerLevel): Classifiable {
  const read = readDanger(declared ? { danger: declared } : {})
  if ('error' in read) throw new Error(read.error)
  const danger: Danger = read.danger
  return { ...given, danger }
}
