import { describe, expect, test } from 'vitest'
import { type Answered, type Asked, adding, echo, openWorld } from '../notes.ts'
import { createMemoryStore, fail, failWith, type OperationDefinition } from '../support.ts'

/** Every failure that this file has seen; the sweep at its end looks through them all. */
const seen: Answered[] = []

function returning(name: string, value: () => unknown): OperationDefinition {
  return echo(name, {}, { handler: value })
}

let broken = false
const fragile: OperationDefinition = {
  ...echo('get_fragile'),
  get examples() {
    if (broken) throw new RangeError('registry broken in /src/core/registry.ts:12')
    return []
  },
}
const circular: Record<string, unknown> = {}
circular.self = circular

const world = await openWorld(
  { policies: [{ operation: 'get_denied', permission: 'deny' }] },
  adding(
    echo('get_back', {
      word: { type: 'string', enum: ['a', 'b'] },
      text: { type: 'string' },
      place: { type: 'string', required: true, description: 'The format that matters.' },
    }),
    echo('get_flat', {
      rate: { type: 'string', enum: ['flat rate', 'hourly'] },
      code: { type: 'string', pattern: '^at \\d$' },
    }),
    echo('get_denied'),
    fragile,
    returning('get_existing', () => fail('CONFLICT_ALREADY_EXISTS', { resource_type: 'note', resource_id: 'n1' })),
    returning('get_own_code', () => failWith('CONFLICT_NOTE_LOCKED', 'The note is locked', { note_id: 'n1' })),
    returning('get_own_fault', () => failWith('INTERNAL_BACKEND_DOWN', 'The back-end is down')),
    returning('get_bad_code', () => failWith('BACKEND_DOWN', 'no')),
    returning('get_error', () => {
      throw new TypeError(
        "Cannot read properties of undefined (reading 'x') at Object.<anonymous> (/src/secret.ts:12:3)",
      )
    }),
    returning('get_string', () => {
      throw '/node_modules/thing/index.js:1'
    }),
    returning('get_rejection', () => Promise.reject(new Error('at Repository.find (/src/secret.ts:12:3)'))),
    returning('get_circle', () => circular),
    returning('get_trap', () => ({
      toJSON() {
        throw new SyntaxError('/src/secret.ts:1')
      },
    })),
  ),
)

async function ask(args: unknown, tool?: string): Promise<Asked> {
  const asked = await world.ask(args, tool)
  if (!asked.result.success) seen.push(asked.result)
  return asked
}

await world.call({ operation: 'create_note', params: { title: 'A' } })
const READ = 'note_book_mcpaql_read'
const update = (params: object) => ({ operation: 'update_note', params: { note_id: 'n1', ...params } })

