/** A pause can be lifted by a human (RATE-12); nothing lifts the rest (RATE-13). */
export const QUOTA_PERMISSIONS = {
    ok: 'allow',
    warn: 'allow',
    paused: 'confirm',
    limited: 'deny',
    exhausted: 'deny',
    broken: 'deny',
};
