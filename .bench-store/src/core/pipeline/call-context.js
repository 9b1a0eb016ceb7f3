import { setMaxListeners } from 'node:events';
/**
 * What a handler may use of its call. A class because most handlers use little of it: the abort signal, which is the
 * expensive part, is made when somebody asks for it.
 */
export class CallContext {
    now;
    warnings = [];
    #call;
    #start;
    #controller;
    #reason;
    #lastProgress = Number.NEGATIVE_INFINITY;
    #answered = false;
    #unfollow = [];
    constructor(call, now, start) {
        this.#call = call;
        this.now = now;
        this.#start = start;
    }
    get operation() {
        return this.#call.operation;
    }
    get session() {
        return this.#call.session;
    }
    get query() {
        const { query } = this.#call;
        if (!query)
            throw new Error(`Operation '${this.operation}' is not a collection`);
        return query;
    }
    get signal() {
        if (!this.#controller) {
            this.#controller = new AbortController();
            setMaxListeners(0, this.#controller.signal);
            const { caller, session } = this.#call;
            for (const source of [caller.signal, session.signal])
                this.#follow(source);
            if (this.#reason !== undefined)
                this.#controller.abort(this.#reason);
        }
        return this.#controller.signal;
    }
    /** Has the client gone, or the session? */
    get isAbandoned() {
        return this.#call.caller.signal?.aborted === true || this.#call.session.signal.aborted;
    }
    abort(reason) {
        this.#reason = reason;
        this.#controller?.abort(reason);
    }
    warn = (warning) => {
        this.warnings.push(warning);
    };
    progress = (progress) => {
        const current = progress.current ?? progress.percentage;
        if (current !== undefined)
            this.notify(current, progress.total ?? 100, progress.message);
    };
    /** PROG-03: strictly increasing, and silent once the answer is on its way. */
    notify(progress, total, message) {
        const { onProgress } = this.#call.caller;
        if (!onProgress || this.#answered || !(progress > this.#lastProgress))
            return;
        this.#lastProgress = progress;
        const notice = { progress, total, ...(message !== undefined && { message }) };
        onProgress(notice);
    }
    get wantsProgress() {
        return this.#call.caller.onProgress !== undefined;
    }
    /** The answer is on its way. */
    finish() {
        this.#answered = true;
    }
    /** The handler has settled: signals that outlive the call let go of it. */
    detach() {
        for (const unfollow of this.#unfollow)
            unfollow();
        this.#unfollow = [];
    }
    /** For whoever holds the lock: work that runs by itself runs without it, whether or not its caller waits. */
    onRun = () => { };
    run = (work) => {
        this.onRun();
        return this.#start(this.#call, work, this);
    };
    #follow(source) {
        if (!source)
            return;
        if (source.aborted) {
            this.#controller?.abort(source.reason);
            return;
        }
        const leave = () => this.#controller?.abort(source.reason);
        source.addEventListener('abort', leave, { once: true });
        this.#unfollow.push(() => source.removeEventListener('abort', leave));
    }
}
