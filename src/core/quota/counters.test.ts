import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createMemoryStore } from '../../store/memory.ts'
import { openSqliteStore } from '../../store/sqlite.ts'
import { record, type Store } from '../ports/store.ts'
import { type Counters, isBroken, quotaRef, withCounters } from './counters.ts'
import { observeHeaders } from './observe-headers.ts'
import { quotaChanges, quotaStatus } from './quota-status.ts'
import { readRateLimits } from './read-rate-limits.ts'
import { reserve } from './reserve.ts'
import { settle } from './settle.ts'

const NOW = Date.parse('2026-01-28T12:29:13.500Z')
const READ = { operation: 'get_user', category: 'READ' }

const read = readRateLimits({
  requests_per_hour: 50,
  quotas: { enabled: true, limits: [{ metric: 'requests_per_day', warn: 1000, pause: 1000 }] },
})
if (read.errors) throw new Error(read.errors.join('\n'))
const limits = read

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-quota-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const GOOD = { from: 0, until: 9e15, used: 0 }
const version = 1

test.each<[string, unknown, boolean]>([
  ['nothing yet', undefined, false],
  ['no counters', { version, counters: {} }, false],
  ['a counter', { version, counters: { a: GOOD } }, false],
  ['a report', { version, counters: { a: { ...GOOD, reported: { remaining: 1, until: 5 }, retryAt: 7 } } }, false],
  ['null', null, true],
  ['a text', 'x', true],
  ['a list', [], true],
  ['no version', { counters: {} }, true],
  ['a later version', { version: 2, counters: {} }, true],
  ['no table', { version }, true],
  ['a table that is a list', { version, counters: [] }, true],
  ['a counter that is null', { version, counters: { a: null } }, true],
  ['a negative count', { version, counters: { a: { ...GOOD, used: -1 } } }, true],
  ['a count that is null', { version, counters: { a: { ...GOOD, used: null } } }, true],
  ['half a count', { version, counters: { a: { ...GOOD, used: 0.5 } } }, true],
  ['a window that ends before it begins', { version, counters: { a: { ...GOOD, from: 9, until: 8 } } }, true],
  ['a report without reset', { version, counters: { a: { ...GOOD, reported: { remaining: 1 } } } }, true],
  ['a retry that is a text', { version, counters: { a: { ...GOOD, retryAt: 'x' } } }, true],
])('RATE-15 a record that holds %s is unreadable: %3$s', (_, value, expected) => {
  expect(isBroken(value)).toBe(expected)
})

test('RATE-15 an unreadable record refuses everything and is never healed by use', () => {
  const broken = { version: 7 } as unknown as Counters
  const reservation = reserve(broken, limits, READ, NOW, { continued: true })
  expect(reservation).toEqual({ next: broken, verdict: { status: 'broken' } })
  const granted = reserve(undefined, limits, READ, NOW)
  expect(settle(broken, granted, { requests: 3 }, NOW)).toBe(broken)
  expect(observeHeaders(broken, limits, READ, { 'retry-after': '5' }, NOW)).toBe(broken)
  expect(quotaStatus(broken, limits, 'x', NOW)).toBe('broken')
  expect(quotaChanges(broken, granted.next, limits, NOW)).toEqual([])
})

test('RATE-15 counters of ended windows are dropped, and a record does not grow without bound', () => {
  const ended = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`ended ${i}`, { ...GOOD, until: NOW }]))
  const open = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`open ${i}`, GOOD]))
  expect(withCounters({ version, counters: { ...ended } }, [], NOW).counters).toEqual({})
  const { counters } = withCounters({ version, counters: { ...open } }, [{ key: 'new', counter: GOOD }], NOW)
  expect(Object.keys(counters)).toHaveLength(256)
  expect(counters.new).toEqual(GOOD)
})

test('RATE-15 limits that left the block keep their counters for their window', () => {
  const { next } = reserve({ version, counters: { 'global:day': { ...GOOD, used: 7 } } }, limits, READ, NOW)
  expect(next?.counters['global:day']?.used).toBe(7)
})

const sendMany = (store: Store, times: number) =>
  Promise.all(
    Array.from({ length: times }, () =>
      store.update({ quota: quotaRef('github-api') }, ({ quota }) => {
        const { next, verdict } = reserve(quota, limits, READ, NOW)
        return { next: { quota: next }, result: verdict.status }
      }),
    ),
  )

test.each<[string, () => Promise<Store>]>([
  ['memory', async () => createMemoryStore()],
  ['SQLite', () => openSqliteStore(join(folder, 'parallel.db'))],
])('RATE-06 SESS-10 of 200 parallel requests exactly 50 pass a limit of 50 (%s)', async (_, open) => {
  const store = await open()
  const statuses = await sendMany(store, 200)
  expect(statuses.filter((status) => status === 'ok')).toHaveLength(50)
  expect(statuses.filter((status) => status === 'limited')).toHaveLength(150)
  await store.close()
})

test('RATE-06 two openings of one SQLite file share the limit', async () => {
  const path = join(folder, 'shared.db')
  const stores = [await openSqliteStore(path), await openSqliteStore(path)]
  const statuses = (await Promise.all(stores.map((store) => sendMany(store, 100)))).flat()
  expect(statuses.filter((status) => status === 'ok')).toHaveLength(50)
  for (const store of stores) await store.close()
})

test('RATE-15 SESS-04 counters survive a restart, reservations left open by it included', async () => {
  const path = join(folder, 'restart.db')
  const first = await openSqliteStore(path)
  await sendMany(first, 20)
  await first.close()

  const second = await openSqliteStore(path)
  expect(await second.get(quotaRef('github-api'))).toEqual({
    version: 1,
    counters: {
      'global:hour': { from: 1769601600000, until: 1769605200000, used: 20 },
      'quota:requests_per_day': { from: 1769558400000, until: 1769644800000, used: 20 },
    },
  })
  const statuses = await sendMany(second, 40)
  expect(statuses.filter((status) => status === 'ok')).toHaveLength(30)
  await second.close()
})

test('RATE-15 the operator resets by removing the record', async () => {
  const store = createMemoryStore()
  await store.update({ it: record<unknown>('quota', 'github-api') }, () => ({ next: { it: 'garbage' }, result: 0 }))
  expect(await sendMany(store, 2)).toEqual(['broken', 'broken'])
  expect(await store.get(quotaRef('github-api'))).toBe('garbage')
  await store.update({ quota: quotaRef('github-api') }, () => ({ next: { quota: undefined }, result: 0 }))
  expect(await sendMany(store, 2)).toEqual(['ok', 'ok'])
})
