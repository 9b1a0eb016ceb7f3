import { describe, expect, test } from 'vitest'
import { echo, openWorld } from '../notes.ts'
import { type AdapterDefinition, defineType, type OperationDefinition, type RuntimeOptions } from '../support.ts'

type Category = 'serialized' | 'read-concurrent' | 'fully-concurrent' | 'resource-locked'

/** Operations that note when they begin and end, and what else was running meanwhile. */
function recording() {
  const running = new Map<string, string>()
  const overlaps = new Set<string>()
  const order: string[] = []
  const operation = (category: OperationDefinition['category'], name: string): OperationDefinition => ({
    ...echo(name, { key: { type: 'string' }, id: { type: 'string', required: true } }),
    category,
    resource: ({ key }) => key as string,
    handler: async ({ id, key }) => {
      for (const other of running.values()) overlaps.add([`${category} ${key}`, other].toSorted().join(' | '))
      running.set(String(id), `${category} ${key}`)
      order.push(String(id))
      await new Promise((resolve) => setTimeout(resolve, 5))
      running.delete(String(id))
      return id
    },
  })
  const operations = [
    operation('READ', 'get_thing'),
    operation('CREATE', 'create_thing'),
    operation('DELETE', 'delete_thing'),
  ]
  return { operations, overlaps, order }
}

async function pipelined(
  concurrency: Category | undefined,
  calls: readonly (readonly [operation: string, key: string])[],
) {
  const { operations, overlaps, order } = recording()
  const change = (adapter: AdapterDefinition): AdapterDefinition => {
    const { concurrency: _, ...rest } = adapter
    return { ...rest, operations, ...(concurrency && { concurrency }) }
  }
  // Without a question in between, so that calls reach the locks in the order in which they arrive.
  const options = { mode: 'single', dangerLevels: { delete_thing: 'reversible' } } satisfies Partial<RuntimeOptions>
  const { runtime, call } = await openWorld(options, change)
  const answers = await Promise.all(
    calls.map(([operation, key], id) => call({ operation, params: { key, id: String(id) } })),
  )
  expect(answers.map(({ data }) => data)).toEqual(calls.map((_, id) => String(id)))
  return { overlaps: [...overlaps].toSorted(), order, runtime }
}

const MIXED = Array.from(
  { length: 24 },
  (_, at) =>
    [['get_thing', 'create_thing', 'get_thing', 'delete_thing'][at % 4] as string, at % 3 === 0 ? 'a' : 'b'] as const,
)

