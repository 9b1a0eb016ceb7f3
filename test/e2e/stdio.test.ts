import { once } from 'node:events'
import { PassThrough, Writable } from 'node:stream'
import { Client as ModernClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, test } from 'vitest'
import { serveStdio } from '../../src/serve/stdio.ts'
import { openProbe, type Probe } from './probe-adapter.ts'
import {
  INITIALIZED,
  initialize,
  META,
  MODERN,
  type RpcMessage,
  resultOf,
  runTypeScript,
  toolCall,
} from './raw-client.ts'

interface Pipe {
  readonly probe: Probe
  readonly received: readonly RpcMessage[]
  readonly input: PassThrough
  readonly output: Writable
  send(...messages: readonly (object | string | Uint8Array)[]): void
  answerTo(id: string | number | null): Promise<RpcMessage>
  closed: Promise<void>
  close(): Promise<void>
}

const text = (message: object | string | Uint8Array) =>
  typeof message === 'string' || message instanceof Uint8Array ? message : JSON.stringify(message)

async function openPipe(limits: Readonly<Record<string, number>> = {}, graceMs = 2_000): Promise<Pipe> {
  const probe = await openProbe({ limits })
  const input = new PassThrough()
  const received: RpcMessage[] = []
  const waiting: { id: unknown; resolve: (message: RpcMessage) => void }[] = []
  const output = new Writable({
    write(chunk, _, done) {
      for (const line of String(chunk).split('\n').filter(Boolean)) {
        const message: RpcMessage = JSON.parse(line)
        received.push(message)
        for (const { id, resolve } of waiting) if (message.id === id) resolve(message)
      }
      done()
    },
  })
  const server = serveStdio([probe.runtime], { input, output, version: '9.9.9', graceMs })
  return {
    probe,
    received,
    input,
    output,
    closed: server.closed,
    close: server.close,
    send: (...messages) => {
      for (const message of messages) {
        input.write(text(message))
        input.write('\n')
      }
    },
    answerTo: (id) => {
      const known = received.find((message) => message.id === id && message.method === undefined)
      return known ? Promise.resolve(known) : new Promise((resolve) => waiting.push({ id, resolve }))
    },
  }
}

async function openLegacy(limits?: Readonly<Record<string, number>>): Promise<Pipe> {
  const pipe = await openPipe(limits)
  pipe.send(initialize(), INITIALIZED)
  await pipe.answerTo('init')
  return pipe
}

test('MCP-02 the handshake tells version, capabilities and server; ping is answered in any phase', async () => {
  const pipe = await openPipe()
  pipe.send({ jsonrpc: '2.0', id: 'early', method: 'ping' }, initialize('i'), INITIALIZED)
  pipe.send({ jsonrpc: '2.0', id: 'late', method: 'ping' })
  expect((await pipe.answerTo('early')).result).toEqual({})
  expect((await pipe.answerTo('i')).result).toMatchObject({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {}, logging: {}, extensions: { 'dev.mcpaql/core': { version: '1.0.0-draft' } } },
    serverInfo: { name: 'mcpaql', version: '9.9.9' },
    instructions: expect.stringContaining('introspect'),
  })
  expect((await pipe.answerTo('late')).result).toEqual({})
})

test('MCP-02 work before the handshake, and a second handshake, are refused', async () => {
  const pipe = await openPipe()
  pipe.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, initialize(2), initialize(3))
  expect((await pipe.answerTo(1)).error?.code).toBe(-32600)
  expect((await pipe.answerTo(2)).result).toBeDefined()
  expect((await pipe.answerTo(3)).error?.code).toBe(-32600)
})

test.each([
  ['2024-11-05', '2024-11-05'],
  ['2025-03-26', '2025-03-26'],
  ['2025-06-18', '2025-06-18'],
  ['2025-11-25', '2025-11-25'],
  ['2099-01-01', '2025-11-25'],
])('MCP-03 a client that asks for %s is offered %s', async (asked, offered) => {
  const pipe = await openPipe()
  pipe.send(initialize('i', asked))
  expect((await pipe.answerTo('i')).result).toMatchObject({ protocolVersion: offered })
})

