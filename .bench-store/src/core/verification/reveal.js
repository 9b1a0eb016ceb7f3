import { agentRef } from "./agent.js";
import { challengeEntry, challengeRef, hashCode, makeCode, makeSalt } from "./challenge.js";
/** OOB-04, R-44: the code begins to exist here, in the process that shows it, once and for one person. */
export async function reveal(store, clock, id, by) {
    const known = await store.get(challengeRef(id));
    if (!known)
        return { kind: 'refused', why: 'unknown' };
    const code = makeCode();
    const salt = makeSalt();
    const hash = hashCode(code, salt);
    const refs = { challenge: challengeRef(id), agent: agentRef(known.agentKey) };
    return store.update(refs, ({ challenge, agent }) => {
        const now = clock.now();
        if (!challenge || agent?.challenge?.id !== id)
            return refused('unknown');
        if (now > challenge.expiresAt)
            return refused('expired');
        if (challenge.state !== 'waiting')
            return refused('already');
        const shown = { ...challenge, state: 'shown', salt, hash, shownAt: now, shownBy: by };
        return {
            next: { challenge: shown },
            audit: [challengeEntry('CHALLENGE_SHOWN', shown, now, { operator: by })],
            result: { kind: 'shown', challenge: shown, code },
        };
    });
}
/** A dialog that could not be shown: nobody has seen the code, and it will never be right. */
export function withdraw(store, id) {
    const refs = { challenge: challengeRef(id) };
    return store.update(refs, ({ challenge }) => {
        if (challenge?.state !== 'shown')
            return { result: undefined };
        const { salt: _, hash: __, shownAt: ___, shownBy: ____, ...kept } = challenge;
        return { next: { challenge: { ...kept, state: 'waiting' } }, result: undefined };
    });
}
/** OOB-06: no place is left where a human could read a code. It stays so until it expires. */
export async function markUndeliverable(store, clock, { id, agentKey }) {
    const refs = { challenge: challengeRef(id), agent: agentRef(agentKey) };
    await store.update(refs, ({ challenge, agent }) => {
        if (challenge?.state !== 'waiting')
            return { result: undefined };
        const now = clock.now();
        const next = { ...challenge, state: 'undeliverable' };
        const pending = agent?.challenge?.id === id ? agent.challenge : undefined;
        return {
            next: {
                challenge: next,
                ...(agent && pending && { agent: { ...agent, challenge: { ...pending, state: 'undeliverable' } } }),
            },
            audit: [challengeEntry('CHALLENGE_UNDELIVERABLE', next, now)],
            result: undefined,
        };
    });
}
function refused(why) {
    return { result: { kind: 'refused', why } };
}
