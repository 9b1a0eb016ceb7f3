import { text } from 'node:stream/consumers'
import type { Config } from '../../config.ts'
import type { Batch } from '../client.ts'
import { defineCommand, EXIT, type Given, isStop, type Stop, stop } from '../command.ts'
import type { Reply } from '../connect.ts'
import { plainText } from '../render.ts'
import { runtimeOptions } from '../settings.ts'
import type { Source } from '../source.ts'
import type { World } from '../world.ts'

export const call = defineCommand({
  name: 'call',
  summary: 'Send one operation, or a batch, and print the result.',
  usage: ['SOURCE OPERATION [JSON] [--param NAME=VALUE …]', 'SOURCE --batch FILE', 'OPERATION [JSON] -- COMMAND…'],
  about: [
    'SOURCE is demo, a module that exports an adapter, the address of a running server, or left out before -- COMMAND…, which starts an MCP-AQL server on stdio. A long-running operation is followed to its end, unless it runs on a server that goes on by itself. Exit code: 0 success, 1 failure, 2 bad usage, 3 denied, 4 waiting for a human.',
  ],
  examples: [
    'mcpaql call demo list_issues',
    `mcpaql call demo get_issue '{"issue_id": "iss_57"}'`,
    'mcpaql call http://127.0.0.1:7420/mcp list_issues --param first=3 --json',
    'mcpaql call demo --batch requests.json',
    'mcpaql call demo delete_label --param name=design --wait 120',
    'mcpaql call list_issues -- npx mcpaql serve demo',
  ],
  options: {
    param: {
      type: 'string',
      multiple: true,
      short: 'p',
      value: 'NAME=VALUE',
      description: 'One parameter. The value is read as JSON; what is no JSON is text.',
    },
    batch: { type: 'string', value: 'FILE', description: 'A JSON array of requests; - reads it from stdin.' },
    tool: { type: 'string', value: 'NAME', description: 'Send to this tool, whatever the introspection says.' },
    wait: {
      type: 'string',
      value: 'SECONDS',
      description: 'When a human must approve, wait for the answer and go on.',
    },
    json: { type: 'boolean', description: 'Print the result as it was received, compact.' },
    ...without(runtimeOptions(), 'batch'),
  },
  positionals: [1, 3],
  takesCommand: true,

  async run(given, world) {
    const { readConfig } = await import('../read-config.ts')
    const { readSource } = await import('../source.ts')
    const { batch: _, ...settings } = given.values
    const config = await readConfig(settings, world)
    if (isStop(config)) return config
    const request = await readRequest(given, world)
    if (isStop(request)) return request
    const source = readSource(request.source, given.command)
    if (isStop(source)) return source
    const waitSeconds = readWait(given.values.wait)
    if (isStop(waitSeconds)) return waitSeconds

    const reply = await send({ ...request, waitSeconds }, source, config, world)
    if (isStop(reply)) return reply
    const { printReply } = await import('../print-reply.ts')
    const { exitOf } = await import('../client.ts')
    printReply(reply, given.values.json === true, world)
    const exit = exitOf(reply)
    if (exit === EXIT.waiting && waitSeconds === 0) world.err(howToWait(source, 'operations' in request.body))
    const quoted = textInQuotes(reply, (given.values.param as readonly string[] | undefined) ?? [])
    if (quoted !== undefined) world.err(quoted)
    return exit
  },
})

interface Request {
  readonly source: string | undefined
  readonly body: { readonly operation: string; readonly params: Readonly<Record<string, unknown>> } | Batch
  readonly tool: string | undefined
  /** How long to wait for a human. */
  readonly waitSeconds?: number
}

async function send(
  { body, tool, waitSeconds = 0 }: Request,
  source: Source,
  config: Config,
  world: World,
): Promise<Reply | Stop> {
  const { openClient } = await import('../open-client.ts')
  // A batch may mix families, which only the unified tool takes.
  const mode = 'operations' in body && tool === undefined ? 'single' : config.endpoint_mode
  const client = await openClient(source, { ...config, endpoint_mode: mode }, world)
  if (isStop(client)) return client
  try {
    if (tool !== undefined) {
      const names = client.tools.map(({ name }) => name)
      if (!names.includes(tool)) return stop(EXIT.badUsage, `There is no tool ${tool}`, `Tools: ${names.join(', ')}`)
    }
    if ('operations' in body) return await (tool === undefined ? client.batch(body) : client.send(tool, body))
    const { operation } = body
    const ask = (controls: Readonly<Record<string, unknown>>) => {
      const params = { ...body.params, ...controls }
      return tool === undefined ? client.call(operation, params) : client.send(tool, { operation, params })
    }
    const { awaitApproval } = await import('../await-approval.ts')
    const reply = await awaitApproval(ask, waitSeconds, world)
    if (isStop(reply) || source.kind === 'url') return reply
    const { followExecution } = await import('../follow-execution.ts')
    return await followExecution(client, reply, world)
  } finally {
    await client.close()
  }
}