test('MCP-04 MCP-16 MCP-19 nothing is offered that is not there', async () => {
  const pipe = await openLegacy()
  const { capabilities } = (await pipe.answerTo('init')).result as unknown as { capabilities: object }
  expect(Object.keys(capabilities).sort()).toEqual(['extensions', 'logging', 'tools'])
  expect(capabilities).toMatchObject({ tools: {} })
  expect(JSON.stringify(capabilities)).not.toContain('listChanged')
  for (const method of ['resources/list', 'prompts/list', 'completion/complete', 'nonsense']) {
    pipe.send({ jsonrpc: '2.0', id: method, method })
    expect((await pipe.answerTo(method)).error?.code, method).toBe(-32601)
  }
})

test('MCP-14 tools/list has name, title, description, schema and annotations', async () => {
  const pipe = await openLegacy()
  pipe.send(
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { jsonrpc: '2.0', id: 2, method: 'tools/list', params: { cursor: 'x' } },
  )
  expect((await pipe.answerTo(1)).result).toEqual({
    tools: [
      {
        name: 'probe',
        title: expect.any(String),
        description: expect.any(String),
        inputSchema: expect.objectContaining({ type: 'object' }),
        annotations: expect.objectContaining({ readOnlyHint: false }),
        _meta: { 'anthropic/alwaysLoad': true },
      },
    ],
  })
  expect((await pipe.answerTo(2)).error?.code).toBe(-32602)
})

test('MCP-15 ERR-06 an unknown tool is a protocol error, an unknown operation a tool result', async () => {
  const pipe = await openLegacy()
  pipe.send(toolCall(1, 'nope', { operation: 'echo' }), toolCall(2, 'probe', { operation: 'nope' }))
  expect((await pipe.answerTo(1)).error?.code).toBe(-32602)
  const known = await pipe.answerTo(2)
  expect(known.result?.isError).toBe(false)
  expect(resultOf(known).error.code).toBe('NOT_FOUND_OPERATION')
})

test('RES-05 one text with the whole result, and isError always', async () => {
  const pipe = await openLegacy()
  pipe.send(
    toolCall(1, 'probe', { operation: 'echo', params: { text: 'hi' } }),
    toolCall(2, 'probe', { operation: 'boom' }),
  )
  expect((await pipe.answerTo(1)).result).toEqual({
    content: [{ type: 'text', text: '{"success":true,"data":{"text":"hi"}}' }],
    isError: false,
  })
  const failed = await pipe.answerTo(2)
  expect(failed.result?.isError).toBe(true)
  expect(resultOf(failed).error.code).toBe('INTERNAL_ERROR')
  expect(JSON.stringify(failed)).not.toContain('tango')
})

