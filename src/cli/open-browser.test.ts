import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openBrowser } from './open-browser.ts'

let folder: string
const { PATH, NODE_OPTIONS } = process.env
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'browser-'))
  const script = `#!/bin/sh\nenv > '${folder}/environment'\npwd > '${folder}/cwd'\ncat > '${folder}/stdin'\n`
  for (const name of ['osascript', 'powershell.exe']) {
    writeFileSync(join(folder, name), script)
    chmodSync(join(folder, name), 0o755)
  }
})
afterEach(() => {
  process.env.PATH = PATH
  if (NODE_OPTIONS === undefined) delete process.env.NODE_OPTIONS
  rmSync(folder, { recursive: true, force: true })
})

const LINK = 'http://127.0.0.1:7421/#link=abc'

test.each(['darwin', 'win32', 'linux'])('on %s a program in PATH never gets the link', async (platform) => {
  process.env.PATH = `${folder}:${PATH}`
  openBrowser(LINK, platform, [join(folder, 'empty')])
  if (platform !== process.platform) expect(openBrowser(LINK, platform)).toBe(false)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(existsSync(join(folder, 'stdin'))).toBe(false)
})

test('the opener of the system gets the link on its standard input and nothing of our environment', async () => {
  process.env.NODE_OPTIONS = '--title=x'
  expect(openBrowser(LINK, 'darwin', [folder])).toBe(true)
  await vi.waitFor(() => expect(readFileSync(join(folder, 'stdin'), 'utf8')).toContain(LINK), 10_000)
  const names = readFileSync(join(folder, 'environment'), 'utf8').match(/^\w+(?==)/gm) ?? []
  expect(names.filter((name) => !['PATH', 'PWD', 'SHLVL', '_', 'OLDPWD'].includes(name))).toEqual([])
  expect(readFileSync(join(folder, 'cwd'), 'utf8')).toBe('/\n')
})
