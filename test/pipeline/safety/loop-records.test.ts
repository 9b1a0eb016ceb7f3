import { describe, expect, test } from 'vitest'
import { listBlocks } from '../../../src/core/verification/block.ts'
import { challengeRef } from '../../../src/core/verification/challenge.ts'
import { createLoopBench, errorOf, idIn, type LoopBench } from '../../safety-loop.ts'

const WRONG = 'AAAA-AAAA-AAAA-AAAA-AAAA-AAAA-AAAA'
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('AUTO-01 a directive', () => {
  const KEYS = ['continue', 'factors', 'stopped', 'reason', 'stepsRemaining', 'nextStepRisk', 'notifications']

  test.each([
    ['lets go on', 'risk 5', undefined, { continue: true, nextStepRisk: 'advisory' }],
    ['asks', 'risk 40', undefined, { continue: false, nextStepRisk: 'confirm' }],
    ['wants a code', 'risk 70', undefined, { continue: false, nextStepRisk: 'verify' }],
    ['stops', 'risk 95', undefined, { continue: false, stopped: true, nextStepRisk: 'danger_zone' }],
    ['stops at a pattern', 'rm -rf /', undefined, { continue: false, stopped: true, nextStepRisk: 'danger_zone' }],
    ['asks after a failure', 'risk 5', 'failure', { continue: false }],
  ])('that %s has a boolean, a readable factor and no other key', async (_, hint, outcome, expected) => {
    const { report, here } = await begun()
    const directive = await report(here, hint, { ...(outcome && { outcome }) })
    expect(directive).toMatchObject(expected)
    expect(Object.keys(directive).filter((key) => !KEYS.includes(key))).toEqual([])
    expect(directive.factors.length).toBeGreaterThan(0)
    expect(directive.factors.every((factor) => factor.trim().length > 3)).toBe(true)
    expect(directive.stopped === true && directive.continue).toBe(false)
  })
})

describe('OOB-01 a challenge', () => {
  test.each([
    ['no', 'risk 30', false],
    ['no', 'risk 60', false],
    ['a', 'risk 61', true],
    ['a', 'risk 85', true],
    ['a', 'risk 86', true],
    ['a', 'risk 100', true],
    ['a', 'rm -rf /', true],
    ['no', 'delete_issue 7', false],
  ])('%s challenge is made for %j', async (_, hint, isMade) => {
    const { report, here, events } = await begun()
    await report(here, hint)
    expect((await events()).includes('CHALLENGE_ISSUED')).toBe(isMade)
  })

  test.each(['risk 70', 'rm -rf /'])('%j does not go on before it succeeds, and then once', async (hint) => {
    const { report, step, here, code, loop } = await begun()
    const challenge = idIn(await report(here, hint), 'verificationId')
    for (let tries = 0; tries < 3; tries++)
      expect(await step(here, hint)).not.toMatchObject({ autonomy: { continue: true } })
    expect(await loop.verify(here, challenge, await code(challenge))).toMatchObject({ challenge: { id: challenge } })
    expect(await report(here, hint)).toMatchObject({ continue: true })
    expect(await report(here, hint)).toMatchObject({ continue: false })
  })

  test('OOB-03 has a random UUID for an id', async () => {
    const ids = new Set<string>()
    for (let i = 0; i < 20; i++) {
      const { report, here } = await begun()
      const id = idIn(await report(here, 'risk 70'), 'verificationId')
      expect(id).toMatch(UUID_V4)
      ids.add(id)
    }
    expect(ids.size).toBe(20)
  })
})

describe('BLOCK-08, R-36 a block record', () => {
  test.each([
    ['danger_zone', 'risk 95', 95],
    ['deny', 'rm -rf /', 0],
  ] as const)('of %s keeps who, why and when', async (trigger, hint, score) => {
    const { report, here, store, time } = await begun()
    const verificationId = idIn(await report(here, hint), 'verificationId')
    expect(await listBlocks(store)).toMatchObject([
      {
        agentKey: expect.stringContaining('bot'),
        principal: 'ann',
        element_name: 'bot',
        trigger,
        hint,
        score,
        verificationId,
        blocked_at: new Date(time.now).toISOString(),
      },
    ])
    expect(Object.keys((await listBlocks(store))[0] ?? {})).not.toContain('unblocked_at')
  })

  test('says who lifted it, when and through which channel', async () => {
    const bench = await begun()
    const { report, here, store, loop, time, code } = bench
    const id = idIn(await report(here, 'risk 95'), 'verificationId')
    time.now += 1_000
    await loop.verify(here, id, await code(id))
    const [verified] = await listBlocks(store)
    expect(verified).toMatchObject({
      unblocked_at: new Date(time.now).toISOString(),
      unblocked_by: expect.any(String),
      channel: expect.any(String),
    })
    await report(here, 'rm -rf /')
    const open = (await listBlocks(store)).find(({ unblocked_at }) => unblocked_at === undefined)
    time.now += 1_000
    const order = { agentKey: open?.agentKey ?? '', reason: 'a test', by: 'ruth', channel: 'terminal' }
    expect(await loop.lift(order)).toBe('lifted')
    expect((await listBlocks(store)).find(({ id: each }) => each === open?.id)).toMatchObject({
      unblocked_at: new Date(time.now).toISOString(),
      unblocked_by: 'ruth',
      channel: 'terminal',
      unblock_reason: 'a test',
    })
  })
})