test('MCP-13 setLevel takes the eight levels, and messages respect it', async () => {
  const pipe = await openLegacy()
  const setLevel = (id: string, level: unknown) => ({
    jsonrpc: '2.0',
    id,
    method: 'logging/setLevel',
    params: { level },
  })
  const messages = () => pipe.received.filter(({ method }) => method === 'notifications/message')
  for (const level of ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']) {
    pipe.send(setLevel(level, level))
    expect((await pipe.answerTo(level)).result, level).toEqual({})
  }
  for (const level of ['loud', 'DEBUG', 5, null]) {
    pipe.send(setLevel(`bad ${level}`, level))
    expect((await pipe.answerTo(`bad ${level}`)).error?.code, String(level)).toBe(-32602)
  }
  pipe.send(toolCall(1, 'probe', { operation: 'boom' }))
  await pipe.answerTo(1)
  expect(messages()).toHaveLength(0) // the level is emergency

  pipe.send(
    setLevel('a', 'error'),
    toolCall(2, 'probe', { operation: 'boom' }),
    toolCall(3, 'probe', { operation: 'echo' }),
  )
  await pipe.answerTo(3)
  expect(messages()).toHaveLength(1)
  expect(messages()[0]?.params).toEqual({
    level: 'error',
    logger: 'mcpaql',
    data: { tool: 'probe', operation: 'boom', outcome: 'INTERNAL_ERROR' },
  })
  pipe.send(setLevel('b', 'debug'), toolCall(4, 'probe', { operation: 'echo', params: { text: 'secret' } }))
  await pipe.answerTo(4)
  expect(messages()).toHaveLength(2)
  expect(JSON.stringify(messages())).not.toMatch(/secret|tango/)

  pipe.send(
    setLevel('c', 'info'),
    toolCall(5, 'probe', { operation: 'echo' }),
    toolCall(6, 'probe', { operation: 'nothing' }),
  )
  await Promise.all([pipe.answerTo(5), pipe.answerTo(6)])
  expect(messages().slice(2)).toMatchObject([
    { params: { level: 'info', data: { operation: 'nothing', outcome: 'NOT_FOUND_OPERATION' } } },
  ])
})

test('PROG-01 PROG-02 PROG-03 progress goes to the token of the request, strictly rising, before the answer', async () => {
  const pipe = await openLegacy()
  pipe.send(toolCall(1, 'probe', { operation: 'work', params: { steps: 4, ms: 5 } }, { progressToken: 'mine' }))
  await pipe.answerTo(1)
  const notices = pipe.received.filter(({ method }) => method === 'notifications/progress')
  expect(notices.map(({ params }) => params)).toEqual(
    [1, 2, 3, 4].map((progress) => ({ progressToken: 'mine', progress, total: 4, message: 'step' })),
  )
  expect(pipe.received.at(-1)?.id).toBe(1)
})

test('PROG-02 X-31 a token inside the arguments is the fallback, and without a token nothing is sent', async () => {
  const pipe = await openLegacy()
  pipe.send(toolCall(1, 'probe', { operation: 'work', params: { ms: 1 } }))
  await pipe.answerTo(1)
  expect(pipe.received.some(({ method }) => method === 'notifications/progress')).toBe(false)

  pipe.send(toolCall(2, 'probe', { operation: 'work', params: { ms: 1 }, _meta: { progressToken: 77 } }))
  await pipe.answerTo(2)
  const tokens = pipe.received.filter(({ params }) => params?.progressToken !== undefined)
  expect(new Set(tokens.map(({ params }) => params?.progressToken))).toEqual(new Set([77]))

  const both = { operation: 'work', params: { ms: 1 }, _meta: { progressToken: 'inner' } }
  pipe.send(toolCall(3, 'probe', both, { progressToken: 'outer' }))
  await pipe.answerTo(3)
  expect(pipe.received.some(({ params }) => params?.progressToken === 'inner')).toBe(false)
  expect(pipe.received.some(({ params }) => params?.progressToken === 'outer')).toBe(true)
})

test('MCP-12 a cancelled request stops within 200 ms and is not answered; unknown ids are ignored', {
  retry: 2,
}, async () => {
  const pipe = await openLegacy()
  pipe.send(toolCall('slow', 'probe', { operation: 'work', params: { steps: 1_000, ms: 20 } }))
  await expect.poll(() => pipe.probe.events.at(-1)?.what).toBe('started')
  const sent = performance.now()
  for (const requestId of ['nobody', 'slow', 'slow', 'init']) {
    pipe.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason: 'enough' } })
  }
  await expect.poll(() => pipe.probe.events.at(-1)?.what).toBe('aborted')
  expect((pipe.probe.events.at(-1)?.at ?? 0) - sent).toBeLessThan(200)
  pipe.send({ jsonrpc: '2.0', id: 'after', method: 'ping' })
  await pipe.answerTo('after')
  expect(pipe.received.some(({ id }) => id === 'slow')).toBe(false)
})

