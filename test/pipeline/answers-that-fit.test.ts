import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitAnswer } from '../../src/core/introspection/fit-answer.ts'
import { estimateTokens } from '../../src/core/introspection/tokens.ts'
import { jsonText } from '../../src/core/registry/json-text.ts'
import { type Answered, adding, echo, openWorld, type World } from '../notes.ts'

const READ = 'note_book_mcpaql_read'
const LINES = Array.from({ length: 400 }, (_, at) => `line ${at}`)
const SMILES = '🙂'.repeat(3_000)

const giving = (data: unknown) => echo('get_data', {}, { handler: () => data })

interface Page {
  readonly field: string
  readonly items?: readonly unknown[]
  readonly text?: string
  readonly remaining: number
  readonly next?: string
}

/** Reads every rest of an answer to its end, and puts the answer together again. */
async function reassemble(world: World, answer: Answered): Promise<unknown> {
  let data = structuredClone(answer.data) as Record<string, unknown>
  for (const { code, details } of answer.warnings ?? []) {
    if (code !== 'VALIDATION_TRUNCATED_WARNING') continue
    const path = String(details?.field).split('.').filter(Boolean)
    let handle: string | undefined = details?.rest as string
    while (handle !== undefined) {
      const read = await world.call({ operation: 'introspect', params: { query: 'rest', name: handle } })
      const page = (read.data as { rest: Page }).rest
      expect(page.field).toBe(details?.field)
      data = append(data, path, page) as Record<string, unknown>
      expect(page.remaining > 0).toBe(page.next !== undefined)
      handle = page.next
    }
  }
  return data
}

function append(value: unknown, [step, ...path]: readonly string[], page: Page): unknown {
  if (step === undefined)
    return typeof value === 'string' ? value + page.text : [...(value as unknown[]), ...(page.items ?? [])]
  if (Array.isArray(value)) return value.map((item, at) => (String(at) === step ? append(item, path, page) : item))
  const record = value as Record<string, unknown>
  return { ...record, [step]: append(record[step], path, page) }
}

