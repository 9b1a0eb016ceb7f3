import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { AuditEntry } from '../../src/core/audit/entry.ts'
import { tokenRef } from '../../src/core/audit/token-ref.ts'
import type { Store, TrailHead } from '../../src/core/ports/store.ts'
import { listBlocks } from '../../src/core/verification/block.ts'
import { openSqliteStore } from '../../src/store/sqlite.ts'
import { walkChain } from '../contract/chain.ts'
import { runTypeScript } from '../e2e/raw-client.ts'
import { deletion, type Gated, openGated } from './gated-adapter.ts'
import { LIMITS, SAFETY } from './kill-settings.ts'

/** The gate before a crash and after it. `npm run test:kill` sets MCPAQL_KILL=full. */
const CYCLES = process.env.MCPAQL_KILL === 'full' ? 1_000 : 20
const TIME_LIMIT = 60_000 + CYCLES * 30_000

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-gate-kill-'))
const FILE = join(folder, 'state.db')
const EFFECTS = join(folder, 'effects')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test(
  `TOK-13 AUDIT-07 AUDIT-08 BLOCK-05 RATE-15 ${CYCLES} processes killed amid gated deletions: nothing lost, nothing twice, nothing guessed`,
  async () => {
    writeFileSync(EFFECTS, '')
    const began = new Date().getUTCDate()
    const sums = { asked: 0, did: 0, effects: 0, unknown: 0, blocked: 0, intents: 0, starts: 0, slowest: 0 }
    const validated = new Set<unknown>()
    const blocked = new Set<string>()
    let head: TrailHead = { seq: 0, hash: '0'.repeat(64) }
    let victim: ReturnType<typeof start> | undefined = start(0)
    // More of them where none was hit between the intent and the outcome.
    for (let cycle = 0; cycle < CYCLES || (sums.unknown === 0 && cycle < 10 * CYCLES); cycle++) {
      const { asked, did, stopped } = await kill(victim ?? start(cycle), cycle)
      victim = cycle + 1 < CYCLES ? start(cycle + 1) : undefined
      const effects = linesOf(EFFECTS).filter((line) => line.startsWith(`${cycle}-`))
      const opening = performance.now()
      const store = await openSqliteStore(FILE)
      const left = (await store.list<{ readonly request?: string }>('intent')).map(({ id }) => id)
      const gated = await openGated(store, EFFECTS, LIMITS, SAFETY)
      sums.slowest = Math.max(sums.slowest, performance.now() - opening)

      const entries = await store.trail.read({ order: 'oldest', after: head.seq })
      const walked = walkChain(entries, head)
      expect(walked).toEqual(await store.trail.head())
      head = walked as TrailHead
      const trail = entries.map(({ entry }) => entry)
      const intents = trail.filter(({ event, operation }) => event === 'OPERATION_INTENT' && operation === DELETE)
      const outcomes = new Map(
        trail.filter(({ event }) => event === 'OPERATION_OUTCOME').map((each) => [each.intent_id, each]),
      )

      expect(new Set(effects).size).toBe(effects.length) // none ran twice
      const byThing = new Map(intents.map((intent) => [thingOf(intent), intent]))
      expect(byThing.size).toBe(intents.length)
      for (const thing of effects) expect(byThing.has(thing), `${thing} ran without an intent`).toBe(true)
      for (const thing of did) {
        expect(effects, `${thing} was acknowledged`).toContain(thing)
        expect(outcomes.get(byThing.get(thing)?.intent_id)).toMatchObject({ outcome: 'success' })
      }
      for (const { intent_id } of intents) {
        const wanted = left.includes(String(intent_id)) ? 'unknown' : 'success'
        expect(outcomes.get(intent_id)).toMatchObject({ outcome: wanted })
      }
      const unknown = new Set((await store.list('unknown')).map(({ id }) => id))
      expect(left.filter((id) => !unknown.has(id))).toEqual([]) // each is put before the operator
      expect(await store.list('intent')).toEqual([])

      for (const { token_id } of trail.filter(({ event }) => event === 'TOKEN_VALIDATED')) {
        expect(validated.has(token_id), `${token_id} was redeemed twice`).toBe(false)
        validated.add(token_id)
      }
      const before = linesOf(EFFECTS).length
      for (const [thing = '', id = '', token = ''] of asked.slice(-10)) await refuse(gated, thing, id, token)
      expect(linesOf(EFFECTS)).toHaveLength(before)
      for (const [thing = '', , token = ''] of asked.filter(([each]) => did.includes(each ?? '')))
        expect(validated.has(tokenRef(token)), thing).toBe(true)

      for (const name of stopped) blocked.add(name)
      const open = new Set((await listBlocks(store)).filter(isOpen).map(({ element_name }) => element_name))
      expect([...blocked].filter((name) => !open.has(name))).toEqual([])

      sums.intents += intents.length
      sums.starts += trail.filter(({ event, operation }) => event === 'OPERATION_INTENT' && operation !== DELETE).length
      if (new Date().getUTCDate() === began) {
        const used = await counted(gated)
        expect(used).toBeGreaterThanOrEqual(sums.intents)
        expect(used).toBeLessThanOrEqual(sums.intents + sums.starts)
      }
      head = await closed(gated, store, head)
      sums.asked += asked.length
      sums.did += did.length
      sums.effects += effects.length
      sums.unknown += left.length
      sums.blocked += stopped.length
    }
    expect(sums.did).toBeGreaterThan(CYCLES)
    expect(sums.unknown).toBeGreaterThan(0)
    expect(sums.blocked).toBeGreaterThan(0)
    process.stdout.write(
      `${CYCLES} kills: ${sums.asked} approved, ${sums.effects} effects, ${sums.did} acknowledged, ${sums.unknown} unknown outcomes ` +
        `told, ${sums.blocked} blocks kept; 0 lost, 0 twice, chain whole; ready again in at most ${sums.slowest.toFixed(0)} ms\n`,
    )
  },
  TIME_LIMIT,
)

