import { describe, expect, test } from 'vitest'
import { createLoopBench, errorOf, idIn } from '../../../test/safety-loop.ts'
import { createMemoryStore } from '../../store/memory.ts'
import type { DialogChannel } from '../ports/channel.ts'
import type { Secret } from '../ports/secret.ts'
import type { Store } from '../ports/store.ts'
import type { Session } from '../session.ts'
import { openBlocksRef } from '../verification/block.ts'
import { verifyChallenge } from '../verification/verify-challenge.ts'

async function atVerify(options = {}) {
  const bench = await createLoopBench(options)
  const here = bench.session()
  await bench.start(here)
  const paused = await bench.report(here, 'risk 70')
  return { ...bench, here, paused, id: idIn(paused, 'verificationId') }
}

async function atStop(options = {}) {
  const bench = await createLoopBench(options)
  const here = bench.session()
  await bench.start(here)
  const stopped = await bench.report(here, 'rm -rf /')
  return { ...bench, here, stopped, id: idIn(stopped, 'verificationId') }
}

const WRONG = 'AAAA-AAAA-AAAA-AAAA-AAAA-AAAA-AAAA'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('the tier verify', () => {
  test('AUTO-12, OOB-08 pauses without a stop, and the directive carries the challenge', async () => {
    const { paused, id, store } = await atVerify()
    expect(paused).toMatchObject({ continue: false, nextStepRisk: 'verify' })
    expect(paused).not.toHaveProperty('stopped')
    expect(paused.notifications).toMatchObject([{ type: 'autonomy_pause', metadata: { verificationId: id } }])
    expect(id).toMatch(UUID)
    expect(await store.list('block')).toEqual([])
  })

  test('OOB-15, AUTO-17 success grants the one action, once', async () => {
    const { loop, here, id, report, code } = await atVerify()
    expect(await loop.verify(here, id, await code(id))).toMatchObject({ blockLifted: false })
    expect(await report(here, 'think')).toMatchObject({ continue: true })
    expect(await report(here, 'risk 70')).toMatchObject({ continue: true, factors: [expect.stringContaining(id)] })
    expect(await report(here, 'risk 70')).toMatchObject({ continue: false })
  })

  test('AUTO-16, BLOCK-09 while pending it holds every execution of the agent', async () => {
    const { loop, here, id, report, session, start } = await atVerify()
    expect(await report(here, 'think')).toMatchObject({ continue: false, reason: expect.stringContaining(id) })
    await loop.endExecution(here, { operation: 'abort_execution', element_name: 'bot' })
    const there = session()
    await start(there)
    expect(await report(there, 'think')).toMatchObject({ continue: false, reason: expect.stringContaining(id) })
  })

  test('BLOCK-09, OOB-11, NOTE-06 after 300 s it is over, and the action asks for a new one', async () => {
    const { here, id, report, time, loop, code } = await atVerify()
    const right = await code(id)
    time.now += 300_001
    expect(errorOf(await loop.verify(here, id, right)).code).toBe('PERMISSION_VERIFICATION_FAILED')
    const calm = await report(here, 'think')
    expect(calm).toMatchObject({ continue: true })
    expect(calm.notifications ?? []).toEqual([])
    expect(idIn(await report(here, 'risk 70'), 'verificationId')).not.toBe(id)
  })

  test('OOB-14 a burnt challenge holds other actions; the same action asks for a new one', async () => {
    const { here, id, report, loop } = await atVerify()
    await loop.verify(here, id, WRONG)
    expect(await report(here, 'think')).toMatchObject({ continue: false })
    expect(idIn(await report(here, 'risk 70'), 'verificationId')).not.toBe(id)
  })

  test('OOB-14 at most five in ten minutes', async () => {
    const { here, report, loop, time } = await atVerify()
    let id = ''
    for (let i = 0; i < 5; i++) {
      id = idIn(await report(here, 'risk 70'), 'verificationId')
      await loop.verify(here, id, WRONG)
      time.now += 61_000
    }
    const limited = await report(here, 'risk 70')
    expect(limited).toMatchObject({ continue: false, reason: expect.stringContaining('too many codes') })
    time.now += 600_000
    expect(idIn(await report(here, 'risk 70'), 'verificationId')).not.toBe(id)
  })

  test('AUTO-18 with an exhausted limit two questions stand, and both must be answered', async () => {
    const { session, start, report, approve, code, loop } = await createLoopBench({
      settings: { maxAutonomousSteps: 0 },
    })
    const here = session()
    await start(here)
    const paused = await report(here, 'risk 70')
    expect(paused.reason).toBe('Risk 70 is in the tier verify')
    expect(paused.notifications?.map(({ metadata }) => metadata?.reason)).toEqual([
      'Step limit exceeded',
      'Risk 70 is in the tier verify',
    ])
    const id = idIn(paused, 'verificationId')
    await loop.verify(here, id, await code(id))
    expect(await report(here, 'risk 70')).toMatchObject({ continue: false })
    await approve(idIn(paused, 'approvalId'))
    expect(await report(here, 'risk 70')).toMatchObject({ continue: true })
  })
})

