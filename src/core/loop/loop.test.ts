import { describe, expect, test } from 'vitest'
import { createLoopBench, errorOf, idIn } from '../../../test/safety-loop.ts'
import { isFailure } from '../../protocol/result.ts'

describe('executions', () => {
  test('LOOP-08 execute_agent answers with the execution and the autonomy in force', async () => {
    const { loop, session } = await createLoopBench()
    const started = await loop.executeAgent(session(), {
      element_name: 'bot',
      goal: 'tidy up',
      autonomy: { maxAutonomousSteps: 3, deny: ['x_*'] },
    })
    expect(started).toEqual({
      execution_id: expect.stringMatching(/^agent_[\w-]{16}$/),
      status: 'running',
      started_at: '2023-11-14T22:13:20.000Z',
      element_name: 'bot',
      autonomy: {
        maxAutonomousSteps: 3,
        riskTolerance: 'moderate',
        deny: ['drop_*', 'delete_all*', 'rm -rf*', '*_production*', 'x_*'],
        requiresApproval: ['delete_*', '*force*', 'deploy_*', 'git push*'],
        autoApprove: ['read_*', 'list_*', 'get_*', 'search_*'],
      },
    })
  })

  test.each(['bot', ' BOT ', 'ｂｏｔ'])(
    'LOOP-10 a second execution of %j is refused, in any session of the principal',
    async (name) => {
      const { loop, session, start } = await createLoopBench()
      await start(session())
      const second = await loop.executeAgent(session(), { element_name: name })
      expect(errorOf(second)).toMatchObject({ code: 'CONFLICT_INVALID_STATE', details: { state: 'running' } })
    },
  )

  test('LOOP-10 another principal has agents of its own', async () => {
    const { session, start } = await createLoopBench()
    await start(session('ann'))
    expect(await start(session('bob'))).toMatch(/^agent_/)
  })

  test.each(['anonymous', 'stdio'])(
    'callers that share the principal %s neither end, report on nor learn of an execution of another',
    async (principal) => {
      const { loop, session, start, report } = await createLoopBench()
      const [here, there] = [session(principal), session(principal)]
      const execution_id = await start(here)
      const clash = errorOf(await loop.executeAgent(there, { element_name: 'bot' }))
      expect(clash.code).toBe('CONFLICT_INVALID_STATE')
      expect(JSON.stringify(clash)).not.toContain(execution_id)
      for (const operation of ['abort_execution', 'complete_execution'] as const) {
        for (const given of [{}, { execution_id }]) {
          const known = await loop.endExecution(there, { operation, element_name: 'bot', ...given })
          const unknown = await loop.endExecution(there, { operation, element_name: 'nobody', ...given })
          expect(JSON.stringify(known)).toBe(JSON.stringify(unknown).replaceAll('nobody', 'bot'))
        }
      }
      await report(here, 'list_issues')
      expect(await loop.endExecution(here, { operation: 'abort_execution', element_name: 'bot' })).toMatchObject({
        status: 'cancelled',
        steps_recorded: 1,
      })
    },
  )

  test.each([['  '], ['']])('LOOP-08 a blank name %j is refused', async (element_name) => {
    const { loop, session } = await createLoopBench()
    expect(errorOf(await loop.executeAgent(session(), { element_name })).code).toBe('VALIDATION_MISSING_PARAM')
  })

  test('LOOP-19 complete_execution ends it with its step count', async () => {
    const { loop, session, start, report } = await createLoopBench()
    const here = session()
    const execution_id = await start(here)
    await report(here, 'list_issues')
    const done = await loop.endExecution(here, { operation: 'complete_execution', element_name: 'bot' })
    expect(done).toMatchObject({ execution_id, status: 'completed', steps_recorded: 1 })
    expect(done).toHaveProperty('finished_at')
    const again = await loop.endExecution(here, { operation: 'abort_execution', element_name: 'bot', execution_id })
    expect(errorOf(again)).toMatchObject({ code: 'CONFLICT_INVALID_STATE', details: { state: 'completed' } })
    expect(await start(here)).not.toBe(execution_id)
  })

  test('LOOP-03 what never ran is unknown', async () => {
    const { loop, session } = await createLoopBench()
    const answer = await loop.endExecution(session(), { operation: 'abort_execution', element_name: 'bot' })
    expect(errorOf(answer).code).toBe('NOT_FOUND_RESOURCE')
  })
})

