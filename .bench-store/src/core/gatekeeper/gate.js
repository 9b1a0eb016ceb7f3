import { DANGER_LEVELS } from "../../protocol/danger.js";
import { fail } from "../../protocol/errors.js";
import { secretsOf } from "../registry/secrets.js";
import { admitted } from "./admit.js";
import { demand } from "./demand.js";
import { enter } from "./enter.js";
import { issue, masked } from "./issue.js";
import { attempt, hashParams } from "./question.js";
import { rateLimited } from "./redeem.js";
import { requestRef } from "./request.js";
import { decisive, permissionOf, recordOpinion } from "./standing.js";
import { isToken, TOKEN_PREFIXES } from "./tokens.js";
/** Gatekeeper specification §2.1: the layers in order, the strictest voice decides, and doubt refuses (GATE-11). */
export function createGate(settings) {
    const { standings, guard, limits } = settings;
    const standing = ({ name }) => {
        const known = standings.get(name);
        if (!known)
            throw new Error(`operation '${name}' has no standing`);
        return known;
    };
    const opinions = (call) => {
        const { opinions: fixed, conditional } = standing(call.target);
        return [
            ...(isDryRun(call) ? fixed.map(spared) : fixed),
            ...conditional.filter(({ holds }) => holds?.(call.params)).map(recordOpinion),
        ];
    };
    const isGuarded = ({ target }) => guard !== undefined && target.category !== 'READ';
    const isLimited = (operation) => limits !== undefined && !standing(operation).isOwn;
    const judge = async (call) => {
        const own = opinions(call);
        const isRedeeming = permissionOf(own) === 'confirm' && call.controls?.confirmation !== undefined;
        const guarded = isGuarded(call) ? await guard?.(call, isRedeeming) : undefined;
        const voices = guarded ? [guarded, ...own] : own;
        const permission = permissionOf(voices);
        if (permission === 'deny')
            return refuse(call, voices, settings);
        const isRecorded = DANGER_LEVELS[standing(call.target).level] >= DANGER_LEVELS.destructive; // AUDIT-08: a dry run too
        if (permission === 'allow' && !isRecorded && !isLimited(call.target))
            return admitted(call);
        return pass(questionOf(call, voices, standing(call.target), settings), permission === 'confirm', settings);
    };
    return {
        standing,
        opinions,
        isGateable: (operation) => {
            const { permission, conditional } = standing(operation);
            return (permission === 'confirm' ||
                conditional.some(({ record }) => record.permission === 'confirm') ||
                isLimited(operation));
        },
        admit(call) {
            if (!standing(call.target).isPlain || isLimited(call.target) || isGuarded(call))
                return judge(call);
            return admitted(call);
        },
    };
}
/** REQ-10: a call that the operation itself declares to change nothing. It is denied like any other, but not asked about. */
function isDryRun({ target, params }) {
    return target.definition.dryRun === true && params.dry_run === true;
}
function spared(opinion) {
    if (opinion.permission !== 'confirm' || opinion.layer === 'policy')
        return opinion;
    return { ...opinion, permission: 'none', text: `${opinion.text}, but a dry run changes nothing` };
}
/** Layer 4, and the quotas that share its commit. */
async function pass(question, asks, settings) {
    const { call } = question;
    const keys = keysOf(call);
    if (asks && question.standing.danger.requiresReauth && !canReauthenticate(settings)) {
        return refuseWithout(question, 'no channel is set up that can authenticate the approver again (console, terminal)', settings);
    }
    if (asks && keys.confirmation === undefined)
        return ask(question, settings);
    const deadline = settings.clock.now() + waitOf(call, settings) * 1_000;
    for (;;) {
        const entered = await enter(question, asks, keys, settings);
        switch (entered.kind) {
            case 'in':
                return admitted(withWarnings(call, entered), entered.permit);
            case 'refused':
                return entered.failure;
            case 'paused':
                return askForQuota(question, entered, settings);
            case 'waiting': {
                const answered = await decided(entered.request, deadline, call, settings);
                if (!answered)
                    return demandFor(question, entered, settings);
            }
        }
    }
}
/** Design §5: a call may wait for the human, within a limit; whoever leaves stops waiting. */
async function decided({ id, version }, deadline, call, { store, clock, sleep }) {
    while (clock.now() < deadline && !call.caller.signal?.aborted && !call.session.signal.aborted) {
        await sleep(Math.min(POLL_MS, Math.max(1, deadline - clock.now())), call.caller.signal);
        const request = await store.get(requestRef(id));
        if (request?.version !== version)
            return true;
        if (request?.state === 'approved' && cooled(request, clock.now()))
            return true;
    }
    return false;
}
const POLL_MS = 200;
function cooled({ approvedAt = 0, cooldownSeconds }, now) {
    return cooldownSeconds > 0 && now >= approvedAt + cooldownSeconds * 1_000;
}
async function ask(asked, settings) {
    const question = seated(asked, settings);
    const issued = await issue(question, settings);
    const now = settings.clock.now();
    switch (issued.kind) {
        case 'asked':
            return demand(issued.request, settings.reach(), extrasOf(question));
        case 'denied':
            return fail('PERMISSION_DENIED', { reason: issued.reason, operation: question.call.operation });
        case 'limited':
            return rateLimited(issued.limit, issued.retryAfter, now);
    }
}
/** RATE-11, RATE-12. */
async function askForQuota(asked, { metric, details }, settings) {
    const question = seated(asked, settings);
    const { adapter, call } = question;
    const issued = await issue({ ...question, kind: 'quota', quota: { metric, details }, reasons: [`quota ${metric} is paused`] }, settings);
    const now = settings.clock.now();
    if (issued.kind === 'limited')
        return rateLimited(issued.limit, issued.retryAfter, now);
    if (issued.kind === 'denied')
        return fail('PERMISSION_DENIED', { reason: issued.reason, operation: call.operation });
    settings.note({
        timestamp: new Date(now).toISOString(),
        event: 'QUOTA_PAUSED',
        adapter_name: adapter,
        operation: call.operation,
        result: 'denied',
        user_id: call.session.principal,
        session_id: question.session,
        new: details,
    });
    const { token, expiresAt, id } = issued.request;
    return fail('RATE_LIMIT_QUOTA_PAUSE', {
        ...details,
        confirmation_token: token,
        expires_at: new Date(expiresAt).toISOString(),
        approval_id: id,
        ...extrasOf(question),
    });
}
function demandFor(question, { request, cooldownSeconds }, { reach }) {
    return demand(request, reach(), { ...extrasOf(question), ...(cooldownSeconds !== undefined && { cooldownSeconds }) });
}
/** MCP-25: a session is minted only for a question, so that calls that ask nothing cannot crowd others out. */
function seated(question, { mint }) {
    const { session } = question.call;
    return session.id === undefined ? { ...question, session: mint(session.principal) } : question;
}
function extrasOf({ call, session }) {
    return {
        ...(call.session.id === undefined && { session }),
        ...(call.inBatch && { params: masked(call.params, secretsOf(call.target, call.params)) }), // BATCH-09
    };
}
function questionOf(call, opinions, standing, settings) {
    return {
        kind: call.operation === 'execute_agent' ? 'agent' : 'operation',
        call,
        adapter: settings.adapter,
        session: call.session.owner,
        standing,
        opinions,
        paramsHash: hashParams(call.params),
        reasons: reasonsOf(opinions, standing),
    };
}
/** For the agent and the human: what made the gate ask, in few words. */
function reasonsOf(opinions, { classification, danger }) {
    const chosen = decisive(opinions);
    const own = danger.reasons.length > 0 ? danger.reasons : classification.reasons.slice(0, 1);
    return chosen?.layer === 'policy' ? [chosen.text, ...own] : own;
}
/** GATE-08, AUDIT-03: refused, recorded, and never handed on. */
function refuse(call, opinions, settings) {
    const chosen = decisive(opinions);
    if (chosen?.failure) {
        record(call, chosen.text, settings);
        return chosen.failure;
    }
    const { code, details } = chosen?.refusal ?? {
        code: 'PERMISSION_DENIED',
        details: { reason: chosen?.text ?? 'denied' },
    };
    const failed = fail(code, { ...details, operation: call.operation }); // the details fit the code they come with
    record(call, chosen?.text ?? code, settings);
    return failed;
}
function refuseWithout(question, reason, settings) {
    record(question.call, reason, settings);
    return fail('PERMISSION_DENIED', { reason, operation: question.call.operation });
}
function record(call, reason, settings) {
    const standing = settings.standings.get(call.operation);
    if (!standing)
        return;
    const about = { call, adapter: settings.adapter, session: call.session.id ?? 'none', standing };
    settings.note({
        ...attempt(about, settings.clock.now()),
        event: 'OPERATION_DENIED',
        result: 'denied',
        outcome: 'denied',
        reason,
    });
}
/** REQ-07: one token for the confirmation, one for the quota; a quota token may come under either name. */
function keysOf({ controls }) {
    const given = controls?.confirmation;
    const isQuota = typeof given === 'string' && isToken(given) && given.startsWith(TOKEN_PREFIXES.quota);
    return {
        ...(given !== undefined && !isQuota && { confirmation: given }),
        ...((controls?.quota !== undefined || isQuota) && { quota: controls?.quota ?? given }),
    };
}
function waitOf({ controls }, { maxWaitSeconds }) {
    return Math.min(controls?.waitSeconds ?? 0, maxWaitSeconds);
}
function canReauthenticate({ reach }) {
    const { channels } = reach();
    return channels.includes('console') || channels.includes('terminal');
}
function withWarnings(call, { warnings }) {
    return warnings.length > 0 ? { ...call, warnings: [...call.warnings, ...warnings] } : call;
}
