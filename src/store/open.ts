import { join } from 'node:path'
import type { Store } from '../core/ports/store.ts'
import { createMemoryStore } from './memory.ts'

export interface StoreOptions {
  /** The user's state folder, where the default store lives. */
  readonly stateFolder: string
}

/** From the `store_url` setting to a store. Throws an Error for the operator when it cannot be opened. */
export async function openStore(url: string, { stateFolder }: StoreOptions): Promise<Store> {
  if (url === 'memory:') return createMemoryStore()
  if (url === '' || url === 'default') return openSqlite(join(stateFolder, 'mcpaql', 'state.db'))
  if (url.startsWith(SQLITE) && !NOT_A_FILE.has(url.slice(SQLITE.length))) return openSqlite(url.slice(SQLITE.length))
  throw new Error(`Unknown store '${url}'. Accepted: ${ACCEPTED}.`)
}

const SQLITE = 'sqlite:'
const NOT_A_FILE: ReadonlySet<string> = new Set(['', ':memory:'])

const ACCEPTED = "'default' or nothing (mcpaql/state.db in the user's state folder), 'sqlite:PATH', 'memory:'"

/** Imported here, so that nobody else pays for the native library. */
async function openSqlite(path: string): Promise<Store> {
  const { openSqliteStore } = await import('./sqlite.ts')
  return openSqliteStore(path)
}
