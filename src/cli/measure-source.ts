import type { Config } from '../config.ts'
import type { EndpointMode } from '../protocol/endpoints.ts'
import type { OperationDetails, OperationInfo, ParameterInfo } from '../protocol/introspection.ts'
import type { Client } from './client.ts'
import { EXIT, isStop, type Stop, stop } from './command.ts'
import type { Reply } from './connect.ts'
import { openClient } from './open-client.ts'
import { columns, counted, heading, painter, table, wrap } from './render.ts'
import { isLocal, type Source } from './source.ts'
import type { World } from './world.ts'

/** Tokens, all of them. */
export interface Figures {
  readonly counter: 'o200k' | 'estimate'
  readonly adapters: readonly string[]
  readonly operations: number
  /** What a client loads before the first word: the compact tool list. */
  readonly tool_list: { readonly per_operation: number } & { readonly [M in EndpointMode]?: number }
  readonly discovery: {
    /** The list of operations, all pages. */
    readonly list: number
    /** The details of one operation. */
    readonly details_mean: number
    readonly details_max: number
    /** A search reply, asked with each operation's own first sentence. */
    readonly search_mean: number
    readonly search_max: number
  }
  /** From how many different operations on one tool for each would have been cheaper, each found by a search of its own. */
  readonly break_even: { readonly [M in EndpointMode]?: number }
}

export async function measureSource(source: Source, config: Config, world: World): Promise<Figures | Stop> {
  const { name: counter, count } = await tokenCounter()
  const modes: readonly EndpointMode[] = isLocal(source) ? ['semantic', 'single'] : [config.endpoint_mode]
  const lists: { [M in EndpointMode]?: number } = {}
  let surveyed: Survey | undefined
  for (const mode of modes) {
    // What is measured should not depend on what the demo has stored.
    const settings: Config = { ...config, endpoint_mode: mode, store_url: config.store_url || 'memory:' }
    const client = await openClient(source, settings, world)
    if (isStop(client)) return client
    try {
      const survey = surveyed ?? (await surveyOf(client))
      if (isStop(survey)) return survey
      surveyed = survey
      lists[isLocal(source) ? mode : survey.mode] = count(JSON.stringify(client.tools))
    } finally {
      await client.close()
    }
  }
  if (!surveyed) return stop(EXIT.failed, 'There was nothing to measure')
  return figuresOf(counter, count, surveyed, lists)
}

export function measurementText(figures: Figures, world: World): string {
  const paint = painter(world)
  const { tool_list, discovery, break_even, operations, counter } = figures
  const { per_operation, ...modes } = tool_list
  const share = (tokens: number) => `${((100 * tokens) / per_operation).toFixed(1)} %`
  const lists = Object.entries(modes).map(([mode, tokens]) => [`MCP-AQL, ${mode} mode`, tokens, share(tokens)])
  return [
    heading(`${figures.adapters.join(', ')}: ${counted(operations, 'operation')}`, paint),
    '',
    table(['TOOL LIST', 'TOKENS', 'SHARE'], [[`One tool for each operation`, per_operation, '100 %'], ...lists], world),
    '',
    table(
      ['DISCOVERY', 'MEAN', 'MOST'],
      [
        ['Search reply', discovery.search_mean, discovery.search_max],
        ['Details of one operation', discovery.details_mean, discovery.details_max],
        ['List of all operations', discovery.list, discovery.list],
      ],
      world,
    ),
    '',
    ...Object.entries(break_even).flatMap(([mode, count]) => wrap(evenText(mode, count), columns(world))),
    ...(counter === 'estimate'
      ? wrap(
          'These are estimates, most of them good to 10 %. For exact counts (o200k): npm install gpt-tokenizer',
          columns(world),
        )
      : ['Tokens are counted as o200k does.']),
  ].join('\n')
}

function evenText(mode: string, count: number): string {
  if (count === 0) return `In ${mode} mode MCP-AQL costs more: for so few operations its tool list alone is longer.`
  const found = count === 1 ? 'one operation' : `${count} different operations`
  return `In ${mode} mode MCP-AQL costs less for a conversation that needs up to ${found}, each found by a search.`
}

interface Survey {
  readonly mode: EndpointMode
  readonly adapters: readonly string[]
  /** How many operations the lists name. */
  readonly listed: number
  /** All but `introspect`. */
  readonly operations: readonly OperationDetails[]
  readonly list: string
  readonly details: readonly string[]
  readonly searches: readonly string[]
}

