import { fail } from "../../protocol/errors.js";
import { isFailure } from "../../protocol/result.js";
import { secretsOf } from "../registry/secrets.js";
import { bindParams } from "./bind-params.js";
import { execute } from "./execute.js";
import { route } from "./route.js";
import { shape } from "./shape.js";
/** Spec §3.2 — the life of one request. Every early return is a failure; nothing else leaves early. */
export async function handle(received, stations) {
    let known;
    try {
        const routed = route(received, stations.routes);
        if (isFailure(routed))
            return routed;
        const bound = bindParams(routed, stations.binding);
        if (isFailure(bound))
            return bound;
        known = bound;
        const judged = stations.gate.admit(bound);
        const admitted = judged instanceof Promise ? await judged : judged;
        if (isFailure(admitted))
            return admitted;
        const outcome = await carryOut(admitted, stations);
        return await shape(admitted, outcome, stations.shaping);
    }
    catch (cause) {
        const secrets = known ? secretsOf(known.target, known.params) : [];
        return unexpected(stations.report(cause, received, secrets), received);
    }
}
/** The effect, and what the trail is told of it whatever becomes of it. */
function carryOut(call, stations) {
    try {
        const executing = execute(call, stations.execution);
        if (executing instanceof Promise)
            return followed(call, executing, stations);
        const settling = stations.settle(call, endingOf(executing));
        return settling ? settling.then(() => executing) : executing;
    }
    catch (cause) {
        return thrown(call, cause, stations);
    }
}
async function followed(call, executing, stations) {
    let outcome;
    try {
        outcome = await executing;
    }
    catch (cause) {
        return thrown(call, cause, stations);
    }
    await stations.settle(call, endingOf(outcome));
    return outcome;
}
async function thrown(call, cause, stations) {
    await stations.settle(call, { outcome: 'failure', code: 'INTERNAL_ERROR' });
    throw cause;
}
/** A call that was given up may still take effect: nobody knows. */
function endingOf({ value }) {
    if (!isFailure(value))
        return { outcome: 'success' };
    const { code, details } = value.error;
    return {
        outcome: details?.cause_code === 'TIMEOUT' || details?.cause_code === 'CANCELLED' ? 'unknown' : 'failure',
        code,
    };
}
/** ERR-46, and ERR-47 for the registry that introspection reads. */
function unexpected(reference, { operation, session }) {
    if (operation === 'introspect')
        return fail('INTROSPECTION_ERROR', { reference });
    return fail('INTERNAL_ERROR', {
        description: `unexpected failure, reference ${reference}`,
        session_id: session.id,
    });
}
