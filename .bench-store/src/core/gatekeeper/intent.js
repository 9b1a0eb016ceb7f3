import { record } from "../ports/store.js";
import { quotaRef } from "../quota/counters.js";
import { settle as settleQuota } from "../quota/settle.js";
import { requestRef } from "./request.js";
export function intentRef(id) {
    return record('intent', id);
}
/** An effect of which nobody knows whether it happened; it stays until the operator has looked (`OUTCOME_FINDING`). */
export function unknownRef(id) {
    return record('unknown', id);
}
/** The outcome transaction: the second durable commit, before the answer. */
export function settle(store, clock, adapter, permit, ending) {
    const { intent, request, reservation } = permit;
    const refs = {
        intent: intentRef(intent ?? 'none'),
        request: requestRef(request ?? 'none'),
        counters: quotaRef(adapter),
    };
    return store.update(refs, (current) => {
        const now = clock.now();
        const counters = reservation ? settleQuota(current.counters, reservation, {}, now) : current.counters;
        return {
            next: {
                ...(current.intent && { intent: undefined }),
                ...(current.request && { request: { ...current.request, outcome: ending.outcome } }),
                ...(counters !== current.counters && { counters }),
            },
            audit: current.intent ? [outcomeEntry(current.intent, ending.outcome, now, ending.code)] : [],
            result: undefined,
        };
    });
}
/** Start-up: what others left open is reported as unknown, never repeated. Returns how many there were. */
export async function recoverIntents(store, clock) {
    let count = 0;
    for (const { id, value } of await store.list('intent')) {
        if (!(await store.isGone(value.opener)))
            continue;
        const refs = { intent: intentRef(id), unknown: unknownRef(id) };
        await store.update(refs, ({ intent }) => {
            if (!intent)
                return { result: undefined };
            const entry = outcomeEntry(intent, 'unknown', clock.now());
            return { next: { intent: undefined, unknown: intent }, audit: [entry], result: undefined };
        });
        count++;
    }
    return count;
}
function outcomeEntry(intent, outcome, now, error_code) {
    return {
        timestamp: new Date(now).toISOString(),
        event: 'OPERATION_OUTCOME',
        operation: intent.operation,
        adapter_name: intent.adapter,
        danger_level: intent.level,
        user_id: intent.principal,
        session_id: intent.session,
        outcome,
        intent_id: intent.id,
        ...(intent.request !== undefined && { confirmation_token: intent.request }),
        ...(error_code !== undefined && { error_code }),
    };
}
