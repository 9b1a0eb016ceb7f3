import { describe, expect, test } from 'vitest'
import { recoverRuns } from '../../../src/core/execution/recover.ts'
import { createOperator } from '../../../src/core/operator/operator.ts'
import { createMemoryStore } from '../../support.ts'
import { type Acting, asking, openGateWorld, START } from './gate-world.ts'

const SENT = { how: { path: '/etc', list: ['c', 'a', 'b'] } }

/** A handler that changes what it was given, as ordinary code does. */
const mutating = (name: string, more: Partial<Acting> = {}): Acting => ({
  name,
  ...more,
  handler: (params) => {
    const { how } = params as unknown as { how: { path: string; list: string[] } }
    how.path = '/safe'
    return { list: how.list.sort().splice(0, 2), path: how.path }
  },
})

describe('AUDIT-01 the trail records the parameters that were admitted, whatever the handler does to them', () => {
  test.each<[string, Acting, boolean]>([
    ['a write of level 1', mutating('create_odd'), false],
    ['a READ that is recorded', mutating('get_odd', { category: 'READ' }), true],
  ])('%s', async (_, acting, auditReads) => {
    const { ask, trail, runtime } = await openGateWorld({ auditReads, mode: 'single' }, [acting])
    const { result } = await ask(asking(acting.name, structuredClone(SENT)))
    expect(result).toMatchObject({ success: true, data: { list: ['a', 'b'], path: '/safe' } })
    await runtime.close()
    expect(await trail('OPERATION_CALLED')).toMatchObject([{ parameters: { thing: 'a', ...SENT } }])
  })
})

test('AUDIT-01 a call of level 1 is recorded with the trust that admitted it', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const slow = { name: 'create_slowly', handler: () => held.then(() => ({})) }
  const { store, outcome, trail, runtime } = await openGateWorld({}, [slow])
  const slowly = outcome(asking('create_slowly'))
  const { trusts } = createOperator({ store, clock: { now: () => START } } as Parameters<typeof createOperator>[0])
  const [known] = await trusts.list()
  const order = { adapter: 'note-book', hash: known?.source.hash ?? '', reason: 'r', by: 'o', channel: 'console' }
  await trusts.set({ ...order, level: 'untested' })
  await expect.poll(() => runtime.trust.level).toBe('untested')
  release()
  expect(await slowly).toBe('done')
  await runtime.close()
  const own = (await trail()).filter(({ operation }) => operation === 'create_slowly')
  expect(own.filter((entry) => entry.adapter_trust !== undefined)).toMatchObject([{ adapter_trust: 'validated' }])
})

describe('AUDIT-08 a call of level 1 whose handler runs for 100 ms is recorded while it runs', () => {
  const slow = (ms: number): Acting => ({
    name: 'create_slowly',
    handler: () => new Promise((resolve) => setTimeout(resolve, ms, {})),
  })

  test('its intent, and its outcome before the answer', async () => {
    const { store, outcome, trail } = await openGateWorld({}, [slow(700)])
    const slowly = outcome(asking('create_slowly', SENT))
    await expect
      .poll(() => trail('OPERATION_INTENT'), { timeout: 600 })
      .toMatchObject([
        { operation: 'create_slowly', result: 'allowed', danger_level: 1, parameters: { thing: 'a', ...SENT } },
      ])
    expect(await store.list('intent')).toHaveLength(1)
    expect(await slowly).toBe('done')
    expect(await trail('OPERATION_OUTCOME')).toMatchObject([{ operation: 'create_slowly', outcome: 'success' }])
    expect([await store.list('intent'), await trail('OPERATION_CALLED')]).toEqual([[], []])
  })

  test('a process that is killed meanwhile leaves an unknown outcome', async () => {
    const memory = createMemoryStore()
    const store = { ...memory, isGone: async () => true }
    const { outcome, trail } = await openGateWorld({ store }, [slow(1_000)])
    void outcome(asking('create_slowly'))
    await expect.poll(() => trail('OPERATION_INTENT')).toHaveLength(1)
    expect(await recoverRuns(store, { now: () => START })).toBe(1)
    expect(await trail('OPERATION_OUTCOME')).toMatchObject([{ operation: 'create_slowly', outcome: 'unknown' }])
    expect(await store.list('unknown')).toHaveLength(1)
  })

  test('a short call is one entry, and a READ none', async () => {
    const reading: Acting = { ...slow(200), name: 'get_slowly', category: 'READ' }
    const { outcome, trail, runtime } = await openGateWorld({}, [slow(1), reading])
    expect([await outcome(asking('create_slowly')), await outcome(asking('get_slowly'))]).toEqual(['done', 'done'])
    await runtime.close()
    expect(await trail('OPERATION_CALLED')).toMatchObject([{ operation: 'create_slowly', outcome: 'success' }])
    expect(await trail('OPERATION_INTENT', 'OPERATION_OUTCOME')).toEqual([])
  })
})