test('SES-01 SES-06 one session for a connection, with an id of our own; a new connection has another', async () => {
  const [first, second] = [await openLegacy(), await openLegacy()]
  const whoami = async (pipe: Pipe, id: number, meta?: Readonly<Record<string, unknown>>) => {
    pipe.send(toolCall(id, 'probe', { operation: 'whoami', _session: 'stolen' }, meta))
    return resultOf(await pipe.answerTo(id)).data
  }
  const one = await whoami(first, 1)
  expect(one).toEqual({ session: expect.stringMatching(/^[\w-]{22,}$/), principal: 'stdio' })
  expect(await whoami(first, 2, { 'example.com/session': 'other', session_id: 'other' })).toEqual(one) // SES-05
  expect((await whoami(second, 1)).session).not.toBe(one.session)
  first.send(toolCall(9, 'probe', { operation: 'introspect', params: { query: 'operations' } }))
  expect(resultOf(await first.answerTo(9)).data._protocol.session_id).toBe(one.session)
})

test('SES-07 X-32 the end of the input ends the session, after what is in flight was answered', async () => {
  const pipe = await openLegacy()
  pipe.send(toolCall(1, 'probe', { operation: 'whoami' }))
  const { session } = resultOf(await pipe.answerTo(1)).data
  expect(pipe.probe.runtime.findSession(session, 'stdio')).toBeDefined()
  pipe.send(toolCall(2, 'probe', { operation: 'work', params: { steps: 3, ms: 50 } }))
  pipe.input.end(JSON.stringify(toolCall(3, 'probe', { operation: 'echo' }))) // the last line needs no newline
  await pipe.closed
  expect(resultOf(await pipe.answerTo(2)).data).toEqual({ done: 3 })
  expect(resultOf(await pipe.answerTo(3)).success).toBe(true)
  expect(pipe.probe.runtime.findSession(session, 'stdio')).toBeUndefined()
})

test('MCP-01 what takes too long at the end is answered with an error, and stopped', async () => {
  const pipe = await openPipe({}, 100)
  pipe.send(initialize(), toolCall(1, 'probe', { operation: 'work', params: { steps: 1_000, ms: 20 } }))
  pipe.input.end()
  await pipe.closed
  expect((await pipe.answerTo(1)).error?.code).toBe(-32603)
  await expect.poll(() => pipe.probe.events.at(-1)?.what).toBe('aborted')
  expect(pipe.received.filter(({ id }) => id === 1)).toHaveLength(1)
})

const BAD_MESSAGES: readonly (readonly [string, string, string | number | null, number])[] = [
  ['MCP-01 a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', null, -32600],
  ['MCP-01 no JSON', 'garbage', null, -32700],
  ['MCP-01 an unfinished object', '{"jsonrpc":"2.0","id":4,"method":"ping"', 4, -32700],
  ['MCP-01 no object', '42', null, -32600],
  ['MCP-01 no method', '{"jsonrpc":"2.0","id":5}', 5, -32600],
  ['MCP-01 a method that is no text', '{"jsonrpc":"2.0","id":6,"method":7}', 6, -32600],
  ['MCP-01 a fractional id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', null, -32600],
  ['MCP-01 null as id', '{"jsonrpc":"2.0","id":null,"method":"ping"}', null, -32600],
  ['MCP-01 an object as id', '{"jsonrpc":"2.0","id":{},"method":"ping"}', null, -32600],
  ['MCP-01 another version', '{"jsonrpc":"1.0","id":7,"method":"ping"}', 7, -32600],
  ['MCP-01 no version', '{"id":8,"method":"ping"}', 8, -32600],
  ['ERR-06 a list as params', '{"jsonrpc":"2.0","id":9,"method":"ping","params":[]}', 9, -32602],
  ['ERR-06 null as params', '{"jsonrpc":"2.0","id":10,"method":"ping","params":null}', 10, -32602],
  ['ERR-06 text as _meta', '{"jsonrpc":"2.0","id":11,"method":"ping","params":{"_meta":"x"}}', 11, -32602],
  [
    'ERR-06 a wrong progress token',
    '{"jsonrpc":"2.0","id":12,"method":"ping","params":{"_meta":{"progressToken":[]}}}',
    12,
    -32602,
  ],
  ['ERR-06 a call without a name', '{"jsonrpc":"2.0","id":13,"method":"tools/call","params":{}}', 13, -32602],
  [
    'ERR-06 a list as arguments',
    '{"jsonrpc":"2.0","id":14,"method":"tools/call","params":{"name":"probe","arguments":[]}}',
    14,
    -32602,
  ],
  ['DATA-01 a key twice', '{"jsonrpc":"2.0","id":15,"method":"ping","params":{"a":1,"a":2}}', 15, -32600],
  [
    'DATA-02 a lone surrogate outside a tool call',
    '{"jsonrpc":"2.0","id":16,"method":"ping","params":{"a":"\\ud800"}}',
    16,
    -32700,
  ],
]

