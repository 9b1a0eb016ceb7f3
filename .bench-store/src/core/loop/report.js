import { MAX_HINT_LENGTH, STEP_OUTCOMES } from "../../protocol/directive.js";
import { fail } from "../../protocol/errors.js";
/** LOOP-12, LOOP-13, AUTO-13: refused before anything is looked at. */
export function reportFault({ next_action_hint: hint, outcome, risk_score }) {
    const operation = 'record_execution_step';
    if (hint.trim() === '') {
        const expected = 'string (what you are about to do, in detail)';
        return fail('VALIDATION_MISSING_PARAM', { param_name: 'next_action_hint', operation, expected });
    }
    if (hint.length > MAX_HINT_LENGTH)
        return fail('VALIDATION_PAYLOAD_TOO_LARGE', {
            limit_type: 'next_action_hint',
            limit_value: MAX_HINT_LENGTH,
            actual_value: hint.length,
        });
    if (outcome !== undefined && !STEP_OUTCOMES.includes(outcome))
        return wrongType('outcome', STEP_OUTCOMES.join(' | '), 'another string');
    if (risk_score !== undefined && !(risk_score >= 0 && risk_score <= 100))
        return wrongType('risk_score', 'number from 0 to 100', 'another number');
    return undefined;
}
function wrongType(param_name, expected_type, actual_type) {
    return fail('VALIDATION_INVALID_TYPE', {
        param_name,
        expected_type,
        actual_type,
        operation: 'record_execution_step',
    });
}
