import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Fields = Readonly<Record<string, unknown>>

/** A `tools/call` on its way to the server. */
export interface Call {
  readonly tool: string
  readonly args: Fields
}

/**
 * What a mutant does differently. Each hook sees what passes between the suite and the real demo, and changes it.
 * State lives in the closure that made the mutation, so every server has its own.
 */
export interface Mutation {
  /** Changes a call, or answers it with an MCP-AQL result of its own. */
  readonly call?: (call: Call) => Call | { readonly result: Fields; readonly isError?: boolean }
  readonly result?: (result: Fields, call: Call) => Fields
  readonly toolResult?: (toolResult: Fields, call: Call) => Fields
  readonly tools?: (tools: readonly Fields[]) => readonly Fields[]
  /** A whole JSON-RPC answer. */
  readonly answer?: (answer: Fields, asked: Fields) => Fields
  readonly http?: (exchange: HttpExchange) => Partial<HttpExchange> & { readonly status?: number }
}

export interface HttpExchange {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A proxy in front of a real server that breaks one rule. */
export async function serveMutant(
  upstream: string,
  mutation: Mutation,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((req, res) => {
    void forward(req).then(({ status, headers, body }) => {
      res.writeHead(status, headers)
      res.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  async function forward(req: IncomingMessage): Promise<Exchanged> {
    const body = await bytesOf(req)
    if (req.method === 'GET') return { status: 405, headers: {}, body: Buffer.alloc(0) }
    const seen: HttpExchange = { method: req.method ?? 'POST', headers: req.headers, body }
    const changed = { ...seen, ...mutation.http?.(seen) }
    if (changed.status !== undefined) return { status: changed.status, headers: JSON_TYPE, body: Buffer.from('{}') }
    const asked = parsed(changed.body)
    if (!isFields(asked)) return send(upstream, changed)
    const call = callOf(asked)
    const altered = call && mutation.call ? mutation.call(call) : call
    if (altered && 'result' in altered) {
      return json({
        jsonrpc: '2.0',
        id: asked.id,
        result: modern(asked, textResult(altered.result, altered.isError ?? false)),
      })
    }
    // Untouched bytes travel on as they were: what they hold may be the point.
    const message = altered === call ? changed.body : Buffer.from(JSON.stringify(withCall(asked, altered as Call)))
    const headers: IncomingHttpHeaders = { ...changed.headers }
    if (altered && headers['mcp-name'] !== undefined) headers['mcp-name'] = altered.tool
    const got = await send(upstream, { ...changed, headers, body: message })
    return rewrite(got, asked, call)
  }

  function rewrite(got: Exchanged, asked: Fields, call: Call | undefined): Exchanged {
    const type = String(got.headers['content-type'] ?? '')
    if (type.includes('text/event-stream')) {
      const lines = got.body
        .toString()
        .split('\n')
        .map((line) => (line.startsWith('data:') ? `data: ${text(line.slice(5))}` : line))
      return { ...got, body: Buffer.from(lines.join('\n')) }
    }
    return type.includes('json') ? { ...got, body: Buffer.from(text(got.body.toString())) } : got

    function text(source: string): string {
      const answer = parsed(Buffer.from(source))
      return isFields(answer) ? JSON.stringify(change(answer)) : source
    }

    function change(answer: Fields): Fields {
      const whole = mutation.answer ? mutation.answer(answer, asked) : answer
      if (!isFields(whole.result)) return whole
      if (asked.method === 'tools/list' && mutation.tools && Array.isArray(whole.result.tools)) {
        return { ...whole, result: { ...whole.result, tools: mutation.tools(whole.result.tools as Fields[]) } }
      }
      return call ? { ...whole, result: changeResult(whole.result, call) } : whole
    }

    function changeResult(toolResult: Fields, call: Call): Fields {
      const inner = innerOf(toolResult)
      const next = inner && mutation.result ? mutation.result(inner, call) : inner
      const rebuilt =
        next && next !== inner ? { ...toolResult, content: [{ type: 'text', text: JSON.stringify(next) }] } : toolResult
      return mutation.toolResult ? mutation.toolResult(rebuilt, call) : rebuilt
    }
  }
}

interface Exchanged {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const JSON_TYPE = { 'content-type': 'application/json' }

function json(message: unknown): Exchanged {
  return { status: 200, headers: JSON_TYPE, body: Buffer.from(JSON.stringify(message)) }
}

function textResult(result: Fields, isError: boolean): Fields {
  return { content: [{ type: 'text', text: JSON.stringify(result) }], isError }
}

/** The stateless revision marks its results. */
function modern(asked: Fields, result: Fields): Fields {
  const meta = isFields(asked.params) ? asked.params._meta : undefined
  return isFields(meta) && 'io.modelcontextprotocol/protocolVersion' in meta
    ? { ...result, resultType: 'complete' }
    : result
}

function callOf(asked: Fields): Call | undefined {
  const { method, params } = asked
  if (method !== 'tools/call' || !isFields(params) || !isFields(params.arguments)) return undefined
  return { tool: String(params.name), args: params.arguments }
}

function withCall(asked: Fields, { tool, args }: Call): Fields {
  return { ...asked, params: { ...(asked.params as Fields), name: tool, arguments: args } }
}

function innerOf(toolResult: Fields): Fields | undefined {
  const [item] = Array.isArray(toolResult.content) ? (toolResult.content as Fields[]) : []
  const value = typeof item?.text === 'string' ? parsed(Buffer.from(item.text)) : undefined
  return isFields(value) ? value : undefined
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}

function send(upstream: string, { method, headers, body }: HttpExchange): Promise<Exchanged> {
  return new Promise((resolve) => {
    const { host: _host, connection: _connection, ...kept } = headers
    const sent = request(upstream, { method, headers: { ...kept, 'content-length': String(body.length) } }, (res) => {
      void bytesOf(res).then((found) => {
        const { 'content-length': _length, 'transfer-encoding': _encoding, ...rest } = res.headers
        resolve({ status: res.statusCode ?? 502, headers: rest, body: found })
      })
    })
    sent.on('error', () => resolve({ status: 502, headers: {}, body: Buffer.alloc(0) }))
    sent.end(body)
  })
}