describe('reports', () => {
  test('LOOP-15 an accepted report has id, number, time and directive', async () => {
    const { session, start, step } = await createLoopBench()
    const here = session()
    const execution_id = await start(here)
    expect(await step(here, 'think')).toEqual({
      execution_id,
      step_number: 1,
      recorded_at: '2023-11-14T22:13:20.000Z',
      autonomy: {
        continue: true,
        stepsRemaining: 9,
        nextStepRisk: 'advisory',
        factors: expect.arrayContaining(['step limit: passed']),
      },
    })
  })

  // biome-ignore format: a table reads by columns
  test.each([
    ['LOOP-12 a blank hint',            ' \n',              {},                        'VALIDATION_MISSING_PARAM'],
    ['LOOP-12 a hint of 10,001',        'x'.repeat(10_001), {},                        'VALIDATION_PAYLOAD_TOO_LARGE'],
    ['LOOP-13 an unknown outcome',      'think',            { outcome: 'Success' },    'VALIDATION_INVALID_TYPE'],
    ['AUTO-13 a score above 100',       'think',            { risk_score: 101 },       'VALIDATION_INVALID_TYPE'],
    ['AUTO-13 a score below 0',         'think',            { risk_score: -1 },        'VALIDATION_INVALID_TYPE'],
    ['AUTO-13 a score that is none',    'think',            { risk_score: Number.NaN}, 'VALIDATION_INVALID_TYPE'],
    ['LOOP-14 another execution',       'think',            { execution_id: 'x' },     'NOT_FOUND_RESOURCE'],
    ['LOOP-14 another agent',           'think',            { element_name: 'cat' },   'NOT_FOUND_RESOURCE'],
  ])('%s is refused', async (_, hint, more, code) => {
    const { session, start, step } = await createLoopBench()
    const here = session()
    await start(here)
    expect(errorOf(await step(here, hint, more)).code).toBe(code)
  })

  test('LOOP-12 a hint of 10,000 is judged to its last character', async () => {
    const { session, start, report } = await createLoopBench()
    const here = session()
    await start(here)
    expect(await report(here, `${'x'.repeat(9_990)}\nrm -rf *`)).toMatchObject({ stopped: true })
  })

  test('LOOP-14 the execution of another session is unknown here', async () => {
    const { session, start, step } = await createLoopBench()
    await start(session())
    expect(errorOf(await step(session(), 'think')).code).toBe('NOT_FOUND_RESOURCE')
  })

  // biome-ignore format: a table reads by columns
  test.each([
    'call issues.create on another MCP server', 'read the file /tmp/a', 'write the file /tmp/a', 'run the command ls',
    'fetch https://example.org', 'select 1 from the database', 'set the thermostat to 20',
  ])('LOOP-23 %j is judged alike', async (hint) => {
    const { session, start, report } = await createLoopBench()
    const here = session()
    await start(here)
    expect(await report(here, hint)).toMatchObject({ continue: true })
    expect(await report(here, `${hint}, risk 90`)).toMatchObject({ stopped: true })
  })

  test('AUTO-19 a scorer that throws pauses', async () => {
    const broken = {
      score: () => {
        throw new Error('broken')
      },
    }
    const { session, start, report } = await createLoopBench(broken)
    const here = session()
    await start(here)
    expect(await report(here, 'think')).toMatchObject({ continue: false, nextStepRisk: 'verify' })
  })
})

