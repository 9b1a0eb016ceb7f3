import { CATEGORIES } from "../../protocol/categories.js";
export function createLocks(concurrency) {
    switch (concurrency) {
        case 'fully-concurrent':
            return { acquire: () => NOTHING };
        case 'serialized': {
            const lock = createLock();
            return { acquire: () => lock.enter(true) };
        }
        case 'read-concurrent': {
            const lock = createLock();
            return { acquire: ({ category }) => lock.enter(!CATEGORIES[category].readOnly) };
        }
        case 'resource-locked':
            return createResourceLocks();
    }
}
const NOTHING = () => { };
/** One lock for each resource that is being worked on; an operation that names none waits for none. */
function createResourceLocks() {
    const locks = new Map();
    return {
        acquire({ category, definition }, params) {
            const key = definition.resource?.(params);
            if (key === undefined)
                return NOTHING;
            const lock = locks.get(key) ?? createLock(() => locks.delete(key));
            locks.set(key, lock);
            return lock.enter(!CATEGORIES[category].readOnly);
        },
    };
}
/** Readers together, a writer alone, first come first served: a waiting writer holds back later readers. */
function createLock(onIdle = () => { }) {
    const queue = new Set();
    let readers = 0;
    let writing = false;
    let turns = 0;
    const free = (exclusive) => !writing && (!exclusive || readers === 0);
    const take = (exclusive) => {
        if (exclusive)
            writing = true;
        else
            readers++;
        let held = true;
        return () => {
            if (!held)
                return;
            held = false;
            if (exclusive)
                writing = false;
            else
                readers--;
            turns++;
            advance();
        };
    };
    const advance = () => {
        for (const next of queue) {
            if (!free(next.exclusive))
                break;
            queue.delete(next);
            next.go(take(next.exclusive));
        }
        if (queue.size === 0 && !writing && readers === 0)
            onIdle();
    };
    const wait = (exclusive) => {
        let go = NOTHING;
        const granted = new Promise((resolve) => {
            go = resolve;
        });
        const place = { exclusive, go };
        queue.add(place);
        const leave = () => {
            if (queue.delete(place))
                advance();
        };
        return { granted, leave, turns: () => turns };
    };
    return {
        enter: (exclusive) => (queue.size === 0 && free(exclusive) ? take(exclusive) : wait(exclusive)),
    };
}
