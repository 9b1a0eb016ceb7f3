import { describe, expect, test } from 'vitest'
import type { Intent } from '../../../src/core/gatekeeper/intent.ts'
import { withToken } from '../../approve.ts'
import { createMemoryStore, fail } from '../../support.ts'
import { CLEANUP, long, openRetryWorld, type Plan, retry, SORTING, until } from './retry-world.ts'

const cancel = (execution_id: string | undefined) => ({ operation: 'cancel_execution', params: { execution_id } })

describe('AUDIT-08 the outcome of long-running work is recorded when the work ends', () => {
  test.each([
    ['succeed', { outcome: 'success' }],
    ['fail', { outcome: 'failure', error_code: 'CONFLICT_INVALID_STATE' }],
    ['throw', { outcome: 'failure', error_code: 'INTERNAL_ERROR' }],
  ] as const)('%s, plain and gated', async (how, told) => {
    for (const asked of [SORTING, CLEANUP]) {
      const { call, approved, ended, plan, trail, store } = await openRetryWorld()
      plan(how)
      const { data } = asked === SORTING ? await call(asked) : await approved(asked)
      await ended(data?.execution_id ?? '')
      expect(await trail('OPERATION_OUTCOME')).toMatchObject([
        { ...told, operation: asked.operation, execution_id: data?.execution_id },
      ])
      expect(await store.list('intent')).toEqual([])
    }
  })

  test('while it runs, the trail says that it was started and the intent is open', async () => {
    const { approved, call, plan, trail, store, runtime } = await openRetryWorld()
    plan('hang')
    const { data } = await approved(CLEANUP)
    await call(SORTING)
    expect(await trail('OPERATION_OUTCOME')).toEqual([])
    expect((await trail('OPERATION_CALLED')).map(({ outcome }) => outcome)).toEqual(['started', 'started'])
    const intents = (await store.list<Intent>('intent')).map(({ value }) => value)
    expect(intents.map(({ execution }) => execution)).toContain(data?.execution_id)
    expect(intents).toHaveLength(2)
    const [request] = await store.list<{ outcome: string }>('request')
    expect(request?.value.outcome).toBe('started')
    await runtime.close()
    expect((await trail('OPERATION_OUTCOME')).map(({ outcome }) => outcome)).toEqual(['cancelled', 'cancelled'])
    expect(await store.list('intent')).toEqual([])
  })

  test.each<[string, Plan, string, RegExp]>([
    ['its caller', 'hang', 'cancelled', /^cancelled by its caller$/],
    ['the end of its session', 'hang', 'cancelled', /^its session has ended$/],
    ['the end of the server', 'hang', 'cancelled', /^the server was stopped$/],
    ['its caller, too late', 'finish', 'success', /^cancelled by its caller; too late, the work ran to its end$/],
    ['the end of the server, too late', 'finish', 'success', /^the server was stopped; too late/],
    ['its caller, to no effect', 'deaf', 'unknown', /^cancelled by its caller; the work was told to stop and has not/],
    ['the end of its session, to no effect', 'deaf', 'unknown', /^its session has ended; the work was told to stop/],
  ])('cancelled by %s', async (by, how, outcome, reason) => {
    const { runtime, call, plan, trail, ended } = await openRetryWorld()
    plan(how)
    const session = by.startsWith('the end of the server') ? runtime.anonymous('agent') : runtime.openSession('agent')
    const { data } = await call(SORTING, session)
    if (by.startsWith('its caller')) await call(cancel(data?.execution_id), session)
    if (by.startsWith('the end of its session')) await runtime.closeSession(session)
    if (by.startsWith('the end of the server')) await runtime.close()
    expect((await ended(data?.execution_id ?? '')).status).toBe(how === 'finish' ? 'completed' : 'cancelled')
    await runtime.close()
    expect(await trail('OPERATION_OUTCOME')).toMatchObject([
      { outcome, reason: expect.stringMatching(reason), execution_id: data?.execution_id },
    ])
  })

  test('RATE-03 what the work tells of its use while it runs is counted', async () => {
    const limits = [{ metric: 'requests_per_day', warn: 90, pause: 90 }]
    const busy = long('busy_backups', [], () => 'fail', {
      params: {},
      handler: (_, { run, used }) =>
        run(async () => {
          await new Promise(setImmediate)
          used({ requests: 7 })
          return 'done'
        }),
    })
    const { call, ended, runtime } = await openRetryWorld(
      {},
      { operations: [busy], rate_limits: { quotas: { enabled: true, limits } } },
    )
    const { data } = await call({ operation: 'busy_backups' })
    await ended(data?.execution_id ?? '')
    expect((await runtime.quotaStatus())?.quotas[0]?.current).toBe(7)
  })

  test('a store that is full for a while loses no outcome', async () => {
    const memory = createMemoryStore()
    let isFull = false
    const update: typeof memory.update = (...change) =>
      isFull ? Promise.reject(new Error('the disk is full')) : memory.update(...change)
    const { call, plan, trail, runtime } = await openRetryWorld({ store: { ...memory, update } })
    plan('hang')
    const { data } = await call(SORTING)
    isFull = true
    const session = runtime.openSession('agent')
    await call(cancel(data?.execution_id), session)
    isFull = false
    await call(cancel(data?.execution_id))
    await until(async () => (await trail('OPERATION_OUTCOME')).length === 1)
    expect(await trail('OPERATION_OUTCOME')).toMatchObject([{ outcome: 'cancelled' }])
  })
})

