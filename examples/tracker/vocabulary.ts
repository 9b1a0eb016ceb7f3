/** Words that the back-end and the type definitions share. */
export const STATES = ['open', 'in_progress', 'closed'] as const

export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const

export const ROLES = ['admin', 'member', 'guest'] as const

/** REL-05: two of the names understood everywhere, and one of the tracker's own. */
export const RELATIONSHIPS = ['references', 'uses', 'blocks'] as const

/** Adapter-defined codes (ERR-02). */
export const ERRORS = {
  CONFLICT_PROJECT_ARCHIVED: 'The project is archived; set `archived` to false with update_project first.',
  CONFLICT_PROJECT_NOT_EMPTY: 'The project still holds issues; delete them or archive the project.',
  CONFLICT_USER_IN_USE: 'The user leads, reported or wrote something that would lose its author.',
} as const

export type State = (typeof STATES)[number]
export type Priority = (typeof PRIORITIES)[number]
export type Role = (typeof ROLES)[number]
export type Relationship = (typeof RELATIONSHIPS)[number]
