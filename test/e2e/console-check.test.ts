import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { BIN, plainEnvironment } from './bin.ts'

/** As in a container: a number that no file of accounts knows. */
const NAMELESS = 54_321

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-check-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const isRoot = process.getuid?.() === 0
const canRead =
  isRoot && as(NAMELESS, process.execPath, '-e', `require('fs').accessSync(${JSON.stringify(BIN)})`).status === 0

test.skipIf(!canRead)('console --check answers under an account without a name', () => {
  const { status, stdout, stderr } = as(
    NAMELESS,
    process.execPath,
    BIN,
    'console',
    '--check',
    '--store',
    'sqlite:/nowhere.db',
  )
  expect(stderr).toBe('')
  expect(stdout).toContain('There is no store yet.')
  expect(stdout).toContain(`this account: user ${NAMELESS}`)
  expect(status).toBe(1)
})

function as(uid: number, command: string, ...args: readonly string[]) {
  const { HOME: _, ...env } = plainEnvironment(folder)
  return spawnSync(command, args, { uid, gid: uid, env, cwd: '/', encoding: 'utf8' })
}
