import { CATEGORIES } from "../../protocol/categories.js";
import { SPEC_VERSION } from "../../protocol/version.js";
/** INT-05 to INT-08: each capability is true only if some operation has it. */
export function protocolBlock(registry, { mode, batch, limits, concurrency, safety }) {
    const operations = [...registry.operations.values()];
    const { adapter, profile, types } = registry;
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
        supports_etag: [...types.values()].some((type) => type.kind === 'object' && type.version !== undefined),
        ...(safety && { safety: settingsOf(safety) }),
    });
}
function settingsOf({ mode: _, ...settings }) {
    return settings;
}
