import { randomBytes } from 'node:crypto';
import { fail } from "../../protocol/errors.js";
import { autonomyFaults, tighten } from "../autonomy/settings.js";
import { agentRef, newAgent } from "../verification/agent.js";
import { agentKey, normaliseName } from "../verification/agent-key.js";
import { openBlocksRef, startBlock } from "../verification/block.js";
import { endedWith, executionEntry, TERMINATED } from "./agent-execution.js";
import { refuseBlocked } from "./refuse-blocked.js";
/** LOOP-08 to LOOP-10. Whether a human has agreed is the gate's business; here it begins. */
export async function executeAgent(session, order, parts, view) {
    const fault = faultOf(order);
    if (fault)
        return fault;
    const { store } = parts;
    const key = agentKey(session.principal, order.element_name);
    const running = (await store.get(agentRef(key)))?.execution;
    const gone = running && (await store.isGone(running.opener)) ? running.execution_id : undefined;
    const execution = executionOf(session, order, parts);
    const refs = { agent: agentRef(key), open: openBlocksRef() };
    const result = await store.update(refs, (current) => start(session, order, execution, gone, parts, current));
    if (result.kind === 'refused')
        return result.failure;
    if (result.kind === 'blocked') {
        const call = { operation: 'execute_agent', session: session.owner, principal: session.principal };
        return refuseBlocked(result.block, call, parts, view);
    }
    view.saw(result.open);
    view.started(session.owner, { key, principal: session.principal, element_name: order.element_name });
    return {
        execution_id: execution.execution_id,
        status: 'running',
        started_at: new Date(execution.startedAt).toISOString(),
        element_name: order.element_name,
        autonomy: execution.settings,
    };
}
/** For the gate: what the handler would refuse anyway, so that no human is asked in vain (BLOCK-02, BLOCK-04). */
export async function refuseStart(session, element_name, parts, view) {
    if (parts.mode !== 'enforcing')
        return undefined;
    const { store } = parts;
    const { owner, principal } = session;
    const [agent, open = {}] = await Promise.all([
        store.get(agentRef(agentKey(principal, element_name))),
        store.get(openBlocksRef()),
    ]);
    const block = startBlock(open, principal, element_name, agent);
    return block && refuseBlocked(block, { operation: 'execute_agent', session: owner, principal }, parts, view);
}
function start({ principal }, { element_name }, execution, gone, parts, { agent, open = {} }) {
    const block = parts.mode === 'enforcing' ? startBlock(open, principal, element_name, agent) : undefined;
    if (block)
        return { result: { kind: 'blocked', block } };
    const running = agent?.execution;
    if (running && running.execution_id !== gone) {
        const { execution_id } = running;
        const failure = fail('CONFLICT_INVALID_STATE', { operation: 'execute_agent', state: 'running', execution_id });
        return { result: { kind: 'refused', failure } };
    }
    const now = execution.startedAt;
    const key = agentKey(principal, element_name);
    const known = agent ?? newAgent({ key, principal, element_name, firstSeenAt: now });
    const ready = running ? endedWith(known, { status: 'failed', error: TERMINATED, now }) : known;
    const next = { ...ready, element_name, execution };
    return {
        next: { agent: next },
        audit: [executionEntry('EXECUTION_STARTED', next, execution, now)],
        result: { kind: 'started', open },
    };
}
function faultOf({ element_name, autonomy }) {
    if (normaliseName(element_name) === '')
        return fail('VALIDATION_MISSING_PARAM', { param_name: 'element_name', operation: 'execute_agent' });
    const [fault] = autonomy === undefined ? [] : autonomyFaults(autonomy, 'agent');
    if (fault === undefined)
        return undefined;
    return fail('VALIDATION_INVALID_VALUE', { param_name: 'autonomy', constraint: fault, operation: 'execute_agent' });
}
function executionOf({ owner }, { goal, autonomy }, parts) {
    return {
        execution_id: `agent_${randomBytes(12).toString('base64url')}`,
        adapter: parts.adapter,
        session: owner,
        opener: parts.store.opener,
        status: 'running',
        ...(goal !== undefined && { goal: goal.slice(0, 2_000) }),
        startedAt: parts.clock.now(),
        steps: 0,
        count: 0,
        settings: tighten(parts.settings, autonomy),
        denied: [],
    };
}
