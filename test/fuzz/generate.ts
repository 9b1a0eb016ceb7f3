import { Buffer } from 'node:buffer'
import { META } from '../e2e/raw-client.ts'
import type { Random } from './random.ts'
import { type Handles, oddKey, oddObject, oddText, oddValue, type ParamCard, rightValue, tampered } from './values.ts'

export type Id = string | number
export type Era = 'legacy' | 'modern'

/** What the server said about itself before the first odd message: the generator invents the rest. */
export interface Material extends Handles {
  readonly tools: readonly string[]
  readonly operations: readonly OperationCard[]
}

export interface OperationCard {
  readonly name: string
  readonly tool: string
  readonly params: readonly ParamCard[]
  readonly example: Readonly<Record<string, unknown>>
}

/** One thing to send. */
export interface Case {
  readonly bytes: Buffer
  /** The id that must be answered, once for each time it was sent. */
  readonly id?: Id
  /** Who answers: exactly one answer under the id, exactly one without a readable id, none, or nobody can say. */
  readonly expect: 'answer' | 'refusal' | 'silence' | 'anything'
  /** The request that this one cancels: it may stay unanswered. */
  readonly cancels?: Id
  /** Runs for minutes unless somebody cancels it. */
  readonly isSlow?: boolean
  /** The stateless revision wants the method and the tool's name in headers too. */
  readonly era: Era
  readonly method?: string
  readonly tool?: string
  readonly operation?: string
}

/** An endless supply of structured messages; the same for the same random numbers and material. */
export function* generateMessages(random: Random, material: Material, spoken: Era, firstId = 1): Generator<Case> {
  const ids = createIds(random, firstId)
  for (;;) {
    const era = random.chance(96) ? spoken : OTHER[spoken]
    const kind = random.below(100)
    if (kind < 76) yield call(random, material, era, ids())
    else if (kind < 83) yield otherMethod(random, era, ids())
    else if (kind < 92) yield brokenEnvelope(random, material, era, ids())
    else if (kind < 96) yield notification(random, material, era)
    else if (kind < 98) yield* cancelled(random, material, era, ids())
    else yield* twiceTheSameId(random, material, era, ids())
  }
}

const OTHER = { legacy: 'modern', modern: 'legacy' } as const

/** A well-formed call of a tool with arguments that are right, nearly right or absurd. */
export function call(random: Random, material: Material, era: Era, id: Id): Case {
  const operation = pickOperation(random, material)
  const tool = random.chance(90) ? operation.tool : pickTool(random, material)
  const args = argumentsOf(random, material, operation)
  return request(random, era, id, 'tools/call', { name: tool, arguments: args }, { tool, operation: operation.name })
}

/** Long enough that whoever cancels it is in time, most of the time. */
export function slowCall(random: Random, material: Material, era: Era, id: Id): Case {
  const operation = 'import_issues'
  const tool = material.operations.find(({ name }) => name === operation)?.tool ?? ''
  const params = { project: 'API', api_key: 'key_demo1234', count: 500, delay_ms: 1000 }
  const meta = { progressToken: id }
  const given = { name: tool, arguments: { operation, params } }
  return { ...request(random, era, id, 'tools/call', given, { tool, operation, meta }), isSlow: true }
}

/** Each call mints a session on the stateless revision over HTTP (MCP-25). */
export function* mintingCalls(random: Random, { tools }: Material, count: number): Generator<Case> {
  const tool = tools.find((name) => name.endsWith('read')) ?? ''
  const args = { operation: 'introspect', params: { query: 'operations' } }
  for (let id = 1; id <= count; id++)
    yield request(random, 'modern', id, 'tools/call', { name: tool, arguments: args }, { tool, meta: {} })
}

function createIds(random: Random, first: number): () => Id {
  let last = first - 1
  return () => {
    last++
    const kind = random.below(20)
    if (kind < 12) return last
    if (kind === 12) return -last
    if (kind === 13) return 9_007_199_254_740_991 - last
    if (kind === 14) return `${last}`
    if (kind === 15) return `${'long'.repeat(random.below(60))}-${last}`
    if (kind === 16) return `\u0000"\\\n😀-${last}`
    return `id-${last}`
  }
}

