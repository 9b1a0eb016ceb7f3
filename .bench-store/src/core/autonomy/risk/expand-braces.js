/** What `{a,b}` and `{1..3}` stand for; undefined when it is more than `most`, or neither of the two. */
export function alternativesOf(text, most) {
    const inner = text.slice(1, -1);
    const listed = splitList(inner);
    if (listed.length === 1)
        return rangeOf(inner, most);
    const found = listed.flatMap((item) => expandItem(item, most));
    return found.length > most ? undefined : found;
}
/** At commas outside of inner braces and quotes. */
function splitList(text) {
    const items = [];
    let depth = 0;
    let quote = '';
    let start = 0;
    for (let i = 0; i < text.length; i++) {
        const char = text[i] ?? '';
        if (quote !== '')
            quote = char === quote ? '' : quote;
        else if (char === '"' || char === "'")
            quote = char;
        else if (char === '\\')
            i++;
        else if (char === '{')
            depth++;
        else if (char === '}')
            depth--;
        else if (char === ',' && depth === 0) {
            items.push(text.slice(start, i));
            start = i + 1;
        }
    }
    return [...items, text.slice(start)];
}
/** An item may hold one more pair of braces; deeper ones stay as they are. */
function expandItem(item, most) {
    const open = item.indexOf('{');
    const close = item.lastIndexOf('}');
    if (open < 0 || close < open)
        return [item];
    const inner = splitList(item.slice(open + 1, close));
    if (inner.length < 2 || inner.length > most)
        return [item];
    return inner.map((choice) => item.slice(0, open) + choice + item.slice(close + 1));
}
function rangeOf(text, most) {
    const [from = '', to = '', step = '1', ...more] = text.split('..');
    if (more.length > 0 || to === '')
        return undefined;
    const isLetters = from.length === 1 && to.length === 1 && !/\d/.test(from + to);
    const first = isLetters ? from.charCodeAt(0) : Number(from);
    const last = isLetters ? to.charCodeAt(0) : Number(to);
    const by = Math.abs(Number(step)) || 1;
    const count = Math.floor(Math.abs(last - first) / by) + 1;
    if (!Number.isInteger(first) || !Number.isInteger(last) || count > most)
        return undefined;
    const direction = last < first ? -by : by;
    return Array.from({ length: count }, (_, i) => {
        const value = first + i * direction;
        return isLetters ? String.fromCharCode(value) : String(value);
    });
}
