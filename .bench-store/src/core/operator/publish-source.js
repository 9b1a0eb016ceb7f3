import { contentHash } from "../trust/content-hash.js";
import { sourceRef } from "./source-record.js";
/** What a running server tells the operator plane of one adapter. */
export function sourceRecord(registry, gate, options, now) {
    const { adapter, operations } = registry;
    const claim = adapter.trust?.level;
    return {
        adapter: adapter.name,
        display_name: adapter.displayName ?? adapter.name,
        version: adapter.version ?? '0.0.0',
        hash: contentHash(adapter),
        trust: typeof options.trust === 'string' ? options.trust : 'validated',
        claim: typeof claim === 'string' ? claim : '',
        operations: [...operations.values()].map((operation) => {
            const { level, classification, permission } = gate.standing(operation);
            const { name, category, endpoint } = operation;
            return { name, category, endpoint, level, reasons: classification.reasons, permission };
        }),
        policies: (options.policies ?? []).map(({ operation, permission, conditions, place }) => ({
            operation,
            permission,
            ...(conditions && { conditions: conditions.map(inWords) }),
            ...(place !== undefined && { place }),
        })),
        limits: [],
        channels: (options.reach?.().channels ?? []).map(channel),
        mode: options.safety?.mode ?? 'disabled',
        updated_at: now,
    };
}
export async function publish(store, source) {
    await store.update({ source: sourceRef(source.adapter) }, () => ({ next: { source }, result: undefined }));
}
function inWords({ param, op, value }) {
    return `${param} ${op} ${JSON.stringify(value)}`;
}
function channel(name) {
    return { name, state: 'available', classes: name === 'elicitation' ? ['C1'] : ['C1', 'C2', 'C3'] };
}
