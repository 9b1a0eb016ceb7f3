import { fail } from "../../protocol/errors.js";
import { agentRef, liveGrants, withoutChallenge } from "./agent.js";
import { ATTEMPTS, admitAttempt, attemptsRef, withFailure } from "./attempts.js";
import { blockAt, blockEntry, blockRef, openBlocksRef, withoutBlock, } from "./block.js";
import { challengeEntry, challengeRef, closed, isCode, isOpen } from "./challenge.js";
/** OOB-09 to OOB-15: one submission uses the challenge up, right or wrong, and everything that follows is one commit. */
export async function verifyChallenge(store, clock, order) {
    const known = await store.get(challengeRef(order.challenge_id));
    const isVoid = known !== undefined && (await store.isGone(known.opener));
    const open = known && blockAt(await store.get(openBlocksRef()), known.agentKey);
    const refs = {
        challenge: challengeRef(order.challenge_id),
        agent: agentRef(known?.agentKey ?? ''),
        attempts: attemptsRef(known ? `agent ${known.agentKey}` : `session ${order.session}`),
        open: openBlocksRef(),
        block: blockRef(open?.id ?? ''),
    };
    return store.update(refs, (current) => {
        const now = clock.now();
        const admission = admitAttempt(current.attempts, now);
        if (admission.kind === 'limited')
            return limited(order, admission.next, admission.retryAfterSeconds, now);
        const { challenge, agent } = current;
        const isRight = isCode(challenge ?? {}, order.code);
        const fault = isVoid ? 'void' : faultOf(challenge, agent, now);
        if (!challenge || !agent || fault !== undefined || !isRight)
            return failed(order, challenge, agent, withFailure(admission.next, now), fault ?? 'wrong', now);
        return verified(order, challenge, agent, current, now);
    });
}
/** Everything but the code. Only the agent's current challenge can be answered: an older one is as good as unknown. */
function faultOf(challenge, agent, now) {
    if (!challenge || !agent)
        return 'unknown';
    if (now > challenge.expiresAt)
        return 'expired';
    if (agent.challenge?.id !== challenge.id)
        return 'superseded';
    return challenge.state === 'shown' ? undefined : challenge.state;
}
/** OOB-10: the caller learns that it failed and nothing else; the trail learns why. */
function failed(order, challenge, agent, attempts, failure_reason, now) {
    const by = { client_context: { session_id: order.session, user_id: order.principal }, failure_reason };
    const result = fail('PERMISSION_VERIFICATION_FAILED', {});
    if (!challenge)
        return { next: { attempts }, audit: [{ ...unknownEntry(order, now), ...by }], result };
    const isCurrent = agent?.challenge?.id === challenge.id;
    const wasOpen = isOpen(challenge);
    const event = failure_reason === 'expired' ? 'CHALLENGE_EXPIRED' : 'CHALLENGE_FAILED';
    return {
        next: {
            attempts,
            ...(wasOpen && { challenge: closed(challenge, now) }),
            ...(wasOpen &&
                isCurrent &&
                agent?.challenge && {
                agent: { ...agent, challenge: { ...agent.challenge, state: 'failed' } },
            }),
        },
        audit: [challengeEntry(event, challenge, now, { ...by, outcome: 'failure' })],
        result,
    };
}
/** OOB-15: the pause or block is gone and the one action granted, nothing else. */
function verified({ grantMs = GRANT_MS, session, principal }, challenge, agent, { open = {}, block }, now) {
    const { salt: _, hash: __, ...kept } = challenge;
    const by = { client_context: { session_id: session, user_id: principal } };
    const grant = {
        hintHash: challenge.hintHash,
        session: challenge.session,
        until: now + grantMs,
        from: challenge.id,
    };
    const isBlocked = blockAt(open, agent.key)?.verificationId === challenge.id;
    const timestamp = new Date(now).toISOString();
    const ended = block && { ...block, unblocked_at: timestamp, unblocked_by: principal, channel: 'verify_challenge' };
    const grants = challenge.hint === '' ? liveGrants(agent, now) : [...liveGrants(agent, now), grant];
    return {
        next: {
            challenge: { ...kept, state: 'verified', endedAt: now },
            agent: { ...withoutChallenge(agent), grants },
            ...(isBlocked && { open: withoutBlock(open, agent.key), ...(ended && { block: ended }) }),
        },
        audit: [
            challengeEntry('CHALLENGE_VERIFIED', challenge, now, { ...by, outcome: 'success', result: 'confirmed' }),
            ...(isBlocked && ended ? [{ ...blockEntry('AGENT_UNBLOCKED', ended, timestamp), ...by }] : []),
        ],
        result: { challenge, blockLifted: isBlocked },
    };
}
const GRANT_MS = 300_000;
/** OOB-12, before anything is compared. */
function limited(order, attempts, retry_after_seconds, now) {
    return {
        next: { attempts },
        audit: [{ ...unknownEntry(order, now), event: 'VERIFICATION_RATE_LIMITED' }],
        result: fail('RATE_LIMIT_EXCEEDED', { limit: ATTEMPTS.most, remaining: 0, retry_after_seconds }),
    };
}
function unknownEntry({ challenge_id, session, principal }, now) {
    return {
        timestamp: new Date(now).toISOString(),
        event: 'CHALLENGE_FAILED',
        verificationId: challenge_id.slice(0, 64),
        outcome: 'failure',
        user_id: principal,
        session_id: session,
    };
}
