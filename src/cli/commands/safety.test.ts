import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fakeWorld } from '../../../test/fake-world.ts'
import { openSqliteStore } from '../../store/sqlite.ts'
import { readAnchors } from '../audit-anchor.ts'
import { isStop } from '../command.ts'
import { askServer } from '../hook/ask-server.ts'
import { parseArguments } from '../parse-arguments.ts'
import type { World } from '../world.ts'
import { safety } from './safety.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'safety-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const ARGS = ['--store', 'memory:', '--hook-port', '0', '--http', '0', '--json']

async function run(args: readonly string[], given: Partial<World> = {}) {
  const world = fakeWorld({ cwd: folder, now: Date.now, ...given })
  const parsed = parseArguments(safety, args)
  if (isStop(parsed)) return { exit: parsed.exit, message: parsed.message, world }
  const ended = await safety.run(parsed, world)
  return isStop(ended) ? { ...ended, world } : { exit: ended, message: '', world }
}

function policy(text: string | object): readonly string[] {
  const file = join(folder, 'policy.json')
  writeFileSync(file, typeof text === 'string' ? text : JSON.stringify(text))
  return ['--policy', file]
}

/** Runs the server until `work` is done with it. */
async function serving<T>(args: readonly string[], work: (at: Served) => Promise<T>, given: Partial<World> = {}) {
  const end = new AbortController()
  let said = ''
  const out = (text: string) => {
    said += text
  }
  const running = run([...ARGS, ...args], { interrupted: end.signal, out, ...given })
  for (let i = 0; i < 3_000 && said === ''; i++) {
    const over = await Promise.race([running, new Promise((resolve) => setTimeout(resolve, 20))])
    if (over) throw new Error(JSON.stringify(over))
  }
  const served = JSON.parse(said) as Served
  try {
    return await work(served)
  } finally {
    end.abort()
    await running
  }
}

interface Served {
  readonly url: string
  readonly tools: readonly string[]
  readonly hooks: { readonly url: string; readonly key: string }
}

async function callTool(url: string, name: string, args: object) {
  const version = '2026-07-28'
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { name, arguments: args, _meta }
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const text = (await response.text()).replace(/^[\s\S]*?data: /, '')
  return JSON.parse(JSON.parse(text).result.content[0].text)
}

describe('DONGLE-03 a policy with a fault ends the start with 2, before anything listens', () => {
  test.each([
    ['an unknown key', { allow: ['*'] }, "'allow' is not a setting"],
    ['a wrong type', { deny: 'rm' }, "'deny' must be"],
    ['no JSON', '{ deny: [] }', 'it is not JSON'],
    ['a key twice', '{"deny": ["rm*"], "deny": []}', 'a key stands in it twice'],
    ['a list', '[]', 'must be a JSON object'],
    ['a webhook over http', { channels: { webhook: { url: 'http://x.test/', secretEnv: 'S' } } }, 'must be https'],
    [
      'a webhook without its secret',
      { channels: { webhook: { url: 'https://x.test/', secretEnv: 'S' } } },
      'variable S',
    ],
  ])('%s', async (_, text, fault) => {
    const { exit, message, world } = await run([...ARGS, ...policy(text)])
    expect([exit, message.includes(fault)]).toEqual([2, true])
    expect(world.said.out).toBe('')
  })

  test('no such file', async () => {
    expect(await run([...ARGS, '--policy', 'nowhere.json'])).toMatchObject({
      exit: 2,
      message: 'There is no file nowhere.json',
    })
  })

  test.each([
    [['--hook-port', 'x'], '--hook-port x'],
    [['--http', 'x'], '--http x'],
    [['--safety-mode', 'lax'], 'safety_loop'],
    [['--safety-mode', 'disabled', '--store', 'memory:'], 'nothing to serve'],
  ])('%j', async (args, fault) => {
    const { exit, message } = await run(args)
    expect([exit, message.includes(fault)]).toEqual([2, true])
  })
})

test('DONGLE-01 DONGLE-02 three families, seven operations, none of a domain', async () => {
  await serving([], async ({ url, tools }) => {
    expect(tools).toEqual(['safety_mcpaql_create', 'safety_mcpaql_execute', 'safety_mcpaql_read'])
    const query = { operation: 'introspect', params: { query: 'operations' } }
    const { data } = await callTool(url, 'safety_mcpaql_read', query)
    const found = data.operations.map(({ name, endpoint }: Record<string, string>) => `${endpoint} ${name}`)
    expect(found.toSorted()).toEqual([
      'create record_execution_step',
      'create verify_challenge',
      'execute abort_execution',
      'execute complete_execution',
      'execute confirm_operation',
      'execute execute_agent',
      'read introspect',
    ])
  })
})

test('DONGLE-04 DONGLE-07 the built-in lists apply, and introspection says what cannot be promised', async () => {
  await serving([], async ({ url }) => {
    const query = { operation: 'introspect', params: { query: 'operations' } }
    const { _protocol } = (await callTool(url, 'safety_mcpaql_read', query)).data
    expect(_protocol.capabilities.execution_safety_loop).toBe('enforcing')
    expect(_protocol.safety).toMatchObject({
      defaults: {
        deny: ['drop_*', 'delete_all*', '*_production*'],
        requiresApproval: ['delete_*', '*force*', 'deploy_*', 'git push*'],
        autoApprove: ['read_*', 'list_*', 'get_*', 'search_*'],
        maxAutonomousSteps: 10,
        riskTolerance: 'moderate',
      },
      reporting: expect.stringContaining('cooperative'),
    })
  })
})

