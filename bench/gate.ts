import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { humanDecision } from '../src/core/ports/human.ts'
import type { RecordRef, Store } from '../src/core/ports/store.ts'
import { defineAdapter } from '../src/core/registry/adapter.ts'
import { defineOperation } from '../src/core/registry/operation.ts'
import { createRuntime, type Runtime } from '../src/core/runtime.ts'
import { createMemoryStore } from '../src/store/memory.ts'
import { openSqliteStore } from '../src/store/sqlite.ts'

/**
 * Gated executions per second: asked about, approved, redeemed, run, outcome recorded; four durable commits each, at 64
 * sessions. Beside it a bare loop that writes the very same rows into tables like the store's, one transaction for 64
 * changes, without reading, hashing or deciding anything. Target: half of it. And the CPU of a READ behind the gate.
 */
const SESSIONS = 64
const SECONDS = Number(process.env.MCPAQL_BENCH_SECONDS ?? 3)
const ROUNDS = 3
const READS = 200_000

const adapter = defineAdapter({
  name: 'bench',
  description: 'Notes.',
  concurrency: 'fully-concurrent',
  operations: [
    defineOperation({
      name: 'get_note',
      category: 'READ',
      description: 'Get one note.',
      params: { note_id: { type: 'string', required: true } },
      returns: 'object',
      handler: ({ note_id }) => ({ id: note_id, title: 'hello' }),
    }),
    defineOperation({
      name: 'delete_note',
      category: 'DELETE',
      description: 'Delete one note.',
      params: { note_id: { type: 'string', required: true }, reason: { type: 'string' } },
      returns: 'object',
      handler: ({ note_id }) => ({ deleted: note_id }),
    }),
  ],
})
const clock = { now: () => Date.now() }
const by = { subject: 'operator', channel: 'console', role: 'admin' } as const

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-bench-gate-'))
const rows = await sample()
console.log(
  `a gated execution writes ${((rows.flatMap(({ records }) => records).length / rows.length) * 4).toFixed(1)} records and ` +
    `${((rows.flatMap(({ entries }) => entries).length / rows.length) * 4).toFixed(1)} audit entries in 4 commits; ${SESSIONS} sessions at a time`,
)
console.log('             rate/s   p50 ms   p99 ms   CPU µs each')
const shares: number[] = []
await measureGate() // warm
for (let round = 0; round < ROUNDS; round++) {
  const gated = await measureGate()
  const bare = await measureBare()
  console.log(`gated     ${cells(gated)}`)
  console.log(`bare loop ${cells(bare)}`)
  shares.push(gated.rate / bare.rate)
}
shares.sort((a, b) => a - b)
console.log(`share of the bare loop: ${shares.map((share) => `${Math.round(100 * share)} %`).join(', ')} (target 50 %)`)
rmSync(folder, { recursive: true, force: true })
await measureRead()

interface Measured {
  readonly rate: number
  readonly p50: number
  readonly p99: number
  readonly cpu: number
}

/** What one change wrote. */
interface Written {
  readonly records: readonly { readonly kind: string; readonly id: string; readonly value: unknown }[]
  readonly entries: readonly unknown[]
}

function open(store: Store): Promise<Runtime> {
  const reach = () => ({ channels: ['console'] })
  return createRuntime(adapter, { store, clock, mode: 'single', reach, tokenCapacity: 1e9 })
}

/** One lane: a principal that deletes, is asked, is approved, and deletes; a new session before the limit of one (TOK-18). */
async function lane(
  runtime: Runtime,
  number: number,
  isOver: (done: number) => boolean,
  times: number[],
): Promise<void> {
  const tool = runtime.tools[0]?.name ?? ''
  let session = runtime.openSession(`agent ${number}`)
  for (let turn = 0; !isOver(turn); turn++) {
    if (turn % 25 === 24) session = runtime.openSession(`agent ${number}`)
    const began = performance.now()
    const params = { note_id: `n${number}-${turn}`, reason: 'no longer needed' }
    const asked = await runtime.call({ tool, arguments: { operation: 'delete_note', params }, session })
    const { confirmation_token, approval_id } = detailsOf(asked.result)
    await runtime.decide(approval_id, humanDecision({ decision: 'approve', by }))
    const call = { operation: 'delete_note', params: { ...params, confirmation_token } }
    const { isError, text } = await runtime.call({ tool, arguments: call, session })
    if (isError) throw new Error(text)
    times.push(performance.now() - began)
  }
}

function detailsOf(result: unknown): { readonly confirmation_token: string; readonly approval_id: string } {
  return (result as { readonly error: { readonly details: ReturnType<typeof detailsOf> } }).error.details
}

