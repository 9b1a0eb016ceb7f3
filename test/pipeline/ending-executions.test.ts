import { describe, expect, test } from 'vitest'
import type { Store } from '../../src/core/ports/store.ts'
import { adding, openWorld } from '../notes.ts'
import { createMemoryStore, defineOperation, fail, type RuntimeOptions } from '../support.ts'

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

interface State {
  readonly execution_id: string
  readonly status: string
  readonly progress?: unknown
}

/** Work that says when it begins and whether it was told to stop; it never ends by itself. */
async function world(options: Partial<RuntimeOptions> = {}) {
  const seen = { begun: 0, stopped: 0 }
  const job = defineOperation({
    name: 'execute_job',
    category: 'EXECUTE',
    description: 'Never ends.',
    lifecycle: {},
    returns: 'Execution',
    handler: (_, { run }) =>
      run(({ signal }) => {
        seen.begun++
        signal.addEventListener('abort', () => seen.stopped++)
        return new Promise(() => {})
      }),
  })
  const opened = await openWorld(options, adding(job))
  const tool = opened.runtime.tools.find(({ name }) => name.endsWith('_execute'))?.name ?? ''
  const begin = (session = opened.session, more = {}) =>
    opened.runtime.call({ tool, arguments: { operation: 'execute_job' }, session, ...more })
  return { ...opened, seen, begin }
}

test('SES-03 an execution whose session closes while it is being started never begins', async () => {
  const { runtime, begin, seen, call } = await world()
  const session = runtime.openSession('tester')
  const starting = begin(session)
  await runtime.closeSession(session)
  await starting
  await sleep(5)
  expect(seen.begun).toBe(0)
  const { items } = (await call({ operation: 'list_executions' })).data as { items: State[] }
  expect(items.map(({ status }) => status)).toEqual(['cancelled'])
})

test('SES-03 work is told to stop when its session closes, even if the disk is full', async () => {
  const store = createMemoryStore()
  let isFull = false
  const update: Store['update'] = async (...change) => {
    if (isFull) throw new Error('the disk is full')
    return store.update(...change)
  }
  const { runtime, begin, seen, session } = await world({ store: { ...store, update } })
  await begin()
  await begin()
  isFull = true
  await runtime.closeSession(session)
  expect(seen).toEqual({ begun: 2, stopped: 2 })
})

test('LIFE-02 PROG-01 a caller that follows work hears of its cancellation, even if the work does not', async () => {
  const { begin, call } = await world()
  const following = begin(undefined, { onProgress: () => {} })
  await sleep(5)
  const { items } = (await call({ operation: 'list_executions' })).data as { items: State[] }
  await call({ operation: 'cancel_execution', params: { execution_id: items[0]?.execution_id } })
  expect(JSON.parse((await following).text).data.status).toBe('cancelled')
})

describe('LIFE-04 progress', () => {
  test('a flood of it is written down as fast as the store takes it, the newest last', async () => {
    const store = createMemoryStore()
    let writes = 0
    const update: Store['update'] = async (...change) => {
      writes++
      await sleep(1)
      return store.update(...change)
    }
    const flood = defineOperation({
      name: 'execute_flood',
      category: 'EXECUTE',
      description: 'Floods.',
      lifecycle: {},
      returns: 'Execution',
      handler: (_, { run }) =>
        run(async ({ progress }) => {
          const said: Record<string, unknown> = { extra: 1n }
          for (let i = 0; i < 10_000; i++) {
            said.percentage = i / 100
            progress(said)
          }
          return 'done'
        }),
    })
    const { runtime, session } = await openWorld({ store: { ...store, update } }, adding(flood))
    const tool = runtime.tools.find(({ name }) => name.endsWith('_execute'))?.name ?? ''
    const ask = { tool, arguments: { operation: 'execute_flood' }, session, onProgress: () => {} }
    const { data } = JSON.parse((await runtime.call(ask)).text)
    expect(data).toMatchObject({ status: 'completed', progress: { percentage: 99.99 }, result: 'done' })
    expect(Object.keys(data.progress)).toEqual(['percentage'])
    expect(writes).toBeLessThan(30) // of 10,000; the records of the call itself are among them
  })
})

