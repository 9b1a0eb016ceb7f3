import { createLedger, type Ledger, note } from './ledger.ts'
import type { Scope, Stream } from './scope.ts'

/** A program as it is called. */
export interface Call {
  readonly name: string
  readonly args: readonly string[]
  readonly scope: Scope
  readonly stdin: Stream
}

/** Notes what the call is worth and says what it writes; undefined is anything. */
export type Program = (call: Call) => Stream | undefined

export type Programs = readonly (readonly [name: string, program: Program])[]

/** Judges into a ledger of its own, so that the caller can raise what was found, or leave it. */
export function judgeApart(scope: Scope, run: (apart: Scope) => void): Ledger {
  const ledger = createLedger()
  const apart: Scope = { ...scope, ledger }
  run(apart)
  return ledger
}

/** Judges words that may mean something else: only what is grave in itself counts. */
export function noteGrave(scope: Scope, run: (apart: Scope) => void): void {
  for (const [why, score] of judgeApart(scope, run).findings) if (score > 60) note(scope.ledger, score, why)
}
