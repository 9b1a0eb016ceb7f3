import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { INITIALIZED, initialize, META, messagesIn, modernHeaders } from '../e2e/raw-client.ts'
import type { Fault } from './accounts.ts'
import { casesOf } from './drive-stdio.ts'
import { type Expectation, expectationsOf } from './expectation.ts'
import { type Case, cancellation, mintingCalls } from './generate.ts'
import { type Ask, harvest, normalCall } from './harvest.ts'
import { type HttpCase, post, render, spoiltPost } from './http-cases.ts'
import { type Connection, createConnection, type Reply } from './http-wire.ts'
import { type Answer, isAnswer, judge } from './judge.ts'
import { createRandom } from './random.ts'
import type { Outcome, Round, Trial } from './round.ts'
import { type ServerProcess, startServer } from './server.ts'

/** One server over HTTP: several connections that stay open, each with one exchange at a time. */
export async function driveHttp(round: Round): Promise<Outcome> {
  const server = startServer(['--http', '0', '--json'])
  try {
    const wire = await openHttp(server)
    const material = await harvest(wire.ask)
    const { seed, era, messages, warmUp, handles, onProgress } = round
    await wire.sendAll(casesOf(seed + 1_000_003, era, material, warmUp), seed + 1)
    if (era === 'modern') await wire.sendAll(mintingCalls(createRandom(seed), material, handles))
    const heapBefore = await server.heapUsed(() => normalCall(wire.ask, material))
    await wire.sendAll(casesOf(seed, era, material, messages), seed, onProgress)
    const works = server.isAlive() && (await normalCall(wire.ask, material))
    const heapAfter = server.isAlive() ? await server.heapUsed(() => normalCall(wire.ask, material)) : 0
    wire.close()
    return { ...wire.outcome(), works, heapBefore, heapAfter, material }
  } finally {
    await server.stop()
  }
}

export function openHttpTrial(): Trial {
  let opened: Promise<{ readonly server: ServerProcess; readonly wire: HttpWire }> | undefined
  const open = async () => {
    const server = startServer(['--http', '0', '--json'])
    return { server, wire: await openHttp(server) }
  }
  const close = async () => {
    const using = await opened
    opened = undefined
    using?.wire.close()
    await using?.server.stop()
  }
  return {
    close,
    async faultOf(sent) {
      opened ??= open()
      const { wire } = await opened
      await wire.sendAll([sent])
      const [fault] = wire.outcome().faults
      if (fault) await close()
      return fault?.what
    },
  }
}

const CONNECTIONS = 24
/** So many of a hundred spoilt messages are spoilt around the body, not in it. */
const SPOILT_AROUND = 50

interface HttpWire {
  readonly ask: Ask
  /** With a seed some of them are spoilt around the body. */
  sendAll(cases: Iterable<Case>, seed?: number, onProgress?: (sent: number) => void): Promise<void>
  outcome(): Pick<Outcome, 'sent' | 'answers' | 'faults'>
  close(): void
}

