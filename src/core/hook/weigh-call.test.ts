import { describe, expect, test } from 'vitest'
import { patchedPaths } from './patched-paths.ts'
import { hashCall, readQuestion, type ToolCall } from './tool-call.ts'
import { weighCall } from './weigh-call.ts'

const CALL: ToolCall = {
  client: 'claude',
  event: 'PreToolUse',
  tool: 'Bash',
  input: {},
  session: 's',
  cwd: '/code/app',
}

describe('section 6: the call itself is judged', () => {
  test.each([
    // tool, input, from, to
    ['Bash', { command: 'git status' }, 0, 30],
    ['Bash', { command: 'rm -rf /' }, 86, 100],
    ['Bash', { command: 'rm /code/app/notes.txt' }, 15, 30],
    ['Bash', { command: 'rm /code/other/notes.txt' }, 61, 85],
    ['Bash', { command: ['bash', '-lc', 'rm -rf /'] }, 86, 100],
    ['Bash', { command: ['ls', '-la'] }, 0, 30],
    ['Bash', { command: 'frobnicate --all' }, 31, 60],
    ['Bash', { command: 7 }, 45, 45],
    ['Bash', {}, 45, 45],
    ['exec_command', { cmd: 'rm -rf ~' }, 86, 100],
    ['Write', { file_path: '/code/app/src/a.ts', content: 'rm -rf /' }, 20, 20],
    ['Write', { file_path: 'src/a.ts', content: '' }, 20, 20],
    ['Write', { file_path: '/code/app/../../etc/passwd' }, 72, 100],
    ['Write', { file_path: '/home/ann/.ssh/authorized_keys' }, 72, 72],
    ['Edit', { file_path: '/code/app/.claude/settings.json' }, 72, 72],
    ['Edit', { file_path: '/code/app/.cursor/hooks.json' }, 72, 72],
    ['Edit', { file_path: '/code/app/.git/config' }, 72, 72],
    ['Write', { file_path: '/srv/www/index.html' }, 45, 45],
    ['Write', { file_path: '/dev/sda' }, 95, 95],
    ['Write', { contents: 'x' }, 45, 45],
    ['apply_patch', { input: '*** Begin Patch\n*** Update File: src/a.ts\n' }, 20, 20],
    ['apply_patch', { input: '*** Begin Patch\n*** Delete File: src/a.ts\n' }, 45, 45],
    ['apply_patch', { input: '*** Update File: src/a.ts\n*** Add File: /etc/cron.d/x\n' }, 72, 100],
    ['apply_patch', { input: 'nothing' }, 45, 45],
    ['Read', { file_path: '/code/app/README.md' }, 8, 8],
    ['Read', { file_path: '/home/ann/.aws/credentials' }, 62, 62],
    ['Grep', { pattern: 'x', path: '/home/ann/.ssh/id_rsa' }, 62, 62],
    ['WebFetch', { url: 'https://example.org/' }, 0, 30],
    ['WebFetch', { url: 'file:///etc/passwd' }, 45, 45],
    ['TodoWrite', { todos: [] }, 5, 5],
    ['mcp__github__get_issue', { number: 1 }, 0, 30],
    ['mcp__github__delete_repo', { name: 'x' }, 41, 60],
    ['mcp__db__drop_table', { name: 'x' }, 86, 100],
    ['mcp__x_mcpaql__run', { operation: 'introspect', command: 'rm -rf /' }, 86, 100],
    ['mcp__x_mcpaql__run', { operation: 'introspect', params: { cmd: 'rm -rf /' } }, 86, 100],
    ['mcp__x_mcpaql__run', { operation: 'introspect', params: { query: 'operations' } }, 31, 60],
    ['mcp__github__create_comment', { body: 'use `rm -rf dist` or $(rm -rf dist)' }, 31, 60],
    ['mcp__db__query', { sql: 'DROP TABLE users' }, 61, 100],
    ['mcp__x__frobnicate', {}, 31, 60],
    ['mcp__safety__safety_mcpaql_create', { operation: 'record_execution_step', params: {} }, 31, 60],
    [
      'mcp__safety__safety_mcpaql_create',
      { operation: 'record_execution_step', params: { path: '/etc/passwd' } },
      31,
      100,
    ],
    ['mcp__tracker__tracker_mcpaql_delete', { operation: 'delete_issue', params: { id: 1 } }, 61, 100],
    ['mcp__tracker__tracker_mcpaql_read', { operation: 'list_issues' }, 0, 30],
    ['Teleport', { to: 'moon' }, 31, 60],
    ['Teleport', { command: 'rm -rf /' }, 86, 100],
    ['__proto__', {}, 31, 60],
    ['constructor', {}, 31, 60],
  ])('%s %j is worth %i to %i', (tool, input, least, most) => {
    const { scored, hint } = weighCall({ ...CALL, tool, input })
    expect(scored.score).toBeGreaterThanOrEqual(least)
    expect(scored.score).toBeLessThanOrEqual(most)
    expect(scored.factors.length).toBeGreaterThan(0)
    expect(hint).not.toBe('')
  })

  test('AUTO-09 the words that patterns look at', () => {
    const hints = [
      { ...CALL, input: { command: 'git push' } },
      { ...CALL, tool: 'mcp__db__drop_table', input: { name: 'x' } },
      { ...CALL, tool: 'Write', input: { file_path: 'a.md', content: 'rm -rf /' } },
    ].map((call) => weighCall(call).hint)
    expect(hints).toEqual(['git push', 'db.drop_table {"name":"x"}', 'Write a.md'])
  })

  test('without a folder to start from a relative path is unknown', () => {
    expect(weighCall({ ...CALL, cwd: '', tool: 'Write', input: { file_path: 'a.md' } }).scored.score).toBe(45)
    expect(weighCall({ ...CALL, cwd: '/', tool: 'Write', input: { file_path: '/a/b' } }).scored.score).toBe(45)
  })
})