describe('codes', () => {
  // biome-ignore format: one row a case
  test.each<[id: string, args: object, code: string, message: string, details: object, isError?: boolean]>([
    ['ERR-20 X-11', { operation: 'get_note' }, 'VALIDATION_MISSING_PARAM',
      "Missing required parameter 'note_id' for operation 'get_note'. Expected: string (Which note)",
      { param_name: 'note_id', operation: 'get_note' }],
    ['ERR-20 without an operation', {}, 'VALIDATION_MISSING_PARAM',
      "Missing required parameter 'operation'. Expected: string, the name of an operation; introspect lists them",
      { param_name: 'operation' }, true],
    ['ERR-20 ERR-05 a description that trips is left out', { operation: 'get_back' }, 'VALIDATION_MISSING_PARAM',
      "Missing required parameter 'place' for operation 'get_back'. Expected: string",
      { param_name: 'place', operation: 'get_back' }],
    ['ERR-21', { operation: 'get_note', params: { note_id: 7 } }, 'VALIDATION_INVALID_TYPE',
      "Parameter 'note_id' expected 'string', got 'number'",
      { param_name: 'note_id', expected_type: 'string', actual_type: 'number' }],
    ['ERR-22', { operation: 'get_back', params: { place: 'x', word: 'c' } }, 'VALIDATION_INVALID_VALUE',
      "Parameter 'word' has an invalid value. Expected: one of a, b",
      { param_name: 'word', constraint: 'one of a, b', allowed: ['a', 'b'], operation: 'get_back' }],
    ['ERR-22 ERR-05 an enum that trips', { operation: 'get_flat', params: { rate: 'x' } }, 'VALIDATION_INVALID_VALUE',
      "Parameter 'rate' has an invalid value. Expected: one of the documented values",
      { param_name: 'rate', constraint: 'one of the documented values', allowed: ['flat rate', 'hourly'] }],
    ['ERR-22 ERR-05 a pattern that trips', { operation: 'get_flat', params: { code: 'x' } }, 'VALIDATION_INVALID_VALUE',
      "Parameter 'code' has an invalid value. Expected: text matching the documented pattern", { param_name: 'code' }],
    ['ERR-22 an introspection query', { operation: 'introspect', params: { query: 'revoke_token' } }, 'VALIDATION_INVALID_VALUE',
      "Parameter 'query' has an invalid value. Expected: one of operations, types, search, danger, adapter_info, rest",
      { param_name: 'query', allowed: ['operations', 'types', 'search', 'danger', 'adapter_info', 'rest'] }],
    ['ERR-23', { operation: 'get_note', params: { note_id: 'n1', colour: 1 } }, 'VALIDATION_UNKNOWN_PARAM',
      "Unknown parameter 'colour' for operation 'get_note'. Valid parameters: note_id, fields, max_tokens",
      { operation: 'get_note', unknown_params: ['colour'], valid_params: ['note_id', 'fields', 'max_tokens'] }],
    ['ERR-23 X-10 several', { operation: 'get_note', params: { note_id: 'n1', a: 1, b: 2, c: 3 } }, 'VALIDATION_UNKNOWN_PARAM',
      "Unknown parameter 'a' for operation 'get_note' (and 2 other(s)). Valid parameters: note_id, fields, max_tokens",
      { unknown_params: ['a', 'b', 'c'] }],
    ['ERR-24', update({ input: { titel: 'x' } }), 'VALIDATION_UNKNOWN_FIELD',
      "Unknown field 'titel' in input for operation 'update_note'",
      { operation: 'update_note', unknown_fields: ['titel'], valid_fields: ['title', 'color', 'size', 'tags', 'metadata'] }],
    ['ERR-25', update({ input: { created_at: '2026-01-01T00:00:00Z' } }), 'VALIDATION_READ_ONLY_FIELD',
      "Field 'created_at' is read-only and cannot be updated", { field: 'created_at', operation: 'update_note' }],
    ['ERR-26', update({ input: { log: [] } }), 'VALIDATION_APPEND_ONLY',
      "Field 'log' is append-only; use 'append_log' instead", { field: 'log', alternative: 'append_log', operation: 'update_note' }],
    ['ERR-28', { operation: 'get_back', params: { place: '\ud800' } }, 'VALIDATION_INVALID_ENCODING',
      'Invalid character encoding in request', { location: 'params.place' }],
    ['ERR-28 U+0000', { operation: 'get_back', params: { place: 'a\0' } }, 'VALIDATION_INVALID_ENCODING',
      'Invalid character encoding in request', { location: 'place' }],
    ['ERR-29', { operation: 'get_back', params: { place: 'x'.repeat(1_048_577) } }, 'VALIDATION_PAYLOAD_TOO_LARGE',
      'Payload exceeds string_length limit of 1048576',
      { limit_type: 'string_length', limit_value: 1_048_576, actual_value: 1_048_577, unit: 'bytes' }],
    ['ERR-30 X-04', { operation: 'get_note_' }, 'NOT_FOUND_OPERATION',
      `Unknown operation: 'get_note_'. Did you mean get_note, delete_note, list_notes? Search with {"operation":"introspect","params":{"query":"search","text":"…"}} on ${READ}.`,
      { operation: 'get_note_', suggestions: ['get_note', 'delete_note', 'list_notes'] }],
    ['ERR-30 nothing is near', { operation: 'qqqqqqqq' }, 'NOT_FOUND_OPERATION',
      `Unknown operation: 'qqqqqqqq'. Search with {"operation":"introspect","params":{"query":"search","text":"…"}} on ${READ}.`,
      { operation: 'qqqqqqqq' }],
    ['ERR-31', { operation: 'get_note', params: { note_id: 'n9' } }, 'NOT_FOUND_RESOURCE',
      "Resource 'note' not found: 'n9'", { resource_type: 'note', resource_id: 'n9' }],
    ['ERR-32', { operation: 'get_denied' }, 'PERMISSION_DENIED',
      "Permission denied: 'an operation policy of this server denies it'",
      { reason: 'an operation policy of this server denies it', operation: 'get_denied' }],
    ['ERR-36', { operation: 'get_existing' }, 'CONFLICT_ALREADY_EXISTS',
      "Note 'n1' already exists", { resource_type: 'note', resource_id: 'n1' }],
    ['ERR-37', update({ input: {}, if_match: 7 }), 'CONFLICT_VERSION_MISMATCH',
      "Version mismatch for 'n1'", { resource_type: 'Note', resource_id: 'n1', expected_version: 7, actual_version: 1 }],
    ['ERR-46 a time-out', { operation: 'get_slowly' }, 'INTERNAL_ERROR',
      "Internal error: 'no answer within 50 ms'", { cause_code: 'TIMEOUT' }, true],
    ['ERR-02 a code of the adapter’s own', { operation: 'get_own_code' }, 'CONFLICT_NOTE_LOCKED', 'The note is locked', { note_id: 'n1' }],
  ])('%s', async (_, args, code, message, details, isError = false) => {
    const { result, isError: marked } = await ask(args)
    expect([result.error?.code, result.error?.message]).toEqual([code, message])
    expect(result.error?.details).toMatchObject(details)
    expect(marked).toBe(isError)
  })

  // biome-ignore format: one row a case
  test.each([
    ['ERR-27 X-05', 'create_note', READ, 'CREATE', 'READ', 'note_book_mcpaql_create'],
    ['ERR-27 the other way', 'introspect', 'note_book_mcpaql_delete', 'READ', 'DELETE', READ],
  ])('%s', async (_, operation, tool, expected_endpoint, actual_endpoint, expected_tool) => {
    const { result, isError } = await ask({ operation, params: {} }, tool)
    expect(result.error).toEqual({
      code: 'VALIDATION_ENDPOINT_MISMATCH',
      message: `Operation '${operation}' must use ${expected_endpoint} endpoint, not ${actual_endpoint}`,
      details: { operation, expected_endpoint, actual_endpoint, expected_tool, actual_tool: tool },
    })
    expect(isError).toBe(false)
  })

  test('ERR-38', async () => {
    const { data } = await world.call({ operation: 'export_notes', params: { steps: 1 } })
    const { execution_id } = data as { execution_id: string }
    const done = async () => (await world.call({ operation: 'get_execution', params: { execution_id } })).data
    await expect.poll(done, { timeout: 10_000 }).toMatchObject({ status: 'completed' })
    const { result, isError } = await ask({ operation: 'cancel_execution', params: { execution_id } })
    expect(result.error).toEqual({
      code: 'CONFLICT_INVALID_STATE',
      message: "Operation 'cancel_execution' is not allowed in state 'completed'",
      details: { operation: 'cancel_execution', execution_id, state: 'completed', allowed: [] },
    })
    expect(isError).toBe(false)
  })
})