describe('modes', () => {
  test('LOOP-17 monitoring says what it would have done and does nothing', async () => {
    const { session, start, report, store } = await createLoopBench({ mode: 'monitoring' })
    const here = session()
    await start(here)
    const told = await report(here, 'rm -rf /')
    expect(told).toMatchObject({ continue: true, nextStepRisk: 'danger_zone', reason: expect.stringContaining('stop') })
    expect(told).not.toHaveProperty('stopped')
    expect(await report(here, 'delete_x', { outcome: 'failure' })).toMatchObject({ continue: true })
    for (let i = 0; i < 12; i++) await report(here, 'think')
    expect(await report(here, 'risk 70')).toMatchObject({ continue: true, stepsRemaining: 0, nextStepRisk: 'verify' })
    for (const kind of ['challenge', 'block', 'request']) expect(await store.list(kind)).toEqual([])
  })

  test('LOOP-18 logging evaluates nothing and says so', async () => {
    const { session, start, report, events } = await createLoopBench({ mode: 'logging' })
    const here = session()
    await start(here)
    expect(await report(here, 'rm -rf /')).toEqual({
      continue: true,
      factors: ['nothing was evaluated: the loop only logs'],
    })
    expect(await events()).toContain('STEP_EVALUATED')
  })

  test('LOOP-18 disabled tracks progress and gives no directive', async () => {
    const { session, start, step, loop } = await createLoopBench({ mode: 'disabled' })
    const here = session()
    const execution_id = await start(here)
    expect(await step(here, 'rm -rf /')).toEqual({ execution_id, step_number: 1, recorded_at: expect.any(String) })
    const done = await loop.endExecution(here, { operation: 'complete_execution', element_name: 'bot' })
    expect(done).toMatchObject({ status: 'completed', steps_recorded: 1 })
  })

  test('R-25, BLOCK-06 a block outlives a weaker mode', async () => {
    const bench = await createLoopBench()
    const here = bench.session()
    await bench.start(here)
    await bench.report(here, 'rm -rf /')
    const weaker = await bench.again({ mode: 'monitoring' })
    expect(await weaker.report(here, 'think')).toMatchObject({ continue: true })
    const strict = await bench.again()
    expect(errorOf(await strict.step(here, 'think')).code).toBe('PERMISSION_AGENT_BLOCKED')
    expect(await bench.events()).toContain('SAFETY_MODE_CHANGED')
  })
})

