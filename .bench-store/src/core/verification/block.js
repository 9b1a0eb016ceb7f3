import { record } from "../ports/store.js";
import { agentRef, withoutChallenge } from "./agent.js";
import { agentKey, lookAlike } from "./agent-key.js";
import { challengeRef, closed, isOpen } from "./challenge.js";
export function blockRef(id) {
    return record('block', id);
}
export function openBlocksRef() {
    return record('blocks', 'open');
}
export function blockAt(open, key) {
    return open && Object.hasOwn(open, key) ? open[key] : undefined;
}
/** BLOCK-03: the block on this agent, whatever the spelling; one on the principal itself is on all its agents. */
export function findBlock(open, principal, elementName) {
    const key = agentKey(principal, elementName);
    const looks = lookAlike(elementName);
    return blocksOf(open, principal).find((block) => block.agentKey === key || block.agentKey === principal || block.lookAlike === looks);
}
/** BLOCK-04: while a principal has an open block, only names that were in use before it can start. */
export function startBlock(open, principal, elementName, agent) {
    const own = findBlock(open, principal, elementName);
    if (own)
        return own;
    return blocksOf(open, principal).find(({ blockedAt }) => !agent || agent.firstSeenAt > blockedAt);
}
export function blocksOf(open, principal) {
    return Object.values(open).filter((block) => block.principal === principal);
}
export function opened(block) {
    const { id, agentKey: key, principal, element_name, trigger, hint, score, reason, verificationId } = block;
    return {
        id,
        agentKey: key,
        principal,
        element_name,
        trigger,
        hint,
        reason,
        ...(score !== undefined && { score }),
        ...(verificationId !== undefined && { verificationId }),
        lookAlike: lookAlike(element_name),
        blockedAt: Date.parse(block.blocked_at),
    };
}
/** BLOCK-10: an operator stops an agent, or with the principal as key all agents of a principal. */
export function blockAgent(store, clock, id, order) {
    const refs = { open: openBlocksRef(), block: blockRef(id) };
    return store.update(refs, ({ open = {} }) => {
        if (blockAt(open, order.agentKey))
            return { result: 'already' };
        const timestamp = new Date(clock.now()).toISOString();
        const block = {
            id,
            agentKey: order.agentKey,
            principal: order.principal,
            element_name: order.name,
            trigger: 'operator',
            hint: '',
            reason: order.reason,
            blocked_at: timestamp,
            blocked_by: order.by,
            channel: order.channel,
        };
        const entry = { ...blockEntry('AGENT_BLOCKED', block, timestamp), operator: order.by, channel: order.channel };
        return {
            next: { open: { ...open, [block.agentKey]: opened(block) }, block },
            audit: [entry],
            result: 'blocked',
        };
    });
}
/** BLOCK-07: the admin override. It allows no action: neither a grant nor an approval comes of it. */
export async function liftBlock(store, clock, order) {
    for (;;) {
        const known = blockAt(await store.get(openBlocksRef()), order.agentKey);
        if (!known)
            return 'unknown';
        const refs = {
            open: openBlocksRef(),
            block: blockRef(known.id),
            agent: agentRef(order.agentKey),
            challenge: challengeRef(known.verificationId ?? ''),
        };
        const lifted = await store.update(refs, ({ open = {}, block, agent, challenge }) => {
            const current = blockAt(open, order.agentKey);
            if (current?.id !== known.id || current.verificationId !== known.verificationId)
                return { result: 'again' };
            const now = clock.now();
            const timestamp = new Date(now).toISOString();
            const ended = {
                ...(block ?? asRecord(known)),
                unblocked_at: timestamp,
                unblocked_by: order.by,
                channel: order.channel,
                unblock_reason: order.reason,
            };
            const by = { operator: order.by, channel: order.channel, reason: order.reason };
            return {
                next: {
                    open: withoutBlock(open, order.agentKey),
                    block: ended,
                    ...(agent?.challenge?.cause === 'block' && { agent: withoutChallenge(agent) }),
                    ...(challenge && isOpen(challenge) && { challenge: closed(challenge, now) }),
                },
                audit: [
                    { ...blockEntry('ADMIN_OVERRIDE', ended, timestamp), ...by },
                    { ...blockEntry('AGENT_UNBLOCKED', ended, timestamp), ...by },
                ],
                result: 'lifted',
            };
        });
        if (lifted === 'lifted')
            return lifted;
    }
}
export async function listBlocks(store) {
    return (await store.list('block')).map(({ value }) => value);
}
export function withoutBlock(open, key) {
    return Object.fromEntries(Object.entries(open).filter(([each]) => each !== key));
}
export function blockEntry(event, block, timestamp) {
    const { agentKey: agent_key, principal, element_name, trigger, hint, score, reason, verificationId } = block;
    return {
        timestamp,
        event,
        agent_key,
        element_name,
        trigger,
        reason,
        ...(hint !== '' && { hint }),
        ...(score !== undefined && { score }),
        ...(verificationId !== undefined && { verificationId }),
        user_id: principal,
    };
}
export function asRecord({ lookAlike: _, blockedAt, ...block }) {
    return { ...block, blocked_at: new Date(blockedAt).toISOString() };
}