interface Extras {
  readonly tool?: string
  readonly operation?: string
  readonly meta?: Readonly<Record<string, unknown>>
}

function request(
  random: Random,
  era: Era,
  id: Id,
  method: string,
  given: Readonly<Record<string, unknown>> | undefined,
  { meta: more = metaOf(random), ...extras }: Extras = {},
): Case {
  const meta = { ...(era === 'modern' && META), ...more }
  const params =
    given || Object.keys(meta).length > 0
      ? { ...given, ...(Object.keys(meta).length > 0 && { _meta: meta }) }
      : undefined
  const message = ordered(random, { jsonrpc: '2.0', id, method, ...(params && { params }) })
  return { bytes: bytesOf(message), id, expect: 'answer', era, method, ...extras }
}

/** The order of members means nothing, so it must not matter. */
function ordered(random: Random, message: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return random.chance(80) ? message : Object.fromEntries(Object.entries(message).toReversed())
}

function bytesOf(message: unknown): Buffer {
  return Buffer.from(JSON.stringify(message) ?? 'null')
}

function metaOf(random: Random): Readonly<Record<string, unknown>> {
  if (random.chance(85)) return {}
  if (random.chance(50)) return { progressToken: random.pick([0, 1, 'token', '', '\u0000', 'x'.repeat(500)]) }
  if (random.chance(30)) return { progressToken: random.pick([null, 1.5, {}, [], true]) }
  return oddObject(random)
}

function pickOperation(random: Random, { operations }: Material): OperationCard {
  return random.pick(operations)
}

function pickTool(random: Random, { tools }: Material): string {
  if (random.chance(60)) return random.pick(tools)
  return random.pick(['', 'nope', '__proto__', 'constructor', 'tracker_mcpaql_READ', 'x'.repeat(1_000), 'ü', '\u0000'])
}

function argumentsOf(random: Random, material: Material, operation: OperationCard): unknown {
  if (random.chance(2)) return oddValue(random)
  if (random.chance(8)) return batchOf(random, material)
  const args = entryOf(random, material, operation)
  if (random.chance(2)) return huge(random, args)
  return args
}

/** One request of the protocol: the name, the parameters inside or beside it, and what travels along. */
function entryOf(random: Random, material: Material, operation: OperationCard): Record<string, unknown> {
  const params = paramsOf(random, material, operation)
  const name = random.chance(96) ? operation.name : misspelled(random, operation.name)
  const entry: Record<string, unknown> = random.chance(90)
    ? { operation: name, params: random.chance(98) ? params : oddValue(random) }
    : { operation: name, ...params }
  if (random.chance(8)) entry._request_id = random.pick(['r-1', 7, '', 'x'.repeat(300), null, {}, '\u0000'])
  if (random.chance(6)) entry._meta = random.pick([{ tokens: true }, { progressToken: 5 }, null, [], 'x'])
  if (random.chance(4)) entry._session = oddValue(random)
  if (random.chance(4)) entry[oddKey(random)] = oddValue(random)
  return entry
}

function misspelled(random: Random, name: string): unknown {
  if (random.chance(30)) return oddValue(random)
  if (random.chance(50)) return tampered(random, name)
  return random.pick([
    name.toUpperCase(),
    ` ${name}`,
    name.replace('_', ''),
    'toString',
    '__proto__',
    '',
    'x'.repeat(5_000),
  ])
}

function paramsOf(
  random: Random,
  material: Material,
  { name, params, example }: OperationCard,
): Record<string, unknown> {
  if (random.chance(10)) return { ...example }
  const given = new Map<string, unknown>()
  for (const card of params) {
    // An import that runs for minutes would be at work still when the heap is measured.
    const isSent = card.required ? random.chance(95) : name === 'import_issues' || random.chance(25)
    if (!isSent) continue
    const isOdd = name === 'import_issues' ? random.chance(2) : random.chance(6)
    given.set(spelled(random, card.name), isOdd ? oddValue(random) : rightValue(random, card, material))
  }
  if (name === 'introspect' && random.chance(20)) {
    given.set('query', 'rest').set('name', rightValue(random, REST, material))
  }
  if (random.chance(4)) given.set(oddKey(random), oddValue(random))
  return Object.fromEntries(given)
}

