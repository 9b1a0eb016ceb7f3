import { describe, expect, test, vi } from 'vitest'
import type { Store } from '../../src/core/ports/store.ts'
import { adding, openWorld } from '../notes.ts'
import { createMemoryStore, defineOperation, type RuntimeOptions } from '../support.ts'

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
  const { runtime, begin, seen, session, logged } = await world({ store: { ...store, update } })
  await begin()
  await begin()
  isFull = true
  await runtime.closeSession(session)
  expect(seen).toEqual({ begun: 2, stopped: 2 })
  const faults = logged.filter((entry) => (entry as { message: string }).message === 'Error: the disk is full')
  expect(faults).toHaveLength(2)
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

test('LIFE-02 what another process has cancelled is stopped at the next beat', async () => {
  vi.useFakeTimers()
  try {
    const store = createMemoryStore()
    const { begin, seen } = await world({ store })
    const { execution_id } = JSON.parse((await begin()).text).data as State
    const elsewhere = await world({ store })
    await elsewhere.call({ operation: 'cancel_execution', params: { execution_id } })
    expect(seen.stopped).toBe(0)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(seen.stopped).toBe(1)
  } finally {
    vi.useRealTimers()
  }
})
