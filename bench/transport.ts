import { type ChildProcess, spawn } from 'node:child_process'
import { Agent, request } from 'node:http'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'

/**
 * CPU per request of the server process, ours beside a bare SDK server with one echo tool, in the same run, in
 * alternating rounds. The driver is another process and speaks raw JSON-RPC, so that no client is measured.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 5)
const REQUESTS = Math.min(Number(process.env.REQUESTS ?? 20_000), 50_000)
/** Until the compiler has settled: before that the larger program pays more, and a server runs longer than that. */
const WARM_UP = 10_000
const IN_FLIGHT = 16

const CASES = [
  { name: 'stdio legacy', transport: 'stdio', era: 'legacy' },
  { name: 'stdio modern', transport: 'stdio', era: 'modern' },
  { name: 'HTTP legacy', transport: 'http-session', era: 'legacy' },
  { name: 'HTTP modern', transport: 'http', era: 'modern' },
] as const

type Case = (typeof CASES)[number]
type Side = 'ours' | 'bare'

interface Target {
  /** Sends so many calls, sixteen at a time, and returns when all are answered. */
  drive(count: number): Promise<void>
  cpuMicros(): Promise<number>
  stop(): void
}

async function main(): Promise<void> {
  const rows = []
  for (const one of CASES) {
    if (process.argv[2] && !one.name.includes(process.argv[2])) continue
    const sides: Record<Side, Target> = { bare: await start('bare', one), ours: await start('ours', one) }
    const costs: Record<Side, number[]> = { bare: [], ours: [] }
    for (const side of ['bare', 'ours'] as const) await sides[side].drive(WARM_UP)
    for (let round = 0; round < ROUNDS; round++) {
      for (const side of round % 2 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const)) {
        const before = await sides[side].cpuMicros()
        await sides[side].drive(REQUESTS)
        costs[side].push(((await sides[side].cpuMicros()) - before) / REQUESTS)
      }
    }
    sides.bare.stop()
    sides.ours.stop()
    rows.push({
      transport: one.name,
      'ours µs/request': round1(median(costs.ours)),
      'bare SDK µs/request': round1(median(costs.bare)),
      'ours/bare': Math.round((median(costs.ours) / median(costs.bare)) * 100) / 100,
      'ours, all': costs.ours.map(round1).join(' '),
      'bare, all': costs.bare.map(round1).join(' '),
    })
  }
  console.log(
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}; medians of ${ROUNDS} rounds of ${REQUESTS} requests`,
  )
  console.table(rows)
}

async function start(side: Side, { transport, era }: Case): Promise<Target> {
  const server = fileURLToPath(new URL('./transport-server.js', import.meta.url))
  const child = spawn(process.execPath, [server, side, transport], { stdio: ['pipe', 'pipe', 'inherit', 'ipc'] })
  const drive = transport === 'stdio' ? await stdioDriver(child, era) : await httpDriver(await portOf(child), era)
  return {
    drive,
    cpuMicros: async () => {
      const reply = next<{ cpu: { user: number; system: number } }>(child)
      child.send('cpu')
      const { cpu } = await reply
      return cpu.user + cpu.system
    },
    stop: () => void child.send('stop'),
  }
}

function next<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve) => child.once('message', (message) => resolve(message as T)))
}

async function portOf(child: ChildProcess): Promise<number> {
  return (await next<{ port: number }>(child)).port
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
}

function callText(id: number, era: Case['era']): string {
  const args = { operation: 'echo', params: { text: 'the quick brown fox', number: 7 } }
  const params = { name: 'echo', arguments: args, ...(era === 'modern' && { _meta: META }) }
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })
}

async function stdioDriver(child: ChildProcess, era: Case['era']): Promise<Target['drive']> {
  const { stdin, stdout } = child
  if (!stdin || !stdout) throw new Error('the server has no pipes')
  let onAnswer: () => void = () => {}
  stdout.on('data', (chunk: Buffer) => {
    for (const byte of chunk) if (byte === 10) onAnswer()
  })
  let id = 0
  if (era === 'legacy') {
    const answered = new Promise<void>((resolve) => {
      onAnswer = resolve
    })
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: id++, method: 'initialize', params: INITIALIZE })}\n`)
    await answered
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
  }
  return (count) =>
    new Promise((resolve) => {
      let sent = 0
      let answered = 0
      const send = () => {
        if (sent++ < count) stdin.write(`${callText(id++, era)}\n`)
      }
      onAnswer = () => {
        if (++answered === count) resolve()
        else send()
      }
      for (let i = 0; i < IN_FLIGHT; i++) send()
    })
}

async function httpDriver(port: number, era: Case['era']): Promise<Target['drive']> {
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT })
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(era === 'modern' && { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' }),
  }
  const post = (body: string) =>
    new Promise<string>((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', path: '/mcp', method: 'POST', agent, headers }, (res) => {
        let text = ''
        res.setEncoding('utf8')
        res.on('data', (chunk: string) => {
          text += chunk
        })
        res.on('end', () => {
          if (res.headers['mcp-session-id']) headers['mcp-session-id'] = String(res.headers['mcp-session-id'])
          if ((res.statusCode ?? 500) >= 300) reject(new Error(`${res.statusCode} ${text}`))
          else resolve(text)
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })
  let id = 0
  if (era === 'legacy') {
    await post(JSON.stringify({ jsonrpc: '2.0', id: id++, method: 'initialize', params: INITIALIZE }))
    await post(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))
  }
  const first = await post(callText(id++, era))
  if (!first.includes('quick brown fox')) throw new Error(first)
  return async (count) => {
    let left = count
    const worker = async () => {
      while (left-- > 0) await post(callText(id++, era))
    }
    await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

function round1(value: number): number {
  return Math.round(value * 10) / 10
}

await main()
