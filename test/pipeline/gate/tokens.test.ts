import { describe, expect, test } from 'vitest'
import type { DecisionParts } from '../../../src/core/ports/human.ts'
import { type Demand, decide, demandOf, withToken } from '../../approve.ts'
import { asking, DELETING, type GateWorld, openGateWorld, START } from './gate-world.ts'

const TOKEN = /^conf_[0-9a-f]{64}$/
const UNKNOWN = `conf_${'0'.repeat(64)}`

async function approvedToken(world: GateWorld, args: object = DELETING, parts: Partial<DecisionParts> = {}) {
  const { approval_id, confirmation_token } = await world.demand(args)
  expect(await decide(world.runtime, approval_id, parts)).toMatchObject({ kind: 'decided' })
  return confirmation_token
}

const redeem = (world: GateWorld, token: unknown, args: object = DELETING) => world.outcome(withToken(args, token))

describe('the demand', () => {
  test('TOK-02 TOK-05 ERR-35 X-13 RES-03 what the agent is told', async () => {
    const danger = { level: 'destructive', reasons: ['it is gone'], confirmation_message: 'Delete {thing}?' } as const
    const world = await openGateWorld({}, [{ name: 'delete_one', category: 'DELETE', danger }])
    const { result, isError } = await world.ask(asking('delete_one'))
    const { confirmation_token, approval_id } = demandOf(result) as Demand
    expect(confirmation_token).toMatch(TOKEN)
    expect(approval_id).toMatch(/^[0-9a-f]{16}$/)
    expect(isError).toBe(false)
    expect(result).toEqual({
      success: false,
      error: {
        code: 'CONFIRMATION_REQUIRED',
        message: 'This operation requires confirmation',
        details: {
          operation: 'delete_one',
          danger_level: 'destructive',
          reasons: ['it is gone'],
          confirmation_message: 'Delete a?',
          confirmation_token,
          expires_at: '2026-11-16T00:05:00Z',
          approval_id,
          waiting_for:
            'a human, but no approval channel is set up (console, terminal, elicitation). ' +
            'Tell the user; repeat with confirmation_token',
        },
      },
      confirmation: {
        token: confirmation_token,
        expires_at: '2026-11-16T00:05:00Z',
        message: 'Delete a?',
        reasons: ['it is gone'],
      },
    })
  })

  test('TOK-02 no two tokens are alike', async () => {
    const world = await openGateWorld()
    const tokens = new Set<string>()
    for (const thing of 'abcdefghij')
      tokens.add((await world.demand(asking('delete_thing', { thing }))).confirmation_token)
    expect(tokens.size).toBe(10)
  })

  test('TOK-03 the record on the server', async () => {
    const world = await openGateWorld()
    const { approval_id, confirmation_token } = await world.demand(DELETING)
    expect(await world.runtime.findRequest(approval_id, world.session)).toMatchObject({
      id: approval_id,
      kind: 'operation',
      token: confirmation_token,
      operation: 'delete_thing',
      paramsHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      adapter: 'note-book',
      session: world.session.id,
      issuedAt: START,
      expiresAt: START + 300_000,
      state: 'pending',
      level: 'destructive',
      reasons: ['DELETE operations are destructive unless declared otherwise'],
    })
  })
})

