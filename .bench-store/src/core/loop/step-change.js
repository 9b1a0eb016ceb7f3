import { fail } from "../../protocol/errors.js";
import { evaluate } from "../autonomy/evaluate.js";
import { liveGrants } from "../verification/agent.js";
import { findBlock } from "../verification/block.js";
import { holdsBack, pauseAgent, stopAgent, waitOn } from "./hold-agent.js";
import { settlePause } from "./settle-pause.js";
import { record, stepEntry } from "./step.js";
/** One report as one change (SESS-10): from what the records say to what they shall say, and the answer's substance. */
export function stepChange(order, state) {
    const { parts, principal, element_name } = order;
    const { agent, open = {} } = state;
    const { paused, granted, previous } = namedBy(agent, order);
    const { named } = order;
    if (paused !== named.paused || granted !== named.granted || previous !== named.previous)
        return AGAIN;
    const block = parts.mode === 'enforcing' ? findBlock(open, principal, element_name) : undefined;
    if (block)
        return { result: { kind: 'blocked', block } };
    if (!agent || !isReportedOn(agent, order))
        return { result: { kind: 'refused', failure: noExecution(order) } };
    switch (parts.mode) {
        case 'enforcing':
            return enforce(order, state, agent);
        case 'monitoring':
            return observe(order, state, agent);
        case 'logging':
            return record(order, state, agent, { decision: 'logged', factors: ['nothing was evaluated: the loop only logs'] });
        case 'disabled':
            return record(order, state, agent, { decision: 'tracked', factors: [] });
    }
}
/** The records beside the agent's own that a report has to look at. */
export function namedBy(agent, order) {
    return {
        paused: agent?.pause?.approvalId ?? '',
        granted: grantOf(agent, order),
        previous: agent?.challenge?.id ?? '',
    };
}
/** What the grant for this very hint came from. */
function grantOf(agent, { hintHash, session, now }) {
    const isFor = (grant) => grant.hintHash === hintHash && grant.session === session;
    return (agent && liveGrants(agent, now).find(isFor)?.from) ?? '';
}
const AGAIN = { result: { kind: 'again' } };
/** LOOP-14. */
function isReportedOn({ execution }, { session, execution_id }) {
    return execution?.session === session && (execution_id === undefined || execution_id === execution.execution_id);
}
function noExecution({ element_name, execution_id }) {
    return fail('NOT_FOUND_RESOURCE', { resource_type: 'execution', resource_id: execution_id ?? element_name });
}
/** LOOP-16. What waits for a human comes first, what a human granted second, the evaluation last. */
function enforce(order, state, known) {
    const { hintHash, now, parts } = order;
    const { agent, pause } = settlePause(known, state.paused, parts.limits.grantMs, now);
    if (agent.execution?.denied.includes(hintHash))
        return deny(order, agent);
    const found = grantOf(agent, order);
    const grant = isTakenBack(state, found) ? '' : found;
    const isHeld = pause !== 'none' || holdsBack(agent, hintHash, now);
    if (!isHeld && grant !== '')
        return useGrant(order, state, agent, grant);
    const evaluation = evaluated(order, agent);
    if (evaluation.outcome === 'stop' && grant === '')
        return stopAgent(order, state, counted(agent), evaluation);
    if (isHeld)
        return waitOn(order, state, agent, pause === 'stale');
    if (evaluation.outcome === 'pause')
        return pauseAgent(order, state, counted(agent), evaluation);
    return record(order, state, counted(agent), { decision: 'continue', factors: evaluation.factors, evaluation });
}
/** An operator may take an approval back until it is used. */
function isTakenBack({ paused, granted }, from) {
    const request = [paused, granted].find((each) => each?.id === from);
    return request !== undefined && request.state !== 'approved';
}
/** LOOP-17: says what enforcement would have done, and does nothing of it. */
function observe(order, state, agent) {
    const evaluation = evaluated(order, agent);
    const isBlocked = findBlock(state.open ?? {}, order.principal, order.element_name) !== undefined;
    const would = isBlocked ? 'refuse, the agent is blocked' : evaluation.outcome;
    const factors = [`monitoring: enforcement would ${would}`, ...evaluation.factors];
    const reason = evaluation.reason && `Enforcement would ${evaluation.outcome}: ${evaluation.reason}`;
    return record(order, state, counted(agent), { decision: 'observed', factors, evaluation, ...(reason && { reason }) });
}
function evaluated({ hint, outcome, scored, riskScore }, { execution }) {
    if (!execution)
        throw new TypeError('an agent without execution cannot be evaluated');
    const { count, settings } = execution;
    return evaluate({
        hint,
        count,
        scored,
        settings,
        ...(outcome && { outcome }),
        ...(riskScore !== undefined && { riskScore }),
    });
}
/** AUTO-03: each evaluated report counts. */
function counted(agent) {
    const { execution } = agent;
    return execution ? { ...agent, execution: { ...execution, count: execution.count + 1 } } : agent;
}
/** SELF-11. */
function deny(order, agent) {
    const reason = 'a human has denied this action';
    const failure = fail('PERMISSION_DENIED', { reason, operation: 'record_execution_step' });
    const entry = stepEntry(order, agent, { decision: 'held', reason });
    return { next: { agent }, audit: [entry], result: { kind: 'refused', failure } };
}
/** AUTO-17: used up by the report that uses it. */
function useGrant(order, state, agent, from) {
    const { now } = order;
    const grants = liveGrants(agent, now).filter((grant) => grant.from !== from);
    const change = record(order, state, { ...agent, grants }, {
        decision: 'granted',
        factors: [`a human allowed this action once (${from})`],
    });
    const name = state.paused?.id === from ? 'paused' : 'granted';
    const request = state[name];
    if (request?.id !== from)
        return change;
    const used = {
        ...request,
        version: request.version + 1,
        state: 'consumed',
        consumedAt: now,
        useCount: request.useCount + 1,
        outcome: 'reported',
    };
    return { ...change, next: { ...change.next, [name]: used } };
}
