import { expect, test } from 'vitest'
import type { ProgressNotice } from '../../src/core/call.ts'
import { transition } from '../../src/core/execution/lifecycle.ts'
import { record as refOf, updateRecord } from '../../src/core/ports/store.ts'
import { isFailure } from '../../src/protocol/result.ts'
import { createMemoryStore } from '../../src/store/memory.ts'
import { type Answered, openWorld, type World } from '../notes.ts'

interface State {
  readonly execution_id: string
  readonly status: string
  readonly started_at?: string
  readonly finished_at?: string
  readonly progress?: { readonly current?: number; readonly total?: number; readonly message?: string }
  readonly error?: { readonly code: string; readonly message: string }
  readonly result?: unknown
}

const stateOf = (answer: Answered) => answer.data as State

async function ended(world: World, id: string): Promise<State> {
  for (let tries = 0; tries < 200; tries++) {
    const state = stateOf(await world.call({ operation: 'get_execution', params: { execution_id: id } }))
    if (state.status !== 'running' && state.status !== 'pending') return state
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('it never ended')
}

const record = (status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled') => ({
  execution_id: 'e',
  operation: 'export_notes',
  principal: 'p',
  owner: 'o',
  status,
  created_at: '2026-01-01T00:00:00.000Z',
})

// biome-ignore format: a table reads by columns
test.each([
  ['pending',   'running',   false, true],
  ['pending',   'cancelled', false, true],
  ['pending',   'completed', false, false],
  ['pending',   'failed',    false, false],
  ['running',   'completed', false, true],
  ['running',   'failed',    false, true],
  ['running',   'cancelled', false, true],
  ['running',   'pending',   false, false],
  ['completed', 'running',   true,  false],
  ['completed', 'cancelled', false, false],
  ['cancelled', 'running',   true,  false],
  ['failed',    'running',   false, false],
  ['failed',    'running',   true,  true],
  ['failed',    'cancelled', true,  false],
] as const)('LIFE-02 X-37 from %s to %s, retry %s: %s', (from, to, supportsRetry, allowed) => {
  const { next, result } = transition('e', { to, now: 0, operation: 'x', supportsRetry })(record(from))
  expect(next?.status).toBe(allowed ? to : from)
  expect(isFailure(result)).toBe(!allowed)
  if (isFailure(result)) expect(result.error).toMatchObject({ code: 'CONFLICT_INVALID_STATE', details: { state: from } })
})

test('LIFE-01 LIFE-03 LIFE-04 an execution runs, reports progress and completes', async () => {
  const world = await openWorld()
  const begun = stateOf(await world.call({ operation: 'export_notes', params: { steps: 3 } }))
  expect(begun).toEqual({
    execution_id: expect.stringMatching(/^exec_[\w-]{24}$/),
    status: 'running',
    operation: 'export_notes',
    started_at: '2026-11-16T00:00:00.000Z',
  })
  expect(await ended(world, begun.execution_id)).toEqual({
    execution_id: begun.execution_id,
    status: 'completed',
    operation: 'export_notes',
    started_at: '2026-11-16T00:00:00.000Z',
    finished_at: '2026-11-16T00:00:00.000Z',
    progress: { current: 3, total: 3, message: 'step 3' },
    result: { exported: 0 },
  })
})

test('LIFE-03 a failed execution carries the error and leaks nothing; LIFE-02 it can be retried where supported', async () => {
  const world = await openWorld()
  const { execution_id } = stateOf(await world.call({ operation: 'export_notes', params: { break_at: 2 } }))
  const failed = await ended(world, execution_id)
  expect(failed).toMatchObject({ status: 'failed', finished_at: expect.any(String), error: { code: 'INTERNAL_ERROR' } })
  expect(JSON.stringify(failed)).not.toContain('secret.ts')
  expect(JSON.stringify(world.logged)).toContain('secret.ts')
  const again = await world.call({ operation: 'retry_execution', params: { execution_id } })
  expect(stateOf(again)).toMatchObject({ execution_id, status: 'running' })
  expect(stateOf(again).finished_at).toBeUndefined()
  expect(await ended(world, execution_id)).toMatchObject({ status: 'failed' })
})

test('LIFE-02 a running execution is cancelled once; a second attempt is refused and changes nothing', async () => {
  const world = await openWorld()
  const { execution_id } = stateOf(await world.call({ operation: 'export_notes', params: { steps: 1_000 } }))
  const cancelled = await world.call({ operation: 'cancel_execution', params: { execution_id } })
  expect(stateOf(cancelled)).toMatchObject({ status: 'cancelled', finished_at: expect.any(String) })
  const again = await world.call({ operation: 'cancel_execution', params: { execution_id } })
  expect(again.error).toMatchObject({ code: 'CONFLICT_INVALID_STATE', details: { execution_id, state: 'cancelled' } })
  expect(await ended(world, execution_id)).toMatchObject({ status: 'cancelled' })
})

test('LIFE-03 an unknown execution, and one of another principal, is not found', async () => {
  const world = await openWorld()
  const { execution_id } = stateOf(await world.call({ operation: 'export_notes' }))
  const foreign = world.runtime.openSession('somebody else')
  const tool = world.runtime.tools.find(({ name }) => name.endsWith('_read'))?.name ?? ''
  const ask = (id: string) =>
    world.runtime.call({
      tool,
      session: foreign,
      arguments: { operation: 'get_execution', params: { execution_id: id } },
    })
  expect(JSON.parse((await ask(execution_id)).text).error.code).toBe('NOT_FOUND_RESOURCE')
  expect(JSON.parse((await ask('exec_none')).text).error.code).toBe('NOT_FOUND_RESOURCE')
})