test('LOOP-09 SELF-01 starting an agent waits for a human, and the agent is not one', async () => {
  const onDisk = [...policy({ channels: { console: false } }), '--store', 'sqlite:./asked.db']
  await serving(onDisk, async ({ url }) => {
    const start = { operation: 'execute_agent', params: { element_name: 'bot' } }
    const asked = await callTool(url, 'safety_mcpaql_execute', start)
    expect(asked).toMatchObject({ success: false, error: { code: 'CONFIRMATION_REQUIRED' } })
    const { confirmation_token } = asked.error.details
    const confirm = { operation: 'confirm_operation', params: { confirmation_token } }
    expect(await callTool(url, 'safety_mcpaql_execute', confirm)).toMatchObject({
      error: { code: 'PERMISSION_SELF_APPROVAL_DENIED' },
    })
  })
})

test('DONGLE-05 hooks are judged by the policy of the server', async () => {
  const call = { client: 'claude', event: 'PreToolUse', tool: 'Bash', session: 's', cwd: '/w' }
  await serving(policy({ deny: ['make coffee*'], autoApprove: ['make tea*'] }), async ({ hooks }) => {
    const ask = (command: string) => askServer({ ...call, input: { command } }, hooks, AbortSignal.timeout(5_000))
    expect(await ask('make tea')).toEqual({ kind: 'allow' })
    expect(await ask('make coffee')).toMatchObject({ kind: 'deny', reason: expect.stringContaining("'make coffee*'") })
    expect((await ask('frobnicate --all')).kind).toBe('deny')
  })
})

test('LOOP-07 the environment chooses the mode, and the policy the store', async () => {
  const env = { MCPAQL_SAFETY_LOOP: 'monitoring' }
  const args = policy({ storage: { url: 'sqlite:./kept.db' }, channels: { console: false } })
  const end = new AbortController()
  const said: string[] = []
  const given = { env, interrupted: end.signal, out: (text: string) => void said.push(text) }
  const running = run(['--hook-port', 'off', '--http', '0', '--json', ...args], given)
  for (let i = 0; i < 3_000 && said.length === 0; i++) await new Promise((resolve) => setTimeout(resolve, 20))
  const served = JSON.parse(said[0] ?? '{}')
  expect(served).not.toHaveProperty('hooks')
  const query = { operation: 'introspect', params: { query: 'operations' } }
  const { _protocol } = (await callTool(served.url, 'safety_mcpaql_read', query)).data
  expect(_protocol.capabilities.execution_safety_loop).toBe('monitoring')
  end.abort()
  await running
  expect(existsSync(join(folder, 'kept.db'))).toBe(true)
  expect(readFileSync(join(folder, 'kept.db')).length).toBeGreaterThan(0)
})

test('a webhook rings once for each question, and says nothing of it', async () => {
  const rings: string[] = []
  const bell = createServer(async (req, res) => {
    let body = ''
    for await (const piece of req.setEncoding('utf8')) body += piece
    rings.push(body)
    res.end()
  })
  bell.listen(0, '127.0.0.1')
  await once(bell, 'listening')
  const url = `http://127.0.0.1:${(bell.address() as AddressInfo).port}/`
  const channels = { webhook: { url, secretEnv: 'BELL' } }
  const env = { BELL: 'a secret of some length' }
  const call = { client: 'claude', event: 'PreToolUse', tool: 'Bash', session: 's', cwd: '/w' }
  await serving(
    policy({ channels }),
    async ({ hooks }) => {
      await new Promise((resolve) => setTimeout(resolve, 100))
      const ask = (command: string) => askServer({ ...call, input: { command } }, hooks, AbortSignal.timeout(5_000))
      await ask('git push canary')
      await ask('git push canary')
      for (let i = 0; i < 250 && rings.length === 0; i++) await new Promise((resolve) => setTimeout(resolve, 20))
      await new Promise((resolve) => setTimeout(resolve, 1_200))
    },
    { env },
  )
  bell.close()
  expect(rings.map((ring) => Object.keys(JSON.parse(ring)))).toEqual([['kind', 'level', 'link', 'from', 'at']])
  expect(rings.join()).not.toContain('canary')
  expect(JSON.parse(rings[0] ?? '{}')).toMatchObject({ kind: 'approval' })
})

test('AUDIT-09 the last anchor is noted when the server ends, and the store is closed after it', async () => {
  const anchor = join(folder, 'anchors.jsonl')
  const file = join(folder, 'state.db')
  const args = ['--store', `sqlite:${file}`, '--no-console']
  const start = { operation: 'execute_agent', params: { element_name: 'bot' } }
  await serving(args, ({ url }) => callTool(url, 'safety_mcpaql_execute', start), {
    env: { MCPAQL_AUDIT_ANCHOR: anchor },
  })
  const store = await openSqliteStore(file)
  const { seq, hash } = await store.trail.head()
  await store.close()
  expect(seq).toBeGreaterThan(0)
  expect(readAnchors(anchor).at(-1)).toMatchObject({ seq, hash })
})
