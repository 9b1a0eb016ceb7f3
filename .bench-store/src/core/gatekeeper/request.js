import { record } from "../ports/store.js";
export function requestRef(id) {
    return record('request', id);
}
/** The state as a clock makes it: nothing is written when a request merely grows old. */
export function stateOf(request, now) {
    const isOpen = request.state === 'pending' || request.state === 'approved';
    return isOpen && now > request.expiresAt ? 'expired' : request.state;
}