test('LIFE-06 the details of a lifecycle operation say what it supports', async () => {
  const { call } = await openWorld()
  const { data } = await call({ operation: 'introspect', params: { query: 'operations', name: 'export_notes' } })
  expect((data as { operation: { lifecycle: unknown } }).operation.lifecycle).toEqual({
    states: ['pending', 'running', 'completed', 'failed', 'cancelled'],
    supports_cancel: true,
    supports_retry: true,
    progress_reporting: true,
  })
})

test('PROG-01 PROG-03 PROG-04 a caller that follows the progress gets strictly increasing notices and the end', async () => {
  const { runtime } = await openWorld()
  const notices: ProgressNotice[] = []
  const tool = runtime.tools.find(({ name }) => name.endsWith('_execute'))?.name ?? ''
  const { result } = await runtime.call({
    tool,
    session: runtime.openSession('p'),
    arguments: { operation: 'export_notes', params: { steps: 4 } },
    onProgress: (notice) => notices.push(notice),
  })
  expect(result).toMatchObject({ success: true, data: { status: 'completed' } })
  expect(notices.map(({ progress }) => progress)).toEqual([0, 30, 50, 70, 90, 100])
  expect(notices.every(({ total }) => total === 100)).toBe(true)
  const count = notices.length
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(notices.length).toBe(count)
})

test('PROG-01 LIFE-02 a caller that follows the progress and leaves cancels the execution', async () => {
  const world = await openWorld()
  const { runtime } = world
  const leaving = new AbortController()
  const tool = runtime.tools.find(({ name }) => name.endsWith('_execute'))?.name ?? ''
  setTimeout(() => leaving.abort(), 20)
  await runtime.call({
    tool,
    session: runtime.openSession('tester'),
    arguments: { operation: 'export_notes', params: { steps: 10_000 } },
    onProgress: () => {},
    signal: leaving.signal,
  })
  const statuses = async () => {
    const { data } = await world.call({ operation: 'list_executions' })
    return (data as { items: State[] }).items.map(({ status }) => status)
  }
  await expect.poll(statuses).toEqual(['cancelled'])
})

test('SES-03 what a closing session leaves unfinished is cancelled; SES-04 finished results stay readable', async () => {
  const world = await openWorld()
  const { runtime } = world
  const closing = runtime.openSession('tester')
  const tool = runtime.tools.find(({ name }) => name.endsWith('_execute'))?.name ?? ''
  const start = async (steps: number) => {
    const { text } = await runtime.call({
      tool,
      session: closing,
      arguments: { operation: 'export_notes', params: { steps } },
    })
    return JSON.parse(text).data.execution_id as string
  }
  const short = await start(1)
  await ended(world, short)
  const long = await start(1_000)
  await runtime.closeSession(closing)
  expect((await ended(world, long)).status).toBe('cancelled')
  expect((await ended(world, short)).status).toBe('completed')
})

test('SESS-03 LIFE-02 the work of a process that died has failed for whoever asks; that of a living one goes on', async () => {
  const memory = createMemoryStore()
  const store = { ...memory, isGone: async (opener: string) => opener === 'dead' }
  const world = await openWorld({ store })
  const put = (id: string, opener: string) =>
    updateRecord(store, refOf('execution:note-book', id), () => ({
      next: { ...record('running'), execution_id: id, principal: 'tester', opener },
      result: undefined,
    }))
  await put('exec_lost', 'dead')
  await put('exec_alive', 'alive')
  const ask = async (id: string) => stateOf(await world.call({ operation: 'get_execution', execution_id: id }))
  expect((await ask('exec_alive')).status).toBe('running')
  expect(await ask('exec_lost')).toMatchObject({
    status: 'failed',
    error: { code: 'INTERNAL_ERROR', details: { cause_code: 'LOST', reason: 'session_terminated' } },
  })
})

test('LIFE-01 only the newest executions of a principal are remembered, and running ones always', async () => {
  const store = createMemoryStore()
  const world = await openWorld({ store })
  const begin = async () => stateOf(await world.call({ operation: 'export_notes', params: { steps: 1 } })).execution_id
  const first = await begin()
  await ended(world, first)
  const prefix = first.slice(0, 9)
  for (let i = 0; i < 520; i++) {
    const id = `${prefix}old${String(i).padStart(4, '0')}`
    const created_at = `2026-01-01T00:00:00.${String(i).padStart(3, '0')}Z`
    const status = i === 3 ? 'running' : 'completed'
    const old = {
      ...record(status),
      execution_id: id,
      principal: 'tester',
      created_at,
      opener: 'alive',
    }
    const next = status === 'running' ? old : { ...old, finished_at: created_at }
    await updateRecord(store, refOf('execution:note-book', id), () => ({ next, result: undefined }))
  }
  const later = await openWorld({ store }) // the first that a server starts
  await later.call({ operation: 'export_notes', params: { steps: 1 } })
  const kept = await store.list('execution:note-book', { prefix })
  expect(kept.length).toBe(502) // the two that run are not among those that ended
  expect(kept.map(({ id }) => id)).toContain(`${prefix}old0003`)
  expect(kept.map(({ id }) => id)).not.toContain(`${prefix}old0004`)
})
