import { randomBytes } from 'node:crypto'
import {
  acceptedContent,
  type CallToolResult,
  type ContentBlock,
  createRequestStateCodec,
  type EventStore,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type JSONRPCMessage,
  McpServer,
  ProtocolError,
  ResourceTemplate,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server'
import { type HttpServer, serveHttp } from '../../src/serve/http.ts'
import type { Unit } from '../../src/serve/mcp.ts'

/**
 * What the official MCP conformance suite expects to find (its tools, prompts and resources by name), on our own
 * transport, session and byte stack. Only for tests.
 */
export async function openFixture(port = 0): Promise<HttpServer> {
  const changes: { tools?: () => void; prompts?: () => void } = {}
  const server = await serveHttp([], {
    version: '0.0.0',
    port,
    servers: (unit) => fixtureServer(unit, changes),
    eventStore: createEventStore(),
    retryInterval: 500,
  })
  changes.tools = server.notify.toolsChanged
  changes.prompts = server.notify.promptsChanged
  return server
}

type Args = Readonly<Record<string, unknown>>
type Answer = CallToolResult | InputRequiredResult

const codec = createRequestStateCodec<{ step: number; nonce: string }>({ key: randomBytes(32), ttlSeconds: 300 })

function fixtureServer({ era }: Unit, changes: { tools?: () => void; prompts?: () => void }): McpServer {
  const server = new McpServer(
    { name: 'mcpaql-fixture', version: '0.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: codec.verify },
    },
  )
  addPlainTools(server)
  addNotifyingTools(server, changes)
  if (era === 'legacy') addAskingTools(server)
  addInputTools(server)
  addPrompts(server)
  addResources(server)
  server.server.setRequestHandler('completion/complete', () => ({
    completion: { values: [], total: 0, hasMore: false },
  }))
  if (era === 'legacy') {
    server.server.setRequestHandler('resources/subscribe', () => ({}))
    server.server.setRequestHandler('resources/unsubscribe', () => ({}))
  }
  return server
}

function schema(json: Readonly<Record<string, unknown>>): StandardSchemaWithJSON<Args, Args> {
  const shown = { ...json }
  return {
    '~standard': {
      version: 1,
      vendor: 'fixture',
      validate: (value) => ({ value: value as Args }),
      jsonSchema: { input: () => shown, output: () => shown },
    },
  }
}

const NOTHING = schema({ type: 'object', properties: {} })

function tool(
  server: McpServer,
  name: string,
  handler: (args: Args, ctx: ServerContext) => Answer | Promise<Answer>,
  inputSchema = NOTHING,
): void {
  server.registerTool(name, { description: `Fixture ${name}`, inputSchema }, handler)
}

const say = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='
const IMAGE: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' }

function addPlainTools(server: McpServer): void {
  tool(server, 'test_simple_text', () => say('This is a simple text response for testing.'))
  tool(server, 'test_image_content', () => ({ content: [IMAGE] }))
  tool(server, 'test_audio_content', () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }))
  tool(server, 'test_embedded_resource', () => ({
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }))
  tool(server, 'test_multiple_content_types', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      IMAGE,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }))
  tool(server, 'test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  tool(server, 'test_streaming_elicitation', () => say('done'))
  tool(
    server,
    'test_x_mcp_header',
    ({ region }) => say(String(region)),
    schema({
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, level: { type: 'integer' } },
    }),
  )
  tool(server, 'json_schema_2020_12_tool', () => say('ok'), schema(DIALECT))
}

function resource(uri: string, mimeType: string, text: string): ContentBlock {
  return { type: 'resource', resource: { uri, mimeType, text } }
}

const DIALECT = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

function addNotifyingTools(server: McpServer, changes: { tools?: () => void; prompts?: () => void }): void {
  tool(server, 'test_tool_with_progress', async (_, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        const params = { progressToken, progress, total: 100, message: `Completed step ${progress} of 100` }
        await ctx.mcpReq.notify({ method: 'notifications/progress', params })
      }
      await pause(50)
    }
    return say(String(progressToken))
  })
  tool(server, 'test_tool_with_logging', async (_, ctx) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await ctx.mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } })
      await pause(50)
    }
    return say('Tool with logging executed successfully')
  })
  tool(server, 'test_logging_tool', async (_, ctx) => {
    await ctx.mcpReq.log('info', 'A message for whoever asked')
    return say('logged')
  })
  tool(server, 'test_reconnection', async (_, ctx) => {
    ctx.http?.closeSSE?.()
    await pause(100)
    return say('Reconnection test completed')
  })
  tool(server, 'test_trigger_tool_change', () => {
    changes.tools?.()
    return say('changed')
  })
  tool(server, 'test_trigger_prompt_change', () => {
    changes.prompts?.()
    return say('changed')
  })
}