describe('redeeming', () => {
  test.each(['confirmation_token', '_confirmation'])(
    'TOK-06 REQ-07 as %s; the handler does not see it',
    async (name) => {
      const world = await openGateWorld()
      const token = await approvedToken(world)
      expect(await world.outcome(withToken(DELETING, token, name))).toBe('done')
      expect(world.ran).toEqual([['delete_thing', { thing: 'a', speed: 'slow' }]])
    },
  )

  test.each(['confirmation_token', '_confirmation'])('TOK-06 REQ-07 as %s beside params', async (name) => {
    const world = await openGateWorld()
    const token = await approvedToken(world)
    expect(await world.outcome({ ...DELETING, [name]: token })).toBe('done')
  })

  test('TOK-06 REQ-08 an operation with a parameter of that name takes its token as _confirmation only', async () => {
    const params = { confirmation_token: { type: 'string', required: true, description: 'Its own.' } } as const
    const world = await openGateWorld({}, [{ name: 'delete_own', category: 'DELETE', params }])
    const args = { operation: 'delete_own', params: { confirmation_token: 'mine' } }
    const token = await approvedToken(world, args)
    expect(await world.outcome(withToken(args, token))).toBe('CONFIRMATION_REQUIRED') // another value of the parameter
    expect(await world.outcome(withToken(args, token, '_confirmation'))).toBe('done')
    expect(world.ran).toEqual([['delete_own', { confirmation_token: 'mine' }]])
  })

  test('REQ-08 what can be gated lists confirmation_token, and nothing else takes it', async () => {
    const world = await openGateWorld(
      {
        policies: [
          { operation: 'create_thing', permission: 'confirm', conditions: [{ param: 'count', op: 'gt', value: 5 }] },
        ],
      },
      [{ name: 'create_other' }, { name: 'create_asked', requires_confirmation: true }],
    )
    const listed = async (name: string) => {
      const { data } = await world.call({ operation: 'introspect', params: { query: 'operations', name } })
      const { parameters } = (data as { operation: { parameters: readonly Record<string, unknown>[] } }).operation
      return parameters.find((row) => row.name === 'confirmation_token')
    }
    const row = { name: 'confirmation_token', type: 'string', required: false, description: expect.any(String) }
    for (const name of ['delete_thing', 'create_thing', 'create_asked'])
      expect([name, await listed(name)]).toEqual([name, row])
    for (const name of ['get_thing', 'create_other', 'introspect'])
      expect([name, await listed(name)]).toEqual([name, undefined])
    expect(await world.outcome(asking('create_other', { confirmation_token: 't' }))).toBe('VALIDATION_UNKNOWN_PARAM')
    expect(await world.outcome(asking('create_thing', { confirmation_token: 't' }))).toBe('done') // the condition does not hold
  })

  test('TOK-07 SELF-03 possession is not consent: the same token and expiry again, and nothing runs', async () => {
    const world = await openGateWorld()
    const first = await world.demand(DELETING)
    world.pass(10)
    for (let time = 0; time < 3; time++) {
      const again = await world.demand(withToken(DELETING, first.confirmation_token))
      expect([again.confirmation_token, again.expires_at]).toEqual([first.confirmation_token, first.expires_at])
    }
    expect(world.ran).toEqual([])
  })

  test('TOK-13 a token opens once, whatever the handler makes of it', async () => {
    let fails = true
    const handler = () => {
      if (fails) throw new Error('broken')
      return {}
    }
    const world = await openGateWorld({}, [{ name: 'delete_badly', category: 'DELETE', handler }])
    const args = asking('delete_badly')
    const token = await approvedToken(world, args)
    expect(await redeem(world, token, args)).toBe('INTERNAL_ERROR')
    fails = false
    expect(await redeem(world, token, args)).toBe('TOKEN_ALREADY_USED')
  })

  test('TOK-13 SESS-10 of many at once exactly one gets in', async () => {
    const world = await openGateWorld()
    const token = await approvedToken(world)
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => redeem(world, token)))
    expect(outcomes.toSorted()).toEqual([...Array(7).fill('TOKEN_ALREADY_USED'), 'done'])
    expect(world.ran).toHaveLength(1)
  })

  test('TOK-14 for the session: the identical call, so often and no more', async () => {
    const world = await openGateWorld()
    const token = await approvedToken(world, DELETING, { scope: 'session', maxUses: 3 })
    for (let use = 0; use < 3; use++) expect(await redeem(world, token)).toBe('done')
    expect(await redeem(world, token)).toBe('TOKEN_ALREADY_USED')
    expect(world.ran).toHaveLength(3)
  })

  test('TOK-14 and it respects expiry and the parameters', async () => {
    const world = await openGateWorld()
    const token = await approvedToken(world, DELETING, { scope: 'session', maxUses: 3 })
    expect(await redeem(world, token, asking('delete_thing', { thing: 'b' }))).toBe('TOKEN_SCOPE_MISMATCH')
    world.pass(331)
    expect(await redeem(world, token)).toBe('TOKEN_EXPIRED')
  })
})

