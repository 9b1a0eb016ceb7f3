import { DANGER_LEVELS } from "../../protocol/danger.js";
import { redact } from "../audit/redact.js";
import { canonicalHash } from "../canonical-json.js";
/** TOK-04: the frozen object that the handler will get is the one that is hashed, shown and recorded (GATE-09). */
export function hashParams(params) {
    return canonicalHash(params);
}
/** The fields that AUDIT-01 to AUDIT-03 want of every attempt. */
export function attempt({ call, adapter, session, standing }, now) {
    const { auditContext } = standing.danger;
    const user_id = call.session.principal;
    return {
        timestamp: new Date(now).toISOString(),
        operation: call.operation,
        endpoint: call.target.endpoint,
        adapter_name: adapter,
        adapter_trust: standing.trust,
        danger_level: DANGER_LEVELS[standing.level],
        parameters: redact(call.target, call.params),
        ...(auditContext.length > 0 && { audit_context: auditContext }),
        user_id,
        session_id: session,
        client_context: { session_id: session, user_id },
    };
}