/** Questions that earlier revisions push to the client. */
function addAskingTools(server: McpServer): void {
  tool(server, 'test_sampling', async ({ prompt }, ctx) => {
    const answer = await ctx.mcpReq.send({
      method: 'sampling/createMessage',
      params: { messages: [{ role: 'user', content: { type: 'text', text: String(prompt) } }], maxTokens: 100 },
    })
    return say(`LLM response: ${JSON.stringify(answer.content)}`)
  })
  const ask = (name: string, message: (args: Args) => string, requestedSchema: Args) =>
    tool(server, name, async (args, ctx) => {
      const params = { message: message(args), requestedSchema } as Parameters<typeof inputRequired.elicit>[0]
      const answer = await ctx.mcpReq.send({ method: 'elicitation/create', params: { mode: 'form', ...params } })
      return say(`Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`)
    })
  const text = { type: 'string' }
  const form = (properties: Args, required: readonly string[] = []) => ({ type: 'object', properties, required })
  ask(
    'test_elicitation',
    ({ message }) => String(message),
    form({ username: text, email: text }, ['username', 'email']),
  )
  ask('test_elicitation_sep1034_defaults', () => 'Please review', form(DEFAULTS))
  ask('test_elicitation_sep1330_enums', () => 'Please choose', form(ENUMS))
}

const DEFAULTS = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
}
const OPTIONS = ['option1', 'option2', 'option3']
const TITLED = ['value1', 'value2', 'value3'].map((value, i) => ({ const: value, title: `Option ${i + 1}` }))
const ENUMS = {
  untitledSingle: { type: 'string', enum: OPTIONS },
  titledSingle: { type: 'string', oneOf: TITLED },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
  titledMulti: { type: 'array', items: { anyOf: TITLED } },
}

/** Questions of the stateless revision: an `input_required` result, and the call once more with the answers. */
function addInputTools(server: McpServer): void {
  const prefix = 'test_input_required_result'
  tool(server, 'test_missing_capability', () => inputRequired({ inputRequests: { capital_question: question() } }))
  tool(server, `${prefix}_elicitation`, (_, ctx) => {
    const name = accepted(ctx, 'user_name', 'name')
    return name === undefined
      ? inputRequired({ inputRequests: { user_name: elicit('What is your name?', 'name') } })
      : say(`Hello, ${name}!`)
  })
  tool(server, `${prefix}_sampling`, (_, ctx) => {
    const answer = inputResponse(ctx.mcpReq.inputResponses, 'capital_question')
    return answer.kind === 'missing'
      ? inputRequired({ inputRequests: { capital_question: question() } })
      : say(JSON.stringify(answer))
  })
  tool(server, `${prefix}_list_roots`, (_, ctx) => {
    const answer = inputResponse(ctx.mcpReq.inputResponses, 'client_roots')
    return answer.kind === 'missing'
      ? inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
      : say(JSON.stringify(answer))
  })
  for (const name of ['request_state', 'tampered_state']) {
    tool(server, `${prefix}_${name}`, async (_, ctx) => {
      const state = ctx.mcpReq.requestState<{ step: number }>()
      if (state && accepted(ctx, 'confirm', 'ok') !== undefined) return say('state-ok')
      return inputRequired({
        inputRequests: { confirm: elicit('Continue?', 'ok', 'boolean') },
        requestState: await mint(1),
      })
    })
  }
  tool(server, `${prefix}_multiple_inputs`, async (_, ctx) => {
    const keys = ['user_name', 'greeting', 'client_roots']
    if (keys.every((key) => inputResponse(ctx.mcpReq.inputResponses, key).kind !== 'missing'))
      return say('all answered')
    return inputRequired({
      inputRequests: {
        user_name: elicit('What is your name?', 'name'),
        greeting: question(),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await mint(1),
    })
  })
  tool(server, `${prefix}_multi_round`, async (_, ctx) => {
    const step = ctx.mcpReq.requestState<{ step: number }>()?.step ?? 0
    if (step === 1 && accepted(ctx, 'step1', 'name') !== undefined) {
      return inputRequired({ inputRequests: { step2: elicit('Which colour?', 'color') }, requestState: await mint(2) })
    }
    if (step === 2 && accepted(ctx, 'step2', 'color') !== undefined) return say('both rounds done')
    return inputRequired({
      inputRequests: { step1: elicit('What is your name?', 'name') },
      requestState: await mint(1),
    })
  })
  tool(server, `${prefix}_capabilities`, (_, ctx) => {
    const envelope = (ctx.mcpReq.envelope ?? {}) as Record<string, Args | undefined>
    const declared = envelope['io.modelcontextprotocol/clientCapabilities'] ?? {}
    const inputRequests = {
      ...(declared.elicitation !== undefined && { user_name: elicit('What is your name?', 'name') }),
      ...(declared.sampling !== undefined && { greeting: question() }),
      ...(declared.roots !== undefined && { client_roots: inputRequired.listRoots() }),
    }
    const isAnswered = Object.keys(inputRequests).every(
      (key) => inputResponse(ctx.mcpReq.inputResponses, key).kind !== 'missing',
    )
    return isAnswered ? say('done') : inputRequired({ inputRequests })
  })
}

function mint(step: number): Promise<string> {
  return codec.mint({ step, nonce: randomBytes(8).toString('hex') }) as Promise<string>
}

function elicit(message: string, name: string, type: 'string' | 'boolean' = 'string') {
  const property = type === 'string' ? ({ type: 'string' } as const) : ({ type: 'boolean' } as const)
  return inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [name]: property }, required: [name] },
  })
}

