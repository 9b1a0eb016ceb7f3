import type { Readable } from 'node:stream'
import type { Output } from '../serve/stdio.ts'

/** All of the outside that a command may touch. `bin.ts` makes the real one, tests make theirs. */
export interface World {
  /** The answer: stdout. A line end is added. */
  readonly out: (text: string) => void
  /** Everything else: stderr. A line end is added. */
  readonly err: (text: string) => void
  /** One line on stderr that replaces the one before; nothing where nobody watches. */
  readonly progress: (text: string) => void
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
  /** For the protocol on stdio; whatever else is printed goes elsewhere. */
  readonly stdout: Output
  /** The command line that starts this program again, from anywhere. */
  readonly self: readonly string[]
  /** What a person types to start it. */
  readonly program: string
  /** True when this Node strips the types by itself. */
  readonly readsTypeScript: boolean
}
