import { describe, expect, test } from 'vitest'
import { createConnectionSessions } from '../../../src/serve/sessions.ts'
import { decide, withToken } from '../../approve.ts'
import { type Answered, echo, openWorld } from '../../notes.ts'
import type { Session } from '../../support.ts'
import { DELETING, openGateWorld } from '../gate/gate-world.ts'

describe('SESS-01 a session', () => {
  test('lasts as long as its connection, and a reconnect of the same client is another one', async () => {
    const { runtime, outcome, demand, ran } = await openGateWorld()
    const first = createConnectionSessions({ principal: 'ann' })
    const session = first.resolve(runtime, {}) as Session
    expect(first.resolve(runtime, {})).toBe(session)
    const { confirmation_token, approval_id } = await demand(DELETING, { session })
    expect(await decide(runtime, approval_id)).toMatchObject({ kind: 'decided' })

    const second = createConnectionSessions({ principal: 'ann' }).resolve(runtime, {}) as Session
    expect(second.id).not.toBe(session.id)
    expect(await outcome(withToken(DELETING, confirmation_token), { session: second })).toBe('TOKEN_INVALID')
    expect(ran).toEqual([])

    await first.close()
    expect(session.signal.aborted).toBe(true)
    expect(await outcome(withToken(DELETING, confirmation_token), { session: second })).toBe('TOKEN_INVALID')
    expect(ran).toEqual([])
  })

  test('is one for the whole connection, whichever adapter it speaks to', async () => {
    const one = await openGateWorld()
    const two = await openGateWorld()
    const sessions = createConnectionSessions({ principal: 'ann' })
    const ids = [one, two].map(({ runtime }) => (sessions.resolve(runtime, {}) as Session).id)
    expect(new Set(ids).size).toBe(1)
    expect(createConnectionSessions({ principal: 'ann' }).resolve(one.runtime, {})).not.toMatchObject({ id: ids[0] })
  })
})

describe('SESS-08 concurrency', () => {
  test.each(['serialized', 'read-concurrent', 'fully-concurrent', 'resource-locked'] as const)(
    '%s is reported with supports_etag',
    async (concurrency) => {
      const { call } = await openWorld({}, (adapter) => ({ ...adapter, concurrency }))
      const { data } = await call({ operation: 'introspect', params: { query: 'operations' } })
      expect(data).toMatchObject({ _protocol: { concurrency, supports_etag: true, max_concurrent_requests: 1_000 } })
    },
  )
})

test.each(['closed', 'idle too long'])(
  'SESS-03 R-23 the execution of a session that was %s is cancelled',
  async (how) => {
    const { runtime, store, pass } = await openGateWorld({ safety: { mode: 'monitoring' } })
    const session = runtime.openSession('ann', { expires: true })
    const tool = runtime.tools.find(({ name }) => name.endsWith('_execute'))?.name ?? ''
    const starting = { operation: 'execute_agent', params: { element_name: 'bot' } }
    expect((await runtime.call({ tool, arguments: starting, session })).isError).toBe(false)
    if (how === 'closed') await runtime.closeSession(session)
    pass(3_601)
    runtime.openSession('ann', { expires: true })
    await expect
      .poll(async () => (await store.list<{ ended: readonly object[] }>('agent'))[0]?.value.ended[0])
      .toMatchObject({ status: 'cancelled' })
  },
)

test('SESS-09 an update under an older version changes nothing', async () => {
  const { call, notes } = await openWorld()
  await call({ operation: 'create_note', params: { title: 'first' } })
  const update = (title: string, if_match: unknown) =>
    call({ operation: 'update_note', params: { note_id: 'n1', input: { title }, if_match } })
  expect(await update('second', 1)).toMatchObject({ success: true, data: { _version: 2 } })
  expect((await update('third', 1)).error?.code).toBe('CONFLICT_VERSION_MISMATCH')
  expect(notes.get('n1')).toMatchObject({ title: 'second', _version: 2 })
})

