import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type HookKey, openHookKey } from '../../core/hook/hook-key.ts'
import { createJudge } from '../../core/hook/judge.ts'
import { DEFAULT_AUTONOMY } from '../../protocol/directive.ts'
import { type HookServer, serveHooks } from '../../serve/hook-endpoint.ts'
import { createMemoryStore } from '../../store/memory.ts'
import { answerClient } from './answer-client.ts'
import { DOCTOR_CASES, openStage, type Stage } from './doctor-cases.ts'
import { hookCommand } from './hook-command.ts'
import { readEvent } from './read-event.ts'
import { readOrder, runHook } from './run-hook.ts'

const store = createMemoryStore()
let key: HookKey
let server: HookServer
let stage: Stage

beforeAll(async () => {
  key = await openHookKey(store)
  const judge = await createJudge({ store, clock: { now: Date.now }, settings: DEFAULT_AUTONOMY })
  server = await serveHooks({ judge, key, port: 0 })
  stage = await openStage()
})
afterAll(async () => {
  await server.close()
  await stage.close()
})

const CLAUDE = { hook_event_name: 'PreToolUse', session_id: 's', cwd: '/code/app', tool_name: 'Bash' }
const order = () => ({ client: 'claude', url: server.url, key: key.publicKey, deadlineMs: 2_000 })
const run = (event: unknown, given: Partial<ReturnType<typeof order>> = {}) =>
  runHook({ ...order(), ...given }, Readable.from([JSON.stringify(event)]), '/code/app')

describe('section 6: with the safety server', () => {
  test('what it allows passes, and the client’s own rules stay in force', async () => {
    const ended = await run({ ...CLAUDE, tool_input: { command: 'ls' } })
    expect(ended).toEqual({ stdout: '', stderr: '', exit: 0 })
  })

  test('what it refuses is refused in every form that Claude Code knows', async () => {
    const { stdout, stderr, exit } = await run({ ...CLAUDE, tool_input: { command: 'git push' } })
    const said = JSON.parse(stdout)
    expect(exit).toBe(2)
    expect(said).toEqual({
      decision: 'block',
      reason: expect.stringMatching(/mcpaql approve [0-9a-f]{16}/),
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: said.reason,
      },
    })
    expect(stderr).toBe(`${said.reason}\n`)
  })

  test('and in those that Cursor knows', async () => {
    const event = {
      hook_event_name: 'beforeShellExecution',
      conversation_id: 'c',
      command: 'git push',
      cwd: '/code/app',
    }
    const { stdout, stderr, exit } = await run(event, { client: 'cursor' })
    const said = JSON.parse(stdout)
    expect([exit, said.permission, said.agent_message]).toEqual([2, 'deny', said.user_message])
    expect(stderr).toBe(`${said.user_message}\n`)
  })

  test('Cursor gets its word for a yes', async () => {
    const ended = await run({ hook_event_name: 'beforeShellExecution', command: 'ls', cwd: '/code/app' })
    expect(ended).toEqual({ stdout: '{"permission":"allow"}\n', stderr: '', exit: 0 })
  })

  test('the key of another server is nobody’s word', async () => {
    const other = await openHookKey(createMemoryStore())
    const ended = await run({ ...CLAUDE, tool_input: { command: 'ls' } }, { key: other.publicKey })
    expect(ended).toMatchObject({ exit: 2, stderr: expect.stringContaining('not signed with the key') })
  })
})

