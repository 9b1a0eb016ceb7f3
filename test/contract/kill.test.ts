import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'libsql'
import { afterAll, expect, test } from 'vitest'
import { record, type TrailHead } from '../../src/core/ports/store.ts'
import { openSqliteStore } from '../../src/store/sqlite.ts'
import { walkChain } from './chain.ts'

/** `npm run test:kill` sets MCPAQL_KILL=full. */
const CYCLES = process.env.MCPAQL_KILL === 'full' ? 1_000 : 20
const TIME_LIMIT = CYCLES * 20_000

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-kill-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test(
  `SESS-10 AUDIT-07 AUDIT-09 ${CYCLES} cycles of two processes racing on one file, both killed: nothing lost, nothing twice`,
  async () => {
    const file = join(folder, 'state.db')
    const sums = { acknowledged: 0, late: 0, consumed: 0, unheard: 0, slowest: 0 }
    let head: TrailHead = { seq: 0, hash: '0'.repeat(64) }
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const [one, two] = await race(file, cycle)
      const began = performance.now()
      const store = await openSqliteStore(file)
      const kept = await store.list<string>(`token:${cycle}`)
      sums.slowest = Math.max(sums.slowest, performance.now() - began)
      const consumed = new Set(kept.map(({ id }) => id))

      const acknowledged = [...one.took, ...two.took]
      expect(acknowledged.filter((id) => !consumed.has(id))).toEqual([]) // none lost
      expect(new Set(acknowledged).size).toBe(acknowledged.length) // none taken twice
      expect([...one.late, ...two.late].filter((id) => !consumed.has(id))).toEqual([]) // nobody was too late for nothing
      expect((await store.get(record<number>('spent', String(cycle)))) ?? 0).toBe(consumed.size)

      const entries = await store.trail.read({ order: 'oldest', after: head.seq })
      const walked = walkChain(entries, head)
      expect(walked).toEqual(await store.trail.head())
      head = walked as TrailHead
      const audited = entries.map(({ entry }) => String(entry.token_id).split('/')[1])
      expect(audited.toSorted()).toEqual([...consumed].toSorted()) // one entry for each, in the same commit
      for (const { value } of kept) expect(await store.isGone(value)).toBe(true)
      await store.close()

      sums.acknowledged += acknowledged.length
      sums.late += one.late.length + two.late.length
      sums.consumed += consumed.size
      sums.unheard += consumed.size - acknowledged.length
    }
    const database = new Database(file)
    expect(database.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
    database.close()
    expect(sums.acknowledged).toBeGreaterThan(CYCLES)
    expect(sums.late).toBeGreaterThan(0) // they did race
    expect(sums.slowest).toBeLessThan(2_000)
    process.stdout.write(
      `${CYCLES} cycles, ${2 * CYCLES} kills: ${sums.consumed} tokens consumed, ${sums.acknowledged} acknowledged, ` +
        `${sums.unheard} killed before the answer, ${sums.late} second redemptions refused, ` +
        `0 lost, 0 twice, chain whole; re-opened in at most ${sums.slowest.toFixed(0)} ms\n`,
    )
  },
  TIME_LIMIT,
)

interface Heard {
  readonly took: readonly string[]
  readonly late: readonly string[]
}

/** In three of four cycles both are killed while both are at work; in the others, wherever they are: also while they open the file. */
async function race(file: string, cycle: number): Promise<readonly [Heard, Heard]> {
  const racers = [enter(file, cycle), enter(file, cycle)] as const
  const isAnywhere = cycle % 4 === 3
  if (!isAnywhere) await Promise.all(racers.map(({ isReady }) => isReady))
  for (const { child } of racers) child.stdin?.write('go')
  if (!isAnywhere) await Promise.all(racers.map(({ atWork }) => atWork))
  const kill = async ({ child, heard }: Racer): Promise<Heard> => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * (isAnywhere ? 600 : 120)))
    child.kill('SIGKILL')
    return heard
  }
  return Promise.all([kill(racers[0]), kill(racers[1])])
}

interface Racer {
  readonly child: ChildProcess
  readonly isReady: Promise<unknown>
  readonly atWork: Promise<unknown>
  /** Known when it has ended. */
  readonly heard: Promise<Heard>
}

function enter(file: string, cycle: number): Racer {
  const child = start([file, String(cycle), String(2 ** (cycle % 6))])
  const closed = once(child, 'close')
  let said = ''
  let complained = ''
  const has = (pattern: RegExp): Promise<void> =>
    new Promise((resolve) => {
      child.stdout?.on('data', () => pattern.test(said) && resolve())
    })
  child.stdout?.setEncoding('latin1').on('data', (text: string) => {
    said += text
  })
  child.stdin?.on('error', () => {}) // it may be dead by then
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complained += text
  })
  const heard = closed.then(() => {
    expect(complained).toBe('')
    const lines = said.split('\n').slice(0, -1)
    const after = (word: string) => lines.filter((line) => line.startsWith(word)).map((line) => line.slice(word.length))
    return { took: after('took '), late: after('late ') }
  })
  const isReady = Promise.race([has(/^ready$/m), closed])
  const atWork = Promise.race([has(/^(?:took|late) /m), closed])
  return { child, isReady, atWork, heard }
}

function start(args: readonly string[]): ChildProcess {
  const shim = new URL('../e2e/shim/typescript.mjs', import.meta.url).href
  const worker = fileURLToPath(new URL('./race-worker.ts', import.meta.url))
  return spawn(process.execPath, ['--import', shim, worker, ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
}
