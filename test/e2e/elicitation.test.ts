import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Client as Client2,
  StreamableHTTPClientTransport as Http2,
  type ClientOptions as Options2,
} from '@modelcontextprotocol/client'
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClients } from '../../src/core/operator/clients.ts'
import { openStore } from '../../src/store/open.ts'
import { BIN, plainEnvironment, type Serving, serveOverHttp } from './bin.ts'

const WHO = { name: 'elicitation-test', version: '1' }
const folder = mkdtempSync(join(tmpdir(), 'mcpaql-elicit-'))
/** More questions than one human would be asked in ten minutes (SELF-13). */
const env = { ...plainEnvironment(folder), MCPAQL_MAX_NEW_PROMPTS: '200', MCPAQL_MAX_OPEN_PROMPTS: '100' }

let server: Serving
/** Of a client that the operator allowed to ask its user, and of one that it did not. */
let tokens: { readonly asked: string; readonly silent: string }
beforeAll(async () => {
  server = await serveOverHttp(['demo', '--no-console'], env)
  const store = await openStore('default', { stateFolder: folder })
  const clients = createClients(store, { now: Date.now })
  const add = async (name: string, elicitation: boolean) => {
    const added = await clients.add({ name, elicitation, by: 'operator', channel: 'terminal' })
    return added.kind === 'added' ? added.token : ''
  }
  tokens = { asked: await add('asked', true), silent: await add('silent', false) }
  await store.close()
}, 60_000)

const bearing = (token: string | undefined) =>
  token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } }
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** What the user does with the question, and what the question was. */
type Answering = () => Answer | Promise<Answer>
type Answer = { readonly action: string; readonly content?: Readonly<Record<string, unknown>> }
interface Asked {
  readonly message: string
  readonly requestedSchema?: unknown
}
interface Caller {
  call(operation: string, params: Readonly<Record<string, unknown>>, family?: string, timeout?: number): Promise<Reply>
  readonly questions: Asked[]
  close(): Promise<void>
}
interface Reply {
  readonly success: boolean
  readonly data?: { readonly [key: string]: unknown }
  readonly error?: { readonly code: string; readonly details?: Readonly<Record<string, unknown>> }
}

const CAPABLE = { capabilities: { elicitation: { form: {} } } }

async function connect2(
  answer: Answering,
  mode: NonNullable<Options2['versionNegotiation']>['mode'],
  where: 'http' | 'stdio',
  options: object = CAPABLE,
  token?: string,
) {
  const client = new Client2(WHO, { ...options, versionNegotiation: { mode } } as Options2)
  const questions: Asked[] = []
  const ask = async (request: { readonly params: unknown }) => {
    questions.push(request.params as Asked)
    return answer() as never
  }
  if (options === CAPABLE) client.setRequestHandler('elicitation/create', ask)
  const transport =
    where === 'http'
      ? new Http2(new URL(server.url), bearing(token))
      : new Stdio2({ command: process.execPath, args: [BIN, 'serve', 'demo', '--no-console'], env, stderr: 'ignore' })
  await client.connect(transport as Parameters<Client2['connect']>[0])
  return caller(
    (args, options) => client.callTool(args, options) as never,
    questions,
    () => client.close(),
  )
}

async function connect1(answer: Answering, token?: string) {
  const client = new Client1(WHO, { capabilities: { elicitation: {} } })
  const questions: Asked[] = []
  client.setRequestHandler(ElicitRequestSchema, async (request) => {
    questions.push(request.params as unknown as Asked)
    return answer() as never
  })
  await client.connect(new Http1(new URL(server.url), bearing(token)) as never)
  return caller(
    (args, options) => client.callTool(args, undefined, options) as never,
    questions,
    () => client.close(),
  )
}

function caller(
  send: (
    args: { name: string; arguments: Record<string, unknown> },
    options: { timeout: number },
  ) => Promise<{ content: { text: string }[] }>,
  questions: Asked[],
  close: () => Promise<void>,
): Caller {
  return {
    questions,
    close,
    async call(operation, params, family = 'delete', timeout = 60_000) {
      const call = { name: `tracker_mcpaql_${family}`, arguments: { operation, params: { ...params } } }
      const result = await send(call, { timeout })
      return JSON.parse(result.content[0]?.text ?? '') as Reply
    },
  }
}

