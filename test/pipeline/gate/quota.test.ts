import { describe, expect, test } from 'vitest'
import { quotaRef } from '../../../src/core/quota/counters.ts'
import type { ApiUsage, Context } from '../../../src/core/registry/operation.ts'
import { decide, withToken } from '../../approve.ts'
import type { Answered } from '../../notes.ts'
import type { AdapterDefinition, RuntimeOptions } from '../../support.ts'
import { asking, DELETING, openGateWorld } from './gate-world.ts'

type Limits = NonNullable<AdapterDefinition['rate_limits']>

const GETTING = asking('get_thing')
const STATUS = { operation: 'introspect', params: { query: 'quota_status' } }

const perMinute = (limit: number, more: object = { scope: 'global' }): Limits => ({
  api_limits: [{ limit, window: 'minute', ...more }],
})
const daily = (warn: number, pause: number, hard_stop?: number): Limits => ({
  quotas: { enabled: true, limits: [{ metric: 'requests_per_day', warn, pause, ...(hard_stop && { hard_stop }) }] },
})
const detailsOf = ({ error }: { readonly error?: Answered['error'] | undefined }) =>
  (error?.details ?? {}) as Record<string, string>
const open = (rate_limits: Limits, options: Partial<RuntimeOptions> = {}) => openGateWorld(options, [], { rate_limits })

describe('API limits', () => {
  test('RATE-03 RATE-04 ERR-39 the call above the limit is not sent, and does not count', async () => {
    const world = await open(perMinute(2))
    expect([await world.outcome(GETTING), await world.outcome(GETTING)]).toEqual(['done', 'done'])
    world.pass(10)
    const { result, isError } = await world.ask(GETTING)
    expect([result.error, isError]).toEqual([
      {
        code: 'RATE_LIMIT_EXCEEDED',
        message: 'API rate limit exceeded',
        details: {
          limit: 2,
          remaining: 0,
          window: 'minute',
          resets_at: '2026-11-16T00:01:00.000Z',
          retry_after_seconds: 50,
        },
      },
      false,
    ])
    expect(world.ran).toHaveLength(2)
    world.pass(50)
    expect(await world.outcome(GETTING)).toBe('done')
  })

  test('RATE-03 what the gate refuses does not count', async () => {
    const world = await open(perMinute(1))
    for (let time = 0; time < 3; time++) expect(await world.outcome(DELETING)).toBe('CONFIRMATION_REQUIRED')
    expect(await world.outcome(asking('change_thing'))).toBe('PERMISSION_DANGER_LEVEL_DENIED')
    expect(await world.outcome(GETTING)).toBe('done')
  })

  test('RATE-05 what the API reports counts where it is stricter, and Retry-After holds back', async () => {
    const reports: NonNullable<ApiUsage['headers']>[] = []
    const reporting = {
      name: 'get_weather',
      category: 'READ',
      handler: (_: unknown, { used }: Context) => used({ headers: reports.shift() ?? {} }),
    } as const
    const limits = { limit: 100, window: 'hour', scope: 'global', remaining_header: 'X-Left', reset_header: 'X-Reset' }
    const world = await openGateWorld({}, [reporting], { rate_limits: { api_limits: [limits] } as Limits })
    const weather = () => world.outcome(asking('get_weather'))
    reports.push(new Headers({ 'x-left': '1', 'x-reset': '30' }))
    expect([await weather(), await weather(), await weather()]).toEqual(['done', 'done', 'RATE_LIMIT_EXCEEDED'])
    world.pass(31)
    reports.push({ 'Retry-After': '60', 'X-Left': '90', 'X-Reset': '3000' })
    expect([await weather(), await weather()]).toEqual(['done', 'RATE_LIMIT_EXCEEDED'])
    world.pass(61)
    expect(await weather()).toBe('done')
  })

  test('RATE-03 a call that sent nothing gives its place back, and one that sent more takes more', async () => {
    const sent = [0, 0, 3]
    const world = await openGateWorld(
      {},
      [
        {
          name: 'get_weather',
          category: 'READ',
          handler: (_: unknown, { used }: Context) => used({ requests: sent.shift() ?? 1 }),
        },
      ],
      { rate_limits: perMinute(3) },
    )
    const weather = () => world.outcome(asking('get_weather'))
    expect([await weather(), await weather(), await weather(), await weather()]).toEqual([
      'done',
      'done',
      'done',
      'RATE_LIMIT_EXCEEDED',
    ])
  })

  test('RATE-03 a call that leaves the queue was never sent, and nobody asks what became of it', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const world = await openGateWorld({}, [{ name: 'create_slowly', handler: () => held.then(() => ({})) }], {
      rate_limits: perMinute(2),
      concurrency: 'serialized',
    })
    const { approval_id, confirmation_token } = await world.demand(DELETING)
    await decide(world.runtime, approval_id)
    const slow = world.outcome(asking('create_slowly'))
    const leaving = new AbortController()
    const left = world.outcome(withToken(DELETING, confirmation_token), { signal: leaving.signal })
    const intents = async () => (await world.trail('OPERATION_INTENT')).map(({ operation }) => operation)
    await expect.poll(intents).toContain('delete_thing')
    leaving.abort()
    expect(await left).toBe('INTERNAL_ERROR')
    release()
    expect([await slow, world.ran]).toEqual(['done', []])
    const outcomes = await world.trail('OPERATION_OUTCOME')
    expect(outcomes).toContainEqual(expect.objectContaining({ operation: 'delete_thing', outcome: 'failure' }))
    expect(await world.store.list('unknown')).toEqual([])
    expect([await world.outcome(asking('get_thing')), await world.outcome(asking('get_thing'))]).toEqual([
      'done',
      'RATE_LIMIT_EXCEEDED',
    ])
  })

  test('RATE-06 calls at once cannot exceed it together', async () => {
    const world = await open(perMinute(3), {})
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => world.outcome(GETTING)))
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(3)
    expect(world.ran).toHaveLength(3)
  })

  test('RATE-02 a limit of one category leaves the others alone', async () => {
    const world = await open(perMinute(1, { scope: 'category', category: 'read' }))
    expect([await world.outcome(GETTING), await world.outcome(GETTING)]).toEqual(['done', 'RATE_LIMIT_EXCEEDED'])
    expect(await world.outcome(asking('create_thing'))).toBe('done')
  })

  test('introspection is never counted', async () => {
    const world = await open(perMinute(1))
    for (let time = 0; time < 3; time++) expect(await world.outcome(STATUS)).toBe('done')
    expect(await world.outcome(GETTING)).toBe('done')
  })

  test('RATE-06 a full API limit is told before a full quota', async () => {
    const world = await open({ ...perMinute(1), ...daily(1, 1, 1) })
    await world.outcome(GETTING)
    expect(await world.outcome(GETTING)).toBe('RATE_LIMIT_EXCEEDED')
  })

  test('TOK-13 a token survives a limit', async () => {
    const world = await open(perMinute(1))
    const { approval_id, confirmation_token } = await world.demand(DELETING)
    await decide(world.runtime, approval_id)
    await world.outcome(GETTING)
    expect(await world.outcome(withToken(DELETING, confirmation_token))).toBe('RATE_LIMIT_EXCEEDED')
    world.pass(60)
    expect(await world.outcome(withToken(DELETING, confirmation_token))).toBe('done')
  })
})

