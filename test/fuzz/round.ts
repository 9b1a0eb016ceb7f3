import type { Fault } from './accounts.ts'
import type { Case, Era, Material } from './generate.ts'

/** One server's life under fire. */
export interface Round {
  readonly seed: number
  readonly era: Era
  readonly messages: Counts
  /** Before the heap is measured for the first time, so that code is compiled and caches are full. */
  readonly warmUp: Counts
  /** Sessions that are minted before, as many as the server holds: from then on a new one takes the place of an old one. */
  readonly handles: number
  readonly onProgress?: (sent: number) => void
}

export interface Counts {
  readonly structured: number
  readonly mutated: number
}

export interface Outcome {
  readonly sent: number
  readonly answers: number
  readonly faults: readonly Fault[]
  /** An ordinary call after the last message is answered as ever. */
  readonly works: boolean
  readonly heapBefore: number
  readonly heapAfter: number
  readonly material: Material
}

/** A server that is asked one thing at a time, and replaced when something has gone wrong. */
export interface Trial {
  faultOf(sent: Case): Promise<string | undefined>
  close(): Promise<void>
}
