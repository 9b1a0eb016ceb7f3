import { type ChildProcess, spawn } from 'node:child_process'
import { isReport } from '../../core/hook/hook-events.ts'
import type { World } from '../world.ts'
import type { HookClient } from './clients.ts'

export interface Played {
  /** Null when it did not end by itself. */
  readonly exit: number | null
  readonly stdout: string
  readonly ms: number
}

const MOST_MS = 15_000
const LAST_WORDS_MS = 500
const MOST_OUTPUT = 65_536

/**
 * Starts a line as clients do: by the shell, in the project's folder, which Claude Code names in a variable, the event on the standard input. It is what the
 * client itself starts before each tool, whatever it does; here it is ended after a while, with all that it has started.
 */
export function playLine(
  line: string,
  event: string,
  { env, cwd, platform }: Pick<World, 'env' | 'cwd' | 'platform'>,
  more: Readonly<Record<string, string>> = {},
  mostMs = MOST_MS,
): Promise<Played> {
  const began = performance.now()
  return new Promise((resolve) => {
    let stdout = ''
    const child = spawn(line, {
      shell: true,
      cwd,
      env: { ...env, CLAUDE_PROJECT_DIR: cwd, ...more },
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: platform !== 'win32',
      windowsHide: true,
    })
    let isEnded = false
    const end = (exit: number | null) => {
      if (isEnded) return
      isEnded = true
      clearTimeout(timer)
      endGroup(child, platform)
      child.stdout.destroy()
      resolve({ exit, stdout, ms: Math.round(performance.now() - began) })
    }
    const timer = setTimeout(() => end(null), mostMs)
    child.on('error', () => end(null))
    child.on('close', end)
    // What it left running may hold its output open.
    child.on('exit', (exit) => setTimeout(() => end(exit), LAST_WORDS_MS))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (stdout.length < MOST_OUTPUT) stdout += text
    })
    child.stdin.on('error', () => {})
    child.stdin.end(event)
  })
}

/** The shortest event that the client could send. */
export function eventFor({ events }: HookClient, command: string, isTold: boolean, session: string): string {
  const event = events.find((each) => isReport(each) === isTold) ?? ''
  const call = /ShellExecution$/.test(event) ? { command } : { tool_name: 'Bash', tool_input: { command } }
  return JSON.stringify({ hook_event_name: event, session_id: session, cwd: '/', ...call })
}

/** What the line left running ends with it. */
function endGroup({ pid, exitCode }: ChildProcess, platform: string): void {
  if (pid === undefined) return
  try {
    if (platform !== 'win32') process.kill(-pid, 'SIGKILL')
    else if (exitCode === null) process.kill(pid)
  } catch {
    // Nothing is left of it.
  }
}
