import type {
  OperationDetails,
  OperationInfo,
  ParameterInfo,
  TypeDetails,
  TypeInfo,
} from '../protocol/introspection.ts'
import { type Answer, type Era, type Link, type LinkOptions, openLink, type TargetSpec } from './link.ts'
import { openRaw, type RawPort } from './raw.ts'
import { type Fields, isObject, listAt, objectAt, textAt } from './values.ts'

/** A server under test: what checks may use of it. Everything it says is unproven. */
export interface Target {
  readonly spec: TargetSpec
  readonly server: { readonly name: string; readonly version: string }
  readonly era: Era
  /** Every tool as listed, and those of the adapter under test (MULTI-04). */
  readonly allTools: readonly Fields[]
  readonly tools: readonly Fields[]
  /** Names of the other adapters' tools, by adapter. */
  readonly neighbours: ReadonlyMap<string, readonly string[]>
  readonly mode: 'semantic' | 'single' | 'all' | 'none'
  /** Family name → tool name. */
  readonly families: ReadonlyMap<string, string>
  readonly unified?: string
  /** The tool that answers `introspect`. */
  readonly readTool?: string
  readonly operations: readonly OperationInfo[]
  readonly protocol: Fields
  /** Distinguishes what this run makes from everything else. */
  readonly mark: string
  /** The same server in its other endpoint mode, when one was given. */
  readonly other?: Target
  readonly transcript: readonly Reply[]
  /** A raw `tools/call`. */
  call(tool: string, args: unknown): Promise<Reply>
  /** An operation on the tool that it belongs to; `beside` stands next to `params`. */
  operate(operation: string, params?: Fields, beside?: Fields): Promise<Reply>
  introspect(params: Fields): Promise<Reply>
  request(method: string, params?: Fields): Promise<Answer>
  toolOf(operation: string): string | undefined
  details(name: string): Promise<OperationDetails | undefined>
  /** Details of every operation; of an even sample where there are very many. */
  allDetails(): Promise<readonly OperationDetails[]>
  types(): Promise<readonly TypeInfo[]>
  type(name: string): Promise<TypeDetails | undefined>
  /** A second connection that sends bytes as they are. Undefined when it cannot be opened. */
  raw(): Promise<RawPort | undefined>
  reconnect(options?: LinkOptions): Promise<Link | undefined>
  /** Computed once in a run, whoever asks. */
  once<T>(key: string, compute: () => Promise<T>): Promise<T>
  /** Run after the checks, last in first out. */
  onCleanUp(step: CleanUpStep): void
  cleanUp(): Promise<readonly string[]>
  close(): Promise<void>
}

/** A word about what could not be undone, or nothing. */
export type CleanUpStep = () => Promise<string | undefined>

/** One `tools/call`, sent and answered. */
export interface Reply {
  readonly tool: string
  readonly sent: unknown
  readonly answer: Answer
  /** The MCP-AQL result inside the tool result, when there is one. */
  readonly result?: Fields
  readonly text?: string
}

export interface TargetOptions extends LinkOptions {
  /** The part of the tool names before the protocol's, where a server hosts several adapters. */
  readonly adapter?: string
  readonly other?: Target
  /** Sees every call with its answer. */
  readonly onReply?: (reply: Reply) => void
}

