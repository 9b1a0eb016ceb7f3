import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'

/** util-linux gives a program a terminal of its own; that of BSD and macOS has other flags. */
export const HAS_SCRIPT = /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '')

export interface Session {
  readonly exit: number | null
  /** Everything that the terminal showed. */
  readonly shown: string
}

/** Wait until the terminal shows the first, then type the second. */
export type Step = readonly [shown: string, typed: string]

/** Runs a command line on a real pseudo-terminal and answers it as a human would: after the question. */
export async function atTerminal(
  commandLine: string,
  steps: readonly Step[],
  env: Readonly<Record<string, string>>,
): Promise<Session> {
  const child = spawn('script', ['-qfec', commandLine, '/dev/null'], {
    env: { ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const todo = [...steps]
  let shown = ''
  let read = 0
  const answer = () => {
    const [step] = todo
    const at = step ? shown.indexOf(step[0], read) : -1
    if (!step || at < 0) return
    read = at + step[0].length
    todo.shift()
    child.stdin.write(step[1])
    answer()
  }
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      shown += text
      answer()
    })
  }
  const late = setTimeout(() => child.kill('SIGKILL'), 50_000)
  const [exit] = (await once(child, 'close')) as [number | null]
  clearTimeout(late)
  if (todo.length > 0) throw new Error(`The terminal never showed '${todo[0]?.[0]}':\n${shown}`)
  return { exit, shown }
}