describe('AUDIT-04 the trail holds', () => {
  const CASES: readonly (readonly [string, (bench: Begun) => Promise<unknown>])[] = [
    ['STEP_EVALUATED', ({ report, here }) => report(here, 'risk 5')],
    ['CHALLENGE_ISSUED', ({ report, here }) => report(here, 'risk 70')],
    ['CHALLENGE_VERIFIED', (bench) => answered(bench, 'right')],
    ['CHALLENGE_FAILED', (bench) => answered(bench, WRONG)],
    [
      'CHALLENGE_EXPIRED',
      async (bench) => {
        await bench.report(bench.here, 'risk 70')
        bench.time.now += 301_000
        await bench.report(bench.here, 'risk 70')
      },
    ],
    [
      'CHALLENGE_UNDELIVERABLE',
      async ({ again, here }) => {
        const { report } = await again({ channels: [] })
        await report(here, 'risk 70')
      },
    ],
    [
      'VERIFICATION_RATE_LIMITED',
      async ({ loop, here }) => {
        for (let tries = 0; tries < 11; tries++) await loop.verify(here, `none ${tries}`, WRONG)
      },
    ],
    ['AGENT_BLOCKED', ({ report, here }) => report(here, 'risk 95')],
    ['AGENT_UNBLOCKED', (bench) => answered(bench, 'right', 'risk 95')],
    [
      'ADMIN_OVERRIDE',
      async ({ report, here, loop, store }) => {
        await report(here, 'risk 95')
        const [block] = await listBlocks(store)
        await loop.lift({ agentKey: block?.agentKey ?? '', reason: 'a test', by: 'ruth', channel: 'console' })
      },
    ],
    [
      'APPROVAL_DENIED',
      async ({ report, here, deny }) => deny(idIn(await report(here, 'delete_issue 7'), 'approvalId')),
    ],
    [
      'SELF_APPROVAL_REJECTED',
      async ({ report, here, loop }) => {
        const approval_id = idIn(await report(here, 'delete_issue 7'), 'approvalId')
        const refused = await loop.confirm(here, { approval_id, decision: 'approve' })
        expect(errorOf(refused).code).toBe('PERMISSION_SELF_APPROVAL_DENIED')
      },
    ],
  ]

  test.each(CASES)('%s when it happens and not before', async (event, act) => {
    const bench = await begun()
    expect(await bench.events()).not.toContain(event)
    await act(bench)
    expect(await bench.events()).toContain(event)
  })

  test('R-37 STEP_EVALUATED with the directive, the score, the tier and the stage', async () => {
    const { report, here, store } = await begun()
    await report(here, 'risk 70')
    const [entry] = (await store.trail.read({ order: 'oldest', events: ['STEP_EVALUATED'] })).map((each) => each.entry)
    expect(entry).toMatchObject({
      score: 70,
      tier: 'verify',
      stage: 'safety tier',
      user_id: 'ann',
      session_id: here.owner,
    })
    expect(JSON.stringify(entry)).toMatch(/"continue":false|"decision":"pause"/)
  })

  test('R-03 a challenge that cannot be shown is kept as undeliverable', async () => {
    const { again, here } = await begun()
    const { report, store } = await again({ channels: [] })
    const id = idIn(await report(here, 'risk 70'), 'verificationId')
    expect(await store.get(challengeRef(id))).toMatchObject({ state: 'undeliverable' })
  })
})

type Begun = LoopBench & { readonly here: ReturnType<LoopBench['session']> }

async function begun(): Promise<Begun> {
  const bench = await createLoopBench()
  const here = bench.session()
  await bench.start(here)
  return { ...bench, here }
}

async function answered({ report, here, loop, code }: Begun, typed: string, hint = 'risk 70'): Promise<unknown> {
  const id = idIn(await report(here, hint), 'verificationId')
  const shown = await code(id)
  return loop.verify(here, id, typed === 'right' ? shown : typed)
}
