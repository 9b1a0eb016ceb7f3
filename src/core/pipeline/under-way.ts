import type { OperationFailure } from '../../protocol/result.ts'
import type { Admitted } from '../gatekeeper/admit.ts'
import type { CallStops } from '../gatekeeper/gate.ts'

/** The calls that have passed the gate and wait: for their turn, or for their handler. */
export interface UnderWay {
  add(entry: Entry): void
  remove(entry: Entry): void
  /** BLOCK-10: those whose agent is stopped end here. Never throws. */
  stopAll(): void
}

export interface Entry {
  readonly call: Admitted
  stop(failure: OperationFailure): void
}

export function createUnderWay(stops: Pick<CallStops, 'of'>, report: (cause: unknown) => void): UnderWay {
  const entries = new Set<Entry>()
  return {
    add: (entry) => void entries.add(entry),
    remove: (entry) => void entries.delete(entry),
    stopAll() {
      try {
        for (const entry of [...entries]) {
          const failure = stops.of(entry.call)
          if (failure) entry.stop(failure)
        }
      } catch (cause) {
        report(cause)
      }
    },
  }
}
