import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { DialogChannel, ShownChallenge } from '../core/ports/channel.ts'
import type { Clock } from '../core/ports/clock.ts'
import type { Secret } from '../core/ports/secret.ts'
import { DIALOG_PROGRAMS, type DialogProgram, PASSED_ON } from './dialog-programs.ts'
import { dialogText } from './dialog-text.ts'

export interface OsDialogOptions {
  readonly clock: Clock
  /** As Node calls it: `linux`, `darwin`, `win32`. */
  readonly platform: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** A dialog that still stands after so long is visible. */
  readonly upMs?: number
}

/**
 * OOB-05: a window on the desktop of whoever runs the server. Program and arguments are constants; the text goes to the
 * program's standard input and nowhere else. It shows and cannot approve.
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
export function hasOsDialog(options: Pick<OsDialogOptions, 'platform' | 'env'>): boolean {
  return programsFor(options).length > 0
}

interface Found extends DialogProgram {
  readonly path: string
}

const UP_MS = 800

function programsFor({ platform, env }: Pick<OsDialogOptions, 'platform' | 'env'>): readonly Found[] {
  if (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return []
  const programs = Object.hasOwn(DIALOG_PROGRAMS, platform) ? (DIALOG_PROGRAMS[platform] ?? []) : []
  return programs.flatMap((program) => {
    const path = findProgram(program.file, env.PATH ?? env.Path ?? '')
    return path === undefined ? [] : [{ ...program, path }]
  })
}

/** Folders that depend on where the server was started are not looked into. */
function findProgram(file: string, path: string): string | undefined {
  const places = path.split(delimiter).filter(isAbsolute)
  return places.map((folder) => join(folder, file)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

async function tryProgram(
  { path, args }: Found,
  challenge: ShownChallenge,
  code: Secret,
  { clock, env, upMs = UP_MS }: OsDialogOptions,
): Promise<'delivered' | 'failed'> {
  const leftMs = challenge.expiresAt - clock.now()
  if (leftMs <= 0) return 'failed'
  const child = spawn(path, args, { env: passedOn(env), stdio: ['pipe', 'ignore', 'ignore'], windowsHide: true })
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
function passedOn(env: OsDialogOptions['env']): Record<string, string> {
  const given = PASSED_ON.map((name) => [name, env[name]] as const)
  return Object.fromEntries(given.filter((pair): pair is [string, string] => pair[1] !== undefined))
}