const REST: ParamCard = { name: 'rest', type: 'string', required: true }

/** REQ-05: camelCase is understood; other spellings are not. */
function spelled(random: Random, name: string): string {
  if (random.chance(94)) return name
  if (random.chance(60)) return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
  return random.pick([name.toUpperCase(), `${name} `, `_${name}`, `params.${name}`])
}

function batchOf(random: Random, material: Material): unknown {
  const size = random.chance(3) ? random.pick([0, 51, 200]) : 1 + random.below(5)
  const readOnly = random.chance(30)
  const reads = material.operations.filter(({ tool }) => tool.endsWith('read'))
  const operations = Array.from({ length: size }, () => {
    if (random.chance(2)) return oddValue(random)
    const operation = readOnly ? random.pick(reads) : pickOperation(random, material)
    const entry = entryOf(random, material, operation)
    if (random.chance(25)) entry._id = random.pick(['a', 'b', '0', '', '__proto__', 'x'.repeat(200)])
    const params = entry.params as Record<string, unknown> | undefined
    if (random.chance(35) && typeof params === 'object' && params !== null && !Array.isArray(params)) {
      const [name = 'issue_id'] = Object.keys(params)
      params[name] = { $ref: referenceOf(random) }
    }
    return entry
  })
  return {
    operations,
    ...((readOnly || random.chance(10)) && { parallel: random.pick([true, true, false, 'yes']) }),
    ...(random.chance(3) && { operation: 'list_issues' }),
  }
}

/** Backwards, forwards, to itself, to nothing, through prototypes. */
function referenceOf(random: Random): unknown {
  if (random.chance(8)) return oddValue(random)
  const source = random.pick(['0', '1', '2', '4', '99', 'a', 'b', '-1', '', '__proto__', 'constructor'])
  return `${source}${random.pick(['', '.data', '.data.id', '.data.items.0.id', '.success', '.__proto__', '..', '.data.constructor.name'])}`
}

/** Large, though within what is cheap to send: around the limits of a text, an array, the depth and the request. */
function huge(random: Random, args: Record<string, unknown>): unknown {
  switch (random.below(12)) {
    case 0:
      return { ...args, text: 'x'.repeat(random.pick([70_000, 200_000])) }
    case 1:
      return { ...args, text: 'ü'.repeat(random.chance(20) ? 620_000 : 30_000) }
    case 2:
      return { ...args, list: new Array(random.pick([9_999, 10_000, 10_001])).fill(0) }
    case 3:
      return { ...args, list: new Array(2_000).fill({ a: [1] }) }
    default:
      return { ...args, deep: deep(random.pick([28, 30, 31, 32, 33, 40, 60, 500])) }
  }
}

