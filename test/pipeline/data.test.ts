import { describe, expect, test } from 'vitest'
import { adding, echo, openWorld } from '../notes.ts'
import { defineOperation } from '../support.ts'

const world = await openWorld(
  {},
  adding(
    echo('get_back', {
      text: { type: 'string' },
      raw: { type: 'string', allowNul: true, description: 'May hold U+0000.' },
      texts: { type: 'string[]' },
      object: { type: 'object' },
      day: { type: 'string', format: 'date' },
      time: { type: 'string', format: 'date-time' },
      moment: { type: 'string', format: 'date-or-time' },
      number: { type: 'number' },
      integer: { type: 'integer' },
      amount: { type: 'string', format: 'bigint', description: 'An integer of any size, written as a string.' },
      amount_type: { type: 'string', enum: ['bigint'] },
      file_content: { type: 'string', format: 'base64', description: 'The file in base64.' },
      file_encoding: { type: 'string', enum: ['base64'] },
      file_mime_type: { type: 'string' },
      any: { type: 'array' },
    }),
    echo('get_nulls', {}, { handler: () => ({ none: null, left_out: undefined, list: [undefined, null] }) }),
    echo('get_nothing', {}, { handler: () => undefined }),
    echo(
      'get_numbers',
      {},
      {
        handler: () => ({
          big: 2n ** 64n,
          negative: -(2n ** 64n),
          unsafe: 2 ** 60,
          huge: 1e21,
          safe: 9_007_199_254_740_991,
          fraction: 1_234_567_890_123_456.5,
          text: 'a:1152921504606846976,1e+21',
          list: [2 ** 60, -(2 ** 60)],
        }),
      },
    ),
    echo(
      'get_large',
      { length: { type: 'integer', required: true } },
      { handler: ({ length }) => 'x'.repeat(Number(length)) },
    ),
  ),
)
const back = (params: object) => world.call({ operation: 'get_back', params })

describe('U+0000', () => {
  // biome-ignore format: a table reads by columns
  test.each([
    ['DATA-03 in a text',               { text: 'a\0b' },              'text'],
    ['DATA-03 in an element',           { texts: ['a', '\0'] },        'texts[1]'],
    ['DATA-03 in an open object',       { object: { a: ['x\0'] } },    'object.a[0]'],
    ['DATA-03 in a key',                { object: { 'a\0': 1 } },      'object.a\0'],
    ['DATA-03 in an open array',        { any: ['\0'] },               'any[0]'],
  ])('%s', async (_, params, location) => {
    const { error } = await back(params)
    expect([error?.code, error?.details?.location]).toEqual(['VALIDATION_INVALID_ENCODING', location])
  })

  test('DATA-03 where it is documented it passes', async () => {
    expect((await back({ raw: 'a\0b' })).data).toEqual({ raw: 'a\0b' })
  })
})

describe('dates', () => {
  // biome-ignore format: a table reads by columns
  test.each([
    ['DATA-04', { day: '2026-02-04' }], ['DATA-04', { day: '2024-02-29' }], ['DATA-04', { time: '2026-02-04T10:30:00Z' }],
    ['DATA-04', { time: '2026-02-04T10:30:00.123Z' }], ['DATA-04', { time: '2026-02-04T10:30:00+05:30' }],
    ['DATA-04', { time: '2026-02-04T10:30:00-08:00' }], ['DATA-04', { moment: '2026-02-04' }], ['DATA-04', { moment: '2026-02-04T10:30:00Z' }],
  ])('%s accepts %j', async (_, params) => {
    expect((await back(params)).data).toEqual(params)
  })

  // biome-ignore format: a table reads by columns
  test.each([
    ['DATA-04', { day: '04.02.2026' }], ['DATA-04', { day: '2026-2-4' }], ['DATA-04', { day: '2026-02-30' }], ['DATA-04', { day: '2025-02-29' }],
    ['DATA-04', { day: '2026-02-04T10:30:00Z' }], ['DATA-04', { day: '2026-00-10' }], ['DATA-04', { day: '2026-10-00' }],
    ['DATA-04', { time: '2026-02-04' }], ['DATA-04', { time: '2026-02-04T10:30:00' }], ['DATA-04', { time: '2026-02-04 10:30:00Z' }],
    ['DATA-04', { time: '2026-02-04T25:30:00Z' }], ['DATA-04', { time: '2026-02-04T10:30:00+0530' }], ['DATA-04', { time: '2026-02-04T10:30:00+25:00' }],
    ['DATA-04', { time: 'Wed, 04 Feb 2026 10:30:00 GMT' }], ['DATA-04', { time: '1770201000' }], ['DATA-04', { moment: 'yesterday' }],
  ])('%s refuses %j', async (_, params) => {
    expect((await back(params)).error?.code).toBe('VALIDATION_INVALID_VALUE')
  })

  test('DATA-05 times of the server’s own are in UTC with Z', async () => {
    const { call } = await openWorld()
    const started = (await call({ operation: 'export_notes' })).data as { started_at: string; execution_id: string }
    expect(started.started_at).toBe('2026-11-16T00:00:00.000Z')
    const { execution_id } = started
    const finished = async () => (await call({ operation: 'get_execution', params: { execution_id } })).data
    await expect.poll(finished, { timeout: 10_000 }).toHaveProperty('finished_at', '2026-11-16T00:00:00.000Z')
  })
})

