import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { BIN, plainEnvironment } from '../e2e/bin.ts'

export interface Measured {
  /** Processor time during which the event loop was held at a stretch. */
  readonly stallMs: number
  readonly rssBytes: number
}

/** The program in a process of its own, which says how long its event loop was held. */
export interface MeasuredServer {
  readonly child: ChildProcess
  /** Since it was last asked. */
  readonly measured: () => Promise<Measured>
  readonly stop: () => Promise<void>
}

export function startMeasured(args: readonly string[]): MeasuredServer {
  const folder = mkdtempSync(join(tmpdir(), 'mcpaql-stall-'))
  const probe = fileURLToPath(new URL('./probe.cjs', import.meta.url))
  const child = spawn(process.execPath, ['--require', probe, BIN, ...args], {
    cwd: folder,
    env: { ...plainEnvironment(folder), MCPAQL_CONSOLE_PORT: '0' },
    stdio: ['pipe', 'pipe', 'ignore', 'ipc'],
  })
  return {
    child,
    async measured() {
      const told = once(child, 'message')
      child.send('tell')
      const [values] = (await told) as [Measured]
      return values
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      await sleep(10)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