describe('the four categories under pipelined calls', () => {
  test('CONC-01 serialized: one after the other, in the order of arrival', async () => {
    const { overlaps, order } = await pipelined('serialized', MIXED)
    expect(overlaps).toEqual([])
    expect(order).toEqual(MIXED.map((_, id) => String(id)))
  })

  test('CONC-01 read-concurrent: reads together, a write alone', async () => {
    const { overlaps, order } = await pipelined('read-concurrent', [
      ['get_thing', 'a'],
      ['get_thing', 'b'],
      ['create_thing', 'a'],
      ['get_thing', 'a'],
      ['get_thing', 'b'],
      ...MIXED,
    ])
    expect(overlaps).toContain('READ a | READ b')
    expect(overlaps.filter((pair) => /CREATE|DELETE/.test(pair))).toEqual([])
    expect(order.indexOf('2')).toBeLessThan(order.indexOf('3'))
  })

  test('CONC-01 fully-concurrent: everything together', async () => {
    const { overlaps } = await pipelined('fully-concurrent', MIXED)
    expect(overlaps).toContain('CREATE a | DELETE a')
    expect(overlaps).toContain('CREATE b | READ b')
  })

  test('CONC-01 resource-locked: together on different resources, a write alone on its own', async () => {
    const { overlaps } = await pipelined('resource-locked', MIXED)
    expect(overlaps.some((pair) => / a \| .* b$/.test(pair))).toBe(true)
    expect(
      overlaps.filter((pair) => /CREATE|DELETE/.test(pair) && (/ a \| .* a$/.test(pair) || / b \| .* b$/.test(pair))),
    ).toEqual([])
    expect(overlaps.some((pair) => pair === 'READ b | READ b' || pair === 'READ a | READ a')).toBe(true)
  })

  test('CONC-01 without a word it is serialized', async () => {
    const { overlaps, runtime } = await pipelined(undefined, MIXED)
    expect([overlaps, runtime.concurrency]).toEqual([[], 'serialized'])
  })

  test('CONC-01 an operation that throws gives its place back', async () => {
    const broken = echo(
      'create_broken',
      {},
      {
        category: 'CREATE',
        handler: () => {
          throw new Error('broken')
        },
      },
    )
    const rejecting = echo('create_late', {}, { category: 'CREATE', handler: () => Promise.reject(new Error('late')) })
    const { call } = await openWorld({ mode: 'single' }, (adapter) => ({
      ...adapter,
      concurrency: 'serialized',
      operations: [broken, rejecting, echo('get_back')],
    }))
    const answers = await Promise.all(
      ['create_broken', 'create_late', 'get_back'].map((operation) => call({ operation })),
    )
    expect(answers.map(({ success }) => success)).toEqual([false, false, true])
  })

  test('CONC-01 a write that timed out is not overtaken while it still runs', async () => {
    const log: string[] = []
    const slow = echo(
      'create_slow',
      {},
      {
        category: 'CREATE',
        timeout_ms: 10,
        handler: async () => {
          log.push('begin')
          await new Promise((resolve) => setTimeout(resolve, 60))
          log.push('end')
        },
      },
    )
    const next = echo(
      'create_next',
      {},
      {
        category: 'CREATE',
        handler: () => {
          log.push('next')
          return {}
        },
      },
    )
    const { call } = await openWorld({ mode: 'single' }, (adapter) => ({
      ...adapter,
      concurrency: 'serialized',
      operations: [slow, next],
    }))
    const [first, second] = await Promise.all([call({ operation: 'create_slow' }), call({ operation: 'create_next' })])
    expect(first?.error?.details?.cause_code).toBe('TIMEOUT')
    expect(second?.success).toBe(true)
    expect(log).toEqual(['begin', 'end', 'next'])
  })

  test('CONC-01 a caller that left while waiting is not served', async () => {
    const log: string[] = []
    const slow = echo(
      'create_slow',
      { name: { type: 'string' } },
      {
        category: 'CREATE',
        handler: async ({ name }) => {
          log.push(String(name))
          await new Promise((resolve) => setTimeout(resolve, 20))
        },
      },
    )
    const { ask } = await openWorld({ mode: 'single' }, (adapter) => ({
      ...adapter,
      concurrency: 'serialized',
      operations: [slow],
    }))
    const controller = new AbortController()
    const first = ask({ operation: 'create_slow', name: 'first' })
    const second = ask({ operation: 'create_slow', name: 'second' }, undefined, { signal: controller.signal })
    const third = ask({ operation: 'create_slow', name: 'third' })
    controller.abort()
    expect((await second).result.error?.details?.cause_code).toBe('CANCELLED')
    await Promise.all([first, third])
    expect(log).toEqual(['first', 'third'])
  })
})

