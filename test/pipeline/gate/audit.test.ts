import { describe, expect, test } from 'vitest'
import { decide, withToken } from '../../approve.ts'
import { createMemoryStore } from '../../support.ts'
import { asking, DELETING, type GateWorld, openGateWorld } from './gate-world.ts'

const AT = '2026-11-16T00:00:00.000Z'

describe('AUDIT-01 AUDIT-02 AUDIT-03 the life of one call', () => {
  test('from the question to the outcome', async () => {
    const danger = { level: 'destructive', audit_context: ['ticket 7'] } as const
    const world = await openGateWorld({}, [{ name: 'delete_told', category: 'DELETE', danger }])
    const args = asking('delete_told', { count: 3 })
    const { approval_id: ref } = await world.demand(args)
    await world.approved(args)
    const user = { user_id: 'tester', session_id: world.session.id }
    const about = {
      operation: 'delete_told',
      endpoint: 'delete',
      adapter_name: 'note-book',
      adapter_trust: 'validated',
      danger_level: 2,
    }
    const attempt = {
      ...about,
      timestamp: AT,
      parameters: { thing: 'a', count: 3, speed: 'slow' },
      audit_context: ['ticket 7'],
      ...user,
      client_context: user,
    }
    const intent_id = (await world.trail('OPERATION_INTENT'))[0]?.intent_id
    const params_hash = expect.stringMatching(/^[0-9a-f]{64}$/)
    const asked = {
      ...attempt,
      event: 'CONFIRMATION_REQUIRED',
      result: 'denied',
      outcome: 'denied',
      confirmation_token: ref,
      approval_id: ref,
      reason: 'its definition declares destructive',
    }
    const token = {
      timestamp: AT,
      operation: 'delete_told',
      adapter_name: 'note-book',
      token_id: ref,
      outcome: 'success',
      ...user,
      client_context: user,
    }
    expect(await world.trail()).toEqual([
      asked,
      { ...token, event: 'TOKEN_ISSUED', expires_at: '2026-11-16T00:05:00.000Z', tolerance_ms: 30_000 },
      asked, // `approved` asks again, and gets the token that is there
      {
        ...about,
        timestamp: AT,
        event: 'CONFIRMATION_GRANTED',
        result: 'confirmed',
        approval_id: ref,
        token_id: ref,
        params_hash,
        ...user,
        operator: 'operator',
        channel: 'console',
        scope: 'once',
      },
      { ...token, event: 'TOKEN_VALIDATED' },
      {
        ...attempt,
        event: 'OPERATION_INTENT',
        result: 'confirmed',
        outcome: 'confirmed',
        intent_id,
        params_hash,
        confirmation_token: ref,
      },
      {
        timestamp: AT,
        event: 'OPERATION_OUTCOME',
        operation: 'delete_told',
        adapter_name: 'note-book',
        danger_level: 2,
        ...user,
        outcome: 'success',
        intent_id,
        confirmation_token: ref,
      },
    ])
  })

  // biome-ignore format: one row a case
  test.each([
    ['succeeds', () => ({}), 'success', undefined],
    ['throws', () => { throw new Error('broken') }, 'failure', 'INTERNAL_ERROR'],
    ['never ends', () => new Promise(() => {}), 'unknown', 'INTERNAL_ERROR'],
  ] as const)('AUDIT-03 the outcome of a handler that %s', async (_, handler, outcome, error_code) => {
    const world = await openGateWorld({}, [{ name: 'delete_so', category: 'DELETE', handler, timeout_ms: 50 }])
    await world.approved(asking('delete_so'))
    expect(await world.trail('OPERATION_OUTCOME')).toMatchObject([{ outcome, ...(error_code && { error_code }) }])
    expect(await world.store.list('intent')).toEqual([])
  })

  // biome-ignore format: one row a case
  test.each([
    ['a policy', { policies: [{ operation: '*', permission: 'deny' }] }, "policy '*' says deny"],
    ['the matrix', { trust: 'generated' }, 'destructive operations need trust validated, this one has generated; the operator can set it: mcpaql trust SOURCE validated'],
    ['read-only', { readOnly: true }, 'the server is read-only, and this is a DELETE operation'],
  ] as const)('AUDIT-01 AUDIT-03 a call that %s denies', async (_, options, reason) => {
    const world = await openGateWorld(options)
    await world.call(DELETING)
    await world.runtime.close()
    expect(await world.trail('OPERATION_DENIED')).toMatchObject([
      { operation: 'delete_thing', endpoint: 'delete', result: 'denied', outcome: 'denied', reason, danger_level: 2, user_id: 'tester', parameters: { thing: 'a' } },
    ])
  })

  test('AUDIT-02 a token that is refused, and why', async () => {
    const world = await openGateWorld()
    const { approval_id, confirmation_token } = await world.demand(DELETING)
    await decide(world.runtime, approval_id)
    await world.call(withToken(asking('delete_thing', { thing: 'b' }), confirmation_token))
    await world.call(withToken(DELETING, `conf_${'0'.repeat(64)}`))
    await world.call(withToken(DELETING, confirmation_token))
    await world.call(withToken(DELETING, confirmation_token))
    expect(await world.trail('TOKEN_REJECTED')).toMatchObject([
      {
        token_id: approval_id,
        outcome: 'failure',
        failure_reason: 'parameters',
        client_context: { user_id: 'tester', session_id: world.session.id },
      },
      { outcome: 'failure', failure_reason: 'unknown' },
      { token_id: approval_id, outcome: 'failure', failure_reason: 'used' },
    ])
  })

  test('AUDIT-03 what a wrong token or a limit refuses was attempted too', async () => {
    const attempts = async (world: GateWorld, reason: RegExp) =>
      (await world.trail('OPERATION_DENIED')).filter((entry) => reason.test(String(entry.reason)))
    const guessing = await openGateWorld()
    for (let i = 0; i < 11; i++) await guessing.call(withToken(DELETING, `conf_${'0'.repeat(60)}${1_000 + i}`))
    const attempt = {
      operation: 'delete_thing',
      adapter_name: 'note-book',
      adapter_trust: 'validated',
      danger_level: 2,
      outcome: 'denied',
      user_id: 'tester',
      parameters: { thing: 'a', speed: 'slow' },
    }
    expect(await attempts(guessing, /its token was refused: unknown/)).toHaveLength(10)
    expect(await attempts(guessing, /too many tokens were wrong/)).toMatchObject([attempt])

    const asked = await openGateWorld()
    for (let count = 0; count < 31; count++) await asked.call(asking('delete_thing', { count }))
    const last = { ...attempt, parameters: { ...attempt.parameters, count: 30 } }
    expect(await attempts(asked, /the session has asked too much/)).toMatchObject([last])

    const full = await openGateWorld({ tokenCapacity: 0 })
    await full.call(DELETING)
    expect(await attempts(full, /too many tokens are open/)).toMatchObject([attempt])

    const limited = await openGateWorld({}, [], { rate_limits: { requests_per_hour: 1 } })
    await limited.call(asking('get_thing'))
    expect(await limited.outcome(asking('get_thing'))).toBe('RATE_LIMIT_EXCEEDED')
    expect((await limited.approved(DELETING)).error?.code).toBe('RATE_LIMIT_EXCEEDED')
    expect(await limited.trail('OPERATION_DENIED')).toMatchObject([
      { ...attempt, reason: 'the limit of 1 by the hour is used up' },
    ])
  })

  test('AUDIT-01 a denied call is recorded each time it comes back', async () => {
    const world = await openGateWorld()
    const { approval_id, confirmation_token } = await world.demand(DELETING)
    await decide(world.runtime, approval_id, { decision: 'deny' })
    await world.call(DELETING)
    await world.call(withToken(DELETING, confirmation_token))
    expect(await world.trail('APPROVAL_DENIED', 'OPERATION_DENIED')).toMatchObject([
      { event: 'APPROVAL_DENIED', operator: 'operator' },
      { event: 'OPERATION_DENIED', reason: 'a human has denied this call' },
      { event: 'OPERATION_DENIED', reason: 'denied by a human' },
    ])
  })
})

