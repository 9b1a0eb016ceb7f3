import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { tokenRef } from '../../../src/core/audit/token-ref.ts'
import { createBlocks } from '../../../src/core/operator/blocks.ts'
import type { Store } from '../../../src/core/ports/store.ts'
import { decide, withToken } from '../../approve.ts'
import { createMemoryStore } from '../../support.ts'
import { asking, DELETING, openGateWorld, START } from './gate-world.ts'

describe('SESS-02 TOK-15 with the session go its tokens and approvals', () => {
  test('pending and approved alike', async () => {
    const world = await openGateWorld()
    const session = world.runtime.openSession('tester')
    const other = asking('delete_thing', { thing: 'b' })
    const approved = await world.demand(DELETING, { session })
    const pending = await world.demand(other, { session })
    await decide(world.runtime, approved.approval_id)
    await world.runtime.closeSession(session)
    for (const [args, { confirmation_token }] of [
      [DELETING, approved],
      [other, pending],
    ] as const)
      expect(await world.outcome(withToken(args, confirmation_token))).toBe('TOKEN_INVALID')
    expect(await decide(world.runtime, pending.approval_id)).toMatchObject({ kind: 'refused', why: 'already' })
    expect(await world.trail('TOKEN_REVOKED')).toMatchObject([
      { token_id: approved.approval_id, reason: 'the session has ended', outcome: 'success' },
      { token_id: pending.approval_id, reason: 'the session has ended', outcome: 'success' },
    ])
    expect((await world.store.list('desk')).map(({ id }) => id)).not.toContain(session.id)
  })

  test('what is asked while it ends goes with it', async () => {
    const store = createMemoryStore()
    const during: (() => Promise<unknown>)[] = []
    const update: Store['update'] = async (refs, change) => {
      const done = await store.update(refs, change)
      await during.pop()?.()
      return done
    }
    const world = await openGateWorld({ store: { ...store, update } })
    const session = world.runtime.openSession('tester')
    await world.demand(DELETING, { session })
    during.push(() => world.demand(asking('delete_thing', { count: 2 }), { session }))
    await world.runtime.closeSession(session)
    expect((await store.list<{ state: string }>('request')).map(({ value }) => value.state)).toEqual([
      'revoked',
      'revoked',
    ])
    expect(await store.list('desk')).toEqual([])
  })

  test('even where the session comes back under its name', async () => {
    const world = await openGateWorld()
    const id = 'an-id-of-the-embedding-program-0123456789'
    const first = world.runtime.openSession('tester', { id })
    const { approval_id, confirmation_token } = await world.demand(DELETING, { session: first })
    await decide(world.runtime, approval_id)
    await world.runtime.closeSession(first)
    const again = world.runtime.openSession('tester', { id })
    expect(await world.outcome(withToken(DELETING, confirmation_token), { session: again })).toBe('TOKEN_INVALID')
  })

  test('a denial is forgotten with it, and the prompts of the session make room', async () => {
    const world = await openGateWorld({ attention: { open: 1, shown: 10, windowMs: 600_000 } })
    const session = world.runtime.openSession('tester')
    await world.demand(DELETING, { session })
    const held = await world.demand(DELETING)
    expect((await world.runtime.findRequest(held.approval_id, world.session))?.shown).toBe(false)
    await world.runtime.closeSession(session)
    const { open } = (await world.store.list<{ open: readonly { id: string }[] }>('attention'))[0]?.value ?? {
      open: [],
    }
    expect(open.map(({ id }) => id)).toEqual([held.approval_id])
  })

  test('an orderly end of the server ends all sessions', async () => {
    const world = await openGateWorld()
    const { approval_id } = await world.demand(DELETING)
    await decide(world.runtime, approval_id)
    await world.runtime.close()
    expect(await world.trail('TOKEN_REVOKED')).toMatchObject([{ token_id: approval_id }])
  })
})

describe('TOK-15 what a security event takes back', () => {
  test('a block by the operator: the tokens of the principal, in all its sessions, and nobody else’s', async () => {
    const world = await openGateWorld()
    const sessions = [world.session, world.runtime.openSession('tester'), world.runtime.openSession('other')]
    const tokens = []
    for (const session of sessions) {
      const { approval_id, confirmation_token } = await world.demand(DELETING, { session })
      await decide(world.runtime, approval_id)
      tokens.push({ session, confirmation_token })
    }
    const order = { reason: 'looks manipulated', by: 'operator', channel: 'console' }
    const blocks = createBlocks(world.store, { now: () => START })
    await blocks.block({ ...order, agentKey: '["tester","bot"]', name: 'bot', principal: 'tester' })
    await blocks.lift({ ...order, agentKey: '["tester","bot"]' })
    const outcomes = tokens.map(({ session, confirmation_token }) =>
      world.outcome(withToken(DELETING, confirmation_token), { session }),
    )
    expect(await Promise.all(outcomes)).toEqual(['TOKEN_INVALID', 'TOKEN_INVALID', 'done'])
    expect(await world.trail('TOKEN_REVOKED')).toHaveLength(2)
  })

  test('SELF-11 TOK-18 ERR-39 guessing codes: the tokens of the session, but neither its denials nor its counts', async () => {
    const world = await openGateWorld({ safety: { mode: 'enforcing' } })
    const denied = await world.demand(DELETING)
    await decide(world.runtime, denied.approval_id, { decision: 'deny' })
    const open = asking('delete_thing', { count: 2 })
    const { confirmation_token } = await world.demand(open)
    for (let i = 0; i < 9; i++) await world.outcome(withToken(DELETING, `conf_${'0'.repeat(63)}${i}`))
    const guess = { operation: 'verify_challenge', params: { challenge_id: randomUUID(), code: 'A'.repeat(28) } }
    const codes = new Set<string>()
    for (let i = 0; i < 30; i++) codes.add((await world.call(guess, 'note_book_mcpaql_create')).error?.code ?? '')
    expect([...codes]).toContain('RATE_LIMIT_EXCEEDED')
    expect(await world.trail('TOKEN_REVOKED')).toHaveLength(1)
    expect(await world.outcome(DELETING)).toBe('PERMISSION_DENIED')
    expect(await world.outcome(withToken(open, confirmation_token))).toBe('TOKEN_INVALID') // the tenth
    expect(await world.outcome(withToken(open, confirmation_token))).toBe('RATE_LIMIT_EXCEEDED')
  })
})