const DELETE = 'delete_thing'

interface Heard {
  readonly asked: readonly (readonly string[])[]
  readonly did: readonly string[]
  readonly stopped: readonly string[]
}

type Victim = ReturnType<typeof start>

/** It waits, compiled and loaded, until it is told to begin. */
function start(cycle: number) {
  const child = runTypeScript('../safety/kill-worker.ts', [FILE, EFFECTS, String(cycle), String(2 ** (cycle % 5))])
  let said = ''
  let complained = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complained += text
  })
  child.stdin?.on('error', () => {})
  const closed = once(child, 'close')
  const says = (word: string): Promise<unknown> => {
    const heard = new Promise<void>((resolve) => {
      const look = () => said.includes(word) && resolve()
      look()
      child.stdout?.on('data', look)
    })
    return Promise.race([heard, closed])
  }
  return { child, closed, says, said: () => said, complained: () => complained }
}

/** In three of four cycles at work, in the others wherever it is. */
async function kill({ child, closed, says, said, complained }: Victim, cycle: number): Promise<Heard> {
  await says('ready\n')
  child.stdin?.write('go')
  const isAnywhere = cycle % 4 === 3
  if (!isAnywhere) await says('\ndid ')
  await new Promise((resolve) => setTimeout(resolve, Math.random() * (isAnywhere ? 400 : 250)))
  child.kill('SIGKILL')
  await closed
  expect(complained()).toBe('')
  const lines = said().split('\n').slice(0, -1)
  const after = (word: string) => lines.filter((line) => line.startsWith(word)).map((line) => line.slice(word.length))
  return { asked: after('asked ').map((line) => line.split(' ')), did: after('did '), stopped: after('blocked ') }
}

/** Whoever comes back with a token of the dead process has nothing: it is spent, or it ended with its session. */
async function refuse({ runtime, call }: Gated, thing: string, id: string, token: string): Promise<void> {
  const session = runtime.openSession(`agent ${thing}`, { id })
  const { success, error } = await call(deletion(thing, token), session)
  expect([success, error?.code]).toEqual([false, expect.stringMatching(/^TOKEN_(?:ALREADY_USED|INVALID)$/)])
}

async function counted({ runtime, call }: Gated): Promise<number | undefined> {
  const asking = { operation: 'introspect', params: { query: 'quota_status' } }
  const { data } = await call(asking, runtime.openSession('watcher'))
  const { quotas } = data as unknown as { readonly quotas: readonly { readonly current: number }[] }
  return quotas[0]?.current
}

/** What this process wrote itself is not looked at again. */
async function closed({ runtime }: Gated, store: Store, head: TrailHead): Promise<TrailHead> {
  await runtime.close()
  const walked = walkChain(await store.trail.read({ order: 'oldest', after: head.seq }), head)
  expect(walked).toEqual(await store.trail.head())
  await store.close()
  return walked as TrailHead
}

function thingOf({ parameters }: AuditEntry): string {
  return String((parameters as { readonly thing?: unknown } | undefined)?.thing)
}

function isOpen({ unblocked_at }: { readonly unblocked_at?: string }): boolean {
  return unblocked_at === undefined
}

function linesOf(path: string): readonly string[] {
  return readFileSync(path, 'utf8').split('\n').slice(0, -1)
}
