/** LOOP-15: the report is accepted. */
export function record(order, state, agent, recording) {
    const { execution } = agent;
    if (!execution)
        throw new TypeError('a report without execution cannot be recorded');
    const step = { ...execution, steps: execution.steps + 1 };
    const next = { ...agent, execution: step, notices: [] };
    return {
        next: { agent: next },
        audit: order.parts.mode === 'disabled' ? [] : [stepEntry(order, next, recording)],
        result: {
            kind: 'recorded',
            agent: next,
            execution: step,
            open: state.open ?? {},
            notices: agent.notices,
            ...recording,
        },
    };
}
const RESULTS = {
    continue: 'allowed',
    granted: 'confirmed',
    held: 'denied',
    pause: 'denied',
    stop: 'denied',
    observed: 'allowed',
    logged: 'allowed',
    tracked: 'allowed',
};
/** AUDIT-04. */
export function stepEntry(order, { key, execution }, { decision, reason, evaluation }) {
    const { parts, now, session, principal, element_name, hint, outcome, description, findings } = order;
    const result = RESULTS[decision];
    return {
        timestamp: new Date(now).toISOString(),
        event: 'STEP_EVALUATED',
        operation: 'record_execution_step',
        adapter_name: parts.adapter,
        result,
        ...(reason !== undefined && { reason }),
        agent_key: key,
        element_name,
        ...(execution && { execution_id: execution.execution_id, step_number: execution.steps }),
        hint,
        ...(outcome && { previous_outcome: outcome }),
        ...(description !== undefined && { step_description: description }),
        ...(findings !== undefined && { findings }),
        directive: { continue: result !== 'denied', ...(decision === 'stop' && { stopped: true }), decision },
        ...(evaluation && {
            score: evaluation.score,
            ...(evaluation.tier && { tier: evaluation.tier }),
            ...(evaluation.stage && { stage: evaluation.stage }),
        }),
        mode: parts.mode,
        user_id: principal,
        session_id: session,
    };
}