test.each(BAD_MESSAGES)('%s is answered with an error and the connection lives on', async (_, message, id, code) => {
  const pipe = await openLegacy()
  pipe.send(message, { jsonrpc: '2.0', id: 'after', method: 'ping' })
  const answer = await pipe.answerTo(id)
  expect(answer.error).toEqual({ code, message: expect.any(String) })
  expect((await pipe.answerTo('after')).result).toEqual({})
  expect(pipe.received.filter((one) => one.id === id)).toHaveLength(1)
})

test('MCP-01 notifications and stray answers are never answered, however wrong', async () => {
  const pipe = await openLegacy()
  const before = pipe.received.length
  pipe.send(
    { jsonrpc: '2.0', method: 'notifications/nonsense' },
    { jsonrpc: '2.0', method: 'notifications/cancelled' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: [] },
    { jsonrpc: '1.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 99, result: {} },
    { jsonrpc: '2.0', id: 99, error: { code: 1, message: 'x' } },
    '',
    '  ',
    { jsonrpc: '2.0', id: 'after', method: 'ping' },
  )
  await pipe.answerTo('after')
  expect(pipe.received).toHaveLength(before + 1)
})

test('MCP-01 members that JSON-RPC does not know do not matter; an id in flight may not be used again', async () => {
  const pipe = await openLegacy()
  pipe.send({ jsonrpc: '2.0', id: 1, method: 'ping', extra: true })
  expect((await pipe.answerTo(1)).result).toEqual({})
  pipe.send(
    toolCall(2, 'probe', { operation: 'work', params: { ms: 30 } }),
    toolCall(2, 'probe', { operation: 'echo' }),
  )
  await expect.poll(() => pipe.received.filter(({ id }) => id === 2)).toHaveLength(2)
  const [refused, answered] = pipe.received.filter(({ id }) => id === 2)
  expect(refused?.error?.code).toBe(-32600)
  expect(resultOf(answered).data).toEqual({ done: 3 })
  pipe.send(toolCall(2, 'probe', { operation: 'echo' }))
  await expect.poll(() => pipe.received.filter(({ id }) => id === 2)).toHaveLength(3)
})

const encoder = new TextEncoder()
const bytesOf = (before: string, middle: readonly number[], after: string) =>
  Uint8Array.from([...encoder.encode(before), ...middle, ...encoder.encode(after)])
const CALL =
  '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"probe","arguments":{"operation":"echo","text":"'

test.each([
  ['DATA-01 an overlong form', [0xc0, 0xaf]],
  ['DATA-01 a bad continuation', [0xe2, 0x28, 0xa1]],
  ['DATA-01 a truncated sequence', [0xf0, 0x9f, 0x92]],
  ['DATA-01 a surrogate in UTF-8', [0xed, 0xa0, 0x80]],
  ['DATA-02 a lone surrogate as an escape', [...encoder.encode('\\udc00')]],
])('%s is a tool result tied to the id', async (_, middle) => {
  const pipe = await openLegacy()
  pipe.send(bytesOf(CALL, middle, '"}}}'))
  const answer = await pipe.answerTo(7)
  expect(answer.result).toEqual({ content: [{ type: 'text', text: expect.any(String) }], isError: false })
  expect(resultOf(answer)).toMatchObject({ success: false, error: { code: 'VALIDATION_INVALID_ENCODING' } })
})

const LIMITS = { max_request_size: 65_536, max_string_length: 65_536, max_array_elements: 100, max_nesting_depth: 8 }
const nested = (depth: number): object => (depth === 1 ? {} : { a: nested(depth - 1) })

test.each([
  ['array_elements', { operation: 'echo', list: Array.from({ length: 101 }, () => 1) }, 101],
  ['nesting_depth', { operation: 'echo', value: nested(8) }, 9],
  ['request_size', { operation: 'echo', list: ['x'.repeat(40_000), 'y'.repeat(40_000)] }, 80_130],
  ['string_length', { operation: 'echo', text: 'x'.repeat(70_000) }, 70_000],
])('DATA-08 DATA-10 beyond the limit of %s the call is refused by name', async (limit_type, args, actual_value) => {
  const pipe = await openLegacy(LIMITS)
  pipe.send(toolCall(7, 'probe', args))
  const { error } = resultOf(await pipe.answerTo(7))
  expect(error.code).toBe('VALIDATION_PAYLOAD_TOO_LARGE')
  expect(error.details).toMatchObject({ limit_type })
  expect(Math.abs(error.details.actual_value - actual_value)).toBeLessThan(100)
})

test.each([
  [
    'first',
    (filler: string) =>
      `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"probe","arguments":{"operation":"echo","list":[${filler}]}}}`,
  ],
  [
    'last',
    (filler: string) =>
      `{"method":"tools/call","params":{"name":"probe","arguments":{"operation":"echo","list":[${filler}]}},"jsonrpc":"2.0","id":7}`,
  ],
])(
  'DATA-08 a line far beyond what is kept is dropped to its end and answered where the id stands %s',
  async (_, build) => {
    const pipe = await openLegacy({ ...LIMITS, max_array_elements: 100_000 })
    const filler = Array.from({ length: 60_000 }, () => '"0123456789"').join(',') // 780 kB of a limit of 64 kB
    pipe.send(build(filler), { jsonrpc: '2.0', id: 'after', method: 'ping' })
    const { error } = resultOf(await pipe.answerTo(7))
    expect(error).toMatchObject({
      code: 'VALIDATION_PAYLOAD_TOO_LARGE',
      details: { limit_type: 'request_size', limit_value: 65_536, unit: 'bytes' },
    })
    expect(error.details.actual_value).toBeGreaterThan(700_000)
    expect((await pipe.answerTo('after')).result).toEqual({})
  },
)

test('MCP-05 messages may arrive in any pieces, and each answer is one line', async () => {
  const pipe = await openLegacy()
  const bytes = encoder.encode(
    `${JSON.stringify(toolCall(1, 'probe', { operation: 'echo', params: { text: 'ü\n€😀' } }))}\r\n`,
  )
  for (const byte of bytes) pipe.input.write(Uint8Array.of(byte))
  expect(resultOf(await pipe.answerTo(1)).data).toEqual({ text: 'ü\n€😀' })
})

test('MCP-05 a slow reader stops the reading: memory stays bounded', async () => {
  const probe = await openProbe()
  const input = new PassThrough()
  const held: (() => void)[] = []
  let bytes = 0
  let isSlow = true
  const output = new Writable({
    highWaterMark: 1_000,
    write(chunk, _, done) {
      bytes += chunk.length
      if (isSlow) held.push(done)
      else done()
    },
  })
  const server = serveStdio([probe.runtime], { input, output, version: '0' })
  input.write(`${JSON.stringify(initialize())}\n`)
  for (let id = 0; id < 2_000; id++) {
    input.write(`${JSON.stringify(toolCall(id, 'probe', { operation: 'big', params: { bytes: 10_000 } }))}\n`)
  }
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(output.writableLength).toBeLessThan(300 * 10_100)
  expect(input.readableLength + input.writableLength).toBeGreaterThan(100_000) // the rest waits where it came from
  isSlow = false
  for (const done of held) done()
  input.end()
  await server.closed
  expect(bytes).toBeGreaterThan(2_000 * 10_000)
})

test('MCP-05 PROG-03 progress is not held for a reader that does not read; the answer is', async () => {
  const probe = await openProbe()
  const input = new PassThrough()
  const [held, lines]: [(() => void)[], string[]] = [[], []]
  let isSlow = false
  const output = new Writable({
    highWaterMark: 1,
    write(chunk, _, done) {
      lines.push(...String(chunk).split('\n').filter(Boolean))
      if (isSlow) held.push(done)
      else done()
    },
  })
  const server = serveStdio([probe.runtime], { input, output, version: '0' })
  input.write(`${JSON.stringify(initialize())}\n`)
  await expect.poll(() => lines).toHaveLength(1)
  isSlow = true
  const work = { operation: 'work', params: { steps: 50, ms: 2 } }
  input.write(`${JSON.stringify(toolCall(1, 'probe', work, { progressToken: 'p' }))}\n`)
  await expect.poll(() => lines.length).toBe(2)
  await new Promise((resolve) => setTimeout(resolve, 500))
  isSlow = false
  for (const done of held) done()
  input.end()
  await server.closed
  const messages: RpcMessage[] = lines.map((line) => JSON.parse(line))
  expect(messages.filter(({ method }) => method !== undefined).length).toBeLessThan(5)
  expect(resultOf(messages.find(({ id }) => id === 1)).data).toEqual({ done: 50 })
})

test('MCP-05 a reader that goes away ends the session', async () => {
  const pipe = await openLegacy()
  pipe.output.destroy(new Error('EPIPE'))
  await pipe.closed
})

// The revision without a handshake.

test('MCP-20 MCP-21 MCP-24 server/discover names versions, capabilities, instructions and cache hints', async () => {
  const pipe = await openPipe()
  pipe.send({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: META } })
  expect((await pipe.answerTo(1)).result).toMatchObject({
    supportedVersions: [MODERN],
    capabilities: { tools: {}, extensions: { 'dev.mcpaql/core': {} } },
    instructions: expect.any(String),
    resultType: 'complete',
    ttlMs: 300_000,
    cacheScope: 'public',
  })
  pipe.send({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: { _meta: META } })
  expect((await pipe.answerTo(2)).result).toMatchObject({
    resultType: 'complete',
    ttlMs: 300_000,
    cacheScope: 'private',
  })
})

