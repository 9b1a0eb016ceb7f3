import { spawn } from 'node:child_process'

/**
 * Opens a page without showing its address to whoever lists processes: it goes through a pipe, never as an argument.
 * Where the system cannot do that, false: the operator follows the printed link.
 */
export function openBrowser(url: string, platform: string): boolean {
  const opener = Object.hasOwn(OPENERS, platform) ? OPENERS[platform] : undefined
  if (!opener || !/^http:\/\/[\w.:[\]/#=-]+$/.test(url)) return false
  const child = spawn(opener.command, opener.args, { stdio: ['pipe', 'ignore', 'ignore'] })
  child.on('error', () => {}) // The link is on the terminal.
  child.stdin.on('error', () => {})
  child.stdin.end(opener.script(url))
  return true
}

const OPENERS: Readonly<
  Record<
    string,
    { readonly command: string; readonly args: readonly string[]; readonly script: (url: string) => string }
  >
> = {
  darwin: { command: '/usr/bin/osascript', args: ['-'], script: (url) => `open location "${url}"\n` },
  win32: {
    command: 'powershell.exe',
    args: ['-NoProfile', '-NonInteractive', '-Command', '-'],
    script: (url) => `Start-Process '${url}'\n`,
  },
}
