import { describe, expect, test } from 'vitest'
import { adding, echo, openWorld } from '../notes.ts'
import type { OperationDefinition } from '../support.ts'

type Warned = Parameters<Parameters<OperationDefinition['handler']>[1]['warn']>[0]

function warning(...warnings: readonly Warned[]): OperationDefinition {
  return echo(
    'get_warned',
    {},
    {
      handler: (_, context) => {
        for (const each of warnings) context.warn(each)
        return { fine: true }
      },
    },
  )
}

const numbered = (count: number, severity: Warned['severity']): Warned[] =>
  Array.from({ length: count }, (_, at) => ({
    code: 'VALIDATION_NOTE',
    message: `note ${at}`,
    details: { at },
    ...(severity && { severity }),
  }))

describe('the two forms', () => {
  // biome-ignore format: one row a case
  test.each([
    ['RES-01 RES-02 a success', { operation: 'get_note', params: { note_id: 'n1' } }, ['success', 'data']],
    ['RES-01 RES-02 a collection', { operation: 'list_notes' }, ['success', 'data']],
    ['RES-01 RES-02 with warnings', { operation: 'find_notes' }, ['success', 'data', 'warnings']],
    ['RES-01 RES-02 with metadata', { operation: 'list_notes', _request_id: 'r' }, ['success', 'data', '_meta']],
    ['RES-01 RES-02 with both', { operation: 'find_notes', _request_id: 'r' }, ['success', 'data', 'warnings', '_meta']],
    ['RES-01 RES-02 a batch', { operations: [{ operation: 'list_notes' }] }, ['success', 'data', 'results', 'summary']],
    ['RES-01 RES-02 X-17 a batch with both', { operations: [{ operation: 'find_notes' }], _request_id: 'r' }, ['success', 'data', 'results', 'summary', 'warnings', '_meta']],
    ['RES-01 RES-03 a failure', { operation: 'get_note', params: { note_id: 'n9' } }, ['success', 'error']],
    ['RES-01 RES-03 X-20 a failure has neither warnings nor metadata', { operation: 'get_note', params: { note_id: 'n9' }, _request_id: 'r' }, ['success', 'error']],
    ['RES-01 RES-03 a refusal', { operation: 'get_note' }, ['success', 'error']],
    ['RES-01 RES-03 a shape fault', {}, ['success', 'error']],
  ])('%s', async (_, args, keys) => {
    const { call, notes } = await openWorld()
    notes.set('n1', { id: 'n1', title: 'A', _version: 1 })
    const answer = await call(args)
    expect(Object.keys(answer)).toEqual(keys)
    expect(typeof answer.success).toBe('boolean')
  })

  test('RES-01 what a back-end calls a failure is data', async () => {
    const { call } = await openWorld()
    expect((await call({ operation: 'find_notes' })).data).toEqual({ success: false, error: 'the data of a back-end' })
  })

  test('RES-01 data is there even when it is nothing', async () => {
    const { call } = await openWorld({}, adding(echo('get_nothing', {}, { handler: async () => undefined })))
    expect(await call({ operation: 'get_nothing' })).toEqual({ success: true, data: null })
  })

  test('RES-03 X-20 the session is named in the details of an unexpected failure', async () => {
    const { call, session } = await openWorld()
    expect((await call({ operation: 'explode_note' })).error?.details).toEqual({ session_id: session.id })
  })
})

describe('metadata', () => {
  // biome-ignore format: one row a case
  test.each([
    ['REQ-12 RES-04 X-19 the caller’s own id', { _request_id: 'req-7' }, { request_id: 'req-7' }],
    ['REQ-12 RES-04 a number comes back as text', { _request_id: 7 }, { request_id: '7' }],
    ['REQ-12 RES-04 a number that was rounded does not', JSON.parse('{"_request_id":12345678901234567890}'), { request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) }],
    ['REQ-12 RES-04 one of the server’s own where metadata was asked for', { _meta: { tokens: true } }, { request_id: expect.stringMatching(/^[0-9a-f-]{36}$/), tokens: expect.any(Number) }],
    ['REQ-12 RES-04 both', { _request_id: 'r', _meta: { tokens: true } }, { request_id: 'r', tokens: expect.any(Number) }],
    ['REQ-12 RES-04 an id that is no id', { _request_id: {} }, { request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) }],
    ['REQ-12 RES-04 none without being asked', {}, undefined],
    ['REQ-12 RES-04 MCP’s own metadata asks for nothing', { _meta: { progressToken: 1 } }, undefined],
  ])('%s', async (_, more, meta) => {
    const { call } = await openWorld()
    expect((await call({ operation: 'list_notes', ...more }))._meta).toEqual(meta)
    expect((await call({ operations: [{ operation: 'list_notes' }], ...more }))._meta).toEqual(meta)
  })

  test('REQ-12 an entry of a batch carries no metadata of its own', async () => {
    const { call } = await openWorld()
    const { results } = await call({ operations: [{ operation: 'list_notes', _request_id: 'r' }] })
    expect(Object.keys((results as { result: object }[])[0]?.result ?? {})).toEqual(['success', 'data'])
  })
})

