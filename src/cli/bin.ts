#!/usr/bin/env node
import { homedir, userInfo } from 'node:os'
import { basename, isAbsolute, relative } from 'node:path'
import type { World } from './world.ts'

// Without a listener Node opens its debugger for whoever sends this, and a debugger reads every key of the process. What
// a module imports statically is loaded before its first line, which takes a while: so the program is imported below.
process.on('SIGUSR1', () => {})
const { main } = await import('./main.ts')
const { wantsColours } = await import('./render.ts')

/** The only file that touches `process`. */
const [, script = 'mcpaql', ...args] = process.argv
const program = basename(script).replace(/\.(?:js|cmd|exe)$/, '')
const interruption = new AbortController()

// Whatever the code of an adapter prints goes to stderr: stdout carries answers and the protocol alone (MCP-05).
const write = process.stdout.write.bind(process.stdout)
process.stdout.write = process.stderr.write.bind(process.stderr)
const { stdout } = process

const world: World = {
  out: (text) => write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
  progress: (text) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text.slice(0, (process.stderr.columns || 80) - 1)}`)
  },
  env: process.env,
  cwd: process.cwd(),
  home: homeFolder(),
  platform: process.platform,
  // Some terminals do not know their width and say 0.
  columns: process.stdout.isTTY ? process.stdout.columns || 80 : undefined,
  colours: wantsColours(process.stdout.isTTY === true, process.env),
  now: Date.now,
  interrupted: interruption.signal,
  stdin: process.stdin,
  stdout: { write, on: stdout.on.bind(stdout) },
  self: [process.execPath, script],
  program: program === 'bin' ? `node ${relative(process.cwd(), script)}` : program,
  readsTypeScript: 'typescript' in process.features && Boolean(process.features.typescript),
}

/** npm passes a Ctrl-C on that the terminal has sent already: so soon it is the same one. */
const SAME_INTERRUPTION_MS = 500
let firstAt = 0
/** The command has ended; only its last words are on their way. */
let isOver = false

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (!interruption.signal.aborted) {
      firstAt = performance.now()
      interruption.abort(new Error(`Interrupted by ${signal}`))
    } else if (performance.now() - firstAt > SAME_INTERRUPTION_MS) {
      process.exit(signal === 'SIGINT' ? 130 : 143)
    }
  })
}

// A reader that has seen enough (`mcpaql … | head`) is no failure. A server that listens for it ends its sessions first
// its client has gone, and what it left running is cancelled and recorded.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (process.stdout.listenerCount('error') === 1 || isOver) process.exit(error.code === 'EPIPE' ? 0 : 1)
})
process.stderr.on('error', () => {})

/** DONGLE-03: the safety server has a name of its own. */
const PREFIX = program === 'mcpaql-safety-dongle' ? ['safety'] : []

try {
  const exit = program === 'mcpaql-conformance' ? await runAlias() : await main([...PREFIX, ...args], world)
  isOver = true
  write('', () => process.exit(exit))
} catch (error) {
  world.err(`mcpaql: this is a bug, please report it\n${error instanceof Error ? error.stack : String(error)}`)
  process.exit(1)
}

/** Absolute, or the working folder would be taken for the operator's. An account without a name, as in a container, may have none. */
function homeFolder(): string {
  for (const find of [homedir, () => userInfo().homedir]) {
    try {
      const home = find()
      if (isAbsolute(home)) return home
    } catch {}
  }
  return '/'
}

async function runAlias(): Promise<number> {
  const { runner } = await import('./runner.ts')
  return runner(args, world)
}