async function openHttp(server: ServerProcess): Promise<HttpWire> {
  const port = await portOf(server)
  const faults: Fault[] = []
  let [sent, answers] = [0, 0]
  const own = createConnection(port)
  const sessionId = await openSession(own)
  const connections = Array.from({ length: CONNECTIONS }, () => createConnection(port))

  async function send(connection: Connection, each: Case, request: HttpCase): Promise<void> {
    const { isSound, isOpenEnded } = request
    // Where the request has no end the server waits for more: what it has said by then is its answer.
    const reply = await connection.exchange(request.bytes, isOpenEnded ? { ms: OPEN_ENDED_MS } : {})
    if (isOpenEnded) connection.close()
    take(isSound ? each : { ...each, bytes: request.bytes }, reply, isSound)
    const opened = reply.headers.get('mcp-session-id')
    if (reply.status === 200 && opened !== undefined && opened !== sessionId) await connection.exchange(ending(opened))
  }

  function take(each: Case, reply: Reply, isSound: boolean): void {
    sent++
    const note = (what: string) => faults.push({ what, sent: each })
    if (reply.status >= 500) note(`HTTP ${reply.status}: ${reply.body.slice(0, 300)}`)
    if (reply.status >= 400 && reply.end !== 'left' && reply.body === '') note(`HTTP ${reply.status} says nothing`)
    const replies = readMessages(reply.body, note).filter(isAnswer)
    answers += replies.length
    if (!isSound) return
    if (reply.end === 'timed out') note('no response within the time')
    if (reply.status === 0) note('the connection was closed without a response')
    const fault = checkReplies(each, reply, replies)
    if (fault) note(fault)
  }

  /** MCP-12: by notification where there are sessions, by closing the connection where there are none. */
  async function cancel(connection: Connection, slow: Case): Promise<void> {
    const reply = connection.exchange(post(slow, sessionId).bytes, {
      until: (body) => slow.era === 'modern' && body.includes('pending'),
    })
    let isOver = false
    const over = reply.then(() => {
      isOver = true
    })
    // Whichever of the two arrives first: what is not under way yet cannot be cancelled, so it is said until it is heard.
    while (slow.era === 'legacy' && slow.id !== undefined && !isOver) {
      const other = createConnection(port)
      await other.exchange(post(cancellation(slow.id, 'legacy'), sessionId).bytes)
      other.close()
      await Promise.race([over, sleep(1_000)])
    }
    const { end, status } = await reply
    sent += 2
    if (end === 'timed out' || status >= 500)
      faults.push({ what: `a cancelled call ends with ${status}, ${end}`, sent: slow })
  }

  async function sendAll(cases: Iterable<Case>, seed?: number, onProgress?: (sent: number) => void): Promise<void> {
    const random = createRandom(seed ?? 0)
    const source = cases[Symbol.iterator]()
    let count = 0
    const work = async (connection: Connection) => {
      for (let next = source.next(); !next.done && server.isAlive(); next = source.next()) {
        if (++count % 10_000 === 0) onProgress?.(count)
        const each = next.value as Case
        if (each.isSlow) await cancel(connection, each)
        else if (each.cancels === undefined) {
          const isAround = seed !== undefined && each.expect === 'anything' && random.chance(SPOILT_AROUND)
          await send(connection, each, isAround ? spoiltPost(random, each, sessionId) : post(each, sessionId))
        }
      }
    }
    await Promise.all(connections.map(work))
  }

  const ask: Ask = async (method, params) => {
    const name = typeof params?.name === 'string' ? params.name : undefined
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 0, method, params: { ...params, _meta: META } }))
    const headers = [...JSON_HEADERS, ...Object.entries(modernHeaders(method, name))] as const
    const reply = await own.exchange(render('POST /mcp HTTP/1.1', headers, body))
    return messagesIn(reply.body).at(-1)?.result ?? {}
  }

  return {
    ask,
    sendAll,
    outcome: () => ({ sent, answers, faults: [...server.faults(), ...faults] }),
    close: () => {
      for (const connection of [own, ...connections]) connection.close()
    },
  }
}

/** Long enough for an answer, short enough to go on. */
const OPEN_ENDED_MS = 60

const JSON_HEADERS = [
  ['host', '127.0.0.1'],
  ['content-type', 'application/json'],
  ['accept', 'application/json, text/event-stream'],
] as const

async function portOf({ child }: ServerProcess): Promise<number> {
  const [first] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  const { url } = JSON.parse(first.toString()) as { readonly url: string }
  return Number(new URL(url).port)
}

async function openSession(connection: Connection): Promise<string> {
  const send = (message: unknown, headers: readonly (readonly [string, string])[] = []) =>
    connection.exchange(
      render('POST /mcp HTTP/1.1', [...JSON_HEADERS, ...headers], Buffer.from(JSON.stringify(message))),
    )
  const opened = await send(initialize())
  const id = opened.headers.get('mcp-session-id') ?? ''
  await send(INITIALIZED, [['mcp-session-id', id]])
  return id
}

function ending(sessionId: string): Buffer {
  return render('DELETE /mcp HTTP/1.1', [...JSON_HEADERS, ['mcp-session-id', sessionId]], Buffer.alloc(0))
}

/** Judged one by one; a body that is neither JSON nor an event stream is the transport's own plain text. */
function readMessages(body: string, note: (what: string) => void): readonly unknown[] {
  const texts = body.startsWith('{')
    ? [body]
    : body
        .split('\n')
        .filter((line) => line.startsWith('data: {'))
        .map((line) => line.slice(6))
  return texts.map((text) => {
    const message: unknown = JSON.parse(text)
    for (const what of judge(message, text)) note(what)
    return message
  })
}

/** One body, one answer: under its id, or without where none can be read. */
function checkReplies(each: Case, { status, body }: Reply, replies: readonly Answer[]): string | undefined {
  const [expected] = expectationsOf(each, [each.bytes])
  const { kind, id, candidates } = expected as Expectation
  const got = `HTTP ${status} ${body.slice(0, 300)}`
  if (kind === 'silence')
    return replies.length === 0 || status >= 400 ? undefined : `MCP-01 an answer to a notification: ${got}`
  if (kind === 'anything') return replies.length <= 1 ? undefined : `MCP-01 more than one answer: ${got}`
  if (replies.length !== 1) return `MCP-01 ${replies.length} answers: ${got}`
  const answered = replies[0]?.id ?? null
  if (kind === 'answer') return answered === id ? undefined : `MCP-01 the answer has another id: ${got}`
  return answered === null || candidates.includes(answered) ? undefined : `MCP-01 the answer has an id: ${got}`
}
