/** Spec §8.5.4 — names that an adapter may not use for purposes of its own, and the category of each. */
export const RESERVED_OPERATIONS = {
    introspect: 'READ',
    execute_agent: 'EXECUTE',
    record_execution_step: 'CREATE',
    complete_execution: 'EXECUTE',
    abort_execution: 'EXECUTE',
    confirm_operation: 'EXECUTE',
    verify_challenge: 'CREATE',
};
