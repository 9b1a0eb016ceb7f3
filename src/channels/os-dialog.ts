import { type ChildProcess, spawn } from 'node:child_process'
import type { DialogChannel, ShownChallenge } from '../core/ports/channel.ts'
import type { Clock } from '../core/ports/clock.ts'
import type { Secret } from '../core/ports/secret.ts'
import { DIALOG_PROGRAMS, type DialogProgram, PASSED_ON } from './dialog-programs.ts'
import { dialogText } from './dialog-text.ts'
import { findSystemProgram, SYSTEM_PATH, systemRoot } from './system-program.ts'

export interface OsDialogOptions {
  readonly clock: Clock
  /** As Node calls it: `linux`, `darwin`, `win32`. */
  readonly platform: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** A dialog that still stands after so long is visible. */
  readonly upMs?: number
  /** Where the programs of the system stand, if not in its usual folders. Never taken from the environment. */
  readonly folders?: readonly string[]
}

type Place = Pick<OsDialogOptions, 'platform' | 'env' | 'folders'>

/**
 * OOB-05: a window on the desktop of whoever runs the server. Program and arguments are constants; the text goes to the
 * program's standard input and nowhere else. The program is one of the system, whatever `PATH` says. It shows and cannot
 * approve.
 */
export function createOsDialog(options: OsDialogOptions): DialogChannel {
  return {
    kind: 'dialog',
    name: 'a dialog on the desktop of this computer',
    async show(challenge, code) {
      for (const program of programsFor(options)) {
        const shown = await tryProgram(program, challenge, code, options)
        if (shown === 'delivered') return shown
      }
      return 'failed'
    },
  }
}

/** True where a dialog could be shown: a program is installed and there is a screen. */
export function hasOsDialog(options: Place): boolean {
  return programsFor(options).length > 0
}

interface Found extends DialogProgram {
  readonly path: string
}

const UP_MS = 800

function programsFor({ platform, env, folders }: Place): readonly Found[] {
  if (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return []
  const programs = Object.hasOwn(DIALOG_PROGRAMS, platform) ? (DIALOG_PROGRAMS[platform] ?? []) : []
  return programs.flatMap((program) => {
    const path = findSystemProgram(program.file, platform, folders)
    return path === undefined ? [] : [{ ...program, path }]
  })
}

async function tryProgram(
  { path, args }: Found,
  challenge: ShownChallenge,
  code: Secret,
  { clock, platform, env, upMs = UP_MS }: OsDialogOptions,
): Promise<'delivered' | 'failed'> {
  const leftMs = challenge.expiresAt - clock.now()
  if (leftMs <= 0) return 'failed'
  const child = spawn(path, args, {
    cwd: systemRoot(platform),
    env: passedOn(env, platform),
    stdio: ['pipe', 'ignore', 'ignore'],
    windowsHide: true,
  })
  const expiry = setTimeout(() => child.kill('SIGKILL'), leftMs)
  expiry.unref()
  child.once('close', () => clearTimeout(expiry))
  const shown = await stands(child, dialogText(challenge, code), Math.min(upMs, leftMs))
  if (shown === 'failed') child.kill('SIGKILL')
  else child.unref()
  return shown
}

/** Up: it has taken the whole text and has not ended, or a quick reader has closed it in good order. */
function stands(child: ChildProcess, text: string, upMs: number): Promise<'delivered' | 'failed'> {
  return new Promise((resolve) => {
    let isTaken = false
    const settle = (shown: 'delivered' | 'failed') => {
      clearTimeout(timer)
      resolve(shown)
    }
    const timer = setTimeout(() => settle(isTaken && child.exitCode === null ? 'delivered' : 'failed'), upMs)
    child.once('error', () => settle('failed'))
    child.once('close', (exit) => settle(isTaken && exit === 0 ? 'delivered' : 'failed'))
    child.stdin?.on('error', () => {}) // a program that ends without reading; `close` tells
    child.stdin?.end(text, 'utf8', () => {
      isTaken = true
    })
  })
}

/** What a window needs to find its screen, and nothing else of the server's environment. */
function passedOn(env: OsDialogOptions['env'], platform: string): Record<string, string> {
  const given = PASSED_ON.map((name) => [name, env[name]] as const)
  const kept = given.filter((pair): pair is [string, string] => pair[1] !== undefined)
  return { ...Object.fromEntries(kept), PATH: SYSTEM_PATH[platform] ?? '' }
}
