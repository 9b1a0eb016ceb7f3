import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import type { AuditEntry } from '../src/core/audit/entry.ts'
import { record } from '../src/core/ports/store.ts'
import { openSqliteStore } from '../src/store/sqlite.ts'

/**
 * Durable changes per second: one record consumed and one audit entry appended to the chain, by the size of the group
 * that arrives together. Beside it a bare loop over the same rows, one transaction per group, without reading, hashing
 * or deciding anything: into tables like the store's (with its indexes), and into plain ones. Target: half of it.
 */
const GROUPS = [1, 8, 64, 512]
const SECONDS = Number(process.env.MCPAQL_BENCH_SECONDS ?? 2)

interface Token {
  readonly consumed: boolean
  readonly operation: string
  readonly hash: string
}

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-bench-'))
const store = await openSqliteStore(join(folder, 'store.db'))
await (await openSqliteStore(join(folder, 'alike.db'))).close()
const alike = bare(join(folder, 'alike.db'), '')
const plain = bare(
  join(folder, 'plain.db'),
  `create table records (kind text, id text, value text, primary key (kind, id)) without rowid;
   create table trail (seq integer primary key, previous text, hash text, text text)`,
)

console.log(
  'group  store/s  p50 ms  p99 ms | bare/s (same tables)  p50  p99 | bare/s (plain tables)  p50  p99 | of same, of plain',
)
for (const size of GROUPS) {
  const ours = await measure(size, () => Promise.all(Array.from({ length: size }, consume)))
  const same = await measure(size, async () => alike(size))
  const least = await measure(size, async () => plain(size))
  const shares = [same, least].map(({ rate }) => `${Math.round((100 * ours.rate) / rate)} %`)
  console.log(
    `${String(size).padStart(5)} ${cells(ours)} | ${cells(same).padStart(32)} | ${cells(least).padStart(33)} | ${shares.join(', ')}`,
  )
}
await store.close()
rmSync(folder, { recursive: true, force: true })

/** Reads the token, consumes it and says so in the trail, in one commit. */
function consume(): Promise<boolean> {
  const { id, token, entry } = row()
  return store.update({ token: record<Token>('token', id) }, ({ token: held }) =>
    held?.consumed ? { result: false } : { next: { token }, audit: [entry], result: true },
  )
}

function row(): { readonly id: string; readonly token: Token; readonly entry: AuditEntry } {
  const id = randomBytes(12).toString('base64url')
  const entry: AuditEntry = {
    timestamp: new Date().toISOString(),
    event: 'OPERATION_INTENT',
    operation: 'delete_note',
    endpoint: 'mcp_aql_delete',
    adapter_name: 'note-book',
    danger_level: 3,
    outcome: 'confirmed',
    confirmation_token: id,
    parameters: { id, reason: 'no longer needed' },
    user_id: 'stdio',
    session_id: 'sess_8xV3o0q1Zt',
  }
  return { id, token: { consumed: true, operation: 'delete_note', hash: id.repeat(4) }, entry }
}

function bare(path: string, schema: string): (size: number) => void {
  const database = new Database(path)
  database.pragma('journal_mode = wal')
  database.pragma('synchronous = full')
  database.exec(schema)
  const upsert = database.prepare(
    "insert into records values ('token', ?, ?) on conflict do update set value = excluded.value",
  )
  const append = database.prepare('insert into trail (previous, hash, text) values (?, ?, ?)')
  const hash = '0'.repeat(64)
  return (size) => {
    database.exec('begin immediate')
    for (let i = 0; i < size; i++) {
      const { id, token, entry } = row()
      upsert.run(id, JSON.stringify(token))
      append.run(hash, hash, JSON.stringify(entry))
    }
    database.exec('commit')
  }
}

interface Measured {
  readonly rate: number
  readonly p50: number
  readonly p99: number
}

async function measure(size: number, commit: () => Promise<unknown>): Promise<Measured> {
  const times: number[] = []
  const start = performance.now()
  while (performance.now() - start < SECONDS * 1_000) {
    const before = performance.now()
    await commit()
    times.push(performance.now() - before)
  }
  const rate = (times.length * size * 1_000) / (performance.now() - start)
  times.sort((a, b) => a - b)
  return { rate, p50: at(times, 0.5), p99: at(times, 0.99) }
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function cells({ rate, p50, p99 }: Measured): string {
  return `${rate.toFixed(0).padStart(8)} ${p50.toFixed(2).padStart(7)} ${p99.toFixed(2).padStart(7)}`
}
