import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Store } from '../../src/core/ports/store.ts'

/** What any store must do. A new implementation earns its place by passing this. */
export function storeContract(name: string, open: () => Promise<Store>): void {
  describe(`${name} keeps the store contract`, () => {
    let store: Store
    beforeAll(async () => {
      store = await open()
    }, 60_000)
    afterAll(() => store.close())

    const increment = (n: number | undefined) => ({ next: (n ?? 0) + 1, result: n ?? 0 })
    const put = (kind: string, id: string, value: unknown) =>
      store.update(kind, id, () => ({ next: value, result: undefined }))

    test('an absent record reads as undefined', async () => {
      expect(await store.get('counter', randomUUID())).toBeUndefined()
    })

    test('update hands over the current value and returns the answer', async () => {
      const id = randomUUID()
      expect(await store.update('counter', id, increment)).toBe(0)
      expect(await store.update('counter', id, increment)).toBe(1)
      expect(await store.get('counter', id)).toBe(2)
    })

    test('fifty concurrent updates lose nothing', async () => {
      const id = randomUUID()
      await Promise.all(Array.from({ length: 50 }, () => store.update('counter', id, increment)))
      expect(await store.get('counter', id)).toBe(50)
    })

    test('next: undefined removes the record', async () => {
      const id = randomUUID()
      await store.update('counter', id, increment)
      await store.update('counter', id, () => ({ next: undefined, result: null }))
      expect(await store.get('counter', id)).toBeUndefined()
    })

    test('removing what is not there is harmless', async () => {
      expect(await store.update('counter', randomUUID(), () => ({ next: undefined, result: 'gone' }))).toBe('gone')
    })

    test('a change that throws changes nothing', async () => {
      const id = randomUUID()
      const broken = () => {
        throw new Error('no')
      }
      await store.update('counter', id, increment)
      await expect(store.update('counter', id, broken)).rejects.toThrow('no')
      expect(await store.update('counter', id, increment)).toBe(1)
    })

    test('kinds do not share ids', async () => {
      const id = randomUUID()
      await put('left', id, 'l')
      await put('right', id, 'r')
      expect([await store.get('left', id), await store.get('right', id)]).toEqual(['l', 'r'])
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
      expect(await store.get('value', id)).toStrictEqual(value)
    })

    test('a key named __proto__ is a key like any other', async () => {
      const id = randomUUID()
      await put('value', id, JSON.parse('{"__proto__":{"polluted":true}}'))
      expect(JSON.stringify(await store.get('value', id))).toBe('{"__proto__":{"polluted":true}}')
      expect({}).not.toHaveProperty('polluted')
    })

    test('a record is not held by reference', async () => {
      const id = randomUUID()
      const given = { tags: ['a'] }
      await put('value', id, given)
      given.tags.push('b')
      const read = await store.get<{ tags: string[] }>('value', id)
      read?.tags.push('c')
      expect(await store.get('value', id)).toEqual({ tags: ['a'] })
    })

    test.each([['plain'], [''], ["it's"], ['%_*'], ['a\u0000b'], ['😀'], ['../../x'], ['x'.repeat(5000)]])(
      'an id is only itself, row %#',
      async (id) => {
        const kind = randomUUID()
        await put(kind, id, 'this')
        await put(kind, `${id}!`, 'another')
        expect(await store.get(kind, id)).toBe('this')
        expect(await store.list(kind)).toEqual([
          { id, value: 'this' },
          { id: `${id}!`, value: 'another' },
        ])
      },
    )

    describe('list', () => {
      const kind = randomUUID()
      const ids = async (options?: { prefix?: string; limit?: number }) =>
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

      test('carries the values', async () => {
        expect(await store.list(kind, { prefix: 'b' })).toEqual([{ id: 'b', value: { id: 'b' } }])
      })

      test('knows no record of an unknown kind', async () => {
        expect(await store.list(randomUUID())).toEqual([])
      })
    })

    test('after close every call is refused, and closing again is harmless', async () => {
      const closed = await open()
      await closed.close()
      await closed.close()
      await expect(closed.get('counter', 'x')).rejects.toThrow('closed')
      await expect(closed.list('counter')).rejects.toThrow('closed')
      await expect(closed.update('counter', 'x', increment)).rejects.toThrow('closed')
    })
  })
}
