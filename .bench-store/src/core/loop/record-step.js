import { randomUUID } from 'node:crypto';
import { fail } from "../../protocol/errors.js";
import { evaluate, highestScore } from "../autonomy/evaluate.js";
import { attentionRef } from "../gatekeeper/attention.js";
import { requestRef } from "../gatekeeper/request.js";
import { agentRef } from "../verification/agent.js";
import { agentKey, lookAlike } from "../verification/agent-key.js";
import { blockRef, openBlocksRef } from "../verification/block.js";
import { challengeRef } from "../verification/challenge.js";
import { directiveOf } from "./directive.js";
import { deliver, whereOf } from "./issue-challenge.js";
import { heldCalls } from "./notifications.js";
import { hashHint } from "./pause-request.js";
import { refuseBlocked } from "./refuse-blocked.js";
import { reportFault } from "./report.js";
import { namedBy, stepChange } from "./step-change.js";
export async function recordStep(session, report, parts, view) {
    const fault = reportFault(report);
    if (fault)
        return fault;
    const order = orderOf(session, report, parts);
    const result = await commit(order).catch((cause) => keepBlock(order, view, cause));
    switch (result.kind) {
        case 'refused':
            return result.failure;
        case 'blocked':
            return refuseBlocked(result.block, { operation: 'record_execution_step', session: session.owner, principal: session.principal }, parts, view);
        case 'again':
            return fail('INTERNAL_ERROR', { description: 'the agent changes too fast; report again' });
        case 'recorded':
            return answerOf(result, order, view);
    }
}
function orderOf({ owner, principal }, report, parts) {
    const { next_action_hint: hint, outcome, risk_score, execution_id, step_description, findings } = report;
    return {
        parts,
        session: owner,
        principal,
        element_name: report.element_name,
        hint,
        hintHash: hashHint(hint),
        scored: scoreOf(hint, parts),
        now: parts.clock.now(),
        ...(execution_id !== undefined && { execution_id }),
        ...(outcome !== undefined && { outcome: outcome }), // checked above
        ...(risk_score !== undefined && { riskScore: risk_score }),
        ...(step_description !== undefined && { description: shortened(step_description) }),
        ...(findings !== undefined && { findings: shortened(findings) }),
    };
}
/** AUTO-19: a scorer that fails makes the step the worst there is short of a stop, and a human looks at it. */
function scoreOf(hint, { mode, score, report }) {
    if (mode === 'logging' || mode === 'disabled')
        return { score: 0, factors: [] };
    try {
        return score(hint);
    }
    catch (cause) {
        report(cause);
        return { score: 85, factors: ['the hint could not be scored'] };
    }
}
/** For the trail: the hint is kept whole, prose about the past need not be. */
function shortened(text) {
    return text.length > 2_000 ? `${text.slice(0, 2_000)}… (${text.length} characters)` : text;
}
/** The records to look at depend on the agent's own; if they change meanwhile, the step starts over. */
async function commit(draft) {
    const { store } = draft.parts;
    const key = agentKey(draft.principal, draft.element_name);
    for (let tries = 0; tries < MOST_TRIES; tries++) {
        const known = await store.get(agentRef(key));
        const fresh = { approval: randomUUID(), challenge: randomUUID(), block: randomUUID() };
        const named = namedBy(known, draft);
        const order = { ...draft, fresh, named };
        const refs = {
            agent: agentRef(key),
            open: openBlocksRef(),
            attention: attentionRef(draft.principal),
            paused: requestRef(named.paused),
            granted: requestRef(named.granted),
            previous: challengeRef(named.previous),
            asked: requestRef(fresh.approval),
            challenge: challengeRef(fresh.challenge),
            block: blockRef(fresh.block),
        };
        const result = await store.update(refs, (state) => stepChange(order, state));
        if (result.kind !== 'again')
            return result;
    }
    return { kind: 'again' };
}
const MOST_TRIES = 100;
/** BLOCK-01: what would have stopped the agent stops it also when nothing can be written. */
function keepBlock(order, view, cause) {
    const { parts, hint, principal, session, element_name, scored, riskScore, now } = order;
    const key = agentKey(principal, element_name);
    const isRunning = view.runs(session).some((run) => run.key === key);
    const { outcome, stage, reason = 'Stopped', } = evaluate({
        hint,
        count: 0,
        scored,
        settings: parts.settings,
        ...(riskScore !== undefined && { riskScore }),
    });
    if (parts.mode === 'enforcing' && isRunning && outcome === 'stop') {
        const block = {
            id: randomUUID(),
            agentKey: key,
            principal,
            element_name,
            trigger: stage === 'action patterns' ? 'deny' : 'danger_zone',
            hint,
            score: highestScore(scored, riskScore),
            reason,
            lookAlike: lookAlike(element_name),
            blockedAt: now,
        };
        view.keep(block);
    }
    throw cause;
}
async function answerOf(recorded, order, view) {
    const { parts, session, now } = order;
    const { execution, agent, decision, challenge, open } = recorded;
    view.saw(open);
    const answer = {
        execution_id: execution.execution_id,
        step_number: execution.steps,
        recorded_at: new Date(now).toISOString(),
    };
    if (decision === 'tracked')
        return answer;
    if (decision === 'stop')
        await parts.revokeTokens?.(session, 'the agent was blocked').catch(parts.report);
    const delivery = challenge ? await deliver(challenge, parts) : whereOf(parts);
    const waiting = await heldCalls(parts.store, session, now);
    const autonomy = directiveOf(recorded, { waiting, delivery, now });
    view.covered(session, agent.key, autonomy.continue ? order.hint : undefined);
    return { ...answer, autonomy };
}
