import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  Client as Client2,
  StreamableHTTPClientTransport as Http2,
  type ClientOptions as Options2,
} from '@modelcontextprotocol/client'
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport as Transport1 } from '@modelcontextprotocol/sdk/shared/transport.js'

/** Where a server is, or how to start one. */
export type Place =
  | { readonly url: string }
  | { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }

export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text: string }[]
  readonly isError: boolean
}

export interface Following {
  readonly signal?: AbortSignal
  readonly onprogress?: (progress: { readonly progress: number; readonly message?: string | undefined }) => void
}

/** What these tests ask of any client. */
export interface Connected {
  /** The revision that was agreed upon, where the client tells. */
  readonly revision: string | undefined
  readonly server: { readonly name: string; readonly version: string } | undefined
  readonly capabilities: Readonly<Record<string, unknown>> | undefined
  readonly instructions: string | undefined
  listTools(): Promise<readonly Readonly<Record<string, unknown>>[]>
  callTool(name: string, args: Readonly<Record<string, unknown>>, following?: Following): Promise<ToolResult>
  /** Undefined where the client cannot. */
  readonly ping: (() => Promise<unknown>) | undefined
  /** The process that the client has started. */
  readonly pid: number | undefined
  /** Over HTTP in the era of sessions. */
  readonly sessionId: string | undefined
  readonly endSession: (() => Promise<void>) | undefined
  close(): Promise<void>
}

export interface RealClient {
  readonly name: string
  readonly era: 'legacy' | 'modern'
  /** One connection carries all calls, with progress and cancellation. A command line asks once and ends. */
  readonly follows: boolean
  readonly connect: (place: Place) => Promise<Connected>
}

type Negotiation = NonNullable<Options2['versionNegotiation']>

export const REAL_CLIENTS: readonly RealClient[] = [
  {
    name: 'SDK 2.4, revision 2026-07-28',
    era: 'modern',
    follows: true,
    connect: (place) => connect2(place, { mode: { pin: '2026-07-28' } }),
  },
  { name: 'SDK 2.4, auto', era: 'modern', follows: true, connect: (place) => connect2(place, { mode: 'auto' }) },
  { name: 'SDK 2.4, legacy', era: 'legacy', follows: true, connect: (place) => connect2(place, { mode: 'legacy' }) },
  { name: 'SDK 1.32', era: 'legacy', follows: true, connect: connect1 },
  { name: 'inspector 0.15', era: 'legacy', follows: false, connect: connectInspector },
]

const WHO = { name: 'clients-test', version: '1' }

async function connect2(place: Place, versionNegotiation: Negotiation): Promise<Connected> {
  const client = new Client2(WHO, { versionNegotiation })
  const http = 'url' in place ? new Http2(new URL(place.url)) : undefined
  const stdio = 'url' in place ? undefined : new Stdio2(command(place))
  await client.connect((http ?? stdio) as Parameters<Client2['connect']>[0])
  const isModern = client.getProtocolEra() === 'modern'
  return {
    revision: client.getNegotiatedProtocolVersion(),
    server: client.getServerVersion(),
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
    listTools: async () => (await client.listTools()).tools,
    callTool: async (name, args, following = {}) =>
      (await client.callTool({ name, arguments: { ...args } }, following)) as ToolResult,
    ping: isModern ? undefined : () => client.ping(),
    pid: stdio?.pid ?? undefined,
    sessionId: http?.sessionId,
    endSession: http && !isModern ? () => http.terminateSession() : undefined,
    close: () => client.close(),
  }
}

async function connect1(place: Place): Promise<Connected> {
  const client = new Client1(WHO)
  const http = 'url' in place ? new Http1(new URL(place.url)) : undefined
  const stdio = 'url' in place ? undefined : new Stdio1(command(place))
  let revision: string | undefined
  const setProtocolVersion = (agreed: string) => {
    revision = agreed
  }
  await client.connect((http ?? Object.assign(stdio ?? {}, { setProtocolVersion })) as Transport1)
  return {
    revision: http?.protocolVersion ?? revision,
    server: client.getServerVersion(),
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
    listTools: async () => (await client.listTools()).tools,
    callTool: async (name, args, following = {}) =>
      (await client.callTool({ name, arguments: { ...args } }, undefined, following)) as ToolResult,
    ping: () => client.ping(),
    pid: stdio?.pid ?? undefined,
    sessionId: http?.sessionId,
    endSession: http && (() => http.terminateSession()),
    close: () => client.close(),
  }
}

const run = promisify(execFile)
const INSPECTOR = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/inspector/cli/build/', import.meta.url),
)

/**
 * One process for each request, which connects, asks once and prints what came back. `cli.js --cli` is what a user
 * calls; all it does is start index.js, and the calls do without that detour.
 */
function connectInspector(place: Place): Promise<Connected> {
  const target = 'url' in place ? [place.url, '--transport', 'http'] : [process.execPath, ...place.args]
  const env = 'url' in place ? process.env : { ...place.env }
  const ask = async (program: readonly string[], ...args: readonly string[]): Promise<unknown> => {
    const [script = '', ...flags] = program
    const all = [join(INSPECTOR, script), ...flags, ...target, ...args]
    const { stdout } = await run(process.execPath, all, { env, maxBuffer: 2 ** 24 })
    return JSON.parse(stdout)
  }
  return Promise.resolve({
    revision: undefined,
    server: undefined,
    capabilities: undefined,
    instructions: undefined,
    listTools: async () => ((await ask(['cli.js', '--cli'], '--method', 'tools/list')) as { readonly tools: [] }).tools,
    callTool: async (name, args) => {
      const pairs = Object.entries(args).map(
        ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      )
      return (await ask(
        ['index.js'],
        '--method',
        'tools/call',
        '--tool-name',
        name,
        '--tool-arg',
        ...pairs,
      )) as ToolResult
    },
    ping: undefined,
    pid: undefined,
    sessionId: undefined,
    endSession: undefined,
    close: () => Promise.resolve(),
  })
}

function command({ args, env }: Extract<Place, { readonly args: unknown }>) {
  return { command: process.execPath, args: [...args], env: { ...env }, stderr: 'ignore' as const }
}
