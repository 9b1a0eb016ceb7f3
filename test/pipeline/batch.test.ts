import { describe, expect, test } from 'vitest'
import { type BatchSettings, runBatch, runParallel } from '../../src/core/pipeline/batch.ts'
import { fail } from '../../src/protocol/errors.ts'
import { isFailure, type OperationResult } from '../../src/protocol/result.ts'
import { decide, demandOf, withToken } from '../approve.ts'
import { type Answered, adding, echo, openWorld } from '../notes.ts'
import { checkResult } from '../schemas.ts'

interface Entry {
  readonly index: number
  readonly operation: string
  readonly result: Answered
}

const entriesOf = ({ results }: Answered) => results as readonly Entry[]
const READ = 'note_book_mcpaql_read'
const ANY = echo('get_back', {
  value: { type: 'string | number | boolean | object | array | null' },
  word: { type: 'string' },
})
const CIRCLE = echo(
  'get_circle',
  {},
  {
    handler: () => {
      const circle: Record<string, unknown> = {}
      circle.self = circle
      return circle
    },
  },
)
const BIG = echo(
  'get_big',
  {},
  { handler: () => ({ big: 2n ** 64n, when: new Date(0), list: [1, 2], deep: { a: null } }) },
)
const world = await openWorld({}, adding(ANY, CIRCLE, BIG))
const back = (value: unknown) => ({ operation: 'get_back', params: { value } })