describe('versions', () => {
  const create = { operation: 'create_note', params: { title: 'A' } }
  const update = (params: object) => ({ operation: 'update_note', params: { note_id: 'n1', ...params } })

  test('CONC-02 a resource carries its version, which changes with every modification', async () => {
    const { call } = await openWorld()
    const versions = [
      (await call(create)).data,
      (await call(update({ input: { title: 'B' } }))).data,
      (await call(update({ input: { title: 'B' } }))).data,
    ]
    expect(versions.map((note) => (note as { _version: number })._version)).toEqual([1, 2, 3])
    expect((await call({ operation: 'get_note', params: { note_id: 'n1' } })).data).toMatchObject({ _version: 3 })
  })

  test.each([[{ _version: 1 }], [{ _etag: 'W/"a1b2c3d4"' }]])('CONC-02 %j is not writable', async (input) => {
    const { call, notes } = await openWorld()
    await call(create)
    expect((await call(update({ input }))).success).toBe(false)
    expect(notes.get('n1')?._version).toBe(1)
  })

  test('CONC-02 CONC-03 an _etag as well', async () => {
    const page = defineType({
      name: 'Page',
      kind: 'object',
      key: 'id',
      version: '_etag',
      fields: { id: { type: 'string' }, text: { type: 'string' }, _etag: { type: 'string', readOnly: true } },
    })
    const operation: OperationDefinition = {
      ...echo('update_page', { page_id: { type: 'string', required: true } }),
      category: 'UPDATE',
      updates: 'Page',
    }
    const { call } = await openWorld({}, (adapter) => ({
      ...adapter,
      types: [...(adapter.types ?? []), page],
      operations: [operation],
    }))
    const send = (params: object) => call({ operation: 'update_page', params: { page_id: 'p', ...params } })
    expect((await send({ input: { _etag: 'x' } })).error?.code).toBe('VALIDATION_READ_ONLY_FIELD')
    expect((await send({ input: { text: 'x' }, if_match: 'W/"a1b2c3d4"' })).data).toMatchObject({
      if_match: 'W/"a1b2c3d4"',
    })
  })

  test('CONC-03 if_match is listed beside input', async () => {
    const { call } = await openWorld()
    const { data } = await call({ operation: 'introspect', params: { query: 'operations', name: 'update_note' } })
    const { parameters } = (data as { operation: { parameters: { name: string; type: string; required: boolean }[] } })
      .operation
    expect(parameters.map(({ name, type, required }) => [name, type, required])).toEqual([
      ['note_id', 'string', true],
      ['input', 'object', true],
      ['if_match', 'string | integer', false],
    ])
  })

  // biome-ignore format: a table reads by columns
  test.each([
    ['the stored one',        1,    true],
    ['the same as text',      '1',  true],
    ['an older one',          0,    false],
    ['another text',          'x',  false],
  ])('CONC-03 if_match is %s', async (_, if_match, applied) => {
    const { call, notes } = await openWorld()
    await call(create)
    const answer = await call(update({ input: { title: 'B' }, if_match }))
    expect(answer.error?.code ?? 'applied').toBe(applied ? 'applied' : 'CONFLICT_VERSION_MISMATCH')
    expect(notes.get('n1')).toMatchObject(applied ? { title: 'B', _version: 2 } : { title: 'A', _version: 1 })
  })

  test('CONC-03 never inside input', async () => {
    const { call } = await openWorld()
    await call(create)
    expect((await call(update({ input: { if_match: 1 } }))).error?.details?.unknown_fields).toEqual(['if_match'])
  })

  test('CONC-03 of many that saw the same version one wins', async () => {
    const { call, notes } = await openWorld()
    await call(create)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => call(update({ input: { title: `T${at}` }, if_match: 1 }))),
    )
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    expect(answers.filter(({ error }) => error?.code === 'CONFLICT_VERSION_MISMATCH')).toHaveLength(19)
    expect(notes.get('n1')?._version).toBe(2)
  })

  // biome-ignore format: a table reads by columns
  test.each(['serialized', 'read-concurrent', 'fully-concurrent', 'resource-locked'] as const)('CONC-04 _protocol reports %s', async (concurrency) => {
    const { call } = await openWorld({}, (adapter) => ({ ...adapter, concurrency }))
    const { data } = await call({ operation: 'introspect', params: { query: 'operations' } })
    expect((data as { _protocol: object })._protocol).toMatchObject({ concurrency, supports_etag: true })
  })
})
