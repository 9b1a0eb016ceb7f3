import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { World } from './world.ts'

/** Where state lives that should outlast a process: the same folder wherever the program is started. */
export function stateFolder({ env, home, platform }: Pick<World, 'env' | 'home' | 'platform'>): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = env
  if (XDG_STATE_HOME && isAbsolute(XDG_STATE_HOME)) return join(XDG_STATE_HOME, 'mcpaql')
  if (platform === 'win32') return join(LOCALAPPDATA || join(home, 'AppData', 'Local'), 'mcpaql')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'mcpaql')
  return join(home, '.local', 'state', 'mcpaql')
}

/** Where things lie that only save time, and that anyone may delete. */
export function cacheFolder({ env, home, platform }: Pick<World, 'env' | 'home' | 'platform'>): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = env
  if (XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME)) return join(XDG_CACHE_HOME, 'mcpaql')
  if (platform === 'win32') return join(LOCALAPPDATA || join(home, 'AppData', 'Local'), 'mcpaql', 'Cache')
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'mcpaql')
  return join(home, '.cache', 'mcpaql')
}

/** The store's address with the default filled in and its path made absolute. */
export function storeUrl(url: string, world: World): string {
  if (url === '') return `sqlite:${join(stateFolder(world), 'state.db')}`
  return url.startsWith('sqlite:') ? `sqlite:${resolve(world.cwd, url.slice('sqlite:'.length))}` : url
}

/** The demo keeps its own database beside the store; undefined: in memory, as the store. */
export function demoPath(url: string, world: World): string | undefined {
  const store = storeUrl(url, world)
  return store.startsWith('sqlite:') ? join(dirname(store.slice('sqlite:'.length)), 'demo.db') : undefined
}
