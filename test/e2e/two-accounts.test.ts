import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BIN, plainEnvironment, type Serving, serveOverHttp } from './bin.ts'
import { initialize, post, resultOf, toolCall } from './raw-client.ts'
import { atTerminal, HAS_SCRIPT } from './terminal.ts'

const SECRET = 'correct horse battery'
const SLOW = { timeout: 120_000 }
/** The server and its store belong to one account, the agent has a shell under the other. */
const SERVER = 54_321
const AGENT = 54_322

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-two-accounts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
chmodSync(folder, 0o755)
const homes = { [SERVER]: join(folder, 'server'), [AGENT]: join(folder, 'agent') }
if (process.getuid?.() === 0)
  for (const [uid, home] of Object.entries(homes)) {
    mkdirSync(home, { mode: 0o700 })
    chownSync(home, Number(uid), Number(uid))
  }
const store = join(homes[SERVER], 'mcpaql', 'state.db')

/** A clone that other accounts cannot read has no program for them. */
const hasTwoAccounts =
  process.getuid?.() === 0 &&
  HAS_SCRIPT &&
  spawnSync('setpriv', ['--version']).status === 0 &&
  asAgent('-e', `require('fs').accessSync(${JSON.stringify(BIN)})`).status === 0

function asAgent(...args: readonly string[]) {
  const env = plainEnvironment(homes[AGENT])
  return spawnSync(process.execPath, args, { uid: AGENT, gid: AGENT, env, cwd: '/', input: '', encoding: 'utf8' })
}

function asOperator(line: string, steps: readonly (readonly [string, string])[] = []) {
  const account = `setpriv --reuid=${SERVER} --regid=${SERVER} --clear-groups`
  return atTerminal(`cd / && exec ${account} ${process.execPath} ${BIN} ${line}`, steps, {
    ...plainEnvironment(homes[SERVER]),
    TERM: 'dumb',
  })
}

/** What an agent can try with files and processes of the other account; each prints what became of it. */
const TRIES = `
const fs = require('node:fs')
const [store, pid] = process.argv.slice(1)
const folder = require('node:path').dirname(store)
const tries = {
  'read the store': () => fs.readFileSync(store),
  'read its log': () => fs.readFileSync(store + '-wal'),
  'write the store': () => fs.appendFileSync(store, 'x'),
  'list the folder': () => fs.readdirSync(folder),
  'put another store there': () => fs.renameSync(folder, folder + '-old'),
  'write the settings of the operator': () => fs.writeFileSync(folder + '/../mcpaql.yaml', 'safety_loop: disabled'),
  'read the environment of the server': () => fs.readFileSync('/proc/' + pid + '/environ'),
  'read the memory of the server': () => fs.readFileSync('/proc/' + pid + '/mem'),
  'end the server': () => process.kill(pid, 'SIGKILL'),
  'open a debugger in the server': () => process.kill(pid, 'SIGUSR1'),
}
for (const [name, attempt] of Object.entries(tries)) {
  try {
    attempt()
    console.log(name + ': DONE')
  } catch ({ code }) {
    console.log(name + ': ' + code)
  }
}`

describe.skipIf(!hasTwoAccounts)('an agent with a shell under another account than the server', () => {
  let server: Serving
  let headers: Record<string, string>
  let token: string
  beforeAll(async () => {
    await asOperator('secret set', [
      ['characters or more: ', `${SECRET}\r`],
      ['same again: ', `${SECRET}\r`],
    ])
    server = await serveOverHttp(['demo', '--no-console'], plainEnvironment(homes[SERVER]), SERVER)
    const { params, ...rest } = initialize()
    const opened = await post(server.url, { ...rest, params: { ...params, capabilities: { elicitation: {} } } })
    headers = { 'mcp-session-id': opened.headers['mcp-session-id'] ?? '' }
    token = (await remove()).error.details.confirmation_token
  }, 60_000)
  afterAll(() => server?.stop())

  /** Every message that comes back must be the answer: no form is ever sent to this caller. */
  async function remove(more: object = {}) {
    const sent = { operation: 'delete_issue', params: { issue_id: 'iss_29' }, ...more }
    const { messages } = await post(server.url, toolCall(2, 'tracker_mcpaql_delete', sent), headers)
    expect(messages).toHaveLength(1)
    return resultOf(messages[0])
  }

  test('reaches neither the store, the settings, the memory nor the process', SLOW, () => {
    const { stdout, stderr } = asAgent('-e', TRIES, store, String(server.child.pid))
    expect([stderr, stdout.trim().split('\n').length]).toEqual(['', 10])
    expect(stdout).not.toContain('DONE')
    expect([server.child.exitCode, statSync(store).uid]).toEqual([null, SERVER])
  })

  test.each([
    ['approvals'],
    ['approve', 'appr_1'],
    ['deny', 'appr_1'],
    ['unblock', 'anonymous', '--reason', 'it was a mistake'],
    ['client', 'add', 'me', '--elicitation'],
    ['client', 'list'],
    ['trust', 'tracker', 'validated', '--reason', 'it has been read'],
    ['secret', 'set'],
    ['audit', 'tail'],
    ['audit', 'prune', '--keep-days', '365', '--no-anchor'],
    ['console', '--no-open'],
    ['serve', 'demo', '--no-console'],
  ])('mcpaql %s … is refused on that store', SLOW, (...line) => {
    const { status, stdout, stderr } = asAgent(BIN, ...line, '--store', `sqlite:${store}`)
    expect(status).toBe(2)
    expect(stderr).toMatch(/may not be written by this user|This account may not look at/)
    expect(stdout).not.toMatch(/appr_|iss_29|tracker_mcpaql/)
  })

  test('cannot approve its own call; the operator can, and the trail tells both', SLOW, async () => {
    expect((await remove({ confirmation_token: token })).error.code).toBe('CONFIRMATION_REQUIRED')
    const { shown } = await asOperator('approvals --json')
    const [request] = JSON.parse(shown).requests
    const approved = await asOperator(`approve ${request.id}`, [
      ['Operator secret: ', `${SECRET}\r`],
      ['approve', 'approve\r'],
    ])
    expect([approved.exit, approved.shown]).toEqual([0, expect.any(String)])
    expect((await remove({ confirmation_token: token })).success).toBe(true)
    const tail = (await asOperator('audit tail --json')).shown
    expect(tail).toMatch(/"channel":"terminal"/)
  })

  test('console --check says that no process of the agent could approve', SLOW, async () => {
    const { exit, shown } = await asOperator(`console --check --agent ${AGENT}`)
    expect([exit, shown]).toEqual([0, expect.stringContaining('another OS account')])
  })
})
