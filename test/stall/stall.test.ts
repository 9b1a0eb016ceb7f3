import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HTTP_KINDS, type HttpRequest } from './http-kinds.ts'
import { KINDS, type Kind } from './kinds.ts'
import { LAB_KINDS } from './lab-kinds.ts'
import { type MeasuredServer, startMeasured } from './measured-server.ts'
import { MESSAGE_KINDS } from './message-kinds.ts'
import { IS_LONG, MOST_MS, measure, searchWorst, type Target } from './search-worst.ts'

const MOST_BYTES = 256 * 1_024 * 1_024

interface Running extends Target {
  readonly server: MeasuredServer
  readonly idleBytes: number
}

const LAB = fileURLToPath(new URL('./lab.mjs', import.meta.url))

describe.each([
  { name: 'the demo', start: () => overStdio('demo'), kinds: KINDS },
  { name: 'an adapter of every type', start: () => overStdio(LAB), kinds: LAB_KINDS },
  { name: 'the safety server', start: overHttp, kinds: HTTP_KINDS },
  { name: 'the MCP server over HTTP', start: messagesOverHttp, kinds: MESSAGE_KINDS },
])('no request holds up the others of $name', ({ start, kinds }) => {
  let running: Running

  beforeAll(async () => {
    running = await start()
  }, 120_000)

  afterAll(() => running.server.stop())

  test.each(kinds.map((kind) => [kind.name, kind] as const))(
    '%s',
    (_, kind) => holds(kind, running),
    IS_LONG ? 1_800_000 : 120_000,
  )
})

async function holds(kind: Kind, running: Running): Promise<void> {
  const { stallMs, rssBytes, seed, bytes } = await searchWorst(kind, running)
  const more = Math.min(rssBytes - running.idleBytes, await growthBy(kind, seed, running, rssBytes))
  if (IS_LONG) {
    const [ms, megabytes] = [Math.round(stallMs), Math.round(more / 1e6)].map((each) => String(each).padStart(5))
    process.stdout.write(`${ms} ms ${megabytes} MB  ${kind.name} (seed ${seed}, ${bytes} bytes)\n`)
  }
  expect(stallMs, `${kind.name}, seed ${seed}`).toBeLessThan(MOST_MS)
  expect(more, `${kind.name}, seed ${seed}`).toBeLessThan(MOST_BYTES)
}

/** Above the limit, what this one request adds: the requests before it may have left garbage that nobody needed yet. */
async function growthBy(kind: Kind, seed: number, running: Running, rssBytes: number): Promise<number> {
  if (rssBytes - running.idleBytes < MOST_BYTES) return rssBytes - running.idleBytes
  await sleep(1_000)
  const { rssBytes: before } = await running.measured()
  return (await measure(kind, seed, running)).rssBytes - before
}

/** A source served to one client that announces elicitation and answers no form. */
async function overStdio(source: string): Promise<Running> {
  const server = startMeasured(['serve', source, '--mode', 'single', '--safety-mode', 'enforcing', '--no-console'])
  const answers = new Map<number, (result: unknown) => void>()
  let next = 1

  function say(message: object): number {
    const line = `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
    server.child.stdin?.write(line)
    return Buffer.byteLength(line)
  }

  async function ask(method: string, params: unknown) {
    const id = next++
    const answered = new Promise<unknown>((resolve) => answers.set(id, resolve))
    const bytes = say({ id, method, params })
    const result = await answered
    answers.delete(id)
    return { bytes, result }
  }

  createInterface({ input: server.child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    const { id, method, result } = JSON.parse(line) as { id?: number; method?: string; result?: unknown }
    if (method === 'elicitation/create') say({ id, result: { action: 'cancel' } })
    else if (id !== undefined) answers.get(id)?.(result)
  })
  const clientInfo = { name: 'stall', version: '1' }
  const capabilities = { elicitation: { form: {} } }
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo })
  say({ method: 'notifications/initialized' })
  const { tools } = (await ask('tools/list', {})).result as { readonly tools: readonly { readonly name: string }[] }
  const send = async (request: unknown) => (await ask('tools/call', { name: tools[0]?.name, arguments: request })).bytes
  await send({ operation: 'introspect', params: { query: 'search', text: 'issues' } })
  await send({ operation: 'introspect', params: { query: 'operations' } })
  return idle(server, send)
}

/** The server that hooks ask, and its console. */
async function overHttp(): Promise<Running> {
  const server = startMeasured(['safety', '--http', '0', '--hook-port', '0', '--json'])
  const [line] = await once(createInterface({ input: server.child.stdout as NodeJS.ReadableStream }), 'line')
  const { hooks, consoleUrl } = JSON.parse(String(line)) as { hooks: { url: string }; consoleUrl: string }
  const send = async (request: unknown) => {
    const { to, path = '', body } = request as HttpRequest
    const url = to === 'hook' ? new URL(hooks.url) : new URL(path, consoleUrl)
    const headers = { 'content-type': 'application/json', ...(to === 'console' && { origin: url.origin }) }
    // A body that is too long is refused, and the connection closed before all of it was sent.
    await fetch(url, { method: 'POST', headers, body }).then(
      (response) => response.text(),
      () => '',
    )
    return Buffer.byteLength(body)
  }
  const question = {
    nonce: 'n'.repeat(30),
    client: 'claude',
    event: 'PreToolUse',
    tool: 'Bash',
    session: 's',
    cwd: '/',
  }
  await send({ to: 'hook', body: JSON.stringify({ ...question, input: { command: 'ls' } }) })
  return idle(server, send)
}

/** Each message by itself, of whichever era. */
async function messagesOverHttp(): Promise<Running> {
  const server = startMeasured(['serve', 'demo', '--http', '0', '--no-console', '--json'])
  const [line] = await once(createInterface({ input: server.child.stdout as NodeJS.ReadableStream }), 'line')
  const { url } = JSON.parse(String(line)) as { url: string }
  const send = async (message: unknown) => {
    const body = JSON.stringify(message)
    const { method, params = {} } = message as { method?: string; params?: { _meta?: object } }
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(method && params._meta && { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method }),
    }
    await fetch(url, { method: 'POST', headers, body }).then(
      (response) => response.text(),
      () => '',
    )
    return Buffer.byteLength(body)
  }
  await send({ jsonrpc: '2.0', id: 1, method: 'ping' })
  return idle(server, send)
}

async function idle(server: MeasuredServer, send: Target['send']): Promise<Running> {
  await sleep(500)
  const { rssBytes } = await server.measured()
  return { server, send, measured: server.measured, idleBytes: rssBytes }
}
