import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../src/core/audit/entry.ts'
import { record, type Store, type TrailQuery, updateRecord } from '../../src/core/ports/store.ts'
import { walkChain } from './chain.ts'

/** What any store must do. A new implementation earns its place by passing this. */
export function storeContract(name: string, open: () => Promise<Store>): void {
  describe(`${name} keeps the store contract`, () => {
    let store: Store
    beforeAll(async () => {
      store = await open()
    }, 60_000)
    afterAll(() => store.close())

    const counter = (id: string) => record<number>('counter', id)
    const increment = (n: number | undefined) => ({ next: (n ?? 0) + 1, result: n ?? 0 })
    const put = (kind: string, id: string, value: unknown) =>
      updateRecord(store, record(kind, id), () => ({ next: value, result: undefined }))

    test('an absent record reads as undefined', async () => {
      expect(await store.get(counter(randomUUID()))).toBeUndefined()
    })

    test('update hands over the current value and returns the answer', async () => {
      const id = randomUUID()
      expect(await updateRecord(store, counter(id), increment)).toBe(0)
      expect(await updateRecord(store, counter(id), increment)).toBe(1)
      expect(await store.get(counter(id))).toBe(2)
    })

    test('fifty concurrent updates lose nothing', async () => {
      const id = randomUUID()
      await Promise.all(Array.from({ length: 50 }, () => updateRecord(store, counter(id), increment)))
      expect(await store.get(counter(id))).toBe(50)
    })

    test('next: undefined removes the record', async () => {
      const id = randomUUID()
      await updateRecord(store, counter(id), increment)
      await updateRecord(store, counter(id), () => ({ next: undefined, result: null }))
      expect(await store.get(counter(id))).toBeUndefined()
    })

    test('removing what is not there is harmless', async () => {
      expect(await updateRecord(store, counter(randomUUID()), () => ({ next: undefined, result: 'gone' }))).toBe('gone')
    })

    test('a change that throws changes nothing', async () => {
      const id = randomUUID()
      const broken = () => {
        throw new Error('no')
      }
      await updateRecord(store, counter(id), increment)
      await expect(updateRecord(store, counter(id), broken)).rejects.toThrow('no')
      expect(await updateRecord(store, counter(id), increment)).toBe(1)
    })

    test('kinds do not share ids', async () => {
      const id = randomUUID()
      await put('left', id, 'l')
      await put('right', id, 'r')
      expect([await store.get(record('left', id)), await store.get(record('right', id))]).toEqual(['l', 'r'])
    })

    test.each([
      ['null', null],
      ['false', false],
      ['zero', 0],
      ['an empty text', ''],
      ['a number', -1.5e300],
      ['text of all kinds', 'a\u0000b "\\ é 😀 \u2028'],
      ['nested values', { a: [1, { b: null }], '': {}, 'é\u0000': [] }],
    ])('%s comes back as it was', async (_, value) => {
      const id = randomUUID()
      await put('value', id, value)
      expect(await store.get(record('value', id))).toStrictEqual(value)
    })

    test('a key named __proto__ is a key like any other', async () => {
      const id = randomUUID()
      await put('value', id, JSON.parse('{"__proto__":{"polluted":true}}'))
      expect(JSON.stringify(await store.get(record('value', id)))).toBe('{"__proto__":{"polluted":true}}')
      expect({}).not.toHaveProperty('polluted')
    })

    test('a record is not held by reference', async () => {
      const id = randomUUID()
      const given = { tags: ['a'] }
      await put('value', id, given)
      given.tags.push('b')
      const read = await store.get(record<{ tags: string[] }>('value', id))
      read?.tags.push('c')
      expect(await store.get(record('value', id))).toEqual({ tags: ['a'] })
    })

    test.each([['plain'], [''], ["it's"], ['%_*'], ['a\u0000b'], ['😀'], ['../../x'], ['x'.repeat(5000)]])(
      'an id is only itself, row %#',
      async (id) => {
        const kind = randomUUID()
        await put(kind, id, 'this')
        await put(kind, `${id}!`, 'another')
        expect(await store.get(record(kind, id))).toBe('this')
        expect(await store.list(kind)).toEqual([
          { id, value: 'this' },
          { id: `${id}!`, value: 'another' },
        ])
      },
    )

    describe('list', () => {
      const kind = randomUUID()
      const ids = async (options?: { prefix?: string; after?: string; limit?: number }) =>
        (await store.list(kind, options)).map((record) => record.id)

      beforeAll(async () => {
        for (const id of ['b', 'a/2', '\u{1f600}', 'a%', 'A/', 'a/10', 'ﬁ', 'a/1', 'a/\u0000'])
          await put(kind, id, { id })
      })

      test('orders by code point', async () => {
        expect(await ids()).toEqual(['A/', 'a%', 'a/\u0000', 'a/1', 'a/10', 'a/2', 'b', 'ﬁ', '\u{1f600}'])
      })

      test('takes only what begins with the prefix', async () => {
        expect(await ids({ prefix: 'a/' })).toEqual(['a/\u0000', 'a/1', 'a/10', 'a/2'])
        expect(await ids({ prefix: 'a/1' })).toEqual(['a/1', 'a/10'])
        expect(await ids({ prefix: 'a%' })).toEqual(['a%'])
        expect(await ids({ prefix: 'none' })).toEqual([])
      })

      test('stops at the limit', async () => {
        expect(await ids({ limit: 2 })).toEqual(['A/', 'a%'])
        expect(await ids({ prefix: 'a/', limit: 1 })).toEqual(['a/\u0000'])
        expect(await ids({ limit: 0 })).toEqual([])
      })

      test('goes on after an id, be it there or not', async () => {
        expect(await ids({ after: 'a/10' })).toEqual(['a/2', 'b', 'ﬁ', '\u{1f600}'])
        expect(await ids({ after: 'a/11', limit: 1 })).toEqual(['a/2'])
        expect(await ids({ prefix: 'a/', after: 'a/\u0000' })).toEqual(['a/1', 'a/10', 'a/2'])
        expect(await ids({ prefix: 'a/', after: 'A' })).toEqual(['a/\u0000', 'a/1', 'a/10', 'a/2'])
        expect(await ids({ after: 'ﬁ' })).toEqual(['\u{1f600}'])
        expect(await ids({ after: '\u{1f600}' })).toEqual([])
      })

      test('carries the values', async () => {
        expect(await store.list(kind, { prefix: 'b' })).toEqual([{ id: 'b', value: { id: 'b' } }])
      })

      test('knows no record of an unknown kind', async () => {
        expect(await store.list(randomUUID())).toEqual([])
      })
    })

    describe('several records', () => {
      const pair = () => ({ from: counter(randomUUID()), to: counter(randomUUID()) })
      const fill = (refs: ReturnType<typeof pair>) =>
        store.update(refs, () => ({ next: { from: 5, to: 1 }, result: undefined }))
      const both = async ({ from, to }: ReturnType<typeof pair>) => [await store.get(from), await store.get(to)]

      test('are one change', async () => {
        const refs = pair()
        const result = await store.update(refs, (current) => ({ next: { from: 5, to: 1 }, result: current }))
        expect(result).toEqual({ from: undefined, to: undefined })
        const left = await store.update(refs, ({ from = 0, to = 0 }) => ({
          next: { from: from - 2, to: to + 2 },
          result: from - 2,
        }))
        expect([left, await both(refs)]).toEqual([3, [3, 3]])
      })

      test('one that is not named stays, one that is named undefined goes', async () => {
        const refs = pair()
        await fill(refs)
        await store.update(refs, () => ({ next: { to: 7 }, result: undefined }))
        expect(await both(refs)).toEqual([5, 7])
        await store.update(refs, () => ({ next: { from: undefined }, result: undefined }))
        expect(await both(refs)).toEqual([undefined, 7])
      })

      test('an answer alone changes nothing', async () => {
        const refs = pair()
        await fill(refs)
        expect(await store.update(refs, ({ from }) => ({ result: from }))).toBe(5)
        expect(await store.update({}, () => ({ result: 'nothing' }))).toBe('nothing')
        expect(await both(refs)).toEqual([5, 1])
      })

      test('SESS-10 fifty concurrent uses of a single-use record with a budget: one succeeds', async () => {
        const refs = { token: record<string>('token', randomUUID()), spent: counter(randomUUID()) }
        await store.update(refs, () => ({ next: { token: 'approved' }, result: undefined }))
        const redeem = () =>
          store.update(refs, ({ token, spent = 0 }) =>
            token === 'approved'
              ? { next: { token: 'consumed', spent: spent + 1 }, result: true }
              : { next: { token: 'wrong' }, result: false },
          )
        const redeemed = await Promise.all(Array.from({ length: 50 }, redeem))
        expect(redeemed.filter(Boolean)).toEqual([true])
        expect(await store.get(refs.spent)).toBe(1)
      })

      test('a change that throws harms none of those beside it, and each sees what those before it wrote', async () => {
        const id = counter(randomUUID())
        const seen = await Promise.allSettled(
          Array.from({ length: 100 }, (_, i) =>
            store.update({ id }, ({ id: n = 0 }) => {
              if (i % 10 === 3) throw new Error(`no ${i}`)
              return { next: { id: n + 1 }, result: n }
            }),
          ),
        )
        const answers = seen.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.message))
        let n = 0
        expect(answers).toEqual(Array.from({ length: 100 }, (_, i) => (i % 10 === 3 ? `no ${i}` : n++)))
        expect(await store.get(id)).toBe(90)
      })

      test('what cannot be written as JSON refuses its own change alone', async () => {
        const [good, bad] = [counter(randomUUID()), record<unknown>('value', randomUUID())]
        const circle: { self?: unknown } = {}
        circle.self = circle
        const results = await Promise.allSettled([
          updateRecord(store, good, increment),
          updateRecord(store, bad, () => ({ next: circle, result: undefined })),
          updateRecord(store, good, increment),
        ])
        expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
        expect([await store.get(good), await store.get(bad)]).toEqual([2, undefined])
      })
    })

    describe('AUDIT-09 the trail', () => {
      let trail: Store['trail']
      let kept: Store
      beforeAll(async () => {
        kept = await open()
        trail = kept.trail
        expect(await trail.head()).toEqual({ seq: 0, hash: '0'.repeat(64) })
        expect(await trail.read()).toEqual([])
        for (const entries of [ENTRIES.slice(0, 1), ENTRIES.slice(1, 4), ENTRIES.slice(4)])
          await kept.update({}, () => ({ audit: entries, result: undefined }))
      })
      afterAll(() => kept.close())

      const found = async (query: TrailQuery) => (await trail.read(query)).map(({ seq }) => seq)

      test('holds the entries as they were given, numbered without gaps, newest first', async () => {
        const entries = await trail.read()
        expect(entries.map(({ seq }) => seq)).toEqual([6, 5, 4, 3, 2, 1])
        expect(entries.map(({ entry }) => entry)).toStrictEqual(ENTRIES.toReversed())
      })

      test('binds each to its predecessor', async () => {
        const entries = await trail.read({ order: 'oldest' })
        expect(walkChain(entries)).toEqual({ seq: 6, hash: entries[5]?.hash })
        expect(await trail.head()).toEqual(walkChain(entries))
      })

      test.each<[string, TrailQuery, readonly number[]]>([
        ['the oldest first', { order: 'oldest' }, [1, 2, 3, 4, 5, 6]],
        ['a limit', { limit: 2 }, [6, 5]],
        ['a limit of the oldest', { order: 'oldest', limit: 2 }, [1, 2]],
        ['a limit of nothing', { limit: 0 }, []],
        ['after', { after: 4 }, [6, 5]],
        ['before', { before: 3 }, [2, 1]],
        ['a page between', { after: 1, before: 6, order: 'oldest', limit: 3 }, [2, 3, 4]],
        ['beyond the end', { after: 6 }, []],
        ['events', { events: ['OPERATION_DENIED', 'TOKEN_ISSUED'] }, [3, 2, 1]],
        ['one event', { events: ['OPERATION_INTENT'] }, [4]],
        ['no events', { events: [] }, []],
        ['an operation', { operation: 'delete_note' }, [4, 2, 1]],
        ['a principal', { principal: 'eve' }, [5, 3]],
        ['a principal that begins alike', { principal: 'ev' }, []],
        ['a session', { session: 's2' }, [5]],
        ['an adapter', { adapter: 'note-book' }, [4]],
        ['a result', { result: 'denied' }, [1]],
        ['a level', { level: 3 }, [4]],
        ['level zero', { level: 0 }, [6]],
        ['from', { from: '2026-01-02T00:00:00.000Z' }, [6, 4, 3, 2]],
        ['to', { to: '2026-01-02T00:00:00.000Z' }, [5, 2, 1]],
        ['a span', { from: '2026-01-02T00:00:00.000Z', to: '2026-01-03T00:00:00.000Z' }, [3, 2]],
        ['a span without entries', { from: '2027-01-01T00:00:00.000Z' }, []],
        ['text in any case', { text: 'SHOPPING list' }, [4]],
        ['text beyond ASCII in its own case', { text: 'Äpfel' }, [4]],
        ['text beyond ASCII in another case', { text: 'äpfel' }, []],
        ['text that SQL would read otherwise', { text: "%'; drop table trail; --" }, [5]],
        ['a wildcard is a character', { text: '_hopping' }, []],
        ['empty text', { text: '' }, [6, 5, 4, 3, 2, 1]],
        ['all conditions together', { operation: 'delete_note', principal: 'ann', events: ['TOKEN_ISSUED'] }, [2]],
        ['conditions that no entry meets', { operation: 'delete_note', principal: 'eve' }, []],
      ])('is asked by %s', async (_, query, expected) => {
        expect(await found(query)).toEqual(expected)
      })

      test('a change that throws leaves no entry, and the others stand in the order of their changes', async () => {
        const before = (await store.trail.head()).seq
        const note = (n: number) =>
          store.update({}, () => {
            if (n === 7) throw new Error('no')
            return {
              audit: [
                { ...ENTRY, n, of: 2 },
                { ...ENTRY, n, of: 1 },
              ],
              result: undefined,
            }
          })
        await Promise.allSettled(Array.from({ length: 20 }, (_, n) => note(n)))
        const entries = await store.trail.read({ order: 'oldest', after: before })
        const expected = Array.from({ length: 20 }, (_, n) => [`${n}:2`, `${n}:1`]).filter((_, n) => n !== 7)
        expect(entries.map(({ entry }) => `${entry.n}:${entry.of}`)).toEqual(expected.flat())
        expect(walkChain(await store.trail.read({ order: 'oldest' }))).toEqual(await store.trail.head())
      })

      test('an entry that cannot be written as JSON leaves the record as it was', async () => {
        const id = counter(randomUUID())
        const broken = store.update({ id }, () => ({ next: { id: 1 }, audit: [{ ...ENTRY, n: 1n }], result: 1 }))
        await expect(broken).rejects.toThrow()
        expect(await store.get(id)).toBeUndefined()
      })

      test('AUDIT-09 is pruned up to an entry: the rest stays, numbered and bound as before, and goes on', async () => {
        const old = await open()
        for (let n = 1; n <= 5; n++) await old.update({}, () => ({ audit: [{ ...ENTRY, n }], result: undefined }))
        const [third] = await old.trail.read({ after: 2, before: 4 })
        const upTo = { seq: 3, hash: third?.hash ?? '' }
        await expect(old.prune({ ...upTo, hash: 'f'.repeat(64) }, [ENTRY])).rejects.toThrow('no record 3')
        await expect(old.prune({ ...upTo, seq: 9 }, [ENTRY])).rejects.toThrow('no record 9')
        await expect(old.prune(upTo, [ENTRY], 2)).rejects.toThrow('does not begin with record 2')
        expect(await old.trail.read()).toHaveLength(5)
        await old.prune(
          upTo,
          [
            { ...ENTRY, event: 'TRAIL_PRUNED' },
            { ...ENTRY, event: 'TRAIL_CARRIED' },
          ],
          1,
        )
        await old.update({}, () => ({ audit: [{ ...ENTRY, n: 7 }], result: undefined }))
        const left = await old.trail.read({ order: 'oldest' })
        expect(left.map(({ seq, entry }) => [seq, entry.n ?? entry.event])).toEqual([
          [4, 4],
          [5, 5],
          [6, 'TRAIL_PRUNED'],
          [7, 'TRAIL_CARRIED'],
          [8, 7],
        ])
        expect(walkChain(left, upTo)).toEqual(await old.trail.head())
        await expect(old.prune(await old.trail.head(), [ENTRY], 1)).rejects.toThrow('does not begin with record 1')
        expect(await old.trail.read({ order: 'oldest' })).toEqual(left)
        await old.close()
        await expect(old.prune(upTo, [ENTRY])).rejects.toThrow('closed')
      })

      test('AUDIT-09 is pruned to the last, and the chain still goes on', async () => {
        const old = await open()
        await old.update({}, () => ({ audit: [ENTRY, ENTRY], result: undefined }))
        const head = await old.trail.head()
        await old.prune(head, [{ ...ENTRY, event: 'TRAIL_PRUNED' }])
        expect(walkChain(await old.trail.read({ order: 'oldest' }), head)).toMatchObject({ seq: 3 })
        await old.close()
      })

      test('an entry is not held by reference', async () => {
        const given = { ...ENTRY, list: ['a'] }
        await store.update({}, () => ({ audit: [given], result: undefined }))
        given.list.push('b')
        expect((await store.trail.read({ limit: 1 }))[0]?.entry.list).toEqual(['a'])
      })
    })

    test('who has opened the store is named, and is not gone', async () => {
      expect(store.opener).not.toBe('')
      expect(await store.isGone(store.opener)).toBe(false)
      expect(await store.isGone('')).toBe(true)
    })

    test('what was asked for before close is done, in full', async () => {
      const closing = await open()
      const asked = Promise.all(Array.from({ length: 5 }, () => updateRecord(closing, counter('x'), increment)))
      await closing.close()
      expect(await asked).toEqual([0, 1, 2, 3, 4])
    })

    test('after close every call is refused, and closing again is harmless', async () => {
      const closed = await open()
      await closed.close()
      await closed.close()
      await expect(closed.get(counter('x'))).rejects.toThrow('closed')
      await expect(closed.list('counter')).rejects.toThrow('closed')
      await expect(updateRecord(closed, counter('x'), increment)).rejects.toThrow('closed')
      await expect(closed.trail.read()).rejects.toThrow('closed')
      await expect(closed.trail.head()).rejects.toThrow('closed')
    })
  })
}

