import { createHash } from 'node:crypto';
/** AUDIT-06: how a token appears in the trail, the first 16 hex characters of its SHA-256. */
export function tokenRef(token) {
    return createHash('sha256').update(token).digest('hex').slice(0, 16);
}