describe('the request', () => {
  test('BATCH-01 entries place their parameters like a single request', async () => {
    const answer = await world.call({
      operations: [
        { operation: 'get_back', word: 'out' },
        { operation: 'get_back', params: { word: 'in' }, word: 'out' },
        { operation: 'get_back' },
      ],
    })
    expect(entriesOf(answer).map(({ result }) => result.data)).toEqual([{ word: 'out' }, { word: 'in' }, {}])
  })

  test.each([[true], [false]])('BATCH-01 capabilities.batch says %s, and so it is', async (batch) => {
    const { call, ask } = await openWorld({ batch })
    const { data } = await call({ operation: 'introspect', params: { query: 'operations' } })
    expect((data as { _protocol: { capabilities: unknown } })._protocol.capabilities).toMatchObject({ batch })
    const { result, isError } = await ask({ operations: [{ operation: 'list_notes' }] })
    expect([result.success, isError]).toEqual([batch, !batch])
  })

  // biome-ignore format: one row a case
  test.each([
    ['BATCH-02 no list', { operations: { 0: {} } }, 'VALIDATION_INVALID_TYPE', 'operations'],
    ['BATCH-02 null', { operations: null }, 'VALIDATION_INVALID_TYPE', 'operations'],
    ['BATCH-02 empty', { operations: [] }, 'VALIDATION_INVALID_VALUE', 'operations'],
    ['BATCH-02 beside operation', { operation: 'list_notes', operations: [{ operation: 'list_notes' }] }, 'VALIDATION_INVALID_VALUE', 'operations'],
    ['BATCH-02 an entry without an operation', { operations: [creating('A'), {}] }, 'VALIDATION_MISSING_PARAM', 'operations[1].operation'],
    ['BATCH-02 an entry whose operation is no string', { operations: [creating('A'), { operation: 7 }] }, 'VALIDATION_MISSING_PARAM', 'operations[1].operation'],
    ['BATCH-02 an entry whose operation is empty', { operations: [creating('A'), { operation: '' }] }, 'VALIDATION_INVALID_VALUE', 'operations[1].operation'],
    ['BATCH-02 an entry that is no object', { operations: [creating('A'), 'list_notes'] }, 'VALIDATION_INVALID_TYPE', 'operations[1]'],
    ['BATCH-02 an entry whose params are no object', { operations: [creating('A'), { operation: 'list_notes', params: [] }] }, 'VALIDATION_INVALID_TYPE', 'operations[1].params'],
    ['BATCH-02 parallel that is no boolean', { operations: [creating('A')], parallel: 1 }, 'VALIDATION_INVALID_TYPE', 'parallel'],
    ['BATCH-02 VAL-05 a parameter beside the entries', { operations: [creating('A')], dry_run: true, _request_id: 'r' }, 'VALIDATION_UNKNOWN_PARAM', undefined],
    ['BATCH-02 VAL-05 params beside the entries', { operations: [creating('A')], params: { title: 'B' } }, 'VALIDATION_UNKNOWN_PARAM', undefined],
    ['BATCH-02 too many', { operations: Array(51).fill(creating('A')) }, 'VALIDATION_INVALID_VALUE', 'operations'],
  ])('%s: nothing runs', async (_, args, code, param_name) => {
    const { ask, calls } = await openWorld()
    const { result, isError } = await ask(args, 'note_book_mcpaql_create')
    expect([result.success, result.error?.code, result.error?.details?.param_name]).toEqual([false, code, param_name])
    expect([isError, calls]).toEqual([true, []])
  })

  test('BATCH-02 VAL-05 ERR-23 what stands beside the entries is named, with its place', async () => {
    const { call } = await openWorld()
    const { error } = await call({ operations: [{ operation: 'list_notes' }], dry_run: true, params: {} })
    expect(error).toEqual({
      code: 'VALIDATION_UNKNOWN_PARAM',
      message:
        "Unknown parameter 'dry_run' for operation 'operations' (and 1 other(s)). Valid parameters: operations, parallel",
      details: {
        operation: 'operations',
        unknown_params: ['dry_run', 'params'],
        valid_params: ['operations', 'parallel'],
        hint: 'Parameters of an operation stand in its entry: {"operation":"…","params":{…}}.',
      },
    })
  })

  test('VAL-06 a lenient server passes over it and logs its name', async () => {
    const { call, logged } = await openWorld({ strict: false })
    const { success } = await call({ operations: [{ operation: 'list_notes' }], dry_run: true })
    expect([success, logged]).toEqual([
      true,
      [
        {
          level: 'warning',
          message: 'Unknown parameters were ignored',
          operation: 'operations',
          unknown_params: ['dry_run'],
        },
      ],
    ])
  })

  test('BATCH-02 an entry without an operation is told what to send', async () => {
    const { call } = await openWorld()
    expect((await call({ operations: [{}] })).error?.message).toBe(
      "Missing required parameter 'operations[0].operation'. Expected: string, the name of an operation; introspect lists them",
    )
  })

  test('BATCH-02 X-18 the number of entries is a setting', async () => {
    const { call } = await openWorld({ maxBatch: 2 })
    const of = (count: number) => call({ operations: Array(count).fill({ operation: 'list_notes' }) })
    expect((await of(2)).success).toBe(true)
    expect((await of(3)).error).toEqual({
      code: 'VALIDATION_INVALID_VALUE',
      message: "Parameter 'operations' has an invalid value. Expected: no more than 2 entries",
      details: { param_name: 'operations', constraint: 'no more than 2 entries' },
    })
  })
})

