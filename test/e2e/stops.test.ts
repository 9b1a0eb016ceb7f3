import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BIN, plainEnvironment } from './bin.ts'
import { atTerminal, HAS_SCRIPT, type Step } from './terminal.ts'

const SECRET = 'correct horse battery'
const SLOW = { timeout: 120_000 }
const BLOCKED = 'PERMISSION_AGENT_BLOCKED'
const READING = { operation: 'list_labels', params: {} }

let folder: string
let env: Record<string, string>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcpaql-stop-e2e-'))
  env = { ...plainEnvironment(folder), TERM: 'dumb' }
  if (!HAS_SCRIPT) return
  await typed('secret set', [
    ['characters or more: ', `${SECRET}\r`],
    ['same again: ', `${SECRET}\r`],
  ])
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.skipIf(HAS_SCRIPT)('SKIPPED: no util-linux `script` here, so nobody was stopped at a terminal', ({ skip }) =>
  skip(),
)

function typed(line: string, steps: readonly Step[]) {
  return atTerminal(`${process.execPath} ${BIN} ${line}`, steps, env)
}

const SIGNED: Step = ['Operator secret: ', `${SECRET}\r`]
const stop = (line: string) => typed(`block ${line} --reason "acts on text from a ticket"`, [SIGNED])
const letGoOn = (name: string) =>
  typed(`unblock ${name} --reason "it was a test of ours"`, [SIGNED, ['Type unblock', 'unblock\r']])

interface Agent {
  /** The code of a failure, or `done`. */
  call(args: object): Promise<string>
  ask(args: object): Promise<Reply>
  readonly pid: number | null
  close(): Promise<void>
}

interface Reply {
  readonly success: boolean
  readonly data?: unknown
  readonly results?: readonly unknown[]
  readonly error?: { readonly code: string; readonly details?: Readonly<Record<string, unknown>> }
}

/** A client with a server of its own on the pipe; all of them share the store, and so the principal. */
async function connect(mode: string): Promise<Agent> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'serve', 'demo', '--mode', 'single', '--safety-mode', mode, '--no-console'],
    env,
    stderr: 'ignore',
  })
  const client = new Client({ name: 'stop-test', version: '1' })
  await client.connect(transport)
  const { tools } = await client.listTools()
  const ask = async (args: object): Promise<Reply> => {
    const { content } = await client.callTool({ name: tools[0]?.name ?? '', arguments: { ...args } })
    return JSON.parse((content as { text: string }[])[0]?.text ?? '{}')
  }
  return {
    ask,
    call: async (args) => (await ask(args)).error?.code ?? 'done',
    pid: transport.pid,
    close: () => client.close(),
  }
}

describe.skipIf(!HAS_SCRIPT).each(['disabled', 'monitoring', 'logging', 'enforcing'])(
  'R-25, BLOCK-10 `mcpaql block` against two servers on one store, %s',
  (mode) => {
    test('both refuse from their next request on, whatever is asked for, also after a restart', SLOW, async () => {
      const agents = await Promise.all([connect(mode), connect(mode)])
      const [one, two] = agents as [Agent, Agent]
      for (const agent of agents) expect(await agent.call(READING)).toBe('done')
      const held = await one.ask({ operation: 'delete_label', params: { name: 'design' } })
      const waiting = two.ask({ operation: 'delete_label', params: { name: 'bug' } }).then(({ error }) =>
        two.call({
          operation: 'delete_label',
          params: { name: 'bug' },
          _confirmation: error?.details?.confirmation_token,
          _wait_seconds: 50,
        }),
      )
      const { exit, shown } = await stop('--principal stdio')
      expect(exit).toBe(0)
      expect(shown.replace(/\s+/g, ' ')).toContain('in every safety mode')

      for (const agent of agents) {
        expect(await agent.call(READING)).toBe(BLOCKED)
        expect(await agent.call({ operation: 'create_label', params: { name: 'x', color: '#ffffff' } })).toBe(BLOCKED)
        const { results } = await agent.ask({ operations: [READING, READING] })
        expect(JSON.stringify(results)).not.toContain('"success":true')
        expect(await agent.call({ operation: 'introspect', params: { query: 'operations' } })).toBe('done')
      }
      const redeeming = { operation: 'delete_label', params: { name: 'design' } }
      const _confirmation = held.error?.details?.confirmation_token
      expect(await one.call({ ...redeeming, _confirmation })).toBe(BLOCKED)
      expect(await waiting).toBe(BLOCKED)

      await one.close()
      process.kill(two.pid ?? 0, 'SIGKILL')
      const again = await connect(mode)
      expect(await again.call(READING)).toBe(BLOCKED)
      expect((await letGoOn('stdio')).exit).toBe(0)
      expect(await again.call(READING)).toBe('done')
      expect(await again.call({ ...redeeming, _confirmation })).toBe('TOKEN_INVALID')
      await again.close()
    })
  },
)

describe.skipIf(!HAS_SCRIPT)('BLOCK-10 a denial as manipulated', () => {
  test('stops the agent that asked while the loop is disabled', SLOW, async () => {
    const agent = await connect('disabled')
    const { error } = await agent.ask({ operation: 'delete_label', params: { name: 'design' } })
    const { exit } = await typed(`deny ${String(error?.details?.approval_id)} --manipulated --reason "not mine"`, [
      SIGNED,
    ])
    expect(exit).toBe(0)
    expect(await agent.call(READING)).toBe(BLOCKED)
    expect(await agent.call({ operation: 'update_issue', params: { issue_id: 'iss_1', title: 'x' } })).not.toBe('done')
    expect((await letGoOn('stdio')).exit).toBe(0)
    expect(await agent.call(READING)).toBe('done')
    await agent.close()
  })
})
