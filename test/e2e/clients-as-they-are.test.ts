import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BIN, plainEnvironment, serveOverHttp } from './bin.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpaql-clients-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

type Env = Readonly<Record<string, string>>
interface Reply {
  readonly success: boolean
  readonly data?: unknown
  readonly warnings?: readonly { readonly code: string; readonly message: string }[]
  readonly error?: { readonly code: string; readonly details: Readonly<Record<string, unknown>> }
}

async function overStdio(env: Env) {
  const client = new Client({ name: 'plain', version: '1' })
  const args = [BIN, 'serve', 'demo', '--no-console']
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: { ...env }, stderr: 'ignore' }))
  return client
}

async function call(client: Client, family: string, args: Readonly<Record<string, unknown>>): Promise<Reply> {
  const { content } = (await client.callTool({ name: `tracker_mcpaql_${family}`, arguments: args })) as {
    content: { text: string }[]
  }
  return JSON.parse(content[0]?.text ?? '') as Reply
}

describe('REQ-02 objects that a client sends as JSON text', () => {
  test.each([
    ['stdio', false],
    ['HTTP', true],
  ])(
    'are taken as what they hold, over %s',
    async (_, isHttp) => {
      const env = plainEnvironment(folder)
      const server = isHttp ? await serveOverHttp(['demo', '--no-console'], env) : undefined
      const client = server ? new Client({ name: 'plain', version: '1' }) : await overStdio(env)
      if (server) await client.connect(new StreamableHTTPClientTransport(new URL(server.url)))
      const one = await call(client, 'read', { operation: 'list_issues', params: '{"first":1}' })
      expect(one).toMatchObject({
        success: true,
        data: { items: [expect.anything()] },
        warnings: [{ code: 'VALIDATION_JSON_TEXT_WARNING', message: expect.stringContaining("'params' was sent as") }],
      })
      const batch = await call(client, 'read', { operations: '[{"operation":"list_labels","params":{"first":1}}]' })
      expect(batch).toMatchObject({ success: true, warnings: [{ code: 'VALIDATION_JSON_TEXT_WARNING' }] })
      const wrong = await call(client, 'read', { operation: 'list_issues', params: 'first=1' })
      expect(wrong.error).toMatchObject({
        code: 'VALIDATION_INVALID_TYPE',
        details: { hint: expect.stringContaining('beside operation') },
      })
      await client.close()
      await server?.stop()
    },
    60_000,
  )

  test('GATE-09 what is approved is what the text holds: another text needs another approval', async () => {
    const client = await overStdio(plainEnvironment(folder))
    const asked = await call(client, 'delete', { operation: 'delete_label', params: '{"name":"design"}' })
    const token = asked.error?.details.confirmation_token
    expect(asked.error?.code).toBe('CONFIRMATION_REQUIRED')
    const swapped = await call(client, 'delete', {
      operation: 'delete_label',
      params: '{"name":"docs"}',
      _confirmation: token,
    })
    expect(swapped.error?.code).toBe('TOKEN_SCOPE_MISMATCH')
    await client.close()
  }, 60_000)
})

describe('the store is found however the client strips the environment', () => {
  const run = (args: readonly string[], env: Env) =>
    spawnSync(process.execPath, [BIN, ...args], { env: { ...env }, encoding: 'utf8' })
  const stripped = () => ({ PATH: process.env.PATH ?? '', HOME: folder })
  const full = () => ({ ...stripped(), XDG_STATE_HOME: join(folder, 'state') })
  const ask = (client: Client) => call(client, 'delete', { operation: 'delete_label', params: { name: 'design' } })

  test('a server without XDG_STATE_HOME, an operator with it', async () => {
    const client = await overStdio(stripped())
    await ask(client)
    const { stdout } = run(['approvals'], full())
    expect(stdout).toContain('delete_label')
    expect(stdout).toContain(`Store: sqlite:${join(folder, '.local/state/mcpaql/state.db')}`)
    await client.close()
  }, 60_000)

  test('an operator with XDG_STATE_HOME first, then a server without it', async () => {
    run(['approvals'], full())
    const client = await overStdio(stripped())
    await ask(client)
    expect(run(['approvals'], full()).stdout).toContain('delete_label')
    expect(existsSync(join(folder, '.local/state/mcpaql/state.db'))).toBe(false)
    await client.close()
  }, 60_000)

  test('where both have a store of their own, approvals says what waits in the other', async () => {
    const elsewhere = { ...stripped(), XDG_STATE_HOME: join(folder, 'state') }
    const client = await overStdio(stripped())
    const other = await overStdio(elsewhere)
    await ask(client)
    await call(other, 'read', { operation: 'list_labels' })
    const { stdout } = run(['approvals'], elsewhere)
    expect(stdout).toContain('Nothing waits.')
    for (const line of [['blocks'], ['audit', 'tail'], ['trust']])
      expect(run(line, elsewhere).stderr).toMatch(/another one: --store sqlite:.*\.local/)
    expect(stdout).toMatch(/1 request waits in another store of this account: .* --store sqlite:.*\.local/)
    const json = JSON.parse(run(['approvals', '--json'], elsewhere).stdout) as Record<string, unknown>
    expect(json).toMatchObject({ store: expect.stringContaining('/state/mcpaql/'), elsewhere: { count: 1 } })
    await other.close()
    await client.close()
  }, 60_000)

  test.each([
    ['outside the home folder', () => ({ home: folder, state: mkdtempSync(join(tmpdir(), 'mcpaql-state-')) })],
    [
      'in the home folder, which is a link',
      () => {
        const home = `${folder}-link`
        symlinkSync(folder, home)
        return { home, state: join(folder, 'state') }
      },
    ],
  ])(
    'an operator whose XDG_STATE_HOME is %s, then a server without it',
    async (_, place) => {
      const { home, state } = place()
      // What lies among temporary files is never pointed to, and here everything does.
      const bare = { ...stripped(), HOME: home, TMPDIR: join(folder, 'tmp') }
      const operator = { ...bare, XDG_STATE_HOME: state }
      run(['approvals'], operator)
      const client = await overStdio(bare)
      await ask(client)
      const { stdout, stderr } = run(['approvals'], operator)
      expect([stdout, stderr]).toEqual([expect.stringContaining('delete_label'), ''])
      await client.close()
      rmSync(home === folder ? state : home, { recursive: true, force: true })
    },
    60_000,
  )

  test('a pointer that others could have written is not followed', () => {
    const pointer = join(folder, '.local/state/mcpaql/where')
    const foreign = join(folder, 'foreign.db')
    mkdirSync(dirname(pointer), { recursive: true })
    writeFileSync(foreign, '')
    const store = () =>
      (JSON.parse(run(['approvals', '--json'], stripped()).stdout) as { readonly store: string }).store
    writeFileSync(pointer, `${foreign}\n`)
    chmodSync(pointer, 0o666)
    expect(store()).not.toContain('foreign')
    rmSync(pointer)
    writeFileSync(join(folder, 'note'), `${foreign}\n`, { mode: 0o600 })
    symlinkSync(join(folder, 'note'), pointer)
    expect(store()).not.toContain('foreign')
    expect(readFileSync(foreign, 'utf8')).toBe('')
  }, 60_000)
})
