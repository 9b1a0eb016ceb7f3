import { blockEntry, opened } from "../verification/block.js";
import { closed, isOpen } from "../verification/challenge.js";
import { issueChallenge, mayIssue, nextIssueIn } from "./issue-challenge.js";
import { askAboutPause } from "./pause-request.js";
import { record } from "./step.js";
/**
 * AUTO-16, BLOCK-09: a verify challenge holds all actions of the agent until it expires, also when a wrong code has
 * burnt it; only the same action may ask for a new one before (OOB-14).
 */
export function holdsBack({ challenge }, hintHash, now) {
    if (challenge?.cause !== 'verify' || now > challenge.expiresAt)
        return false;
    return challenge.state !== 'failed' || challenge.hintHash !== hintHash;
}
/** AUTO-16: nothing is evaluated, nothing counted; the answer names what is waited for. */
export function waitOn(order, state, agent, isStale) {
    const { pause } = agent;
    if (!pause || !isStale) {
        const reason = waitingFor(agent);
        return record(order, state, agent, { decision: 'held', reason, factors: [`waiting: ${reason}`] });
    }
    const again = { ...pause, approvalId: order.fresh.approval, session: order.session };
    const held = { ...agent, pause: again };
    const { request, attention, audit } = askAboutPause(again, held, state.attention, [], order.parts, order.now);
    const reason = waitingFor(held);
    const change = record(order, state, held, { decision: 'held', reason, factors: [`waiting: ${reason}`] });
    return { ...change, next: { ...change.next, asked: request, attention }, audit: [...(change.audit ?? []), audit] };
}
function waitingFor({ pause, challenge }) {
    const parts = [
        ...(pause ? [`approval ${pause.approvalId} (${pause.reason})`] : []),
        ...(challenge?.cause === 'verify' ? [`verification ${challenge.id} (${challenge.reason})`] : []),
    ];
    return `A human has to decide first: ${parts.join(' and ')}`;
}
/**
 * A human is asked to approve, or, in the tier `verify`, to pass on a code. An exhausted limit or a failed step is a
 * question of its own even then, because a code answers only for the action (AUTO-18, OOB-15).
 */
export function pauseAgent(order, state, agent, evaluation) {
    const { parts, now } = order;
    const { reason = 'Paused', factors } = evaluation;
    const needsCode = evaluation.tier === 'verify';
    const cause = CAUSES[evaluation.stage ?? ''] ?? 'action';
    const pause = needsCode && cause === 'action' ? undefined : pauseOf(order, evaluation, cause);
    const paused = pause ? { ...agent, pause } : agent;
    const asked = pause && askAboutPause(pause, paused, state.attention, evaluation.verdicts, parts, now);
    const issued = needsCode && mayIssue(agent, now)
        ? issueChallenge(paused, challengeOf(order, evaluation, 'verify', riskReason(evaluation)), parts, now)
        : undefined;
    const isLimited = needsCode && !issued;
    const told = isLimited ? `${reason}; ${tooMany(agent, now)}` : reason;
    const change = record(order, state, issued?.agent ?? paused, {
        decision: 'pause',
        reason: told,
        factors,
        evaluation,
        ...(issued && { challenge: issued.challenge }),
    });
    return {
        ...change,
        next: {
            ...change.next,
            ...(asked && { asked: asked.request, attention: asked.attention }),
            ...(issued && { challenge: issued.challenge, ...replaced(state, now) }),
        },
        audit: [...(change.audit ?? []), ...(asked ? [asked.audit] : []), ...(issued?.audit ?? [])],
    };
}
const CAUSES = {
    'step limit': 'step_limit',
    'previous outcome': 'failure',
};
/** AUTO-07, BLOCK-01: the block, its challenge and the entries that say so are one commit. */
export function stopAgent(order, state, agent, evaluation) {
    const { parts, now, fresh } = order;
    const { reason = 'Stopped', factors, stage, score } = evaluation;
    const trigger = stage === 'action patterns' ? 'deny' : 'danger_zone';
    const issued = issueChallenge({ ...agent, grants: [] }, challengeOf(order, evaluation, trigger, reason), parts, now);
    const block = {
        id: fresh.block,
        agentKey: agent.key,
        principal: agent.principal,
        element_name: agent.element_name,
        trigger,
        hint: order.hint,
        score,
        reason,
        verificationId: issued.challenge.id,
        blocked_at: new Date(now).toISOString(),
    };
    const open = { ...state.open, [agent.key]: opened(block) };
    const change = record(order, { ...state, open }, issued.agent, {
        decision: 'stop',
        reason,
        factors,
        evaluation,
        challenge: issued.challenge,
    });
    const blocked = { ...blockEntry('AGENT_BLOCKED', block, block.blocked_at), session_id: order.session };
    return {
        ...change,
        next: { ...change.next, open, block, challenge: issued.challenge, ...replaced(state, now) },
        audit: [...(change.audit ?? []), ...issued.audit, blocked],
    };
}
/** OOB-14: the challenge before can no longer be answered, and whoever lists challenges can see it. */
function replaced({ previous }, now) {
    return previous && isOpen(previous) ? { previous: closed(previous, now) } : {};
}
function pauseOf(order, evaluation, cause) {
    const { reason = 'Paused', factors, score, tier, verdicts } = evaluation;
    const pattern = verdicts.find(({ stage, outcome }) => stage === 'action patterns' && outcome === 'pause')?.pattern;
    return {
        approvalId: order.fresh.approval,
        cause,
        hintHash: order.hintHash,
        hint: order.hint,
        session: order.session,
        reason,
        factors,
        score,
        ...(tier && { tier }),
        ...(pattern !== undefined && { pattern }),
        since: order.now,
    };
}
function challengeOf({ fresh, session, hint, hintHash }, { tier = 'danger_zone', score, factors }, trigger, reason) {
    return { id: fresh.challenge, session, trigger, hint, hintHash, tier, score, factors, reason };
}
function riskReason({ verdicts, reason = '' }) {
    return verdicts.find(({ stage }) => stage === 'safety tier')?.reason ?? reason;
}
function tooMany(agent, now) {
    return `too many codes were asked for, the next can be made in ${nextIssueIn(agent, now)} s`;
}