describe('pauses', () => {
  test('AUTO-03, AUTO-16 the eleventh report pauses, and the pause holds', async () => {
    const { session, start, report } = await createLoopBench()
    const here = session()
    await start(here)
    for (let left = 9; left >= 0; left--) expect(await report(here, 'think')).toMatchObject({ stepsRemaining: left })
    const paused = await report(here, 'think')
    expect(paused).toMatchObject({ continue: false, reason: 'Step limit exceeded', stepsRemaining: 0 })
    const id = idIn(paused, 'approvalId')
    const held = await report(here, 'something else')
    expect(held).toMatchObject({ continue: false, reason: expect.stringContaining(id) })
    expect(await report(here, 'something else', { outcome: 'success' })).toMatchObject({ continue: false })
  })

  test('AUTO-04, AUTO-18 approval of a step limit resets the count and allows no action', async () => {
    const { session, start, report, approve } = await createLoopBench({ settings: { maxAutonomousSteps: 1 } })
    const here = session()
    await start(here)
    await report(here, 'think')
    const paused = await report(here, 'delete_x')
    expect(paused.reason).toBe('Step limit exceeded')
    await approve(idIn(paused, 'approvalId'))
    expect(await report(here, 'delete_x')).toMatchObject({
      continue: false,
      stepsRemaining: 0,
      reason: "Action needs approval by pattern 'delete_*'",
    })
  })

  test('AUTO-05 a failure pause is not lifted by leaving out the outcome', async () => {
    const { session, start, report, approve } = await createLoopBench()
    const here = session()
    await start(here)
    const paused = await report(here, 'think', { outcome: 'failure' })
    expect(paused).toMatchObject({ continue: false, reason: 'Previous step failed' })
    expect(await report(here, 'think')).toMatchObject({ continue: false })
    await approve(idIn(paused, 'approvalId'))
    expect(await report(here, 'think')).toMatchObject({ continue: true })
  })

  test('AUTO-16 a pause does not raise the count, and a stop applies at once', async () => {
    const { session, start, report, step, approve } = await createLoopBench()
    const here = session()
    await start(here)
    const paused = await report(here, 'delete_x')
    for (let i = 0; i < 20; i++) await report(here, 'think')
    await approve(idIn(paused, 'approvalId'))
    expect(await report(here, 'think')).toMatchObject({ continue: true, stepsRemaining: 8 })
    await report(here, 'delete_y')
    expect(await report(here, 'rm -rf /')).toMatchObject({ stopped: true })
    expect(errorOf(await step(here, 'think')).code).toBe('PERMISSION_AGENT_BLOCKED')
  })

  test('AUTO-17 an approval covers the identical action once', async () => {
    const { session, start, report, approve, store } = await createLoopBench()
    const here = session()
    await start(here)
    const id = idIn(await report(here, 'delete_x 1'), 'approvalId')
    await approve(id)
    expect(await report(here, 'think')).toMatchObject({ continue: true })
    expect(await report(here, 'delete_x 1')).toMatchObject({ continue: true, factors: [expect.stringContaining(id)] })
    expect(await store.get({ kind: 'request', id })).toMatchObject({ state: 'consumed', useCount: 1 })
    const again = await report(here, 'delete_x 1')
    expect(again).toMatchObject({ continue: false })
    expect(idIn(again, 'approvalId')).not.toBe(id)
  })

  test('AUTO-17 not another action, not after five minutes, not in another session', async () => {
    const { session, start, report, approve, time, loop } = await createLoopBench()
    const here = session()
    await start(here)
    await approve(idIn(await report(here, 'delete_x 1'), 'approvalId'))
    const other = await report(here, 'delete_x 2')
    expect(other).toMatchObject({ continue: false })
    await approve(idIn(other, 'approvalId'))
    time.now += 300_001
    const late = await report(here, 'delete_x 2')
    expect(late).toMatchObject({ continue: false })
    await approve(idIn(late, 'approvalId'))
    await loop.endExecution(here, { operation: 'abort_execution', element_name: 'bot' })
    const there = session()
    await start(there)
    expect(await report(there, 'delete_x 2')).toMatchObject({ continue: false })
  })

  test('R-29, SELF-11 a denial closes the pause and keeps the hint refused', async () => {
    const { session, start, report, step, deny, events } = await createLoopBench()
    const here = session()
    await start(here)
    await deny(idIn(await report(here, 'delete_x'), 'approvalId'))
    expect(errorOf(await step(here, 'delete_x')).code).toBe('PERMISSION_DENIED')
    expect(await report(here, 'think')).toMatchObject({ continue: true })
    expect(errorOf(await step(here, 'delete_x')).code).toBe('PERMISSION_DENIED')
    expect(await events()).toContain('APPROVAL_DENIED')
  })

  test('SELF-11 an approval that was taken back allows nothing, whether or not the agent has seen it', async () => {
    const { session, start, report, approve, revoke } = await createLoopBench()
    const here = session()
    await start(here)
    const first = idIn(await report(here, 'delete_x'), 'approvalId')
    await approve(first)
    await revoke(first)
    const again = await report(here, 'delete_x')
    expect(again).toMatchObject({ continue: false })
    const second = idIn(again, 'approvalId')
    await approve(second)
    expect(await report(here, 'think')).toMatchObject({ continue: true })
    await revoke(second)
    expect(await report(here, 'delete_x')).toMatchObject({ continue: false })
  })

  test('LOOP-20 abort works for a paused agent and lifts nothing', async () => {
    const { session, start, report, loop } = await createLoopBench()
    const here = session()
    await start(here)
    await report(here, 'delete_x')
    const done = await loop.endExecution(here, { operation: 'abort_execution', element_name: 'bot', reason: 'enough' })
    expect(done).toMatchObject({ status: 'cancelled' })
    await start(here)
    expect(await report(here, 'think')).toMatchObject({ continue: false })
  })

  test('R-29 a question that expired is asked again, the pause holds', async () => {
    const { session, start, report, time, approve } = await createLoopBench()
    const here = session()
    await start(here)
    const first = idIn(await report(here, 'delete_x'), 'approvalId')
    time.now += 3_600_001
    const second = idIn(await report(here, 'think'), 'approvalId')
    expect(second).not.toBe(first)
    await approve(second)
    expect(await report(here, 'delete_x')).toMatchObject({ continue: true })
  })

  test('SESS-10 of 40 parallel reports on one grant exactly one continues', async () => {
    const { session, start, report, approve } = await createLoopBench()
    const here = session()
    await start(here)
    await approve(idIn(await report(here, 'delete_x'), 'approvalId'))
    const all = await Promise.all(Array.from({ length: 40 }, () => report(here, 'delete_x')))
    expect(all.filter((directive) => directive.continue)).toHaveLength(1)
  })

  test('SESS-10 parallel reports count one by one', async () => {
    const { session, start, report } = await createLoopBench()
    const here = session()
    await start(here)
    const all = await Promise.all(Array.from({ length: 30 }, () => report(here, 'think')))
    expect(all.filter((directive) => directive.continue)).toHaveLength(10)
  })
})

