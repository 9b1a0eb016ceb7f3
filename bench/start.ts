import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Start-up beside bare Node: wall and CPU time to the first `tools/list` on stdio, memory then, `--help`. */
const BIN = join(import.meta.dirname, '../src/cli/bin.js')
const ROUNDS = 7

const HELLO = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
}
const READY = { jsonrpc: '2.0', method: 'notifications/initialized' }
const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' }

interface Started {
  readonly wall: number
  readonly cpu: number
  readonly resident: number
}

function firstList(): Promise<Started> {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const child = spawn(process.execPath, [BIN, 'serve', 'demo', '--store', 'memory:'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    let text = ''
    child.on('error', reject)
    child.stdout.on('data', (chunk) => {
      text += chunk
      if (!text.includes('"id":2')) return
      const wall = performance.now() - began
      const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024
      child.stdin.end()
      child.on('close', () => resolve({ wall, cpu: (Number(stat[11]) + Number(stat[12])) * 10, resident }))
    })
    for (const message of [HELLO, READY, LIST]) child.stdin.write(`${JSON.stringify(message)}\n`)
  })
}

function command(...args: string[]): number {
  const began = performance.now()
  spawnSync(process.execPath, args)
  return performance.now() - began
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

const bare = []
const help = []
const started: Started[] = []
for (let round = 0; round < ROUNDS; round++) {
  bare.push(command('-e', '0'))
  help.push(command(BIN, '--help'))
  started.push(await firstList())
}
console.log(`node -e 0                  ${median(bare).toFixed(0)} ms`)
console.log(
  `mcpaql --help              ${median(help).toFixed(0)} ms (${(median(help) - median(bare)).toFixed(0)} more)`,
)
console.log(
  `demo to first tools/list   ${median(started.map(({ wall }) => wall)).toFixed(0)} ms, ${median(started.map(({ cpu }) => cpu)).toFixed(0)} ms of CPU`,
)
console.log(`resident memory then       ${median(started.map(({ resident }) => resident)).toFixed(0)} MB`)