describe('AUDIT-06 what the trail never holds', () => {
  test('tokens, secrets and what looks like them', async () => {
    const params = {
      thing: { type: 'string', required: true },
      code: { type: 'string', sensitive: true },
      password: { type: 'string' },
    } as const
    const world = await openGateWorld({}, [{ name: 'delete_secretly', category: 'DELETE', params }])
    const args = {
      operation: 'delete_secretly',
      params: { thing: 'Bearer abcdefgh12345678', code: 'S3CRET-code', password: 'hunter22' },
    }
    const { confirmation_token } = await world.demand(args)
    await world.approved(args)
    await world.call(withToken(args, confirmation_token))
    await world.runtime.close()
    const text = JSON.stringify(await world.store.trail.read({}))
    for (const secret of [
      confirmation_token,
      confirmation_token.slice(5, 40),
      'S3CRET-code',
      'hunter22',
      'abcdefgh12345678',
    ])
      expect(text).not.toContain(secret)
    expect(world.ran).toEqual([['delete_secretly', args.params]])
  })

  test('nor does what a human is shown', async () => {
    const params = { thing: { type: 'string', required: true }, code: { type: 'string', sensitive: true } } as const
    const world = await openGateWorld({}, [{ name: 'delete_secretly', category: 'DELETE', params }])
    const { approval_id } = await world.demand({
      operation: 'delete_secretly',
      params: { thing: 'a', code: 'S3CRET-code' },
    })
    const request = await world.runtime.findRequest(approval_id, world.session)
    expect(request?.params).toEqual({ thing: 'a', code: { $masked: 'string' } })
    expect(JSON.stringify(await world.store.list('request'))).not.toContain('S3CRET-code')
  })
})

