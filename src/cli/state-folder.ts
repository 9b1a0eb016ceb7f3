import { existsSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { pointedStore, pointerIn } from './store-pointer.ts'
import type { World } from './world.ts'

/** Where state lives that should outlast a process: the same folder wherever the program is started. */
export function stateFolder({ env, home, platform }: Pick<World, 'env' | 'home' | 'platform'>): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = env
  if (XDG_STATE_HOME && isAbsolute(XDG_STATE_HOME)) return join(XDG_STATE_HOME, 'mcpaql')
  if (platform === 'win32') return join(LOCALAPPDATA || join(home, 'AppData', 'Local'), 'mcpaql')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'mcpaql')
  return join(home, '.local', 'state', 'mcpaql')
}

/** Where the user keeps the settings of programs. */
export function configFolder({ env, home, platform }: Pick<World, 'env' | 'home' | 'platform'>): string {
  const { XDG_CONFIG_HOME, APPDATA } = env
  if (XDG_CONFIG_HOME && isAbsolute(XDG_CONFIG_HOME)) return join(XDG_CONFIG_HOME, 'mcpaql')
  if (platform === 'win32') return join(APPDATA || join(home, 'AppData', 'Roaming'), 'mcpaql')
  return join(home, '.config', 'mcpaql')
}

/** Who wants to know where the store is: whoever serves makes one, whoever operates looks for the one that is served. */
export type StoreUse = 'serve' | 'operate'

/** The store's address with the default filled in and its path made absolute. */
export function storeUrl(url: string, world: World, use: StoreUse = 'operate'): string {
  if (url === '') return `sqlite:${defaultStore(world, use)}`
  return url.startsWith('sqlite:') ? `sqlite:${resolve(world.cwd, url.slice('sqlite:'.length))}` : url
}

/** In the state folder that the environment names. Without one, or where an operator finds nothing there, at the pointer. */
function defaultStore(world: World, use: StoreUse): string {
  const own = join(stateFolder(world), 'state.db')
  const isNamed = stateFolder(world) !== homeFolder(world)
  if (isNamed && (use === 'serve' || existsSync(own))) return own
  return pointedStore(storePointer(world)) ?? own
}

/** The store of servers whose client stripped their environment, where it is another one than `url`. */
export function otherStore(url: string, world: World): string | undefined {
  const unnamed = join(homeFolder(world), 'state.db')
  const path = pointedStore(storePointer(world)) ?? (existsSync(unnamed) ? unnamed : undefined)
  return path === undefined || isSameFile(path, url.slice('sqlite:'.length)) ? undefined : `sqlite:${path}`
}

function isSameFile(one: string, other: string): boolean {
  try {
    return one === other || realpathSync(one) === realpathSync(other)
  } catch {
    return false
  }
}

/** Where the pointer to the store is kept. */
export function storePointer(world: Pick<World, 'home' | 'platform'>): string {
  return pointerIn(homeFolder(world))
}

/** The state folder of a program that sees nothing of the environment but its home. */
function homeFolder({ home, platform }: Pick<World, 'home' | 'platform'>): string {
  return stateFolder({ env: {}, home, platform })
}

/** The demo keeps its own database beside the store; undefined: in memory, as the store. */
export function demoPath(url: string, world: World): string | undefined {
  const store = storeUrl(url, world, 'serve')
  return store.startsWith('sqlite:') ? join(dirname(store.slice('sqlite:'.length)), 'demo.db') : undefined
}