test('a patch in either notation names its files', () => {
  const diff = '--- a/src/old.ts\t2026\n+++ b/src/new.ts\n@@\n--- /dev/null\n'
  expect(patchedPaths(diff).map(({ path }) => path)).toEqual(['src/old.ts', 'src/new.ts'])
})

describe('SELF-11 what an approval binds to', () => {
  const call = { ...CALL, input: { command: 'ls', description: 'List files' } }

  test.each([
    ['the order of keys', { ...call, input: { description: 'List files', command: 'ls' } }, true],
    ['the remark', { ...call, input: { command: 'ls', description: 'Look around' } }, true],
    ['the command', { ...call, input: { ...call.input, command: 'ls ' } }, false],
    ['another argument', { ...call, input: { ...call.input, timeout: 1 } }, false],
    ['the folder', { ...call, cwd: '/' }, false],
    ['the session', { ...call, session: 't' }, false],
    ['the client', { ...call, client: 'cursor' }, false],
    ['the tool', { ...call, tool: 'bash' }, false],
  ])('%s', (_, other, isSame) => {
    expect(hashCall(other) === hashCall(call)).toBe(isSame)
  })

  test('the description of another tool is a parameter like any other', () => {
    const issue = { ...CALL, tool: 'mcp__github__create_issue', input: { description: 'a' } }
    expect(hashCall(issue)).not.toBe(hashCall({ ...issue, input: { description: 'b' } }))
  })
})

describe('a question that cannot be read is none', () => {
  const body = { nonce: 'n'.repeat(22), ...CALL, input: { command: 'ls' } }

  test('a whole one', () => {
    expect(readQuestion(body)).toEqual({ nonce: body.nonce, call: { ...CALL, input: { command: 'ls' } } })
  })

  test.each([
    ['no object', []],
    ['no nonce', { ...body, nonce: undefined }],
    ['a short nonce', { ...body, nonce: 'n'.repeat(21) }],
    ['a nonce of other letters', { ...body, nonce: `${body.nonce}\n` }],
    ['no tool', { ...body, tool: '' }],
    ['a tool that is a number', { ...body, tool: 7 }],
    ['a tool that is too long', { ...body, tool: 'x'.repeat(301) }],
    ['input that is a list', { ...body, input: [] }],
    ['no folder', { ...body, cwd: null }],
    ['no client', { ...body, client: '' }],
    ['fields of the prototype', Object.create(body)],
  ])('%s', (_, value) => {
    expect(readQuestion(value)).toBeUndefined()
  })
})