/** Everything that introspection says, adapter by adapter. */
async function surveyOf(client: Client): Promise<Survey | Stop> {
  const adapters: string[] = []
  const operations: OperationDetails[] = []
  const lists: string[] = []
  const details: string[] = []
  const searches: string[] = []
  let mode: EndpointMode = 'semantic'
  let listedCount = 0

  for (const adapter of client.adapters) {
    const ask = async (params: Readonly<Record<string, unknown>>) => {
      const reply = await client.introspect(adapter, params)
      if (isStop(reply)) return reply
      return reply.result.success ? reply : stop(EXIT.failed, `introspect failed: ${reply.text}`)
    }
    let after: string | undefined
    do {
      const page = await ask({ query: 'operations', ...(after !== undefined && { after }) })
      if (isStop(page)) return page
      const { _protocol, operations: listed } = page.result.data as {
        readonly _protocol: Protocol
        readonly operations: readonly OperationInfo[]
      }
      if (after === undefined) adapters.push(_protocol.display_name ?? _protocol.adapter ?? adapter.prefix)
      mode = _protocol.mode ?? mode
      lists.push(listText(page))
      listedCount += listed.length
      for (const { name, description } of listed) {
        // Without MCP-AQL nobody would need it.
        if (name === 'introspect') continue
        const detail = await ask({ query: 'operations', name })
        if (isStop(detail)) return detail
        const search = await ask({ query: 'search', text: firstSentence(description) })
        details.push(detail.text)
        // The search is an extension: a server without it is measured without.
        if (!isStop(search)) searches.push(search.text)
        operations.push((detail.result.data as { readonly operation: OperationDetails }).operation)
      }
      after = listed.length > 0 ? (_protocol.page?.next ?? undefined) : undefined
    } while (after !== undefined)
  }
  return { mode, adapters, listed: listedCount, operations, list: lists.join(''), details, searches }
}

/** Session id and cursor are other letters in each run, and other letters may be more tokens. */
function listText({ result }: Reply): string {
  const { _protocol, ...data } = result.data as { readonly _protocol: Protocol }
  const { session_id: _, page, ...protocol } = _protocol
  const steady = { ...protocol, ...(page && { page: { ...page, next: '' } }) }
  return JSON.stringify({ ...result, data: { ...data, _protocol: steady } })
}

interface Protocol {
  readonly mode?: EndpointMode
  readonly adapter?: string
  readonly display_name?: string
  readonly session_id?: string
  readonly page?: { readonly next?: string | null }
}

function figuresOf(
  counter: Figures['counter'],
  count: Count,
  survey: Survey,
  lists: Partial<Record<EndpointMode, number>>,
): Figures {
  const per_operation = count(JSON.stringify(survey.operations.map(plainTool)))
  const details = survey.details.map(count)
  const searches = survey.searches.map(count)
  // One search suffices to call; a server without it needs the details.
  const each = searches.length > 0 ? mean(searches) : mean(details)
  const evenAt = (tokens: number) => Math.max(0, Math.floor((per_operation - tokens) / Math.max(1, each)))
  return {
    counter,
    adapters: survey.adapters,
    operations: survey.listed,
    tool_list: { per_operation, ...lists },
    discovery: {
      list: count(survey.list),
      details_mean: mean(details),
      details_max: Math.max(0, ...details),
      search_mean: mean(searches),
      search_max: Math.max(0, ...searches),
    },
    break_even: Object.fromEntries(Object.entries(lists).map(([mode, tokens]) => [mode, evenAt(tokens)])),
  }
}

type Count = (text: string) => number

/** The real tokenizer is an optional package: it is a third of the whole installation. */
async function tokenCounter(): Promise<{ readonly name: Figures['counter']; readonly count: Count }> {
  try {
    const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
    // Text of others may hold what looks like a control token.
    return { name: 'o200k', count: (text) => countTokens(text, { disallowedSpecial: new Set() }) }
  } catch {
    const { estimateTokens } = await import('../core/introspection/tokens.ts')
    return { name: 'estimate', count: estimateTokens }
  }
}

/** The tool that an ordinary MCP server would offer for the operation. */
function plainTool({ name, description, parameters }: OperationDetails) {
  return {
    name,
    description,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, schemaOf(parameter)])),
      required: parameters.filter(({ required }) => required).map((parameter) => parameter.name),
    },
  }
}

function schemaOf({ name: _, type, required: __, sensitive: ___, ...rest }: ParameterInfo) {
  if (type.endsWith('[]')) return { type: 'array', items: jsonType(type.slice(0, -2)), ...rest }
  return { ...jsonType(type), ...rest }
}

const JSON_TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array']

function jsonType(type: string) {
  if (type.includes('|'))
    return {
      type: type
        .split('|')
        .map((one) => one.trim())
        .filter((one) => JSON_TYPES.includes(one)),
    }
  return { type: JSON_TYPES.includes(type) ? type : 'string' }
}

function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : Math.round(numbers.reduce((total, number) => total + number, 0) / numbers.length)
}

function firstSentence(text: string): string {
  const end = text.indexOf('. ')
  return (end < 0 ? text : text.slice(0, end)).slice(0, 200)
}
