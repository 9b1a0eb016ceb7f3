import { randomUUID } from 'node:crypto';
import { fail } from "../../protocol/errors.js";
import { agentRef, newAgent } from "../verification/agent.js";
import { blockAt, blockRef, openBlocksRef } from "../verification/block.js";
import { challengeRef } from "../verification/challenge.js";
import { deliver, issueChallenge, mayIssue, nextIssueIn, UNDELIVERABLE, whereOf } from "./issue-challenge.js";
import { howToVerify } from "./notifications.js";
import { hashHint } from "./pause-request.js";
/** BLOCK-02, OOB-14: refused, and given a new challenge where the last one can no longer be answered. */
export async function refuseBlocked(known, call, parts, view) {
    const { store, clock } = parts;
    const id = randomUUID();
    const refs = {
        agent: agentRef(known.agentKey),
        open: openBlocksRef(),
        block: blockRef(known.id),
        challenge: challengeRef(id),
    };
    const refused = await store.update(refs, ({ agent: found, open = {}, block }) => {
        const now = clock.now();
        const entry = refusedEntry(known, call, parts, now);
        const current = blockAt(open, known.agentKey);
        const agent = found ?? newAgent({ ...agentOf(known), firstSeenAt: now });
        if (current?.id !== known.id || isPending(agent, now))
            return { audit: [entry], result: { block: current ?? known, agent, open, now } };
        if (!mayIssue(agent, now))
            return { audit: [entry], result: { block: current, agent, open, now, wait: nextIssueIn(agent, now) } };
        const issued = issueChallenge(agent, challengeFor(known, call, id), parts, now);
        const next = { ...current, verificationId: id };
        return {
            next: {
                agent: issued.agent,
                open: { ...open, [known.agentKey]: next },
                challenge: issued.challenge,
                ...(block && { block: { ...block, verificationId: id } }),
            },
            audit: [entry, ...issued.audit],
            result: {
                block: next,
                agent: issued.agent,
                open: { ...open, [known.agentKey]: next },
                now,
                issued: issued.challenge,
            },
        };
    });
    view.saw(refused.open);
    return failureOf(refused, parts);
}
async function failureOf({ block, agent, issued, wait }, parts) {
    const isUndeliverable = agent.challenge?.state === 'undeliverable';
    const delivery = issued ? await deliver(issued, parts) : isUndeliverable ? UNDELIVERABLE : whereOf(parts);
    const next = wait === undefined
        ? howToVerify(delivery, true)
        : `Too many codes were asked for; the next can be made in ${wait} s.`;
    return fail('PERMISSION_AGENT_BLOCKED', {
        element_name: block.element_name,
        verificationId: block.verificationId,
        blocked_at: new Date(block.blockedAt).toISOString(),
        reason: block.reason,
        next,
    });
}
/** An undeliverable one counts as pending until it expires: another would be no better. */
function isPending({ challenge }, now) {
    return challenge?.cause === 'block' && challenge.state !== 'failed' && now <= challenge.expiresAt;
}
function agentOf({ agentKey: key, principal, element_name }) {
    return { key, principal, element_name };
}
function challengeFor({ trigger, hint, score = 100, reason }, { session }, id) {
    const factors = [reason];
    return { id, session, trigger, hint, hintHash: hashHint(hint), tier: 'danger_zone', score, factors, reason };
}
function refusedEntry(block, call, { adapter }, now) {
    return {
        timestamp: new Date(now).toISOString(),
        event: 'OPERATION_DENIED',
        operation: call.operation,
        adapter_name: adapter,
        result: 'denied',
        outcome: 'denied',
        reason: `the agent is blocked: ${block.reason}`,
        agent_key: block.agentKey,
        element_name: block.element_name,
        user_id: call.principal,
        session_id: call.session,
    };
}
