import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownPlaces } from '../../src/cli/safety/own-places.ts'
import { seenFrom } from '../../src/core/autonomy/own-places.ts'
import { PROJECT } from '../../src/core/autonomy/risk/scope.ts'
import { scoreHint } from '../../src/core/autonomy/risk/score-hint.ts'

const HOME = homedir()

/** What a call is worth that works in a folder, beside a server with this store. */
function score(hint: string, store: string, folder: string, cwd = folder): number {
  const places = ownPlaces(`sqlite:${store}`, [], { cwd, home: HOME })
  return scoreHint(hint, { isCommand: true, own: { ...seenFrom(places, folder, PROJECT), folder } }).score
}

test.each([
  [join(HOME, 's.db'), '/srv/app'],
  [join(HOME, 's.db'), join(HOME, 'work', 'app')],
  ['/s.db', '/srv/app'],
  ['/srv/s.db', '/srv/app'],
  ['/srv/app/s.db', '/srv/app'],
])('AUTO-13 a store at %s makes no file of the project %s one of the server', (store, folder) => {
  expect(score('touch x', store, folder)).toBeLessThanOrEqual(30)
  expect(score('mkdir -p a/b && touch a/b/c', store, folder)).toBeLessThanOrEqual(30)
  expect(score(`rm ${store}`, store, folder)).toBeGreaterThan(60)
  expect(score(`cp ${store} x.db`, store, folder)).toBeGreaterThan(30)
  expect(score(`echo > ${store}-wal`, store, folder)).toBeGreaterThan(60)
})

test('AUTO-13 a store in a folder of its own takes the folder with it', () => {
  expect(score('touch /var/lib/agent/safety.json', '/var/lib/agent/s.db', '/srv/app')).toBeGreaterThan(30)
  expect(score(`echo > ${join(HOME, 'state', 'x')}`, join(HOME, 'state', 's.db'), '/srv/app')).toBeGreaterThan(30)
})
