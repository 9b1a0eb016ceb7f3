import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer, type StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { serveStdio as serveBareStdio } from '@modelcontextprotocol/server/stdio'
import { defineAdapter } from '../src/core/registry/adapter.ts'
import { defineOperation } from '../src/core/registry/operation.ts'
import { createRuntime, type Runtime } from '../src/core/runtime.ts'
import { serveHttp } from '../src/serve/http.ts'
import { guardStdout, serveStdio } from '../src/serve/stdio.ts'
import { createMemoryStore } from '../src/store/memory.ts'

/** One side of the comparison: `ours` or `bare`, on `stdio`, `http` or `http-session`. */
const [side, transport] = process.argv.slice(2)

process.on('message', (wanted) => {
  if (wanted === 'cpu') process.send?.({ cpu: process.cpuUsage() })
  if (wanted === 'stop') process.exit(0)
})

const SCHEMA: Record<string, unknown> = {
  type: 'object',
  properties: { operation: { type: 'string' }, params: { type: 'object' } },
  required: ['operation'],
}

/** The tool takes what it is given and returns a text of the same size as ours. */
function bareServer(): McpServer {
  const server = new McpServer({ name: 'bare', version: '1.0.0' })
  const inputSchema: StandardSchemaWithJSON<Record<string, unknown>, Record<string, unknown>> = {
    '~standard': {
      version: 1,
      vendor: 'bench',
      validate: (value) => ({ value: value as Record<string, unknown> }),
      jsonSchema: { input: () => SCHEMA, output: () => SCHEMA },
    },
  }
  server.registerTool('echo', { description: 'Says it again.', inputSchema }, (args) => ({
    content: [{ type: 'text' as const, text: JSON.stringify({ success: true, data: args }) }],
    isError: false,
  }))
  return server
}

function bareStdio(): void {
  serveBareStdio(() => bareServer())
}

function bareHttp(): void {
  const handler = toNodeHandler(createMcpHandler(() => bareServer()))
  const server = createServer(
    (req, res) => void handler(req as Parameters<typeof handler>[0], res as Parameters<typeof handler>[1]),
  )
  server.keepAliveTimeout = 65_000
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
}

function bareSessions(): void {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>()
  const server = createServer(async (req, res) => {
    const known = sessions.get(String(req.headers['mcp-session-id']))
    if (known) return void (await known.handleRequest(req, res))
    const opened = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, opened),
    })
    await bareServer().connect(opened)
    await opened.handleRequest(req, res)
  })
  server.keepAliveTimeout = 65_000
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
}

/** One validated READ behind one tool. */
function echoRuntime(): Promise<Runtime> {
  const echo = defineOperation({
    name: 'echo',
    category: 'READ',
    description: 'Says it again.',
    params: { text: { type: 'string', required: true, maxLength: 1_000 }, number: { type: 'integer' } },
    handler: (params) => params,
  })
  const adapter = defineAdapter({
    name: 'echo',
    description: 'Says it again.',
    concurrency: 'fully-concurrent',
    toolNames: 'echo_{endpoint}',
    operations: [echo],
  })
  return createRuntime(adapter, { store: createMemoryStore(), clock: { now: Date.now }, mode: 'single' })
}

async function oursStdio(): Promise<void> {
  const output = guardStdout(process.stdout, process.stderr)
  serveStdio([await echoRuntime()], { input: process.stdin, output, version: '1.0.0' })
}

async function oursHttp(): Promise<void> {
  const { port } = await serveHttp([await echoRuntime()], { version: '1.0.0' })
  process.send?.({ port })
}

if (transport === 'stdio') await (side === 'ours' ? oursStdio() : bareStdio())
else if (side === 'ours') await oursHttp()
else if (transport === 'http') bareHttp()
else bareSessions()
