import { comparable, compareValues } from "./field-kind.js";
export function createOrder(sort, kinds, reader) {
    const keys = sort.map(({ field, order }) => compileKey(reader(field), kinds.get(field) ?? ANY, order));
    const [first, ...ties] = keys; // a sort is never empty
    return {
        value: first.value,
        compare(a, b) {
            const order = compareValues(a.value, b.value);
            if (order !== 0)
                return order * first.sign;
            for (const { value, sign } of ties) {
                const tie = compareValues(value(a.item, a.index), value(b.item, b.index));
                if (tie !== 0)
                    return tie * sign;
            }
            return 0;
        },
        against({ item, index, value }, values) {
            const order = compareValues(value, values[0] ?? null);
            if (order !== 0)
                return order * first.sign;
            for (const [i, key] of ties.entries()) {
                const tie = compareValues(key.value(item, index), values[i + 1] ?? null);
                if (tie !== 0)
                    return tie * key.sign;
            }
            return 0;
        },
        typed: (position) => keys.map(({ typed }, i) => typed(position[i])),
        position: (item, index) => keys.map(({ read }) => portable(read(item, index))),
    };
}
/**
 * Never holds many more than twice as many as it is asked for: when they become too many the best are kept, and the
 * worst of those is the mark that later ones must beat.
 */
export function keepBest(count, compare) {
    const capacity = 2 * count + 64;
    let kept = [];
    let mark;
    const shrink = () => {
        kept = kept.sort(compare).slice(0, count);
        mark = kept[count - 1];
    };
    return {
        add(candidate) {
            if (mark && compare(candidate, mark) >= 0)
                return;
            kept.push({ ...candidate });
            if (kept.length >= capacity)
                shrink();
        },
        take() {
            shrink();
            return kept;
        },
    };
}
function compileKey(read, kind, order) {
    const typed = orderable(kind);
    return { read, typed, value: (item, index) => typed(read(item, index)), sign: order === 'desc' ? -1 : 1 };
}
/** Texts are ordered by so much of their beginning, then by the key, so that a cursor stays small. */
const ORDERED_UNITS = 1024;
const ANY = { of: 'any', list: false };
function orderable(kind) {
    const typed = comparable(kind);
    if (kind.of !== 'text' && kind.of !== 'any')
        return typed;
    return (stored) => shortened(typed(stored));
}
function shortened(value) {
    return typeof value === 'string' && value.length > ORDERED_UNITS ? value.slice(0, ORDERED_UNITS) : value;
}
/** As JSON will write it. */
function portable(value) {
    if (value instanceof Date)
        return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (typeof value === 'bigint')
        return String(value);
    return typeof value === 'object' || value === undefined ? null : shortened(value);
}