describe('warnings', () => {
  test('RES-07 one warning is a list too, and the data is what it would have been', async () => {
    const { ask } = await openWorld({}, adding(warning({ code: 'VALIDATION_NOTE', message: 'a note' })))
    const { result, isError } = await ask({ operation: 'get_warned' })
    expect(result).toEqual({
      success: true,
      data: { fine: true },
      warnings: [{ code: 'VALIDATION_NOTE', message: 'a note' }],
    })
    expect(isError).toBe(false)
  })

  test('RES-07 a warning has four keys, whatever a handler gave it', async () => {
    const full = { code: 'VALIDATION_NOTE', message: 'a', details: { a: 1 }, severity: 'low', hint: 'x' } as Warned
    const { call } = await openWorld({}, adding(warning(full)))
    expect((await call({ operation: 'get_warned' })).warnings).toEqual([
      { code: 'VALIDATION_NOTE', message: 'a', details: { a: 1 }, severity: 'low' },
    ])
  })

  test('RES-07 a failure has no warnings', async () => {
    const { call } = await openWorld({ strict: false })
    const answer = await call({ operation: 'get_note', params: { note_id: 'n9', more: 1 } })
    expect(answer).toMatchObject({ success: false, error: { code: 'NOT_FOUND_RESOURCE' } })
    expect(answer).not.toHaveProperty('warnings')
  })

  test('RES-07 DATA-06 a warning with a bigint changes nothing', async () => {
    const { call } = await openWorld(
      {},
      adding(warning({ code: 'VALIDATION_NOTE', message: 'a', details: { big: 2n ** 64n } })),
    )
    expect((await call({ operation: 'get_warned' })).warnings).toEqual([
      { code: 'VALIDATION_NOTE', message: 'a', details: { big: '18446744073709551616' } },
    ])
  })

  test('RES-08 the severest first; without a word it is medium; equals keep their order', async () => {
    const rows = [
      ['a', 'low'],
      ['b', undefined],
      ['c', 'high'],
      ['d', 'medium'],
      ['e', 'high'],
    ] as const
    const { call } = await openWorld(
      {},
      adding(
        warning(
          ...rows.map(([message, severity]) => ({
            code: 'VALIDATION_NOTE',
            message,
            details: { message },
            ...(severity && { severity }),
          })),
        ),
      ),
    )
    const { warnings } = await call({ operation: 'get_warned' })
    expect(warnings?.map(({ message }) => message)).toEqual(['c', 'e', 'b', 'd', 'a'])
    expect(await call({ operation: 'get_warned' })).toEqual(await call({ operation: 'get_warned' }))
  })

  test('RES-09 ten are ten', async () => {
    const { call } = await openWorld({}, adding(warning(...numbered(10, 'low'))))
    expect((await call({ operation: 'get_warned' })).warnings).toHaveLength(10)
  })

  test('RES-09 of more the severest ten stay, and one entry tells of the others', async () => {
    const { call } = await openWorld(
      {},
      adding(warning(...numbered(12, 'low'), { code: 'VALIDATION_NOTE', message: 'grave', severity: 'high' })),
    )
    const { warnings } = await call({ operation: 'get_warned' })
    expect(warnings?.map(({ message }) => message)).toEqual([
      'grave',
      'note 0',
      'note 1',
      'note 2',
      'note 3',
      'note 4',
      'note 5',
      'note 6',
      'note 7',
      'note 8',
      '3 further warnings were left out',
    ])
    expect(warnings?.at(-1)).toEqual({
      code: 'WARNINGS_SUPPRESSED',
      message: '3 further warnings were left out',
      severity: 'low',
    })
  })

  test('RES-10 equal ones are one that counts', async () => {
    const one = { code: 'VALIDATION_NOTE', message: 'a', details: { at: 1 } }
    const { call } = await openWorld({}, adding(warning(one, { ...one, details: { at: 2 } }, one, one)))
    expect((await call({ operation: 'get_warned' })).warnings).toEqual([
      { ...one, details: { at: 1, occurrence_count: 3 } },
      { ...one, details: { at: 2 } },
    ])
  })

  test('RES-10 X-17 a batch reports what its entries repeat once', async () => {
    const { call } = await openWorld()
    const entry = { operation: 'find_notes' }
    const answer = await call({ operations: [entry, entry, entry] })
    expect(answer.warnings).toHaveLength(1)
    expect(answer.warnings?.[0]?.details).toMatchObject({ deprecated_item: 'find_notes', occurrence_count: 3 })
    expect(JSON.stringify(answer.results)).not.toContain('warnings')
  })

  test('RES-09 a batch keeps the ten severest of all its entries', async () => {
    const { call } = await openWorld(
      {},
      adding(warning(...numbered(8, 'low')), { ...warning(...numbered(16, 'high').slice(8)), name: 'get_grave' }),
    )
    const { warnings } = await call({ operations: [{ operation: 'get_warned' }, { operation: 'get_grave' }] })
    expect(warnings?.map(({ severity }) => severity)).toEqual([...Array(8).fill('high'), 'low', 'low', 'low'])
  })
})
