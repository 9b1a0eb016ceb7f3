import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { compiledKey, compiledOnce } from './compiled-once.ts'

const base = mkdtempSync(join(tmpdir(), 'mcpaql-compiled-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(base, 'run-')), 'cache', 'typescript')
})

/** What came back, and whether there was work to do. */
async function ask(key = 'k'): Promise<readonly [code: string, worked: boolean]> {
  let worked = false
  const code = await compiledOnce(folder, key, async () => {
    worked = true
    return 'made'
  })
  return [code, worked]
}

const files = () => readdirSync(folder).map((name) => join(folder, name))

test('the work is done once for each key, and kept for the owner alone', async () => {
  expect(await ask()).toEqual(['made', true])
  expect(await ask()).toEqual(['made', false])
  expect(await ask('other')).toEqual(['made', true])
  expect(files()).toHaveLength(2)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  for (const file of files()) expect(statSync(file).mode & 0o777).toBe(0o600)
})

test.each([
  ['cut short', (text: string) => text.slice(0, -1)],
  ['altered', (text: string) => text.replace('made', 'evil')],
  ['empty', () => ''],
])('a file that is %s is not used, and mended', async (_, spoil) => {
  await ask()
  const [file = ''] = files()
  writeFileSync(file, spoil(readFileSync(file, 'utf8')))
  expect(await ask()).toEqual(['made', true])
  expect(await ask()).toEqual(['made', false])
})

test('a folder that others can write to is not used', async () => {
  await ask()
  chmodSync(folder, 0o777)
  expect(await ask()).toEqual(['made', true])
})

test('a folder that cannot be made is no failure', async () => {
  folder = join(base, 'file', 'typescript')
  writeFileSync(join(base, 'file'), '')
  expect(await ask()).toEqual(['made', true])
})

test.skipIf(process.platform !== 'linux')('a folder that cannot be made costs nothing but the saving', async () => {
  folder = '/proc/nowhere/mcpaql'
  expect(await ask()).toEqual(['made', true])
})

test('a fault of the compiler is not kept', async () => {
  const broken = () => compiledOnce(folder, 'k', () => Promise.reject(new SyntaxError('no')))
  await expect(broken()).rejects.toThrow('no')
  expect(await ask()).toEqual(['made', true])
})

test('the folder does not grow without end: the oldest go', async () => {
  await ask('first')
  for (const file of files()) utimesSync(file, 0, 0)
  for (let at = 0; at < 200; at++) await ask(`k${at}`)
  expect(files().length).toBeLessThanOrEqual(200)
  expect(await ask('first')).toEqual(['made', true])
  expect(await ask('k199')).toEqual(['made', false])
})

test('a key stands for compiler and source', () => {
  const keys = [compiledKey('5.9', 'a'), compiledKey('5.8', 'a'), compiledKey('5.9', 'b')]
  expect(new Set(keys).size).toBe(3)
  expect(keys[0]).toBe(compiledKey('5.9', 'a'))
})