describe('TOK-01 what does not look like a token is not looked up', () => {
  // biome-ignore format: one row a case
  test.each([
    ['empty', ''], ['the prefix alone', 'conf_'], ['too short', 'conf_ab'], ['another prefix', 'token_0123456789'],
    ['a space', 'conf_0123 4567'], ['a line end', `${UNKNOWN}\n`], ['a slash', 'conf_../../x'], ['upper case', UNKNOWN.toUpperCase()],
    ['65 characters', `conf_${'a'.repeat(65)}`], ['not a letter', 'conf_öööööö'], ['null', null], ['a number', 5], ['an object', { id: UNKNOWN }],
    ['an array', [UNKNOWN]], ['a boolean', true],
  ])('%s', async (_, token) => {
    const world = await openGateWorld()
    const { error } = await world.call(withToken(DELETING, token))
    expect(error).toMatchObject({ code: 'TOKEN_INVALID', message: 'Invalid confirmation token' })
    expect(await world.trail('TOKEN_REJECTED')).toMatchObject([{ failure_reason: 'syntax' }])
  })
})

describe('TOK-08 TOK-10 what is wrong with a token', () => {
  const OTHER = asking('delete_thing', { thing: 'b' })

  /** All that is wrong with it at once: the first in the order is told. */
  test('in this order: session, operation, parameters, expiry, use, approval', async () => {
    const world = await openGateWorld({}, [{ name: 'delete_other', category: 'DELETE' }])
    const stranger = world.runtime.openSession('tester')
    const token = await approvedToken(world)
    expect(await redeem(world, token)).toBe('done')
    world.pass(1_000)
    const at = (args: object, session = world.session) => world.outcome(withToken(args, token), { session })
    expect(await at(asking('delete_other', { thing: 'b' }), stranger)).toBe('TOKEN_INVALID')
    expect(await at(asking('delete_other', { thing: 'b' }))).toBe('TOKEN_SCOPE_MISMATCH')
    expect(await at(OTHER)).toBe('TOKEN_SCOPE_MISMATCH')
    expect(await at(DELETING)).toBe('TOKEN_EXPIRED')
  })

  test('and the adapter: a session that two of them know redeems only where it asked', async () => {
    const world = await openGateWorld()
    const other = await openGateWorld({ store: world.store }, [], { name: 'other-book' })
    const id = 'an-id-of-the-embedding-program-0123456789'
    const { approval_id, confirmation_token } = await world.demand(DELETING, {
      session: world.runtime.openSession('tester', { id }),
    })
    await decide(world.runtime, approval_id)
    const session = other.runtime.openSession('tester', { id })
    const tool = other.runtime.tools.find(({ name }) => name.endsWith('_delete'))?.name
    expect(tool).toBeDefined()
    const { result } = await other.ask(withToken(DELETING, confirmation_token), tool, { session })
    expect([result.error?.code, other.ran]).toEqual(['TOKEN_SCOPE_MISMATCH', []])
  })

  test('ERR-42 unknown', async () => {
    const { call } = await openGateWorld()
    expect((await call(withToken(DELETING, UNKNOWN))).error).toEqual({
      code: 'TOKEN_INVALID',
      message: 'Invalid confirmation token',
      details: { token: UNKNOWN },
    })
  })

  test('TOK-09 unknown, foreign and revoked look the same but for the token', async () => {
    const world = await openGateWorld()
    const foreign = (await world.demand(DELETING, { session: world.runtime.openSession('tester') })).confirmation_token
    const revoked = await world.demand(OTHER)
    await decide(world.runtime, revoked.approval_id, { decision: 'revoke' })
    await decide(world.runtime, revoked.approval_id)
    const answers = await Promise.all(
      [UNKNOWN, foreign, revoked.confirmation_token].map(async (token) => {
        const args = token === revoked.confirmation_token ? OTHER : DELETING
        return (await world.ask(withToken(args, token))).text.replaceAll(token, 'TOKEN')
      }),
    )
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toContain('TOKEN_INVALID')
  })

  test('ERR-43 expired, with its tolerance', async () => {
    const world = await openGateWorld()
    const token = await approvedToken(world)
    world.pass(331)
    expect((await world.call(withToken(DELETING, token))).error).toEqual({
      code: 'TOKEN_EXPIRED',
      message: 'Confirmation token has expired',
      details: { token, expired_at: '2026-11-16T00:05:00.000Z', current_time: '2026-11-16T00:05:31.000Z' },
    })
  })

  test('ERR-44 used', async () => {
    const world = await openGateWorld()
    const token = await approvedToken(world)
    world.pass(7)
    await redeem(world, token)
    world.pass(5)
    expect((await world.call(withToken(DELETING, token))).error).toEqual({
      code: 'TOKEN_ALREADY_USED',
      message: 'Confirmation token has already been used',
      details: { token, consumed_at: '2026-11-16T00:00:07.000Z' },
    })
  })

  test('ERR-45 another operation', async () => {
    const world = await openGateWorld({}, [{ name: 'delete_other', category: 'DELETE' }])
    const token = await approvedToken(world)
    expect((await world.call(withToken(asking('delete_other'), token))).error).toEqual({
      code: 'TOKEN_SCOPE_MISMATCH',
      message: 'Confirmation token scope mismatch',
      details: { token, token_operation: 'delete_thing', requested_operation: 'delete_other' },
    })
    expect(await redeem(world, token)).toBe('done') // a failed validation does not consume it
  })

  test('TOK-09 a failure says nothing of the parameters', async () => {
    const world = await openGateWorld()
    const args = asking('delete_thing', { thing: 'the-secret-name' })
    const token = await approvedToken(world, args)
    const { text } = await world.ask(withToken(OTHER, token))
    expect(text).not.toMatch(/the-secret-name|[0-9a-f]{64}(?=.*hash)/)
    expect(text.replaceAll(token, '')).not.toMatch(/[0-9a-f]{32}/)
  })
})