describe('section 6, 6: after a tool has run', () => {
  const POST = { ...CLAUDE, hook_event_name: 'PostToolUse', session_id: 'post', tool_response: { stdout: '' } }

  test('what was allowed passes in silence, however long its answer', async () => {
    const tool_input = { command: 'ls' }
    await run({ ...CLAUDE, session_id: 'post', tool_input })
    const ended = await run({ ...POST, tool_input, tool_response: { stdout: 'x'.repeat(3_000_000) } })
    expect(ended).toEqual({ stdout: '', stderr: '', exit: 0 })
  })

  test('what was not stops the agent in every form that Claude Code knows', async () => {
    const { stdout, stderr, exit } = await run({ ...POST, session_id: 'unasked', tool_input: { command: 'ls' } })
    const said = JSON.parse(stdout)
    expect(exit).toBe(2)
    expect(said).toEqual({
      continue: false,
      stopReason: expect.stringMatching(/^PROTOCOL_VIOLATION: .*mcpaql approve [0-9a-f]{16}/),
      decision: 'block',
      reason: said.stopReason,
      hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: said.stopReason },
    })
    expect(stderr).toBe(`${said.reason}\n`)
    expect(await run({ ...CLAUDE, session_id: 'unasked', tool_input: { command: 'ls' } })).toMatchObject({ exit: 2 })
  })

  test('Cursor tells it by events of its own, which name neither folder nor server', async () => {
    const shell = { conversation_id: 'c1', command: 'ls' }
    await run({ ...shell, hook_event_name: 'beforeShellExecution', cwd: '/code/app' }, { client: 'cursor' })
    const after = { ...shell, hook_event_name: 'afterShellExecution', output: '', duration: 1 }
    expect(await run(after, { client: 'cursor' })).toEqual({ stdout: '{}\n', stderr: '', exit: 0 })
    const mcp = { conversation_id: 'c1', tool_name: 'list_tables', tool_input: '{}' }
    await run({ ...mcp, hook_event_name: 'beforeMCPExecution', server_name: 'db' }, { client: 'cursor' })
    const told = { ...mcp, hook_event_name: 'afterMCPExecution', result_json: '[]', duration: 1 }
    expect((await run(told, { client: 'cursor' })).exit).toBe(0)
    const unasked = await run(told, { client: 'cursor' })
    expect([unasked.exit, JSON.parse(unasked.stdout).permission]).toEqual([2, 'deny'])
  })

  test('a server that cannot be told is a failure', async () => {
    const given = { url: 'http://127.0.0.1:1/hook' }
    const { exit, stderr } = await run({ ...POST, tool_input: { command: 'ls' } }, given)
    expect([exit, stderr]).toEqual([2, expect.stringContaining('was not told of this call, which has run')])
  })
})

describe('section 6: every failure is a no', () => {
  test.each(DOCTOR_CASES.filter(({ without }) => without === undefined))('$name', async (each) => {
    const given = { url: stage.urlOf(each), key: stage.key, deadlineMs: 500 }
    const { exit } = await run({ ...CLAUDE, tool_input: { command: 'ls' } }, given)
    expect(exit).toBe(each.blocks ? 2 : 0)
  })

  test.each([
    ['no server', { url: 'http://127.0.0.1:1/hook' }, 'cannot be reached'],
    ['a server elsewhere', { url: 'http://192.0.2.1/hook' }, 'not on this computer'],
    ['a name that looks like this computer', { url: 'http://127.0.0.1.example/hook' }, 'not on this computer'],
    ['no address', { url: 'nowhere' }, 'not on this computer'],
    ['no key', { key: 'abc' }, 'is not one'],
  ])('%s', async (_, given, reason) => {
    const ended = await run({ ...CLAUDE, tool_input: { command: 'ls' } }, given)
    expect(ended).toMatchObject({ exit: 2, stderr: expect.stringContaining(reason) })
  })

  test.each([
    ['nothing', ''],
    ['no JSON', '{"hook_event_name":'],
    ['a list', '[]'],
    ['no event', '{}'],
    ['another event', JSON.stringify({ ...CLAUDE, hook_event_name: 'SessionStart' })],
    ['the name of an inherited property', JSON.stringify({ ...CLAUDE, hook_event_name: 'constructor' })],
    ['no tool', JSON.stringify({ hook_event_name: 'PreToolUse', tool_input: {} })],
    ['no input', JSON.stringify(CLAUDE)],
    ['input that is no object', JSON.stringify({ ...CLAUDE, tool_input: 'rm' })],
    ['a command that is none', JSON.stringify({ hook_event_name: 'beforeShellExecution', command: 7 })],
    ['too much', JSON.stringify({ ...CLAUDE, tool_input: { command: 'x'.repeat(1_000_000) } })],
  ])('the client sends %s', async (_, text) => {
    const ended = await runHook(order(), Readable.from([text]), '/')
    expect([ended.exit, ended.stdout === '', ended.stderr === '']).toEqual([2, false, false])
  })

  test('the client sends what is not UTF-8', async () => {
    expect((await runHook(order(), Readable.from([Buffer.from([0x7b, 0xff])]), '/')).exit).toBe(2)
  })

  test('the client never ends its sentence', async () => {
    const endless = new Readable({ read() {} })
    const began = performance.now()
    expect((await runHook({ ...order(), deadlineMs: 200 }, endless, '/')).exit).toBe(2)
    expect(performance.now() - began).toBeLessThan(1_500)
    endless.destroy()
  })

  test('the input breaks', async () => {
    const broken = new Readable({ read: () => broken.destroy(new Error('gone')) })
    expect((await runHook(order(), broken, '/')).exit).toBe(2)
  })

  test.each([
    [['--client', 'claude']],
    [['--client', 'claude', '--url', 'u']],
    [['--url', 'u', '--key']],
    [['--url', 'u', '--key', 'k', '--allow', 'all']],
    [['--url', 'u', '--url', 'v', '--key', 'k']],
    [['--url', 'u', '--key', 'k', '--deadline-ms', 'x']],
    [['--url', 'u', '--key', 'k', '--deadline-ms', '31000']],
  ])('flags %j', async (args) => {
    expect(readOrder(args)).toBeUndefined()
    expect((await runHook(readOrder(args), Readable.from(['{}']), '/')).exit).toBe(2)
  })
})

