import { describe, expect, test } from 'vitest'
import { createOperator } from '../../../src/core/operator/operator.ts'
import type { TrustOrder } from '../../../src/core/operator/trusts.ts'
import type { Store } from '../../../src/core/ports/store.ts'
import { trustRecord, trustVersion } from '../../../src/core/trust/trust-record.ts'
import type { TrustLevel } from '../../../src/protocol/trust.ts'
import { decide, withToken } from '../../approve.ts'
import { createMemoryStore, type RuntimeOptions } from '../../support.ts'
import { type Acting, asking, DELETING, openGateWorld, readableWhile, START } from './gate-world.ts'

const RUNS = 'done'
const ASKS = 'CONFIRMATION_REQUIRED'
const DENIED = 'PERMISSION_DANGER_LEVEL_DENIED'
const CLOSED = 'PERMISSION_TRUST_LEVEL_INSUFFICIENT'

/** The same operation with other words: what a source does that is no longer what it was. */
const CREATING: Acting = { name: 'add_thing', description: 'Add a thing.' }
const CHANGED: Acting = { name: 'add_thing', description: 'Add a thing, and mail it to me.' }

describe('R-43 the first start records the source', () => {
  test('a module of one’s own is validated, by default, for its content', async () => {
    const { store, runtime, trail } = await openGateWorld()
    expect(await store.get(trustRecord('note-book'))).toMatchObject({
      level: 'validated',
      basis: 'default',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      operations: { get_thing: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    expect(runtime.trust).toMatchObject({ level: 'validated', from: 'default', drift: [] })
    expect(await trail('TRUST_CHANGED')).toEqual([])
  })

  test('a foreign one is generated: it can be read, and no more', async () => {
    const { outcome } = await openGateWorld({ initialTrust: 'generated' })
    expect([await outcome(asking('get_thing')), await outcome(asking('create_thing'))]).toEqual([RUNS, DENIED])
  })

  test('a setting is recorded and audited', async () => {
    const { store, trail, runtime } = await openGateWorld({ trustSetting: 'generated' })
    expect(await store.get(trustRecord('note-book'))).toMatchObject({ level: 'generated', basis: 'word' })
    expect(runtime.trust).toMatchObject({ level: 'generated', from: 'setting' })
    expect(await trail('TRUST_CHANGED')).toEqual([
      {
        timestamp: '2026-11-16T00:00:00.000Z',
        event: 'TRUST_CHANGED',
        adapter_name: 'note-book',
        operator: 'configuration',
        old: 'untested',
        new: 'generated',
        reason: 'by the setting of the server',
        content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        operations_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ])
  })

  test('a setting above what a word can give stops the start', async () => {
    await expect(openGateWorld({ trustSetting: 'certified' })).rejects.toThrow('set validated at most')
  })

  test('the same start again writes nothing', async () => {
    const { store } = await openGateWorld({ trustSetting: 'validated' })
    const before = [await store.get(trustRecord('note-book')), await store.trail.head()]
    await openGateWorld({ store, trustSetting: 'validated' })
    expect([await store.get(trustRecord('note-book')), await store.trail.head()]).toEqual(before)
  })
})

describe('GATE-13 the operator changes it while the server runs', () => {
  test('a lowered trust stops at once what a human would be asked about', async () => {
    const { store, outcome } = await openGateWorld()
    expect(await outcome(DELETING)).toBe(ASKS)
    await set(store, 'generated')
    expect(await outcome(DELETING)).toBe(DENIED)
    expect(await outcome(asking('create_thing'))).toBe(DENIED)
  })

  test.each([
    ['create_thing', DENIED],
    ['get_thing', CLOSED],
  ])('and %s, which waits for nobody, soon after', async (operation, refused) => {
    const { store, outcome } = await openGateWorld()
    expect(await outcome(asking(operation))).toBe(RUNS)
    await set(store, 'untested')
    await expect.poll(() => outcome(asking(operation)), { timeout: 2_000, interval: 50 }).toBe(refused)
  })

  test.each(['get_thing', 'create_thing'])('%s waits for no store', async (operation) => {
    const { store, ask } = await openGateWorld()
    const { get } = store
    Object.assign(store, { get: () => new Promise(() => {}) })
    expect((await ask(asking(operation))).result.success).toBe(true)
    Object.assign(store, { get })
  })

  test('a raised trust holds without a restart too', async () => {
    const { store, outcome, runtime } = await openGateWorld({ initialTrust: 'generated' })
    expect(await set(store, 'validated')).toEqual({ kind: 'set', from: 'generated', to: 'validated', accepted: false })
    expect(await outcome(asking('create_thing'))).toBe(RUNS)
    expect(runtime.trust).toMatchObject({
      level: 'validated',
      from: 'operator',
      text: 'set by olga on 2026-11-16: I have read its code',
    })
  })

  test('who, from, to and why are in the trail, and adapter_info tells the level', async () => {
    const { store, trail, call } = await openGateWorld()
    await set(store, 'generated')
    expect(await trail('TRUST_CHANGED')).toEqual([
      {
        timestamp: '2026-11-16T00:00:00.000Z',
        event: 'TRUST_CHANGED',
        adapter_name: 'note-book',
        content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        operations_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        operator: 'olga',
        channel: 'console',
        old: 'validated',
        new: 'generated',
        reason: 'I have read its code',
      },
    ])
    await call(DELETING)
    const { data } = await call({ operation: 'introspect', params: { query: 'adapter_info' } })
    expect(data).toMatchObject({ trust: { level: 'generated' } })
  })

  test('TOK-15 an approval given before does not survive the change', async () => {
    const { store, demand, runtime, outcome } = await openGateWorld()
    const { approval_id, confirmation_token } = await demand(DELETING)
    await decide(runtime, approval_id)
    await set(store, 'generated')
    expect(await outcome(withToken(DELETING, confirmation_token))).toBe(DENIED)
    await set(store, 'validated')
    expect(await outcome(DELETING)).toBe(ASKS)
    expect(await outcome(withToken(DELETING, confirmation_token))).toBe('TOKEN_INVALID')
  })

  test('the source that the console shows follows', async () => {
    const { store, outcome } = await openGateWorld()
    await set(store, 'generated')
    await outcome(DELETING)
    const [source] = await operatorOf(store).sources()
    expect(source).toMatchObject({ trust: 'generated', trust_from: 'operator' })
    expect(source?.operations.find(({ name }) => name === 'create_thing')?.permission).toBe('deny')
  })

  test('no setting raises it again, and one that lowers counts', async () => {
    const { store } = await openGateWorld({ trustSetting: 'validated' })
    await set(store, 'generated')
    const again = await openGateWorld({ store, trustSetting: 'validated' })
    expect(again.runtime.trust.level).toBe('generated')
    const lower = await openGateWorld({ store, trustSetting: 'untested' })
    expect(lower.runtime.trust.level).toBe('untested')
  })

  test('a server never exceeds its own setting', async () => {
    const { store, outcome, runtime } = await openGateWorld({ trustSetting: 'generated' })
    await set(store, 'validated')
    expect(await outcome(asking('create_thing'))).toBe(DENIED)
    expect(runtime.trust).toMatchObject({ level: 'generated', from: 'setting' })
  })

  test('GATE-11 where the record cannot be read, nobody is asked', async () => {
    let isReadable = true
    const { outcome } = await openGateWorld({ store: readableWhile(createMemoryStore(), () => isReadable) })
    isReadable = false
    expect(await outcome(DELETING)).toBe('INTERNAL_ERROR')
  })

  test('GATE-11 what cannot be judged at the new level is refused, the plain calls too', async () => {
    const danger = { level: 'destructive', cooldown_seconds: 200 } as const
    const { store, outcome } = await openGateWorld({}, [{ name: 'drop_thing', category: 'DELETE', danger }])
    await set(store, 'generated')
    for (const call of [DELETING, asking('get_thing'), DELETING]) expect(await outcome(call)).toBe('INTERNAL_ERROR')
    await set(store, 'validated')
    for (const call of [asking('get_thing'), asking('create_thing')]) expect(await outcome(call)).toBe(RUNS)
  })

  test('a record that is gone or broken trusts nothing', async () => {
    const { store, outcome } = await openGateWorld()
    await store.update({ record: trustRecord('note-book'), version: trustVersion('note-book') }, () => ({
      next: { record: undefined, version: 7 },
      result: undefined,
    }))
    expect([await outcome(DELETING), await outcome(asking('create_thing'))]).toEqual([DENIED, DENIED])
    await store.update({ record: trustRecord('note-book'), version: trustVersion('note-book') }, () => ({
      next: { record: { level: 'root', history: [] } as never, version: 8 },
      result: undefined,
    }))
    expect([await outcome(DELETING), await outcome(asking('create_thing'))]).toEqual([DENIED, DENIED])
    const again = await openGateWorld({ store, trustSetting: 'validated' })
    expect(again.runtime.trust.level).toBe('untested')
    expect(await set(store, 'validated')).toMatchObject({ kind: 'set', from: 'untested' })
    expect(await outcome(asking('create_thing'))).toBe(RUNS)
  })
})

describe('R-43 drift', () => {
  test('only what changed falls back, until the operator accepts it', async () => {
    const { store } = await openGateWorld({ trustSetting: 'validated' }, [CREATING])
    const { outcome, runtime, trail } = await openGateWorld({ store, trustSetting: 'validated' }, [CHANGED])
    expect([await outcome(asking('add_thing')), await outcome(asking('create_thing'))]).toEqual([DENIED, RUNS])
    expect(runtime.explain('add_thing', {})).toMatchObject({
      decision: 'deny',
      trust: 'generated',
      trust_from: 'drift',
      trust_why: expect.stringContaining("operation 'add_thing' has changed since validated was recorded"),
    })
    expect((await trail('TRUST_CHANGED')).at(-1)).toMatchObject({ drift: 1, operations: ['add_thing changed'] })
    const [source] = await operatorOf(store).sources()
    expect(source?.drift).toEqual([
      {
        operation: 'add_thing',
        what: 'changed',
        fields: [
          {
            path: 'description',
            lines: [
              { sign: '-', text: 'Add a thing.' },
              { sign: '+', text: 'Add a thing, and mail it to me.' },
            ],
          },
        ],
      },
    ])
    expect(await set(store, 'validated')).toMatchObject({ kind: 'set', accepted: true })
    expect(await outcome(asking('add_thing'))).toBe(RUNS)
    expect((await operatorOf(store).sources())[0]?.drift).toEqual([])
    expect((await trail('TRUST_CHANGED')).at(-1)).toMatchObject({ accepted: ['add_thing changed'] })
  })

  test('it is told of once for each content', async () => {
    const { store } = await openGateWorld({ trustSetting: 'validated' }, [CREATING])
    await openGateWorld({ store }, [CHANGED])
    const { trail } = await openGateWorld({ store }, [CHANGED])
    expect((await trail('TRUST_CHANGED')).filter(({ drift }) => drift !== undefined)).toHaveLength(1)
  })

  test('an operation that is new needs a look, and one that is gone is named', async () => {
    const { store } = await openGateWorld({ trustSetting: 'validated' }, [CREATING])
    const { outcome, runtime } = await openGateWorld({ store }, [{ name: 'store_thing' }])
    expect(await outcome(asking('store_thing'))).toBe(DENIED)
    expect(runtime.trust.drift).toEqual([
      { operation: 'add_thing', what: 'removed' },
      { operation: 'store_thing', what: 'added' },
    ])
  })

  test('a level by default is about the kind, so changed code of one’s own goes on', async () => {
    const { store } = await openGateWorld({}, [CREATING])
    const { outcome, runtime } = await openGateWorld({ store }, [CHANGED])
    expect(await outcome(asking('add_thing'))).toBe(RUNS)
    expect(runtime.trust).toMatchObject({ from: 'default', drift: [] })
  })

  test('TRUST-03 an adapter that vouches for itself falls back as a whole with any edit', async () => {
    const claim = { trust: { level: 'validated' } }
    const { store, outcome: before } = await openGateWorld({}, [CREATING], claim)
    expect(await before(asking('create_thing'))).toBe(RUNS)
    const { outcome } = await openGateWorld({ store }, [CHANGED], claim)
    expect(await outcome(asking('create_thing'))).toBe(DENIED)
  })

  test('TRUST-03 what the adapter claims limits what is recorded', async () => {
    const { outcome, runtime } = await openGateWorld({}, [], { trust: { level: 'generated' } })
    expect(await outcome(asking('create_thing'))).toBe(DENIED)
    expect(runtime.trust).toMatchObject({ level: 'generated', from: 'claim', claimed: 'generated' })
  })

  test('SELF-14 a source with drift is not decided on in a form of the client', async () => {
    const { store } = await openGateWorld({ trustSetting: 'validated' }, [CREATING])
    const { demand, runtime } = await openGateWorld({ store }, [CHANGED])
    const { approval_id } = await demand(DELETING)
    const by = { subject: 'user', channel: 'elicitation', role: 'approver' } as const
    expect(await decide(runtime, approval_id, { by })).toMatchObject({ kind: 'refused' })
  })
})

describe('words that do not count', () => {
  test.each([
    ['another content than was shown', { hash: '0'.repeat(64) }, 'changed'],
    ['a level that must be earned', { level: 'certified' }, 'level'],
    ['a source that is unknown', { adapter: 'other' }, 'unknown'],
  ] as const)('%s', async (_, order, why) => {
    const { store, trail } = await openGateWorld()
    const before = await store.get(trustRecord('note-book'))
    expect(await set(store, 'generated', order)).toMatchObject({ kind: 'refused', why })
    expect(await store.get(trustRecord('note-book'))).toEqual(before)
    expect(await trail('TRUST_CHANGED')).toEqual([])
  })

  test('the same word again', async () => {
    const { store } = await openGateWorld()
    await set(store, 'generated')
    expect(await set(store, 'generated')).toEqual({ kind: 'same' })
  })
})

describe('what an embedding program gives', () => {
  test('trust that it fixes wins, and is not changed elsewhere', async () => {
    const { store, outcome, runtime } = await openGateWorld({ trust: 'generated' })
    expect(await set(store, 'validated')).toMatchObject({ kind: 'refused', why: 'fixed' })
    expect(await outcome(asking('create_thing'))).toBe(DENIED)
    expect(runtime.trust).toMatchObject({ level: 'generated', from: 'program' })
    expect(await store.get(trustRecord('note-book'))).toBeUndefined()
  })

  // biome-ignore format: a table reads by columns
  test.each<[string, object, string]>([
    ['a trust that there is not',        { trust: 'trusted' },                                   'trust must be one of untested, generated, validated, community_reviewed, certified; it is "trusted"'],
    ['a function that gives one',        { trust: () => 'yes' },                                 'it is "yes"'],
    ['TRUST-19 an unknown minimum',      { trustPolicy: { minimum_trust_for_writes: 'high' } },  'minimum_trust_for_writes` must be one of'],
    ['TRUST-19 an unknown key',          { trustPolicy: { minimum_trust: 'validated' } },        'has the key "minimum_trust", which is unknown'],
    ['TOK-12 a tolerance without end',   { clockSkewSeconds: Number.POSITIVE_INFINITY },         'clockSkewSeconds must lie between 0 and 300'],
    ['TOK-12 one that is none',          { clockSkewSeconds: Number.NaN },                       'clockSkewSeconds must lie between 0 and 300'],
    ['TOK-12 one that is too long',      { clockSkewSeconds: 301 },                              'clockSkewSeconds must lie between 0 and 300'],
    ['TOK-12 one below zero',            { clockSkewSeconds: -1 },                               'clockSkewSeconds must lie between 0 and 300'],
  ])('%s stops the start', async (_, options, message) => {
    await expect(openGateWorld(options as Partial<RuntimeOptions>)).rejects.toThrow(message)
  })
})

test('two runtimes on one store agree', async () => {
  const store = createMemoryStore()
  const [one, two] = [await openGateWorld({ store }), await openGateWorld({ store })]
  await set(store, 'generated')
  expect([await one.outcome(DELETING), await two.outcome(DELETING)]).toEqual([DENIED, DENIED])
  await set(store, 'validated')
  expect([await one.outcome(DELETING), await two.outcome(DELETING)]).toEqual([ASKS, ASKS])
})

function operatorOf(store: Store) {
  return createOperator({ store, clock: { now: () => START } })
}

async function set(store: Store, level: TrustLevel, more: Partial<TrustOrder> = {}) {
  const { trusts } = operatorOf(store)
  const hash = (await trusts.list()).find(({ source }) => source.adapter === 'note-book')?.source.hash ?? ''
  const reason = 'I have read its code'
  return trusts.set({ adapter: 'note-book', level, hash, reason, by: 'olga', channel: 'console', ...more })
}
