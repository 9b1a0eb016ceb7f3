import { expect, test } from 'vitest'
import { fakeWorld } from '../../test/fake-world.ts'
import { demoPath, stateFolder, storeUrl } from './state-folder.ts'
import type { World } from './world.ts'

// biome-ignore format: a table reads by columns
test.each<[string, Partial<World>, string]>([
  ['XDG_STATE_HOME',          { env: { XDG_STATE_HOME: '/var/state' } }, '/var/state/mcpaql'],
  ['a relative one is void',  { env: { XDG_STATE_HOME: 'state' } },      '/home/somebody/.local/state/mcpaql'],
  ['Linux',                   {},                                        '/home/somebody/.local/state/mcpaql'],
  ['macOS',                   { platform: 'darwin' },                    '/home/somebody/Library/Application Support/mcpaql'],
  ['Windows',                 { platform: 'win32' },                     '/home/somebody/AppData/Local/mcpaql'],
])('the state folder by %s', (_, given, folder) => {
  expect(stateFolder(fakeWorld(given))).toBe(folder)
})

// biome-ignore format: a table reads by columns
test.each<[string, string, string | undefined]>([
  ['',                 'sqlite:/home/somebody/.local/state/mcpaql/state.db', '/home/somebody/.local/state/mcpaql/demo.db'],
  ['sqlite:/a/b.db',   'sqlite:/a/b.db',                                     '/a/demo.db'],
  ['sqlite:here.db',   'sqlite:/nowhere/here.db',                            '/nowhere/demo.db'],
  ['memory:',          'memory:',                                            undefined],
])("the store '%s'", (url, store, demo) => {
  expect(storeUrl(url, fakeWorld())).toBe(store)
  expect(demoPath(url, fakeWorld())).toBe(demo)
})