test('LIFE-03 adapters that share a store do not see one another’s executions', async () => {
  const store = createMemoryStore()
  const one = await world({ store })
  const { execution_id } = JSON.parse((await one.begin()).text).data as State
  const other = await openWorld({ store }, (adapter) => ({ ...adapter, name: 'diary' }))
  expect((await one.call({ operation: 'list_executions' })).data).toMatchObject({ items: [{ execution_id }] })
  expect((await other.call({ operation: 'list_executions' })).data).toMatchObject({ items: [] })
  const cancelled = await other.call({ operation: 'cancel_execution', params: { execution_id } })
  expect(cancelled.error?.code).toBe('NOT_FOUND_RESOURCE')
})

/** Work that ends in its own way after it was told to stop. */
async function endingWorld(store: Store, end: (signal: AbortSignal) => unknown) {
  const job = defineOperation({
    name: 'execute_job',
    category: 'EXECUTE',
    description: 'Runs until it is told to stop.',
    lifecycle: {},
    returns: 'Execution',
    handler: (_, { run }) =>
      run(async ({ signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return end(signal)
      }),
  })
  const opened = await openWorld({ store }, adding(job))
  const ask = async (operation: string, execution_id?: string) => {
    const params = execution_id === undefined ? {} : { execution_id }
    return (await opened.call({ operation, params })).data as State & Record<string, unknown>
  }
  return { ...opened, ask }
}

describe('LIFE-02 AUDIT-08 an execution is cancelled when its work has stopped, and get_execution and the trail agree', () => {
  const CANCEL = 'cancelled by its caller'
  const ENDINGS: readonly [string, (signal: AbortSignal) => unknown, object, object][] = [
    ['throws', (signal) => signal.throwIfAborted(), { status: 'cancelled' }, { outcome: 'cancelled', reason: CANCEL }],
    [
      'returns a failure',
      () => fail('CONFLICT_INVALID_STATE', { operation: 'x', state: 'cancelled' }),
      { status: 'cancelled' },
      { outcome: 'cancelled', reason: CANCEL },
    ],
    [
      'runs to its end at once',
      () => ({ done: true }),
      { status: 'completed', result: { done: true }, cancel_requested_at: expect.any(String) },
      { outcome: 'success', reason: `${CANCEL}; too late, the work ran to its end` },
    ],
    [
      'runs to its end within two seconds',
      () => sleep(1_200).then(() => 'late'),
      { status: 'completed', result: 'late' },
      { outcome: 'success', reason: `${CANCEL}; too late, the work ran to its end` },
    ],
    [
      'goes on for longer',
      () => new Promise(() => {}),
      { status: 'cancelled', error: { details: { cause_code: 'CANCELLED' } } },
      { outcome: 'unknown', reason: `${CANCEL}; the work was told to stop and has not ended` },
    ],
  ]
  const places = ['the same process', 'another process of the store'] as const
  test.each(places.flatMap((place) => ENDINGS.map((row) => [place, ...row] as const)))(
    'cancelled through %s, work that %s',
    async (place, _, end, state, outcome) => {
      const store = createMemoryStore()
      const here = await endingWorld(store, end)
      const asked = place === 'the same process' ? here : await endingWorld(store, end)
      const { execution_id } = await here.ask('execute_job')
      const answer = await asked.ask('cancel_execution', execution_id)
      const isOver = answer.status !== 'running'
      expect(answer).toMatchObject(isOver ? state : { cancel_requested_at: expect.any(String) })
      const outcomes = async () => (await store.trail.read({ events: ['OPERATION_OUTCOME'] })).map(({ entry }) => entry)
      if (!isOver) expect(await outcomes()).toEqual([])
      await expect.poll(outcomes, { timeout: 5_000 }).toMatchObject([{ ...outcome, execution_id }])
      for (const { ask } of [here, asked]) expect(await ask('get_execution', execution_id)).toMatchObject(state)
      expect(await store.list('execution-cancel:note-book')).toEqual([])
    },
  )

  test('another process hears of a cancellation within a second, and then the answer says cancelled', async () => {
    const store = createMemoryStore()
    const here = await endingWorld(store, (signal) => signal.throwIfAborted())
    const there = await endingWorld(store, () => undefined)
    const { execution_id } = await here.ask('execute_job')
    expect(await there.ask('cancel_execution', execution_id)).toMatchObject({ status: 'cancelled' })
  })
})