describe('the answer', () => {
  test('BATCH-03 BATCH-04 BATCH-06 X-16 X-18 success, null, results in order, a summary', async () => {
    const { ask } = await openWorld()
    const { result, isError } = await ask(
      { operations: [creating('A'), { operation: 'create_note' }, creating('B')] },
      'note_book_mcpaql_create',
    )
    expect(isError).toBe(false)
    expect(result).toEqual({
      success: true,
      data: null,
      results: [
        {
          index: 0,
          operation: 'create_note',
          result: { success: true, data: { id: 'n1', title: 'A', color: 'red', _version: 1 } },
        },
        {
          index: 1,
          operation: 'create_note',
          result: { success: false, error: expect.objectContaining({ code: 'VALIDATION_MISSING_PARAM' }) },
        },
        {
          index: 2,
          operation: 'create_note',
          result: { success: true, data: { id: 'n2', title: 'B', color: 'red', _version: 1 } },
        },
      ],
      summary: { total: 3, succeeded: 2, failed: 1 },
    })
  })

  test('BATCH-03 X-18 even where everything failed', async () => {
    const { result, isError } = await world.ask({ operations: [{ operation: 'nope' }, { operation: 'get_note' }] })
    expect([result.success, result.data, isError]).toEqual([true, null, false])
    expect(result.summary).toEqual({ total: 2, succeeded: 0, failed: 2 })
  })

  test('BATCH-04 X-17 an entry carries neither warnings nor metadata', async () => {
    const answer = await world.call({
      operations: [{ operation: 'find_notes', _request_id: 'r', _meta: { tokens: true } }],
    })
    expect(Object.keys(entriesOf(answer)[0]?.result ?? {})).toEqual(['success', 'data'])
    expect(answer.warnings).toHaveLength(1)
  })

  test('BATCH-05 one after the other, in order, whatever fails', async () => {
    const log: string[] = []
    const step = echo(
      'get_step',
      { name: { type: 'string' }, wait: { type: 'integer', default: 0 } },
      {
        handler: async ({ name, wait }) => {
          log.push(`begin ${name}`)
          await new Promise((resolve) => setTimeout(resolve, Number(wait)))
          log.push(`end ${name}`)
          if (name === 'b') throw new Error('b breaks')
          return name
        },
      },
    )
    const { call } = await openWorld({}, adding(step))
    const at = (name: string, wait: number) => ({ operation: 'get_step', params: { name, wait } })
    const answer = await call({ operations: [at('a', 30), at('b', 10), at('c', 0)] })
    expect(log).toEqual(['begin a', 'end a', 'begin b', 'end b', 'begin c', 'end c'])
    expect(entriesOf(answer).map(({ result }) => result.success)).toEqual([true, false, true])
  })

  test('BATCH-05 an answer that cannot be written down fails alone', async () => {
    const { result, isError } = await world.ask({
      operations: [back(1), { operation: 'get_circle' }, back({ $ref: '1.data' }), back(2)],
    })
    expect(isError).toBe(false)
    expect(entriesOf(result).map((entry) => entry.result.error?.code ?? entry.result.data)).toEqual([
      { value: 1 },
      'INTERNAL_ERROR',
      'VALIDATION_INVALID_VALUE',
      { value: 2 },
    ])
    expect(result.summary).toEqual({ total: 4, succeeded: 2, failed: 2 })
  })

  test('BATCH-11 an entry of another family is refused alone', async () => {
    const { call, calls } = await openWorld()
    const answer = await call(
      { operations: [{ operation: 'list_notes' }, creating('A'), { operation: 'list_notes' }] },
      READ,
    )
    expect(entriesOf(answer).map(({ result }) => result.error?.code ?? 'fine')).toEqual([
      'fine',
      'VALIDATION_ENDPOINT_MISMATCH',
      'fine',
    ])
    expect(calls).toEqual([])
  })

  test('BATCH-11 in single mode families mix', async () => {
    const { runtime, call } = await openWorld({ mode: 'single' })
    const deleting = { operation: 'delete_note', params: { note_id: 'n1' } }
    const demand = demandOf(await call(deleting))
    await decide(runtime, demand?.approval_id)
    const answer = await call({
      operations: [
        creating('A'),
        { operation: 'update_note', params: { note_id: 'n1', input: { title: 'B' } } },
        { operation: 'get_note', params: { note_id: 'n1' } },
        withToken(deleting, demand?.confirmation_token),
      ],
    })
    expect(answer.summary).toEqual({ total: 4, succeeded: 4, failed: 0 })
    expect(entriesOf(answer)[3]?.result.data).toEqual({ deleted: true })
    expect(entriesOf(answer)[2]?.result.data).toMatchObject({ title: 'B' })
  })
})