/** A question ends with the session that asked it, and the session of a source that was started for it is over now. */
function howToWait({ kind }: Source, isBatch: boolean): string {
  const ended = kind === 'url' ? '' : 'The question has ended with this command. '
  const alone = isBatch ? 'send that operation alone, with --wait 120' : '--wait 120'
  return `${ended}To wait for the answer and go on: ${alone}`
}

/** Who writes `--param code=1234` may well have meant the text. */
function textInQuotes({ result }: Reply, given: readonly string[]): string | undefined {
  const { details = {} } = (result.error ?? {}) as { readonly details?: Readonly<Record<string, unknown>> }
  const { param_name: name, expected_type } = details
  const isGiven = given.some((each) => each.startsWith(`${String(name)}=`))
  if (!isGiven || expected_type !== 'string') return undefined
  return plainText(`--param ${String(name)} was read as JSON. As text it is --param '${String(name)}="…"'`)
}

function readWait(given: unknown): number | Stop {
  if (given === undefined) return 0
  const seconds = Number(given)
  if (Number.isFinite(seconds) && seconds >= 0) return seconds
  return stop(EXIT.badUsage, `--wait ${String(given)} must be a number of seconds`, 'For example --wait 120')
}

async function readRequest({ values, positionals, command }: Given, world: World): Promise<Request | Stop> {
  const [source, ...rest] = command.length > 0 ? [undefined, ...positionals] : positionals
  const tool = values.tool as string | undefined
  if (typeof values.batch === 'string') {
    if (rest.length > 0) return stop(EXIT.badUsage, 'Either --batch or an OPERATION, not both')
    const body = await readBatch(values.batch, world)
    return isStop(body) ? body : { source, tool, body }
  }
  const [operation, json = '{}'] = rest
  if (operation === undefined) {
    return stop(EXIT.badUsage, 'Which operation?', `mcpaql introspect ${source ?? 'SOURCE'} lists them`)
  }
  const params = readObject(json, 'The parameters')
  if (isStop(params)) return params
  const named = readNamed((values.param as readonly string[] | undefined) ?? [])
  return isStop(named) ? named : { source, tool, body: { operation, params: { ...params, ...named } } }
}

async function readBatch(file: string, world: World): Promise<Batch | Stop> {
  const { readText } = await import('../read-text.ts')
  const source = file === '-' ? await text(world.stdin) : await readText(file, '--batch', world)
  if (isStop(source)) return source
  const value = parse(source)
  if (Array.isArray(value)) return { operations: value }
  if (typeof value === 'object' && value !== null && Array.isArray((value as Partial<Batch>).operations))
    return value as Batch
  return stop(
    EXIT.badUsage,
    `${file === '-' ? 'What came on stdin' : file} is not a batch`,
    'Write a JSON array: [{"operation": "list_issues"}, {"operation": "get_issue", "params": {"issue_id": "iss_57"}}]',
  )
}

function readObject(json: string, what: string): Readonly<Record<string, unknown>> | Stop {
  const value = parse(json)
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>
  return stop(
    EXIT.badUsage,
    `${what} must be a JSON object, for example '{"first": 3}'`,
    'Or give them one by one: --param first=3',
  )
}

function readNamed(pairs: readonly string[]): Readonly<Record<string, unknown>> | Stop {
  const named = new Map<string, unknown>()
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    if (at < 1) return stop(EXIT.badUsage, `--param ${pair} must be NAME=VALUE`)
    const value = pair.slice(at + 1)
    const json = parse(value)
    named.set(pair.slice(0, at), json === undefined ? value : json)
  }
  return Object.fromEntries(named)
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** `--batch FILE` stands for a setting's flag of the same name, which makes no sense for one call. */
function without<T extends object>(options: T, name: string): T {
  return Object.fromEntries(Object.entries(options).filter(([option]) => option !== name)) as T
}
