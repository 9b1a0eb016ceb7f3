import { afterEach, beforeEach, expect, test } from 'vitest'
import { consoleFetch } from '../../../../test/console-fetch.ts'
import { aRequest, ask } from '../../../../test/e2e/console-seed.ts'
import { createOperator, type Explain } from '../../../core/operator/operator.ts'
import { createOperatorAccount, type OperatorAccount } from '../../../core/operator/operator-account.ts'
import type { Approver } from '../../../core/ports/human.ts'
import type { Store } from '../../../core/ports/store.ts'
import { defineAdapter } from '../../../core/registry/adapter.ts'
import { defineOperation } from '../../../core/registry/operation.ts'
import { createRuntime, type Runtime, type RuntimeOptions } from '../../../core/runtime.ts'
import { trustRecord } from '../../../core/trust/trust-record.ts'
import { createMemoryStore } from '../../../store/memory.ts'
import { type Console, openConsole } from '../server.ts'

const SECRET = 'a secret of the operator'
const NAME = 'my notes'
const WHY = 'its author has left the company'

let store: Store
let account: OperatorAccount
let server: Console
let runtime: Runtime
let headers: Record<string, string>
let role: Approver['role'] = 'admin'

beforeEach(async () => {
  role = 'admin'
  store = createMemoryStore()
  const clock = { now: Date.now }
  account = createOperatorAccount({ store, clock, cost: { N: 2, r: 8, p: 1 } })
  await account.set(SECRET, SECRET, 'terminal')
  const asRole: OperatorAccount = {
    ...account,
    redeemLink: async (link) => {
      const who = await account.redeemLink(link)
      return who && { ...who, role }
    },
  }
  const explain: Explain = async (source) => ({ kind: 'refused', why: `asked about ${source}` })
  server = await openConsole({ operator: createOperator({ store, clock, explain }), account: asRole, port: 0 })
  runtime = await serve('Add a note.')
  headers = await signIn()
})

afterEach(async () => {
  await server.close()
  await runtime.close()
  await store.close()
})

test('what a source is trusted, and where that comes from', async () => {
  const { items } = (await get('/api/sources')) as { readonly items: readonly object[] }
  expect(items).toMatchObject([{ id: 'my.notes', trust: 'validated', from: 'default', drift: 0, claim: null }])
  expect(await get('/api/sources/my.notes')).toMatchObject({
    why: { segments: [{ text: 'what a source of this kind starts with' }] },
    levels: ['untested', 'generated', 'validated'],
    history: [{ from: 'untested', to: 'validated' }],
    changes: [],
  })
})

test('GATE-13 SELF-14 a change: secret, level, content and reason', async () => {
  const reply = await set({ reauth_id: await proof() })
  expect(reply).toMatchObject({ status: 200, body: { state: 'set' } })
  expect(await store.get(trustRecord(NAME))).toMatchObject({ level: 'generated', isByHand: true })
  expect(await get('/api/sources/my.notes')).toMatchObject({ trust: 'generated', from: 'operator' })
  const [last] = await store.trail.read({ limit: 1, events: ['TRUST_CHANGED'] })
  expect(last?.entry).toMatchObject({
    adapter_name: NAME,
    operator: 'operator',
    channel: 'console',
    old: 'validated',
    new: 'generated',
    reason: WHY,
  })
})

test.each<[string, object | (() => Promise<object>), number, string]>([
  ['without the secret', {}, 403, 'reauth'],
  ['with a proof for something else', async () => ({ reauth_id: await proof('block:my.notes') }), 403, 'reauth'],
  ['without a reason', async () => ({ reauth_id: await proof(), reason: 'because' }), 400, 'bad_request'],
  ['with a level that there is not', async () => ({ reauth_id: await proof(), level: 'root' }), 400, 'bad_request'],
  ['with one that is earned', async () => ({ reauth_id: await proof(), level: 'certified' }), 409, 'level'],
  ['about other content', async () => ({ reauth_id: await proof(), hash: '0'.repeat(64) }), 409, 'changed'],
])('SELF-14 nothing changes %s', async (_, more, status, code) => {
  const body = typeof more === 'function' ? await more() : more
  expect(await set(body)).toMatchObject({ status, body: { error: { code } } })
  expect(await store.get(trustRecord(NAME))).toMatchObject({ level: 'validated' })
})

test('a proof counts once', async () => {
  const reauth_id = await proof()
  await set({ reauth_id })
  expect(await set({ reauth_id, level: 'validated' })).toMatchObject({ status: 403 })
})

