import { Buffer, isUtf8 } from 'node:buffer';
/**
 * Reads a message of any bytes with care: never throws, never recurses, takes time in proportion to its length.
 * It goes on after a fault that leaves the structure intact (bad UTF-8, a wrong escape or number) and stops at the
 * first that does not, since from there on an `id` could be anyone's. Levels below `maxDepth` are only counted.
 */
export function surveyMessage(bytes, maxDepth) {
    const reading = startReading(bytes, maxDepth);
    let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    if (at > 0)
        complain(reading, 'a byte order mark before the text', 0);
    while (at < bytes.length && !reading.broken) {
        const byte = bytes[at];
        at = isSpace(byte) ? at + 1 : takeToken(reading, byte, at);
    }
    closeReading(reading);
    return finding(reading);
}
export const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';
const COMPLAINTS = {
    value: 'a value was expected',
    'value or ]': 'a value or ] was expected',
    key: 'a property name in double quotes was expected',
    'key or }': 'a property name in double quotes or } was expected',
    ':': 'a colon was expected after the property name',
    ', or end': 'a comma or the end of the object or array was expected',
};
function startReading(bytes, maxDepth) {
    return {
        bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
        maxDepth,
        levels: [],
        kinds: new Uint8Array(128),
        depth: 0,
        deepest: 0,
        expected: 'value',
        broken: false,
        inArguments: { string: 0, array: 0, depth: 0 },
        ids: { count: 0, value: undefined },
        method: undefined,
        modern: false,
        syntax: undefined,
        duplicate: undefined,
        loneSurrogate: undefined,
    };
}
/** Takes the token that begins at `at` and says where the next one may begin. */
function takeToken(reading, byte, at) {
    const { expected } = reading;
    switch (expected) {
        case ':':
            if (byte !== COLON)
                return breakOff(reading, at);
            reading.expected = 'value';
            return at + 1;
        case 'key':
        case 'key or }':
            if (byte === CLOSE_OBJECT && expected === 'key or }')
                return close(reading, at);
            return byte === QUOTE ? takeKey(reading, at) : breakOff(reading, at);
        case 'value':
        case 'value or ]':
            if (byte === CLOSE_ARRAY && expected === 'value or ]')
                return close(reading, at);
            return takeValue(reading, byte, at);
        case ', or end':
            return byte === COMMA ? takeComma(reading, at) : close(reading, at);
    }
}
function takeValue(reading, byte, at) {
    const level = openLevel(reading);
    if (level?.isArray)
        level.elements++;
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY)
        return open(reading, byte, at);
    if (byte === QUOTE) {
        const end = stringEnd(reading.bytes, at);
        noteValue(reading, readString(reading, at, end, 2));
        reading.expected = ', or end';
        return end;
    }
    const end = scalarEnd(reading.bytes, at);
    if (end === at)
        return breakOff(reading, at);
    const value = readScalar(reading, at, end);
    if (end < reading.bytes.length)
        noteValue(reading, value); // else the rest of it may be missing
    reading.expected = ', or end';
    return end;
}
function takeKey(reading, at) {
    const end = stringEnd(reading.bytes, at);
    const level = openLevel(reading);
    if (level)
        level.key = '';
    const key = readString(reading, at, end, 3);
    if (level && key !== undefined) {
        if (level.keys.has(key))
            reading.duplicate ??= { key: shortened(key), byteOffset: at };
        level.keys.add(key);
    }
    if (level)
        level.key = key ?? '';
    if (reading.depth === 1 && key === 'id')
        reading.ids.count++;
    if (key === PROTOCOL_VERSION && isWithin(reading, 3, '_meta') && reading.depth === 3)
        reading.modern = true;
    reading.expected = ':';
    return end;
}
function takeComma(reading, at) {
    if (reading.depth === 0)
        return breakOff(reading, at, 'nothing may follow the message');
    reading.expected = reading.kinds[reading.depth - 1] === 1 ? 'value' : 'key';
    return at + 1;
}
function open(reading, byte, at) {
    const isArray = byte === OPEN_ARRAY;
    if (isWithin(reading, 2, 'arguments')) {
        reading.inArguments.depth = Math.max(reading.inArguments.depth, reading.depth - 1);
    }
    if (reading.depth === reading.kinds.length)
        reading.kinds = grown(reading.kinds);
    reading.kinds[reading.depth++] = isArray ? 1 : 0;
    reading.deepest = Math.max(reading.deepest, reading.depth);
    if (reading.depth <= reading.maxDepth)
        reading.levels.push({ isArray, keys: new Set(), key: '', elements: 0 });
    reading.expected = isArray ? 'value or ]' : 'key or }';
    return at + 1;
}
function close(reading, at) {
    if (reading.depth === 0)
        return breakOff(reading, at, 'nothing may follow the message');
    const wanted = reading.kinds[reading.depth - 1] === 1 ? CLOSE_ARRAY : CLOSE_OBJECT;
    if (reading.bytes[at] !== wanted)
        return breakOff(reading, at, COMPLAINTS[', or end']);
    leave(reading);
    reading.expected = ', or end';
    return at + 1;
}
function leave(reading) {
    if (reading.depth <= reading.maxDepth) {
        const level = reading.levels.pop();
        if (level?.isArray && isWithin(reading, 3, 'arguments')) {
            reading.inArguments.array = Math.max(reading.inArguments.array, level.elements);
        }
    }
    reading.depth--;
}
/** At the end everything still open is closed, so that a message cut off is measured by what there is of it. */
function closeReading(reading) {
    const { bytes, depth, expected } = reading;
    if (depth > 0 || expected !== ', or end') {
        complain(reading, bytes.length === 0 ? 'the message is empty' : 'the message ends too early', bytes.length);
    }
    while (reading.depth > 0)
        leave(reading);
}
/** Is what is read at `depth` levels or more part of `params.NAME`? */
function isWithin({ levels, depth }, least, name) {
    return depth >= least && levels[0]?.key === 'params' && levels[1]?.key === name;
}
function openLevel({ levels, depth, maxDepth }) {
    return depth <= maxDepth ? levels[depth - 1] : undefined;
}
function noteValue(reading, value) {
    const key = openLevel(reading)?.key;
    if (reading.depth === 1 && key === 'id')
        reading.ids.value = value;
    if (typeof value !== 'string')
        return;
    if (reading.depth === 1 && key === 'method')
        reading.method = value;
}
/** The text between two quotes; `undefined` when it is none. `least` is the depth from which it belongs to arguments. */
function readString(reading, at, end, least) {
    const isOpen = end > reading.bytes.length;
    const text = isOpen ? undefined : decode(reading, at + 1, end - 1);
    if (isWithin(reading, least, 'arguments')) {
        const size = text === undefined ? end - at - 2 : Buffer.byteLength(text);
        reading.inArguments.string = Math.max(reading.inArguments.string, size);
    }
    if (isOpen)
        breakOff(reading, reading.bytes.length, 'the message ends inside a string');
    if (text === undefined || text.isWellFormed())
        return text;
    reading.loneSurrogate ??= { location: location(reading), byteOffset: at };
    return undefined;
}
function decode(reading, start, end) {
    const { bytes } = reading;
    let seen = 0;
    let isEscaped = false;
    for (let at = start; at < end; at++) {
        const byte = bytes[at];
        if (byte < 32)
            return complain(reading, 'a control character in a string must be escaped', at);
        if (byte === BACKSLASH)
            isEscaped = true;
        seen |= byte;
    }
    if (seen >= 128 && !isUtf8(bytes.subarray(start, end)))
        return undefined;
    const text = bytes.toString(seen < 128 ? 'latin1' : 'utf8', start, end);
    if (!isEscaped)
        return text;
    const value = parse(`"${text}"`);
    return typeof value === 'string' ? value : complain(reading, 'a string has an escape that JSON does not know', start);
}
/** An integer or null, all that an id can be beside a string; `undefined` for any other value. */
function readScalar(reading, at, end) {
    const plain = plainInteger(reading.bytes, at, end);
    if (plain !== undefined)
        return plain;
    const value = parse(reading.bytes.toString('latin1', at, end));
    if (value === undefined)
        return complain(reading, 'a value must be a string, number, true, false, null, { or [', at);
    return value === null || Number.isSafeInteger(value) ? value : undefined;
}
/** The short way for most numbers. */
function plainInteger(bytes, start, end) {
    if (end - start > 15 || (bytes[start] === 48 && end - start > 1))
        return undefined;
    let value = 0;
    for (let at = start; at < end; at++) {
        const digit = bytes[at] - 48;
        if (digit < 0 || digit > 9)
            return undefined;
        value = value * 10 + digit;
    }
    return value;
}
/** Foreign text: `undefined` when it is no JSON, which has no such value. */
export function parse(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
/** A path as `params.arguments.tags[2]`; for a property's name, the path of its object. */
function location({ levels }) {
    const steps = levels.map(({ isArray, elements, key }) => (isArray ? `[${elements - 1}]` : key && `.${key}`));
    const path = steps.join('');
    return shortened(path.startsWith('.') ? path.slice(1) : path);
}
/** Foreign text that goes into an error. */
export function shortened(text) {
    return text.length <= 200 ? text : `${text.slice(0, 200).toWellFormed()}…`;
}
/** The first complaint stands. */
function complain(reading, reason, byteOffset) {
    reading.syntax ??= { reason, byteOffset };
}
function breakOff(reading, at, reason = COMPLAINTS[reading.expected]) {
    complain(reading, reason, at);
    reading.broken = true;
    return at;
}
/** An id that is written twice is nobody's. */
export function envelopeOf({ count, value }, method, modern) {
    const id = count === 1 ? (value ?? null) : null;
    return { ...(count > 0 && { id }), ...(method !== undefined && { method }), modern };
}
function finding(reading) {
    const { ids, method, modern, syntax, duplicate, loneSurrogate } = reading;
    return {
        envelope: envelopeOf(ids, method, modern),
        depth: reading.deepest,
        inArguments: reading.inArguments,
        ...(syntax && { syntax }),
        ...(duplicate && { duplicate }),
        ...(loneSurrogate && { loneSurrogate }),
    };
}
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
export function isSpace(byte) {
    return byte === 32 || byte === 10 || byte === 13 || byte === 9;
}
/** One past the closing quote; beyond the end of the message when there is none. */
function stringEnd(bytes, start) {
    let at = start + 1;
    while (at < bytes.length && bytes[at] !== QUOTE)
        at += bytes[at] === BACKSLASH ? 2 : 1;
    return at < bytes.length ? at + 1 : bytes.length + 1;
}
function scalarEnd(bytes, start) {
    let at = start;
    while (at < bytes.length && ENDS_SCALAR[bytes[at]] === 0)
        at++;
    return at;
}
export const ENDS_SCALAR = new Uint8Array(256);
for (const character of ' \n\r\t",:[]{}')
    ENDS_SCALAR[character.charCodeAt(0)] = 1;
function grown(kinds) {
    const larger = new Uint8Array(kinds.length * 2);
    larger.set(kinds);
    return larger;
}
