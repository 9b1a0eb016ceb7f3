import { DANGER_LEVELS } from "../../protocol/danger.js";
import { attentionRef, withoutPrompt } from "./attention.js";
import { deskRef, without } from "./desk.js";
import { requestRef, stateOf } from "./request.js";
const STRICT = { elicitC2: false, twoPerson: false };
/** SELF-11: a human decides on one request. Every reason for which the decision does not count is checked here, once. */
export async function decide(store, clock, id, decision, rules = STRICT) {
    const known = await store.get(requestRef(id));
    if (!known)
        return { kind: 'refused', why: 'unknown' };
    const refs = { request: requestRef(id), desk: deskRef(known.session), attention: attentionRef(known.principal) };
    return store.update(refs, ({ request, desk, attention }) => {
        const now = clock.now();
        if (!request)
            return { result: { kind: 'refused', why: 'unknown' } };
        const refusal = REFUSALS.find(({ applies }) => applies(request, decision, now, rules));
        if (refusal)
            return refused(request, decision, refusal.why, now);
        const next = decided(request, decision, now, rules);
        if (next.state === 'pending')
            return { next: { request: next }, audit: [auditOf(next, decision, now)], result: done(next) };
        return {
            next: {
                request: next,
                attention: withoutPrompt(attention, id, now),
                ...(desk && next.state !== 'approved' && { desk: closed(desk, next) }),
            },
            audit: [auditOf(next, decision, now)],
            result: done(next),
        };
    });
}
/** Why a decision does not count; the first that applies is told. Denying is the safe way, so little stands against it. */
const REFUSALS = [
    row('already', (request, { decision }) => request.state !== 'pending' && !(decision === 'revoke' && request.state === 'approved')),
    row('expired', (request, _, now) => stateOf(request, now) === 'expired'),
    row('changed', (request, { version, paramsHash }) => (version !== undefined && version !== request.version) ||
        (paramsHash !== undefined && paramsHash !== request.paramsHash)),
    row('role', ({ class: asked }, { decision, by }) => by.role === 'viewer' || (decision === 'approve' && asked === 'C3' && by.role !== 'admin')),
    row('own_subject', ({ principal }, { by }) => by.channel === 'principal' && by.subject === principal),
    row('channel', ({ class: asked, requiresReauth }, { decision, by }, _, { elicitC2 }) => decision === 'approve' && !counts(by.channel, requiresReauth ? 'C3' : asked, elicitC2)),
    row('reauth', ({ class: asked, requiresReauth, issuedAt }, { decision, by }) => decision === 'approve' && (asked === 'C3' || requiresReauth) && !((by.authenticatedAt ?? 0) >= issuedAt)),
    row('scope', ({ class: asked, level, kind }, { decision, scope }) => decision === 'approve' &&
        scope === 'session' &&
        (asked === 'C3' || DANGER_LEVELS[level] > DANGER_LEVELS.destructive || kind === 'pause' || kind === 'agent')),
    row('same_person', ({ decisions }, { decision, by }, _, { twoPerson }) => twoPerson && decision === 'approve' && decisions.some((earlier) => earlier.by === by.subject)),
];
function row(why, applies) {
    return { why, applies };
}
/** SELF-14. */
function counts(channel, asked, elicitC2) {
    switch (asked) {
        case 'C1':
            return true;
        case 'C2':
            return channel !== 'elicitation' || elicitC2;
        case 'C3':
            return channel === 'console' || channel === 'terminal';
    }
}
function decided(request, decision, now, { twoPerson }) {
    const version = request.version + 1;
    const decisions = [...request.decisions, recorded(decision, now)];
    switch (decision.decision) {
        case 'deny':
            return { ...request, version, decisions, state: 'denied' };
        case 'revoke':
            return { ...request, version, decisions, state: 'revoked' };
        case 'approve': {
            const approvals = decisions.filter((each) => each.decision === 'approve').length;
            if (twoPerson && request.level === 'forbidden' && approvals < 2)
                return { ...request, version, decisions };
            const maxUses = decision.scope === 'session' ? Math.max(1, Math.min(decision.maxUses, MOST_USES)) : 1;
            return { ...request, version, decisions, state: 'approved', approvedAt: now, maxUses };
        }
    }
}
const MOST_USES = 100;
function recorded({ decision, scope, by, reason }, at) {
    return { decision, scope, by: by.subject, channel: by.channel, at, ...(reason !== undefined && { reason }) };
}
/** SELF-11, SELF-13: what was denied stays denied for the session; what was taken back may be asked again. */
function closed(desk, { operation, scope, state }) {
    const live = without(desk.live, scope);
    if (state !== 'denied')
        return { ...desk, live };
    const denials = { ...desk.denials, [operation]: (desk.denials[operation] ?? 0) + 1 };
    return { ...desk, live, denials, denied: { ...desk.denied, [scope]: true } };
}
function done(request) {
    return { kind: 'decided', request };
}
function refused(request, decision, why, now) {
    const result = { kind: 'refused', why, request };
    if (why !== 'own_subject')
        return { result };
    const entry = { ...common(request, decision, now), event: 'SELF_APPROVAL_REJECTED', result: 'denied' };
    return { audit: [entry], result };
}
const EVENTS = { approve: 'CONFIRMATION_GRANTED', deny: 'APPROVAL_DENIED', revoke: 'TOKEN_REVOKED' };
function auditOf(request, decision, now) {
    return {
        ...common(request, decision, now),
        event: EVENTS[decision.decision],
        result: decision.decision === 'approve' ? 'confirmed' : 'denied',
    };
}
function common(request, { by, reason, scope }, now) {
    return {
        timestamp: new Date(now).toISOString(),
        operation: request.operation,
        endpoint: request.endpoint,
        adapter_name: request.adapter,
        adapter_trust: request.trust,
        danger_level: DANGER_LEVELS[request.level],
        approval_id: request.id,
        ...(request.token !== undefined && { token_id: request.id }),
        params_hash: request.paramsHash,
        user_id: request.principal,
        session_id: request.session,
        operator: by.subject,
        channel: by.channel,
        scope,
        ...(reason !== undefined && { reason }),
    };
}