function deep(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

function otherMethod(random: Random, era: Era, id: Id): Case {
  const method = random.pick([
    ...['tools/list', 'tools/list', 'ping', 'logging/setLevel', 'server/discover', 'initialize'],
    ...['prompts/list', 'resources/read', 'completion/complete', 'tasks/get', 'sampling/createMessage'],
    ...['nope', '', '__proto__', 'tools/call/', 'TOOLS/LIST', 'rpc.discover', 'x'.repeat(500)],
  ])
  const params = paramsOfMethod(random, method)
  return request(random, era, id, method, params)
}

function paramsOfMethod(random: Random, method: string): Readonly<Record<string, unknown>> | undefined {
  if (random.chance(15)) return oddObject(random)
  if (method === 'tools/list') return random.chance(70) ? undefined : { cursor: oddValue(random) }
  if (method === 'logging/setLevel') return { level: random.pick(['error', 'emergency', 'critical', 'loud', 3, null]) }
  if (method === 'initialize') {
    const protocolVersion = random.pick(['2025-06-18', '2024-11-05', '2026-07-28', 'x', 5])
    return {
      protocolVersion,
      capabilities: {},
      ...(random.chance(80) && { clientInfo: { name: 'fuzz', version: '0' } }),
    }
  }
  return random.chance(50) ? undefined : {}
}

/** JSON, but not JSON-RPC, or not to its letter. */
function brokenEnvelope(random: Random, material: Material, era: Era, id: Id): Case {
  const good = JSON.parse(call(random, material, era, id).bytes.toString()) as Record<string, unknown>
  const sent = (message: unknown, expect: Case['expect']): Case => ({
    bytes: bytesOf(message),
    expect,
    era,
    ...(expect === 'answer' && { id }),
  })
  switch (random.below(12)) {
    case 0:
      return sent({ ...good, jsonrpc: random.pick(['1.0', 2, null, '2.0 ', undefined]) }, 'answer')
    case 1:
      return sent({ ...good, id: random.pick([null, 1.5, true, {}, [], 1e300]) }, 'refusal')
    case 2:
      return sent({ ...good, method: random.pick([null, 5, {}, [], true, undefined]) }, 'answer')
    case 3:
      return sent({ ...good, params: random.pick([null, 'x', 5, true, [], [1, 2]]) }, 'answer')
    case 4:
      return sent({ ...good, params: { ...(good.params as object), _meta: random.pick([null, 1, 'x', []]) } }, 'answer')
    case 5:
      return sent({ ...good, [oddKey(random)]: oddValue(random) }, 'answer')
    case 6:
      return sent([good], 'refusal')
    case 7:
      return sent(random.pick([[], null, 5, 'text', true, '', {}, { id: null }]), 'refusal')
    case 8:
      return sent({ jsonrpc: '2.0', id, result: {} }, 'silence')
    case 9:
      return sent({ jsonrpc: '2.0', id, error: random.pick([{ code: 1, message: 'no' }, null, 'x']) }, 'silence')
    case 10:
      return sent({ ...good, params: { name: random.pick([undefined, null, 5, {}]), arguments: {} } }, 'answer')
    default:
      return duplicateKey(random, good, id, era)
  }
}

function duplicateKey(random: Random, good: Readonly<Record<string, unknown>>, id: Id, era: Era): Case {
  const text = JSON.stringify(good)
  const [again, isId] = random.pick([
    ['jsonrpc', false],
    ['method', false],
    ['params', false],
    ['id', true],
    ['\\u0069d', true],
  ] as const)
  const bytes = Buffer.from(`{"${again}":${JSON.stringify(isId ? id : '2.0')},${text.slice(1)}`)
  // Written twice, an id is nobody's.
  return isId ? { bytes, expect: 'refusal', era } : { bytes, expect: 'answer', id, era }
}

function notification(random: Random, material: Material, era: Era): Case {
  const method = random.pick([
    ...['notifications/initialized', 'notifications/cancelled', 'notifications/progress', 'notifications/nope'],
    ...['notifications/roots/list_changed', 'tools/call', 'tools/list', 'ping', 'nope', ''],
  ])
  const params = random.pick<unknown>([
    undefined,
    { requestId: random.pick([123_456_789, 'never', null, {}, -1]), reason: oddText(random) },
    { progressToken: 1, progress: random.pick([1, -1, 'x']) },
    { name: random.pick(material.tools), arguments: { operation: 'list_issues' } },
    oddValue(random),
  ])
  const bytes = bytesOf({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) })
  // Where the text itself is at fault, a message without an id may also be a request whose id is lost.
  return { bytes, expect: method.startsWith('notifications/') ? 'silence' : 'anything', era }
}

/** MCP-12. */
function* cancelled(random: Random, material: Material, era: Era, id: Id): Generator<Case> {
  yield slowCall(random, material, era, id)
  yield cancellation(id, era)
}

export function cancellation(id: Id, era: Era): Case {
  const params = { requestId: id, reason: 'fuzz', ...(era === 'modern' && { _meta: META }) }
  const bytes = bytesOf({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
  return { bytes, expect: 'silence', cancels: id, era }
}

/** MCP-01. The second is refused while the first is at work; each has its answer. */
function* twiceTheSameId(random: Random, material: Material, era: Era, id: Id): Generator<Case> {
  yield call(random, material, era, id)
  yield call(random, material, era, id)
}