test('what clients send is read as one call', () => {
  const read = (event: unknown) => readEvent(JSON.stringify(event), 'x', '/folder')
  expect(read({ ...CLAUDE, tool_input: { command: 'ls' } })).toEqual({
    client: 'x',
    event: 'PreToolUse',
    session: 's',
    cwd: '/code/app',
    tool: 'Bash',
    input: { command: 'ls' },
  })
  const mcp = { hook_event_name: 'beforeMCPExecution', tool_name: 'drop_table', tool_input: '{"name":"x"}' }
  expect(read({ ...mcp, workspace_roots: ['/root'] })).toMatchObject({
    tool: 'mcp__server__drop_table',
    input: { name: 'x' },
    cwd: '/root',
  })
  expect(read({ ...mcp, server_name: 'db' })).toMatchObject({ tool: 'mcp__db__drop_table', cwd: '/folder' })
  expect(read({ ...mcp, server_name: 'a b;c' })).toMatchObject({ tool: 'mcp__server__drop_table' })
})

test('a no without a known event is said in the form of the client that the hook was installed for', () => {
  expect(JSON.parse(answerClient({ kind: 'deny', reason: 'r' }, '', 'cursor').stdout)).toMatchObject({
    permission: 'deny',
    user_message: 'r',
  })

  expect(JSON.parse(answerClient({ kind: 'deny', reason: 'r' }, '').stdout).hookSpecificOutput).toEqual({
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: 'r',
  })
})

test('the command is quoted for its shell and ends in 2 whatever happens', () => {
  const parts = { node: "/opt/it's/node", script: '/a b/bin.js', client: 'claude', url: 'http://u', key: 'k' }
  expect(hookCommand(parts, 'linux')).toBe(
    `/usr/bin/env -i '/opt/it'\\''s/node' '/a b/bin.js' --client claude --url http://u --key k || exit 2`,
  )
  expect(hookCommand({ ...parts, node: 'C:\\node.exe' }, 'win32')).toMatch(
    /^set "NODE_OPTIONS=" & (set "\w+=" & )+"C:\\node\.exe" "\/a b\/bin\.js" --client claude --url http:\/\/u --key k \|\| exit 2$/,
  )
})

test('M14 an event in which a key stands twice is refused', () => {
  const inner = '"tool_input":{"command":"ls"}'
  const event = (more: string) => `{"hook_event_name":"PreToolUse","tool_name":"Bash",${inner}${more}}`
  expect(readEvent(event(''), 'claude', '/')).toMatchObject({ tool: 'Bash' })
  for (const more of [',"tool_input":{"command":"rm -rf /"}', ',"tool_\\u0069nput":{}', ',"x":{"a":1,"a":2}'])
    expect(readEvent(event(more), 'claude', '/')).toMatchObject({ fault: expect.stringContaining('twice') })
})
