import type { Concurrency, EndpointProfile } from '../../protocol/endpoints.ts'
import type { OperationDefinition } from './operation.ts'
import type { TypeDefinition } from './type.ts'

/** A set of operations and types that is served under one name. */
export interface AdapterDefinition {
  /** As `_protocol.adapter` reports it, for example `apple-mail`. */
  readonly name: string
  readonly displayName?: string
  readonly version?: string
  /** One line on the domain, shown in the unified tool's description. */
  readonly description: string
  /** What every client is told beside how to search; it costs tokens in every conversation (DONGLE-06). */
  readonly instructions?: string
  readonly operations: readonly OperationDefinition[]
  readonly types?: readonly TypeDefinition[]
  /** Endpoint profiles of the adapter's own, beside `crude` (MODE-05). */
  readonly profiles?: readonly EndpointProfile[]
  readonly concurrency?: Concurrency
  /** True when the adapter talks to a remote service (TOOL-08). */
  readonly openWorld?: boolean
  /** `{adapter}` and `{endpoint}` are filled in (TOOL-03). */
  readonly toolNames?: string
  /** Codes of the adapter's own, with what each means (ERR-02). */
  readonly errors?: Readonly<Record<string, string>>
  /** What the adapter says of its own trustworthiness: a claim, which the operator's record limits (TRUST-03). */
  readonly trust?: Readonly<Record<string, unknown>>
  /** Limits of the API behind the adapter, quotas and cost (RATE-01). */
  readonly rate_limits?: Readonly<Record<string, unknown>>
  /** Called once when the runtime closes. */
  readonly close?: () => void | Promise<void>
}

export function defineAdapter(definition: AdapterDefinition): AdapterDefinition {
  return definition
}