describe('numbers', () => {
  // biome-ignore format: a table reads by columns
  test.each([
    ['DATA-06', { integer: 9007199254740991 }], ['DATA-06', { integer: -9007199254740991 }], ['DATA-06', { number: 0.1 }], ['DATA-06', { number: 1e-7 }],
    ['DATA-06', { amount: '12345678901234567890', amount_type: 'bigint' }], ['DATA-06', { amount: '-1' }], ['DATA-06', { amount: '0' }],
  ])('%s accepts %j', async (_, params) => {
    expect((await back(params)).data).toEqual(params)
  })

  // biome-ignore format: a table reads by columns
  test.each([
    ['DATA-06', { integer: 9007199254740992 }, 'integer'], ['DATA-06', { integer: -9007199254740992 }, 'integer'], ['DATA-06', { number: 2 ** 60 }, 'number'],
    ['DATA-06', { object: { id: 9007199254740992 } }, 'object.id'], ['DATA-06', { any: [2 ** 60] }, 'any[0]'],
    ['DATA-06', JSON.parse('{"number":1e400}'), 'number'], ['DATA-06', JSON.parse('{"integer":-1e400}'), 'integer'],
    ['DATA-06', JSON.parse('{"object":{"a":[1e400]}}'), 'object.a[0]'], ['DATA-06', JSON.parse('{"any":[-1e400]}'), 'any[0]'],
    ['DATA-06', { amount: '1.5' }, 'amount'], ['DATA-06', { amount: '007' }, 'amount'], ['DATA-06', { amount: '' }, 'amount'],
  ])('%s refuses %j', async (_, params, name) => {
    const { error } = await back(params)
    expect([error?.code, error?.details?.param_name]).toEqual(['VALIDATION_INVALID_VALUE', name])
  })

  test('DATA-06 an answer writes what a JSON number cannot carry as a string', async () => {
    const { text } = await world.ask({ operation: 'get_numbers' })
    expect(text).toBe(
      '{"success":true,"data":{"big":"18446744073709551616","negative":"-18446744073709551616","unsafe":"1152921504606846976","huge":"1000000000000000000000","safe":9007199254740991,"fraction":1234567890123456.5,"text":"a:1152921504606846976,1e+21","list":["1152921504606846976","-1152921504606846976"]}}',
    )
  })

  test('DATA-06 the result of an execution does so too', async () => {
    const run = defineOperation({
      name: 'execute_run',
      category: 'EXECUTE',
      description: 'Run.',
      lifecycle: {},
      returns: 'Execution',
      handler: (_, context) => context.run(async () => ({ big: 2n ** 64n })),
    })
    const { call } = await openWorld({}, adding(run))
    const { execution_id } = (await call({ operation: 'execute_run' })).data as { execution_id: string }
    const state = async () => (await call({ operation: 'get_execution', params: { execution_id } })).data
    await expect.poll(state, { timeout: 10_000 }).toMatchObject({ result: { big: '18446744073709551616' } })
  })

  test('DATA-06 the parameter says that it takes a string', async () => {
    const { data } = await world.call({ operation: 'introspect', params: { query: 'operations', name: 'get_back' } })
    const { parameters } = (data as { operation: { parameters: { name: string }[] } }).operation
    expect(parameters.find(({ name }) => name === 'amount')).toEqual({
      name: 'amount',
      type: 'string',
      required: false,
      description: 'An integer of any size, written as a string.',
      format: 'bigint',
    })
  })
})