const OVER_HTTP = [
  [
    'SDK 2.4, 2026-07-28, HTTP',
    (answer: Answering, token?: string) => connect2(answer, { pin: '2026-07-28' }, 'http', CAPABLE, token),
  ],
  ['SDK 2.4, legacy, HTTP', (answer: Answering, token?: string) => connect2(answer, 'legacy', 'http', CAPABLE, token)],
  ['SDK 1.32, HTTP', connect1],
] as const

const NOT_ASKED = OVER_HTTP.flatMap(([name, connect]) => [
  [`${name} without a token`, connect] as const,
  [`${name}, a client that nobody allowed to ask`, (answer: Answering) => connect(answer, tokens.silent)] as const,
])

const CLIENTS = [
  ...OVER_HTTP.map(
    ([name, connect]) => [`${name}, named`, (answer: Answering) => connect(answer, tokens.asked)] as const,
  ),
  ['SDK 2.4, 2026-07-28, stdio', (answer: Answering) => connect2(answer, { pin: '2026-07-28' }, 'stdio')],
  ['SDK 2.4, legacy, stdio', (answer: Answering) => connect2(answer, 'legacy', 'stdio')],
] as const

async function scratch(client: Caller): Promise<string> {
  const name = `scratch-${Math.random().toString(36).slice(2, 8)}`
  const made = await client.call('create_label', { name, color: '#123456' }, 'create')
  expect(made.success, JSON.stringify(made)).toBe(true)
  return name
}

const exists = async (client: Caller, name: string) => {
  const listed = await client.call('list_labels', { first: 100 }, 'read')
  return JSON.stringify(listed.data).includes(name)
}

describe.each(CLIENTS)('%s', (_, connect) => {
  test('SELF-05 SELF-06 MCP-17 an accepted form with true approves, and the call goes on', async () => {
    const client = await connect(() => ({ action: 'accept', content: { confirm: true } }))
    const name = await scratch(client)
    expect(await client.call('delete_label', { name })).toMatchObject({ success: true })
    expect(await exists(client, name)).toBe(false)
    const [question] = client.questions
    expect(client.questions).toHaveLength(1)
    expect(question?.message).toContain('Run delete_label (DELETE, destructive) on tracker?')
    expect(question?.message).toContain(name)
    expect(question?.message).toMatch(/Open until \d{4}-/)
    expect(question?.requestedSchema).toMatchObject({
      properties: { confirm: { type: 'boolean' } },
      required: ['confirm'],
    })
    expect(JSON.stringify(question?.requestedSchema)).not.toContain('default')
    expect(JSON.stringify(question)).not.toContain('conf_')
    await client.close()
  }, 60_000)

  test.each<[string, Answer, string]>([
    ['decline', { action: 'decline' }, 'CONFIRMATION_REQUIRED'],
    ['cancel', { action: 'cancel' }, 'CONFIRMATION_REQUIRED'],
    ['an accept that says false', { action: 'accept', content: { confirm: false } }, 'CONFIRMATION_REQUIRED'],
    ['an accept without the field', { action: 'accept', content: {} }, 'CONFIRMATION_REQUIRED'],
    ['an accept without content', { action: 'accept' }, 'CONFIRMATION_REQUIRED'],
    [
      'an accept with a word in place of true',
      { action: 'accept', content: { confirm: 'true' } },
      'CONFIRMATION_REQUIRED',
    ],
  ])(
    'SELF-05 X-33 %s is no approval',
    async (_name, answer, code) => {
      const client = await connect(() => answer)
      const name = await scratch(client)
      const refused = await client.call('delete_label', { name })
      expect(refused).toMatchObject({ success: false, error: { code } })
      expect(await exists(client, name)).toBe(true)
      await client.close()
    },
    60_000,
  )
})

test.each(CLIENTS.filter(([name]) => !name.includes('2026')))(
  'SELF-05 SELF-10 %s: a question at which the client fails is no approval, and the agent is told what it waits for',
  async (_, connect) => {
    const client = await connect(() => {
      throw new Error('no window to show it in')
    })
    const name = await scratch(client)
    const refused = await client.call('delete_label', { name })
    expect(refused).toMatchObject({
      error: { code: 'CONFIRMATION_REQUIRED', details: { approval_id: expect.stringMatching(/./) } },
    })
    expect([client.questions.length, await exists(client, name)]).toEqual([1, true])
    await client.close()
  },
  60_000,
)