test('MCP-21 MCP-23 each request carries its metadata, each result its type; faults too', async () => {
  const pipe = await openPipe()
  const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name: 'mcpaql', version: '9.9.9' } }
  pipe.send(toolCall(1, 'probe', { operation: 'whoami' }, META))
  const answer = await pipe.answerTo(1)
  expect(answer.result).toMatchObject({ isError: false, resultType: 'complete', _meta: serverInfo })
  expect(resultOf(answer).data.session).toEqual(expect.any(String)) // on stdio the process is the session
  pipe.send(toolCall(2, 'probe', { operation: 'whoami' }))
  expect((await pipe.answerTo(2)).error?.code).toBe(-32602)
  pipe.send(toolCall(3, 'probe', { operation: 'whoami' }, META))
  expect(resultOf(await pipe.answerTo(3)).data).toEqual(resultOf(answer).data)
  pipe.send(JSON.stringify(toolCall(4, 'probe', { operation: 'echo', text: 'Z' }, META)).replace('"Z"', '"\\ud800"'))
  expect((await pipe.answerTo(4)).result).toMatchObject({ isError: false, resultType: 'complete', _meta: serverInfo })
  pipe.send(initialize(5))
  expect((await pipe.answerTo(5)).error).toBeDefined()
})

test('MCP-20 whoever only asked with server/discover may still shake hands', async () => {
  const pipe = await openPipe()
  pipe.send({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: META } }, initialize(2), INITIALIZED)
  expect((await pipe.answerTo(2)).result).toMatchObject({ protocolVersion: '2025-06-18' })
  pipe.send(toolCall(3, 'probe', { operation: 'echo' }))
  expect((await pipe.answerTo(3)).result).not.toHaveProperty('resultType')
})

