import { foldCase } from "../autonomy/hint-patterns.js";
import { blocksOf, findBlock, openBlocksRef } from "../verification/block.js";
export function createView(store) {
    let stored;
    const kept = new Map();
    const running = new Map();
    const covers = new Map();
    const seen = new Map();
    const open = () => ({ ...stored, ...Object.fromEntries(kept) });
    const runs = (session) => [...(running.get(session)?.values() ?? [])];
    return {
        isLoaded: () => stored !== undefined,
        async refresh() {
            try {
                stored = (await store.get(openBlocksRef())) ?? {};
            }
            catch (cause) {
                stored = undefined;
                throw cause;
            }
        },
        saw(next) {
            stored = next;
        },
        keep: (block) => void kept.set(block.agentKey, block),
        kept: () => [...kept.values()],
        written: (key) => void kept.delete(key),
        started(session, run) {
            inner(running, session).set(run.key, run);
            inner(seen, session).set(run.key, true);
        },
        ended(session, key) {
            remove(running, session, key);
            remove(covers, session, key);
        },
        runs,
        forget(session) {
            const keys = [...(seen.get(session)?.keys() ?? [])];
            for (const map of [running, covers, seen])
                map.delete(session);
            return keys;
        },
        covered(session, key, hint) {
            if (hint === undefined)
                remove(covers, session, key);
            else
                inner(covers, session).set(key, foldCase(hint));
        },
        takeCover(session, operation) {
            if (runs(session).length === 0)
                return true;
            const found = [...(covers.get(session) ?? [])].find(([, hint]) => names(hint, operation));
            if (found)
                remove(covers, session, found[0]);
            return found !== undefined;
        },
        /** An execution that runs under another name goes on (BLOCK-04); whoever has none cannot act around the block. */
        blockOf(session, principal) {
            const current = open();
            const own = runs(session).map((run) => findBlock(current, run.principal, run.element_name));
            if (own.length > 0)
                return own.find((block) => block !== undefined);
            return blocksOf(current, principal)[0];
        },
    };
}
/** The name as a word of its own. */
function names(hint, operation) {
    for (let at = hint.indexOf(operation); at >= 0; at = hint.indexOf(operation, at + 1)) {
        const before = hint[at - 1] ?? ' ';
        const behind = hint[at + operation.length] ?? ' ';
        if (!/\w/.test(before) && !/\w/.test(behind))
            return true;
    }
    return false;
}
function inner(outer, key) {
    const known = outer.get(key);
    if (known)
        return known;
    const empty = new Map();
    outer.set(key, empty);
    return empty;
}
function remove(outer, session, key) {
    const map = outer.get(session);
    map?.delete(key);
    if (map?.size === 0)
        outer.delete(session);
}
