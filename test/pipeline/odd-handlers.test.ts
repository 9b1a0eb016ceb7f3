import { describe, expect, test } from 'vitest'
import { createRests } from '../../src/core/introspection/rests.ts'
import { adding, openWorld } from '../notes.ts'
import { createMemoryStore, defineOperation, type OperationDefinition, type RuntimeOptions } from '../support.ts'

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A world where every call waits for the one before, with one operation more. */
function serialized(handler: OperationDefinition['handler'], options: Partial<RuntimeOptions> = {}) {
  const odd = defineOperation({ name: 'get_odd', category: 'READ', description: 'Odd.', handler })
  return openWorld({ timeoutMs: 1_000, ...options }, (adapter) => ({
    ...adding(odd)(adapter),
    concurrency: 'serialized',
  }))
}

const circular: Record<string, unknown> = {}
circular.self = circular

describe('RES-01 data is there whatever the handler returned', () => {
  test.each([
    ['a function', () => () => 1],
    ['a symbol', () => Symbol('x')],
    ['nothing', () => undefined],
  ])('%s', async (_, handler) => {
    expect((await (await serialized(handler)).ask({ operation: 'get_odd' })).text).toBe('{"success":true,"data":null}')
  })

  test('a function that is a promise is waited for', async () => {
    // biome-ignore lint/suspicious/noThenProperty: the case
    const later = Object.assign(() => 1, { then: (done: (value: unknown) => void) => done('late') })
    expect(await (await serialized(() => later)).call({ operation: 'get_odd' })).toEqual({
      success: true,
      data: 'late',
    })
  })
})

describe('ERR-04 CONC-01 whatever a handler throws is an answer, a log line, and no lock that stays', () => {
  const hostile = new Proxy(
    {},
    {
      get() {
        throw new Error('no')
      },
    },
  )
  test.each([
    ['something without a text', () => Promise.reject(Object.create(null)), 'something that is not an Error (object)'],
    ['nothing', () => Promise.reject(undefined), 'undefined'],
    ['a `then` that cannot be read', () => hostile, 'Error: no'],
    [
      'a `then` that throws',
      () => ({
        // biome-ignore lint/suspicious/noThenProperty: the case
        then() {
          throw new Error('sync')
        },
      }),
      'Error: sync',
    ],
  ])('%s', async (_, handler, message) => {
    const { call, logged } = await serialized(handler)
    expect((await call({ operation: 'get_odd' })).error?.code).toBe('INTERNAL_ERROR')
    expect(logged).toMatchObject([{ level: 'error', message }])
    expect(await call({ operation: 'list_notes' })).toMatchObject({ success: true })
  })
})

describe('CONC-01 behind a handler that never settles', () => {
  const never = () => new Promise(() => {})

  test('waiting calls are answered, and never run', async () => {
    const { call, calls } = await serialized(never)
    const stuck = call({ operation: 'get_odd' })
    const waiting = call({ operation: 'create_note', params: { title: 'x' } })
    expect((await stuck).error?.details).toMatchObject({ cause_code: 'TIMEOUT' })
    expect((await waiting).error?.details).toMatchObject({ cause_code: 'NOT_STARTED' })
    expect(calls).toEqual([])
  })

  test('MCP-12 a call that is cancelled while it waits is over at once, and never runs', async () => {
    let finish = () => {}
    const { ask, call, notes } = await serialized(() => new Promise<void>((done) => (finish = done)), {
      timeoutMs: 5_000,
    })
    const first = call({ operation: 'get_odd' })
    const leaving = new AbortController()
    const second = ask({ operation: 'create_note', params: { title: 'x' } }, undefined, { signal: leaving.signal })
    leaving.abort()
    expect((await second).result.error?.details).toMatchObject({ cause_code: 'CANCELLED' })
    finish()
    expect(await first).toMatchObject({ success: true })
    expect(await call({ operation: 'list_notes' })).toMatchObject({ success: true })
    expect(notes.size).toBe(0)
  })

  test('a queue that moves on is not timed out, however long it is', async () => {
    const { call } = await serialized(() => sleep(400)) // the last waits longer than a call may take
    const answers = await Promise.all(Array.from({ length: 4 }, () => call({ operation: 'get_odd' })))
    expect(answers.every(({ success }) => success)).toBe(true)
  })
})

test('BATCH-05 an answer without a JSON form costs its own entry alone, also where the size is asked for', async () => {
  const { call } = await serialized(() => circular)
  const operations = [{ operation: 'list_notes' }, { operation: 'get_odd' }]
  const { results, summary, _meta } = (await call({ operations, _meta: { tokens: true } })) as never as {
    results: { result: { success: boolean } }[]
    summary: unknown
    _meta: { tokens: number }
  }
  expect(results.map(({ result }) => result.success)).toEqual([true, false])
  expect(summary).toEqual({ total: 2, succeeded: 1, failed: 1 })
  expect(_meta.tokens).toBeGreaterThan(0)
})

test('a definition closes once, however often and whatever the store says', async () => {
  let closed = 0
  const store = createMemoryStore()
  const { runtime } = await openWorld({ store }, (adapter) => ({
    ...adapter,
    close: () => {
      closed++
    },
  }))
  await store.close()
  await Promise.all([runtime.close(), runtime.close()])
  expect(closed).toBe(1)
})

describe('VAL-02 an error repeats no more than a little of what was sent', () => {
  const long = 'k'.repeat(100_000)
  test.each([
    [
      'a key inside a parameter',
      { operation: 'update_note', params: { note_id: 'x', input: { metadata: { [long]: 'a\0' } } } },
    ],
    ['a key around a reference', { operations: [{ operation: 'get_note', params: { [long]: { $ref: '9.x' } } }] }],
    ['an operation', { operation: long }],
  ])('%s', async (_, args) => {
    const { ask } = await openWorld()
    expect((await ask(args)).text.length).toBeLessThan(2_000)
  })
})

describe('design §5 rests', () => {
  const cut = (rest: string) => ({ field: 'text', originalCount: 1, kept: 0, rest })

  test('what has expired leaves the store, however many are still good', async () => {
    let now = 0
    const store = createMemoryStore()
    const rests = createRests(store, { now: () => now }, 600_000)
    const session = { principal: 'p', owner: 'principal:p', signal: new AbortController().signal }
    for (let i = 0; i < 600; i++) {
      now += 10_000
      await rests.keep(session, cut('x'), 100)
    }
    expect((await store.list('rest')).length).toBeLessThan(80)
  })

  test('one owner keeps 64 MB; the oldest make room', async () => {
    const store = createMemoryStore()
    const rests = createRests(store, { now: () => 0 }, 600_000)
    const session = { principal: 'p', owner: 'principal:p', signal: new AbortController().signal }
    const other = { ...session, owner: 'other' }
    const oldest = await rests.keep(session, cut('x'.repeat(1024)), 100)
    const foreign = await rests.keep(other, cut('y'), 100)
    for (let i = 0; i < 8; i++) await rests.keep(session, cut('x'.repeat(8 * 1024 * 1024)), 100)
    expect(await rests.read(session, oldest)).toBeUndefined()
    expect(await rests.read(other, foreign)).toMatchObject({ text: 'y' })
    expect((await store.list('rest')).length).toBe(8)
  })

  test('SES-02 nothing is kept for a session that has closed', async () => {
    const store = createMemoryStore()
    const gone = { id: 's', principal: 'p', owner: 's', signal: AbortSignal.abort() }
    await createRests(store, { now: () => 0 }, 600_000).keep(gone, cut('x'), 100)
    expect(await store.list('rest')).toEqual([])
  })
})
