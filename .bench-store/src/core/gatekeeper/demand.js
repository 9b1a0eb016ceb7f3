import { fail } from "../../protocol/errors.js";
import { failure } from "../../protocol/result.js";
/** TOK-05, ERR-35, X-13: what the agent is told while a human has not decided. */
export function demand(request, reach, extras = {}) {
    const { token = '', reasons, message } = request;
    const expires_at = new Date(request.expiresAt).toISOString();
    const made = fail('CONFIRMATION_REQUIRED', {
        operation: request.operation,
        danger_level: request.level,
        ...(reasons.length > 0 && { reasons }),
        ...(message !== undefined && { confirmation_message: message }),
        confirmation_token: token,
        expires_at,
        approval_id: request.id,
        waiting_for: waitingFor(request, reach),
        next: NEXT,
        ...(extras.cooldownSeconds !== undefined && { cooldown_remaining_seconds: extras.cooldownSeconds }),
        ...(extras.session !== undefined && { session_id: extras.session }),
        ...(extras.params && { params: extras.params }),
    });
    const confirmation = {
        token,
        expires_at,
        ...(message !== undefined && { message }),
        ...(reasons.length > 0 && { reasons }),
    };
    return failure(made.error, confirmation);
}
const NEXT = 'Tell the user. Then send the same call with confirmation_token; _wait_seconds waits for the answer.';
function waitingFor({ id, shown }, { channels, consoleUrl }) {
    if (channels.length === 0)
        return 'a human, but no approval channel is set up (console, terminal, elicitation)';
    if (!shown)
        return 'a human who has other requests of yours to decide first';
    const ways = [
        ...(channels.includes('console') ? [consoleUrl ? `the console ${consoleUrl}` : 'the console'] : []),
        ...(channels.includes('terminal') ? [`mcpaql approve ${id}`] : []),
    ];
    return `a human${ways.length > 0 ? `: ${ways.join(' or ')}` : ''}`;
}
