import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { fakeWorld } from '../../test/fake-world.ts'
import type { Terminal } from '../channels/read-secret.ts'
import type { AuditEntry } from '../core/audit/entry.ts'
import { verifyTrail } from '../core/audit/verify-trail.ts'
import { clientRef } from '../core/operator/client-record.ts'
import { createClients } from '../core/operator/clients.ts'
import { compareRecords } from '../core/operator/compare-records.ts'
import { createOperatorAccount, type Right } from '../core/operator/operator-account.ts'
import type { Store } from '../core/ports/store.ts'
import { createMemoryStore } from '../store/memory.ts'
import { readAnchors } from './audit-anchor.ts'
import { isStop } from './command.ts'
import { pruneTrail } from './prune-trail.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-prune-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const DAY_MS = 86_400_000
const START = Date.parse('2026-01-01T00:00:00.000Z')
const at = (day: number) => new Date(START + day * DAY_MS).toISOString()
const SECRET = 'correct horse battery'
const COST = { N: 2 ** 4, r: 8, p: 1 }
const order = { name: 'ci', elicitation: false, by: 'operator', channel: 'terminal' }

let store: Store
let right: Right
let now: number
const clock = { now: () => now }
const append = (...audit: readonly AuditEntry[]) => store.update({}, () => ({ audit, result: undefined }))

beforeEach(async () => {
  store = createMemoryStore()
  now = START
  const account = createOperatorAccount({ store, clock, cost: COST })
  await account.set(SECRET, SECRET, 'terminal')
  await createClients(store, clock).add(order)
  for (let day = 1; day <= 20; day++) await append({ timestamp: at(day), event: 'SERVER_STARTED' })
  now = START + 30 * DAY_MS
  const checked = await account.check(SECRET, 'terminal')
  if (checked.kind !== 'right') throw new Error(checked.kind)
  right = checked
})

async function prune(before: number, anchor: string, word = 'discard') {
  const shown: string[] = []
  const terminal = {
    write: (text: string) => void shown.push(text),
    readLine: async () => word,
  } as Partial<Terminal> as Terminal
  const ended = await pruneTrail(store, { before: at(before), anchor }, right, terminal, fakeWorld(clock))
  return { ended, text: [...shown, ...(isStop(ended) ? [ended.message, ...ended.next] : [])].join('\n') }
}

test('AUDIT-09 what was pruned hides neither another secret nor a client, with anchors and without', async () => {
  const anchor = join(folder, 'kept.jsonl')
  expect((await prune(5, anchor)).ended).toBe(0)
  expect((await prune(10, anchor)).ended).toBe(0)
  const anchors = readAnchors(anchor)
  expect((await verifyTrail(store.trail, { anchors })).broken).toBeUndefined()
  expect((await compareRecords(store)).contradictions).toEqual([])
  const evil = { name: 'evil', tokenHash: 'f', elicitation: true, createdAt: START, createdBy: 'operator' }
  await store.update({ evil: clientRef('evil'), ci: clientRef('ci') }, () => ({
    next: { evil, ci: undefined },
    result: undefined,
  }))
  expect((await verifyTrail(store.trail, { anchors })).broken).toBeUndefined()
  expect((await compareRecords(store)).contradictions.map(({ what }) => what)).toEqual([
    'The trail has the client ci, but the store does not',
    'The store has the client evil, but the trail does not say that it was added',
    'The store takes a token for ci that is not the one of this client',
  ])
})

test('AUDIT-09 nothing is removed while the store contradicts the trail', async () => {
  await store.update({ ci: clientRef('ci') }, () => ({ next: { ci: undefined }, result: undefined }))
  const { ended, text } = await prune(10, join(folder, 'refused.jsonl'))
  expect(isStop(ended)).toBe(true)
  expect(text).toContain('The store contradicts the trail')
  expect(text).toContain('The trail has the client ci, but the store does not')
  expect(await store.trail.read({ events: ['TRAIL_PRUNED'] })).toEqual([])
})

test('AUDIT-09 contradictions within the trail are shown before what shows them is removed', async () => {
  const ran: AuditEntry = { timestamp: at(20), event: 'OPERATION_INTENT', result: 'confirmed', confirmation_token: 'r' }
  await append({ ...ran, operation: 'drop_it', adapter_name: 'db' })
  const { ended, text } = await prune(10, join(folder, 'shown.jsonl'), '')
  expect(isStop(ended)).toBe(true)
  expect(text).toContain('drop_it of db ran as confirmed, but no human has granted request r before')
  expect((await prune(10, join(folder, 'shown.jsonl'))).ended).toBe(0)
})
