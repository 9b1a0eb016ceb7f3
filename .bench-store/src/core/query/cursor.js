import { createHmac, timingSafeEqual } from 'node:crypto';
export function createCursorCodec(key) {
    const sign = (scope, payload) => createHmac('sha256', key).update(scope).update('\0').update(payload).digest().subarray(0, SIGNATURE_BYTES);
    return Object.freeze({
        encode(position, scope) {
            const payload = Buffer.from(JSON.stringify(position));
            if (payload.length > MAX_PAYLOAD)
                throw new RangeError('the sort keys of one item are too long for a cursor');
            return Buffer.concat([sign(scope, payload), payload]).toString('base64url');
        },
        decode(cursor, scope) {
            if (cursor.length > MAX_CURSOR)
                return undefined;
            const bytes = Buffer.from(cursor, 'base64url');
            // The decoder skips what it does not know; only the one canonical spelling is ours.
            if (bytes.length <= SIGNATURE_BYTES || bytes.toString('base64url') !== cursor)
                return undefined;
            const payload = bytes.subarray(SIGNATURE_BYTES);
            if (!timingSafeEqual(bytes.subarray(0, SIGNATURE_BYTES), sign(scope, payload)))
                return undefined;
            return JSON.parse(payload.toString()); // signed, so it is what `encode` wrote
        },
    });
}
const SIGNATURE_BYTES = 9;
const MAX_PAYLOAD = 65_536;
const MAX_CURSOR = Math.ceil(((MAX_PAYLOAD + SIGNATURE_BYTES) * 4) / 3);
