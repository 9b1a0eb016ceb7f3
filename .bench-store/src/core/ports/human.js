/** SELF-02: exactly these count. */
export const APPROVAL_CHANNELS = ['elicitation', 'console', 'terminal', 'principal'];
/** The one constructor. What an agent sends never reaches it. */
export function humanDecision(parts) {
    return { scope: 'once', maxUses: 1, manipulated: false, ...parts }; // the brand exists for the compiler
}
