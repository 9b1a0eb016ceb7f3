import { accessSync, constants } from 'node:fs'
import { posix, win32 } from 'node:path'
import { trustFile } from './trusted-file.ts'

/**
 * Where programs of the system stand. `PATH` is not asked: under npm it begins with `node_modules/.bin`, which belongs
 * to the project. `/usr/local/bin` and the folders of Homebrew are left out, because ordinary accounts often own them.
 */
const SYSTEM_FOLDERS: Readonly<Record<string, readonly string[]>> = Object.freeze({
  linux: ['/usr/bin', '/bin', '/run/current-system/sw/bin'],
  darwin: ['/usr/bin', '/bin'],
  win32: ['C:\\Windows\\System32\\WindowsPowerShell\\v1.0', 'C:\\Windows\\System32'],
})

/** The only search path that a started program gets. */
export const SYSTEM_PATH: Readonly<Record<string, string>> = Object.freeze({
  linux: '/usr/bin:/bin',
  darwin: '/usr/bin:/bin',
  win32: 'C:\\Windows\\System32;C:\\Windows',
})

/** Where such a program is started, so that nothing of the project lies around it. */
export function systemRoot(platform: string): string {
  return platform === 'win32' ? 'C:\\' : '/'
}

/** The program in the first system folder that has it; undefined when others than root and this account could change it. */
export function findSystemProgram(
  file: string,
  platform: string,
  folders: readonly string[] = Object.hasOwn(SYSTEM_FOLDERS, platform) ? (SYSTEM_FOLDERS[platform] ?? []) : [],
): string | undefined {
  const account = { uid: process.getuid?.(), gid: process.getgid?.(), platform }
  const { join } = platform === 'win32' ? win32 : posix
  for (const path of folders.map((folder) => join(folder, file))) {
    const found = trustFile(path, account)
    if (found.kind === 'trusted' && isExecutable(found.path)) return path
  }
  return undefined
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