describe('an admission is good for one run', () => {
  test('a handler starts one execution, and none when its call has ended', async () => {
    let saved: ((work: () => Promise<unknown>) => Promise<unknown>) | undefined
    const ran: string[] = []
    const greedy = long('greedy_backups', [], () => 'fail', {
      params: {},
      handler: async (_, { run }) => {
        saved = run as never
        const first = await run(async () => ran.push('first'))
        await expect(run(async () => ran.push('second'))).rejects.toThrow('has started its work before')
        return first
      },
    })
    const lazy = long('lazy_backups', [], () => 'fail', {
      params: {},
      handler: (_, { run }) => {
        saved = run as never
        return fail('CONFLICT_INVALID_STATE', { operation: 'lazy', state: 'x' })
      },
    })
    const { call, ended, runtime, trail } = await openRetryWorld({}, { operations: [greedy, lazy] })
    const { data } = await call({ operation: 'greedy_backups' })
    await ended(data?.execution_id ?? '')
    await expect(saved?.(async () => ran.push('third'))).rejects.toThrow('has ended')
    expect((await call({ operation: 'lazy_backups' })).success).toBe(false)
    await expect(saved?.(async () => ran.push('fourth'))).rejects.toThrow('has ended')
    expect(ran).toEqual(['first'])
    await runtime.close()
    expect(await trail('OPERATION_OUTCOME')).toHaveLength(2)
  })

  test('an operation without a lifecycle starts none', async () => {
    const plain = long('plain_backups', [], () => 'fail', { params: {} })
    const { lifecycle: _, ...without } = plain
    const { code, trail, runtime } = await openRetryWorld({}, { operations: [{ ...without, returns: 'object' }] })
    expect(await code({ operation: 'plain_backups' })).toBe('INTERNAL_ERROR')
    await runtime.close()
    expect(await trail('OPERATION_CALLED')).toMatchObject([{ outcome: 'failure' }])
  })

  test('a token of one execution is good for one retry, not for a second one in another session', async () => {
    const { approved, call, ended, runtime, code, ran } = await openRetryWorld()
    const { data } = await approved(CLEANUP)
    const id = data?.execution_id ?? ''
    await ended(id)
    const { error } = await call(retry(id))
    const token = error?.details?.confirmation_token
    expect(await code(withToken(retry(id), token))).toBe('CONFIRMATION_REQUIRED')
    expect(await code(withToken(retry(id), token), runtime.openSession('agent'))).toBe('TOKEN_INVALID')
    expect(ran).toHaveLength(1)
  })
})
