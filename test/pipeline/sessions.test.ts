import { expect, test } from 'vitest'
import type { Session } from '../../src/core/session.ts'
import { createSessions } from '../../src/core/sessions.ts'
import { openWorld } from '../notes.ts'

const NEVER = { idleMs: 1_000, most: 3 }

test('SES-01 SES-06 every session has an unpredictable id of its own', () => {
  const sessions = createSessions({ now: () => 0 }, { idleMs: 1, most: 1_000 }, () => {})
  const ids = Array.from({ length: 200 }, () => sessions.open('p').id ?? '')
  expect(new Set(ids).size).toBe(200)
  expect(ids.every((id) => /^[\w-]{22}$/.test(id))).toBe(true)
})

test('SES-06 the id is published as _protocol.session_id and beside an internal error', async () => {
  const { call, runtime } = await openWorld()
  const { data } = await call({ operation: 'introspect', params: { query: 'operations' } })
  const id = (data as { _protocol: { session_id: string } })._protocol.session_id
  expect(runtime.findSession(id, 'tester')?.id).toBe(id)
  const broken = await call({ operation: 'explode_note' })
  expect(broken.error).toMatchObject({ code: 'INTERNAL_ERROR', details: { session_id: id } })
})

test('SES-02 closing a session aborts its signal and forgets it', async () => {
  const { runtime } = await openWorld()
  const session = runtime.openSession('p')
  await runtime.closeSession(session)
  expect(session.signal.aborted).toBe(true)
  expect(runtime.findSession(session.id ?? '', 'p')).toBeUndefined()
})

test('SES-02 the rests of long answers go with their session', async () => {
  const { runtime } = await openWorld()
  const session = runtime.openSession('p')
  const tool = runtime.tools.find(({ name }) => name.endsWith('_read'))?.name ?? ''
  const ask = async (args: unknown, by = session) =>
    JSON.parse((await runtime.call({ tool, session: by, arguments: args })).text)
  const cut = await ask({ operation: 'get_everything', params: { size: 500, max_tokens: 100 } })
  const { rest } = cut.warnings[0].details
  const read = { operation: 'introspect', params: { query: 'rest', name: rest } }
  expect((await ask(read)).data.rest.items.length).toBeGreaterThan(0)
  expect((await ask(read, runtime.openSession('p'))).error.code).toBe('NOT_FOUND_RESOURCE')
  await runtime.closeSession(session)
  expect((await ask(read)).error.code).toBe('NOT_FOUND_RESOURCE')
})

test('SES-05 what the client says in _meta decides nothing', async () => {
  const { call, runtime } = await openWorld()
  const session = runtime.openSession('somebody else')
  const { data } = await call({
    operation: 'introspect',
    params: { query: 'operations' },
    _meta: { session_id: session.id, principal: 'somebody else' },
  })
  expect((data as { _protocol: { session_id: string } })._protocol.session_id).not.toBe(session.id)
})

test('MCP-25 a handle is bound to its principal, ends after a time without use, and gives way to newer ones', () => {
  let now = 0
  const expired: string[] = []
  const sessions = createSessions({ now: () => now }, NEVER, ({ id }) => expired.push(id ?? ''))
  const a = sessions.open('p', { expires: true })
  expect(sessions.find(a.id ?? '', 'q')).toBeUndefined()
  expect(sessions.find(a.id ?? '', 'p')).toBe(a)
  now = 1_001
  expect(sessions.find(a.id ?? '', 'p')).toBeUndefined()
  const b = sessions.open('p', { expires: true })
  const c = sessions.open('p', { expires: true })
  sessions.open('p', { expires: true })
  expect(sessions.find(b.id ?? '', 'p')).toBe(b)
  sessions.open('p', { expires: true })
  expect(sessions.find(c.id ?? '', 'p')).toBeUndefined()
  expect(expired).toEqual([a.id, c.id])
})

test('MCP-25 whoever holds most handles gives way, not whoever came first', () => {
  const expired: string[] = []
  const limits = { idleMs: 1_000, most: 4 }
  const sessions = createSessions({ now: () => 0 }, limits, ({ principal }) => expired.push(principal))
  const quiet = sessions.open('quiet', { expires: true })
  const lasting = sessions.open('loud')
  for (let i = 0; i < 10; i++) sessions.open('loud', { expires: true })
  expect(sessions.find(quiet.id ?? '', 'quiet')).toBe(quiet)
  expect(sessions.find(lasting.id ?? '', 'loud')).toBe(lasting)
  expect(expired).toEqual(Array(8).fill('loud'))
  for (const principal of ['a', 'b', 'c']) sessions.open(principal, { expires: true })
  expect(expired.slice(8)).toEqual(['loud', 'loud', 'a']) // among equals one that nobody has used
})

test('SES-07 a session of a connection does not expire by itself', () => {
  let now = 0
  const sessions = createSessions({ now: () => now }, NEVER, () => {})
  const lasting = sessions.open('p')
  now = 10_000_000
  for (let i = 0; i < 10; i++) sessions.open('p', { expires: true })
  expect(sessions.find(lasting.id ?? '', 'p')).toBe(lasting)
})

test('MCP-25 of handles that one principal opens, those that nobody has used make room first', () => {
  const expired: string[] = []
  const limits = { idleMs: 1_000, most: 4 }
  const sessions = createSessions({ now: () => 0 }, limits, ({ id }) => expired.push(id ?? ''))
  const working = sessions.open('p', { expires: true })
  sessions.find(working.id ?? '', 'p')
  const asked = sessions.anonymous('p').seat?.()
  for (let i = 0; i < 50; i++) sessions.open('p', { expires: true })
  expect(expired).toHaveLength(48)
  expect(sessions.find(working.id ?? '', 'p')).toBe(working)
  expect(sessions.find(asked?.id ?? '', 'p')).toBe(asked)
})