describe('R-45, AUTO-08 requiresApproval and a score above 60', () => {
  test('ask for one thing, the code, and reason, tier and notification agree', async () => {
    const { session, start, report, code, loop, store } = await createLoopBench({
      settings: { requiresApproval: ['risk *'] },
    })
    const here = session()
    await start(here)
    const paused = await report(here, 'risk 70')
    const reason = 'Risk 70 is in the tier verify'
    expect(paused).toMatchObject({ continue: false, nextStepRisk: 'verify', reason })
    expect(paused.factors).toContain("action patterns: Action needs approval by pattern 'risk *'")
    const id = idIn(paused, 'verificationId')
    expect(paused.notifications).toMatchObject([
      { type: 'autonomy_pause', metadata: { reason, level: 'verify', verificationId: id } },
    ])
    expect(JSON.stringify(paused)).not.toContain('approvalId')
    expect(await store.list('request')).toEqual([])
    await loop.verify(here, id, await code(id))
    expect(await report(here, 'risk 70')).toMatchObject({ continue: true })
  })

  test('below it they ask for an approval, and say so alike', async () => {
    const { session, start, report } = await createLoopBench({ settings: { requiresApproval: ['risk *'] } })
    const here = session()
    await start(here)
    const reason = "Action needs approval by pattern 'risk *'"
    const paused = await report(here, 'risk 50')
    expect(paused).toMatchObject({ continue: false, nextStepRisk: 'confirm', reason })
    expect(paused.notifications?.map(({ type, metadata }) => [type, metadata?.reason])).toEqual([
      ['autonomy_pause', reason],
      ['permission_pending', reason],
    ])
    expect(JSON.stringify(paused)).not.toContain('verificationId')
  })
})

