import { randomBytes } from 'node:crypto';
import { record, updateRecord } from "../ports/store.js";
import { keepable } from "./fit-answer.js";
const KIND = 'rest';
/** All rests of one owner together, as JSON; the oldest make room. */
const MOST_KEPT = 64 * 1024 * 1024;
export function createRests(store, clock, ttlMs) {
    /** In the order of the last use, so that the first is empty before the others. */
    const shelves = new Map();
    /** Returns those that have to make room. */
    const shelve = (owner, id, size, expiresAt) => {
        const now = clock.now();
        for (const [other, { until }] of shelves) {
            if (until > now)
                break;
            shelves.delete(other);
        }
        const shelf = shelves.get(owner) ?? { rests: new Map(), size: 0, until: expiresAt };
        shelves.delete(owner);
        shelves.set(owner, shelf);
        shelf.rests.set(id, { size, expiresAt });
        shelf.size += size;
        shelf.until = expiresAt;
        const surplus = [];
        for (const [oldest, rest] of shelf.rests) {
            if (oldest === id || (shelf.size <= MOST_KEPT && rest.expiresAt > now))
                break;
            shelf.rests.delete(oldest);
            shelf.size -= rest.size;
            surplus.push(oldest);
        }
        return surplus;
    };
    return {
        async keep(session, { field, rest }, budget) {
            const expiresAt = clock.now() + ttlMs;
            const id = `rest_${spelledTime(expiresAt)}${randomBytes(8).toString('base64url')}`;
            if (session.signal.aborted)
                return id; // nobody is left who could read it
            const kept = { owner: session.owner, expiresAt, field, budget, rest };
            const surplus = shelve(session.owner, id, JSON.stringify(rest).length, expiresAt);
            await sweep(store, clock.now());
            for (const old of surplus)
                await updateRecord(store, restOf(old), REMOVE);
            await updateRecord(store, restOf(id), () => ({ next: kept, result: undefined }));
            if (session.signal.aborted)
                await updateRecord(store, restOf(id), REMOVE);
            return id;
        },
        async read(session, handle) {
            const parts = /^(rest_[\w-]{16})(?:\.(\d{1,9}))?$/.exec(handle);
            if (!parts)
                return undefined;
            const [, id = '', offset = '0'] = parts;
            const kept = await store.get(restOf(id));
            if (!kept || kept.owner !== session.owner || kept.expiresAt <= clock.now())
                return undefined;
            return pageOf(kept, id, Number(offset));
        },
        async drop(session) {
            const shelf = shelves.get(session.owner);
            shelves.delete(session.owner);
            for (const id of shelf?.rests.keys() ?? [])
                await updateRecord(store, restOf(id), REMOVE);
        },
    };
}
const restOf = (id) => record(KIND, id);
const REMOVE = () => ({ next: undefined, result: undefined });
/** In minutes and of one length, so that the store, which orders by id, has what expires first at the front. */
function spelledTime(time) {
    return Math.ceil(time / 60_000)
        .toString(36)
        .padStart(5, '0');
}
/** The handle of a later page is the same handle with an offset: reading changes nothing. */
function pageOf({ rest, field, budget }, id, offset) {
    if (offset >= rest.length && offset > 0)
        return undefined;
    const tail = rest.slice(offset);
    const count = Math.min(tail.length, keepableOrAll(tail, budget));
    const page = tail.slice(0, count);
    const remaining = tail.length - count;
    return {
        field,
        ...(typeof page === 'string' ? { text: page } : { items: page }),
        remaining,
        ...(remaining > 0 && { next: `${id}.${offset + count}` }),
    };
}
function keepableOrAll(tail, budget) {
    // A text within the budget is given whole; `keepable` always leaves something behind.
    if (typeof tail === 'string' && tail.length <= budget * 3)
        return tail.length;
    return keepable(tail, budget);
}
/** For each rest that comes two that have expired are removed: no call pays for many, and none are left behind. */
async function sweep(store, now) {
    for (const { id, value } of await store.list(KIND, { limit: 2 })) {
        if (value.expiresAt <= now)
            await updateRecord(store, restOf(id), REMOVE);
    }
}
