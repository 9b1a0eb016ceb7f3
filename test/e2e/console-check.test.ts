import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createClients } from '../../src/core/operator/clients.ts'
import { openStore } from '../../src/store/open.ts'
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

test.skipIf(!canRead)(
  'SELF-01 console --check under the agent’s account does not vouch for what it cannot see',
  async () => {
    const file = join(folder, 'state.db')
    chmodSync(folder, 0o755)
    const store = await openStore(`sqlite:${file}`, { stateFolder: folder })
    await createClients(store, { now: Date.now }).add({
      name: 'eve',
      elicitation: true,
      by: 'operator',
      channel: 'terminal',
    })
    await store.close()
    const { status, stdout } = as(NAMELESS, process.execPath, BIN, 'console', '--check', '--store', `sqlite:${file}`)
    expect(stdout).toContain('The store belongs to another OS account than the agents.')
    expect(stdout).toContain('cannot be seen from this account')
    expect(status).toBe(1)
    const seen = as(0, process.execPath, BIN, 'console', '--check', '--agent', 'nobody', '--store', `sqlite:${file}`)
    expect([seen.status, seen.stdout]).toEqual([1, expect.stringContaining('eve')])
  },
)

test.skipIf(!canRead)(
  'SELF-01 settings that another account owns are a way to the servers, wherever they are read',
  async () => {
    const file = join(folder, 'own.db')
    await (await openStore(`sqlite:${file}`, { stateFolder: folder })).close()
    const project = join(folder, 'project')
    mkdirSync(project)
    writeFileSync(join(project, 'mcpaql.yaml'), 'store_url: "memory:"\n')
    chownSync(project, NAMELESS, NAMELESS)
    const env = { ...plainEnvironment(folder), MCPAQL_TRUSTED_CONFIG_FILES: join(project, 'mcpaql.yaml') }
    const line = [BIN, 'console', '--check', '--agent', 'nobody', '--store', `sqlite:${file}`]
    const checked = (given: Record<string, string>) =>
      spawnSync(process.execPath, line, { env: given, cwd: '/', encoding: 'utf8' })
    expect(checked(plainEnvironment(folder)).status).toBe(0)
    expect(checked(env)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining(`${project} belongs to another account`),
    })
  },
)

function as(uid: number, command: string, ...args: readonly string[]) {
  const { HOME: _, ...env } = plainEnvironment(folder)
  return spawnSync(command, args, { uid, gid: uid, env, cwd: '/', encoding: 'utf8' })
}
