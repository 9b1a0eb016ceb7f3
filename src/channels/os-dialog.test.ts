import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Secret } from '../core/ports/secret.ts'
import { makeCode } from '../core/verification/challenge.ts'
import { DIALOG_PROGRAMS } from './dialog-programs.ts'
import { dialogText } from './dialog-text.ts'
import { createOsDialog, hasOsDialog } from './os-dialog.ts'
import { findSystemProgram } from './system-program.ts'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const CODE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ23'
const GROUPS = 'ABCD-EFGH-IJKL-MNOP-QRST-UVWX-YZ23'

const CHALLENGE = {
  id: '4b1c9a52-0000-4000-8000-000000000000',
  element_name: 'release-bot',
  principal: 'anonymous',
  hint: 'rm -rf /srv\nCode:      ZZZZ-ZZZZ \u202e\u001b[2J',
  tier: 'verify',
  score: 75,
  factors: ['rm: deletes whole trees, a path outside the project (75)'],
  expiresAt: 60_000,
}

test('OOB-07 agent, hint, tier, score, factors and expiry stand beside the code, and no hint can imitate them', () => {
  expect(dialogText(CHALLENGE, new Secret(CODE)).split('\n')).toEqual([
    `Code:      ${GROUPS}`,
    '',
    'Pass it on only if you want exactly this action to happen, once.',
    'If you do not know what this is, close the window: nothing will happen.',
    '',
    'Agent:     release-bot (anonymous)',
    expect.stringMatching(/^Action: {4}rm -rf \/srv.*Code:.*ZZZZ-ZZZZ/u),
    'Risk:      verify, 75 of 100',
    '           - rm: deletes whole trees, a path outside the project (75)',
    'Expires:   1970-01-01T00:01:00.000Z',
    'Challenge: 4b1c9a52-0000-4000-8000-000000000000',
    '',
  ])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(dialogText(CHALLENGE, new Secret(CODE))).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/u)
})

test('OOB-07 a hint of the greatest length is shown to its end', () => {
  const text = dialogText({ ...CHALLENGE, hint: `${'x'.repeat(9_990)} the end` }, new Secret(CODE))
  expect(text).toContain(`${'x'.repeat(9_990)} the end`)
})

test('OOB-05 the code is in the standard input of the dialog and nowhere else', async () => {
  const stand = standIn('zenity', 'sleep 3')
  for (let i = 0; i < 3; i++) {
    const code = makeCode()
    expect(await show(stand, code)).toBe('delivered')
    const plain = code.use((text) => text)
    // The dialog is up when its process is; a shell on a busy machine reads a little later.
    await vi.waitFor(() => expect(stand.seen().stdin.replaceAll('-', '')).toContain(plain), 20_000)
    const { argv, environment } = stand.seen()
    for (const text of [argv, environment, processList()]) {
      expect(text.replaceAll('-', '')).not.toContain(plain)
    }
    expect(readdirSync(stand.folder).sort()).toEqual(['argv', 'environment', 'stdin', 'zenity'])
    expect(argv.split('\n')).toEqual([...(DIALOG_PROGRAMS.linux?.[0]?.args ?? []), ''])
    // The shell of the stand-in adds some of its own.
    const names = environment.split('\n').map((line) => line.split('=')[0] ?? '')
    expect(names.filter((name) => name !== '').sort()).toEqual(['DISPLAY', 'PATH', 'PWD'])
    expect(environment.split('\n')).toEqual(expect.arrayContaining(['PATH=/usr/bin:/bin', 'PWD=/']))
  }
})