test('MCP-24 subscriptions/listen holds nobody up at the end', async () => {
  const pipe = await openPipe({}, 5_000)
  pipe.send({
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: { _meta: META, notifications: { toolsListChanged: true } },
  })
  await expect.poll(() => pipe.received.length).toBe(1)
  const started = performance.now()
  pipe.input.end()
  await pipe.closed
  expect(performance.now() - started).toBeLessThan(1_000)
})

// A process of its own, and real clients.

test('MCP-05 nothing but MCP on stdout whatever a handler prints; the end of stdin ends the process', async () => {
  const child = runTypeScript('./probe-server.ts', ['stdio'])
  let out = ''
  let err = ''
  child.stdout?.on('data', (chunk) => {
    out += chunk
  })
  child.stderr?.on('data', (chunk) => {
    err += chunk
  })
  for (const message of [initialize(), INITIALIZED, toolCall(1, 'probe', { operation: 'shout' })]) {
    child.stdin?.write(`${JSON.stringify(message)}\n`)
  }
  child.stdin?.end()
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
  const messages = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(messages.map(({ id }) => id)).toEqual(['init', 1])
  expect(err).toContain('a handler prints')
  expect(err).toContain('forged')
})

test('MCP-05 SIGTERM: what is in flight is answered, then the process ends', async () => {
  const child = runTypeScript('./probe-server.ts', ['stdio'])
  let out = ''
  child.stdout?.on('data', (chunk) => {
    out += chunk
  })
  const call = toolCall(1, 'probe', { operation: 'work', params: { steps: 5, ms: 60 } }, { progressToken: 1 })
  child.stdin?.write(`${JSON.stringify(initialize())}\n${JSON.stringify(call)}\n`)
  await expect.poll(() => out, { timeout: 20_000 }).toContain('notifications/progress')
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
  expect(out).toContain('\\"done\\":5')
})

