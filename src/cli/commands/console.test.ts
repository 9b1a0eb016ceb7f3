import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeWorld } from '../../../test/fake-world.ts'
import { createClients } from '../../core/operator/clients.ts'
import { openSqliteStore } from '../../store/sqlite.ts'
import { isStop } from '../command.ts'
import { findAccount, osSeparation } from '../os-separation.ts'
import { parseArguments } from '../parse-arguments.ts'
import { consoleCommand } from './console.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'console-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function run(...args: readonly string[]) {
  const world = fakeWorld({ cwd: folder, home: folder, input: 'a secret of the operator\n' })
  const given = parseArguments(consoleCommand, args)
  const ended = isStop(given) ? given : await consoleCommand.run(given, world)
  return { exit: isStop(ended) ? ended.exit : ended, message: isStop(ended) ? ended.message : '', ...world.said }
}

test('SELF-07 SELF-08 a secret in a pipe gets no link', async () => {
  const { exit, message, out, err } = await run('--store', `sqlite:${join(folder, 'state.db')}`)
  expect([exit, out, err]).toEqual([3, '', ''])
  expect(message).toContain('not a terminal')
})

test('--check says plainly that the store is within reach', async () => {
  await (await openSqliteStore(join(folder, 'state.db'))).close()
  const { exit, out } = await run('--check', '--store', `sqlite:${join(folder, 'state.db')}`)
  expect(exit).toBe(1)
  expect(out).toContain('The store is within reach of agents that run under this OS account with a shell.')
})

test('SELF-01 --check under the account of the store tells what approves, and fails where a client answers its own forms', async () => {
  const url = `sqlite:${join(folder, 'state.db')}`
  const check = () => run('--check', '--agent', '65533', '--store', url)
  const store = await openSqliteStore(join(folder, 'state.db'))
  const clients = createClients(store, { now: Date.now })
  const by = { by: 'operator', channel: 'terminal' }
  await clients.add({ ...by, name: 'silent', elicitation: false })
  expect(await check()).toMatchObject({ exit: 0, out: expect.stringContaining('No named client answers forms') })
  await clients.add({ ...by, name: 'eve', elicitation: true })
  expect(await check()).toMatchObject({ exit: 1, out: expect.stringMatching(/clients answers: eve\. .*client revoke/) })
  await clients.revoke({ ...by, name: 'eve' })
  expect((await check()).exit).toBe(0)
  await store.close()
  expect((await run('--check', '--store', url)).exit).toBe(1)
  expect((await run('--check', '--agent', 'root', '--store', url)).exit).toBe(1)
})

test('--agent says nothing without --check', async () => {
  expect((await run('--agent', 'somebody-else')).exit).toBe(2)
})

test.each([
  ['--port', '70000'],
  ['--port', 'abc'],
])('%s %s is no port', async (...args) => {
  expect((await run(...args)).exit).toBe(2)
})

test('what ownership says of the store', async () => {
  const file = join(folder, 'state.db')
  expect(osSeparation('memory:').kind).toBe('unknown')
  expect(osSeparation(`sqlite:${file}`).kind).toBe('unknown')
  await (await openSqliteStore(file)).close()
  expect(osSeparation(`sqlite:${file}`).kind).toBe('same')
  const { uid } = statSync(file)
  const other = { uid: uid + 1, name: 'agent' }
  expect(osSeparation(`sqlite:${file}`, other).kind).toBe('separate')
  expect(osSeparation(`sqlite:${file}`, { uid, name: 'somebody-else' }).kind).toBe('same')
  expect(osSeparation(`sqlite:${file}`, { uid: 0, name: 'somebody-else' }).kind).toBe('same')
  const agent = { uid: statSync(file).uid + 1, username: 'agent' }
  expect(osSeparation(`sqlite:${file}`, undefined, agent).kind).toBe('separate')
  expect(osSeparation(`sqlite:${file}`, undefined, { uid: 0, username: 'root' }).kind).toBe('same')
  chmodSync(file, 0o644)
  expect(osSeparation(`sqlite:${file}`, undefined, agent).kind).toBe('same')
  expect(osSeparation(`sqlite:${file}`, other).kind).toBe('same')
})

test('SELF-01 an account is known by its number, however it is named', () => {
  expect(findAccount('root')?.uid).toBe(0)
  for (const name of ['0', '#0', ' 00']) expect(findAccount(name)?.uid).toBe(0)
  expect(findAccount(userInfo().username)?.uid).toBe(userInfo().uid)
  expect(findAccount('12345')?.uid).toBe(12_345)
  for (const name of ['no-such-account', 'ROOT', '', '-u', '--help', '4294967295', '1.5', '/etc/passwd'])
    expect([name, findAccount(name)]).toEqual([name, undefined])
})

test.each(['nosuchaccount', 'ROOT', '#', '-'])(
  'SELF-01 --check refuses an account that is unknown: %s',
  async (agent) => {
    await (await openSqliteStore(join(folder, 'state.db'))).close()
    expect((await run('--check', `--agent=${agent}`, '--store', `sqlite:${join(folder, 'state.db')}`)).exit).toBe(2)
  },
)

test.each([String(userInfo().uid), `#${userInfo().uid}`, userInfo().username, '0', '#0', 'root'])(
  'SELF-01 --check fails for the owner of the store and for root: --agent %s',
  async (agent) => {
    await (await openSqliteStore(join(folder, 'state.db'))).close()
    expect((await run('--check', '--agent', agent, '--store', `sqlite:${join(folder, 'state.db')}`)).exit).toBe(1)
  },
)

test.skipIf(userInfo().uid === 0)('a store in a closed folder is out of reach', () => {
  chmodSync(folder, 0)
  expect(osSeparation(`sqlite:${join(folder, 'state.db')}`).kind).toBe('separate')
  chmodSync(folder, 0o700)
})