describe('the code', () => {
  test('OOB-10 right once; wrong, used, unknown and expired are told alike', async () => {
    const { loop, here, id, code, time, report } = await atVerify()
    const right = await code(id)
    expect(await loop.verify(here, id, right)).toHaveProperty('challenge')
    const used = await loop.verify(here, id, right)
    const unknown = await loop.verify(here, '00000000-0000-4000-8000-000000000000', right)
    await report(here, 'risk 70')
    const next = idIn(await report(here, 'risk 71'), 'verificationId')
    const nextCode = await code(next)
    const wrong = await loop.verify(here, next, WRONG)
    const burnt = await loop.verify(here, next, nextCode)
    const last = idIn(await report(here, 'risk 71'), 'verificationId')
    const lastCode = await code(last)
    time.now += 300_001
    const expired = await loop.verify(here, last, lastCode)
    expect(wrong).toMatchObject({ error: { code: 'PERMISSION_VERIFICATION_FAILED', message: 'Verification failed' } })
    for (const answer of [used, unknown, burnt, expired]) expect(JSON.stringify(answer)).toBe(JSON.stringify(wrong))
  })

  test('OOB-04 nothing is right before a code was shown', async () => {
    const { loop, here, id } = await atVerify()
    expect(errorOf(await loop.verify(here, id, '')).code).toBe('PERMISSION_VERIFICATION_FAILED')
  })

  test('R-44 it is shown once', async () => {
    const { id, code } = await atVerify()
    await code(id)
    await expect(code(id)).rejects.toThrow('already')
  })

  test('OOB-04 it is in no record, no trail and no answer', async () => {
    const { id, code, store, here, loop, report } = await atVerify()
    const right = await code(id)
    const dump = async () => {
      const kinds = ['agent', 'challenge', 'request', 'block', 'blocks', 'attempts']
      const records = await Promise.all(kinds.map((kind) => store.list(kind)))
      return JSON.stringify([records, await store.trail.read()])
    }
    const shown = await dump()
    const answers = JSON.stringify([await loop.verify(here, id, right), await report(here, 'think')])
    for (const text of [shown, await dump(), answers]) {
      expect(text).not.toContain(right)
      expect(text).not.toContain(right.toLowerCase())
      expect(text).not.toContain(Buffer.from(right).toString('base64'))
    }
  })

  test('OOB-09 another session, also of another principal, may submit it', async () => {
    const { loop, id, code, session, here, report } = await atVerify()
    expect(await loop.verify(session('bob'), id, await code(id))).toHaveProperty('challenge')
    expect(await report(here, 'risk 70')).toMatchObject({ continue: true })
  })

  test.each([
    ['ann', 'ann', 'wrong', 'burns it'],
    ['anonymous', 'anonymous', 'wrong', 'leaves it'],
    ['stdio', 'stdio', 'wrong', 'leaves it'],
    ['ann', 'bob', 'wrong', 'leaves it'],
    ['anonymous', 'ann', 'wrong', 'leaves it'],
    ['anonymous', 'anonymous', 'right', 'verifies it'],
    ['hook', 'stdio', 'right', 'verifies it'],
  ])('OOB-09, OOB-10 of %s: another session, of %s, with a %s code %s', async (owner, other, kind, effect) => {
    const bench = await createLoopBench()
    const [here, there] = [bench.session(owner), bench.session(other)]
    await bench.start(here)
    const id = idIn(await bench.report(here, 'risk 70'), 'verificationId')
    const right = await bench.code(id)
    const answer = await bench.loop.verify(there, id, kind === 'right' ? right : WRONG)
    const none = await bench.loop.verify(bench.session('nobody'), '00000000-0000-4000-8000-000000000000', WRONG)
    if (kind === 'wrong') expect(JSON.stringify(answer)).toBe(JSON.stringify(none))
    const trail = await bench.store.trail.read()
    const tried = trail.map(({ entry }) => entry).filter(({ event }) => /CHALLENGE_(FAILED|VERIFIED)/.test(event))
    expect(tried.find(({ verificationId }) => verificationId === id)).toMatchObject({
      user_id: other,
      session_id: there.owner,
    })
    const after = await bench.loop.verify(here, id, right)
    expect('challenge' in after).toBe(effect === 'leaves it')
  })

  test('OOB-12 tries at the challenge of another count for whoever tries, and never against its owner', async () => {
    const { loop, session, start, report, code } = await createLoopBench()
    const here = session('anonymous')
    await start(here)
    const id = idIn(await report(here, 'risk 70'), 'verificationId')
    const right = await code(id)
    for (let tried = 0; tried < 10; tried++) await loop.verify(session('anonymous'), id, WRONG)
    expect(errorOf(await loop.verify(session('anonymous'), id, WRONG)).code).toBe('RATE_LIMIT_EXCEEDED')
    expect(await loop.verify(here, id, right)).toHaveProperty('challenge')
  })

  test('SESS-10 of 40 parallel submissions exactly one succeeds', async () => {
    const { loop, here, id, code } = await atVerify()
    const right = await code(id)
    const all = await Promise.all(Array.from({ length: 40 }, () => loop.verify(here, id, right)))
    expect(all.filter((answer) => 'challenge' in answer)).toHaveLength(1)
  })

  test('OOB-12 after ten failures the right code is not even compared, also after a restart', async () => {
    const { here, id, code, again, events } = await atVerify()
    const right = await code(id)
    const { loop, store, time } = await again()
    await loop.verify(here, id, WRONG)
    for (let i = 0; i < 9; i++) await loop.verify(here, id, right)
    const next = await again()
    const refused = await next.loop.verify(here, id, right)
    expect(errorOf(refused)).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', details: { retry_after_seconds: 60 } })
    expect(await events()).toContain('VERIFICATION_RATE_LIMITED')
    const order = { challenge_id: 'none', code: '', session: 'other', principal: 'ann' }
    expect(errorOf(await verifyChallenge(store, { now: () => time.now }, order)).code).toBe(
      'PERMISSION_VERIFICATION_FAILED',
    )
  })

  test('OOB-12 unknown ids count for the principal, so that a new session gains nothing', async () => {
    const { loop, session } = await createLoopBench()
    const here = session()
    for (let i = 0; i < 10; i++) await loop.verify(here, `none ${i}`, 'x')
    expect(errorOf(await loop.verify(here, 'another', 'x')).code).toBe('RATE_LIMIT_EXCEEDED')
    expect(errorOf(await loop.verify(session(), 'another', 'x')).code).toBe('RATE_LIMIT_EXCEEDED')
  })
})