describe('max_tokens', () => {
  test('an answer within the budget is left alone', async () => {
    const { call } = await openWorld({}, adding(giving({ a: 1 })))
    expect(await call({ operation: 'get_data', params: { max_tokens: 50 } })).toEqual({ success: true, data: { a: 1 } })
  })

  // biome-ignore format: one row a case
  test.each([
    ['a long list', { list: LINES }],
    ['a long text', { text: 'word '.repeat(2_000) }],
    ['a long text of pairs', { text: SMILES }],
    ['a list as the whole answer', LINES],
    ['a text as the whole answer', 'word '.repeat(2_000)],
    ['several parts', { a: LINES, b: LINES, text: 'word '.repeat(500), small: 1 }],
    ['lists in lists', { rows: LINES.slice(0, 40).map((line) => ({ line, cells: LINES.slice(0, 5) })) }],
  ])('%s is cut to about the budget, and the rest can be read', async (_, data) => {
    const world = await openWorld({}, adding(giving(data)))
    const answer = await world.call({ operation: 'get_data', params: { max_tokens: 200 } })
    expect(answer.success).toBe(true)
    expect(estimateTokens(JSON.stringify(answer.data))).toBeLessThanOrEqual(240)
    expect(answer.warnings?.length).toBeGreaterThan(0)
    expect(await reassemble(world, answer)).toEqual(data)
  })

  test('ERR-50 the warning says what was left out', async () => {
    const { call } = await openWorld({}, adding(giving({ list: LINES })))
    const { data, warnings } = await call({ operation: 'get_data', params: { max_tokens: 200 } })
    const kept = (data as { list: string[] }).list.length
    expect(warnings).toEqual([
      {
        code: 'VALIDATION_TRUNCATED_WARNING',
        message: `Response truncated to ${kept} items`,
        details: {
          field: 'list',
          original_count: 400,
          truncated_count: kept,
          limit: kept,
          rest: expect.stringMatching(/^rest_[\w-]{16}$/),
        },
        severity: 'medium',
      },
    ])
    expect((data as { list: string[] }).list).toEqual(LINES.slice(0, kept))
  })

  test('DATA-06 numbers that JSON cannot carry are strings in the answer and in its rest', async () => {
    const list = LINES.map((_, at) => 2n ** 64n + BigInt(at))
    const world = await openWorld({}, adding(giving({ big: 2n ** 70n, list })))
    const answer = await world.call({ operation: 'get_data', params: { max_tokens: 100 } })
    expect(await reassemble(world, answer)).toEqual({ big: String(2n ** 70n), list: list.map(String) })
  })

  test('no surrogate pair is split, neither by the cut nor by a page', async () => {
    const world = await openWorld({}, adding(giving({ text: `x${SMILES}` })))
    const answer = await world.call({ operation: 'get_data', params: { max_tokens: 333 } })
    const pieces = [(answer.data as { text: string }).text]
    for (let handle = answer.warnings?.[0]?.details?.rest as string | undefined; handle !== undefined; ) {
      const { data } = await world.call({ operation: 'introspect', params: { query: 'rest', name: handle } })
      const { rest } = data as { rest: Page }
      pieces.push(rest.text ?? '')
      handle = rest.next
    }
    expect(pieces.length).toBeGreaterThan(3)
    for (const piece of pieces) expect(piece.isWellFormed()).toBe(true)
    expect(pieces.join('')).toBe(`x${SMILES}`)
  })

  test('of any data: nothing is lost, and no rest is empty', () => {
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('list'), tie('record')),
      leaf: fc.oneof(fc.boolean(), fc.maxSafeInteger(), fc.string({ unit: 'grapheme', maxLength: 400, size: 'max' })),
      list: fc.array(tie('tree'), { maxLength: 12 }),
      record: fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), tie('tree'), { maxKeys: 6 }),
    }))
    let cut = 0
    fc.assert(
      fc.property(tree, fc.integer({ min: 5, max: 60 }), (data, budget) => {
        const plain = JSON.parse(jsonText(data))
        const { data: fitted, cuts } = fitAnswer(plain, budget)
        let whole = fitted
        for (const { field, rest, kept, originalCount } of cuts.toReversed()) {
          expect(rest.length).toBe(originalCount - kept)
          expect(rest.length).toBeGreaterThan(0)
          const page = typeof rest === 'string' ? { text: rest } : { items: rest }
          whole = append(whole, pathOf(field), { field, remaining: 0, ...page })
        }
        expect(whole).toEqual(plain)
        cut += cuts.length
      }),
      { numRuns: 200 },
    )
    expect(cut).toBeGreaterThan(50)
  })

  test('RES-09 no handle is lost among other warnings', async () => {
    const noisy = echo(
      'get_data',
      {},
      {
        handler: (_, context) => {
          for (let at = 0; at < 7; at++)
            context.warn({ code: 'VALIDATION_NOTE', message: `${at}`, details: { at }, severity: 'high' })
          return Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`list_${at}`, LINES]))
        },
      },
    )
    const world = await openWorld({}, adding(noisy))
    const answer = await world.call({ operation: 'get_data', params: { max_tokens: 100 } })
    expect(answer.warnings?.map(({ code }) => code)).not.toContain('WARNINGS_SUPPRESSED')
    expect(await reassemble(world, answer)).toEqual(
      Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`list_${at}`, LINES])),
    )
  })

  test('a collection can be continued by its rest and by its cursor', async () => {
    const world = await openWorld()
    for (let at = 0; at < 30; at++) world.notes.set(`n${at}`, { id: `n${at}`, title: `Title ${at}`, _version: 1 })
    const list = (params: object) => world.call({ operation: 'list_notes', params })
    const itemsOf = ({ data }: Answered) => (data as { items: object[] }).items
    const all = itemsOf(await list({ first: 30 }))
    const answer = await list({ first: 30, max_tokens: 150 })
    const kept = itemsOf(answer).length
    expect(kept).toBeLessThan(30)
    expect(itemsOf(answer)).toEqual(all.slice(0, kept))
    expect(((await reassemble(world, answer)) as { items: object[] }).items).toEqual(all)
    const { pageInfo } = answer.data as { pageInfo: { hasNextPage: boolean; endCursor: string } }
    expect(pageInfo.hasNextPage).toBe(true)
    expect(itemsOf(await list({ first: 30, after: pageInfo.endCursor }))).toEqual(all.slice(kept))
  })

  test('introspect is exempt, and so is what does not read', async () => {
    const { call } = await openWorld()
    expect(
      (await call({ operation: 'introspect', params: { query: 'types', max_tokens: 50 } })).error?.details
        ?.unknown_params,
    ).toEqual(['max_tokens'])
    expect(
      (await call({ operation: 'create_note', params: { title: 'A', max_tokens: 50 } })).error?.details?.unknown_params,
    ).toEqual(['max_tokens'])
  })

  test('a budget below fifty is refused', async () => {
    const { call } = await openWorld()
    expect((await call({ operation: 'get_everything', params: { max_tokens: 49 } })).error?.details?.constraint).toBe(
      '50 or more',
    )
  })
})

