import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BIN, plainEnvironment } from '../e2e/bin.ts'
import { createRandom } from '../fuzz/random.ts'
import { KINDS, type Kind, type Pick } from './kinds.ts'

/** `npm run test:stall` searches long and prints the worst request of each kind; the suite looks at a few of each. */
const IS_LONG = process.env.MCPAQL_STALL === 'full'
const TRIES = IS_LONG ? 60 : 4
const MOST_MS = 250
const MOST_BYTES = 256 * 1_024 * 1_024
/** The largest request, less what JSON-RPC puts around it. */
const ROOM = 1_048_576 - 400

interface Measured {
  readonly stallMs: number
  readonly rssBytes: number
}

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-stall-'))
let server: ChildProcess
let idleBytes = 0
const answers = new Map<number, () => void>()
let next = 1

beforeAll(async () => {
  const probe = fileURLToPath(new URL('./probe.cjs', import.meta.url))
  const args = [
    '--require',
    probe,
    BIN,
    'serve',
    'demo',
    '--mode',
    'single',
    '--safety-mode',
    'enforcing',
    '--no-console',
  ]
  server = spawn(process.execPath, args, { env: plainEnvironment(folder), stdio: ['pipe', 'pipe', 'ignore', 'ipc'] })
  createInterface({ input: server.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    const { id, method } = JSON.parse(line) as { readonly id?: number; readonly method?: string }
    if (method === 'elicitation/create') say({ id, result: { action: 'cancel' } })
    else if (id !== undefined) answers.get(id)?.()
  })
  const clientInfo = { name: 'stall', version: '1' }
  const capabilities = { elicitation: { form: {} } }
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo })
  say({ method: 'notifications/initialized' })
  await callTool({ operation: 'introspect', params: { query: 'search', text: 'issues' } })
  await callTool({ operation: 'list_issues', params: {} })
  await sleep(500)
  idleBytes = (await measured()).rssBytes
}, 120_000)

afterAll(async () => {
  const ended = once(server, 'exit')
  server.kill('SIGKILL')
  await ended
  rmSync(folder, { recursive: true, force: true })
})

test.each(KINDS.map((kind) => [kind.name, kind] as const))(
  'no request holds up the others: %s',
  async (_, kind) => {
    const worst = await search(kind)
    const { stallMs, rssBytes, seed, bytes } = worst
    if (IS_LONG)
      report(
        `${Math.round(stallMs).toString().padStart(5)} ms  ${Math.round((rssBytes - idleBytes) / 1e6)} MB  ${kind.name} (seed ${seed}, ${bytes} bytes)`,
      )
    expect(stallMs, `${kind.name}, seed ${seed}`).toBeLessThan(MOST_MS)
    expect(rssBytes - idleBytes, `${kind.name}, seed ${seed}`).toBeLessThan(MOST_BYTES)
  },
  IS_LONG ? 1_800_000 : 120_000,
)

function report(line: string): void {
  process.stdout.write(`${line}\n`)
}

interface Worst extends Measured {
  readonly seed: number
  readonly bytes: number
}

async function search(kind: Kind): Promise<Worst> {
  let worst: Worst = { stallMs: 0, rssBytes: 0, seed: 0, bytes: 0 }
  for (let seed = 1; seed <= TRIES; seed++) {
    const request = kind.make(ROOM, pickBy(seed))
    await measured()
    const bytes = await callTool(request)
    await sleep(20)
    const found = await measured()
    if (found.stallMs > worst.stallMs)
      worst = { ...found, rssBytes: Math.max(worst.rssBytes, found.rssBytes), seed, bytes }
  }
  // A collection of garbage may fall anywhere; what is really dear is dear every time.
  const again: number[] = []
  for (let round = 0; round < 3; round++) {
    await measured()
    await callTool(kind.make(ROOM, pickBy(worst.seed)))
    again.push((await measured()).stallMs)
  }
  return { ...worst, stallMs: Math.min(worst.stallMs, ...again) }
}

function pickBy(seed: number): Pick {
  const { pick, below } = createRandom(seed)
  return { of: pick, int: (least, most) => least + below(most - least + 1) }
}

async function measured(): Promise<Measured> {
  const told = once(server, 'message')
  server.send('tell')
  const [values] = (await told) as [Measured]
  return values
}

async function callTool(args: unknown): Promise<number> {
  return ask('tools/call', { name: 'tracker_mcpaql', arguments: args })
}

async function ask(method: string, params: unknown): Promise<number> {
  const id = next++
  const answered = new Promise<void>((resolve) => answers.set(id, resolve))
  const bytes = say({ id, method, params })
  await answered
  answers.delete(id)
  return bytes
}

function say(message: object): number {
  const line = `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
  server.stdin?.write(line)
  return Buffer.byteLength(line)
}
