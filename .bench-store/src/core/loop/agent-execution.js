import { fail } from "../../protocol/errors.js";
/** SESS-03: the session broke off. */
export const TERMINATED = fail('INTERNAL_ERROR', {
    description: 'the session ended before the execution did',
    reason: 'session_terminated',
}).error;
/** LOOP-03: from running to one of the terminal states; pause, challenge and block stay as they are (LOOP-20). */
export function endedWith(agent, { now, ...ending }) {
    const { execution, ...rest } = agent;
    if (!execution)
        return agent;
    const ended = { ...execution, ...ending, finishedAt: now, denied: [] };
    return { ...rest, ended: [ended, ...agent.ended].slice(0, MOST_ENDED) };
}
const MOST_ENDED = 20;
export function executionEntry(event, { key, principal, element_name }, { execution_id, adapter, session, status, goal, steps, outcome, summary, reason }, now) {
    return {
        timestamp: new Date(now).toISOString(),
        event,
        adapter_name: adapter,
        agent_key: key,
        element_name,
        execution_id,
        status,
        ...(event === 'EXECUTION_ENDED' && { steps_recorded: steps }),
        ...(goal !== undefined && { goal }),
        ...(outcome !== undefined && { outcome }),
        ...(summary !== undefined && { summary }),
        ...(reason !== undefined && { reason }),
        user_id: principal,
        session_id: session,
    };
}
