import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** The program as it is shipped; `npm test` builds it first. E2E_BIN names another build. */
export const BIN = process.env.E2E_BIN ?? fileURLToPath(new URL('../../dist/src/cli/bin.js', import.meta.url))

/** Only what a program needs: no setting of the machine must change what is tested. */
export function plainEnvironment(stateFolder: string): Record<string, string> {
  const { PATH = '' } = process.env
  return { PATH, HOME: stateFolder, XDG_STATE_HOME: stateFolder }
}

export interface Serving {
  readonly url: string
  readonly child: ChildProcess
  /** Resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** `mcpaql serve …` over HTTP on a free port, in a process of its own; `uid`: under another account, which takes root. */
export async function serveOverHttp(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  uid?: number,
): Promise<Serving> {
  const child = spawn(process.execPath, [BIN, 'serve', ...args, '--http', '0', '--json'], {
    ...(uid !== undefined && { uid, gid: uid, cwd: '/' }),
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ended = once(child, 'close').then(([exit]) => exit as number | null)
  const first = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([line]) => String(line)),
    ended.then((exit) => Promise.reject(new Error(`The server ended with ${exit}: ${said}`))),
  ])
  const { url } = JSON.parse(first) as { readonly url: string }
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  return { url, child, stop }
}

/** The package that the program belongs to. */
export const PACKAGE = join(dirname(BIN), '../../..')
