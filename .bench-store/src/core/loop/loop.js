import { randomUUID } from 'node:crypto';
import { RISK_TOLERANCES, SAFETY_MODES, } from "../../protocol/directive.js";
import { fail } from "../../protocol/errors.js";
import { isFailure } from "../../protocol/result.js";
import { withDefaults } from "../autonomy/settings.js";
import { agentRef, withNotice } from "../verification/agent.js";
import { blockAgent, liftBlock } from "../verification/block.js";
import { verifyChallenge } from "../verification/verify-challenge.js";
import { confirm } from "./confirm.js";
import { endExecution, endSession } from "./end-execution.js";
import { executeAgent, refuseStart } from "./execute-agent.js";
import { writeKept } from "./keep-blocks.js";
import { LOOP_LIMITS } from "./parts.js";
import { recordStep } from "./record-step.js";
import { recover } from "./recover.js";
import { createView } from "./view.js";
/** BLOCK-05: resolves when the blocks are known; if they cannot be read, every execution is refused until they can. */
export async function createLoop(options) {
    const parts = {
        channels: [],
        report: () => { },
        ...options,
        settings: withDefaults(options.settings),
        limits: { ...LOOP_LIMITS, ...options.limits },
    };
    const { store, clock, mode, adapter } = parts;
    const view = createView(store);
    await recover(parts).then(view.refresh).catch(parts.report);
    /** BLOCK-01, BLOCK-05: nothing begins or goes on while the blocks are not readable and written. */
    const guarded = async (act) => {
        try {
            await writeKept(store, view);
            if (!view.isLoaded())
                await view.refresh();
        }
        catch (cause) {
            parts.report(cause);
            return UNSAFE;
        }
        return act();
    };
    return {
        mode,
        settings: parts.settings,
        executeAgent: (session, order) => guarded(() => executeAgent(session, order, parts, view)),
        refuseStart: (session, name) => guarded(() => refuseStart(session, name, parts, view)),
        recordStep: (session, report) => guarded(() => recordStep(session, report, parts, view)),
        endExecution(session, order) {
            const act = () => endExecution(session, order, parts, view);
            return order.operation === 'abort_execution' ? act() : guarded(act);
        },
        confirm: (session, order) => confirm(session, order, parts),
        async verify({ owner, principal }, challenge_id, code) {
            const order = { challenge_id, code, session: owner, principal, grantMs: parts.limits.grantMs };
            const verified = await verifyChallenge(store, clock, order);
            await view.refresh().catch(parts.report);
            if (isFailure(verified) && verified.error.code === 'RATE_LIMIT_EXCEEDED')
                await parts.revokeTokens?.(owner, 'too many verification attempts').catch(parts.report);
            return verified;
        },
        async block(order) {
            const result = await blockAgent(store, clock, randomUUID(), order);
            await view.refresh().catch(parts.report);
            return result;
        },
        async lift(order) {
            const result = await liftBlock(store, clock, order);
            await view.refresh().catch(parts.report);
            return result;
        },
        notify: (key, type, message) => addNotice(store, clock, key, { type, message }),
        isBlocked(session) {
            if (mode !== 'enforcing')
                return undefined;
            if (!view.isLoaded() || view.kept().length > 0)
                return UNSAFE;
            const block = view.blockOf(session.owner, session.principal);
            if (!block)
                return undefined;
            const { element_name, verificationId, blockedAt, reason } = block;
            const blocked_at = new Date(blockedAt).toISOString();
            return fail('PERMISSION_AGENT_BLOCKED', { element_name, verificationId, blocked_at, reason });
        },
        covers: (session, operation) => mode !== 'enforcing' || view.takeCover(session.owner, operation),
        violation: (session, operation) => ({
            timestamp: new Date(clock.now()).toISOString(),
            event: 'PROTOCOL_VIOLATION',
            operation,
            adapter_name: adapter,
            result: 'denied',
            reason: 'the operation was not announced by record_execution_step',
            user_id: session.principal,
            session_id: session.owner,
        }),
        refresh: () => view.refresh(),
        endSession: (session, how) => endSession(session.owner, how, parts, view),
        describe: Object.freeze({
            mode,
            modes: SAFETY_MODES,
            defaults: parts.settings,
            risk_tolerances: RISK_TOLERANCES,
            reporting: 'cooperative: actions that are not reported cannot be stopped here',
        }),
    };
}
const UNSAFE = fail('INTERNAL_ERROR', {
    description: 'the record of blocked agents cannot be read or written, so no execution goes on',
    reason: 'block_store_unavailable',
});
async function addNotice(store, clock, key, { type, message }) {
    const refs = { agent: agentRef(key) };
    await store.update(refs, ({ agent }) => {
        const timestamp = new Date(clock.now()).toISOString();
        return { ...(agent && { next: { agent: withNotice(agent, { type, message, timestamp }) } }), result: undefined };
    });
}