/** Connects, lists the tools, finds the one that introspects and reads the operations. */
export async function openTarget(spec: TargetSpec, options: TargetOptions = {}): Promise<Target | { reason: string }> {
  const link = await openLink(spec, options)
  if ('reason' in link) return link
  const transcript: Reply[] = []
  const known = new Map<string, Promise<unknown>>()
  const steps: CleanUpStep[] = []
  const ports: RawPort[] = []
  const links: Link[] = []
  const listed = await link.request('tools/list')
  const allTools = listed.kind === 'result' ? listAt(listed.result, 'tools').filter(isObject) : []
  const groups = groupTools(allTools)
  const adapter = options.adapter ?? groups.keys().next().value
  const tools = (adapter !== undefined && groups.get(adapter)) || []
  const call = async (tool: string, args: unknown): Promise<Reply> => {
    const reply = readReply(tool, args, await link.request('tools/call', { name: tool, arguments: args }))
    if (transcript.length < MAX_TRANSCRIPT) transcript.push(reply)
    options.onReply?.(reply)
    return reply
  }
  const { readTool, protocol, operations } = await readOperations(tools, call)
  const layout = layOut(tools, operations)
  const endpoints = new Map(operations.map((operation) => [operation.name, operation.endpoint.toLowerCase()]))

  const target: Target = {
    spec,
    server: link.server,
    era: link.era,
    allTools,
    tools,
    neighbours: new Map([...groups].filter(([name]) => name !== adapter).map(([name, own]) => [name, own.map(nameOf)])),
    ...layout,
    ...(readTool !== undefined && { readTool }),
    operations,
    protocol,
    mark: crypto.randomUUID().slice(0, 8),
    ...(options.other && { other: options.other }),
    transcript,
    call,
    toolOf: (operation) =>
      layout.families.get(endpoints.get(operation) ?? '') ??
      layout.unified ??
      (operation === 'introspect' ? readTool : undefined),
    async operate(operation, params, beside = {}) {
      const tool = target.toolOf(operation) ?? readTool ?? nameOf(tools[0] ?? {})
      return call(tool, { operation, ...(params && { params }), ...beside })
    },
    introspect: (params) => call(readTool ?? nameOf(tools[0] ?? {}), { operation: 'introspect', params }),
    request: (method, params) => link.request(method, params),
    details: (name) =>
      target.once(`details ${name}`, async () => {
        const found = objectAt((await target.introspect({ query: 'operations', name })).result, 'data.operation')
        return found && readDetails(found, name)
      }),
    async allDetails() {
      const names = spread(
        operations.map(({ name }) => name),
        MAX_DETAILS,
      )
      const found: OperationDetails[] = []
      for (const name of names) {
        const details = await target.details(name)
        if (details) found.push(details)
      }
      return found
    },
    types: () =>
      target.once('types', async () =>
        listAt((await target.introspect({ query: 'types' })).result, 'data.types').filter(
          (type): type is TypeInfo & Fields => isObject(type) && typeof type.name === 'string',
        ),
      ),
    type: (name) =>
      target.once(`type ${name}`, async () => {
        const found = objectAt((await target.introspect({ query: 'types', name })).result, 'data.type')
        return found as unknown as TypeDetails | undefined
      }),
    raw: () =>
      target.once('raw', async () => {
        const port = await openRaw(spec)
        if ('reason' in port) return undefined
        ports.push(port)
        return port
      }),
    async reconnect(asked = {}) {
      const opened = await openLink(spec, { ...options, ...asked })
      if ('reason' in opened) return undefined
      links.push(opened)
      return opened
    },
    once<T>(key: string, compute: () => Promise<T>): Promise<T> {
      const found = known.get(key) as Promise<T> | undefined // only this function writes, under the same key
      if (found) return found
      const started = compute()
      known.set(key, started)
      return started
    },
    onCleanUp: (step) => {
      steps.push(step)
    },
    async cleanUp() {
      const left: string[] = []
      for (const step of steps.splice(0).reverse()) {
        const word = await step()
        if (word !== undefined) left.push(word)
      }
      return left
    },
    async close() {
      for (const port of ports) port.close()
      for (const opened of [link, ...links]) await opened.close()
    },
  }
  return target
}

/** The failure's code; `success`; or what happened instead of a result. */
export function codeOf(reply: Reply | undefined): string {
  if (!reply) return 'nothing'
  if (reply.result?.success === true) return 'success'
  const code = textAt(reply.result, 'error.code')
  if (code) return code
  if (reply.answer.kind === 'error') return `JSON-RPC error ${reply.answer.code}`
  if (reply.answer.kind === 'broken') return `no answer (${reply.answer.message})`
  return asksApproval(reply) ? 'CONFIRMATION_REQUIRED' : 'no MCP-AQL result'
}

export function messageOf(reply: Reply): string {
  return textAt(reply.result, 'error.message')
}

export function detailsOf(reply: Reply): Fields {
  return objectAt(reply.result, 'error.details') ?? {}
}

/** The `data` of a success; undefined for everything else. */
export function dataOf(reply: Reply | undefined): unknown {
  return reply?.result?.success === true ? reply.result.data : undefined
}

/** `isError` as it stood in the tool result. */
export function flagOf(reply: Reply): unknown {
  return reply.answer.kind === 'result' ? reply.answer.result.isError : undefined
}

export function asksApproval(reply: Reply): boolean {
  if (reply.answer.kind === 'result' && reply.answer.result.resultType === 'input_required') return true
  return textAt(reply.result, 'error.code') === 'CONFIRMATION_REQUIRED'
}

export function nameOf(tool: Fields): string {
  return typeof tool.name === 'string' ? tool.name : ''
}