describe('display channels', () => {
  const dialog = (outcome: 'delivered' | 'failed' | 'throws', seen: { code?: Secret } = {}): DialogChannel => ({
    kind: 'dialog',
    name: 'the desktop dialog',
    async show(challenge, code) {
      if (outcome === 'throws') throw new Error('no display')
      if (outcome === 'delivered') seen.code = code
      expect(challenge).toMatchObject({ element_name: 'bot', hint: 'risk 70', tier: 'verify', score: 70 })
      expect(challenge).not.toHaveProperty('hash')
      return outcome
    },
  })

  test('OOB-05 a dialog shows at once', async () => {
    const seen: { code?: Secret } = {}
    const { loop, here, id, paused } = await atVerify({ channels: [dialog('delivered', seen)] })
    expect(paused.notifications?.[0]?.message).toContain('the desktop dialog')
    const verified = await loop.verify(here, id, seen.code?.use((text) => text) ?? '')
    expect(verified).toHaveProperty('challenge')
  })

  test.each(['failed', 'throws'] as const)('OOB-05 a dialog that %s leaves it to the next channel', async (outcome) => {
    const seen: { code?: Secret } = {}
    const { loop, here, id } = await atVerify({ channels: [dialog(outcome), dialog('delivered', seen)] })
    expect(await loop.verify(here, id, seen.code?.use((text) => text) ?? '')).toHaveProperty('challenge')
  })

  test.each([
    ['no channel', []],
    ['only failing ones', [dialog('failed'), dialog('throws')]],
  ])('OOB-06 with %s the challenge is undeliverable, and that is said', async (_, channels) => {
    const { paused, id, here, report, loop, events, code } = await atVerify({ channels })
    const plainly = expect.stringContaining('No display channel is available')
    expect(paused).toMatchObject({ continue: false, reason: plainly })
    expect(paused.notifications).toMatchObject([{ message: plainly, metadata: { verificationId: id } }])
    expect(await report(here, 'think')).toMatchObject({ continue: false, reason: plainly })
    await expect(code(id)).rejects.toThrow('already')
    expect(errorOf(await loop.verify(here, id, '')).code).toBe('PERMISSION_VERIFICATION_FAILED')
    expect(await events()).toContain('CHALLENGE_UNDELIVERABLE')
  })
})