describe('quotas', () => {
  test('RATE-09 RATE-10 ERR-48 from warn on the answer carries a warning', async () => {
    const world = await open(daily(2, 4))
    const warnings = async () => (await world.call(GETTING)).warnings ?? []
    expect([await warnings(), await warnings()]).toEqual([[], []])
    expect(await warnings()).toEqual([
      {
        code: 'RATE_LIMIT_QUOTA_WARNING',
        message: 'Approaching quota limit',
        severity: 'medium',
        details: { metric: 'requests_per_day', current: 2, warn_threshold: 2, pause_threshold: 4 },
      },
    ])
  })

  test('ERR-48 above nine tenths it is high', async () => {
    const world = await open(daily(1, 20))
    for (let time = 0; time < 18; time++) await world.call(GETTING)
    const severity = async () => (await world.call(GETTING)).warnings?.[0]?.severity
    expect([await severity(), await severity()]).toEqual(['medium', 'high'])
  })

  test('RATE-11 ERR-40 from pause on the call is refused, with a token to continue', async () => {
    const world = await open(daily(1, 2, 9))
    await world.call(GETTING)
    await world.call(GETTING)
    const { result, isError } = await world.ask(GETTING)
    const { confirmation_token, approval_id } = detailsOf(result)
    expect(confirmation_token).toMatch(/^quota_continue_[0-9a-f]{64}$/)
    expect([result, isError]).toEqual([
      {
        success: false,
        error: {
          code: 'RATE_LIMIT_QUOTA_PAUSE',
          message: 'Quota pause threshold reached',
          details: {
            metric: 'requests_per_day',
            current: 2,
            pause_threshold: 2,
            hard_stop_threshold: 9,
            confirmation_token,
            expires_at: '2026-11-16T00:05:00.000Z',
            approval_id,
            next: expect.stringContaining('_quota_continue'),
            retry_after_seconds: 86_400,
          },
        },
      },
      false,
    ])
    expect(world.ran).toHaveLength(2)
  })

  async function paused() {
    const world = await open(daily(1, 1, 3))
    await world.call(GETTING)
    const { error } = await world.call(GETTING)
    const { confirmation_token: token, approval_id } = detailsOf({ error })
    return { ...world, token, approval_id }
  }

  test.each(['_quota_continue', 'confirmation_token', '_confirmation'])(
    'RATE-12 REQ-07 as %s: one approval, one request',
    async (name) => {
      const world = await paused()
      const { runtime, token, approval_id } = world
      expect(await world.outcome(withToken(GETTING, token, name))).not.toBe('done') // TOK-07
      await decide(runtime, approval_id)
      expect(await world.outcome(withToken(asking('get_thing', { thing: 'b' }), token, name))).toBe(
        'TOKEN_SCOPE_MISMATCH',
      )
      expect(await world.outcome(withToken(GETTING, token, name))).toBe('done')
      expect(world.ran.at(-1)).toEqual(['get_thing', { thing: 'a', speed: 'slow' }])
      expect(await world.outcome(withToken(GETTING, token, name))).toBe('TOKEN_ALREADY_USED')
      expect(await world.outcome(GETTING)).toBe('RATE_LIMIT_QUOTA_PAUSE')
      expect(world.ran).toHaveLength(2)
    },
  )

  test('RATE-12 SELF-03 the token alone continues nothing', async () => {
    const world = await paused()
    for (let time = 0; time < 3; time++)
      expect(await world.outcome(withToken(GETTING, world.token, '_quota_continue'))).not.toBe('done')
    expect(world.ran).toHaveLength(1)
  })

  test('RATE-12 SELF-11 a human who denies it is heard', async () => {
    const world = await paused()
    await decide(world.runtime, world.approval_id, { decision: 'deny' })
    expect(await world.outcome(withToken(GETTING, world.token, '_quota_continue'))).toBe('PERMISSION_DENIED')
    expect(await world.outcome(GETTING)).toBe('PERMISSION_DENIED')
  })

  test('RATE-12 a confirmation does not continue a quota, nor the other way round', async () => {
    const world = await open(daily(1, 1))
    const { approval_id, confirmation_token } = await world.demand(DELETING)
    await decide(world.runtime, approval_id)
    await world.call(GETTING)
    const confirmed = withToken(DELETING, confirmation_token)
    const { error } = await world.call(confirmed)
    expect(error?.code).toBe('RATE_LIMIT_QUOTA_PAUSE')
    expect(await world.outcome(withToken(DELETING, confirmation_token, '_quota_continue'))).toBe(
      'CONFIRMATION_REQUIRED',
    )
    const { confirmation_token: quota, approval_id: id } = detailsOf({ error })
    await decide(world.runtime, id)
    expect(await world.outcome(withToken(DELETING, quota, '_quota_continue'))).toBe('CONFIRMATION_REQUIRED')
    expect(world.ran).toHaveLength(1)
    expect(await world.outcome(withToken(confirmed, quota, '_quota_continue'))).toBe('done')
  })

  test('RATE-13 ERR-41 from the hard stop on nothing runs, and no token helps', async () => {
    const world = await paused()
    await decide(world.runtime, world.approval_id, { scope: 'session', maxUses: 9 })
    expect(await world.outcome(withToken(GETTING, world.token, '_quota_continue'))).toBe('done')
    expect(await world.outcome(withToken(GETTING, world.token, '_quota_continue'))).toBe('done')
    world.pass(60)
    const { result, isError } = await world.ask(withToken(GETTING, world.token, '_quota_continue'))
    expect([result.error, isError]).toEqual([
      {
        code: 'RATE_LIMIT_QUOTA_EXHAUSTED',
        message: 'Quota exhausted',
        details: {
          metric: 'requests_per_day',
          current: 3,
          hard_stop_threshold: 3,
          resets_at: '2026-11-17T00:00:00.000Z',
          retry_after_seconds: 86_340,
        },
      },
      true,
    ])
    expect(world.ran).toHaveLength(3)
    expect(await world.trail('OPERATION_DENIED')).toMatchObject([
      { operation: 'get_thing', result: 'denied', reason: 'quota requests_per_day is exhausted' },
    ])
  })

  test('AUDIT-05 a quota that is reached is in the trail once, with its old state, by the call that reached it', async () => {
    const world = await paused()
    await decide(world.runtime, world.approval_id, { scope: 'session', maxUses: 9 })
    for (let turn = 0; turn < 4; turn++) await world.outcome(withToken(GETTING, world.token, '_quota_continue'))
    const by = { operation: 'get_thing', adapter_name: 'note-book', operator: 'quota' }
    const state = (status: string, current?: number) => ({
      metric: 'requests_per_day',
      status,
      ...(current !== undefined && { current }),
    })
    expect(await world.trail('QUOTA_PAUSED', 'QUOTA_EXHAUSTED')).toMatchObject([
      { ...by, event: 'QUOTA_PAUSED', old: state('ok'), new: state('paused', 1) },
      { ...by, event: 'QUOTA_EXHAUSTED', old: state('paused'), new: state('exhausted', 3) },
    ])
  })

  test('AUDIT-05 also when a call turns out to have used more than was reserved for it', async () => {
    const world = await openGateWorld(
      {},
      [{ name: 'get_much', category: 'READ', handler: (_: unknown, { used }: Context) => used({ requests: 5 }) }],
      { rate_limits: daily(2, 4, 9) },
    )
    expect(await world.outcome(asking('get_much'))).toBe('done')
    expect(await world.trail('QUOTA_PAUSED', 'QUOTA_EXHAUSTED')).toMatchObject([
      {
        operation: 'get_much',
        old: { status: 'ok' },
        new: { metric: 'requests_per_day', status: 'paused', current: 5 },
      },
    ])
  })

  test('RATE-14 INT-20 quota_status, which changes nothing', async () => {
    const world = await open({ ...perMinute(5), ...daily(1, 4, 8) })
    await world.call(GETTING)
    const status = await world.call(STATUS)
    expect(status.data).toEqual({
      adapter: 'note-book',
      api_limits: { global: { limit: 5, remaining: 4, window: 'minute', resets_at: '2026-11-16T00:01:00.000Z' } },
      quotas: [{ metric: 'requests_per_day', current: 1, warn: 1, pause: 4, hard_stop: 8, status: 'warn' }],
      next_reset: '2026-11-16T00:01:00.000Z',
    })
    expect(await world.call(STATUS)).toEqual(status)
  })

  test('RATE-14 REQ-08 an adapter with limits offers it and takes a token everywhere', async () => {
    const { call } = await open(perMinute(5))
    const parameters = async (name: string) => {
      const { data } = await call({ operation: 'introspect', params: { query: 'operations', name } })
      return (data as { operation: { parameters: { name: string; enum?: string[] }[] } }).operation.parameters
    }
    expect((await parameters('introspect'))[0]?.enum).toContain('quota_status')
    expect((await parameters('get_thing')).map(({ name }) => name)).toContain('confirmation_token')
  })

  test('RATE-15 the counters belong to the adapter: another session and another start go on counting', async () => {
    const world = await open(daily(9, 9, 2))
      .then(() => undefined)
      .catch((error: Error) => error.message)
    expect(world).toContain('warn') // RATE-07: warn <= pause <= hard_stop
    const first = await open(daily(1, 2, 2))
    await first.call(GETTING)
    const second = await open(daily(1, 2, 2), { store: first.store })
    expect(await second.outcome(GETTING)).toBe('done')
    expect(await second.outcome(GETTING)).toBe('RATE_LIMIT_QUOTA_EXHAUSTED')
    expect(await first.outcome(GETTING, { session: first.runtime.openSession('another') })).toBe(
      'RATE_LIMIT_QUOTA_EXHAUSTED',
    )
  })

  test('RATE-15 counters that cannot be read block everything but introspection', async () => {
    const world = await open(daily(1, 2))
    await world.store.update({ it: quotaRef('note-book') }, () => ({
      next: { it: 'scribble' as never },
      result: undefined,
    }))
    const { error } = await world.call(GETTING)
    expect([error?.code, error?.message]).toEqual([
      'INTERNAL_ERROR',
      "Internal error: 'the quota counters cannot be read; the operator must reset them'",
    ])
    expect(await world.outcome(STATUS)).toBe('INTERNAL_ERROR')
    expect(world.ran).toEqual([])
  })

  test.each([
    ['an unknown key', { alerts: {} }],
    ['no positive limit', perMinute(0)],
    ['what nobody can measure', { quotas: { enabled: true, limits: [{ metric: 'cost_per_day', warn: 1, pause: 2 }] } }],
  ])('RATE-08 RATE-17 %s stops the start', async (_, rate_limits) => {
    await expect(open(rate_limits)).rejects.toThrow("Adapter 'note-book'")
  })

  test('AUDIT-10 with limits, too, reads are counted and writes recorded', async () => {
    const world = await open(perMinute(9))
    await world.call(GETTING)
    await world.call(asking('create_thing'))
    await world.runtime.close()
    expect(await world.trail('OPERATIONS_COUNTED', 'OPERATION_CALLED')).toMatchObject([
      { event: 'OPERATION_CALLED', operation: 'create_thing', outcome: 'success' },
      { event: 'OPERATIONS_COUNTED', operation: 'get_thing' },
    ])
  })
})
