import { describe, expect, test } from 'vitest'
import { createKeptCalls } from '../../src/core/execution/kept-calls.ts'
import { surplusOf } from '../../src/core/execution/ownership.ts'
import { decide } from '../approve.ts'
import { adding, openWorld } from '../notes.ts'
import { createMemoryStore, defineOperation, type OperationDefinition, type Session } from '../support.ts'

interface State {
  readonly execution_id: string
  readonly status: string
}

const job = (name: string, more: Pick<OperationDefinition, 'handler'> & Partial<OperationDefinition>) =>
  defineOperation({ name, category: 'EXECUTE', description: 'Works.', lifecycle: {}, returns: 'Execution', ...more })

const untilStopped = ({ signal }: { readonly signal: AbortSignal }) =>
  new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

async function open() {
  const operations = [
    job('run_long', { lifecycle: { supports_cancel: true }, handler: (_, { run }) => run(untilStopped) }),
    job('run_short', { handler: (_, { run }) => run(async () => ({ done: true })) }),
    job('run_grave', { danger: 'destructive', handler: (_, { run }) => run(untilStopped) }),
    job('run_odd', {
      handler: async (_, { run }) => {
        await run(untilStopped)
        return { started: true }
      },
    }),
  ]
  const store = createMemoryStore()
  const { runtime } = await openWorld({ mode: 'single', store }, (adapter) => ({
    ...adding(...operations)(adapter),
    concurrency: 'fully-concurrent',
  }))
  const tool = runtime.tools[0]?.name ?? ''
  const ask = async (session: Session, operation: string, params = {}) =>
    JSON.parse((await runtime.call({ tool, session, arguments: { operation, params } })).text)
  const start = async (session: Session, operation: string, count: number): Promise<readonly State[]> => {
    const answers = await Promise.all(Array.from({ length: count }, () => ask(session, operation)))
    expect(answers.filter(({ success }) => !success)).toEqual([])
    return answers.map(({ data }) => data as State)
  }
  const stranger = () => runtime.openSession('anonymous')
  const total = async (session: Session) => (await ask(session, 'list_executions')).data.pageInfo.totalCount
  const refusals = async () =>
    (await store.trail.read({ events: ['OPERATION_DENIED'] })).map(({ entry }) => entry.operation)
  return { runtime, ask, start, stranger, total, refusals }
}

const tooMany = (limit: number) => ({ success: false, error: { code: 'RATE_LIMIT_EXCEEDED', details: { limit } } })

describe('LIFE-01 long-running work that one caller may have under way', () => {
  test('200 of a session, however they are sent; a place is free when one has ended', async () => {
    const { runtime, ask, start, stranger } = await open()
    const crowd = stranger()
    const answers = await Promise.all(Array.from({ length: 230 }, () => ask(crowd, 'run_long')))
    expect(answers.filter(({ success }) => success)).toHaveLength(200)
    expect(answers.find(({ success }) => !success)).toMatchObject(tooMany(200))
    const [first] = answers
    await start(stranger(), 'run_long', 1)
    await start(runtime.openSession('alice'), 'run_long', 1)
    expect(await ask(crowd, 'cancel_execution', { execution_id: first.data.execution_id })).toMatchObject({
      data: { status: 'cancelled' },
    })
    await start(crowd, 'run_long', 1)
    expect(await ask(crowd, 'run_short')).toMatchObject(tooMany(200))
    await runtime.close()
  })

  test('1,000 of a principal, with sessions or without', async () => {
    const { runtime, ask, start, stranger } = await open()
    for (let at = 0; at < 4; at++) await start(stranger(), 'run_long', 200)
    await Promise.all(Array.from({ length: 200 }, () => start(runtime.anonymous('anonymous'), 'run_long', 1)))
    expect(await ask(stranger(), 'run_long')).toMatchObject(tooMany(1_000))
    expect(await ask(runtime.anonymous('anonymous'), 'run_long')).toMatchObject(tooMany(1_000))
    await start(runtime.openSession('alice'), 'run_long', 1)
    await runtime.close()
  }, 30_000)

  test('SELF-11 AUDIT-03 an approval is not used up by work that finds no room, and the refusal is recorded', async () => {
    const { runtime, ask, start, stranger, refusals } = await open()
    const crowd = stranger()
    const { error } = await ask(crowd, 'run_grave')
    await start(crowd, 'run_long', 200)
    expect((await decide(runtime, error.details.approval_id)).kind).toBe('decided')
    const { confirmation_token } = error.details
    expect(await ask(crowd, 'run_grave', { confirmation_token })).toMatchObject(tooMany(200))
    expect(await refusals()).toEqual(['run_grave'])
    const [{ execution_id }] = (await ask(crowd, 'list_executions', { first: 1 })).data.items
    await ask(crowd, 'cancel_execution', { execution_id })
    expect(await ask(crowd, 'run_grave', { confirmation_token })).toMatchObject({ success: true })
    await runtime.close()
  })

  test('also through a handler that does not look at what became of it', async () => {
    const { runtime, ask, stranger, total } = await open()
    const crowd = stranger()
    await Promise.all(Array.from({ length: 230 }, () => ask(crowd, 'run_odd')))
    expect(await total(crowd)).toBe(200)
    expect(await ask(crowd, 'run_odd')).toMatchObject(tooMany(200))
    await runtime.close()
  })
})

