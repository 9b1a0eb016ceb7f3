#!/usr/bin/env node
import { homedir } from 'node:os'
import { basename } from 'node:path'
import { main } from './main.ts'
import type { World } from './world.ts'

/** The only file that touches `process`. */
const [, script = 'mcpaql', ...args] = process.argv
const program = basename(script).replace(/\.(?:js|cmd|exe)$/, '')
const interruption = new AbortController()

const world: World = {
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
  env: process.env,
  cwd: process.cwd(),
  home: homedir(),
  platform: process.platform,
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  colours: process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb',
  now: Date.now,
  interrupted: interruption.signal,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  self: program === 'mcpaql' ? ['mcpaql'] : [process.execPath, script],
  readsTypeScript: 'typescript' in process.features && Boolean(process.features.typescript),
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (interruption.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143)
    interruption.abort(new Error(`Interrupted by ${signal}`))
  })
}

// A reader that has seen enough (`mcpaql … | head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
process.stderr.on('error', () => {})

try {
  const exit = program === 'mcpaql-conformance' ? await runAlias() : await main(args, world)
  process.stdout.write('', () => process.exit(exit))
} catch (error) {
  world.err(`mcpaql: this is a bug, please report it\n${error instanceof Error ? error.stack : String(error)}`)
  process.exit(1)
}

async function runAlias(): Promise<number> {
  const { runner } = await import('./runner.ts')
  return runner(args, world)
}