function question() {
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: 'What is the capital of France?' } }],
    maxTokens: 100,
  })
}

function accepted(ctx: ServerContext, key: string, field: string): unknown {
  return (acceptedContent(ctx.mcpReq.inputResponses, key) as Args | undefined)?.[field]
}

function addPrompts(server: McpServer): void {
  const say = (content: ContentBlock) => ({ messages: [{ role: 'user' as const, content }] })
  const text = (value: string): ContentBlock => ({ type: 'text', text: value })
  server.registerPrompt('test_simple_prompt', { description: 'Simple' }, () =>
    say(text('This is a simple prompt for testing.')),
  )
  const strings = (...names: string[]) =>
    schema({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string', description: name }])),
      required: names,
    })
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'With arguments', argsSchema: strings('arg1', 'arg2') },
    ({ arg1, arg2 }) => say(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource', argsSchema: strings('resourceUri') },
    ({ resourceUri }) => ({
      messages: [
        {
          role: 'user',
          content: resource(String(resourceUri), 'text/plain', 'Embedded resource content for testing.'),
        },
        { role: 'user', content: text('Please process the embedded resource above.') },
      ],
    }),
  )
  server.registerPrompt('test_prompt_with_image', { description: 'With an image' }, () => ({
    messages: [
      { role: 'user', content: IMAGE },
      { role: 'user', content: text('Please analyze the image above.') },
    ],
  }))
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks' }, (ctx) => {
    const context = accepted(ctx, 'user_context', 'context')
    return context === undefined
      ? inputRequired({ inputRequests: { user_context: elicit('Which context?', 'context') } })
      : say(text(`Context: ${context}`))
  })
}

function addResources(server: McpServer): void {
  server.registerResource('static-text', 'test://static-text', { mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }))
  server.registerResource('static-binary', 'test://static-binary', { mimeType: 'image/png' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'image/png', blob: PNG }],
  }))
  server.registerResource('watched', 'test://watched-resource', { mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'Watched resource content' }],
  }))
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json' },
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  )
}

/** Remembers what was sent on each stream, so that a client may come back to it. */
function createEventStore(): EventStore {
  const events: { readonly id: string; readonly stream: string; readonly message: JSONRPCMessage }[] = []
  return {
    async storeEvent(stream, message) {
      const id = `${stream}|${events.length}`
      events.push({ id, stream, message })
      return id
    },
    async getStreamIdForEventId(id) {
      return events.find((event) => event.id === id)?.stream
    },
    async replayEventsAfter(lastEventId, { send }) {
      const at = events.findIndex(({ id }) => id === lastEventId)
      const stream = events[at]?.stream
      if (stream === undefined) throw new ProtocolError(-32602, 'Unknown event')
      for (const event of events.slice(at + 1)) {
        if (event.stream === stream && Object.keys(event.message).length > 0) await send(event.id, event.message)
      }
      return stream
    },
  }
}