describe('SELF', () => {
  test('SELF-01, LOOP-21 confirm_operation by the same principal is refused, audited, and changes nothing', async () => {
    const { session, start, report, loop, store, events } = await createLoopBench({
      decideAsPrincipal: async () => ({ decision: 'approve' }),
    })
    const here = session()
    await start(here)
    const id = idIn(await report(here, 'delete_x'), 'approvalId')
    const before = await store.get({ kind: 'request', id })
    for (const caller of [here, session()]) {
      const answer = await loop.confirm(caller, { approval_id: id, decision: 'approve' })
      expect(errorOf(answer).code).toBe('PERMISSION_SELF_APPROVAL_DENIED')
    }
    expect(await store.get({ kind: 'request', id })).toEqual(before)
    expect((await events()).filter((event) => event === 'SELF_APPROVAL_REJECTED')).toHaveLength(2)
    expect(await report(here, 'delete_x')).toMatchObject({ continue: false })
    expect(await loop.confirm(session('bob'), { approval_id: id, decision: 'approve' })).toEqual({
      decision: 'approve',
    })
  })

  test('SELF-09 without a second principal nobody can confirm', async () => {
    const { loop, session } = await createLoopBench()
    for (const order of [{ approval_id: 'x' }, { confirmation_token: 'conf_0123' }] as const) {
      const answer = await loop.confirm(session('bob'), { ...order, decision: 'approve' })
      expect(errorOf(answer).code).toBe('PERMISSION_SELF_APPROVAL_DENIED')
    }
    expect(errorOf(await loop.confirm(session(), { decision: 'deny' })).code).toBe('VALIDATION_MISSING_PARAM')
  })
})

describe('sessions', () => {
  test('SESS-03 R-23 the end of a session leaves its execution cancelled', async () => {
    const { loop, session, start, report, store, step } = await createLoopBench()
    const here = session()
    await start(here)
    const id = idIn(await report(here, 'delete_x'), 'approvalId')
    await loop.endSession(here)
    const [{ value: agent } = { value: undefined }] = await store.list<{ ended: { status: string }[] }>('agent')
    expect(agent?.ended[0]).toMatchObject({ status: 'cancelled' })
    expect(await store.get({ kind: 'request', id })).toMatchObject({ state: 'revoked' })
    expect(errorOf(await step(here, 'think')).code).toBe('NOT_FOUND_RESOURCE')
    const there = session()
    await start(there)
    expect(await report(there, 'think')).toMatchObject({ continue: false })
  })

  test('SESS-03 what a process left running when it died has failed', async () => {
    const bench = await createLoopBench()
    await bench.start(bench.session())
    const gone = { ...bench.store, isGone: async () => true }
    const next = await createLoopBench({}, gone, bench.time)
    expect(await next.start(next.session())).toMatch(/^agent_/)
    const [{ value: agent } = { value: undefined }] = await bench.store.list<{ ended: unknown[] }>('agent')
    expect(agent?.ended).toMatchObject([{ status: 'failed' }])
  })
})