test('an unknown source', async () => {
  const reply = await post('/api/sources/other/trust', { level: 'generated', hash: '', reason: WHY })
  expect(reply).toMatchObject({ status: 404 })
})

test('SELF-14 only an administrator', async () => {
  role = 'approver'
  headers = await signIn()
  expect(await set({ reauth_id: await proof() })).toMatchObject({ status: 403, body: { error: { code: 'role' } } })
})

test('the bearer and our own origin are needed', async () => {
  const reauth_id = await proof()
  const { authorization: _, ...without } = headers
  const foreign = { ...headers, origin: 'http://127.0.0.1:1' }
  const change = { level: 'validated', hash: 'x', reason: 'It was looked through', reauth_id }
  headers = without
  expect(await post('/api/sources/my.notes/trust', change)).toMatchObject({ status: 401 })
  headers = foreign
  expect(await post('/api/sources/my.notes/trust', change)).toMatchObject({
    status: 403,
    body: { error: { code: 'foreign_origin' } },
  })
})

test('R-43 drift is shown by field, and foreign text as such', async () => {
  await set({ reauth_id: await proof(), level: 'validated' })
  await runtime.close()
  runtime = await serve('Add a \u202enote.')
  const page = await get('/api/sources/my.notes')
  expect(page).toMatchObject({
    drift: 1,
    changes: [{ what: 'changed', fields: [{ lines: [{ sign: '-' }, { sign: '+', text: { hidden: true } }] }] }],
  })
  expect(await set({ reauth_id: await proof(), level: 'validated', hash: page.hash })).toMatchObject({ status: 200 })
  expect(await store.get(trustRecord(NAME))).toMatchObject({ hash: page.hash })
})

test('a request leads to its source, whatever its name, and says when its operation has drifted', async () => {
  const { id } = await ask(store, aRequest(Date.now(), { adapter: NAME, operation: 'add_note' }))
  expect(await get(`/api/requests/${id}`)).toMatchObject({ source: { id: 'my.notes' }, trust: { drifted: false } })
  await set({ reauth_id: await proof(), level: 'validated' })
  await runtime.close()
  runtime = await serve('Add a note, or two.')
  expect(await get(`/api/requests/${id}`)).toMatchObject({ trust: { drifted: true } })
})

test('a call is explained by the source that the page names', async () => {
  expect(await post('/api/explain', { source: 'my.notes', operation: 'add_note' })).toMatchObject({
    body: { error: { message: 'asked about my notes' } },
  })
})

test('what the serving program has fixed cannot be set', async () => {
  await runtime.close()
  runtime = await serve('Add a note.', { trust: 'generated' })
  expect(await get('/api/sources/my.notes')).toMatchObject({ from: 'program', levels: [] })
  expect(await set({ reauth_id: await proof() })).toMatchObject({ status: 409, body: { error: { code: 'fixed' } } })
})

function serve(description: string, more: Partial<RuntimeOptions> = {}): Promise<Runtime> {
  const add = defineOperation({
    name: 'add_note',
    category: 'CREATE',
    description,
    params: {},
    returns: 'object',
    handler: () => ({}),
  })
  const adapter = defineAdapter({ name: NAME, description: 'Notes.', operations: [add] })
  return createRuntime(adapter, { store, clock: { now: Date.now }, ...more })
}

async function signIn(): Promise<Record<string, string>> {
  const right = await account.check(SECRET, 'terminal')
  if (right.kind !== 'right') throw new Error(right.kind)
  const origin = server.url.replace(/\/$/, '')
  const body = JSON.stringify({ link: await account.makeLink(right) })
  const plain = { origin, 'content-type': 'application/json' }
  const opened = await consoleFetch(`${origin}/api/session`, { method: 'POST', headers: plain, body })
  const { bearer } = (await opened.json()) as { readonly bearer: string }
  return { ...plain, authorization: `Bearer ${bearer}` }
}

async function get(path: string): Promise<Readonly<Record<string, unknown>>> {
  const response = await consoleFetch(new URL(path, server.url), { headers })
  expect(response.status).toBe(200)
  return (await response.json()) as Readonly<Record<string, unknown>>
}

async function post(path: string, body: object) {
  const response = await consoleFetch(new URL(path, server.url), {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> }
}

async function proof(purpose = 'trust:my.notes'): Promise<unknown> {
  return (await post('/api/reauth', { purpose, secret: SECRET })).body.reauth_id
}

async function set(more: object) {
  const { hash } = await get('/api/sources/my.notes')
  return post('/api/sources/my.notes/trust', { level: 'generated', hash, reason: WHY, ...more })
}
