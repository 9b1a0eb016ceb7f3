import { Buffer } from 'node:buffer'
import { setTimeout as sleep } from 'node:timers/promises'
import { INITIALIZED, initialize, META } from '../e2e/raw-client.ts'
import { type Accounts, createAccounts, type Fault } from './accounts.ts'
import { type Case, type Era, generateMessages, type Id, type Material } from './generate.ts'
import { type Ask, harvest, normalCall } from './harvest.ts'
import { isAnswer, judge } from './judge.ts'
import { mutate } from './mutate.ts'
import { createRandom } from './random.ts'
import type { Outcome, Round, Trial } from './round.ts'
import { type ServerProcess, startServer } from './server.ts'

/** One server on a pipe: pipelined, everything at once, answers in any order. */
export async function driveStdio(round: Round): Promise<Outcome> {
  const wire = await openPipe(round.era)
  try {
    const material = await harvest(wire.ask)
    await sendAll(wire, casesOf(round.seed + WARM_UP, round.era, material, round.warmUp))
    const call = () => normalCall(wire.ask, material)
    const heapBefore = await wire.server.heapUsed(call)
    await sendAll(wire, casesOf(round.seed, round.era, material, round.messages), round.onProgress)
    const works = wire.server.isAlive() && (await call())
    const heapAfter = wire.server.isAlive() ? await wire.server.heapUsed(call) : 0
    return { ...wire.outcome(), works, heapBefore, heapAfter, material }
  } finally {
    await wire.server.stop()
  }
}

/** The messages of a round: sound JSON first, then spoilt bytes, shuffled into each other. */
export function* casesOf(seed: number, era: Era, material: Material, { structured, mutated }: Round['messages']) {
  const random = createRandom(seed)
  const sound = generateMessages(random, material, era)
  const raw = generateMessages(createRandom(seed + 1), material, era, 700_000_001)
  let [left, leftMutated] = [structured, mutated]
  while (left + leftMutated > 0) {
    if (random.below(left + leftMutated) >= left) {
      leftMutated--
      yield mutate(random, nextQuick(raw), nextQuick(raw))
    } else {
      left--
      const { value } = sound.next()
      yield value as Case
    }
  }
}

/** Tries messages one at a time, so that it is certain which of them does wrong. */
export function openStdioTrial(era: Era): Trial {
  let opened: Promise<Pipe> | undefined
  const close = async () => {
    const wire = await opened
    opened = undefined
    await wire?.server.stop()
  }
  return {
    close,
    async faultOf(sent) {
      opened ??= openPipe(era)
      const wire = await opened
      wire.send(sent)
      await wire.ask('ping').catch(() => ({}))
      await wire.settled(TRIAL_MS)
      const [fault] = wire.outcome().faults
      if (fault) await close()
      return fault?.what
    },
  }
}

const TRIAL_MS = 2_000
const WARM_UP = 1_000_003
/** Requests at work at the same time; above what the server takes at once, so that it has to hold back. */
const WINDOW = 300

function nextQuick(messages: Generator<Case>): Case {
  for (;;) {
    const { value } = messages.next() as IteratorYieldResult<Case>
    if (!value.isSlow && value.cancels === undefined) return value
  }
}

interface Pipe {
  readonly server: ServerProcess
  readonly ask: Ask
  send(sent: Case): void
  /** Waits until there is room for more; false when answers do not come any more. */
  room(): Promise<boolean>
  /** Waits until everything is answered, or nothing comes any more. */
  settled(ms: number): Promise<void>
  outcome(): Pick<Outcome, 'sent' | 'answers' | 'faults'>
}

async function openPipe(era: Era): Promise<Pipe> {
  const server = startServer([])
  const { stdin, stdout } = server.child
  if (!stdin || !stdout) throw new Error('no pipes')
  const accounts: Accounts = createAccounts()
  const faults: Fault[] = []
  const waiting = new Map<Id, (result: Readonly<Record<string, unknown>>) => void>()
  let wake: () => void = () => {}
  let [sent, answers, asked] = [0, 0, 0]
  let arrived = performance.now()

  stdin.on('error', () => {}) // the server went away; its end is reported
  server.child.on('exit', () => wake())
  readLines(stdout, (line) => {
    take(line)
    wake()
  })

  function take(line: string): void {
    let message: unknown
    try {
      message = JSON.parse(line)
    } catch {
      faults.push({ what: `MCP-05 stdout carries ${JSON.stringify(line.slice(0, 200))}` })
      return
    }
    const reply = isAnswer(message) ? message : undefined
    const own = typeof reply?.id === 'string' ? waiting.get(reply.id) : undefined
    if (own) {
      waiting.delete(reply?.id as string)
      own(reply?.result ?? {})
      return
    }
    if (reply) {
      answers++
      arrived = performance.now() // progress alone is no answer
    }
    const request = reply && accounts.settle(reply.id)
    for (const what of judge(message, line)) faults.push({ what, ...(request && { sent: request }) })
  }

  const ask: Ask = (method, params) =>
    new Promise((resolve, reject) => {
      const id = `driver-${asked++}`
      const began = performance.now()
      waiting.set(id, resolve)
      const withMeta = era === 'modern' ? { ...params, _meta: META } : params
      stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, ...(withMeta && { params: withMeta }) })}\n`)
      const timer = setInterval(() => {
        if (!waiting.has(id)) clearInterval(timer)
        else if (!server.isAlive() || performance.now() - began > STALLED) {
          clearInterval(timer)
          reject(new Error(`${method} is not answered`))
        }
      }, 500)
    })

  if (era === 'legacy') {
    await ask('initialize', initialize().params).catch(async (cause) => {
      await server.stop()
      throw cause
    })
    stdin.write(`${JSON.stringify(INITIALIZED)}\n`)
  }

  const woken = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 50)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  return {
    server,
    ask,
    send(each) {
      sent++
      accounts.ask(each)
      stdin.write(Buffer.concat([each.bytes, NEWLINE]))
    },
    async room() {
      arrived = performance.now()
      while (server.isAlive() && (accounts.owed() > WINDOW || stdin.writableNeedDrain)) {
        await woken()
        if (performance.now() - arrived > STALLED) return false
      }
      return server.isAlive()
    },
    async settled(ms) {
      arrived = performance.now()
      while (server.isAlive() && accounts.owed() > 0 && performance.now() - arrived < ms) await woken()
      if (ms >= STALLED) await sleep(100) // for an answer too many
    },
    outcome: () => ({
      sent,
      answers,
      faults: [...server.faults(), ...faults, ...accounts.faults()],
    }),
  }
}

const NEWLINE = Buffer.from('\n')
/** Long, since a busy machine is no fault. */
const STALLED = 60_000

async function sendAll(wire: Pipe, cases: Iterable<Case>, onProgress?: (sent: number) => void): Promise<void> {
  let count = 0
  for (const each of cases) {
    wire.send(each)
    if (++count % 16 === 0 && !(await wire.room())) break
    if (count % 10_000 === 0) onProgress?.(count)
  }
  await wire.settled(STALLED)
}

function readLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let parts: string[] = []
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    const [first = '', ...others] = chunk.split('\n')
    parts.push(first)
    for (const other of others) {
      onLine(parts.join(''))
      parts = [other]
    }
  })
}
