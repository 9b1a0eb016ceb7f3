import { record } from "../ports/store.js";
export function agentRef(key) {
    return record('agent', key);
}
export function newAgent(agent) {
    return { ...agent, ended: [], issued: [], grants: [], notices: [] };
}
/** NOTE-09: at most so many wait; the oldest go first. */
export function withNotice(agent, notice) {
    return { ...agent, notices: [...agent.notices, notice].slice(-MOST_NOTICES) };
}
const MOST_NOTICES = 100;
export function withoutPause({ pause: _, ...agent }) {
    return agent;
}
export function withoutChallenge({ challenge: _, ...agent }) {
    return agent;
}
/** Grants that can still be used. */
export function liveGrants({ grants }, now) {
    return grants.filter(({ until }) => now <= until);
}
