import type { StreamableHTTPClientTransportOptions } from '@modelcontextprotocol/client'
import { isObject } from './values.ts'

/** What is judged: a running server's address, or a command that speaks MCP on its standard streams. */
export type TargetSpec = (
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly command: string; readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> }
) & {
  /** The operator's yes to what a token stands for, where the suite may say it; true when it counted. */
  readonly approve?: (token: string) => Promise<boolean>
}

/** `legacy`: the revisions with a handshake. `modern`: 2026-07-28. */
export type Era = 'legacy' | 'modern'

/** One MCP connection of the official client. */
export interface Link {
  readonly era: Era
  readonly server: { readonly name: string; readonly version: string }
  request(method: string, params?: Readonly<Record<string, unknown>>): Promise<Answer>
  close(): Promise<void>
}

/** What came back for one request. Whatever goes wrong on the way is an answer too. */
export type Answer =
  | { readonly kind: 'result'; readonly result: Readonly<Record<string, unknown>> }
  | { readonly kind: 'error'; readonly code: number; readonly message: string; readonly details?: unknown }
  | { readonly kind: 'broken'; readonly message: string }

export interface LinkOptions {
  readonly era?: Era
  readonly timeoutMs?: number
}

/** Connects, or says why it could not. */
export async function openLink(
  spec: TargetSpec,
  options: LinkOptions = {},
): Promise<Link | { readonly reason: string }> {
  const { Client } = await import('@modelcontextprotocol/client')
  const timeout = options.timeoutMs ?? 10_000
  const client = new Client(CLIENT, { versionNegotiation: { mode: modeOf(spec, options.era) } })
  try {
    await client.connect(await transportOf(spec), { timeout })
  } catch (error) {
    await client.close().catch(() => undefined)
    return { reason: messageOf(error) }
  }
  const { name, version } = client.getServerVersion() ?? { name: 'unknown', version: 'unknown' }
  return {
    era: client.getNegotiatedProtocolVersion() === MODERN ? 'modern' : 'legacy',
    server: { name, version },
    async request(method, params = {}) {
      try {
        // The method is free text here: what an unknown one gets is one of the checks.
        const asked = client.request({ method, params } as never, { timeout, allowInputRequired: true } as never)
        const result: unknown = await asked
        return isObject(result) ? { kind: 'result', result } : { kind: 'broken', message: 'The result is no object.' }
      } catch (error) {
        return answerOf(error)
      }
    },
    close: () => client.close().catch(() => undefined),
  }
}

const CLIENT = { name: 'mcpaql-conformance', version: '1.0.0' }
export const MODERN = '2026-07-28'

/** Over stdio a probe starts a second process (the SDK's way), so an unnamed era means the handshake there. */
function modeOf(spec: TargetSpec, era: Era | undefined) {
  if (era === 'modern') return { pin: MODERN }
  if (era === 'legacy' || 'command' in spec) return 'legacy' as const
  return 'auto' as const
}

async function transportOf(spec: TargetSpec) {
  if ('command' in spec) {
    const { StdioClientTransport, getDefaultEnvironment } = await import('@modelcontextprotocol/client/stdio')
    const env = { ...getDefaultEnvironment(), ...spec.env }
    return new StdioClientTransport({ command: spec.command, args: [...(spec.args ?? [])], env, stderr: 'ignore' })
  }
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const init: StreamableHTTPClientTransportOptions = spec.headers
    ? { requestInit: { headers: { ...spec.headers } } }
    : {}
  return new StreamableHTTPClientTransport(new URL(spec.url), init)
}

function answerOf(error: unknown): Answer {
  const { code, data } = (isObject(error) ? error : {}) as { readonly code?: unknown; readonly data?: unknown }
  const message = messageOf(error)
  if (typeof code !== 'number') return { kind: 'broken', message }
  return { kind: 'error', code, message, ...(data !== undefined && { details: data }) }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
