import { fail } from "../../protocol/errors.js";
import { STATES } from "../../protocol/lifecycle.js";
/** Spec §8.4.2 (LIFE-02) as a pure change: a step that the table does not have changes nothing. */
export function transition(id, step) {
    return (current) => {
        if (!current)
            return { next: current, result: notFound(id) };
        if (!allows(current.status, step))
            return { next: current, result: refused(current, step) };
        const next = moved(current, step);
        return { next, result: next };
    };
}
/** Progress is noted only while the work goes on. */
export function noteProgress(progress, leaseUntil) {
    return (current) => ({
        next: current?.status === 'running' ? { ...current, progress, leaseUntil } : current,
        result: undefined,
    });
}
/** What the caller sees (spec §8.4.3). */
export function stateOf(record) {
    const { execution_id, status, operation, started_at, finished_at, progress, error, result } = record;
    return {
        execution_id,
        status,
        operation,
        ...(started_at && { started_at }),
        ...(finished_at && { finished_at }),
        ...(progress && { progress }),
        ...(error && { error }),
        ...(result !== undefined && { result }),
    };
}
export function notFound(id) {
    return fail('NOT_FOUND_RESOURCE', { resource_type: 'execution', resource_id: id.slice(0, 64) });
}
function allows(from, { to, supportsRetry }) {
    if (from === 'failed')
        return to === 'running' && supportsRetry === true;
    return STATES[from].next.includes(to);
}
function refused({ execution_id, status }, { operation }) {
    return fail('CONFLICT_INVALID_STATE', { operation, state: status, execution_id, allowed: STATES[status].next });
}
function moved(current, { to, now, result, error, progress, leaseUntil }) {
    const time = new Date(now).toISOString();
    const { finished_at: _, error: __, result: ___, ...kept } = current;
    return {
        ...kept,
        status: to,
        ...(to === 'running' && { started_at: time }),
        ...(STATES[to].terminal && { finished_at: time }),
        ...(result !== undefined && { result }),
        ...(error && { error }),
        ...(progress && { progress }),
        ...(leaseUntil !== undefined && { leaseUntil }),
    };
}