describe('what nobody expected', () => {
  test.each([
    ['get_error'],
    ['get_string'],
    ['get_rejection'],
    ['get_circle'],
    ['get_trap'],
    ['get_bad_code'],
    ['explode_note'],
  ])('ERR-04 ERR-46 %s: a neutral answer, the cause in the log under its reference', async (operation) => {
    world.logged.length = 0
    const { result, isError } = await ask({ operation })
    const [, reference] =
      /^Internal error: 'unexpected failure, reference ([0-9a-f]{12})'$/.exec(result.error?.message ?? '') ?? []
    expect(result.error).toEqual({
      code: 'INTERNAL_ERROR',
      message: `Internal error: 'unexpected failure, reference ${reference}'`,
      details: { session_id: world.session.id },
    })
    expect(isError).toBe(true)
    expect(world.logged).toMatchObject([{ level: 'error', reference }])
  })

  test('ERR-04 the log has the cause', async () => {
    world.logged.length = 0
    await ask({ operation: 'get_error' })
    expect(world.logged).toEqual([
      expect.objectContaining({
        message:
          "TypeError: Cannot read properties of undefined (reading 'x') at Object.<anonymous> (/src/secret.ts:12:3)",
        stack: expect.stringContaining('errors.test.ts'),
        operation: 'get_error',
      }),
    ])
  })

  test('ERR-04 the error of an execution is as neutral', async () => {
    const { data } = await world.call({ operation: 'export_notes', params: { steps: 1, break_at: 1 } })
    const { execution_id } = data as { execution_id: string }
    const state = async () => (await world.call({ operation: 'get_execution', params: { execution_id } })).data
    await expect.poll(state, { timeout: 10_000 }).toMatchObject({
      status: 'failed',
      error: {
        code: 'INTERNAL_ERROR',
        message: expect.stringMatching(/^Internal error: 'unexpected failure, reference [0-9a-f]{12}'$/),
      },
    })
  })

  test('ERR-04 a store that fails under running work reaches the log and nobody else', async () => {
    const store = createMemoryStore()
    let isDown = false
    const update: typeof store.update = (records, change) =>
      isDown ? Promise.reject(new Error('store is down')) : store.update(records, change)
    const { call, logged } = await openWorld({ store: { ...store, update } })
    expect((await call({ operation: 'export_notes', params: { steps: 2 } })).success).toBe(true)
    isDown = true
    await expect.poll(() => logged.length, { timeout: 10_000 }).toBeGreaterThan(1)
    expect(logged).toContainEqual(expect.objectContaining({ level: 'error', message: 'Error: store is down' }))
    expect((await call({ operation: 'export_notes' })).error?.message).toMatch(
      /^Internal error: 'nothing was run, because [^']*, reference \w+'$/,
    )
  })

  test('ERR-47 X-28 a registry that cannot be read', async () => {
    world.logged.length = 0
    broken = true
    const { result, isError } = await ask({
      operation: 'introspect',
      params: { query: 'operations', name: 'get_fragile' },
    })
    broken = false
    const { reference } = world.logged[0] as { reference: string }
    expect(result).toEqual({
      success: false,
      error: {
        code: 'INTROSPECTION_ERROR',
        message: `The operation registry could not be read, reference ${reference}`,
      },
    })
    expect(isError).toBe(true)
    expect(world.logged).toMatchObject([{ message: 'RangeError: registry broken in /src/core/registry.ts:12' }])
  })
})

