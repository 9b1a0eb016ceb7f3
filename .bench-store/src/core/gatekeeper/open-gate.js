import { fail } from "../../protocol/errors.js";
import { quotaRef } from "../quota/counters.js";
import { quotaStatus } from "../quota/quota-status.js";
import { readRateLimits } from "../quota/read-rate-limits.js";
import { compilePatterns } from "../trust/danger-patterns.js";
import { faultOfCooldown } from "../trust/read-danger.js";
import { ATTENTION } from "./attention.js";
import { endDesk, recoverDesks, sweepRequests } from "./end-session.js";
import { BROKEN_COUNTERS } from "./enter.js";
import { createGate } from "./gate.js";
import { recoverIntents, settle } from "./intent.js";
import { compilePolicies } from "./policies.js";
import { attempt } from "./question.js";
import { standingOf } from "./standing.js";
import { LIFETIMES, lifetimeOf } from "./tokens.js";
/** Before the first request: every operation gets its standing, and what a crash left open is closed (security order). */
export async function openGate(registry, options, { store, clock, mint, own, guard, report, buffer }) {
    const { adapter } = registry;
    const lifetimes = checkLifetimes(options.tokenLifetimes ?? {});
    const limits = limitsOf(adapter.name, adapter.rate_limits);
    const standings = await standingsOf(registry, options, own, lifetimes);
    await recoverIntents(store, clock);
    await recoverDesks(store, clock);
    await sweepRequests(store, clock);
    const gate = createGate({
        adapter: adapter.name,
        standings,
        store,
        clock,
        lifetimes,
        toleranceSeconds: options.clockSkewSeconds ?? 30,
        capacity: options.tokenCapacity ?? 10_000,
        attention: options.attention ?? ATTENTION,
        maxWaitSeconds: options.maxWaitSeconds ?? 50,
        reach: options.reach ?? (() => ({ channels: [] })),
        mint,
        note: buffer.note,
        sleep,
        ...(limits && { limits }),
        ...(guard && { guard }),
    });
    const sweeping = setInterval(() => void sweepRequests(store, clock).catch(report), SWEEP_MS);
    sweeping.unref();
    const unsettled = new Set();
    let isClosed = false;
    const settleDurably = async (permit, ending) => {
        const write = () => settle(store, clock, adapter.name, permit, ending);
        try {
            await write();
        }
        catch (cause) {
            const reference = report(cause);
            const retry = persist(write, () => isClosed).finally(() => unsettled.delete(retry));
            unsettled.add(retry);
            throw new Error(`the effect has happened, but its outcome is not recorded yet (reference ${reference})`);
        }
    };
    return {
        ...gate,
        ...(limits && { limits }),
        settle(call, ending) {
            const { permit } = call;
            if (permit?.intent !== undefined)
                return settleDurably(permit, ending);
            const standing = gate.standing(call.target);
            if (call.target.category === 'READ' && standing.level === 'safe' && !options.auditReads) {
                buffer.count(call.operation, call.session.principal, adapter.name);
            }
            else {
                const about = { call, adapter: adapter.name, session: call.session.id ?? 'none', standing };
                buffer.note({
                    ...attempt(about, clock.now()),
                    event: 'OPERATION_CALLED',
                    result: 'allowed',
                    outcome: ending.outcome,
                    ...(ending.code !== undefined && { error_code: ending.code }),
                });
            }
            return permit?.reservation && settleDurably(permit, ending);
        },
        async quotaStatus() {
            if (!limits)
                return fail('VALIDATION_INVALID_VALUE', { param_name: 'query', constraint: 'this adapter has no limits' });
            const status = quotaStatus(await store.get(quotaRef(adapter.name)), limits, adapter.name, clock.now());
            return status === 'broken' ? fail('INTERNAL_ERROR', { description: BROKEN_COUNTERS }) : status;
        },
        async endSession(session, reason) {
            if (session.id !== undefined)
                await endDesk(store, clock, session.id, reason);
        },
        async close() {
            clearInterval(sweeping);
            isClosed = true;
            await Promise.all(unsettled);
            await buffer.close();
        },
    };
}
const SWEEP_MS = 600_000;
async function standingsOf({ operations }, options, own, lifetimes) {
    const { trust = 'validated' } = options;
    const settings = {
        trust: typeof trust === 'string' ? () => trust : trust,
        trustPolicy: options.trustPolicy ?? {},
        patterns: patternsOf(options.dangerPatterns ?? {}),
        policies: await compilePolicies(options.policies ?? []),
        readOnly: options.readOnly ?? false,
        pinned: options.dangerLevels ?? {},
        own,
    };
    const known = new Map();
    for (const operation of operations.values())
        known.set(operation.name, explained(operation, () => checked(operation)));
    return known;
    function checked(operation) {
        const standing = standingOf(operation, settings);
        const fault = faultOfCooldown(standing.danger, lifetimeOf('operation', standing.level, lifetimes));
        if (fault !== undefined)
            throw new Error(fault);
        const { preview_with } = operation.definition;
        if (preview_with !== undefined && operations.get(preview_with)?.category !== 'READ') {
            throw new Error(`preview_with '${preview_with}' is not a READ operation`);
        }
        return standing;
    }
}
function explained({ name }, make) {
    try {
        return make();
    }
    catch (cause) {
        throw new Error(`Operation '${name}': ${cause.message}`);
    }
}
function patternsOf(settings) {
    const compiled = compilePatterns(settings);
    if (Object.hasOwn(compiled, 'error'))
        throw new Error(compiled.error);
    return compiled.patterns;
}
function limitsOf(adapter, block) {
    if (block === undefined)
        return undefined;
    const reading = readRateLimits(block);
    if (Object.hasOwn(reading, 'errors')) {
        throw new Error(`Adapter '${adapter}': ${reading.errors.join('; ')}`);
    }
    return reading;
}
/** TOK-11: a value above the maximum stops the start. */
function checkLifetimes(given) {
    const entries = Object.entries(LIFETIMES).map(([name, { default: usual, most }]) => {
        const seconds = given[name] ?? usual;
        if (!(seconds >= 1 && seconds <= most))
            throw new Error(`the lifetime of ${name} tokens must lie between 1 and ${most} seconds`);
        return [name, seconds];
    });
    return Object.fromEntries(entries);
}
function sleep(ms, signal) {
    return new Promise((resolve) => {
        const done = () => {
            clearTimeout(timer);
            signal?.removeEventListener('abort', done);
            resolve();
        };
        const timer = setTimeout(done, ms);
        signal?.addEventListener('abort', done, { once: true });
    });
}
/** The effect has happened: its record is tried until it is stored, ever more patiently, and once more at the end. */
async function persist(write, isClosed) {
    for (let pause = 100;; pause = Math.min(pause * 2, 10_000)) {
        const wasClosed = isClosed();
        try {
            await write();
            return;
        }
        catch {
            if (wasClosed)
                return;
        }
        for (let slept = 0; slept < pause && !isClosed(); slept += 100)
            await sleep(100);
    }
}