describe('the rest', () => {
  async function cut(options = {}) {
    const world = await openWorld(options, adding(giving({ list: LINES })))
    const { warnings } = await world.call({ operation: 'get_data', params: { max_tokens: 100 } })
    return { ...world, handle: String(warnings?.[0]?.details?.rest) }
  }

  test('reading changes nothing: the same page again', async () => {
    const { call, handle } = await cut()
    const read = () => call({ operation: 'introspect', params: { query: 'rest', name: handle } })
    expect(await read()).toEqual(await read())
  })

  test('of another session is unknown', async () => {
    const { runtime, handle } = await cut()
    for (const principal of ['tester', 'somebody']) {
      const session = runtime.openSession(principal)
      const { result, isError } = await runtime.call({
        tool: READ,
        arguments: { operation: 'introspect', params: { query: 'rest', name: handle } },
        session,
      })
      expect([result, isError]).toMatchObject([
        { success: false, error: { code: 'NOT_FOUND_RESOURCE', details: { resource_type: 'rest' } } },
        false,
      ])
    }
  })

  test('expires', async () => {
    let now = Date.parse('2026-11-16T00:00:00Z')
    const { call, handle } = await cut({ clock: { now: () => now }, restTtlMs: 1_000 })
    const read = () => call({ operation: 'introspect', params: { query: 'rest', name: handle } })
    now += 999
    expect((await read()).success).toBe(true)
    now += 1
    expect((await read()).error?.code).toBe('NOT_FOUND_RESOURCE')
  })

  test('SES-02 ends with its session', async () => {
    const { runtime, session, handle, call } = await cut()
    await runtime.closeSession(session)
    expect((await call({ operation: 'introspect', params: { query: 'rest', name: handle } })).error?.code).toBe(
      'NOT_FOUND_RESOURCE',
    )
  })

  test.each(['', 'rest_', 'rest_0123456789abcdef', '../etc/passwd', 'rest_0123456789abcdef.99999999999'])(
    '%j is no handle',
    async (name) => {
      const { call } = await cut()
      expect((await call({ operation: 'introspect', params: { query: 'rest', name } })).error?.code).toBe(
        'NOT_FOUND_RESOURCE',
      )
    },
  )

  test('a page beyond the end is none', async () => {
    const { call, handle } = await cut()
    expect(
      (await call({ operation: 'introspect', params: { query: 'rest', name: `${handle}.400` } })).error?.code,
    ).toBe('NOT_FOUND_RESOURCE')
  })

  test('without a name it says which parameter is missing', async () => {
    const { call } = await cut()
    expect((await call({ operation: 'introspect', params: { query: 'rest' } })).error?.message).toBe(
      "Missing required parameter 'name' for operation 'introspect'. Expected: string (the handle of a rest)",
    )
  })
})

function pathOf(field: string): readonly string[] {
  return field === '' ? [] : field.split('.')
}