describe('isError', () => {
  // biome-ignore format: one row a case
  test.each([
    ['ERR-07 a success', { operation: 'list_notes' }, false],
    ['ERR-07 a success with warnings', { operation: 'find_notes' }, false],
    ['ERR-07 a batch of failures', { operations: [{ operation: 'get_error' }] }, false],
    ['ERR-07 X-21 a failure of the agent’s', { operation: 'get_note' }, false],
    ['ERR-07 X-21 a wrong parameter', { operation: 'get_note', params: { note_id: 1 } }, false],
    ['ERR-07 X-21 an unknown operation', { operation: 'nope' }, false],
    ['ERR-07 X-21 the shape: no operation', {}, true],
    ['ERR-07 X-21 the shape: a wrong type', { operation: 1 }, true],
    ['ERR-07 X-21 the shape: params', { operation: 'list_notes', params: 1 }, true],
    ['ERR-07 X-21 the shape: an empty batch', { operations: [] }, true],
    ['ERR-07 X-21 the shape: a batch that is none', { operations: {} }, true],
    ['ERR-07 X-21 the shape: an entry', { operations: [{}] }, true],
    ['ERR-07 X-21 the shape: both', { operation: 'list_notes', operations: [] }, true],
    ['ERR-07 an internal error', { operation: 'get_error' }, true],
    ['ERR-07 ERR-02 an internal one of the adapter’s own', { operation: 'get_own_fault' }, true],
    ['ERR-07 ERR-02 a conflict of the adapter’s own', { operation: 'get_own_code' }, false],
  ])('%s', async (_, args, wanted) => {
    expect((await ask(args)).isError).toBe(wanted)
  })
})