test('MCP-25 a new handle is not given up for itself', () => {
  const sessions = createSessions({ now: () => 0 }, { idleMs: 1_000, most: 2 }, () => {})
  const used = [0, 1].map(() => sessions.anonymous('p').seat?.())
  const fresh = sessions.open('p', { expires: true })
  expect(sessions.find(fresh.id ?? '', 'p')).toBe(fresh)
  expect(sessions.find(used[0]?.id ?? '', 'p')).toBeUndefined()
})

test('MCP-25 a handle under which work goes on is not idle', () => {
  let now = 0
  let isBusy = true
  const sessions = createSessions({ now: () => now }, { ...NEVER, isBusy: () => isBusy }, () => {})
  const session = sessions.open('p', { expires: true })
  now = 5_000
  expect(sessions.find(session.id ?? '', 'p')).toBe(session)
  now = 10_000
  isBusy = false
  expect(sessions.find(session.id ?? '', 'p')).toBeUndefined()
})

test('MCP-25 a caller without a session is made one, the same for all that one request starts', async () => {
  const { runtime } = await openWorld()
  const caller = runtime.anonymous('p')
  expect(caller.id).toBeUndefined()
  const made = caller.seat?.()
  expect(made?.id).toMatch(/^[\w-]{22}$/)
  expect(caller.seat?.()).toBe(made)
  expect(runtime.anonymous('p').seat?.()).not.toBe(made)
  expect(runtime.findSession(made?.id ?? '', 'p')).toBe(made)
})

test('SES-02 a call that is over leaves no listener on its session', async () => {
  const { runtime } = await openWorld()
  const session = runtime.openSession('p')
  let listening = 0
  const { signal } = session
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listening++
    add(...args)
  }
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listening--
    remove(...args)
  }
  const tool = runtime.tools.find(({ name }) => name.endsWith('_read'))?.name ?? ''
  await runtime.call({ tool, session, arguments: { operation: 'get_slowly' } })
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(listening).toBe(0)
})

test('MCP-25 a handle with work under way, or with an open question, is not given up for newer ones', () => {
  let now = 0
  const busy = new Set<string>()
  const limits = { idleMs: 1_000_000, most: 4, isBusy: ({ owner }: Session) => busy.has(owner) }
  const sessions = createSessions({ now: () => now }, limits, () => {})
  const [working, asked] = [sessions.anonymous('p').seat?.(), sessions.open('p', { expires: true })] as Session[]
  if (!working || !asked) throw new Error('no sessions')
  busy.add(working.owner)
  sessions.asked(asked, 100)
  const isThere = ({ owner }: Session) => sessions.find(owner, 'p') !== undefined
  const flood = () => {
    for (let i = 0; i < 20; i++) sessions.anonymous('p').seat?.()
  }
  flood()
  expect([working, asked].map(isThere)).toEqual([true, true])
  now = 101
  busy.clear()
  flood()
  expect([working, asked].map(isThere)).toEqual([false, false])
})

test('MCP-25 where every handle is in use, whoever holds most of them gets no new one, and others do', () => {
  const limits = { idleMs: 1_000, most: 2, isBusy: () => true }
  const sessions = createSessions({ now: () => 0 }, limits, () => {})
  const held = [0, 1].map(() => sessions.anonymous('loud').seat?.())
  expect([sessions.hasRoom('loud'), sessions.hasRoom('quiet')]).toEqual([false, true])
  const other = sessions.open('quiet', { expires: true })
  for (const session of [...held, other]) expect(session?.signal.aborted).toBe(false)
})

test('a session is used for as much as its calls did and left open', async () => {
  const { runtime } = await openWorld()
  const session = runtime.openSession('p')
  const uses = [runtime.useOf(session)]
  const say = async (operation: string, params: object = {}) => {
    const tool = runtime.tools.find(({ name }) => name.endsWith('_mcpaql') || name.endsWith('_read'))?.name ?? ''
    await runtime.call({ tool, session, arguments: { operation, params } })
    uses.push(runtime.useOf(session))
  }
  await say('introspect', { query: 'operations' })
  expect(uses).toEqual(['opened', 'read'])
  const call = runtime.call({
    tool: runtime.tools.find(({ name }) => name.endsWith('_read'))?.name ?? '',
    session,
    arguments: { operation: 'get_slowly' },
  })
  expect(runtime.useOf(session)).toBe('working')
  await call
  expect(runtime.useOf(session)).toBe('read')
})

test('a session belongs to the client record for which it was opened, not to its name alone', () => {
  const sessions = createSessions({ now: () => 0 }, { idleMs: 1_000, most: 10 }, () => {})
  const [old, heir] = ['c_aaaaaaaa', 'c_bbbbbbbb'].map((client) => sessions.open('ann', { expires: true, client }))
  expect(sessions.find(old?.owner ?? '', 'ann', 'c_bbbbbbbb')).toBeUndefined()
  expect(sessions.find(old?.owner ?? '', 'ann')).toBeUndefined()
  expect(sessions.closeHandles('ann', 'c_aaaaaaaa')).toEqual([old])
  expect(sessions.find(heir?.owner ?? '', 'ann', 'c_bbbbbbbb')).toBe(heir)
})
