/** REQ-09 — parameters that the registry adds itself, each defined once. */
export const MAX_TOKENS = {
    type: 'integer',
    minimum: 50,
};
export const DRY_RUN = {
    type: 'boolean',
    default: false,
    description: 'Validate and preview; change nothing.',
};
export const IF_MATCH = {
    type: 'string | integer',
    description: 'Change it only if its version still equals this.',
};
