import type { Readable, Writable } from 'node:stream'

/** All of the outside that a command may touch. `bin.ts` makes the real one, tests make theirs. */
export interface World {
  /** The answer: stdout. A line end is added. */
  readonly out: (text: string) => void
  /** Everything else: stderr. A line end is added. */
  readonly err: (text: string) => void
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly home: string
  readonly platform: string
  /** Columns of the terminal; undefined when stdout is none. */
  readonly columns: number | undefined
  /** True when colours may be written to stdout. */
  readonly colours: boolean
  readonly now: () => number
  /** The first interruption (Ctrl-C, SIGTERM) aborts it. */
  readonly interrupted: AbortSignal
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  /** How this program was started: what a client must run to start it again. */
  readonly self: readonly string[]
  /** True when this Node strips the types by itself. */
  readonly readsTypeScript: boolean
}
