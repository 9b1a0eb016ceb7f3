/** `mcpaql/store`: where a runtime keeps what must outlive a request. */
export { createMemoryStore } from './memory.ts'
export { openStore } from './open.ts'
export { openSqliteStore } from './sqlite.ts'