describe('TOK-11 TOK-12 how long a token lives', () => {
  const forbidden = { trust: 'certified' } as const

  // biome-ignore format: one row a case
  test.each([
    ['the usual time', {}, DELETING, 300, 330],
    ['a shorter one', { tokenLifetimes: { confirmation: 60 } }, DELETING, 60, 90],
    ['without tolerance', { clockSkewSeconds: 0 }, DELETING, 300, 300],
    ['level 4: shorter, and no tolerance', forbidden, asking('run_thing'), 120, 120],
    ['level 4, set', { ...forbidden, tokenLifetimes: { forbidden: 30 } }, asking('run_thing'), 30, 30],
  ] as const)('%s', async (_, options, args, lifetime, last) => {
    for (const [seconds, expected] of [[last, 'done'], [last + 1, 'TOKEN_EXPIRED']] as const) {
      const world = await openGateWorld(options)
      const demand = await world.demand(args)
      expect(Date.parse(demand.expires_at)).toBe(START + lifetime * 1_000)
      await decide(world.runtime, demand.approval_id)
      world.pass(seconds)
      expect([seconds, await redeem(world, demand.confirmation_token, args)]).toEqual([seconds, expected])
    }
  })

  test('an approval extends nothing', async () => {
    const world = await openGateWorld()
    const { approval_id, confirmation_token, expires_at } = await world.demand(DELETING)
    world.pass(299)
    await decide(world.runtime, approval_id)
    expect((await world.demand(DELETING)).expires_at).toBe(expires_at)
    world.pass(32)
    expect(await redeem(world, confirmation_token)).toBe('TOKEN_EXPIRED')
  })

  test('what has expired cannot be approved', async () => {
    const world = await openGateWorld()
    const { approval_id } = await world.demand(DELETING)
    world.pass(301)
    expect(await decide(world.runtime, approval_id)).toMatchObject({ kind: 'refused', why: 'expired' })
  })

  test('a clock that is set back revives nothing', async () => {
    const world = await openGateWorld()
    const token = await approvedToken(world)
    world.pass(400)
    expect(await redeem(world, token)).toBe('TOKEN_EXPIRED')
    world.pass(-400)
    expect(await redeem(world, token)).toBe('TOKEN_EXPIRED')
  })

  test.each([
    { confirmation: 901 },
    { forbidden: 301 },
    { quota: 601 },
    { confirmation: 0 },
    { confirmation: Number.NaN },
  ])('%j stops the start', async (tokenLifetimes) => {
    await expect(openGateWorld({ tokenLifetimes })).rejects.toThrow('must lie between')
  })
})