test.each(CLIENTS)(
  'SELF-05 MCP-17 %s: a question that nobody answers in time is no approval',
  async (_, connect) => {
    let isOver: (answer: Answer) => void = () => {}
    const client = await connect(
      () =>
        new Promise((resolve) => {
          isOver = resolve
        }),
    )
    const name = await scratch(client)
    const given = client.call('delete_label', { name }, 'delete', 1_000).catch((error: Error) => error.message)
    const outcome = await Promise.race([given, new Promise((resolve) => setTimeout(resolve, 3_000, 'still open'))])
    expect(outcome).toMatch(/timed out|still open/)
    expect([client.questions.length, await exists(client, name)]).toEqual([1, true])
    isOver({ action: 'cancel' })
    await given
    expect(await exists(client, name)).toBe(true)
    await client.close()
  },
  60_000,
)

test.each(NOT_ASKED)(
  'SELF-01 SELF-05 %s: is never asked, so it cannot approve its own request',
  async (_, connect) => {
    const client = await connect(() => ({ action: 'accept', content: { confirm: true } }))
    const name = await scratch(client)
    expect(await client.call('delete_label', { name })).toMatchObject({ error: { code: 'CONFIRMATION_REQUIRED' } })
    expect(client.questions).toEqual([])
    expect(await exists(client, name)).toBe(true)
    await client.close()
  },
  60_000,
)

test('SELF-05 a client that did not declare it is not asked', async () => {
  const client = await connect2(
    () => ({ action: 'accept', content: { confirm: true } }),
    { pin: '2026-07-28' },
    'stdio',
    {},
  )
  const name = await scratch(client)
  expect(await client.call('delete_label', { name })).toMatchObject({ error: { code: 'CONFIRMATION_REQUIRED' } })
  expect(client.questions).toEqual([])
  await client.close()
}, 60_000)

describe.each([
  ['2026-07-28', { pin: '2026-07-28' }],
  ['legacy', 'legacy'],
] as const)('SELF-10 SELF-12 store memory:, stdio, %s', (_, mode) => {
  const connect = async (elicitation: object) => {
    const client = new Client2(WHO, { capabilities: { elicitation }, versionNegotiation: { mode } } as Options2)
    const questions: Asked[] = []
    client.setRequestHandler('elicitation/create', async (request) => {
      questions.push(request.params as Asked)
      return { action: 'cancel' } as never
    })
    const policies = join(folder, 'policies.yaml')
    writeFileSync(policies, 'policies:\n  - { operation: create_comment, permission: confirm }\n')
    const args = [BIN, 'serve', 'demo', '--store', 'memory:', '--policy-file', policies]
    await client.connect(new Stdio2({ command: process.execPath, args, env, stderr: 'ignore' }))
    return caller(
      (call, options) => client.callTool(call, options) as never,
      questions,
      () => client.close(),
    )
  }

  test.each([
    ['a client that only opens addresses, where no console is', { url: {} }, 'PERMISSION_DENIED', 0],
    ['a client that shows forms', { form: {} }, 'CONFIRMATION_REQUIRED', 1],
    ['a client that declares nothing in particular', {}, 'CONFIRMATION_REQUIRED', 1],
    ['a client that does both', { form: {}, url: {} }, 'CONFIRMATION_REQUIRED', 1],
  ])(
    '%s',
    async (_name, elicitation, code, asked) => {
      const client = await connect(elicitation)
      const refused = await client.call('delete_label', { name: 'docs' })
      expect(refused).toMatchObject({ success: false, error: { code } })
      expect(client.questions).toHaveLength(asked)
      expect(JSON.stringify(refused).includes('conf_')).toBe(asked > 0)
      await client.close()
    },
    60_000,
  )

  test('a call that is too long for a form gets no token', async () => {
    const client = await connect({ form: {} })
    const refused = await client.call('create_comment', { issue_id: 'iss_57', body: 'y'.repeat(4_001) }, 'create')
    expect(refused).toMatchObject({ error: { code: 'PERMISSION_DENIED' } })
    expect(JSON.stringify(refused)).toContain('too long for the form')
    expect(JSON.stringify(refused)).not.toContain('conf_')
    expect(client.questions).toEqual([])
    await client.close()
  }, 60_000)
})