describe('AUDIT-08 durable before the handler', () => {
  test('the intent stands in the trail while the handler runs', async () => {
    const store = createMemoryStore()
    let seen: unknown
    const handler = async () => {
      seen = (await store.trail.read({ limit: 1 }))[0]?.entry.event
      return {}
    }
    const world = await openGateWorld({ store }, [{ name: 'delete_watched', category: 'DELETE', handler }])
    await world.approved(asking('delete_watched'))
    expect(seen).toBe('OPERATION_INTENT')
  })

  test('an outcome that cannot be written is told as such, and written later', async () => {
    const store = createMemoryStore()
    let isDown = false
    const handler = () => {
      isDown = true
      return {}
    }
    const update: typeof store.update = (refs, change) =>
      isDown ? Promise.reject(new Error('disk full')) : store.update(refs, change)
    const world = await openGateWorld({ store: { ...store, update } }, [
      { name: 'delete_late', category: 'DELETE', handler },
    ])
    const answered = await world.approved(asking('delete_late'))
    expect(answered.error).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: expect.stringContaining('the call was carried out, but how it ended is not recorded yet, reference '),
    })
    expect((await world.call(DELETING)).error).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: expect.stringContaining('nothing was run, because its record cannot be kept'),
    })
    isDown = false
    await expect
      .poll(() => world.trail('OPERATION_OUTCOME'), { timeout: 5_000 })
      .toMatchObject([{ outcome: 'success' }])
  })
})

