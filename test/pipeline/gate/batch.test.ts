import { describe, expect, test } from 'vitest'
import { type Demand, decide, withToken } from '../../approve.ts'
import type { Answered } from '../../notes.ts'
import { asking, DELETING, type GateWorld, openGateWorld } from './gate-world.ts'

interface Halted extends Answered {
  readonly results: readonly { readonly index: number; readonly result: Answered }[]
  readonly halted_at: { readonly index: number; readonly operation: string; readonly result: Answered }
  readonly pending_operations: readonly { readonly index: number; readonly params?: object }[]
  readonly summary: unknown
}

const single = () => openGateWorld({ mode: 'single' })
const run = async (world: GateWorld, ...operations: object[]) => (await world.call({ operations })) as Halted
const demandIn = ({ halted_at }: Halted) => halted_at.result.error?.details as unknown as Demand

describe('BATCH-07 BATCH-08 a gated entry halts the batch', () => {
  test('earlier results stay, later entries do not run', async () => {
    const world = await single()
    const { result, isError } = await world.ask({ operations: [asking('create_thing'), DELETING, asking('get_thing')] })
    const answer = result as Halted
    expect([answer.success, isError]).toEqual([true, false])
    expect(answer.summary).toEqual({ total: 3, succeeded: 1, failed: 0, halted: 1, pending: 1 })
    expect(answer.results.map(({ index }) => index)).toEqual([0])
    expect([answer.halted_at.index, answer.halted_at.operation]).toEqual([1, 'delete_thing'])
    expect(answer.pending_operations).toEqual([{ index: 2, operation: 'get_thing', params: { thing: 'a' } }])
    expect(world.ran.map(([name]) => name)).toEqual(['create_thing'])
  })

  test('RES-03 X-13 X-17 the entry holds no confirmation object, and the batch no metadata', async () => {
    const answer = await run(await single(), DELETING)
    expect(Object.keys(answer.halted_at.result)).toEqual(['success', 'error'])
    expect(Object.keys(answer).filter((key) => ['_meta', 'warnings', 'confirmation'].includes(key))).toEqual([])
  })

  test('a refusal is a failure like any other, and the rest runs', async () => {
    const world = await openGateWorld({ mode: 'single', policies: [{ operation: 'delete_*', permission: 'deny' }] })
    const { summary } = await run(world, DELETING, asking('get_thing'))
    expect(summary).toEqual({ total: 2, succeeded: 1, failed: 1 })
  })
})

