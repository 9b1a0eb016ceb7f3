import { afterEach, beforeEach, expect, test } from 'vitest'
import { createOperator, type Operator } from '../../../core/operator/operator.ts'
import type { Store } from '../../../core/ports/store.ts'
import { createMemoryStore } from '../../../store/memory.ts'
import type { Call, ConsoleDesk } from '../route.ts'
import { CLIENTS } from './clients.ts'

let store: Store
let operator: Operator
beforeEach(() => {
  store = createMemoryStore()
  operator = createOperator({ store, clock: { now: Date.now } })
})
afterEach(() => operator.close())

function ask(path: string, names = {}) {
  const route = CLIENTS.find((each) => each.path === path)
  const call = { names, body: {}, query: new URLSearchParams(), signIn: { id: 's', subject: 'ann' } } as unknown as Call
  return route?.answer(call, { operator } as ConsoleDesk)
}

test('the console shows named clients without their tokens', async () => {
  const added = await operator.clients.add({ name: 'laptop', elicitation: true, by: 'operator', channel: 'terminal' })
  const answer = await ask('/api/clients')
  expect(answer).toMatchObject({ status: 200, body: { items: [{ id: 'laptop', active: true, elicitation: true }] } })
  expect(JSON.stringify(answer)).not.toMatch(/mcpaql_|[\da-f]{64}/)
  expect(added.kind).toBe('added')
})

test('revoking takes an administrator, is recorded by name and channel, and works once', async () => {
  expect(CLIENTS.find(({ method }) => method === 'POST')?.needs).toBe('admin')
  await operator.clients.add({ name: 'laptop', elicitation: false, by: 'operator', channel: 'terminal' })
  expect(await ask('/api/clients/:name/revoke', { name: 'laptop' })).toMatchObject({ status: 200 })
  expect(await ask('/api/clients/:name/revoke', { name: 'laptop' })).toMatchObject({ status: 404 })
  expect(await ask('/api/clients')).toMatchObject({ body: { items: [{ active: false }] } })
  const [last] = await store.trail.read({ events: ['CLIENT_REVOKED'] })
  expect(last?.entry).toMatchObject({ client_name: 'laptop', operator: 'ann', channel: 'console' })
})
