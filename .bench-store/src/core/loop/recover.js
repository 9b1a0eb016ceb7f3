import { record } from "../ports/store.js";
import { agentRef } from "../verification/agent.js";
import { challengeRef } from "../verification/challenge.js";
import { endedWith, executionEntry, TERMINATED } from "./agent-execution.js";
/** Before the first request: what processes that are gone have left behind ends (SESS-03, BLOCK-05). */
export async function recover(parts) {
    await noteMode(parts);
    const { store, clock } = parts;
    for (const { value } of await store.list('agent'))
        await recoverAgent(value, parts);
    for (const { value } of await store.list('challenge')) {
        if (value.expiresAt < clock.now() - DAY_MS)
            await forget(store, value.id);
    }
}
const DAY_MS = 86_400_000;
async function recoverAgent({ key, execution, challenge }, { store, clock }) {
    const lost = execution && (await store.isGone(execution.opener)) ? execution.execution_id : undefined;
    const isOpen = challenge !== undefined && challenge.state !== 'failed';
    const isVoid = isOpen && (await isGone(store, challenge.id));
    if (lost === undefined && !isVoid)
        return;
    const refs = { agent: agentRef(key) };
    await store.update(refs, ({ agent }) => {
        if (!agent)
            return { result: undefined };
        const now = clock.now();
        const isLost = lost !== undefined && agent.execution?.execution_id === lost;
        const ended = isLost ? endedWith(agent, { status: 'failed', error: TERMINATED, now }) : agent;
        const isSame = isVoid && agent.challenge?.id === challenge.id;
        const next = isSame && agent.challenge ? { ...ended, challenge: { ...agent.challenge, state: 'failed' } } : ended;
        return {
            next: { agent: next },
            audit: isLost && next.ended[0] ? [executionEntry('EXECUTION_ENDED', next, next.ended[0], now)] : [],
            result: undefined,
        };
    });
}
/** A challenge whose maker has ended is void: nobody answers for what was shown. */
async function isGone(store, id) {
    const challenge = await store.get(challengeRef(id));
    return challenge === undefined || store.isGone(challenge.opener);
}
function forget(store, id) {
    const refs = { challenge: challengeRef(id) };
    return store.update(refs, () => ({ next: { challenge: undefined }, result: undefined }));
}
/** AUDIT-05. */
function noteMode({ store, clock, adapter, mode }) {
    const refs = { mode: record('safety-mode', adapter) };
    return store.update(refs, ({ mode: old }) => {
        if (old === mode)
            return { result: undefined };
        const timestamp = new Date(clock.now()).toISOString();
        const change = { new: mode, ...(old && { old }), operator: 'configuration', adapter_name: adapter };
        return { next: { mode }, audit: [{ timestamp, event: 'SAFETY_MODE_CHANGED', ...change }], result: undefined };
    });
}