describe('AUDIT-10 what waits for nobody', () => {
  test('reads are counted, writes recorded, both before an orderly end', async () => {
    const world = await openGateWorld()
    for (let time = 0; time < 3; time++) await world.call(asking('get_thing'))
    await world.call(asking('create_thing'))
    await world.runtime.close()
    const trail = await world.trail()
    expect(trail.filter(({ event }) => event === 'OPERATION_CALLED')).toMatchObject([
      { operation: 'create_thing', result: 'allowed', outcome: 'success', danger_level: 1, parameters: { thing: 'a' } },
    ])
    expect(trail.filter(({ event }) => event === 'OPERATIONS_COUNTED')).toMatchObject([
      { operation: 'get_thing', calls: 3, user_id: 'tester' },
    ])
  })

  test('audit_reads records each of them', async () => {
    const world = await openGateWorld({ auditReads: true })
    await world.call(asking('get_thing'))
    await world.call(asking('get_thing', { thing: 'b' }))
    await world.runtime.close()
    expect(await world.trail('OPERATION_CALLED')).toMatchObject([
      { parameters: { thing: 'a' } },
      { parameters: { thing: 'b' } },
    ])
  })
})

describe('AUDIT-10 S3 no effect without a record', () => {
  const WRITES = [
    { name: 'add_thing', category: 'CREATE' },
    { name: 'set_thing', category: 'UPDATE', params: { input: { type: 'object', required: true } } },
    { name: 'start_thing', category: 'EXECUTE' },
    { name: 'drop_note', category: 'DELETE', danger: 'reversible' },
  ] as const

  test('once one could not be written, no write of any category runs, reads do, and all is well afterwards', async () => {
    const store = createMemoryStore()
    let isDown = false
    const update: typeof store.update = (refs, change) =>
      isDown ? Promise.reject(new Error('disk full')) : store.update(refs, change)
    const logged: unknown[] = []
    const log = { write: (entry: unknown) => void logged.push(entry) }
    const world = await openGateWorld({ store: { ...store, update }, log }, WRITES)
    const params = { thing: 'a', input: {} }
    const write = (operation: string) =>
      world.outcome({ operation, params: operation === 'set_thing' ? { input: {} } : asking(operation).params })
    isDown = true
    expect(await world.outcome(DELETING)).toBe('INTERNAL_ERROR')
    for (const { name } of WRITES) expect(await write(name)).toBe('INTERNAL_ERROR')
    expect((await world.call({ operation: 'add_thing', params: { thing: params.thing } })).error?.message).toContain(
      'nothing was run, because its record cannot be kept',
    )
    expect(world.ran).toEqual([])
    expect(await world.outcome(asking('get_thing'))).toBe('done')
    isDown = false
    for (const { name } of WRITES) expect(await write(name)).toBe('done')
    await world.runtime.close()
    expect((await world.trail('OPERATION_CALLED')).map(({ operation }) => operation)).toEqual(
      WRITES.map(({ name }) => name),
    )
    expect(logged).toMatchObject([
      { level: 'error', message: expect.stringContaining('every write is refused until they can be') },
      ...logged.slice(1, -1),
      { level: 'warning', message: 'Audit records can be written again.' },
    ])
  })

  test('a store that fails silently is found out by the records that wait, at most 64 of them', async () => {
    const store = createMemoryStore()
    let isDown = false
    const update: typeof store.update = (refs, change) =>
      isDown ? Promise.reject(new Error('disk full')) : store.update(refs, change)
    const world = await openGateWorld({ store: { ...store, update } })
    isDown = true
    const outcomes: string[] = []
    for (let i = 0; i < 100; i++) outcomes.push(await world.outcome(asking('create_thing', { thing: String(i) })))
    expect(world.ran.length).toBeLessThanOrEqual(64)
    expect(outcomes.at(-1)).toBe('INTERNAL_ERROR')
    isDown = false
    await world.runtime.close()
    expect(await world.trail('OPERATION_CALLED')).toHaveLength(world.ran.length)
  })
})

test('AUDIT-07 no operation reads, alters or deletes the trail', async () => {
  const world = await openGateWorld()
  const { data } = await world.call({ operation: 'introspect', params: { query: 'operations' } })
  const { operations } = data as { operations: readonly { name: string }[] }
  expect(operations.map(({ name }) => name)).toEqual([
    'introspect',
    'get_thing',
    'create_thing',
    'delete_thing',
    'change_thing',
    'run_thing',
    'revoke_token',
  ])
})
