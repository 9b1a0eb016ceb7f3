/** Spec §3.3. `all` offers the family tools and the unified tool together. */
export const ENDPOINT_MODES = ['semantic', 'single', 'all'];
/** The standard profile: one family for each category (§6.1). */
export const CRUDE = Object.freeze({
    name: 'crude',
    introspection: 'read',
    families: Object.freeze([
        { name: 'create', purpose: 'Add new data.', categories: ['CREATE'] },
        { name: 'read', purpose: 'Safe, read-only queries.', categories: ['READ'] },
        { name: 'update', purpose: 'Modify existing data.', categories: ['UPDATE'] },
        { name: 'delete', purpose: 'Remove data.', categories: ['DELETE'] },
        { name: 'execute', purpose: 'Run and control jobs.', categories: ['EXECUTE'] },
    ]),
});
/** Spec §9.3.1. */
export const CONCURRENCY = ['serialized', 'read-concurrent', 'fully-concurrent', 'resource-locked'];
