import { isReport } from '../../core/hook/hook-events.ts'
import { answerClient, type Ending } from './answer-client.ts'
import { askServer } from './ask-server.ts'
import { readEvent } from './read-event.ts'

export interface HookOrder {
  readonly client: string
  readonly url: string
  readonly key: string
  /** Below the client's own patience; a human is never waited for (section 6, 3). */
  readonly deadlineMs: number
}

export const DEADLINE_MS = 3_000
const MOST_INPUT = 1_000_000
/** A report holds what the tool answered as well, which goes nowhere from here. */
const MOST_REPORT = 64_000_000

/** Reads the flags of the command that the installer wrote; undefined when they are not these. */
export function readOrder(args: readonly string[]): HookOrder | undefined {
  const given = new Map<string, string>()
  for (let at = 0; at < args.length; at += 2) {
    const [flag = '', value] = [args[at], args[at + 1]]
    if (!FLAGS.has(flag) || value === undefined || given.has(flag)) return undefined
    given.set(flag, value)
  }
  const [client = '', url, key] = ['--client', '--url', '--key'].map((flag) => given.get(flag))
  const deadlineMs = Number(given.get('--deadline-ms') ?? DEADLINE_MS)
  if (url === undefined || key === undefined || !(deadlineMs >= 100 && deadlineMs <= 30_000)) return undefined
  return { client: client || 'client', url, key, deadlineMs }
}

const FLAGS: ReadonlySet<string> = new Set(['--client', '--url', '--key', '--deadline-ms'])

/** One question, one answer. Whatever goes wrong on the way is a no. */
export async function runHook(
  order: HookOrder | undefined,
  input: AsyncIterable<Uint8Array | string>,
  folder: string,
): Promise<Ending> {
  let event = ''
  const deny = (reason: string) => answerClient({ kind: 'deny', reason }, event, order?.client)
  try {
    if (!order)
      return deny('The mcpaql hook was started with other flags than --client, --url, --key and --deadline-ms')
    const deadline = AbortSignal.timeout(order.deadlineMs)
    const text = await readInput(input, deadline)
    if (text === undefined) return deny(UNREADABLE)
    const call = readEvent(text, order.client, folder)
    if ('fault' in call) return deny(`The mcpaql hook refuses: ${call.fault}`)
    event = call.event
    if (text.length > MOST_INPUT && !isReport(event)) return deny(UNREADABLE)
    return answerClient(await askServer(call, order, deadline), event)
  } catch {
    return deny('The mcpaql hook failed')
  }
}

const UNREADABLE = 'The mcpaql hook could not read the tool call: too long, too slow or not UTF-8'

async function readInput(
  input: AsyncIterable<Uint8Array | string>,
  deadline: AbortSignal,
): Promise<string | undefined> {
  const late = new Promise<undefined>((resolve) => {
    deadline.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  return Promise.race([readAll(input), late])
}

async function readAll(input: AsyncIterable<Uint8Array | string>): Promise<string | undefined> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of input) {
    const bytes = Buffer.from(piece)
    size += bytes.length
    if (size > MOST_REPORT) return undefined
    pieces.push(bytes)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces))
  } catch {
    return undefined
  }
}