describe('binary content', () => {
  // biome-ignore format: a table reads by columns
  test.each([['SGVsbG8gV29ybGQ='], ['SGVsbG8='], ['SGVsbA=='], ['+/+/'], ['']])('DATA-07 accepts %j', async (file_content) => {
    const file = { file_content, file_encoding: 'base64', file_mime_type: 'text/plain' }
    expect((await back(file)).data).toEqual(file)
  })

  test.each([['SGVsbG8'], ['SGVsbG8=\n'], ['-_-_'], ['A==='], ['===='], ['SG=sbG8='], ['not base64!']])(
    'DATA-07 refuses %j',
    async (file_content) => {
      const { error } = await back({ file_content })
      expect(error?.details?.constraint).toBe('padded standard base64 (RFC 4648)')
    },
  )
})

describe('limits', () => {
  const nested = (levels: number): unknown => (levels === 1 ? {} : { a: nested(levels - 1) })
  const object = (levels: number) => ({ operation: 'get_back', params: { object: nested(levels) } })

  // biome-ignore format: a table reads by columns
  test.each([
    ['DATA-08 DATA-10 one string',    { operation: 'get_back', params: { text: 'x'.repeat(65_537) } },              'string_length',  65_536, 65_537, 'bytes'],
    ['DATA-08 DATA-10 a key too',     { operation: 'get_back', params: { object: { ['x'.repeat(65_537)]: 1 } } },   'string_length',  65_536, 65_537, 'bytes'],
    ['DATA-09 bytes, not characters', { operation: 'get_back', params: { text: 'é'.repeat(32_769) } },              'string_length',  65_536, 65_538, 'bytes'],
    ['DATA-08 DATA-10 elements',      { operation: 'get_back', params: { any: Array(101).fill(0) } },               'array_elements', 100,    101,    'elements'],
    ['DATA-08 DATA-10 a batch',       { operations: Array(101).fill({ operation: 'get_back' }) },                   'array_elements', 100,    101,    'elements'],
    ['DATA-08 DATA-10 depth',         object(7),                                                                    'nesting_depth',  8,      9,      'levels'],
    ['DATA-08 DATA-10 the whole',     { operation: 'get_back', params: { texts: Array(100).fill('x'.repeat(1_500)) } }, 'request_size', 131_072, expect.any(Number), 'bytes'],
    ['DATA-08 the specific one first', { operation: 'get_back', params: { text: 'x'.repeat(140_000) } },            'string_length',  65_536, 140_000, 'bytes'],
  ])('%s', async (_, args, limit_type, limit_value, actual_value, unit) => {
    const limits = { max_request_size: 131_072, max_string_length: 65_536, max_array_elements: 100, max_nesting_depth: 8 }
    const { ask } = await openWorld({ limits }, adding(echo('get_back')))
    const { result, isError } = await ask(args)
    expect(isError).toBe(false)
    expect(result.error).toEqual({
      code: 'VALIDATION_PAYLOAD_TOO_LARGE',
      message: `Payload exceeds ${limit_type} limit of ${limit_value}`,
      details: { limit_type, limit_value, actual_value, unit },
    })
  })

  test.each([
    ['DATA-08 the limits belong to what is allowed: depth', object(6)],
    ['DATA-08 a string', { operation: 'get_back', params: { text: 'x'.repeat(65_536) } }],
    ['DATA-08 elements', { operation: 'get_back', params: { any: Array(100).fill(0) } }],
  ])('%s', async (_, args) => {
    const limits = { max_string_length: 65_536, max_array_elements: 100, max_nesting_depth: 8 }
    const { call } = await openWorld(
      { limits },
      adding(echo('get_back', { text: { type: 'string' }, any: { type: 'array' }, object: { type: 'object' } })),
    )
    expect((await call(args)).success).toBe(true)
  })

  test('DATA-09 the root is level 1', async () => {
    const { call } = await openWorld({ limits: { max_nesting_depth: 8 } })
    const args = (levels: number) => ({ operation: 'list_notes', _meta: nested(levels - 1) })
    expect((await call(args(8))).success).toBe(true)
    expect((await call(args(9))).error?.details?.actual_value).toBe(9)
  })

  // biome-ignore format: a table reads by columns
  test.each([
    ['max_request_size', 65_536, 10_485_760], ['max_response_size', 1_048_576, 104_857_600], ['max_string_length', 65_536, 10_485_760],
    ['max_array_elements', 100, 100_000], ['max_nesting_depth', 8, 64],
  ] as const)('DATA-08 %s lies between %d and %d', async (name, least, most) => {
    for (const value of [least, most]) {
      const { runtime } = await openWorld({ limits: { [name]: value } })
      expect(runtime.limits[name]).toBe(value)
    }
    for (const value of [least - 1, most + 1, Number.NaN]) {
      await expect(openWorld({ limits: { [name]: value } })).rejects.toThrow(`${name} must lie between ${least} and ${most}`)
    }
  })

  test('DATA-10 an oversized response is not sent', async () => {
    const { ask } = await openWorld(
      { limits: { max_response_size: 1_048_576 } },
      adding(
        echo(
          'get_large',
          { length: { type: 'integer', required: true } },
          { handler: ({ length }) => 'é'.repeat(Number(length)) },
        ),
      ),
    )
    const frame = '{"success":true,"data":""}'.length
    const fits = await ask({ operation: 'get_large', params: { length: (1_048_576 - frame) / 2 } })
    expect([fits.result.success, Buffer.byteLength(fits.text)]).toEqual([true, 1_048_576])
    const { text, isError } = await ask({ operation: 'get_large', params: { length: (1_048_576 - frame) / 2 + 1 } })
    expect(isError).toBe(false)
    expect(text).toBe(
      '{"success":false,"error":{"code":"VALIDATION_PAYLOAD_TOO_LARGE","message":"Payload exceeds response_size limit of 1048576","details":{"limit_type":"response_size","limit_value":1048576,"actual_value":1048578,"unit":"bytes"}}}',
    )
  })

  test('DATA-08 DATA-11 the defaults, published', async () => {
    const { data } = await world.call({ operation: 'introspect', params: { query: 'operations' } })
    expect((data as { _protocol: { limits: unknown } })._protocol.limits).toEqual({
      max_request_size: 1_048_576,
      max_response_size: 10_485_760,
      max_string_length: 1_048_576,
      max_array_elements: 10_000,
      max_nesting_depth: 32,
    })
  })

  test('DATA-11 the limits in force are the ones published', async () => {
    const { call } = await openWorld({ limits: { max_nesting_depth: 8 } })
    const { data } = await call({ operation: 'introspect', params: { query: 'operations' } })
    expect((data as { _protocol: { limits: unknown } })._protocol.limits).toMatchObject({ max_nesting_depth: 8 })
  })
})

describe('null', () => {
  test('DATA-12 in an answer it means: there, without a value', async () => {
    const { text } = await world.ask({ operation: 'get_nulls' })
    expect(text).toBe('{"success":true,"data":{"none":null,"list":[null,null]}}')
  })

  test('DATA-12 a handler that returns nothing answers null', async () => {
    expect((await world.ask({ operation: 'get_nothing' })).text).toBe('{"success":true,"data":null}')
  })

  test('DATA-12 a parameter for which null and absence differ says so, and they do', async () => {
    const { call } = await openWorld()
    const { data } = await call({ operation: 'introspect', params: { query: 'operations', name: 'create_note' } })
    const { parameters } = (data as { operation: { parameters: { name: string; description?: string }[] } }).operation
    expect(parameters.find(({ name }) => name === 'parent_id')?.description).toBe(
      'Null: no parent. Absent: the default parent.',
    )
    const made = await call({ operation: 'create_note', params: { title: 'A', parent_id: null } })
    expect(made.data).toMatchObject({ parent_id: null })
    const other = await call({ operation: 'create_note', params: { title: 'A' } })
    expect(other.data).not.toHaveProperty('parent_id')
  })
})