describe('LIFE-01 what has ended is remembered', () => {
  test('however much others have under way or have ended', async () => {
    const { runtime, ask, start, stranger, total } = await open()
    const [quiet, ...crowd] = Array.from({ length: 4 }, stranger) as [Session, ...Session[]]
    const own = await start(quiet, 'run_short', 5)
    for (const each of crowd) await start(each, 'run_long', 200)
    await start(stranger(), 'run_short', 60)
    const ids = own.map(({ execution_id }) => execution_id)
    const states = async () =>
      Promise.all(ids.map(async (id) => (await ask(quiet, 'get_execution', { execution_id: id })).data?.status))
    expect(await states()).toEqual(Array(5).fill('completed'))
    const loud = stranger()
    for (let at = 0; at < 6; at++) await start(loud, 'run_short', 100)
    expect(await states()).toEqual(Array(5).fill('completed'))
    expect(await total(loud)).toBeLessThan(500)
    await runtime.close()
  }, 30_000)

  test('each principal’s surplus goes, whoever starts most of them', async () => {
    const { runtime, start, total } = await open()
    const [alice, bob] = [runtime.openSession('alice'), runtime.openSession('bob')]
    for (let at = 0; at < 14; at++) {
      await start(bob, 'run_short', 1) // every fiftieth
      for (let each = 0; each < 49; each++) await start(alice, 'run_short', 1)
    }
    expect(await total(alice)).toBeLessThanOrEqual(550)
    await runtime.close()
  }, 60_000)

  test('PAGE-05 a listing tells of all of them', async () => {
    const { runtime, ask, start } = await open()
    const sessions = Array.from({ length: 4 }, () => runtime.openSession('alice'))
    for (const session of sessions) await start(session, 'run_long', 200)
    for (let at = 0; at < 5; at++) await start(runtime.openSession('alice'), 'run_short', 70)
    const seen = new Set<string>()
    let after: string | undefined
    do {
      const { data } = await ask(sessions[0] as Session, 'list_executions', { first: 100, ...(after && { after }) })
      for (const { execution_id } of data.items) seen.add(execution_id)
      expect(data.pageInfo.totalCount).toBe(1_150)
      after = data.pageInfo.hasNextPage ? data.pageInfo.endCursor : undefined
    } while (after)
    expect(seen.size).toBe(1_150)
    await runtime.close()
  }, 60_000)
})

test('LIFE-01 of sessions that hold as many, the one that has started nothing for longest gives up its own', () => {
  const ended = ['a', 'b', 'c'].map((owner, at) => ({ principal: 'p', owner, created_at: `2026-11-1${at}` }))
  expect(surplusOf(ended, 2).map(({ owner }) => owner)).toEqual(['a', 'b'])
})

test('LIFE-02 the session with most failed calls gives up its own first, of the principal with most', () => {
  const calls = createKeptCalls({ most: 10, room: 1_000_000 })
  const call = (principal: string, owner: string) => ({ principal, owner, params: {} }) as never
  calls.keep('alice-1', call('alice', 'a'))
  calls.keep('quiet-1', call('anonymous', 'quiet'))
  for (let at = 0; at < 50; at++) calls.keep(`loud-${at}`, call('anonymous', 'loud'))
  const kept = (id: string) => calls.get(id) !== undefined
  expect(['alice-1', 'quiet-1', 'loud-41', 'loud-42', 'loud-49'].map(kept)).toEqual([true, true, false, true, true])
})
