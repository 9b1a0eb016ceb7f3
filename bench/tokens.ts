import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { openTracker } from '../examples/tracker/adapter.ts'
import type { AdapterDefinition } from '../src/core/registry/adapter.ts'
import { createRuntime, type Runtime } from '../src/core/runtime.ts'
import type { OperationDetails } from '../src/protocol/introspection.ts'
import { createMemoryStore } from '../src/store/memory.ts'
import { DATA_FOLDER, openApiOperations } from './catalogue.ts'
import { plainAdapter } from './plain-adapter.ts'
import { githubQuestions, TEN_WISHES } from './question-sets.ts'

/** Tokens as an o200k model counts them; text of others may hold control words. */
function tokens(text: string): number {
  return countTokens(text, { disallowedSpecial: new Set() })
}

const clock = { now: () => Date.now() }

async function open(adapter: AdapterDefinition, mode: 'single' | 'semantic'): Promise<Runtime> {
  return createRuntime(adapter, { store: createMemoryStore(), clock, mode })
}

async function ask(runtime: Runtime, params: Readonly<Record<string, unknown>>): Promise<string> {
  const tool = runtime.tools.find(({ name }) => name.endsWith('_read')) ?? runtime.tools[0]
  const session = runtime.anonymous('bench')
  const { text } = await runtime.call({
    tool: tool?.name ?? '',
    arguments: { operation: 'introspect', params },
    session,
  })
  return text
}

/** One tool per operation with all its parameters: what a naive bridge would list. */
function oneToolEach(operations: readonly OperationDetails[]): number {
  const tools = operations.map(({ name, description, parameters }) => ({
    name,
    description,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(parameters.map(({ name: key, required: _, ...schema }) => [key, schema])),
      required: parameters.filter(({ required }) => required).map(({ name: key }) => key),
    },
  }))
  return tokens(JSON.stringify(tools))
}

async function report(label: string, adapter: AdapterDefinition): Promise<void> {
  const single = await open(adapter, 'single')
  const semantic = await open(adapter, 'semantic')
  const answers = await Promise.all(adapter.operations.map(({ name }) => ask(semantic, { query: 'operations', name })))
  const details = answers.map(tokens)
  console.log(`\n## ${label}: ${adapter.operations.length} operations`)
  console.log(`one tool per operation   ${oneToolEach(answers.map((text) => JSON.parse(text).data.operation))}`)
  console.log(`tools/list, single       ${tokens(JSON.stringify(single.tools))}`)
  console.log(
    `tools/list, five         ${tokens(JSON.stringify(semantic.tools))}  (${semantic.tools.map((tool) => tokens(JSON.stringify(tool))).join(' ')})`,
  )
  console.log(`introspect operations    ${tokens(await ask(semantic, { query: 'operations' }))}`)
  console.log(
    `introspect one           mean ${mean(details)}, max ${Math.max(...details)} (${adapter.operations[details.indexOf(Math.max(...details))]?.name})`,
  )
}

function mean(values: readonly number[]): number {
  return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length)
}

export async function measureTokens(): Promise<void> {
  const { adapter } = openTracker(':memory:')
  await report('tracker', adapter)
  const single = await open(adapter, 'single')
  const list = tokens(JSON.stringify(single.tools))
  console.log(`ten operations, default  ${list + tokens(await ask(single, { query: 'search', text: TEN_WISHES }))}`)
  console.log(
    `ten operations, limit 1  ${list + tokens(await ask(single, { query: 'search', text: TEN_WISHES, limit: 1 }))}`,
  )
  if (!DATA_FOLDER) return console.log('GitHub: skipped, the test data is not beside the repository')

  const github = plainAdapter(
    'github',
    "GitHub's REST API: repositories, issues, pull requests, actions.",
    openApiOperations('github.json.gz'),
  )
  await report('GitHub', github)
  const runtime = await open(github, 'single')
  const { questions } = githubQuestions()
  const replies = await Promise.all(
    questions.map(async ({ text }) => tokens(await ask(runtime, { query: 'search', text }))),
  )
  console.log(`search reply, 5 matches  mean ${mean(replies)}, max ${Math.max(...replies)}`)
  const call = tokens('{"operation":"issues_create","params":{"owner":"harbor","repo":"shop","title":"Broken link"}}')
  console.log(`to the first call        ${tokens(JSON.stringify(runtime.tools)) + mean(replies) + 40 + call}`)
}

await measureTokens()