describe('references', () => {
  const following = async (...entries: readonly object[]) =>
    entriesOf(await world.call({ operations: entries })).at(-1)?.result

  // biome-ignore format: one row a case
  test.each([
    ['by position', [back({ a: { b: [10, 20] } }), back({ $ref: '0.data.value.a.b.1' })], 20],
    ['by _id', [{ ...back('x'), _id: 'first' }, back({ $ref: 'first.data.value' })], 'x'],
    ['the whole result', [back('x'), back({ $ref: '0' })], { success: true, data: { value: 'x' } }],
    ['inside an object', [back('x'), back({ a: [{ $ref: '0.data.value' }], b: 1 })], { a: ['x'], b: 1 }],
    ['a null', [back(null), back({ $ref: '0.data.value' })], null],
    ['of a reference', [back('x'), back({ $ref: '0.data.value' }), back({ $ref: '1.data.value' })], 'x'],
    ['as the caller reads it: a bigint', [{ operation: 'get_big' }, back({ $ref: '0.data.big' })], '18446744073709551616'],
    ['as the caller reads it: a time', [{ operation: 'get_big' }, back({ $ref: '0.data.when' })], '1970-01-01T00:00:00.000Z'],
    ['a literal', [back({ $literal: { $ref: '0.data' } })], { $ref: '0.data' }],
    ['a literal of a literal', [back({ $literal: { $literal: 1 } })], { $literal: 1 }],
    ['an object with more keys is none', [back({ $ref: 'x', other: 1 })], { $ref: 'x', other: 1 }],
    ['digits are a position, whatever an _id says', [back('zero'), { ...back('one'), _id: '0' }, back({ $ref: '0.data.value' })], 'zero'],
  ])('a reference: %s', async (_, entries, value) => {
    expect(await following(...entries)).toEqual({ success: true, data: { value } })
  })

  test('a reference beside the operation and for all params', async () => {
    expect(await following(back('x'), { operation: 'get_back', word: { $ref: '0.data.value' } })).toMatchObject({
      data: { word: 'x' },
    })
    expect(await following(back('x'), { operation: 'get_back', params: { $ref: '0.data' } })).toMatchObject({
      data: { value: 'x' },
    })
  })

  // biome-ignore format: one row a case
  test.each([
    ['to a later entry', [back({ $ref: '1.data' }), back(1)].slice(0, 1), 'a reference to an earlier entry of this batch, by index or _id'],
    ['to itself', [back({ $ref: '0.data' })], 'a reference to an earlier entry of this batch, by index or _id'],
    ['to nobody', [back({ $ref: 'nobody.data' })], 'a reference to an earlier entry of this batch, by index or _id'],
    ['to a failure', [{ operation: 'nope' }, back({ $ref: '0.data' })], "a reference to a successful entry; entry '0' failed"],
    ['to a path that is not there', [back(1), back({ $ref: '0.data.valeu' })], "an existing path; entry '0' has the keys value there"],
    ['beyond the end of a list', [back([1]), back({ $ref: '0.data.value.7' })], "an existing path; entry '0' has a list of 1 there"],
    ['into a plain value', [back('x'), back({ $ref: '0.data.value.length' })], "an existing path; entry '0' has a plain value there"],
    ['to a prototype', [back({}), back({ $ref: '0.data.value.constructor' })], "an existing path; entry '0' has the keys  there"],
    ['that is no text', [back({ $ref: 0 })], 'a reference such as "0.data.id"'],
  ])('a reference %s fails its entry, and nothing runs for it', async (_, entries, constraint) => {
    const failed = await following(...entries)
    expect(failed?.error).toEqual({
      code: 'VALIDATION_INVALID_VALUE',
      message: `Parameter 'operations[${entries.length - 1}].params.value' has an invalid value. Expected: ${constraint}`,
      details: { param_name: `operations[${entries.length - 1}].params.value`, constraint },
    })
  })

  test('params that a reference makes something else', async () => {
    const failed = await following(back([1]), { operation: 'get_back', params: { $ref: '0.data.value' } })
    expect(failed?.error).toMatchObject({
      code: 'VALIDATION_INVALID_TYPE',
      details: { param_name: 'operations[1].params', expected_type: 'object', actual_type: 'array' },
    })
  })

  test('what a reference brings is checked like anything else', async () => {
    const failed = await following(back(7), { operation: 'get_back', params: { word: { $ref: '0.data.value' } } })
    expect(failed?.error?.message).toBe("Parameter 'word' expected 'string', got 'number'")
  })

  test('DATA-08 references cannot grow beyond the limits of a request', async () => {
    const twice = (index: number) => back([{ $ref: `${index}.data.value` }, { $ref: `${index}.data.value` }])
    const entries = [back('x'.repeat(1_000)), ...Array.from({ length: 40 }, (_, index) => twice(index))]
    const results = entriesOf(await world.call({ operations: entries }))
    const codes = results.map(({ result }) => result.error?.details?.limit_type ?? result.error?.code ?? 'fine')
    expect(codes.slice(0, 9).every((code) => code === 'fine')).toBe(true)
    expect(['request_size', 'nesting_depth']).toContain(codes.find((code) => code !== 'fine'))
  })

  test('references in params that no entry runs with leave side effects out', async () => {
    const { call, calls } = await openWorld({ mode: 'single' })
    await call({ operations: [{ operation: 'create_note', params: { title: { $ref: 'nobody.data' } } }] })
    expect(calls).toEqual([])
  })
})

