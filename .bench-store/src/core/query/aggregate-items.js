import { compareValues } from "./field-kind.js";
/** Aggregations document §2–3 (AGG-03). */
export function accumulate({ label, groupBy, functions }, reader) {
    const columns = functions.map(({ name, field }) => ({ name, read: field === undefined ? undefined : reader(field) }));
    const start = () => columns.map(({ name, read }) => createTally(name, read));
    const group = groupBy === undefined ? undefined : reader(groupBy);
    if (!group) {
        const tallies = start();
        return { label, add: (item, index) => addTo(tallies, item, index), result: () => resultOf(tallies) };
    }
    const groups = new Map();
    const addToGroup = (value, item, index) => {
        let tallies = groups.get(value);
        if (!tallies) {
            tallies = start();
            groups.set(value, tallies);
        }
        addTo(tallies, item, index);
    };
    return {
        label,
        add(item, index) {
            const value = group(item, index);
            if (!Array.isArray(value))
                addToGroup(scalarOf(value), item, index);
            else
                for (const element of elementsOf(value))
                    addToGroup(element, item, index);
        },
        result() {
            const sorted = [...groups].sort(([a], [b]) => compareValues(a, b));
            // `fromEntries` defines keys, so a group called `__proto__` is an ordinary one.
            return Object.fromEntries(sorted.map(([value, tallies]) => [String(value), resultOf(tallies)]));
        },
    };
}
/** An item counts in the group of each element of a list, and in `null` when it has no value. */
function elementsOf(list) {
    return list.length === 0 ? [null] : new Set(list.map(scalarOf));
}
function scalarOf(stored) {
    return typeof stored === 'object' || stored === undefined ? null : stored;
}
/** Items without a number take part in `count` alone. */
function createTally(name, read) {
    let items = 0;
    let numbers = 0;
    let sum = 0;
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    const results = {
        count: () => items,
        sum: () => sum,
        avg: () => (numbers === 0 ? null : sum / numbers),
        min: () => (numbers === 0 ? null : least),
        max: () => (numbers === 0 ? null : most),
    };
    return {
        name,
        result: results[name],
        add(item, index) {
            items++;
            const value = read?.(item, index);
            if (typeof value !== 'number' || !Number.isFinite(value))
                return;
            numbers++;
            sum += value;
            if (value < least)
                least = value;
            if (value > most)
                most = value;
        },
    };
}
function addTo(tallies, item, index) {
    for (const tally of tallies)
        tally.add(item, index);
}
/** One function gives a bare value, several an object keyed by function. */
function resultOf(tallies) {
    const [only, ...others] = tallies;
    if (only && others.length === 0)
        return only.result();
    return Object.fromEntries(tallies.map(({ name, result }) => [name, result()]));
}