const ENTRY: AuditEntry = { timestamp: '2026-01-01T00:00:00.000Z', event: 'SERVER_STARTED' }

/** The clock was set back before the fifth. */
const ENTRIES: readonly AuditEntry[] = [
  {
    timestamp: '2026-01-01T00:00:00.000Z',
    event: 'OPERATION_DENIED',
    operation: 'delete_note',
    result: 'denied',
    user_id: 'ann',
    session_id: 's1',
  },
  {
    timestamp: '2026-01-02T00:00:00.000Z',
    event: 'TOKEN_ISSUED',
    operation: 'delete_note',
    user_id: 'ann',
    session_id: 's1',
    token_id: '0123456789abcdef',
  },
  {
    timestamp: '2026-01-03T00:00:00.000Z',
    event: 'TOKEN_ISSUED',
    operation: 'delete_notes',
    user_id: 'eve',
    session_id: 's1',
  },
  {
    timestamp: '2026-01-04T00:00:00.000Z',
    event: 'OPERATION_INTENT',
    operation: 'delete_note',
    adapter_name: 'note-book',
    danger_level: 3,
    user_id: 'ann',
    parameters: { title: 'Shopping List: Äpfel 😀 \u2028 \u0000', 1: {}, a: [null, -0.5, 1e300] },
  },
  {
    timestamp: '2026-01-01T12:00:00.000Z',
    event: 'PROTOCOL_VIOLATION',
    user_id: 'eve',
    session_id: 's2',
    reason: "%'; drop table trail; --",
  },
  { timestamp: '2026-01-05T00:00:00.000Z', event: 'OPERATIONS_COUNTED', danger_level: 0, count: 12 },
]
