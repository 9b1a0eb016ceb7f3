import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditEntry } from '../../src/core/audit/entry.ts'
import type { Store, TrailQuery } from '../../src/core/ports/store.ts'
import { openSqliteStore } from '../../src/store/sqlite.ts'

/** `npm run test:kill` sets MCPAQL_KILL=full. */
const ENTRIES = process.env.MCPAQL_KILL === 'full' ? 1_000_000 : 50_000
const START = Date.parse('2026-01-01T00:00:00.000Z')

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-long-'))
const file = join(folder, 'state.db')
let store: Store

beforeAll(async () => {
  const first = await openSqliteStore(file)
  for (let n = 0; n < ENTRIES; n += 1_000) {
    const audit = Array.from({ length: 1_000 }, (_, i) => entry(n + i + 1))
    await first.update({}, () => ({ audit, result: undefined }))
  }
  await first.close()
}, 3_600_000)
afterAll(async () => {
  await store?.close()
  rmSync(folder, { recursive: true, force: true })
})

test(`AUDIT-07 a store with ${ENTRIES} entries opens in less than 2 s and goes on where it was`, async () => {
  const began = performance.now()
  store = await openSqliteStore(file)
  const { seq } = await store.trail.head()
  await store.update({}, () => ({ audit: [entry(ENTRIES + 1)], result: undefined }))
  const took = performance.now() - began
  expect(seq).toBe(ENTRIES)
  expect(took).toBeLessThan(2_000)
  const size = Math.round(statSync(file).size / 2 ** 20)
  process.stdout.write(`${ENTRIES} entries (${size} MiB): opened and written to in ${took.toFixed(0)} ms\n`)
})

test.each<[string, TrailQuery, readonly number[]]>([
  ['the newest', { limit: 3 }, [ENTRIES + 1, ENTRIES, ENTRIES - 1]],
  ['the oldest', { order: 'oldest', limit: 2 }, [1, 2]],
  ['a rare event', { events: ['AGENT_BLOCKED', 'AGENT_UNBLOCKED'] }, [12_345]],
  ['a rare principal', { principal: 'eve' }, [12_345]],
  ['a rare level', { level: 4 }, [12_345]],
  ['a rare word', { text: 'NEEDLE' }, [12_345]],
  ['a span of time', { from: time(20_000), to: time(20_002) }, [20_002, 20_001, 20_000]],
  ['since lately', { from: time(ENTRIES) }, [ENTRIES + 1, ENTRIES]],
  ['an operation, cut', { operation: 'delete_note', limit: 1 }, [ENTRIES + 1]],
])('a long trail is asked for %s without holding up the rest', async (name, query, expected) => {
  let longest = 0
  let last = performance.now()
  const beat = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  const began = performance.now()
  const found = await store.trail.read(query)
  const took = performance.now() - began
  await new Promise((resolve) => setTimeout(resolve, 2))
  clearInterval(beat)
  expect(found.map(({ seq }) => seq)).toEqual(expected)
  expect(longest).toBeLessThan(1_000)
  process.stdout.write(`${name}: ${took.toFixed(1)} ms, the event loop waited ${longest.toFixed(0)} ms at most\n`)
})

function time(n: number): string {
  return new Date(START + n * 1_000).toISOString()
}

function entry(n: number): AuditEntry {
  const isRare = n === 12_345
  return {
    timestamp: time(n),
    event: isRare ? 'AGENT_BLOCKED' : 'OPERATION_INTENT',
    operation: 'delete_note',
    endpoint: 'mcp_aql_delete',
    adapter_name: 'note-book',
    danger_level: isRare ? 4 : 3,
    outcome: 'confirmed',
    confirmation_token: '0123456789abcdef',
    parameters: { id: `note-${n}`, reason: isRare ? 'the needle' : 'no longer needed' },
    user_id: isRare ? 'eve' : 'stdio',
    session_id: `sess_${n % 1_000}`,
  }
}