describe('OOB-05 a program that the project controls gets no code', () => {
  test('whatever stands first in PATH, as under npm', async () => {
    const fake = standIn('zenity', 'exit 0')
    const bin = join(fake.folder, 'node_modules', '.bin')
    mkdirSync(bin, { recursive: true })
    for (const name of ['zenity', 'kdialog']) copyFileSync(join(fake.folder, 'zenity'), join(bin, name))
    const env = { DISPLAY: ':4242', PATH: `${bin}:${fake.folder}:${process.env.PATH}` }
    const dialog = createOsDialog({ clock: CLOCK, platform: 'linux', env, upMs: 3_000 })
    await dialog.show(CHALLENGE, new Secret(CODE)) // no such screen: it fails, where a program is installed at all
    expect(fake.seen()).toEqual({ argv: '', environment: '', stdin: '' })
  }, 20_000)

  test.each([
    ['others can write it', (file: string) => chmodSync(file, 0o757)],
    ['its group can write it', (file: string) => chownSync(file, -1, 12_345)],
    ['it belongs to another account', (file: string) => chownSync(file, 12_345, -1)],
    ['others can write the folder around it', (file: string) => chmodSync(dirname(file), 0o777)],
    ['it is a link to one', (file: string) => relink(file)],
    ['it is a folder', (file: string) => remake(file)],
  ])('even in a folder of the system, when %s', async (what, change) => {
    if (/group|account/.test(what) && process.getuid?.() !== 0) return
    const stand = standIn('zenity', 'exit 0')
    const file = join(stand.folder, 'zenity')
    if (process.getuid?.() === 0) chmodSync(file, 0o775) // the group of root counts as root
    expect(findSystemProgram('zenity', 'linux', stand.folders)).toBe(file)
    change(file)
    expect(findSystemProgram('zenity', 'linux', stand.folders)).toBeUndefined()
    expect(await show(stand)).toBe('failed')
    expect(stand.seen().stdin).toBe('')
  })

  test('no folder that an ordinary account may own is a folder of the system', () => {
    expect(findSystemProgram('sh', 'linux')).toMatch(/^\/(usr\/)?bin\/sh$/)
    expect(findSystemProgram('sh', 'sunos')).toBeUndefined()
    for (const platform of ['linux', 'darwin', 'win32']) {
      expect(findSystemProgram('node_modules/.bin/sh', platform)).toBeUndefined()
    }
  })
})

function relink(file: string): void {
  renameSync(file, `${file}.real`)
  chmodSync(`${file}.real`, 0o777)
  symlinkSync(`${file}.real`, file)
}

function remake(file: string): void {
  rmSync(file)
  mkdirSync(file)
}

test('OOB-05 a dialog that ends with a fault has shown nothing', async () => {
  expect(await show(standIn('zenity', 'exit 1'))).toBe('failed')
})

test('OOB-05 a dialog that somebody closes at once was shown', async () => {
  expect(await show(standIn('zenity', 'exit 0'))).toBe('delivered')
})

test('OOB-05 a program that never takes the text has shown nothing', async () => {
  const stand = standIn('zenity', '', 'exec sleep 5')
  const hint = 'y'.repeat(4_000_000) // more than a pipe holds
  const dialog = createOsDialog({
    clock: CLOCK,
    platform: 'linux',
    env: stand.env,
    folders: [stand.folder],
    upMs: 300,
  })
  expect(await dialog.show({ ...CHALLENGE, hint }, new Secret(CODE))).toBe('failed')
})

test('OOB-05 the second program is tried where the first fails', async () => {
  const stand = standIn('zenity', 'exit 5')
  const other = standIn('kdialog', 'sleep 2')
  expect(await show({ ...stand, folders: [stand.folder, other.folder] })).toBe('delivered')
  expect(other.seen().argv).toBe('--title\nmcpaql: verification code\n--textbox\n-\n760\n480\n')
})

test.each([
  ['no program', 'linux', { DISPLAY: ':0' }, ['/nonexistent']],
  ['no screen', 'linux', {}, undefined],
  ['another platform', 'sunos', { DISPLAY: ':0' }, undefined],
])('OOB-06 %s: failed', async (_, platform, env, folders) => {
  const place = { platform, env, ...(folders && { folders }) }
  expect(hasOsDialog(place)).toBe(false)
  const dialog = createOsDialog({ clock: CLOCK, ...place })
  expect(await dialog.show(CHALLENGE, new Secret(CODE))).toBe('failed')
})

