import { describe, expect, test } from 'vitest'
import type { EndpointProfile } from '../../../src/protocol/endpoints.ts'
import { decide, withToken } from '../../approve.ts'
import { CLEANUP, long, openRetryWorld, retry, SORTING, until } from './retry-world.ts'

describe('one approval, one execution', () => {
  test('TOK-13 a retry of what a human approved once needs an approval of its own', async () => {
    const { approved, ended, code, call, ran, runtime } = await openRetryWorld()
    const { data } = await approved(CLEANUP)
    const id = data?.execution_id ?? ''
    expect((await ended(id)).status).toBe('failed')
    expect(ran).toHaveLength(1)
    for (let tries = 0; tries < 5; tries++) expect(await code(retry(id))).toBe('CONFIRMATION_REQUIRED')
    expect(await code(retry(id), runtime.openSession('agent'))).toBe('CONFIRMATION_REQUIRED')
    expect(ran).toHaveLength(1)

    const { error } = await call(retry(id))
    await decide(runtime, error?.details?.approval_id)
    const again = await call(withToken(retry(id), error?.details?.confirmation_token))
    expect(again.data).toMatchObject({ execution_id: id, status: 'running', operation: 'run_backup_cleanup' })
    expect((await ended(id)).status).toBe('failed')
    expect(ran).toEqual([CLEANUP.params, CLEANUP.params])
    expect(await code(withToken(retry(id), error?.details?.confirmation_token))).toBe('TOKEN_ALREADY_USED')
    expect(ran).toHaveLength(2)
  })

  describe('TOK-04 an approval is good for the run that the human was asked about', () => {
    /** Two executions of one operation with the same parameters have failed. */
    const failedTwice = async () => {
      const world = await openRetryWorld()
      const run = async () => (await world.approved(CLEANUP)).data?.execution_id ?? ''
      const first = await run()
      await world.ended(first)
      const second = await run()
      await world.ended(second)
      return { ...world, first, second }
    }

    type Pick = (first: string, second: string) => readonly [asked: object, other: object]

    test.each<[string, Pick]>([
      ['of a retry, not for a fresh call', (first) => [retry(first), CLEANUP]],
      ['of a fresh call, not for a retry', (first) => [CLEANUP, retry(first)]],
      ['of a retry, not for one of another execution', (first, second) => [retry(first), retry(second)]],
    ])('%s', async (_, pick) => {
      const { first, second, call, code, ran, runtime } = await failedTwice()
      const [asked, other] = pick(first, second)
      const { details } = (await call(asked)).error ?? {}
      await decide(runtime, details?.approval_id)
      const token = String(details?.confirmation_token)
      expect(await code(withToken(other, token))).toBe('TOKEN_SCOPE_MISMATCH')
      expect(ran).toHaveLength(2)
      expect(await code(withToken(asked, token))).toBe('done')
    })

    test('each is a question of its own', async () => {
      const { first, second, call } = await failedTwice()
      const ids = new Set<unknown>()
      for (const args of [CLEANUP, retry(first), retry(second), CLEANUP, retry(first)])
        ids.add((await call(args)).error?.details?.approval_id)
      expect(ids.size).toBe(3)
    })
  })

  test('SELF-11 a fresh call that was denied is not asked for as a retry', async () => {
    const { approved, call, ended, code, runtime } = await openRetryWorld()
    const { data } = await approved(CLEANUP)
    await ended(data?.execution_id ?? '')
    const { error } = await call(CLEANUP)
    await decide(runtime, error?.details?.approval_id, { decision: 'deny' })
    expect(await code(retry(data?.execution_id))).toBe('PERMISSION_DENIED')
  })

  test('GATE-06 a policy that denies the operation denies its retry', async () => {
    const { call, ended, code, ran, runtime, trail } = await openRetryWorld()
    const { data } = await call(SORTING)
    await ended(data?.execution_id ?? '')
    await runtime.addPolicies([{ operation: 'sort_*', permission: 'deny' }])
    expect(await code(retry(data?.execution_id))).toBe('PERMISSION_DENIED')
    expect(ran).toHaveLength(1)
    await runtime.close()
    expect(await trail('OPERATION_DENIED')).toMatchObject([
      { operation: 'sort_backups', retry_of: data?.execution_id, parameters: SORTING.params },
    ])
  })

  test('RATE-03 RATE-13 a retry counts against the quota of the operation', async () => {
    const quotas = { enabled: true, limits: [{ metric: 'requests_per_day', warn: 1, pause: 1, hard_stop: 1 }] }
    const { call, ended, code, ran } = await openRetryWorld({}, { rate_limits: { quotas } })
    const { data } = await call(SORTING)
    await ended(data?.execution_id ?? '')
    for (let tries = 0; tries < 10; tries++) expect(await code(retry(data?.execution_id))).toMatch(/^RATE_LIMIT_QUOTA/)
    expect(ran).toHaveLength(1)
  })
})

