import type { ToolGroup } from '../../core/registry/group-tools.ts'
import { CATEGORY_NAMES } from '../../protocol/categories.ts'
import type { Client } from '../client.ts'
import { defineCommand, EXIT, isStop, type Stop, stop } from '../command.ts'
import type { ListedTool } from '../connect.ts'
import { jsonLine } from '../json-line.ts'
import { runtimeOptions } from '../settings.ts'

export const introspect = defineCommand({
  name: 'introspect',
  summary: 'Show what a server can do, or what fits a task.',
  usage: ['SOURCE [NAME] [--types] [--category NAME] [--all]', 'SOURCE --search TEXT …', '[NAME] -- COMMAND…'],
  about: [
    'Without a NAME, all operations are shown; NAME is one of them, or with --types a type. SOURCE is demo, a module that exports an adapter, the address of a running server, or left out before -- COMMAND…, which starts an MCP-AQL server on stdio.',
  ],
  examples: [
    'mcpaql introspect demo',
    'mcpaql introspect demo create_issue',
    'mcpaql introspect demo --search "close an issue" --search "who works on it"',
    'mcpaql introspect demo --category READ --json',
    'mcpaql introspect http://127.0.0.1:7420/mcp --types',
  ],
  options: {
    search: {
      type: 'string',
      multiple: true,
      short: 's',
      value: 'TEXT',
      description: 'What you want to do, in your words.',
    },
    category: { type: 'string', value: CATEGORY_NAMES.join('|'), description: 'Only operations of this category.' },
    types: { type: 'boolean', description: 'Types in place of operations.' },
    all: { type: 'boolean', description: 'The whole list, however long, not its first page.' },
    json: { type: 'boolean', description: "Print the answer's data as compact JSON." },
    ...runtimeOptions(),
  },
  positionals: [1, 2],
  takesCommand: true,

  async run({ values, positionals, command }, world) {
    const { readConfig } = await import('../read-config.ts')
    const { readSource } = await import('../source.ts')
    const { openClient } = await import('../open-client.ts')
    const category = values.category?.toUpperCase()
    if (category !== undefined && !CATEGORY_NAMES.some((name) => name === category)) {
      return stop(EXIT.badUsage, `There is no category ${values.category}`, `Categories: ${CATEGORY_NAMES.join(', ')}`)
    }
    const config = await readConfig(values, world)
    if (isStop(config)) return config
    const [given, name] = command.length > 0 ? [undefined, ...positionals] : positionals
    const source = readSource(given, command)
    if (isStop(source)) return source
    const client = await openClient(source, config, world)
    if (isStop(client)) return client

    const question: Question = {
      query: values.search ? 'search' : values.types ? 'types' : 'operations',
      ...(values.search && { text: values.search.length === 1 ? values.search[0] : values.search }),
      ...(name !== undefined && { name }),
      ...(category !== undefined && { category }),
    }
    try {
      const answers = await askAll(client, question, values.all === true)
      if (isStop(answers)) return answers
      const found = answers.filter((data) => data.operation !== null && data.type !== null)
      if (values.json) world.out(jsonLine(answers.length === 1 ? answers[0] : answers))
      if (found.length === 0) return values.json ? EXIT.failed : await nothingNamed(client, question)
      if (values.json) return EXIT.ok
      const { introspectionText } = await import('../print-introspection.ts')
      world.out(found.map((data) => introspectionText(data, world)).join('\n\n'))
      return EXIT.ok
    } finally {
      await client.close()
    }
  },
})

export interface Question {
  readonly query: 'search' | 'types' | 'operations'
  readonly text?: string | readonly string[] | undefined
  readonly name?: string
  readonly category?: string
}

export type Data = Readonly<Record<string, unknown>>

/** Each adapter answers for itself (MULTI-04). */
async function askAll(client: Client, question: Question, all: boolean): Promise<readonly Data[] | Stop> {
  const answers: Data[] = []
  for (const adapter of client.adapters) {
    const data = await ask(client, adapter, question, all)
    if (isStop(data)) return data
    answers.push(data)
  }
  return answers
}

async function ask(
  client: Client,
  adapter: ToolGroup<ListedTool>,
  question: Question,
  all: boolean,
): Promise<Data | Stop> {
  const first = await askOnce(client, adapter, { ...question })
  if (isStop(first) || !all) return first
  const operations = [...((first.operations as readonly unknown[] | undefined) ?? [])]
  let next = nextOf(first)
  while (next !== undefined) {
    const page = await askOnce(client, adapter, { ...question, after: next })
    if (isStop(page)) return page
    const more = (page.operations as readonly unknown[] | undefined) ?? []
    operations.push(...more)
    next = more.length > 0 ? nextOf(page) : undefined
  }
  const { page: _, ...protocol } = (first._protocol ?? {}) as Data
  return {
    ...first,
    ...(first._protocol !== undefined && { _protocol: protocol }),
    ...(first.operations !== undefined && { operations }),
  }
}

async function askOnce(client: Client, adapter: ToolGroup<ListedTool>, params: Data): Promise<Data | Stop> {
  const reply = await client.introspect(adapter, params)
  if (isStop(reply)) return reply
  if (reply.result.success) return (reply.result.data ?? {}) as Data
  const { code, message } = (reply.result.error ?? {}) as { readonly code?: string; readonly message?: string }
  return stop(EXIT.failed, `${code}: ${message}`)
}

function nextOf({ _protocol }: Data): string | undefined {
  const { page } = (_protocol ?? {}) as { readonly page?: { readonly next?: unknown } }
  return typeof page?.next === 'string' ? page.next : undefined
}

/** What comes nearest, of all adapters. */
async function nothingNamed(client: Client, { query, name = '' }: Question): Promise<Stop> {
  const { nearestNames } = await import('../../core/introspection/letter-pairs.ts')
  const { notFound } = await import('../not-found.ts')
  const listed = await askAll(client, { query }, true)
  const nearest = nearestNames(name, isStop(listed) ? [] : listed.flatMap(namesIn), 3)
  return query === 'types'
    ? notFound('type', name, nearest, 'Without a name, --types lists them all')
    : notFound('operation', name, nearest, 'To find one: --search "what you want to do"')
}

function namesIn({ operations, types }: Data): string[] {
  const listed = [operations, types].filter(Array.isArray).flat() as readonly { readonly name?: unknown }[]
  return listed.flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
}