describe('the hard block', () => {
  test('AUTO-07, BLOCK-02, LOOP-19, NOTE-05, OOB-08 a deny match stops, blocks and challenges', async () => {
    const { stopped, id, here, step, loop } = await atStop()
    expect(stopped).toMatchObject({ continue: false, stopped: true, nextStepRisk: 'danger_zone' })
    const reason = "Action is denied by pattern 'rm -rf*'"
    expect(stopped.notifications).toEqual([
      expect.objectContaining({
        type: 'danger_zone',
        metadata: { level: 'danger_zone', reason, verificationId: id },
      }),
      {
        type: 'autonomy_pause',
        message: expect.stringMatching(/^Action is denied by pattern 'rm -rf\*'\. Factors: .*action patterns: /),
        timestamp: '2023-11-14T22:13:20.000Z',
        metadata: { reason, level: 'danger_zone' },
      },
    ])
    const blocked_at = '2023-11-14T22:13:20.000Z'
    const error = {
      code: 'PERMISSION_AGENT_BLOCKED',
      details: { element_name: 'bot', verificationId: id, blocked_at, reason },
    }
    expect(errorOf(await step(here, 'think'))).toMatchObject(error)
    expect(errorOf(await loop.executeAgent(here, { element_name: 'bot' }))).toMatchObject(error)
    const completing = await loop.endExecution(here, { operation: 'complete_execution', element_name: 'bot' })
    expect(errorOf(completing)).toMatchObject(error)
    expect(loop.isBlocked(here)?.error.code).toBe('PERMISSION_AGENT_BLOCKED')
  })

  test('LOOP-20, R-24 abort works and lifts nothing', async () => {
    const { here, loop } = await atStop()
    const done = await loop.endExecution(here, { operation: 'abort_execution', element_name: 'bot' })
    expect(done).toMatchObject({ status: 'cancelled' })
    expect(errorOf(await loop.executeAgent(here, { element_name: 'bot' })).code).toBe('PERMISSION_AGENT_BLOCKED')
  })

  test('BLOCK-03, BLOCK-05 it survives reconnect, restart and time', async () => {
    const { again, session, time } = await atStop()
    time.now += 365 * 86_400_000
    const next = await again()
    const there = session()
    expect(next.loop.isBlocked(there)?.error.code).toBe('PERMISSION_AGENT_BLOCKED')
    expect(errorOf(await next.loop.executeAgent(there, { element_name: 'bot' })).code).toBe('PERMISSION_AGENT_BLOCKED')
  })

  test.each(['bot', 'BOT', ' b0t ', 'bоt', 'b\u200bot', 'another', 'fresh name'])(
    'BLOCK-04 the principal cannot start as %j',
    async (element_name) => {
      const { loop, session } = await atStop()
      expect(errorOf(await loop.executeAgent(session(), { element_name })).code).toBe('PERMISSION_AGENT_BLOCKED')
    },
  )

  test.each([
    ['bot', 'PERMISSION_AGENT_BLOCKED'],
    ['fresh', 'PERMISSION_AGENT_BLOCKED'],
  ])('BLOCK-02, BLOCK-04 the gate can know it about %j before it asks a human', async (name, code) => {
    const { loop, session } = await atStop()
    expect((await loop.refuseStart(session(), { element_name: name }))?.error.code).toBe(code)
    expect(await loop.refuseStart(session('bob'), { element_name: name })).toBeUndefined()
  })

  test('BLOCK-02, BLOCK-04 names in use before go on being evaluated but call nothing, other principals are not concerned', async () => {
    const bench = await createLoopBench()
    const { loop, session, start, report } = bench
    const other = session()
    await start(other, 'cat')
    const here = session()
    await start(here)
    bench.time.now += 1
    await report(here, 'rm -rf /')
    expect(await report(other, 'think', { element_name: 'cat' })).toMatchObject({ continue: true })
    expect(loop.isBlocked(other)?.error.code).toBe('PERMISSION_AGENT_BLOCKED')
    await loop.endExecution(other, { operation: 'abort_execution', element_name: 'cat' })
    expect(await start(other, 'cat')).toMatch(/^agent_/)
    expect(await start(session('bob'), 'bot')).toMatch(/^agent_/)
    expect(loop.isBlocked(session('bob'))).toBeUndefined()
  })

  test.each(['b0t', 'bоt', 'b\u200bot', 'Bot.'])(
    'BLOCK-03, BLOCK-04 a look-alike in use before, %j, is the same agent and stops with it',
    async (element_name) => {
      const bench = await createLoopBench()
      const { loop, session, start, report, step } = bench
      const other = session()
      await start(other, element_name)
      const here = session()
      await start(here)
      bench.time.now += 1
      await report(here, 'rm -rf /')
      expect(errorOf(await step(other, 'think', { element_name })).code).toBe('PERMISSION_AGENT_BLOCKED')
      expect(loop.isBlocked(other)?.error.code).toBe('PERMISSION_AGENT_BLOCKED')
      await loop.endExecution(other, { operation: 'abort_execution', element_name })
      expect(errorOf(await loop.executeAgent(other, { element_name })).code).toBe('PERMISSION_AGENT_BLOCKED')
    },
  )

  describe('LOOP-20, BLOCK-04, BLOCK-06, R-27 another name in the session of the block', () => {
    const withTwo = async () => {
      const bench = await createLoopBench()
      const here = bench.session()
      await bench.start(here, 'cat')
      await bench.start(here)
      bench.time.now += 1
      const id = idIn(await bench.report(here, 'drop_all risk 99'), 'verificationId')
      return { ...bench, here, id, asCat: (hint: string) => bench.report(here, hint, { element_name: 'cat' }) }
    }

    test('is evaluated and does not go on, whatever ends, until the code lifts the block', async () => {
      const { loop, here, id, asCat, code } = await withTwo()
      const held = { continue: false, reason: expect.stringContaining("agent 'bot'") }
      expect(await asCat('think')).toMatchObject(held)
      await loop.endExecution(here, { operation: 'abort_execution', element_name: 'bot' })
      expect(await asCat('think')).toMatchObject(held)
      expect(loop.isBlocked(here)?.error.code).toBe('PERMISSION_AGENT_BLOCKED')
      await loop.verify(here, id, await code(id))
      expect(await asCat('think')).toMatchObject({ continue: true })
      expect(loop.isBlocked(here)).toBeUndefined()
    })

    test('is stopped by an action that stops', async () => {
      const { asCat } = await withTwo()
      expect(await asCat('drop_all risk 99')).toMatchObject({ stopped: true })
    })

    test('cannot start again there, though it was in use before', async () => {
      const { loop, here, session } = await withTwo()
      await loop.endExecution(here, { operation: 'abort_execution', element_name: 'cat' })
      const again = { element_name: 'cat' }
      expect(errorOf(await loop.executeAgent(here, again)).code).toBe('PERMISSION_AGENT_BLOCKED')
      expect((await loop.refuseStart(here, again))?.error.code).toBe('PERMISSION_AGENT_BLOCKED')
      expect(await loop.refuseStart(session(), again)).toBeUndefined()
    })

    test('is refused when the operator takes the block over', async () => {
      const { loop, here, step } = await withTwo()
      const order = { agentKey: JSON.stringify(['ann', 'bot']), name: 'bot', principal: 'ann' }
      await loop.block({ ...order, reason: 'looks manipulated', by: 'root', channel: 'console' })
      expect(errorOf(await step(here, 'think', { element_name: 'cat' })).code).toBe('PERMISSION_AGENT_BLOCKED')
    })
  })

  test('OOB-14, BLOCK-05 a refused call of any kind names a challenge that can be answered, or none', async () => {
    const { loop, here, id, time } = await atStop()
    const stopped = loop.isBlocked(here)
    if (!stopped) throw new Error('not stopped')
    expect(stopped.error.details).not.toHaveProperty('verificationId')
    const told = async () => (await loop.tellBlocked(here, 'get_thing', stopped)).error.details ?? {}
    expect((await told()).verificationId).toBe(id)
    await loop.verify(here, id, WRONG)
    const second = String((await told()).verificationId)
    expect(second).toMatch(UUID)
    expect(second).not.toBe(id)
    expect((await told()).verificationId).toBe(second)
    time.now += 300_001
    expect((await told()).verificationId).not.toBe(second)
    for (let tries = 0; tries < 5; tries++)
      await loop.verify(here, String((await told()).verificationId ?? second), WRONG)
    expect(await told()).toMatchObject({ element_name: 'bot', next: expect.stringContaining('Too many codes') })
    expect(await told()).not.toHaveProperty('verificationId')
  })

  test('OOB-14 while the challenge can be answered, a refused call writes nothing', async () => {
    const { loop, here, store, events } = await atStop()
    const stopped = loop.isBlocked(here)
    if (!stopped) throw new Error('not stopped')
    const before = await events()
    for (let calls = 0; calls < 10; calls++) await loop.tellBlocked(here, 'get_thing', stopped)
    expect(await events()).toEqual(before)
    expect(await store.list('challenge')).toHaveLength(1)
  })

  describe('OOB-14, SELF-09 of callers that share a principal, the one that was stopped alone gets and burns codes', () => {
    const ISSUED = 'CHALLENGE_ISSUED'
    const withStranger = async (principal = 'anonymous', store?: Store) => {
      const bench = await createLoopBench({}, store)
      const here = bench.session(principal)
      await bench.start(here)
      const id = idIn(await bench.report(here, 'rm -rf /'), 'verificationId')
      const told = async (session: Session, { loop } = bench) => {
        const stopped = loop.isBlocked(session)
        if (!stopped) throw new Error('not stopped')
        return (await loop.tellBlocked(session, 'get_thing', stopped)).error.details ?? {}
      }
      const issued = async () => (await bench.events()).filter((event) => event === ISSUED).length
      return { ...bench, here, stranger: bench.session(principal), id, told, issued }
    }
    type World = Awaited<ReturnType<typeof withStranger>>

    const ways: readonly (readonly [string, (world: World, who: Session) => Promise<object>])[] = [
      ['any call', (world, who) => world.told(who)],
      ['a report', async ({ step }, who) => errorOf(await step(who, 'think')).details ?? {}],
      [
        'a start',
        async ({ loop }, who) => errorOf(await loop.executeAgent(who, { element_name: 'bot' })).details ?? {},
      ],
      [
        'a start before anybody is asked',
        async ({ loop }, who) => (await loop.refuseStart(who, { element_name: 'cat' }))?.error.details ?? {},
      ],
      [
        'an end',
        async ({ loop }, who) =>
          errorOf(await loop.endExecution(who, { operation: 'complete_execution', element_name: 'bot' })).details ?? {},
      ],
    ]

    test.each(ways)('%s of another names no code and makes none, burnt or expired', async (_, refused) => {
      const world = await withStranger()
      const { loop, here, stranger, id, issued, time } = world
      const isTold = async () => {
        const details = await refused(world, stranger)
        expect(details).toMatchObject({
          element_name: 'bot',
          next: expect.stringContaining('operator lifts the block'),
        })
        expect(details).not.toHaveProperty('verificationId')
      }
      await isTold()
      await loop.verify(here, id, WRONG)
      for (let calls = 0; calls < 10; calls++) await isTold()
      time.now += 300_001
      await isTold()
      expect(await issued()).toBe(1)
      expect(await refused(world, here)).toHaveProperty('verificationId')
      expect(await issued()).toBe(2)
    })

    test('BLOCK-02 its refused calls are recorded', async () => {
      const { step, stranger, events } = await withStranger()
      await step(stranger, 'think')
      expect(await events()).toContain('OPERATION_DENIED')
    })

    test('OOB-09 the right code counts from another session', async () => {
      const { loop, here, stranger, id, code } = await withStranger()
      expect(await loop.verify(stranger, id, await code(id))).toMatchObject({ blockLifted: true })
      expect(loop.isBlocked(here)).toBeUndefined()
    })

    test('another session of a named client is the same caller', async () => {
      const { told, stranger, id } = await withStranger('ann')
      expect((await told(stranger)).verificationId).toBe(id)
    })

    test('when the session has ended, the next may ask for a code', async () => {
      const { loop, here, stranger, id, told } = await withStranger()
      await loop.verify(here, id, WRONG)
      expect(await told(stranger)).not.toHaveProperty('verificationId')
      await loop.endSession(here)
      expect((await told(stranger)).verificationId).toMatch(UUID)
    })

    test('BLOCK-05 when its process is gone, the next process may', async () => {
      const store = createMemoryStore()
      const { told, again, id } = await withStranger('stdio', store)
      const next = await again()
      const stranger = next.session('stdio')
      expect(await told(stranger, next)).not.toHaveProperty('verificationId')
      store.isGone = async () => true
      const { verificationId } = await told(stranger, next)
      expect(verificationId).toMatch(UUID)
      expect(verificationId).not.toBe(id)
    })

    test('of two that were stopped, each is told of its own', async () => {
      const bench = await withStranger()
      const { stranger, start, report, told, here, loop, store } = bench
      await loop.lift({ agentKey: '["anonymous","bot"]', reason: 'a test', by: 'root', channel: 'terminal' })
      await start(stranger, 'cat')
      bench.time.now += 1
      await report(here, 'rm -rf /')
      await report(stranger, 'rm -rf /', { element_name: 'cat' })
      const open = await store.get(openBlocksRef())
      for (const [session, name] of [
        [here, 'bot'],
        [stranger, 'cat'],
      ] as const) {
        const { verificationId } = await told(session)
        expect(verificationId).toBe(open?.[`["anonymous","${name}"]`]?.verificationId)
      }
    })
  })

  test('BLOCK-05, OOB-14 a challenge of a process that was killed is replaced by any that lives on', async () => {
    const { store, id, here, time } = await atStop()
    const dead = { ...store, isGone: async () => false }
    const next = await createLoopBench({}, dead, time)
    dead.isGone = async () => true // killed while the other process runs
    expect(errorOf(await next.step(here, 'think')).details?.verificationId).not.toBe(id)
    const stopped = next.loop.isBlocked(here)
    if (!stopped) throw new Error('not stopped')
    const told = await next.loop.tellBlocked(here, 'get_thing', stopped)
    expect(told.error.details?.verificationId).not.toBe(id)
  })

  test('OOB-15 the right code lifts it and grants the one action', async () => {
    const { loop, here, id, code, report, store, events } = await atStop()
    expect(await loop.verify(here, id, await code(id))).toMatchObject({ blockLifted: true })
    expect(loop.isBlocked(here)).toBeUndefined()
    expect(await report(here, 'rm -rf /')).toMatchObject({ continue: true })
    expect(await report(here, 'rm -rf /')).toMatchObject({ stopped: true })
    expect(await events()).toContain('AGENT_UNBLOCKED')
    const [{ value: block } = { value: undefined }] = (await store.list('block')).filter(
      ({ value }) => 'unblocked_at' in (value as object),
    )
    expect(block).toMatchObject({
      trigger: 'deny',
      hint: 'rm -rf /',
      score: 0,
      verificationId: id,
      unblocked_by: 'ann',
      channel: 'verify_challenge',
    })
  })

  test('OOB-15 what was granted before the stop is gone', async () => {
    const { session, start, report, approve, loop, code } = await createLoopBench()
    const here = session()
    await start(here)
    await approve(idIn(await report(here, 'delete_x'), 'approvalId'))
    await report(here, 'think')
    const id = idIn(await report(here, 'rm -rf /'), 'verificationId')
    await loop.verify(here, id, await code(id))
    expect(await report(here, 'delete_x')).toMatchObject({ continue: false })
  })

  test('BLOCK-06, OOB-14 a wrong code and an expiry leave it; the next refused call makes a new challenge', async () => {
    const { loop, here, id, step, time } = await atStop()
    await loop.verify(here, id, WRONG)
    const second = errorOf(await step(here, 'think')).details?.verificationId
    expect(second).toMatch(UUID)
    expect(second).not.toBe(id)
    expect(errorOf(await step(here, 'think')).details?.verificationId).toBe(second)
    time.now += 300_001
    const third = errorOf(await loop.executeAgent(here, { element_name: 'bot' })).details?.verificationId
    expect(third).not.toBe(second)
  })

  test('OOB-14 at most five challenges in ten minutes', async () => {
    const { here, step, loop, store } = await atStop()
    for (let i = 0; i < 20; i++) {
      const { details } = errorOf(await step(here, 'think'))
      await loop.verify(here, String(details?.verificationId), WRONG)
    }
    expect(await store.list('challenge')).toHaveLength(5)
    expect(errorOf(await step(here, 'think')).details?.next).toContain('Too many codes')
  })

  test('BLOCK-07 the admin override lifts it, clears the challenge and grants nothing', async () => {
    const { loop, here, id, report, events, code } = await atStop()
    const order = { agentKey: JSON.stringify(['ann', 'bot']), reason: 'it was a test', by: 'root', channel: 'terminal' }
    expect(await loop.lift(order)).toBe('lifted')
    expect(await events()).toEqual(expect.arrayContaining(['ADMIN_OVERRIDE', 'AGENT_UNBLOCKED']))
    await expect(code(id)).rejects.toThrow('unknown')
    expect(await report(here, 'rm -rf /')).toMatchObject({ stopped: true })
  })

  test('BLOCK-10 an operator can stop an agent, or all of a principal', async () => {
    const { loop, session, start, step, report } = await createLoopBench()
    const here = session()
    await start(here)
    const order = { principal: 'ann', reason: 'looks manipulated', by: 'root', channel: 'console' }
    await loop.block({ ...order, agentKey: JSON.stringify(['ann', 'bot']), name: 'bot' })
    const refused = errorOf(await step(here, 'think'))
    expect(refused).toMatchObject({ code: 'PERMISSION_AGENT_BLOCKED', details: { reason: 'looks manipulated' } })
    await loop.lift({ ...order, agentKey: JSON.stringify(['ann', 'bot']) })
    expect(await report(here, 'think')).toMatchObject({ continue: true })
    await loop.block({ ...order, agentKey: 'ann', name: 'ann' })
    expect(errorOf(await step(here, 'think')).code).toBe('PERMISSION_AGENT_BLOCKED')
  })

  test('TOK-15 the tokens of the session are taken back', async () => {
    const revoked: string[] = []
    const { here } = await atStop({ revokeTokens: async (session: string) => void revoked.push(session) })
    expect(revoked).toEqual([here.owner])
  })

  test('BLOCK-05 challenges pending at shutdown are void and replaced', async () => {
    const { store, id, here, time, code } = await atStop()
    const right = await code(id)
    const gone = { ...store, isGone: async () => true }
    const next = await createLoopBench({}, gone, time)
    expect(errorOf(await next.loop.verify(here, id, right)).code).toBe('PERMISSION_VERIFICATION_FAILED')
    expect(errorOf(await next.step(here, 'think')).details?.verificationId).not.toBe(id)
  })
})
