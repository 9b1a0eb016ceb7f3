export function record(kind, id) {
    return { kind, id };
}
/** One record: the common case. */
export function updateRecord(store, ref, change) {
    return store.update({ it: ref }, ({ it }) => {
        const { next, result } = change(it);
        return { next: { it: next }, result }; // the compiler cannot see through a generic `Held`
    });
}
