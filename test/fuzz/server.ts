import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import Database from 'libsql'
import type { Fault } from './accounts.ts'

/** The demo in a process of its own, as a user starts it: its trail grows on disk, so that the heap shows what leaks. */
export interface ServerProcess {
  readonly child: ChildProcess
  /** Its end, and what it wrote to stderr: crashes, unhandled rejections, warnings, unexpected failures. */
  faults(): readonly Fault[]
  /** Bytes that its heap holds after a forced collection, and a call for which its store has to forget what it knows. */
  heapUsed(call: () => Promise<unknown>): Promise<number>
  isAlive(): boolean
  stop(): Promise<void>
}

const ROOT = new URL('../../', import.meta.url)

/** Elsewhere by `MCPAQL_FUZZ_BIN`. */
const BIN = process.env.MCPAQL_FUZZ_BIN ?? fileURLToPath(new URL('dist/src/cli/bin.js', ROOT))

export function startServer(args: readonly string[]): ServerProcess {
  if (!existsSync(BIN)) throw new Error(`${BIN} does not exist: build first (npm run build)`)
  const folder = mkdtempSync(join(tmpdir(), 'mcpaql-fuzz-'))
  const heapFile = join(folder, 'heap')
  const probe = fileURLToPath(new URL('./probe.cjs', import.meta.url))
  const flags = ['--expose-gc', '--unhandled-rejections=strict', '--trace-warnings', '--require', probe]
  const child = spawn(process.execPath, [...flags, BIN, 'serve', 'demo', '--no-console', ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: folder, HEAP_FILE: heapFile },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const said: string[] = []
  let rest = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    said.push(...lines.filter((line) => COMPLAINT.test(line)))
  })

  const isAlive = () => child.exitCode === null && child.signalCode === null
  return {
    child,
    isAlive,
    faults() {
      const ended = isAlive() ? [] : [`the server ended with ${child.exitCode ?? child.signalCode}`]
      const complaints = [...said, rest].filter((line) => COMPLAINT.test(line)).slice(0, 20)
      return [...ended, ...complaints.map((line) => `stderr: ${line.slice(0, 1_000)}`)].map((what) => ({ what }))
    },

    async heapUsed(call) {
      changeElsewhere(join(folder, 'mcpaql', 'state.db'))
      await call()
      await sleep(2_000) // reads are counted by the second, then written
      rmSync(heapFile, { force: true })
      child.kill('SIGUSR2')
      for (let tries = 0; tries < 3_000 && !existsSync(heapFile); tries++) await sleep(20)
      return Number(readFileSync(heapFile, 'utf8'))
    },

    async stop() {
      const ended = once(child, 'exit')
      if (isAlive()) {
        child.kill('SIGTERM')
        const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
        await ended
        clearTimeout(timer)
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** What the store remembers of its file is good until someone else writes to it. */
function changeElsewhere(file: string): void {
  const database = new Database(file)
  database.pragma('busy_timeout = 10000')
  database.exec('create table if not exists elsewhere (times); insert into elsewhere values (1)')
  database.close()
}

/** The log's own errors are JSON; what Node writes when something went past it is not. */
const COMPLAINT = /"level":"error"|^\s+at |\w*Error\b|Warning\b|[Uu]nhandled|FATAL|this is a bug/