describe('TOK-18 how much a session may ask', () => {
  test('the same question is the same token', async () => {
    const world = await openGateWorld()
    const first = await world.demand(DELETING)
    expect(await world.demand({ params: { thing: 'a' }, operation: 'delete_thing' })).toEqual(first)
    expect(await world.demand(asking('delete_thing', { speed: 'slow' }))).toEqual(first) // its default
    expect((await world.demand(asking('delete_thing', { thing: 'b' }))).confirmation_token).not.toBe(
      first.confirmation_token,
    )
  })

  test('of many at once too', async () => {
    const world = await openGateWorld()
    const demands = await Promise.all(Array.from({ length: 8 }, () => world.demand(DELETING)))
    expect(new Set(demands.map(({ confirmation_token }) => confirmation_token)).size).toBe(1)
    expect(await world.trail('TOKEN_ISSUED')).toHaveLength(1)
  })

  test('after its use the question is asked anew', async () => {
    const world = await openGateWorld()
    const token = await approvedToken(world)
    await redeem(world, token)
    expect((await world.demand(DELETING)).confirmation_token).not.toBe(token)
  })

  test('the 31st question in a minute', async () => {
    const world = await openGateWorld()
    const ask = (at: number) => world.call(asking('delete_thing', { thing: String(at) }))
    for (let at = 0; at < 30; at++) {
      expect((await ask(at)).error?.code).toBe('CONFIRMATION_REQUIRED')
      world.pass(1)
    }
    expect((await ask(30)).error).toEqual({
      code: 'RATE_LIMIT_EXCEEDED',
      message: 'API rate limit exceeded',
      details: {
        limit: 30,
        remaining: 0,
        window: 'minute',
        resets_at: '2026-11-16T00:01:00.000Z',
        retry_after_seconds: 30,
      },
    })
    world.pass(30)
    expect((await ask(31)).error?.code).toBe('CONFIRMATION_REQUIRED')
  })

  test('the eleventh wrong token, even a good one then', async () => {
    const world = await openGateWorld()
    const token = await approvedToken(world)
    for (let time = 0; time < 10; time++) expect(await redeem(world, UNKNOWN)).toBe('TOKEN_INVALID')
    expect(await redeem(world, UNKNOWN)).toBe('RATE_LIMIT_EXCEEDED')
    expect(await redeem(world, token)).toBe('RATE_LIMIT_EXCEEDED')
    world.pass(61)
    expect(await redeem(world, token)).toBe('done')
  })

  test('TOK-07 a token that merely waits is no failure', async () => {
    const world = await openGateWorld()
    const { confirmation_token } = await world.demand(DELETING)
    for (let time = 0; time < 15; time++) expect(await redeem(world, confirmation_token)).toBe('CONFIRMATION_REQUIRED')
  })
})

describe('TOK-17 how many tokens are held', () => {
  test('a full house refuses and evicts nobody', async () => {
    const world = await openGateWorld({ tokenCapacity: 2 })
    const token = await approvedToken(world)
    await world.demand(asking('delete_thing', { thing: 'b' }))
    expect(await world.outcome(asking('delete_thing', { thing: 'c' }))).toBe('RATE_LIMIT_EXCEEDED')
    expect(await redeem(world, token)).toBe('done')
    world.pass(400)
    expect(await world.outcome(asking('delete_thing', { thing: 'c' }))).toBe('CONFIRMATION_REQUIRED')
  })

  test('no principal fills it for the others', async () => {
    const world = await openGateWorld()
    const sessions = Array.from({ length: 34 }, () => world.runtime.openSession('greedy'))
    const codes: string[] = []
    for (const [i, session] of sessions.entries())
      for (let count = 0; count < 30; count++)
        codes.push(await world.outcome(asking('delete_thing', { count: i * 30 + count }), { session }))
    expect(codes.filter((code) => code === 'CONFIRMATION_REQUIRED')).toHaveLength(1_000)
    expect(codes.slice(1_000)).toEqual(Array(20).fill('RATE_LIMIT_EXCEEDED'))
    expect(await world.outcome(DELETING)).toBe('CONFIRMATION_REQUIRED')
  }, 60_000)

  test('what has expired is gone within the hour', async () => {
    const world = await openGateWorld()
    await world.demand(DELETING)
    world.pass(300 + 3_600)
    await openGateWorld({ store: world.store, clock: { now: () => START + 3_900_000 } })
    expect(await world.store.list('request')).toEqual([])
  })
})

test('TOK-19 an approval of one never covers another', async () => {
  const world = await openGateWorld()
  const other = asking('delete_thing', { thing: 'b' })
  const first = await world.demand(DELETING)
  const second = await world.demand(other)
  await decide(world.runtime, first.approval_id)
  expect(await redeem(world, second.confirmation_token, other)).toBe('CONFIRMATION_REQUIRED')
  expect(await redeem(world, first.confirmation_token, other)).toBe('TOKEN_SCOPE_MISMATCH')
  expect(world.ran).toEqual([])
})

