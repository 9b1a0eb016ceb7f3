import type { OperationFailure, Warning } from '../protocol/result.ts'
import type { RecordRef } from './ports/store.ts'
import type { CollectionQuery, Selection } from './query/collection.ts'
import type { Operation } from './registry/compile-operation.ts'
import type { Session } from './session.ts'

export type Fields = Readonly<Record<string, unknown>>

/** What is known of a call when its arguments have been read: the first station. */
export interface Received {
  /** The family of the tool that was called; undefined for the unified tool. */
  readonly family: string | undefined
  readonly tool: string
  readonly session: Session
  readonly operation: string
  readonly fields: Fields
  readonly caller: Caller
  /** An entry of a batch: a question that it raises carries its resolved parameters (BATCH-09). */
  readonly inBatch: boolean
}

/** The other end of the wire, as far as a call can feel it. An absent member may also be undefined: spreading is dear. */
export interface Caller {
  /** Aborted by the client's cancellation or disconnection. */
  readonly signal?: AbortSignal
  /** Present only when the client sent a progress token in the request's own metadata (PROG-02). */
  readonly onProgress?: ((progress: ProgressNotice) => void) | undefined
  /** What the client calls itself. A human who is asked sees it as a claim (SELF-04). */
  readonly client?: string | undefined
  /** What the transport had to read kindly; told with a success (REQ-02). */
  readonly warnings?: readonly Warning[] | undefined
  /** The client declared elicitation, and this connection may use it (SELF-05, SELF-10). */
  readonly canElicit?: boolean | undefined
}

/** The operation exists and belongs to the tool that was called. */
export interface Routed extends Received {
  readonly target: Operation
}

/** The parameters are right, complete with their defaults, and will not change again (GATE-09). */
export interface Bound extends Routed {
  readonly params: Fields
  readonly query: CollectionQuery | undefined
  readonly selection: Selection | undefined
  readonly warnings: readonly Warning[]
  /** What the gate reads, and nobody else: it is no parameter (REQ-07). */
  readonly controls: Controls | undefined
  /** Present when the call is a failed execution once more. */
  readonly retry?: Retry
  /** How far it has come; only `admit.ts` writes it. */
  passage: Passage
  /** By what it was admitted (`Admitted`); the place is kept from the start, because one that is added later is dear. */
  standing: unknown
}

/** A call is admitted once, run once and settled once, in this order. */
export type Passage = 'bound' | 'admitted' | 'running' | 'settled'

/** A failed execution that the call runs again (LIFE-02). */
export interface Retry {
  readonly execution: string
  /** The code with which it failed, for whoever is asked about the call. */
  readonly failedWith: string
  readonly ref: RecordRef<unknown>
  /** From the record to the record of the run that begins, in the commit that admits the call: of many retries one gets in. */
  readonly claim: (current: unknown, intent: string, now: number) => object | OperationFailure
}

/** Fields of the request that speak to the gate. Not yet checked. */
export interface Controls {
  readonly confirmation?: unknown
  readonly quota?: unknown
  readonly waitSeconds?: number
}

/** Strictly increasing `progress`, as MCP wants it (PROG-03). */
export interface ProgressNotice {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}
