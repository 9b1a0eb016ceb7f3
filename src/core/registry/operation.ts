import type { SemanticCategory } from '../../protocol/categories.ts'
import type { DangerLevel } from '../../protocol/danger.ts'
import type { Lifecycle, Progress } from '../../protocol/lifecycle.ts'
import type { Warning } from '../../protocol/result.ts'
import type { CollectionDefinition, CollectionQuery } from '../query/collection.ts'
import type { Deprecation, Params, Values } from './param.ts'

/** Spec §5.1 of the operations document: one definition, from which everything else is derived. */
export interface OperationDefinition<
  P extends Params = Params,
  U extends string | undefined = string | undefined,
  D extends boolean | undefined = boolean | undefined,
> {
  readonly name: string
  readonly category: SemanticCategory
  readonly description: string
  /** One short sentence for search replies; the first sentence of the description otherwise. */
  readonly summary?: string
  readonly tags?: readonly string[]
  /** Where a wrapped API has the operation, `GET /repos/{owner}/{repo}`; search reads it. */
  readonly path?: string
  readonly params?: P
  /** A listed type, `Name[]`, or a built-in one. For a collection it is derived. */
  readonly returns?: string
  readonly examples?: readonly { readonly description?: string; readonly params: Readonly<Record<string, unknown>> }[]
  /** The family in profiles that have one of this name; otherwise the family of the category (MODE-06). */
  readonly endpoint?: string
  /** Makes a READ a collection: `query`, `filter`, `sort`, paging, `aggregate` and `fields` come with it. */
  readonly collection?: CollectionDefinition
  /** UPDATE: the object type whose fields `input` may carry; the other parameters are its identifiers (UPD-01). */
  readonly updates?: U
  /** Offers `dry_run`; the handler reads `params.dry_run` and changes nothing when it is true (REQ-10). */
  readonly dryRun?: D
  /** A long-running EXECUTE: the handler returns `context.run(…)` (spec §8.4). */
  readonly lifecycle?: Partial<Lifecycle>
  readonly relationships?: {
    readonly types: readonly string[]
    readonly directions: readonly string[]
    readonly maxDepth: number
  }
  readonly deprecated?: Deprecation
  /** Marks serious consequences for policy, audit and confirmation (VAL-09): at least the level `dangerous`. */
  readonly dangerous?: boolean
  /** What the operation can do to the world (DNG-04); the category decides where nothing is said (DNG-02). */
  readonly danger?: DangerLevel | DangerBlock
  /** The same as flat keys, the way adapter files spell it (DNG-05). */
  readonly danger_level?: DangerLevel
  readonly requires_confirmation?: boolean
  readonly hook_blockable?: boolean
  /** The READ whose answer shows what this call would change; it takes the parameters that both have. */
  readonly preview_with?: string
  /** Under `resource-locked` concurrency, which resource the call works on (§9.3.1). */
  readonly resource?: (params: Handed<P, U, D>) => string
  readonly timeout_ms?: number
  /** How useful the operation is to a newcomer; tool descriptions with little room show the highest first. */
  readonly weight?: number
  readonly handler: (params: Handed<P, U, D>, context: Context) => unknown
}

/** Danger levels document §3.2. */
export interface DangerBlock {
  readonly level: DangerLevel
  readonly reasons?: readonly string[]
  /** Shown to the human; `{param}` is filled in (DNG-17). */
  readonly confirmation_message?: string
  /** How long an approval must rest before it can be used (DNG-18). */
  readonly cooldown_seconds?: number
  /** The approver must prove who they are again (DNG-19). */
  readonly requires_reauth?: boolean
  /** Goes into every audit entry about the operation. */
  readonly audit_context?: readonly string[]
}

/** The declared parameters, and those that the registry adds for what the operation is. */
export type Handed<P extends Params, U, D> = Values<P> &
  (U extends string ? UpdateControls : unknown) &
  (D extends true ? { readonly dry_run: boolean } : unknown)

/** UPD-01, CONC-03: the changes, already checked, and the version that the caller expects. */
export interface UpdateControls {
  readonly input: Readonly<Record<string, unknown>>
  readonly if_match?: string | number
}

/** What a handler may use of the call it serves. */
export interface Context {
  readonly operation: string
  readonly session: SessionIdentity
  /** Aborted by the client's cancellation, by the time-out, and by the end of the server. */
  readonly signal: AbortSignal
  /** The controls of a collection call, already checked. */
  readonly query: CollectionQuery
  readonly now: number
  readonly warn: (warning: Warning) => void
  /** What the call used of the API behind it, told before the handler returns; counted where the adapter has `rate_limits`. */
  readonly used: (usage: ApiUsage) => void
  /** Sent to the client when it gave a progress token, dropped otherwise (PROG-03). */
  readonly progress: (progress: Progress) => void
  /** Starts a tracked execution and answers with its state (spec §8.4.3). */
  readonly run: (work: Work) => Promise<unknown>
}

export interface ApiUsage {
  /** Requests that were sent; 1 when nothing is said, 0 gives the reserved one back (RATE-03). */
  readonly requests?: number
  /** Of the last response: what the API says of its own limits is believed where it is stricter (RATE-05). */
  readonly headers?: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
}

export interface SessionIdentity {
  /** Server-made and unpredictable; absent where the caller holds no session. */
  readonly id?: string
  readonly principal: string
}

/** The body of an execution. What it returns is the `result` of the completed execution. */
export type Work = (run: Run) => Promise<unknown>

export interface Run {
  readonly execution_id: string
  readonly signal: AbortSignal
  readonly progress: (progress: Progress) => void
}

/** Identity at run time; at compile time the handler's parameters are read off the table. */
export function defineOperation<
  const P extends Params = Record<never, never>,
  const U extends string | undefined = undefined,
  const D extends boolean | undefined = undefined,
>(definition: OperationDefinition<P, U, D>): OperationDefinition {
  // The registry calls the handler only with values that its own table has checked.
  return definition as unknown as OperationDefinition
}