describe('parallel', () => {
  const slow = (log: string[]) =>
    echo(
      'get_step',
      { name: { type: 'string' }, wait: { type: 'integer' } },
      {
        handler: async ({ name, wait }) => {
          log.push(`begin ${name}`)
          await new Promise((resolve) => setTimeout(resolve, Number(wait)))
          log.push(`end ${name}`)
          return name
        },
      },
    )
  const at = (name: string, wait: number) => ({ operation: 'get_step', params: { name, wait } })

  test('READs run side by side on request, results in order', async () => {
    const log: string[] = []
    const { call } = await openWorld({}, adding(slow(log)))
    const answer = await call({ operations: [at('a', 40), at('b', 1)], parallel: true })
    expect(log).toEqual(['begin a', 'begin b', 'end b', 'end a'])
    expect(entriesOf(answer).map(({ result }) => result.data)).toEqual(['a', 'b'])
  })

  test('a batch that writes is refused as a whole', async () => {
    const { ask, calls } = await openWorld({ mode: 'single' })
    const { result, isError } = await ask({ operations: [{ operation: 'list_notes' }, creating('A')], parallel: true })
    expect(result.error?.message).toBe(
      "Parameter 'parallel' has an invalid value. Expected: READ operations only; 'create_note' is none",
    )
    expect([isError, calls]).toEqual([true, []])
  })

  test('side by side nobody is earlier', async () => {
    const { call } = await openWorld({}, adding(ANY))
    const answer = await call({ operations: [back(1), back({ $ref: '0.data.value' })], parallel: true })
    expect(entriesOf(answer)[1]?.result.error?.details?.constraint).toBe(
      'a reference to an earlier entry of this batch, by index or _id',
    )
  })
})

describe('an entry that waits for a human', () => {
  const details = {
    operation: 'b',
    danger_level: 'destructive',
    confirmation_token: 't',
    expires_at: '2026-11-16T00:05:00Z',
  }
  const waiting: OperationResult = {
    success: false,
    error: { code: 'CONFIRMATION_REQUIRED', message: 'This operation requires confirmation', details },
  }

  async function halting(): Promise<{ answer: unknown; ran: string[] }> {
    const ran: string[] = []
    const settings: BatchSettings = {
      handle: async ({ operation }) => {
        ran.push(operation)
        if (operation === 'b') return waiting
        return { success: true, data: operation, warnings: [{ code: 'VALIDATION_NOTE', message: 'x' }] }
      },
      checkSize: () => undefined,
      maxBytes: 1_000_000,
      maxResponse: 1_000_000,
      explain: () => fail('INTERNAL_ERROR', { description: 'no JSON' }),
      isStopped: () => false,
      now: () => 0,
      paramsOf: (_, { params }) => (params ?? {}) as Record<string, unknown>,
    }
    const entry = (operation: string, params?: object) => ({
      operation,
      fields: { operation, ...(params && { params }) },
    })
    const answered = await runBatch(
      [
        entry('a'),
        entry('b', { x: 1 }),
        entry('c', { y: { $ref: '0.data' } }),
        entry('d', { z: { $ref: '1.data' } }), // what did not run has nothing to refer to
        entry('e'),
      ],
      settings,
    )
    return { answer: isFailure(answered) ? answered : answered.done, ran }
  }

  test('BATCH-06 BATCH-07 BATCH-08 the batch halts there: earlier results stay, later entries are pending', async () => {
    const { answer, ran } = await halting()
    expect(ran).toEqual(['a', 'b'])
    expect(answer).toEqual({
      success: true,
      data: null,
      results: [{ index: 0, operation: 'a', result: { success: true, data: 'a' } }],
      summary: { total: 5, succeeded: 1, failed: 0, halted: 1, pending: 3 },
      halted_at: { index: 1, operation: 'b', result: waiting },
      pending_operations: [
        { index: 2, operation: 'c', params: { y: 'a' } },
        { index: 3, operation: 'd', params: { z: { $ref: '1.data' } } },
        { index: 4, operation: 'e' },
      ],
    })
  })

  test('X-17 a halted batch follows its schema: neither warnings nor metadata', async () => {
    const { answer } = await halting()
    expect(checkResult(JSON.parse(JSON.stringify(answer)))).toEqual([])
  })
})