describe('LIFE-02 a retry', () => {
  test('64 at once are as many runs as admissions, of a plain operation and of one with a quota', async () => {
    for (const more of [{}, { rate_limits: GENEROUS }]) {
      const { call, ended, ran, runtime, trail } = await openRetryWorld({}, more)
      const { data } = await call(SORTING)
      const id = data?.execution_id ?? ''
      await ended(id)
      const answers = await Promise.all(Array.from({ length: 64 }, () => call(retry(id))))
      await ended(id)
      const admitted = answers.filter(({ success }) => success).length
      expect(admitted).toBeGreaterThan(0)
      expect(ran).toHaveLength(1 + admitted)
      expect(new Set(answers.filter(({ success }) => !success).map(({ error }) => error?.code))).toEqual(
        admitted === 64 ? new Set() : new Set(['CONFLICT_INVALID_STATE']),
      )
      await runtime.close()
      expect(await trail('OPERATION_INTENT')).toHaveLength(1 + admitted)
      expect(await trail('OPERATION_OUTCOME')).toHaveLength(1 + admitted)
      if ('rate_limits' in more) expect((await runtime.quotaStatus())?.quotas[0]?.current).toBe(1 + admitted)
    }
  })

  test('64 redemptions of one approval of a retry are one run', async () => {
    const { approved, call, ended, ran, runtime } = await openRetryWorld()
    const { data } = await approved(CLEANUP)
    const id = data?.execution_id ?? ''
    await ended(id)
    const { error } = await call(retry(id))
    await decide(runtime, error?.details?.approval_id)
    const again = withToken(retry(id), error?.details?.confirmation_token)
    const answers = await Promise.all(Array.from({ length: 64 }, () => call(again)))
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    await ended(id)
    expect(ran).toHaveLength(2)
  })

  test('is recorded at its own level, under its own name, with the execution that it runs again', async () => {
    const { approved, ended, runtime, trail, plan } = await openRetryWorld()
    const { data } = await approved(CLEANUP)
    const id = data?.execution_id ?? ''
    await ended(id)
    plan('succeed')
    expect((await approved(retry(id))).success).toBe(true)
    await ended(id)
    await runtime.close()
    const about = { operation: 'run_backup_cleanup', danger_level: 2 }
    expect(await trail('OPERATION_INTENT')).toMatchObject([
      { ...about, parameters: { folder: 'old' } },
      { ...about, parameters: { folder: 'old' }, retry_of: id, result: 'confirmed' },
    ])
    expect(await trail('OPERATION_CALLED')).toMatchObject([
      { ...about, outcome: 'started', execution_id: id },
      { ...about, outcome: 'started', execution_id: id, retry_of: id },
    ])
    expect(await trail('OPERATION_OUTCOME')).toMatchObject([
      { ...about, outcome: 'failure', error_code: 'CONFLICT_INVALID_STATE', execution_id: id },
      { ...about, outcome: 'success', execution_id: id },
    ])
    expect(JSON.stringify(await trail())).not.toContain('"retry_execution"')
  })

  test('SELF-11 a human who is asked sees that it is one, and what was denied is not asked again', async () => {
    const { approved, call, ended, code, ran, runtime, store } = await openRetryWorld()
    const { data } = await approved(CLEANUP)
    const id = data?.execution_id ?? ''
    await ended(id)
    const { error } = await call(retry(id))
    const request = await store.get<{ reasons: string[]; operation: string }>({
      kind: 'request',
      id: String(error?.details?.approval_id),
    })
    expect(request?.operation).toBe('run_backup_cleanup')
    expect(request?.reasons.at(-1)).toBe(`a retry of ${id}, which failed with CONFLICT_INVALID_STATE`)
    await decide(runtime, error?.details?.approval_id, { decision: 'deny' })
    expect(await code(retry(id))).toBe('PERMISSION_DENIED')
    expect(await code(CLEANUP)).toBe('PERMISSION_DENIED') // the same deed in another way
    expect(ran).toHaveLength(1)
  })

  test('VAL-10 its sensitive parameters are nowhere in the store', async () => {
    const { approved, ended, call, store, runtime } = await openRetryWorld()
    const { data } = await approved(CLEANUP)
    await ended(data?.execution_id ?? '')
    await call(retry(data?.execution_id))
    const kinds = ['intent', 'unknown', 'request', 'desk', 'execution:backups', 'attention']
    const stored = await Promise.all(kinds.map((kind) => store.list(kind)))
    expect(stored.flat().length).toBeGreaterThan(1)
    await runtime.close()
    expect(JSON.stringify([stored, await store.trail.read()])).not.toContain('hunter2')
  })

  test('gets the parameters as they were sent, whatever the first run did to them', async () => {
    const seen: unknown[] = []
    const spoil = long('spoil_backups', seen, () => 'fail', {
      params: { where: { type: 'object', required: true } },
      handler: ({ where }, { run }) =>
        run(async () => {
          seen.push(structuredClone(where))
          Object.assign(where as object, { path: '/' })
          throw new Error('broken')
        }),
    })
    const { call, ended } = await openRetryWorld({}, { operations: [spoil] })
    const { data } = await call({ operation: 'spoil_backups', params: { where: { path: 'old' } } })
    await ended(data?.execution_id ?? '')
    await call(retry(data?.execution_id))
    await ended(data?.execution_id ?? '')
    expect(seen).toEqual([{ path: 'old' }, { path: 'old' }])
  })

  test('is refused for another principal, for what runs, has completed or supports none, and after a restart', async () => {
    const { call, ended, code, plan, runtime, store, ran, trail } = await openRetryWorld()
    const { data } = await call(SORTING)
    const id = data?.execution_id ?? ''
    await ended(id)
    expect(await code(retry(id), runtime.openSession('somebody else'))).toBe('NOT_FOUND_RESOURCE')
    expect(await code(retry('exec_none'))).toBe('NOT_FOUND_RESOURCE')
    const other = await openRetryWorld({ store })
    expect((await other.call(retry(id))).error).toMatchObject({
      code: 'CONFLICT_INVALID_STATE',
      details: { state: 'failed', reason: expect.stringContaining("call 'sort_backups' again instead") },
    })
    expect(other.ran).toEqual([])
    plan('hang')
    await call(retry(id))
    expect(await code(retry(id))).toBe('CONFLICT_INVALID_STATE')
    await call({ operation: 'cancel_execution', params: { execution_id: id } })
    expect(await code(retry(id))).toBe('CONFLICT_INVALID_STATE')
    plan('fail')
    const packed = (await call({ operation: 'pack_backups', params: { folder: 'old' } })).data?.execution_id ?? ''
    await ended(packed)
    expect(await code(retry(packed))).toBe('CONFLICT_INVALID_STATE')
    expect(ran).toHaveLength(3)
    await runtime.close()
    expect((await trail('OPERATION_CALLED')).filter(({ operation }) => operation === 'retry_execution')).toHaveLength(5) // the sixth is the other server's
  })

  test('MODE-07, GATE-02 runs nothing that belongs to another tool', async () => {
    const world = await openRetryWorld(
      { mode: 'semantic', profile: 'desk' },
      { operations: [long('deploy_backups', [], () => 'fail', { endpoint: 'risky' })], profiles: [DESK] },
    )
    const { runtime, session } = world
    const on = async (family: string, args: object) => {
      const tool = runtime.tools.find(({ name }) => name.endsWith(`_${family}`))?.name ?? ''
      return JSON.parse((await runtime.call({ tool, arguments: args, session })).text)
    }
    const { data } = await on('risky', { operation: 'deploy_backups', params: { folder: 'old' } })
    const id = data.execution_id
    const stateOf = async () => (await on('look', { operation: 'get_execution', params: { execution_id: id } })).data
    await until(async () => (await stateOf()).status === 'failed')
    expect((await on('act', retry(id))).error).toMatchObject({
      code: 'VALIDATION_ENDPOINT_MISMATCH',
      details: { operation: 'deploy_backups', expected_endpoint: 'risky', actual_endpoint: 'act' },
    })
    expect((await on('risky', retry(id))).error.code).toBe('VALIDATION_ENDPOINT_MISMATCH')
    expect((await on('act', retry('exec_none'))).error.code).toBe('NOT_FOUND_RESOURCE')
    expect((await stateOf()).status).toBe('failed')
  })

  test('BATCH-09 in a batch halts it, with what to send again, and its token redeems it there', async () => {
    const { approved, ended, call, ran, runtime } = await openRetryWorld()
    const { data } = await approved(CLEANUP)
    const id = data?.execution_id ?? ''
    await ended(id)
    const halted = (await call({ operations: [retry(id), SORTING] })) as unknown as Halted
    const { details } = halted.halted_at.result.error
    expect(details).toMatchObject({ operation: 'run_backup_cleanup', params: { execution_id: id } })
    expect(ran).toHaveLength(1)
    await decide(runtime, details.approval_id)
    await call({ operations: [withToken(retry(id), details.confirmation_token)] })
    await ended(id)
    expect(ran).toEqual([CLEANUP.params, CLEANUP.params])
  })

  test('whose handler fails before its work begins has failed, and can be tried again', async () => {
    let isDown = false
    const moody = long('moody_backups', [], () => 'fail', {
      params: {},
      handler: (_, { run }) => {
        if (isDown) throw new Error('down')
        return run(async () => {
          throw new Error('broken')
        })
      },
    })
    const { call, ended, code, runtime, trail } = await openRetryWorld({}, { operations: [moody] })
    const { data } = await call({ operation: 'moody_backups' })
    const id = data?.execution_id ?? ''
    await ended(id)
    isDown = true
    expect(await code(retry(id))).toBe('INTERNAL_ERROR')
    expect((await ended(id)).status).toBe('failed')
    isDown = false
    expect(await code(retry(id))).toBe('done')
    await ended(id)
    await runtime.close()
    expect((await trail('OPERATION_OUTCOME')).map(({ outcome }) => outcome)).toEqual(Array(3).fill('failure'))
    expect(await trail('OPERATION_INTENT')).toHaveLength(3)
  })
})

interface Halted {
  readonly halted_at: { readonly result: { readonly error: { readonly details: Readonly<Record<string, unknown>> } } }
}

const DESK: EndpointProfile = {
  name: 'desk',
  introspection: 'look',
  families: [
    { name: 'look', purpose: 'see', categories: ['READ'] },
    { name: 'act', purpose: 'act', categories: ['CREATE', 'UPDATE', 'DELETE', 'EXECUTE'] },
    { name: 'risky', purpose: 'risky things', categories: [] },
  ],
}

const GENEROUS = {
  quotas: { enabled: true, limits: [{ metric: 'requests_per_day', warn: 900, pause: 900, hard_stop: 1_000 }] },
}