const MAX_TRANSCRIPT = 20_000
const MAX_DETAILS = 80

/** Tools that take an `operation`, by the part of the name before `mcpaql` or `mcp_aql`. */
function groupTools(tools: readonly Fields[]): ReadonlyMap<string, Fields[]> {
  const groups = new Map<string, Fields[]>()
  for (const tool of tools) {
    if (!objectAt(tool, 'inputSchema.properties.operation')) continue
    const at = nameOf(tool).search(/mcp_?aql/)
    const adapter = at < 0 ? '' : nameOf(tool).slice(0, at)
    groups.set(adapter, [...(groups.get(adapter) ?? []), tool])
  }
  return groups
}

type Caller = (tool: string, args: unknown) => Promise<Reply>

/** Tries the likeliest tool first; on the wrong family the server refuses and the next one is tried. */
async function readOperations(tools: readonly Fields[], call: Caller) {
  const likely = [...tools].sort((a, b) => likelihood(b) - likelihood(a))
  for (const tool of likely) {
    const first = await call(nameOf(tool), { operation: 'introspect', params: { query: 'operations' } })
    if (first.result?.success !== true) continue
    const operations = listAt(first.result, 'data.operations').flatMap(readOperation)
    let next = textAt(first.result, 'data._protocol.page.next')
    for (let page = 0; next && page < 500; page++) {
      const more = await call(nameOf(tool), { operation: 'introspect', params: { query: 'operations', after: next } })
      operations.push(...listAt(more.result, 'data.operations').flatMap(readOperation))
      next = textAt(more.result, 'data._protocol.page.next')
    }
    return { readTool: nameOf(tool), protocol: objectAt(first.result, 'data._protocol') ?? {}, operations }
  }
  return { readTool: undefined, protocol: {}, operations: [] }
}

function likelihood(tool: Fields): number {
  const name = nameOf(tool)
  return (/(?:read|query|discover)$/.test(name) ? 4 : 0) + (/mcp_?aql$/.test(name) ? 2 : 0)
}

/** Lenient on purpose: what exactly stands in the list is the matter of checks, not of reading it. */
function readOperation(value: unknown): OperationInfo[] {
  if (!isObject(value) || typeof value.name !== 'string') return []
  const { name, semantic_category: category, endpoint, description } = value
  return [
    {
      name,
      semantic_category: category as OperationInfo['semantic_category'],
      endpoint: typeof endpoint === 'string' ? endpoint : String(category ?? '').toLowerCase(),
      description: typeof description === 'string' ? description : '',
    },
  ]
}

function readDetails(found: Fields, name: string): OperationDetails {
  const parameters = listAt(found, 'parameters').filter(
    (row): row is ParameterInfo & Fields =>
      isObject(row) && typeof row.name === 'string' && typeof row.type === 'string',
  )
  const returns = objectAt(found, 'returns') ?? { name: '', kind: 'scalar' }
  return { ...found, name, parameters, returns } as unknown as OperationDetails
}

function layOut(
  tools: readonly Fields[],
  operations: readonly OperationInfo[],
): Pick<Target, 'families' | 'mode'> & { unified?: string } {
  const endpoints = [...new Set([...operations.map(({ endpoint }) => endpoint.toLowerCase()), ...CRUDE_FAMILIES])]
  const families = new Map<string, string>()
  const unified: string[] = []
  for (const name of tools.map(nameOf)) {
    const family = endpoints.find((endpoint) => name.toLowerCase().endsWith(`_${endpoint}`))
    if (family && tools.length > 1) families.set(family, name)
    else unified.push(name)
  }
  const [one] = unified
  const mode = tools.length === 0 ? 'none' : families.size === 0 ? 'single' : one ? 'all' : 'semantic'
  return { families, mode, ...(one !== undefined && { unified: one }) }
}

const CRUDE_FAMILIES = ['create', 'read', 'update', 'delete', 'execute']

function readReply(tool: string, sent: unknown, answer: Answer): Reply {
  if (answer.kind !== 'result') return { tool, sent, answer }
  const text = textAt(listAt(answer.result, 'content')[0], 'text')
  try {
    const result: unknown = JSON.parse(text)
    return { tool, sent, answer, text, ...(isObject(result) && { result }) }
  } catch {
    return { tool, sent, answer, text }
  }
}

function spread<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all
  return Array.from({ length: most }, (_, at) => all[Math.floor((at * all.length) / most)] as T)
}