describe('ATTACK-10 a batch and the other requests', () => {
  const entries = ['a', 'b', 'c'].map((operation) => ({ operation, fields: { operation } }))
  /** Each entry takes 10 ms of a clock of its own. */
  const settingsFor = (log: string[], maxResponse = 1_000_000): BatchSettings => ({
    now: () => log.length * 10,
    handle: async ({ operation }) => {
      log.push(operation)
      return { success: true, data: operation.repeat(80) }
    },
    checkSize: () => undefined,
    maxBytes: 1_000_000,
    maxResponse,
    explain: () => fail('INTERNAL_ERROR', { description: 'no JSON' }),
    isStopped: () => false,
    paramsOf: () => ({}),
  })

  test.each([
    ['one after the other', runBatch],
    ['side by side', runParallel],
  ])('%s, every entry that takes a while leaves them a turn', async (_, run) => {
    const log: string[] = []
    const turn = () => {
      log.push('other')
      if (log.length < 20) setImmediate(turn)
    }
    setImmediate(turn)
    await run(entries, settingsFor(log))
    expect(log.slice(0, log.indexOf('c') + 1)).toEqual(['a', 'other', 'b', 'other', 'c'])
  })

  test.each([
    ['one after the other', runBatch],
    ['side by side', runParallel],
  ])('DATA-10 %s, answers that are too large together are not kept, and all entries run', async (_, run) => {
    const log: string[] = []
    const answered = await run(entries, settingsFor(log, 150))
    expect(log).toEqual(['a', 'b', 'c'])
    expect(answered).toMatchObject({
      error: { code: 'VALIDATION_PAYLOAD_TOO_LARGE', details: { limit_type: 'response_size', limit_value: 150 } },
    })
  })

  test('what came after the limit was crossed cannot be referred to', async () => {
    const seen: unknown[] = []
    const settings: BatchSettings = {
      ...settingsFor([], 150),
      handle: async ({ fields }) => {
        seen.push(fields.params)
        return { success: true, data: 'x'.repeat(80) }
      },
    }
    const refer = (to: number) => ({
      operation: 'a',
      fields: { operation: 'a', params: { x: { $ref: `${to}.data` } } },
    })
    await runBatch([...entries, refer(0), refer(2)], settings)
    expect(seen.slice(3)).toEqual([{ x: 'x'.repeat(80) }])
  })

  test('a large request leaves them a turn between its stations', async () => {
    const { call } = await openWorld({ mode: 'single' })
    const turnsOf = async (count: number) => {
      let turns = 0
      const turn = () => {
        turns++
        timer = setImmediate(turn)
      }
      let timer = setImmediate(turn)
      const names = Array.from({ length: count }, (_, at) => [`k${at}`, 1])
      await call({ operation: 'create_note', params: Object.fromEntries(names) })
      clearImmediate(timer)
      return turns
    }
    expect(await turnsOf(3)).toBe(0)
    expect(await turnsOf(5_000)).toBeGreaterThanOrEqual(2)
  })
})

describe('a caller that has gone', () => {
  test('nothing more is begun', async () => {
    const controller = new AbortController()
    const ran: string[] = []
    const stop = echo(
      'get_stop',
      {},
      {
        handler: () => {
          ran.push('stop')
          controller.abort()
          return {}
        },
      },
    )
    const { runtime, session } = await openWorld({}, adding(stop))
    const operations = Array(3).fill({ operation: 'get_stop' })
    await runtime.call({ tool: READ, arguments: { operations }, session, signal: controller.signal })
    expect(ran).toEqual(['stop'])
  })
})

function creating(title: string) {
  return { operation: 'create_note', params: { title } }
}
