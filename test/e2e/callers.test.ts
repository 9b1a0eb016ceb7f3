import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BIN, plainEnvironment, type Serving, serveOverHttp } from './bin.ts'
import { initialize, post } from './raw-client.ts'
import { atTerminal, HAS_SCRIPT, type Step } from './terminal.ts'

const SECRET = 'correct horse battery'
const SLOW = { timeout: 120_000 }

let folder: string
let env: Record<string, string>

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpaql-callers-'))
  env = { ...plainEnvironment(folder), TERM: 'dumb' }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function typed(line: string, steps: readonly Step[]) {
  return atTerminal(`exec ${process.execPath} ${BIN} ${line}`, steps, env)
}

function run(...args: readonly string[]) {
  return spawnSync(process.execPath, [BIN, ...args], { env, input: '', encoding: 'utf8' })
}

interface Agent {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  call(operation: string, params?: object, family?: string): Promise<any>
  close(): Promise<void>
}

async function agentOnStdio(name: string, ...args: readonly string[]): Promise<Agent> {
  const client = new Client({ name, version: '1' }, { versionNegotiation: { mode: 'legacy' } })
  const served = [BIN, 'serve', 'demo', '--no-console', ...args]
  await client.connect(new StdioClientTransport({ command: process.execPath, args: served, env, stderr: 'ignore' }))
  return {
    async call(operation, params = {}, family = 'delete') {
      const sent = { name: `tracker_mcpaql_${family}`, arguments: { operation, params } }
      const { content } = (await client.callTool(sent)) as unknown as { content: { text: string }[] }
      return JSON.parse(content[0]?.text ?? '')
    },
    close: () => client.close(),
  }
}

test('an agent with a shell cannot name itself: neither by a pipe nor without the secret', () => {
  for (const args of [
    ['client', 'add', 'me'],
    ['client', 'add', 'me', '--elicitation'],
    ['client', 'revoke', 'me'],
  ]) {
    const { status, stdout, stderr } = run(...args)
    expect([status, stdout]).toEqual([3, ''])
    expect(stderr).toContain('only a human at a terminal can decide')
  }
  expect(JSON.parse(run('client', 'list', '--json').stdout)).toEqual({ clients: [] })
})

test.each([
  [['client', 'add', 'Bad Name'], 'must be 1 to 63 small letters'],
  [['client', 'add', 'stdio'], 'is reserved'],
  [['client', 'add'], 'mcpaql client add NAME'],
  [['client', 'grant', 'x'], 'There is no client grant x'],
  [['client', 'add', 'x', '--url', 'nowhere'], 'is no address'],
])('%j is explained', (args, why) => {
  const { status, stderr } = run(...args)
  expect([status, stderr.includes(why)]).toEqual([2, true])
})