describe('codes of an adapter’s own', () => {
  const errors = { CONFLICT_NOTE_LOCKED: 'Somebody edits the note.', INTERNAL_BACKEND_DOWN: 'The back-end is down.' }

  test('ERR-02 are documented as a type', async () => {
    const { call } = await openWorld({}, (adapter) => ({ ...adapter, errors }))
    const { data } = await call({ operation: 'introspect', params: { query: 'types', name: 'ErrorCode' } })
    expect(data).toEqual({
      type: {
        name: 'ErrorCode',
        kind: 'enum',
        description: 'CONFLICT_NOTE_LOCKED: Somebody edits the note. INTERNAL_BACKEND_DOWN: The back-end is down.',
        values: ['CONFLICT_NOTE_LOCKED', 'INTERNAL_BACKEND_DOWN'],
      },
    })
  })

  test.each(['NOTE_LOCKED', 'conflict_note_locked', 'CONFLICT-X', 'VALIDATION_INVALID_TYPE', 'LOCKED_CONFLICT_'])(
    'ERR-02 X-36 %s is none that an adapter may have',
    async (code) => {
      await expect(openWorld({}, (adapter) => ({ ...adapter, errors: { [code]: 'x' } }))).rejects.toThrow(
        `Adapter 'note-book': error code ${code} must be one of its own and begin with one of VALIDATION_ NOT_FOUND_ PERMISSION_ CONFLICT_ RATE_LIMIT_ TOKEN_ INTERNAL_`,
      )
    },
  )

  // biome-ignore format: a table reads by columns
  test.each([
    'VALIDATION_NOTE', 'NOT_FOUND_NOTE', 'PERMISSION_NOTE', 'CONFLICT_NOTE', 'RATE_LIMIT_NOTE', 'TOKEN_NOTE', 'INTERNAL_NOTE',
  ])('ERR-02 %s begins as it should', (code) => {
    expect(failWith(code, 'm').error).toEqual({ code, message: 'm' })
  })

  test.each(['NOTE', 'Conflict_NOTE', 'CONFLICT NOTE', '', 'BATCH_PARTIAL_FAILURE'])('ERR-02 %j does not', (code) => {
    expect(() => failWith(code, 'm')).toThrow('must be UPPER_SNAKE and begin with one of')
  })
})

describe('warnings of the registry', () => {
  // biome-ignore format: one row a case
  test.each([
    ['ERR-49 X-34 within 30 days it is high', { removal: '2026-12-15', replacement: 'list_notes', guide: 'see the guide' }, 'high', { replacement: 'list_notes', removal_date: '2026-12-15', migration_guide: 'see the guide' }],
    ['ERR-49 before that medium', { removal: '2026-12-17' }, 'medium', { removal_date: '2026-12-17' }],
    ['ERR-49 past it is high', { removal: '2020-01-01' }, 'high', { removal_date: '2020-01-01' }],
    ['ERR-49 without a date low', {}, 'low', {}],
  ])('%s', async (_, deprecated, severity, more) => {
    const { call } = await openWorld({}, adding(
      echo('get_old', {}, { deprecated }),
      echo('get_back', { word: { type: 'string', deprecated }, kept: { type: 'string', default: 'x', deprecated } }),
    ))
    expect((await call({ operation: 'get_old' })).warnings).toEqual([
      { code: 'DEPRECATION_WARNING', message: "Operation 'get_old' is deprecated", details: { type: 'operation', deprecated_item: 'get_old', ...more }, severity },
    ])
    expect((await call({ operation: 'get_back', params: { word: 'a' } })).warnings).toEqual([
      { code: 'DEPRECATION_WARNING', message: "Parameter 'word' is deprecated", details: { type: 'parameter', deprecated_item: 'word', ...more }, severity },
    ])
    expect(await call({ operation: 'get_back' })).toEqual({ success: true, data: { kept: 'x' } })
  })

  // biome-ignore format: a table reads by columns
  test.each([
    ['ERR-50 more than half is gone: medium', 500, 150, 'medium'],
    ['ERR-50 less is gone: low',              150, 450, 'low'],
  ])('%s', async (_, size, max_tokens, severity) => {
    const { warnings } = await world.call({ operation: 'get_everything', params: { size, max_tokens } })
    const [cut] = warnings ?? []
    const limit = cut?.details?.limit as number
    expect(cut).toEqual({
      code: 'VALIDATION_TRUNCATED_WARNING',
      message: `Response truncated to ${limit} items`,
      details: { field: 'list', original_count: size, truncated_count: limit, limit, rest: expect.stringMatching(/^rest_/) },
      severity,
    })
  })

  // biome-ignore format: a table reads by columns
  test.each([
    ['ERR-51 below twice low',       1_999,  'low'],
    ['ERR-51 from twice medium',     2_000,  'medium'],
    ['ERR-51 to ten times medium',   10_000, 'medium'],
    ['ERR-51 above ten times high',  10_001, 'high'],
    ['ERR-51 the threshold is fine', 1_000,  undefined],
  ])('%s', async (_, duration_ms, severity) => {
    let now = Date.parse('2026-11-16T00:00:00Z')
    const slow = echo('get_slow', {}, {
      handler: () => {
        now += duration_ms
        return {}
      },
    })
    const { call } = await openWorld({ slowMs: 1_000, clock: { now: () => now } }, adding(slow))
    expect((await call({ operation: 'get_slow' })).warnings).toEqual(
      severity && [
        {
          code: 'PERFORMANCE_SLOW_QUERY_WARNING',
          message: `Operation took ${duration_ms}ms (threshold: 1000ms)`,
          details: { operation: 'get_slow', duration_ms, threshold_ms: 1_000 },
          severity,
        },
      ],
    )
  })
})

