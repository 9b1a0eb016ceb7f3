import { createReadCounter } from "./read-counter.js";
const FLUSH_MS = 1_000;
const MOST_WAITING = 100_000;
/** So that one flush does not hold up the event loop. */
const BATCH = 1_000;
export function createAuditBuffer(store, clock, schedule = later) {
    let waiting = [];
    let lost = 0;
    let cancel;
    let flushing;
    let isClosed = false;
    const reads = createReadCounter(clock.now, () => keep(reads.take()));
    const wake = () => {
        cancel ??= schedule(() => {
            cancel = undefined;
            void flush();
        }, FLUSH_MS);
    };
    /** A store that is down must not fill the memory: the oldest give way, and their number is told. */
    const keep = (entries) => {
        for (const entry of entries)
            waiting.push(entry);
        if (waiting.length <= MOST_WAITING)
            return;
        const surplus = waiting.length - 0.9 * MOST_WAITING;
        waiting.splice(0, surplus);
        lost += surplus;
    };
    /** False when the store did not take it. */
    const writeAll = async () => {
        keep(reads.take());
        while (waiting.length > 0 || lost > 0) {
            const told = lost;
            const batch = waiting.slice(0, BATCH);
            const audit = told > 0 ? [lossOf(told, clock.now()), ...batch] : batch;
            waiting = waiting.slice(BATCH);
            lost = 0;
            try {
                await store.update({}, () => ({ audit, result: undefined }));
            }
            catch {
                const since = waiting;
                waiting = batch;
                lost += told;
                keep(since);
                return false;
            }
        }
        return true;
    };
    const flush = async () => {
        await flushing;
        flushing ??= writeAll().finally(() => {
            flushing = undefined;
        });
        const isDone = await flushing;
        if (!isDone && !isClosed)
            wake();
    };
    return {
        count(operation, principal, adapter) {
            if (isClosed)
                return;
            reads.count(operation, principal, adapter);
            if (cancel === undefined)
                wake();
        },
        note(entry) {
            if (isClosed)
                return;
            waiting.push(entry);
            if (waiting.length > MOST_WAITING)
                keep([]);
            if (cancel === undefined)
                wake();
        },
        flush,
        async close() {
            isClosed = true;
            cancel?.();
            await flush();
            return waiting.length + lost;
        },
    };
}
function lossOf(lost, now) {
    const reason = 'the store could not be written for so long that these entries were given up';
    return { timestamp: new Date(now).toISOString(), event: 'OPERATIONS_COUNTED', outcome: 'lost', lost, reason };
}
/** The process need not stay for it. */
function later(work, ms) {
    const timer = setTimeout(work, ms);
    timer.unref();
    return () => clearTimeout(timer);
}
