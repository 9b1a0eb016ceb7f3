import { fail } from "../../protocol/errors.js";
import { CallContext } from "./call-context.js";
/** Runs the handler of a call that passed the gate; nothing else can (`Admitted`). */
export function execute(call, settings) {
    const context = new CallContext(call, settings.now(), settings.start);
    const release = settings.locks.acquire(call.target, call.params);
    if (typeof release === 'function')
        return run(call, context, release, settings);
    return wait(release, context, timeoutOf(call, settings) || settings.timeoutMs).then((granted) => typeof granted === 'function' ? run(call, context, granted, settings) : { value: granted, context });
}
/** The lock, unless the caller leaves or nobody before it comes to an end for too long: then it is never run. */
function wait(waiting, context, timeoutMs) {
    return new Promise((resolve) => {
        let timer;
        let isOver = false;
        const end = (value) => {
            isOver = true;
            clearTimeout(timer);
            resolve(value);
        };
        const giveUp = (failed) => {
            if (isOver)
                return;
            waiting.leave();
            context.detach();
            end(failed);
        };
        const watch = (turns) => {
            const look = () => (waiting.turns() === turns ? giveUp(expired(context, timeoutMs)) : watch(waiting.turns()));
            if (timeoutMs > 0)
                timer = setTimeout(look, timeoutMs);
        };
        waiting.granted.then((release) => (isOver ? release() : end(release)));
        watch(waiting.turns());
        context.signal.addEventListener('abort', () => giveUp(cancelled(context)), { once: true });
        if (context.isAbandoned)
            giveUp(cancelled(context));
    });
}
function timeoutOf({ target }, { timeoutMs }) {
    const { timeout_ms, lifecycle } = target.definition;
    return Math.min(timeout_ms ?? (lifecycle ? 0 : timeoutMs), LONGEST_TIMER);
}
/** Beyond it a timer fires at once. */
const LONGEST_TIMER = 2_147_483_647;
function run(call, context, release, settings) {
    context.onRun = release;
    try {
        const value = call.target.handler(call.params, context);
        // `resolve` keeps a thenable to the rules: it settles once, and what its `then` throws is its failure.
        if (isThenable(value))
            return settle(Promise.resolve(value), context, release, timeoutOf(call, settings));
        context.detach();
        release();
        return { value, context };
    }
    catch (cause) {
        context.detach();
        release();
        throw cause;
    }
}
/**
 * The first of: the handler, its time-out, the caller's departure. The lock is held until the handler itself has
 * settled, so that an abandoned write is never overtaken.
 */
function settle(promise, context, release, timeoutMs) {
    return new Promise((resolve, reject) => {
        const end = (value) => resolve({ value, context });
        const timer = timeoutMs > 0 ? setTimeout(() => expire(context, timeoutMs, end), timeoutMs) : undefined;
        const { session } = context;
        const leave = () => end(cancelled(context));
        session.signal.addEventListener('abort', leave, { once: true });
        const done = () => {
            clearTimeout(timer);
            session.signal.removeEventListener('abort', leave);
            context.detach();
            release();
        };
        promise.then((value) => {
            done();
            end(value);
        }, (cause) => {
            done();
            if (context.isAbandoned)
                end(cancelled(context));
            else
                reject(cause);
        });
    });
}
function expire(context, timeoutMs, end) {
    context.abort(new Error('time-out'));
    end(expired(context, timeoutMs));
}
function expired({ session }, timeoutMs) {
    const description = `no answer within ${timeoutMs} ms`;
    return fail('INTERNAL_ERROR', { description, cause_code: 'TIMEOUT', session_id: session.id });
}
/** Seen by nobody when the client cancelled: MCP suppresses the response (MCP-12). */
function cancelled({ session }) {
    const description = 'the request was cancelled';
    return fail('INTERNAL_ERROR', { description, cause_code: 'CANCELLED', session_id: session.id });
}
function isThenable(value) {
    const mayBe = (typeof value === 'object' && value !== null) || typeof value === 'function';
    return mayBe && typeof value.then === 'function';
}
