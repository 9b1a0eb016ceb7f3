import { fail } from "../../protocol/errors.js";
import { attentionRef, withoutPrompt } from "../gatekeeper/attention.js";
import { requestRef } from "../gatekeeper/request.js";
import { agentRef } from "../verification/agent.js";
import { agentKey } from "../verification/agent-key.js";
import { findBlock, openBlocksRef } from "../verification/block.js";
import { endedWith, executionEntry, TERMINATED } from "./agent-execution.js";
import { refuseBlocked } from "./refuse-blocked.js";
/** Completing is refused to a blocked agent; aborting never is. Neither lifts anything. */
export async function endExecution(session, order, parts, view) {
    const { store } = parts;
    const key = agentKey(session.principal, order.element_name);
    const refs = { agent: agentRef(key), open: openBlocksRef() };
    const result = await store.update(refs, (current) => end(session, order, parts, current));
    if (result.kind === 'refused')
        return result.failure;
    if (result.kind === 'blocked') {
        const call = { operation: order.operation, session: session.owner, principal: session.principal };
        return refuseBlocked(result.block, call, parts, view);
    }
    const { execution } = result;
    view.ended(execution.session, key);
    return {
        execution_id: execution.execution_id,
        status: execution.status,
        element_name: order.element_name,
        started_at: new Date(execution.startedAt).toISOString(),
        finished_at: new Date(execution.finishedAt ?? 0).toISOString(),
        steps_recorded: execution.steps,
    };
}
function end({ principal }, order, { mode, clock }, { agent, open = {} }) {
    const isCompleting = order.operation === 'complete_execution';
    const block = mode === 'enforcing' && isCompleting ? findBlock(open, principal, order.element_name) : undefined;
    if (block)
        return { result: { kind: 'blocked', block } };
    const running = agent?.execution;
    const isMeant = running && (order.execution_id === undefined || order.execution_id === running.execution_id);
    if (!agent || !isMeant)
        return { result: { kind: 'refused', failure: notRunning(agent, order) } };
    const now = clock.now();
    const next = endedWith(agent, endingOf(order, now));
    const [execution = running] = next.ended;
    return {
        next: { agent: next },
        audit: [executionEntry('EXECUTION_ENDED', next, execution, now)],
        result: { kind: 'ended', execution },
    };
}
function endingOf({ operation, outcome, summary, reason }, now) {
    return {
        status: operation === 'complete_execution' ? 'completed' : 'cancelled',
        now,
        ...(outcome !== undefined && { outcome: outcome.slice(0, 2_000) }),
        ...(summary !== undefined && { summary: summary.slice(0, 2_000) }),
        ...(reason !== undefined && { reason: reason.slice(0, 2_000) }),
    };
}
/** LOOP-03: what has ended cannot end again; what never was is unknown. */
function notRunning(agent, order) {
    const { operation, element_name, execution_id } = order;
    const ended = agent?.ended.find((each) => execution_id === undefined || each.execution_id === execution_id);
    if (!ended)
        return fail('NOT_FOUND_RESOURCE', { resource_type: 'execution', resource_id: execution_id ?? element_name });
    return fail('CONFLICT_INVALID_STATE', { operation, state: ended.status, execution_id: ended.execution_id });
}
/**
 * SESS-02, SESS-03: the session's executions end with it, and nobody is asked any more about what they wanted. A pause
 * holds all the same: the next report of the agent asks again.
 */
export async function endSession(session, how, parts, view) {
    for (const key of view.forget(session))
        await leave(session, key, how, parts);
}
async function leave(session, key, how, { store, clock }) {
    const known = await store.get(agentRef(key));
    if (!known)
        return;
    const refs = {
        agent: agentRef(key),
        asked: requestRef(known.pause?.approvalId ?? ''),
        attention: attentionRef(known.principal),
    };
    await store.update(refs, ({ agent, asked, attention }) => {
        if (!agent)
            return { result: undefined };
        const now = clock.now();
        const running = agent.execution?.session === session ? agent.execution : undefined;
        const ending = how === 'orderly' ? { status: 'cancelled', now } : { status: 'failed', now, error: TERMINATED };
        const left = running ? endedWith(agent, ending) : agent;
        const isOpen = asked?.session === session && (asked.state === 'pending' || asked.state === 'approved');
        return {
            next: {
                agent: { ...left, grants: left.grants.filter((grant) => grant.session !== session) },
                ...(asked &&
                    isOpen && {
                    asked: { ...asked, version: asked.version + 1, state: 'revoked' },
                    attention: withoutPrompt(attention, asked.id, now),
                }),
            },
            audit: running && left.ended[0] ? [executionEntry('EXECUTION_ENDED', left, left.ended[0], now)] : [],
            result: undefined,
        };
    });
}
