import type { SemanticCategory } from './categories.ts'

/** Spec §3.3. `all` offers the family tools and the unified tool together. */
export const ENDPOINT_MODES = ['semantic', 'single', 'all'] as const

export type EndpointMode = (typeof ENDPOINT_MODES)[number]

/** A named grouping of operations that is exposed as one tool (§2.1). */
export interface EndpointFamily {
  readonly name: string
  /** One line, shown first in the tool's description. */
  readonly purpose: string
  /** Operations of these categories belong to the family unless an operation names another. */
  readonly categories: readonly SemanticCategory[]
}

export interface EndpointProfile {
  readonly name: string
  readonly families: readonly EndpointFamily[]
  /** The family that offers `introspect` (INT-01). */
  readonly introspection: string
}

/** The standard profile: one family for each category (§6.1). */
export const CRUDE: EndpointProfile = Object.freeze({
  name: 'crude',
  introspection: 'read',
  families: Object.freeze([
    { name: 'create', purpose: 'Add new data.', categories: ['CREATE'] },
    { name: 'read', purpose: 'Safe, read-only queries.', categories: ['READ'] },
    { name: 'update', purpose: 'Modify existing data.', categories: ['UPDATE'] },
    { name: 'delete', purpose: 'Remove data.', categories: ['DELETE'] },
    { name: 'execute', purpose: 'Run and control jobs.', categories: ['EXECUTE'] },
  ] as const),
})

/** Spec §9.3.1. */
export const CONCURRENCY = ['serialized', 'read-concurrent', 'fully-concurrent', 'resource-locked'] as const

export type Concurrency = (typeof CONCURRENCY)[number]
