import { describe, expect, test } from 'vitest'
import { type EvaluationInput, evaluate } from './evaluate.ts'
import { scoreHint } from './risk/score-hint.ts'
import { withDefaults } from './settings.ts'
import { STAGES } from './stages.ts'

const settings = withDefaults({
  deny: ['drop_*', 'rm -rf*'],
  requiresApproval: ['delete_*'],
  autoApprove: ['get_*', 'delete_draft', 'end_draft'],
})
const calm: EvaluationInput = { hint: 'think', count: 0, scored: { score: 0, factors: [] }, settings }
const risk = (score: number) => ({ scored: { score, factors: ['because'] } })
const go = { outcome: 'continue' }
const pause = { outcome: 'pause' }
const stop = { outcome: 'stop' }

// biome-ignore format: a table reads by columns
describe('spec §8.7.2, stage by stage', () => {
  test.each([
    ['AUTO-02 nothing objects',                     {},                                              { ...go, tier: 'advisory' }],
    ['AUTO-03 the tenth report continues',          { count: 9 },                                    go],
    ['AUTO-03 the eleventh report pauses',          { count: 10 },                                   { ...pause, reason: 'Step limit exceeded', stage: 'step limit' }],
    ['AUTO-04 limit 0 pauses the first',            { settings: { ...settings, maxAutonomousSteps: 0 } }, pause],
    ['AUTO-04 no limit never pauses',               { count: 1e6, settings: { ...settings, maxAutonomousSteps: null } }, go],
    ['AUTO-05 a failure pauses',                    { outcome: 'failure' },                          { ...pause, stage: 'previous outcome' }],
    ['AUTO-05 success passes',                      { outcome: 'success' },                          go],
    ['AUTO-05 skipped passes',                      { outcome: 'skipped' },                          go],
    ['AUTO-07 deny stops',                          { hint: 'drop_users' },                          { ...stop, tier: 'danger_zone', stage: 'action patterns' }],
    ['AUTO-08 requiresApproval pauses',             { hint: 'delete_user 1' },                       { ...pause, stage: 'action patterns' }],
    ['AUTO-06 approval beats autoApprove',          { hint: 'delete_draft' },                        pause],
    ['AUTO-06 deny beats approval',                 { hint: 'delete_user and drop_users' },          stop],
    ['AUTO-08 autoApprove skips the risk',          { hint: 'get_user', ...risk(60) },               { ...go, tier: 'confirm', score: 60 }],
    ['R-28 a wildcard lifts nothing above 60',      { hint: 'get_user', ...risk(61) },               { ...pause, stage: 'safety tier' }],
    ['R-28 a name without a wildcard does',         { hint: 'end_draft', ...risk(72) },              { ...go, tier: 'verify' }],
    ['R-28 but not what the arguments add',         { hint: 'end_draft x=1', scored: { score: 90, nameScore: 72, factors: [] } }, stop],
    ['R-28 a command of a shell has no such name',  { hint: 'get_user', isCommand: true, ...risk(35) }, pause],
    ['R-45 a code comes before an approval',        { hint: 'delete_user 1', ...risk(72) },          { ...pause, stage: 'safety tier', reason: 'Risk 72 is in the tier verify' }],
    ['R-45 and before a step limit',                { count: 10, ...risk(72) },                      { ...pause, stage: 'safety tier' }],
    ['AUTO-10 not with a separator',                { hint: 'get_user; x', ...risk(99) },            stop],
    ['AUTO-11 30 is advisory',                      risk(30),                                        { ...go, tier: 'advisory' }],
    ['AUTO-11 30.1 rounds up to confirm',           risk(30.1),                                      { ...pause, tier: 'confirm', score: 31 }],
    ['AUTO-11 60 is confirm',                       risk(60),                                        { ...pause, tier: 'confirm' }],
    ['AUTO-11 61 is verify',                        risk(61),                                        { ...pause, tier: 'verify', stage: 'safety tier' }],
    ['AUTO-12 85 is verify, without a stop',        risk(85),                                        { ...pause, tier: 'verify' }],
    ['AUTO-12 86 is danger_zone, with a stop',      risk(86),                                        { ...stop, tier: 'danger_zone', stage: 'safety tier' }],
    ['AUTO-13 the agent can raise',                 { riskScore: 90 },                               stop],
    ['AUTO-13 the agent cannot lower',              { ...risk(90), riskScore: 1 },                   stop],
    ['AUTO-14 conservative pauses at 26',           { ...risk(26), settings: { ...settings, riskTolerance: 'conservative' } }, { ...pause, tier: 'advisory', stage: 'risk tolerance' }],
    ['AUTO-14 conservative lets 25 pass',           { ...risk(25), settings: { ...settings, riskTolerance: 'conservative' } }, go],
    ['AUTO-14 moderate lets 30 pass',               risk(30),                                        go],
    ['AUTO-14 aggressive cancels no pause',         { ...risk(31), settings: { ...settings, riskTolerance: 'aggressive' } }, { ...pause, stage: 'safety tier' }],
    ['AUTO-02 a limit does not hide a stop',        { count: 99, outcome: 'failure', ...risk(100) }, { ...stop, stage: 'safety tier' }],
    ['AUTO-02 nor a deny',                          { count: 99, hint: 'rm -rf /' },                 { ...stop, stage: 'action patterns' }],
    ['AUTO-02 the earliest pause gives the reason', { count: 99, outcome: 'failure', hint: 'delete_x' }, { ...pause, reason: 'Step limit exceeded' }],
    ['AUTO-13 a score that is none is the worst',   risk(Number.NaN),                                { ...stop, score: 100 }],
    ['AUTO-13 so is one out of range',              risk(101),                                       { ...stop, score: 100 }],
  ] as const)('%s', (_, differs, expected) => {
    expect(evaluate({ ...calm, ...differs } as EvaluationInput)).toMatchObject(expected)
  })
})

test('AUTO-02 the stages are five, in this order, and each is listed in factors', () => {
  expect(STAGES.map(({ name }) => name)).toEqual([
    'step limit',
    'previous outcome',
    'action patterns',
    'safety tier',
    'risk tolerance',
  ])
  expect(evaluate({ ...calm, ...risk(70), count: 10 }).factors).toEqual([
    'step limit: Step limit exceeded',
    'previous outcome: not reported',
    'action patterns: passed',
    'safety tier: Risk 70 is in the tier verify',
    'risk tolerance: Risk 70 is above the tolerance moderate',
    'risk: because',
  ])
})

test('AUTO-19 an error in a stage pauses with a reason', () => {
  const broken = {
    name: 'step limit',
    skippable: false,
    judge: () => {
      throw new Error('broken')
    },
  } as const
  expect(evaluate(calm, [broken])).toMatchObject({ outcome: 'pause', reason: 'The step could not be evaluated' })
})

test('AUTO-19 equal input, equal evaluation', () => {
  const input = { ...calm, hint: 'git status', scored: scoreHint('git status') }
  expect(evaluate(input)).toEqual(evaluate(structuredClone(input)))
})

test('AUTO-13 what is not recognised scores at least 31, so it pauses', () => {
  const hint = 'frobnicate the quux'
  expect(evaluate({ ...calm, hint, scored: scoreHint(hint) }).outcome).toBe('pause')
})
