import { setMaxListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { echo, openWorld } from '../notes.ts'
import type { OperationDefinition, Runtime, Session } from '../support.ts'

type Category = 'serialized' | 'read-concurrent' | 'resource-locked'
const OPERATIONS = { query: 'operations' }
const LOCKED = ['serialized', 'read-concurrent', 'resource-locked'] as const

/** A world whose first write holds the lock until `release`; then each call takes a moment. */
async function heldWorld(concurrency: Category = 'serialized', timeoutMs = 30_000) {
  const began: string[] = []
  let running = 0
  let most = 0
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const operation = (category: OperationDefinition['category'], name: string): OperationDefinition => ({
    ...echo(name, { id: { type: 'string', required: true } }),
    category,
    resource: () => 'the only one',
    handler: async ({ id }) => {
      began.push(String(id))
      most = Math.max(most, ++running)
      await (id === 'first' ? held : new Promise((resolve) => setTimeout(resolve, 1)))
      running--
      return id
    },
  })
  const operations = [operation('READ', 'get_thing'), operation('CREATE', 'create_thing')]
  const { runtime } = await openWorld({ mode: 'single', timeoutMs }, (adapter) => ({
    ...adapter,
    operations: [...operations, ...adapter.operations.filter(({ lifecycle }) => lifecycle)],
    concurrency,
  }))
  const { ask, write, read } = callsOf(runtime)
  const first = write(runtime.openSession('anonymous'), 'first')
  await expect.poll(() => began).toEqual(['first'])
  const finish = async (calls: readonly Promise<unknown>[]) => {
    release()
    await Promise.all([first, ...calls])
    return began.slice(1)
  }
  return { runtime, ask, write, read, finish, most: () => most }
}

function callsOf(runtime: Runtime) {
  const tool = runtime.tools[0]?.name ?? ''
  const ask = async (session: Session, operation: string, params = {}, signal?: AbortSignal) => {
    const sent = { tool, session, arguments: { operation, params }, ...(signal && { signal }) }
    return JSON.parse((await runtime.call(sent)).text)
  }
  const send = (operation: string) => (session: Session, id: string, signal?: AbortSignal) =>
    ask(session, operation, { id }, signal)
  return { ask, write: send('create_thing'), read: send('get_thing') }
}

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

describe('CONC-01 whoever waits for a turn waits for one call of each other principal at most', () => {
  test.each(LOCKED)('%s: a named client behind 120 unnamed writes', async (concurrency) => {
    const { runtime, write, finish } = await heldWorld(concurrency)
    const crowd = runtime.openSession('anonymous')
    const [alice, bob] = [runtime.openSession('alice'), runtime.openSession('bob')]
    const calls = times(120, (at) => write(crowd, `crowd-${at}`))
    calls.push(...times(3, (at) => write(bob, `bob-${at}`)), ...times(2, (at) => write(alice, `alice-${at}`)))
    const order = await finish(calls)
    expect(order.slice(0, 6)).toEqual(['crowd-0', 'bob-0', 'alice-0', 'crowd-1', 'bob-1', 'alice-1'])
    expect(order).toHaveLength(125)
  })

  test.each(LOCKED)('%s: a named client that comes when the crowd has had its turn', async (concurrency) => {
    const { runtime, write, read, finish } = await heldWorld(concurrency)
    const crowds = times(3, () => runtime.openSession('anonymous'))
    const calls = crowds.flatMap((crowd, of) => times(20, (at) => write(crowd, `${of}-${at}`)))
    calls.push(read(runtime.openSession('alice'), 'alice'))
    expect((await finish(calls)).indexOf('alice')).toBe(1)
  })

  test('sessions of one principal take turns, and the calls of a session keep their order', async () => {
    const { runtime, write, finish } = await heldWorld()
    const sessions = times(3, () => runtime.openSession('anonymous'))
    const counts = [9, 2, 4]
    const calls = sessions.flatMap((session, of) => times(counts[of] ?? 0, (at) => write(session, `${of}-${at}`)))
    const turns = '0-0 1-0 2-0 0-1 1-1 2-1 0-2 2-2 0-3 2-3 0-4 0-5 0-6 0-7 0-8'
    expect((await finish(calls)).join(' ')).toBe(turns)
  })

  test('callers without a session are one among the sessions', async () => {
    const { runtime, write, finish } = await heldWorld()
    const calls = times(20, (at) => write(runtime.anonymous('anonymous'), `none-${at}`))
    calls.push(write(runtime.openSession('anonymous'), 'own'))
    expect((await finish(calls)).indexOf('own')).toBe(1)
  })

  test('a place that was given up is nobody’s turn', async () => {
    const { runtime, write, finish } = await heldWorld()
    const [crowd, alice] = [runtime.openSession('anonymous'), runtime.openSession('alice')]
    const leaving = new AbortController()
    const calls = times(10, (at) => write(crowd, `gone-${at}`, leaving.signal))
    calls.push(write(alice, 'alice-0'), write(crowd, 'crowd-0'), write(alice, 'alice-1'))
    leaving.abort()
    expect(await finish(calls)).toEqual(['crowd-0', 'alice-0', 'alice-1'])
  })

  test('read-concurrent: waiting reads with no write before them in their session share one turn', async () => {
    const { runtime, write, read, finish, most } = await heldWorld('read-concurrent')
    const [crowd, alice] = [runtime.openSession('anonymous'), runtime.openSession('alice')]
    const calls = [write(crowd, 'w0'), write(crowd, 'w1'), read(crowd, 'late')]
    calls.push(...times(8, (at) => read(alice, `r${at}`)))
    expect(await finish(calls)).toEqual(['w0', ...times(8, (at) => `r${at}`), 'w1', 'late'])
    expect(most()).toBe(8)
  })

  test('read-concurrent: reads that come later do not pass a write whose turn is next', async () => {
    const { runtime, write, read, finish } = await heldWorld('read-concurrent')
    const [alice, bob] = [runtime.openSession('alice'), runtime.openSession('bob')]
    const reading = read(alice, 'r0')
    const writing = write(bob, 'w0')
    const later = reading.then(() => read(alice, 'r2'))
    expect(await finish([reading, read(alice, 'r1'), writing, later])).toEqual(['r0', 'r1', 'w0', 'r2'])
  })
})

describe.each(LOCKED)('CONC-01 behind a call that does not end, %s', (concurrency) => {
  test('the product’s own operations go on', async () => {
    const { runtime, ask, write, finish } = await heldWorld(concurrency)
    const crowd = runtime.openSession('anonymous')
    const calls = times(50, (at) => write(crowd, `crowd-${at}`))
    const own = [
      ask(crowd, 'introspect', OPERATIONS),
      ask(crowd, 'list_executions'),
      ask(crowd, 'get_execution', { execution_id: 'exec_x' }),
      ask(crowd, 'cancel_execution', { execution_id: 'exec_x' }),
      ask(crowd, 'retry_execution', { execution_id: 'exec_x' }),
    ]
    const answers = await Promise.all(own)
    expect(answers.map(({ error }) => error?.code)).toEqual([
      undefined,
      undefined,
      ...times(3, () => 'NOT_FOUND_RESOURCE'),
    ])
    expect(await finish(calls)).toHaveLength(50)
  })

  test('a call that never had its turn says that nothing was run', async () => {
    const { runtime, write, finish } = await heldWorld(concurrency, 200)
    const { error } = await write(runtime.openSession('alice'), 'late')
    expect(error).toMatchObject({ code: 'INTERNAL_ERROR', details: { cause_code: 'NOT_STARTED' } })
    expect(error.message).toContain('nothing was run')
    expect(await finish([])).toEqual([])
  })
})

describe('CONC-04 how many calls may be under way, whatever has become of their connections', () => {
  const refused = { error: { code: 'RATE_LIMIT_EXCEEDED', details: { limit: 1_000 } } }

  test('1,000 of a session, which leave room for the others', async () => {
    const { runtime, ask, write, finish } = await heldWorld('serialized')
    const [crowd, alice] = [runtime.openSession('anonymous'), runtime.openSession('alice')]
    const calls = times(1_000, (at) => write(crowd, `crowd-${at}`))
    expect(await write(crowd, 'one too many')).toMatchObject(refused)
    expect(await ask(runtime.openSession('anonymous'), 'introspect', OPERATIONS)).toMatchObject({ success: true })
    const order = await finish([...calls, write(alice, 'alice')])
    expect([order.length, order.indexOf('alice')]).toEqual([1_001, 1])
    expect(await write(crowd, 'again')).toMatchObject({ success: true })
  }, 30_000)

  test('5,000 of a principal, in however many sessions', async () => {
    const { runtime, ask, write, finish } = await heldWorld('serialized')
    const leaving = new AbortController()
    setMaxListeners(0, leaving.signal)
    const calls = times(4_999, (at) => write(runtime.anonymous('anonymous'), `crowd-${at}`, leaving.signal))
    const more = await write(runtime.anonymous('anonymous'), 'one too many')
    expect(more).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED', details: { limit: 5_000 } } })
    for (const name of ['alice', 'anonymous'])
      expect(await ask(runtime.openSession(name), 'introspect', OPERATIONS)).toMatchObject({ success: true })
    leaving.abort()
    expect(await finish(calls)).toEqual([])
  }, 30_000)

  test('10,000 in all, which leave room for a principal with few', async () => {
    const { runtime, ask, write, finish } = await heldWorld('serialized')
    const leaving = new AbortController()
    setMaxListeners(0, leaving.signal)
    const crowds = ['anonymous', 'mallory', 'eve'].map((name) => runtime.anonymous(name))
    const calls = crowds.flatMap((each) => times(4_000, () => write(each, 'crowd', leaving.signal)))
    expect(await write(runtime.anonymous('eve'), 'one too many')).toMatchObject({
      error: { details: { limit: 10_000 } },
    })
    expect(await ask(runtime.anonymous('alice'), 'introspect', OPERATIONS)).toMatchObject({ success: true })
    leaving.abort()
    await finish(calls)
  }, 30_000)

  test('large ones take the places of sixteen, because they are kept while they wait', async () => {
    const { runtime, write, finish } = await heldWorld('serialized')
    const crowd = runtime.openSession('anonymous')
    const calls = times(80, (at) => write(crowd, `${at}${'x'.repeat(70_000)}`))
    await new Promise((resolve) => setTimeout(resolve, 300))
    const kept = 63 // 63 of 16 are more than 1,000
    const answers = await Promise.all(calls.slice(kept))
    expect(answers[0]).toMatchObject(refused)
    const order = await finish(calls)
    expect(order.length).toBe(kept)
    expect(await write(crowd, 'x'.repeat(70_000))).toMatchObject({ success: true })
  }, 30_000)
})
