import { CATEGORIES } from '../../protocol/categories.ts'
import type { Concurrency, EndpointMode } from '../../protocol/endpoints.ts'
import { type Limits, MOST_REQUESTS } from '../../protocol/limits.ts'
import { SPEC_VERSION } from '../../protocol/version.ts'
import type { Registry } from '../registry/registry.ts'

export interface Circumstances {
  readonly mode: EndpointMode
  readonly batch: boolean
  readonly limits: Limits
  readonly concurrency: Concurrency
  /** The safety loop's mode and settings, where there is a loop (LOOP-06, AUTO-15). */
  readonly safety: Readonly<Record<string, unknown>> | undefined
}

/** INT-05 to INT-08: each capability is true only if some operation has it. */
export function protocolBlock(registry: Registry, { mode, batch, limits, concurrency, safety }: Circumstances) {
  const operations = [...registry.operations.values()]
  const { adapter, profile, types } = registry
  return Object.freeze({
    version: SPEC_VERSION,
    conformance: 'level-2',
    mode,
    profile: profile.name,
    adapter: adapter.name,
    display_name: adapter.displayName ?? adapter.name,
    capabilities: {
      batch,
      field_selection: operations.some(({ resource, category }) => resource && CATEGORIES[category].readOnly),
      aggregations: operations.some(({ collection }) => collection?.aggregationSupport.supported),
      computed_fields: operations.some(({ collection }) => collection && collection.computedFields.length > 0),
      pagination: operations.some(({ collection }) => collection !== undefined),
      relationship_queries: operations.some(({ definition }) => definition.relationships !== undefined),
      warnings: true,
      confirmation: true,
      dangerous_operations: true,
      execution_safety_loop: safety?.mode ?? 'disabled',
    },
    limits,
    concurrency,
    max_concurrent_requests: MOST_REQUESTS.ofSession,
    supports_etag: [...types.values()].some((type) => type.kind === 'object' && type.version !== undefined),
    ...(safety && { safety: settingsOf(safety) }),
  })
}

function settingsOf({ mode: _, ...settings }: Readonly<Record<string, unknown>>) {
  return settings
}
