/** Danger levels document §2.1 — five ordered levels of what an operation can do to the world. */
export const DANGER_LEVELS = { safe: 0, reversible: 1, destructive: 2, dangerous: 3, forbidden: 4 } as const

export type DangerLevel = keyof typeof DANGER_LEVELS