const COMMAND = {
  command: process.execPath,
  args: [
    '--import',
    new URL('./shim/typescript.mjs', import.meta.url).href,
    new URL('./probe-server.ts', import.meta.url).pathname,
    'stdio',
  ],
  stderr: 'ignore' as const,
}

test.each([
  ['v2, handshake', undefined],
  ['v2, newest there is', { mode: 'auto' as const }],
  ['v2, 2026-07-28', { mode: { pin: MODERN } }],
])('MCP-20 the SDK client (%s) gets the same answers on stdio', async (_, versionNegotiation) => {
  const client = new ModernClient({ name: 't', version: '1' }, versionNegotiation ? { versionNegotiation } : {})
  await client.connect(new ModernStdio(COMMAND))
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['probe'])
  const answer = await client.callTool({ name: 'probe', arguments: { operation: 'echo', params: { text: 'hello' } } })
  expect(answer).toMatchObject({
    content: [{ type: 'text', text: '{"success":true,"data":{"text":"hello"}}' }],
    isError: false,
  })
  await client.close()
})

test('MCP-20 the v1 SDK client gets the same answers on stdio', async () => {
  const client = new OldClient({ name: 't', version: '1' })
  await client.connect(new OldStdio(COMMAND))
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['probe'])
  const answer = await client.callTool({ name: 'probe', arguments: { operation: 'echo', params: { text: 'hello' } } })
  expect(answer.content).toEqual([{ type: 'text', text: '{"success":true,"data":{"text":"hello"}}' }])
  await client.close()
})
