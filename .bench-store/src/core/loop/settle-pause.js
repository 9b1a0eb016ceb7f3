import { stateOf } from "../gatekeeper/request.js";
import { liveGrants, withNotice, withoutPause } from "../verification/agent.js";
/** What a human has decided since the last report takes effect (AUTO-17, AUTO-18, R-29). */
export function settlePause(agent, request, grantMs, now) {
    if (!agent.pause)
        return { agent, pause: 'none' };
    if (request?.state === 'approved')
        return { agent: approved(agent, request, grantMs, now), pause: 'none' };
    if (request?.state === 'denied')
        return { agent: denied(agent, now), pause: 'none' };
    return { agent, pause: request && stateOf(request, now) === 'pending' ? 'asked' : 'stale' };
}
function approved(agent, request, grantMs, now) {
    const { pause, execution } = agent;
    const free = withNotice(withoutPause(agent), notice('A human approved: the pause is over.', request.id, now));
    switch (pause?.cause) {
        case 'action': {
            const grant = {
                hintHash: request.paramsHash,
                session: request.session,
                until: (request.approvedAt ?? 0) + grantMs,
                from: request.id,
            };
            return { ...free, grants: [...liveGrants(agent, now), grant] };
        }
        case 'step_limit':
            return execution ? { ...free, execution: { ...execution, count: 0 } } : free;
        default:
            return free;
    }
}
function denied(agent, now) {
    const { pause, execution } = agent;
    const text = 'A human denied the action: it stays refused in this execution.';
    const free = withNotice(withoutPause(agent), notice(text, pause?.approvalId ?? '', now));
    if (!execution || !pause)
        return free;
    return { ...free, execution: { ...execution, denied: [...execution.denied, pause.hintHash].slice(-MOST_DENIED) } };
}
const MOST_DENIED = 1_000;
function notice(message, approvalId, now) {
    return { type: 'status', message, timestamp: new Date(now).toISOString(), metadata: { approvalId } };
}