describe('executions', () => {
  test('LOOP-04 an answer names the execution and its state, and a failed one its error', async () => {
    const world = await openWorld()
    const done = await finished(world.call, {})
    expect(done).toMatchObject({
      status: 'completed',
      started_at: expect.stringMatching(/^2026-11-16T/),
      finished_at: expect.stringMatching(/^2026-11-16T/),
      progress: { current: 3, total: 3 },
    })
    const broken = await finished(world.call, { break_at: 2 })
    expect(broken).toMatchObject({ status: 'failed', error: { code: 'INTERNAL_ERROR', message: expect.any(String) } })
  })

  test.each([
    [{}, { supports_cancel: true, supports_retry: false, progress_reporting: false }],
    [{ supports_retry: true }, { supports_cancel: true, supports_retry: true, progress_reporting: false }],
    [{ progress_reporting: true }, { supports_cancel: true, supports_retry: false, progress_reporting: true }],
  ])('LOOP-05 with %j the details list every state and say %j', async (lifecycle, flags) => {
    const operation = echo('pack_notes', {}, { category: 'EXECUTE', lifecycle, returns: 'Execution' })
    const { call } = await openWorld({}, (adapter) => ({ ...adapter, operations: [...adapter.operations, operation] }))
    const { data } = await call({ operation: 'introspect', params: { query: 'operations', name: 'pack_notes' } })
    expect((data as { operation: { lifecycle: unknown } }).operation.lifecycle).toEqual({
      states: ['pending', 'running', 'completed', 'failed', 'cancelled'],
      ...flags,
    })
  })

  test('LOOP-05 an additional state is listed, executions stand in a core state, and each can be cancelled', async () => {
    const states = ['pending', 'running', 'waiting_for_review', 'completed', 'failed', 'cancelled']
    const operation = echo(
      'review_notes',
      {},
      {
        category: 'EXECUTE',
        lifecycle: { states },
        returns: 'Execution',
        handler: (_, { run }) =>
          run(({ signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', reject))),
      },
    )
    const { call } = await openWorld({}, (adapter) => ({ ...adapter, operations: [...adapter.operations, operation] }))
    const { data } = await call({ operation: 'introspect', params: { query: 'operations', name: 'review_notes' } })
    expect((data as { operation: { lifecycle: object } }).operation.lifecycle).toMatchObject({ states })
    const begun = (await call({ operation: 'review_notes' })).data as { execution_id: string; status: string }
    const params = { execution_id: begun.execution_id }
    expect(begun.status).toBe('running')
    expect(await call({ operation: 'cancel_execution', params })).toMatchObject({ data: { status: 'cancelled' } })
    expect(await call({ operation: 'get_execution', params })).toMatchObject({ data: { status: 'cancelled' } })
  })

  test('OPN-07 what was executed stands in the trail when the server has closed', async () => {
    const { runtime, store, ask, trail } = await openGateWorld({}, [{ name: 'sort_thing', category: 'EXECUTE' }])
    await ask({ operation: 'sort_thing', params: { thing: 'a' } })
    await runtime.close()
    expect(await trail('OPERATION_CALLED')).toMatchObject([
      { operation: 'sort_thing', endpoint: 'execute', user_id: 'tester', danger_level: 1 },
    ])
    await store.close()
  })
})

async function finished(call: (args: unknown) => Promise<Answered>, params: object) {
  const begun = (await call({ operation: 'export_notes', params })).data as { execution_id: string; status: string }
  expect(begun).toMatchObject({ execution_id: expect.any(String), status: 'running' })
  for (let looks = 0; looks < 200; looks++) {
    const { data } = await call({ operation: 'get_execution', params: { execution_id: begun.execution_id } })
    const { status } = data as { status: string }
    if (status !== 'running' && status !== 'pending') return data
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return undefined
}
