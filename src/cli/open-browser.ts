import { spawn } from 'node:child_process'
import { findSystemProgram, SYSTEM_PATH, systemRoot } from '../channels/system-program.ts'

/**
 * Opens a page without showing its address to whoever lists processes: it goes through a pipe, never as an argument.
 * Where the system cannot do that, false: the operator follows the printed link. The program that opens it is one of the
 * system and gets no environment of ours.
 */
export function openBrowser(url: string, platform: string, folders?: readonly string[]): boolean {
  const opener = Object.hasOwn(OPENERS, platform) ? OPENERS[platform] : undefined
  if (!opener || !/^http:\/\/[\w.:[\]/#=-]+$/.test(url)) return false
  const program = findSystemProgram(opener.file, platform, folders)
  if (program === undefined) return false
  const child = spawn(program, opener.args, {
    cwd: systemRoot(platform),
    env: { PATH: SYSTEM_PATH[platform] ?? '', ...(platform === 'win32' && { SystemRoot: 'C:\\Windows' }) },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.on('error', () => {}) // The link is on the terminal.
  child.stdin.on('error', () => {})
  child.stdin.end(opener.script(url))
  return true
}

const OPENERS: Readonly<
  Record<string, { readonly file: string; readonly args: readonly string[]; readonly script: (url: string) => string }>
> = {
  darwin: { file: 'osascript', args: ['-'], script: (url) => `open location "${url}"\n` },
  win32: {
    file: 'powershell.exe',
    args: ['-NoProfile', '-NonInteractive', '-Command', '-'],
    script: (url) => `Start-Process '${url}'\n`,
  },
}
