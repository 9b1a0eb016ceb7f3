import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Secret } from "../ports/secret.js";
import { record } from "../ports/store.js";
export function challengeRef(id) {
    return record('challenge', id);
}
/** It could still be answered, or shown. */
export function isOpen({ state }) {
    return state === 'waiting' || state === 'shown';
}
/** Failed, whatever the reason; the hash is of no more use. */
export function closed({ salt: _, hash: __, ...challenge }, now) {
    return { ...challenge, state: 'failed', endedAt: now };
}
/** OOB-02: 28 letters of base32 are 140 bits. */
export function makeCode() {
    return new Secret(Array.from(randomBytes(LETTERS), (byte) => BASE32[byte % 32]).join(''));
}
/** For whoever shows it: seven groups of four. */
export function codeGroups(code) {
    return code.use((text) => text.match(/.{4}/g) ?? []);
}
export function hashCode(code, salt) {
    return code.use((text) => createHash('sha256').update(`${salt}\n${text}`).digest('hex'));
}
export function makeSalt() {
    return randomBytes(16).toString('hex');
}
/** In constant time, also when there is nothing to compare with. */
export function isCode({ salt = '', hash }, typed) {
    const actual = hashCode(new Secret(typedCode(typed)), salt);
    const isEqual = timingSafeEqual(Buffer.from(actual, 'hex'), Buffer.from(hash ?? NOTHING, 'hex'));
    return isEqual && hash !== undefined;
}
/** Grouping and case are the typist's; zero and one are no letters of base32, so they can only be O and I. */
function typedCode(typed) {
    return typed.slice(0, 200).toUpperCase().replace(/[\s-]/g, '').replaceAll('0', 'O').replaceAll('1', 'I');
}
const LETTERS = 28;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const NOTHING = '0'.repeat(64);
/** AUDIT-04. */
export function challengeEntry(event, challenge, now, extra = {}) {
    return {
        timestamp: new Date(now).toISOString(),
        event,
        verificationId: challenge.id,
        agent_key: challenge.agentKey,
        element_name: challenge.element_name,
        trigger: challenge.trigger,
        user_id: challenge.principal,
        session_id: challenge.session,
        ...extra,
    };
}