describe('SESS-05 SESS-06 the server names its sessions', () => {
  test('with 128 random bits or more, whatever the client says of itself', async () => {
    const { runtime } = await openGateWorld()
    const ids = new Set(Array.from({ length: 100 }, () => runtime.openSession('tester').id))
    expect(ids.size).toBe(100)
    for (const id of ids) expect(Buffer.from(id ?? '', 'base64url').length * 8).toBeGreaterThanOrEqual(128)
  })

  test('a session that the client claims binds nothing', async () => {
    const world = await openGateWorld()
    const other = world.runtime.openSession('tester')
    const { approval_id, confirmation_token } = await world.demand({
      ...DELETING,
      _session: other.id,
      _meta: { session_id: other.id },
    })
    await decide(world.runtime, approval_id)
    expect((await world.runtime.findRequest(approval_id, world.session))?.session).toBe(world.session.id)
    expect(await world.outcome(withToken(DELETING, confirmation_token), { session: other })).toBe('TOKEN_INVALID')
    expect(await world.outcome(withToken(DELETING, confirmation_token))).toBe('done')
  })

  test('SESS-06 its label stands in _protocol and in the trail', async () => {
    const world = await openGateWorld()
    await world.demand(DELETING)
    const { data } = await world.call({ operation: 'introspect', params: { query: 'operations' } })
    expect((data as { _protocol: { session_id: string } })._protocol.session_id).toBe(world.session.id)
    expect((await world.trail()).map(({ session_id }) => session_id)).toEqual([world.session.id, world.session.id])
  })
})

describe('MCP-25 SESS-07 a caller without a session', () => {
  test('gets one with the demand, and redeems in it', async () => {
    const world = await openGateWorld()
    const anonymous = world.runtime.anonymous('visitor')
    const { session_id, approval_id, waiting_for, confirmation_token } = await world.demand(DELETING, {
      session: anonymous,
    })
    expect(approval_id).toBeUndefined()
    expect(waiting_for).toMatch(/repeat with confirmation_token and _session$/)
    const session = world.runtime.findSession(String(session_id), 'visitor')
    expect(session).toBeDefined()
    expect(world.runtime.findSession(String(session_id), 'tester')).toBeUndefined()
    await decide(world.runtime, tokenRef(confirmation_token))
    expect(await world.outcome(withToken(DELETING, confirmation_token), { session: anonymous })).toBe('TOKEN_INVALID')
    expect(await world.outcome(withToken(DELETING, confirmation_token))).toBe('TOKEN_INVALID')
    if (session) expect(await world.outcome(withToken(DELETING, confirmation_token), { session })).toBe('done')
    expect(world.ran).toHaveLength(1)
  })

  test('whoever has a session is told of no other', async () => {
    const world = await openGateWorld()
    expect((await world.demand(DELETING)).session_id).toBeUndefined()
  })

  test('calls that ask nothing mint none, with limits or without', async () => {
    const rate_limits = { requests_per_minute: 1_000 }
    const world = await openGateWorld({}, [], { rate_limits })
    const kept = world.runtime.openSession('visitor', { expires: true })
    const anonymous = world.runtime.anonymous('visitor')
    for (let time = 0; time < 20; time++) await world.call(asking('get_thing'))
    for (let time = 0; time < 20; time++)
      expect(await world.outcome(asking('get_thing'), { session: anonymous })).toBe('done')
    expect(world.runtime.findSession(kept.id ?? '', 'visitor')).toBe(kept)
  })

  test('TOK-18 guessing without a session is counted by principal', async () => {
    const world = await openGateWorld()
    const session = world.runtime.anonymous('visitor')
    const guess = () => world.outcome(withToken(DELETING, `conf_${'0'.repeat(64)}`), { session })
    for (let time = 0; time < 10; time++) expect(await guess()).toBe('TOKEN_INVALID')
    expect(await guess()).toBe('RATE_LIMIT_EXCEEDED')
    expect(await world.outcome(withToken(DELETING, 'conf_guess'), { session: world.runtime.anonymous('other') })).toBe(
      'TOKEN_INVALID',
    )
  })
})
