import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeWorld } from '../../test/fake-world.ts'
import { loadConfig } from '../config.ts'
import { isStop } from './command.ts'
import { openStateStore } from './open-state-store.ts'
import { osSeparation } from './os-separation.ts'
import { whoCanWrite } from './who-can-write.ts'

const uid = process.getuid?.() ?? -1
const account = { uid, gid: process.getgid?.(), platform: 'linux' }
const NOBODY = 65_534

let base: string
let folder: string
let file: string
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'mcpaql-reach-')))
  folder = join(base, 'above', 'folder')
  file = join(folder, 'state.db')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(file, '', { mode: 0o600 })
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

interface Opening {
  readonly what: string
  readonly open: () => void
  readonly place: () => string
  readonly needsRoot?: true
}

const OPENINGS: readonly Opening[] = [
  { what: 'the file for everybody', open: () => chmodSync(file, 0o606), place: () => file },
  { what: 'the folder for everybody', open: () => chmodSync(folder, 0o777), place: () => folder },
  { what: 'the folder, sticky', open: () => chmodSync(folder, 0o1777), place: () => folder },
  { what: 'a folder above for everybody', open: () => chmodSync(join(base, 'above'), 0o777), place: () => 'above' },
  { what: 'the log', open: () => writeOpen(`${file}-wal`), place: () => `${file}-wal` },
  { what: 'the journal', open: () => writeOpen(`${file}-journal`), place: () => `${file}-journal` },
  { what: 'the owner of the folder', open: () => chownSync(folder, NOBODY, 0), place: () => folder, needsRoot: true },
  {
    what: 'the owner of a folder above',
    open: () => chownSync(join(base, 'above'), NOBODY, 0),
    place: () => 'above',
    needsRoot: true,
  },
]

function writeOpen(path: string): void {
  writeFileSync(path, '')
  chmodSync(path, 0o666)
}

const rows = OPENINGS.filter(({ needsRoot }) => !needsRoot || uid === 0)

test.skipIf(uid < 0).each(rows)('SELF-01 the store is not separate with $what open to others', ({ open, place }) => {
  const agent = { uid: uid + 1, name: 'agent' }
  expect(osSeparation(`sqlite:${file}`, agent)).toMatchObject({ kind: 'separate' })
  open()
  expect(osSeparation(`sqlite:${file}`, agent)).toMatchObject({ kind: 'same', why: expect.stringContaining(place()) })
})

test.skipIf(uid < 0)('SELF-01 neither with a configuration that others can write or make', () => {
  const agent = { uid: uid + 1, name: 'agent' }
  const settings = join(base, 'settings')
  mkdirSync(settings, { mode: 0o700 })
  const ask = () => osSeparation(`sqlite:${file}`, agent, undefined, [join(settings, 'mcpaql.yaml')]).kind
  expect(ask()).toBe('separate')
  chmodSync(settings, 0o777)
  expect(ask()).toBe('same')
  chmodSync(settings, 0o700)
  writeOpen(join(settings, 'mcpaql.yaml'))
  expect(ask()).toBe('same')
})

test.skipIf(uid < 0)('SELF-01 a link is as good as the folder in which it lies and the one where it leads', () => {
  const links = join(base, 'links')
  mkdirSync(links, { mode: 0o700 })
  symlinkSync(folder, join(links, 'store'))
  const path = join(links, 'store', 'state.db')
  expect(whoCanWrite(path, account)).toEqual([])
  chmodSync(links, 0o777)
  expect(whoCanWrite(path, account)).toEqual([`${links} can be written by every account`])
  chmodSync(links, 0o700)
  chmodSync(folder, 0o777)
  expect(whoCanWrite(path, account)).toEqual([`${folder} can be written by every account`])
})

test('a link that leads round in circles ends', () => {
  symlinkSync('b', join(base, 'a'))
  symlinkSync('a', join(base, 'b'))
  expect(whoCanWrite(join(base, 'a', 'x'), account)).toEqual([])
})

const open = async () => {
  const world = fakeWorld({ home: base })
  const store = await openStateStore({ ...loadConfig([]).config, store_url: `sqlite:${file}` }, world)
  if (!isStop(store)) await store.close()
  return { store, said: world.said.err }
}

test.skipIf(uid < 0)('SELF-01 opening a store whose folder others can write warns, and names the folder', async () => {
  expect((await open()).said).toBe('')
  chmodSync(folder, 0o777)
  expect((await open()).said).toContain(`${folder} can be written by every account`)
})

test.skipIf(uid !== 0).each([
  ['the store', ''],
  ['its log', '-wal'],
  ['the index to that', '-shm'],
  ['its journal', '-journal'],
])('SELF-01 %s of another account is not opened', async (_, end) => {
  writeFileSync(file + end, '', { mode: 0o600 })
  chownSync(file + end, NOBODY, 0)
  const { store } = await open()
  expect(isStop(store) && store.message).toContain('belongs to another account')
})
