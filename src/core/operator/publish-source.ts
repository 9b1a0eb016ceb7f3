import type { GateOptions } from '../gatekeeper/open-gate.ts'
import type { Condition, PolicyRecord } from '../gatekeeper/policies.ts'
import type { Standing } from '../gatekeeper/standing.ts'
import type { Store } from '../ports/store.ts'
import type { AdapterDefinition } from '../registry/adapter.ts'
import type { Operation } from '../registry/compile-operation.ts'
import type { Registry } from '../registry/registry.ts'
import { described } from '../trust/content-hash.ts'
import type { Drift, TrustedContent } from '../trust/drift.ts'
import type { TrustView } from '../trust/source-trust.ts'
import { fieldDiffs } from './diff-of.ts'
import { type SourceChannel, type SourceDrift, type SourceRecord, sourceRef } from './source-record.ts'

interface GateView {
  readonly policies: readonly PolicyRecord[]
  standing(operation: Operation): Standing
}

interface Circumstances extends GateOptions {
  readonly safety?: { readonly mode: string }
}

/** What a running server tells the operator plane of one adapter. */
export function sourceRecord(
  registry: Registry,
  gate: GateView,
  options: Circumstances,
  { trust, trusted, now }: { readonly trust: TrustView; readonly trusted?: TrustedContent; readonly now: number },
): SourceRecord {
  const { adapter, operations } = registry
  return {
    adapter: adapter.name,
    display_name: adapter.displayName ?? adapter.name,
    version: adapter.version ?? '0.0.0',
    hash: trust.content.hash,
    trust: trust.level,
    claim: claimOf(adapter),
    trust_from: trust.from,
    trust_why: trust.text,
    content: trust.content,
    drift: driftIn(adapter, trust.drift, trusted),
    operations: [...operations.values()].map((operation) => {
      const { level, classification, permission, trustFrom } = gate.standing(operation)
      const { name, category, endpoint } = operation
      const isLess = trustFrom !== undefined && trustFrom.level !== trust.level
      const reasons = classification.reasons
      return { name, category, endpoint, level, reasons, permission, ...(isLess && { trust: trustFrom.level }) }
    }),
    policies: gate.policies.map(({ operation, permission, conditions, place }) => ({
      operation,
      permission,
      ...(conditions && { conditions: conditions.map(inWords) }),
      ...(place !== undefined && { place }),
    })),
    limits: [],
    channels: (options.reach?.().channels ?? []).map(channel),
    mode: options.safety?.mode ?? 'disabled',
    updated_at: now,
  }
}

export async function publish(store: Store, source: SourceRecord): Promise<void> {
  await store.update({ source: sourceRef(source.adapter) }, () => ({ next: { source }, result: undefined }))
}

function claimOf({ trust }: AdapterDefinition): string {
  return typeof trust?.level === 'string' ? trust.level : ''
}

/** By field, where the store still knows what the operator trusted. */
function driftIn(
  { operations }: AdapterDefinition,
  drift: readonly Drift[],
  trusted: TrustedContent | undefined,
): readonly SourceDrift[] {
  const now = new Map(operations.map((each) => [each.name, described(each)]))
  return drift.map((each, at) => {
    const before =
      trusted && Object.hasOwn(trusted.operations, each.operation) ? trusted.operations[each.operation] : {}
    const fields = trusted && at < MOST_DIFFS ? fieldDiffs(before, now.get(each.operation) ?? {}) : []
    return fields.length > 0 ? { ...each, fields } : each
  })
}

/** More than that nobody reads on one page; their names are told all the same. */
const MOST_DIFFS = 50

function inWords({ param, op, value }: Condition): string {
  return `${param} ${op} ${JSON.stringify(value)}`
}

function channel(name: string): SourceChannel {
  return { name, state: 'available', classes: name === 'elicitation' ? ['C1'] : ['C1', 'C2', 'C3'] }
}