describe('BATCH-09 going on', () => {
  test('with the halted entry first, carrying its token', async () => {
    const world = await single()
    const { approval_id, confirmation_token } = demandIn(await run(world, DELETING, asking('get_thing')))
    await decide(world.runtime, approval_id)
    const { summary } = await run(world, withToken(DELETING, confirmation_token), asking('get_thing'))
    expect(summary).toEqual({ total: 2, succeeded: 2, failed: 0 })
    expect(world.ran.map(([name]) => name)).toEqual(['delete_thing', 'get_thing'])
  })

  test('the token belongs to the entry, not to the batch', async () => {
    const world = await single()
    const { approval_id, confirmation_token } = demandIn(await run(world, DELETING))
    await decide(world.runtime, approval_id)
    expect(await world.outcome(withToken(DELETING, confirmation_token))).toBe('done')
  })

  test('TOK-19 two entries, two tokens, two approvals', async () => {
    const world = await single()
    const other = asking('delete_thing', { thing: 'b' })
    const first = demandIn(await run(world, DELETING, other))
    await decide(world.runtime, first.approval_id)
    const again = await run(world, withToken(DELETING, first.confirmation_token), other)
    expect(again.summary).toEqual({ total: 2, succeeded: 1, failed: 0, halted: 1, pending: 0 })
    expect(demandIn(again).confirmation_token).not.toBe(first.confirmation_token)
    expect(world.ran).toHaveLength(1)
  })

  test('the resolved parameters are told, and bound', async () => {
    const world = await single()
    const creating = asking('create_thing', { thing: 'x' })
    const byReference = asking('delete_thing', { thing: { $ref: '0.data.did' } })
    const answer = await run(world, creating, byReference, asking('get_thing', { thing: { $ref: '0.data.did' } }))
    const { params, approval_id, confirmation_token } = demandIn(answer)
    expect(params).toEqual({ thing: 'create_thing', speed: 'slow' })
    expect(answer.pending_operations).toMatchObject([{ params: { thing: 'create_thing' } }])
    await decide(world.runtime, approval_id)
    expect(
      await world.outcome(withToken({ operation: 'delete_thing', params: params as object }, confirmation_token)),
    ).toBe('done')
  })

  test('a reference beside a token is refused', async () => {
    const world = await single()
    const { approval_id, confirmation_token } = demandIn(
      await run(world, asking('delete_thing', { thing: 'create_thing' })),
    )
    await decide(world.runtime, approval_id)
    const byReference = asking('delete_thing', { thing: { $ref: '0.data.did' } })
    const { results } = await run(world, asking('create_thing'), withToken(byReference, confirmation_token))
    expect(results[1]?.result.error?.code).toBe('VALIDATION_INVALID_VALUE')
    expect(world.ran.map(([name]) => name)).toEqual(['create_thing'])
  })

  test('nor does a reference bring one', async () => {
    const handler = () => ({ asked: { thing: 'a', confirmation_token } })
    const world = await openGateWorld({ mode: 'single' }, [{ name: 'get_asked', category: 'READ', handler }])
    const { approval_id, confirmation_token } = await world.demand(DELETING)
    await decide(world.runtime, approval_id)
    const { results } = await run(world, asking('get_asked'), {
      operation: 'delete_thing',
      params: { $ref: '0.data.asked' },
    })
    expect(results.map(({ result }) => result.error?.code)).toEqual([undefined, 'VALIDATION_INVALID_VALUE'])
    expect(world.ran).toEqual([])
  })

  test('sensitive values are masked in what is told, and bound all the same', async () => {
    const params = { thing: { type: 'string', required: true }, code: { type: 'string', sensitive: true } } as const
    const world = await openGateWorld({ mode: 'single' }, [{ name: 'delete_secretly', category: 'DELETE', params }])
    const args = { operation: 'delete_secretly', params: { thing: 'a', code: 'S3CRET-code' } }
    const { text, result } = await world.ask({ operations: [args] })
    expect(text).not.toContain('S3CRET-code')
    const { approval_id, confirmation_token, params: told } = demandIn(result as Halted)
    expect(told).toEqual({ thing: 'a', code: '***' })
    await decide(world.runtime, approval_id)
    expect(await world.outcome(withToken({ ...args, params: told as object }, confirmation_token))).toBe(
      'TOKEN_SCOPE_MISMATCH',
    )
    expect(await world.outcome(withToken(args, confirmation_token))).toBe('done')
  })

  test('what is pending comes back wherever its parameters stood, under the names of introspection', async () => {
    const world = await single()
    const { pending_operations } = await run(
      world,
      DELETING,
      { operation: 'get_thing', thing: 'out' },
      { operation: 'get_thing', thing: 'out', params: { thing: 'in', _confirmation: 'conf_x' } },
      { operation: 'get_nothing', thing: 'out', _id: 'x' },
      { operation: 'get_thing' },
    )
    expect(pending_operations).toEqual([
      { index: 1, operation: 'get_thing', params: { thing: 'out' } },
      { index: 2, operation: 'get_thing', params: { thing: 'in', _confirmation: 'conf_x' } },
      { index: 3, operation: 'get_nothing', params: { thing: 'out' } },
      { index: 4, operation: 'get_thing' },
    ])
  })

  test('REQ-11 a parameter with another name inside is told by the name that can be sent again', async () => {
    const params = { thing_id: { type: 'string', required: true, mapTo: 'id' } } as const
    const world = await openGateWorld({ mode: 'single' }, [{ name: 'delete_mapped', category: 'DELETE', params }])
    const args = { operation: 'delete_mapped', params: { thingId: 'a' } }
    const { params: told, approval_id, confirmation_token } = demandIn(await run(world, args))
    expect(told).toEqual({ thing_id: 'a' })
    await decide(world.runtime, approval_id)
    const again = { operation: 'delete_mapped', params: told as object }
    expect(await world.outcome(withToken(again, confirmation_token))).toBe('done')
  })

  // biome-ignore format: one row a case
  test.each([
    ['in params', { params: { thing: 'a', pass_code: 'S3CRET-code' } }],
    ['beside them', { thing: 'a', pass_code: 'S3CRET-code' }],
    ['in camelCase', { params: { thing: 'a', passCode: 'S3CRET-code' } }],
  ])('sensitive values are masked in what is pending, %s', async (_, given) => {
    const code = { type: 'string', sensitive: true, mapTo: 'code' } as const
    const params = { thing: { type: 'string', required: true }, pass_code: code } as const
    const world = await openGateWorld({ mode: 'single' }, [{ name: 'create_secretly', params }])
    const { pending_operations } = await run(world, DELETING, { operation: 'create_secretly', ...given })
    expect(pending_operations).toMatchObject([{ params: { thing: 'a', pass_code: '***' } }])
  })

  test('in what is pending too', async () => {
    const params = { thing: { type: 'string', required: true }, code: { type: 'string', sensitive: true } } as const
    const world = await openGateWorld({ mode: 'single' }, [{ name: 'create_secretly', params }])
    const { text } = await world.ask({
      operations: [DELETING, { operation: 'create_secretly', params: { thing: 'a', code: 'S3CRET-code' } }],
    })
    expect(text).not.toContain('S3CRET-code')
  })
})
