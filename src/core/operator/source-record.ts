import type { SemanticCategory } from '../../protocol/categories.ts'
import type { DangerLevel } from '../../protocol/danger.ts'
import type { ApprovalClass } from '../gatekeeper/request.ts'
import { type RecordRef, record } from '../ports/store.ts'
import type { ContentHashes } from '../trust/content-hash.ts'
import type { Drift } from '../trust/drift.ts'
import type { TrustOrigin } from '../trust/source-trust.ts'
import type { FieldDiff } from './diff-of.ts'

/**
 * What a running server publishes of one adapter for the operator plane, so that a console in another process can show
 * it. Nobody decides anything by it: the gate reads the registry, the trust store and the policy file.
 */
export interface SourceRecord {
  readonly adapter: string
  readonly display_name: string
  readonly version: string
  /** Of the content that the trust record names (TRUST-03). */
  readonly hash: string
  /** The level that counts, and the one that the adapter claims. */
  readonly trust: string
  readonly claim: string
  /** Where the level comes from, and in words; absent in what an older server has published. */
  readonly trust_from?: TrustOrigin
  readonly trust_why?: string
  /** The hashes that a word of the operator is bound to. */
  readonly content?: ContentHashes
  /** What is not as it was when the operator trusted the source. */
  readonly drift?: readonly SourceDrift[]
  readonly operations: readonly SourceOperation[]
  readonly policies: readonly SourcePolicy[]
  readonly limits: readonly SourceLimit[]
  readonly channels: readonly SourceChannel[]
  /** The safety mode (LOOP-01). */
  readonly mode: string
  /** Milliseconds since 1970. */
  readonly updated_at: number
}

export interface SourceDrift extends Drift {
  /** What changed in it, as far as it is known what it was. */
  readonly fields?: readonly FieldDiff[]
}

export interface SourceOperation {
  readonly name: string
  readonly category: SemanticCategory
  readonly endpoint: string
  readonly level: DangerLevel
  /** Why it has this level. */
  readonly reasons: readonly string[]
  /** What happens to a plain call: the strictest layer's word. */
  readonly permission: 'allow' | 'confirm' | 'deny'
  /** Where it has less than the source. */
  readonly trust?: string
}

export interface SourcePolicy {
  /** A name or a glob. */
  readonly operation: string
  readonly permission: 'allow' | 'confirm' | 'deny'
  /** In words, as the operator wrote them. */
  readonly conditions?: readonly string[]
  /** File and line. */
  readonly place?: string
}

export interface SourceLimit {
  readonly what: string
  readonly per: string
  readonly most: number
}

export interface SourceChannel {
  readonly name: string
  readonly state: 'available' | 'partly' | 'failed' | 'off'
  readonly classes: readonly ApprovalClass[]
  readonly note?: string
}

export function sourceRef(adapter: string): RecordRef<SourceRecord> {
  return record('source', adapter)
}