describe.skipIf(!HAS_SCRIPT)('mcpaql client at a terminal', () => {
  let server: Serving
  let token: string
  beforeAll(async () => {
    await typed('secret set', [
      ['characters or more: ', `${SECRET}\r`],
      ['same again: ', `${SECRET}\r`],
    ])
    server = await serveOverHttp(['demo', '--no-console', '--require-client'], env)
  }, 60_000)
  afterAll(() => server?.stop())

  test('add shows the token once, with what the usual clients want to be told', SLOW, async () => {
    const { exit, shown } = await typed(`client add laptop --url ${server.url}`, [['Operator secret: ', `${SECRET}\r`]])
    expect(exit).toBe(0)
    token = /mcpaql_[\w-]{43}/.exec(shown)?.[0] ?? ''
    const flat = shown.replaceAll('\r', '')
    for (const part of [
      `{"mcpServers":{"mcpaql":{"type":"http","url":"${server.url}",`,
      `{"mcpServers":{"mcpaql":{"url":"${server.url}","headers":{"Authorization":"Bearer ${token}"}}}}`,
      `{"servers":{"mcpaql":{"type":"http","url":"${server.url}",`,
      `[mcp_servers.mcpaql]\n  url = "${server.url}"\n  http_headers = { Authorization = "Bearer ${token}" }`,
      `{"mcpServers":{"mcpaql":{"httpUrl":"${server.url}",`,
    ])
      expect(flat).toContain(part)
    // A command line can be read by every account, and the shell keeps it.
    for (const line of flat.split('\n').filter((each) => each.includes(token)))
      expect(line.trim()).toMatch(/^(mcpaql_[\w-]+$|\{"|http_headers = )/)
    expect(readFileSync(join(folder, 'mcpaql', 'state.db')).includes(token)).toBe(false)
    expect(run('audit', 'export').stdout).not.toContain(token)
    expect(run('client', 'list').stdout).toMatch(/laptop +active +no/)
  })

  test('a wrong secret names nobody', SLOW, async () => {
    const { exit, shown } = await typed('client add other --elicitation', [
      ['Operator secret: ', 'a wrong secret\r'],
      ['Operator secret: ', 'a wrong secret\r'],
      ['Operator secret: ', 'a wrong secret\r'],
    ])
    expect(exit).toBe(3)
    expect(shown).not.toContain('mcpaql_')
    expect(run('client', 'list').stdout).not.toContain('other')
  })

  test('the token opens the running server, and the CLI sends it; without it nobody gets in', SLOW, async () => {
    expect((await post(server.url, initialize())).status).toBe(401)
    expect((await post(server.url, initialize(), { authorization: `Bearer ${token}` })).status).toBe(200)
    const asked = spawnSync(process.execPath, [BIN, 'call', server.url, 'list_labels'], {
      env: { ...env, MCPAQL_TOKEN: token },
      encoding: 'utf8',
    })
    expect([asked.status, asked.stderr]).toEqual([0, ''])
    expect(run('call', server.url, 'list_labels').status).toBe(1)
  })

  test('revoke holds at the next request; who did it stands in the trail', SLOW, async () => {
    const opened = await post(server.url, initialize(), { authorization: `Bearer ${token}` })
    const { exit, shown } = await typed('client revoke laptop', [['Operator secret: ', `${SECRET}\r`]])
    expect([exit, shown.includes('laptop is revoked')]).toEqual([0, true])
    const headers = { authorization: `Bearer ${token}`, 'mcp-session-id': opened.headers['mcp-session-id'] ?? '' }
    expect((await post(server.url, { jsonrpc: '2.0', id: 2, method: 'tools/list' }, headers)).status).toBe(401)
    const tail = run('audit', 'tail', '--event', 'CLIENT_REVOKED', '--event', 'CLIENT_ADDED').stdout
    expect(tail).toMatch(/CLIENT_ADDED +added by operator through terminal +client laptop/)
    expect(tail).toMatch(/CLIENT_REVOKED +revoked by operator through terminal +client laptop/)
  })
})

describe('M4 two clients on two pipes and one store', () => {
  test('neither sees, stops or crowds out what the other has; the operator sees which is which', SLOW, async () => {
    const [a, b] = await Promise.all([agentOnStdio('agent-a', '--client', 'desk'), agentOnStdio('agent-b')])
    try {
      const slowly = { project: 'API', api_key: 'key_demo1234', count: 500, delay_ms: 1_000 }
      const started = await a.call('import_issues', slowly, 'execute')
      const execution_id = started.data?.execution_id ?? started.error
      expect(execution_id).toEqual(expect.stringMatching(/^exec_/))
      expect((await b.call('list_executions', {}, 'read')).data.items).toEqual([])
      for (const [operation, family] of [
        ['get_execution', 'read'],
        ['cancel_execution', 'execute'],
      ] as const) {
        const foreign = await b.call(operation, { execution_id }, family)
        const unknown = await b.call(operation, { execution_id: 'exec_none' }, family)
        expect(JSON.stringify(foreign).replaceAll(execution_id, 'exec_none')).toBe(JSON.stringify(unknown))
      }
      for (let at = 0; at < 10; at++) await b.call('delete_issue', { issue_id: `iss_${at + 1}` })
      const { error } = await a.call('delete_issue', { issue_id: 'iss_20' })
      const { requests, held } = JSON.parse(run('approvals', '--json').stdout)
      const own = requests.find(({ id }: { id: string }) => id === error.details.approval_id)
      expect(own).toMatchObject({ principal: 'stdio', label: 'desk', client_claims: 'agent-a 1' })
      expect(requests).toHaveLength(6)
      expect(held).toMatchObject([{ principal: 'stdio', count: 5, session: expect.any(String) }])
      const text = run('approvals').stdout
      expect(text).toContain(`stdio (desk) session ${own.session.slice(0, 8)}, says "agent-a 1"`)
      expect(text).toMatch(/stdio session [\w-]{8}, says "agent-b 1"/)
    } finally {
      await Promise.all([a.close(), b.close()])
    }
  })
})
