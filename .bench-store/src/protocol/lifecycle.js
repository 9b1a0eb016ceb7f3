/** Spec §8.4.2 — the states of an execution and where each may go. `failed → running` only where retry is supported. */
export const STATES = {
    pending: { next: ['running', 'cancelled'], terminal: false },
    running: { next: ['completed', 'failed', 'cancelled'], terminal: false },
    completed: { next: [], terminal: true },
    failed: { next: ['running'], terminal: true },
    cancelled: { next: [], terminal: true },
};