describe('embedding', () => {
  test('LOOP-24 a call must have been announced, and each hint covers one', async () => {
    const { loop, session, start, report } = await createLoopBench()
    const here = session()
    expect(loop.covers(here, 'update_issue')).toBe(true)
    await start(here)
    expect(loop.covers(here, 'update_issue')).toBe(false)
    await report(here, 'call update_issue with id 7')
    expect(loop.covers(here, 'issue')).toBe(false)
    expect(loop.covers(here, 'update_issues')).toBe(false)
    expect(loop.covers(here, 'update_issue')).toBe(true)
    expect(loop.covers(here, 'update_issue')).toBe(false)
    await report(here, 'delete_issue 7')
    expect(loop.covers(here, 'delete_issue')).toBe(false)
    await loop.endExecution(here, { operation: 'abort_execution', element_name: 'bot' })
    expect(loop.covers(here, 'anything')).toBe(true)
    expect(loop.violation(here, 'x')).toMatchObject({ event: 'PROTOCOL_VIOLATION', operation: 'x', user_id: 'ann' })
  })

  test('LOOP-17 monitoring refuses no call', async () => {
    const { loop, session, start } = await createLoopBench({ mode: 'monitoring' })
    const here = session()
    await start(here)
    expect(loop.covers(here, 'update_issue')).toBe(true)
    expect(loop.isBlocked(here)).toBeUndefined()
  })
})

describe('unusable stores', () => {
  test('BLOCK-01 a block that cannot be written is kept, everything is refused, and it is written later', async () => {
    const bench = await createLoopBench()
    let isBroken = false
    const store = {
      ...bench.store,
      update: (...args: Parameters<typeof bench.store.update>) =>
        isBroken ? Promise.reject(new Error('disk full')) : bench.store.update(...args),
    } as typeof bench.store
    const { loop, session, start, step, events } = await createLoopBench({}, store, bench.time)
    const here = session()
    const other = session()
    await start(here)
    await start(other, 'cat')
    isBroken = true
    await expect(step(here, 'rm -rf /')).rejects.toThrow('disk full')
    expect(loop.isBlocked(here)?.error.code).toBe('INTERNAL_ERROR')
    expect(errorOf(await step(here, 'think')).code).toBe('INTERNAL_ERROR')
    expect(errorOf(await step(other, 'think', { element_name: 'cat' })).code).toBe('INTERNAL_ERROR')
    isBroken = false
    expect(errorOf(await step(here, 'think')).code).toBe('PERMISSION_AGENT_BLOCKED')
    expect(isFailure(await step(other, 'think', { element_name: 'cat' }))).toBe(false)
    expect(await events()).toContain('AGENT_BLOCKED')
  })

  test('BLOCK-05 blocks that cannot be read refuse every execution', async () => {
    const bench = await createLoopBench()
    let isBroken = true
    const store = {
      ...bench.store,
      follow: (ref: { kind: string; id: string }) => ({
        current() {
          if (isBroken) throw new Error('unreadable')
          return bench.store.follow(ref).current()
        },
        close: () => {},
      }),
    } as typeof bench.store
    const { loop, session } = await createLoopBench({}, store, bench.time)
    expect(errorOf(await loop.executeAgent(session(), { element_name: 'bot' })).code).toBe('INTERNAL_ERROR')
    expect(loop.isBlocked(session())?.error.code).toBe('INTERNAL_ERROR')
    isBroken = false
    expect(isFailure(await loop.executeAgent(session(), { element_name: 'bot' }))).toBe(false)
  })
})