describe('the sweep', () => {
  const entries = [
    { operation: 'get_note', params: { note_id: 'n9' } },
    { operation: 'get_back', params: { place: { $ref: '0.data.id' } } },
    { operation: 'get_back', params: { place: { $ref: '9.data' } } },
    { operation: 'get_back', params: { place: { $ref: 7 } } },
    { operation: 'list_notes' },
    { operation: 'get_back', params: { place: { $ref: '4.data.nothing' } } },
    { operation: 'list_notes', params: { filter: { nope: 1 } } },
    { operation: 'list_notes', params: { sort: { field: 'nope' } } },
    { operation: 'list_notes', params: { first: 1, last: 1 } },
    { operation: 'list_notes', params: { after: 'x', first: 1 } },
    { operation: 'list_notes', params: { fields: 'nope' } },
    { operation: 'introspect', params: { query: 'search' } },
    { operation: 'introspect', params: { query: 'search', text: [] } },
    { operation: 'introspect', params: { query: 'rest' } },
    { operation: 'introspect', params: { query: 'rest', name: 'rest_nope' } },
    { operation: 'introspect', params: { query: 'operations', after: 'nope' } },
    { operation: 'get_execution', params: { execution_id: 'nope' } },
  ]

  test('ERR-01 ERR-03 ERR-04 ERR-05 no failure says more than it should', async () => {
    const { results } = await world.call({ operations: entries })
    const failures = (results as { result: Answered }[]).map(({ result }) => result).filter(({ success }) => !success)
    expect(failures).toHaveLength(entries.length - 1)
    for (const args of [
      { operations: Array(51).fill({ operation: 'x' }) },
      { operations: [{ operation: 'create_note' }], parallel: true },
    ])
      await ask(args)
    expect(seen.length).toBeGreaterThan(50)
    for (const { error } of [...seen, ...failures]) {
      expect(Object.keys(error ?? {}).filter((key) => !['code', 'message', 'details'].includes(key))).toEqual([])
      expect(error?.code).toMatch(/^(VALIDATION|NOT_FOUND|PERMISSION|CONFLICT|INTERNAL|INTROSPECTION)_[A-Z_]+$/)
      expect(error?.message).not.toMatch(/at\s+\S+/i)
      const text = JSON.stringify(error)
      expect(text).not.toMatch(/\.[cm]?[jt]s:\d|\/src\/|\/node_modules\/|\/work\/|file:\/\//)
      expect(text).not.toMatch(/\b(?:Type|Range|Syntax|Reference)Error\b|<anonymous>|\[object |undefined|Repository/)
    }
  })
})