describe('TOK-16 revoke_token', () => {
  const revoking = (token: string) => ({ operation: 'revoke_token', params: { token } })

  test.each([
    ['pending', false],
    ['approved', true],
  ])('takes back a question of the own session that is %s, and it can be asked again', async (_, isApproved) => {
    const world = await openGateWorld()
    const { approval_id, confirmation_token } = await world.demand(DELETING)
    if (isApproved) await decide(world.runtime, approval_id)
    expect((await world.call(revoking(confirmation_token))).data).toEqual({ revoked: 'delete_thing' })
    expect(await redeem(world, confirmation_token)).toBe('TOKEN_INVALID')
    expect(await world.outcome(revoking(confirmation_token))).toBe('TOKEN_INVALID')
    expect(await world.trail('TOKEN_REVOKED')).toMatchObject([
      { token_id: approval_id, operation: 'delete_thing', reason: 'withdrawn by the session that asked' },
    ])
    expect((await world.demand(DELETING)).confirmation_token).not.toBe(confirmation_token)
    expect(world.ran).toEqual([])
  })

  test('knows no token of another session, none that was used, and nothing that is no token', async () => {
    const world = await openGateWorld()
    const { approval_id, confirmation_token } = await world.demand(DELETING)
    const session = world.runtime.openSession('tester')
    expect(await world.outcome(revoking(confirmation_token), { session })).toBe('TOKEN_INVALID')
    expect(await world.outcome(revoking(confirmation_token), { session: world.runtime.anonymous('tester') })).toBe(
      'TOKEN_INVALID',
    )
    await decide(world.runtime, approval_id)
    expect(await redeem(world, confirmation_token)).toBe('done')
    expect(await world.outcome(revoking(confirmation_token))).toBe('TOKEN_ALREADY_USED')
    for (const token of ['conf_unknown', approval_id, ''])
      expect(await world.outcome(revoking(token))).toBe('TOKEN_INVALID')
  })

  test('is declared reversible, and gives way to an operation of that name', async () => {
    const world = await openGateWorld()
    const { data } = await world.call({ operation: 'introspect', params: { query: 'danger', name: 'revoke_token' } })
    expect(data).toMatchObject({ danger: { level: 'reversible' } })
    const other = await openGateWorld({}, [{ name: 'revoke_token', category: 'DELETE' }])
    expect(await other.outcome(asking('revoke_token'))).toBe('CONFIRMATION_REQUIRED')
  })
})

test('TOK-16 INT-21 the query revoke_token does not exist', async () => {
  const { call } = await openGateWorld()
  const { error } = await call({ operation: 'introspect', params: { query: 'revoke_token' } })
  expect(error?.code).toBe('VALIDATION_INVALID_VALUE')
})

describe('_wait_seconds', () => {
  test('a call that waits gets in when a human approves', async () => {
    const { now } = Date
    const world = await openGateWorld({ clock: { now } })
    const { approval_id, confirmation_token } = await world.demand(DELETING)
    const waiting = world.outcome({ ...withToken(DELETING, confirmation_token), _wait_seconds: 20 })
    await new Promise((resolve) => setTimeout(resolve, 30))
    await decide(world.runtime, approval_id)
    expect(await waiting).toBe('done')
  })

  test('or learns that they did not', async () => {
    const { now } = Date
    const world = await openGateWorld({ clock: { now } })
    const { approval_id, confirmation_token } = await world.demand(DELETING)
    const waiting = world.outcome({ ...withToken(DELETING, confirmation_token), _wait_seconds: 20 })
    await new Promise((resolve) => setTimeout(resolve, 30))
    await decide(world.runtime, approval_id, { decision: 'deny' })
    expect(await waiting).toBe('PERMISSION_DENIED')
  })

  test('no longer than it says, or the operator allows', async () => {
    const { now } = Date
    const world = await openGateWorld({ clock: { now }, maxWaitSeconds: 0.1 })
    const { confirmation_token } = await world.demand(DELETING)
    const begun = now()
    expect(await world.outcome({ ...withToken(DELETING, confirmation_token), _wait_seconds: 600 })).toBe(
      'CONFIRMATION_REQUIRED',
    )
    expect(now() - begun).toBeLessThan(5_000)
  })

  test.each(['5', -1, null])('%j is no time', async (_wait_seconds) => {
    const { outcome } = await openGateWorld()
    expect(await outcome({ ...DELETING, _wait_seconds })).toBe('VALIDATION_INVALID_TYPE')
  })
})