async function sample(): Promise<readonly Written[]> {
  const written: Written[] = []
  const store = createMemoryStore()
  const kept: Store = {
    ...store,
    update: (refs, change) =>
      store.update(refs, (current) => {
        const changed = change(current)
        const records = Object.entries(changed.next ?? {}).map(([name, value]) => {
          const { kind, id } = refs[name] as RecordRef<unknown>
          return { kind, id, value }
        })
        written.push({ records, entries: changed.audit ?? [] })
        return changed
      }),
  }
  const runtime = await open(kept)
  written.length = 0
  await Promise.all(lanes((number) => lane(runtime, number, (done) => done >= 20, [])))
  return [...written]
}

async function measureGate(): Promise<Measured> {
  const store = await openSqliteStore(join(folder, `gate-${performance.now()}.db`))
  const runtime = await open(store)
  const times: number[] = []
  await Promise.all(lanes((number) => lane(runtime, number, (done) => done >= 3, [])))
  const measured = await timed(times, async (isOver) => {
    await Promise.all(lanes((number) => lane(runtime, number, isOver, times)))
  })
  await runtime.close()
  await store.close()
  return measured
}

/** The same rows, 64 changes to a transaction. */
async function measureBare(): Promise<Measured> {
  const path = join(folder, `bare-${performance.now()}.db`)
  await (await openSqliteStore(path)).close()
  const database = new Database(path)
  database.pragma('journal_mode = wal')
  database.pragma('synchronous = full')
  const upsert = database.prepare(
    'insert into records values (?, ?, ?) on conflict do update set value = excluded.value',
  )
  const remove = database.prepare('delete from records where kind = ? and id = ?')
  const append = database.prepare('insert into trail (previous, hash, text) values (?, ?, ?)')
  const hash = '0'.repeat(64)
  const times: number[] = []
  const measured = await timed(times, async (isOver) => {
    for (let at = 0; !isOver(0); ) {
      const began = performance.now()
      for (let commit = 0; commit < 4; commit++) {
        database.exec('begin immediate')
        for (let i = 0; i < SESSIONS; i++, at++) {
          const { records, entries } = rows[at % rows.length] as Written
          for (const { kind, id, value } of records) {
            const name = `${id}${Math.floor(at / rows.length)}`
            if (value === undefined) remove.run(kind, name)
            else upsert.run(kind, name, JSON.stringify(value))
          }
          for (const entry of entries) append.run(hash, hash, JSON.stringify(entry))
        }
        database.exec('commit')
      }
      const took = performance.now() - began
      for (let i = 0; i < SESSIONS; i++) times.push(took)
    }
  })
  database.close()
  return measured
}

function lanes<T>(run: (number: number) => Promise<T>): readonly Promise<T>[] {
  return Array.from({ length: SESSIONS }, (_, number) => run(number))
}

async function timed(times: number[], run: (isOver: (done: number) => boolean) => Promise<void>): Promise<Measured> {
  const began = performance.now()
  const before = process.cpuUsage()
  await run(() => performance.now() - began > SECONDS * 1_000)
  const { user, system } = process.cpuUsage(before)
  const seconds = (performance.now() - began) / 1_000
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  return { rate: times.length / seconds, p50: at(0.5), p99: at(0.99), cpu: (user + system) / times.length }
}

function cells({ rate, p50, p99, cpu }: Measured): string {
  return `${rate.toFixed(0).padStart(9)} ${p50.toFixed(2).padStart(8)} ${p99.toFixed(2).padStart(8)} ${cpu.toFixed(0).padStart(13)}`
}

/** AUDIT-10: counted, not recorded. */
async function measureRead(): Promise<void> {
  const store = createMemoryStore()
  const runtime = await open(store)
  const session = runtime.openSession('bench')
  const tool = runtime.tools[0]?.name ?? ''
  const call = { tool, arguments: { operation: 'get_note', params: { note_id: 'n1' } }, session }
  const microseconds = async (work: () => unknown, calls: number) => {
    const before = process.cpuUsage()
    for (let i = 0; i < calls; i++) await work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / calls
  }
  await microseconds(() => runtime.call(call), 50_000)
  const runs: number[] = []
  for (let i = 0; i < 5; i++) runs.push(await microseconds(() => runtime.call(call), READS))
  runs.sort((a, b) => a - b)
  const result = { success: true, data: { id: 'n1', title: 'hello' } }
  const plain = await microseconds(() => JSON.stringify(result), READS)
  await runtime.close()
  const counted = (await store.trail.read({ events: ['OPERATIONS_COUNTED'] })).length
  console.log(
    `gated READ ${runs[2]?.toFixed(2)} µs of CPU (best ${runs[0]?.toFixed(2)}, worst ${runs[4]?.toFixed(2)}; 5 × ${READS}; ` +
      `${counted} entries in the trail), target 5; awaited JSON.stringify ${plain.toFixed(2)} µs`,
  )
}
