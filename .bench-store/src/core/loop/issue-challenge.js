import { challengeEntry } from "../verification/challenge.js";
import { markUndeliverable, reveal, withdraw } from "../verification/reveal.js";
import { ISSUE_LIMIT } from "./parts.js";
/** OOB-01, OOB-14: the new challenge takes the place of any other, so that one at most can be answered. */
export function issueChallenge(agent, issue, parts, now) {
    const { reason, ...shown } = issue;
    const isDeliverable = parts.channels.length > 0;
    const challenge = {
        ...shown,
        agentKey: agent.key,
        principal: agent.principal,
        element_name: agent.element_name,
        issuedAt: now,
        expiresAt: now + parts.limits.challengeMs,
        state: isDeliverable ? 'waiting' : 'undeliverable',
        opener: parts.store.opener,
    };
    const pending = {
        id: challenge.id,
        cause: challenge.trigger === 'verify' ? 'verify' : 'block',
        state: isDeliverable ? 'waiting' : 'undeliverable',
        hintHash: challenge.hintHash,
        reason,
        since: now,
        expiresAt: challenge.expiresAt,
    };
    return {
        agent: { ...agent, challenge: pending, issued: [...recentIssues(agent, now), now] },
        challenge,
        audit: [
            ...(isExpired(agent, now) ? [expiredEntry(agent, now)] : []),
            challengeEntry('CHALLENGE_ISSUED', challenge, now, { score: challenge.score, hint: challenge.hint }),
            ...(isDeliverable ? [] : [challengeEntry('CHALLENGE_UNDELIVERABLE', challenge, now)]),
        ],
    };
}
function isExpired({ challenge }, now) {
    return challenge !== undefined && challenge.state !== 'failed' && now > challenge.expiresAt;
}
/** Nobody is there at the moment a challenge expires; the one that follows it says so. */
function expiredEntry({ key, principal, element_name, challenge }, now) {
    return {
        timestamp: new Date(now).toISOString(),
        event: 'CHALLENGE_EXPIRED',
        ...(challenge && { verificationId: challenge.id }),
        agent_key: key,
        element_name,
        user_id: principal,
    };
}
export function mayIssue(agent, now) {
    return recentIssues(agent, now).length < ISSUE_LIMIT.most;
}
/** Seconds until the next challenge can be made. */
export function nextIssueIn(agent, now) {
    const [oldest = now] = recentIssues(agent, now);
    return Math.max(1, Math.ceil((oldest + ISSUE_LIMIT.windowMs - now) / 1_000));
}
function recentIssues({ issued }, now) {
    return issued.filter((at) => at > now - ISSUE_LIMIT.windowMs);
}
/** OOB-05: dialogs at once, one after the other; a console later; nothing at all is told plainly (OOB-06). */
export async function deliver(challenge, parts) {
    if (!parts.channels.some(({ kind }) => kind === 'dialog'))
        return whereOf(parts);
    const showing = showInDialogs(challenge, parts).catch((cause) => {
        parts.report(cause);
        return whereOf(parts);
    });
    return Promise.race([showing, after(parts.limits.showMs).then(() => whereOf(parts))]);
}
/** Where a code that waits can be seen. */
export function whereOf({ channels }) {
    const places = channels.map((channel) => (channel.kind === 'console' ? channel.where : channel.name));
    return places.length > 0 ? { state: 'waiting', where: places.join(' or ') } : UNDELIVERABLE;
}
export const UNDELIVERABLE = { state: 'undeliverable', where: '' };
async function showInDialogs(challenge, parts) {
    const { store, clock, channels, report } = parts;
    for (const channel of channels) {
        if (channel.kind !== 'dialog')
            continue;
        const revealed = await reveal(store, clock, challenge.id, channel.name);
        if (revealed.kind === 'refused')
            return whereOf(parts);
        const outcome = await channel.show(shownOf(challenge), revealed.code).catch((cause) => {
            report(cause);
            return 'failed';
        });
        if (outcome === 'delivered')
            return { state: 'shown', where: channel.name };
        await withdraw(store, challenge.id);
    }
    const consoles = channels.filter(({ kind }) => kind === 'console');
    if (consoles.length > 0)
        return whereOf({ ...parts, channels: consoles });
    await markUndeliverable(store, clock, challenge);
    return UNDELIVERABLE;
}
function shownOf({ id, element_name, principal, hint, tier, score, factors, expiresAt }) {
    return { id, element_name, principal, hint, tier, score, factors, expiresAt };
}
function after(ms) {
    return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