test('OOB-11 an expired challenge is not shown, and a dialog ends when its challenge does', async () => {
  const stand = standIn('zenity', 'exec sleep 77')
  expect(await show(stand, new Secret(CODE), { expiresAt: 1_000 })).toBe('failed')
  expect(await show(stand, new Secret(CODE), { expiresAt: 1_700 })).toBe('delivered')
  expect(sleepers()).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect(sleepers()).toBe(0)
})

const CLOCK = { now: () => 1_000 }

/** What would load foreign code into the dialog, or lead it elsewhere. */
const LOADERS = {
  LD_PRELOAD: '/nonexistent/x.so',
  LD_LIBRARY_PATH: '/nonexistent',
  GTK_MODULES: 'x',
  GTK_PATH: '/nonexistent',
  PYTHONPATH: '/nonexistent',
  NODE_OPTIONS: '--require=/nonexistent/x.js',
  BASH_ENV: '/nonexistent/x.sh',
}

interface StandIn {
  readonly folder: string
  readonly folders: readonly string[]
  readonly env: Record<string, string>
  seen(): { readonly argv: string; readonly environment: string; readonly stdin: string }
}

/** A dialog program that writes down what it was given. */
function standIn(name: string, then: string, instead?: string): StandIn {
  const folder = mkdtempSync(join(tmpdir(), 'dialog-'))
  folders.push(folder)
  const record = `for a in "$@"; do printf '%s\\n' "$a"; done > '${folder}/argv'\nenv > '${folder}/environment'\ncat > '${folder}/stdin'`
  writeFileSync(join(folder, name), `#!/bin/sh\n${instead ?? record}\n${then}\n`)
  chmodSync(join(folder, name), 0o755)
  const text = (file: string) => (existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '')
  return {
    folder,
    folders: [folder],
    env: { DISPLAY: ':0', PATH: `${folder}:/usr/bin:/bin`, CANARY: 'not for dialogs', ...LOADERS },
    seen: () => ({ argv: text('argv'), environment: text('environment'), stdin: text('stdin') }),
  }
}

function show({ env, folders }: StandIn, code = new Secret(CODE), change: { readonly expiresAt?: number } = {}) {
  const dialog = createOsDialog({ clock: CLOCK, platform: 'linux', env, folders, upMs: 400 })
  return dialog.show({ ...CHALLENGE, ...change }, code)
}

function processList(): string {
  return execFileSync('ps', ['-eo', 'args', 'e', '-ww'], { encoding: 'utf8', maxBuffer: 64 * 1_024 * 1_024 })
}

function sleepers(): number {
  const lines = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.trim() === 'sleep 77').length
}

const HAS_ZENITY = ['/usr/bin/zenity', '/usr/bin/Xvfb'].every((path) => existsSync(path))
if (!HAS_ZENITY) process.stderr.write('SKIPPED: the real dialog, because zenity and Xvfb are not installed\n')

test.skipIf(!HAS_ZENITY)(
  'OOB-05 the real zenity on a real screen',
  async () => {
    const screen = spawn('/usr/bin/Xvfb', ['-displayfd', '3', '-screen', '0', '1024x768x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    try {
      const [number] = await once(screen.stdio[3] as Readable, 'data')
      const env = { DISPLAY: `:${String(number).trim()}`, PATH: '/usr/bin:/bin', HOME: tmpdir() }
      const code = makeCode()
      const dialog = createOsDialog({ clock: { now: Date.now }, platform: 'linux', env, upMs: 2_500 })
      expect(await dialog.show({ ...CHALLENGE, expiresAt: Date.now() + 4_000 }, code)).toBe('delivered')
      expect(processList().replaceAll('-', '')).not.toContain(code.use((text) => text))
      const nowhere = createOsDialog({
        clock: CLOCK,
        platform: 'linux',
        env: { ...env, DISPLAY: ':4242' },
        upMs: 5_000,
      })
      expect(await nowhere.show(CHALLENGE, code)).toBe('failed')
      await new Promise((resolve) => setTimeout(resolve, 2_500))
      expect(processList()).not.toContain('zenity --text-info')
    } finally {
      screen.kill()
    }
  },
  60_000,
)
