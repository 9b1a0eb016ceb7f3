import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { DATA_FOLDER, openApiOperations } from '../bench/catalogue.ts'
import { plainAdapter } from '../bench/plain-adapter.ts'
import { githubQuestions, TEN_WISHES } from '../bench/question-sets.ts'
import { openTracker } from '../examples/tracker/adapter.ts'
import type { AdapterDefinition } from '../src/core/registry/adapter.ts'
import { createRuntime, type Runtime, type RuntimeOptions } from '../src/core/runtime.ts'
import { createMemoryStore } from '../src/store/memory.ts'

const NOW = Date.parse('2026-11-16T10:00:00Z')
const SKIPPED = DATA_FOLDER === undefined ? ' (SKIPPED: the folder shared/data is not beside the repository)' : ''

const DESTRUCTIVE = [
  ['delete_project', { key: 'WEB' }],
  ['delete_issue', { issue_id: 'iss_57' }],
  ['delete_label', { name: 'design' }],
] as const

describe('TOOL-11 tokens of the demo, as o200k counts them', () => {
  test.each([
    ['single', 350],
    ['semantic', 1_000],
  ] as const)('the tool list in %s mode costs no more than %d, with the safety loop too', async (mode, most) => {
    expect(listCost(await open(demo(), mode))).toBeLessThanOrEqual(most)
    expect(listCost(await open(demo(), mode, { safety: { mode: 'enforcing' } }))).toBeLessThanOrEqual(most)
  })

  test.each([
    ['default limits', 1_600, {}],
    ['limit 1', 1_200, { limit: 1 }],
  ])('ten operations found and ready to call, %s: no more than %d', async (_, most, limits) => {
    const runtime = await open(demo(), 'single')
    const reply = await introspect(runtime, { query: 'search', text: TEN_WISHES, ...limits })
    expect(reply).toContain('create_issue(')
    expect(listCost(runtime) + tokens(reply)).toBeLessThanOrEqual(most)
  })
})

test.each([
  ['in a session', (runtime: Runtime) => runtime.openSession('agent')],
  ['without one', (runtime: Runtime) => runtime.anonymous('agent')],
])('TOK-05 what the demo says while a human has not decided costs less than 250, %s', async (_, sessionOf) => {
  const reach = () => ({ channels: ['console', 'terminal'], consoleUrl: 'http://127.0.0.1:7421/' })
  const runtime = await open(demo(), 'semantic', { reach })
  const tool = runtime.tools.find(({ name }) => name.endsWith('delete'))?.name ?? ''
  const costs: number[] = []
  for (const [operation, params] of DESTRUCTIVE) {
    for (let time = 0; time < 100; time++) {
      const session = sessionOf(runtime)
      const { text } = await runtime.call({ tool, arguments: { operation, params }, session })
      expect(text).toContain('waiting_for')
      costs.push(tokens(text))
    }
  }
  // Two spellings of one random token are in it: the mean keeps so far from the limit that hardly any passes it.
  expect(costs.reduce((sum, cost) => sum + cost, 0) / costs.length).toBeLessThan(240)
  expect(costs.filter((cost) => cost >= 250).length).toBeLessThanOrEqual(costs.length / 20)
})

describe.skipIf(DATA_FOLDER === undefined)(`TOOL-11 tokens of 1,223 operations${SKIPPED}`, () => {
  test.each(['single', 'semantic'] as const)(
    'the tool list in %s mode costs what that of the demo costs',
    async (mode) => {
      const small = listCost(await open(demo(), mode))
      const large = listCost(await open(github(), mode))
      expect(large).toBeLessThanOrEqual(mode === 'single' ? 350 : 1_000)
      expect(Math.abs(large / small - 1)).toBeLessThanOrEqual(0.05)
    },
  )

  test('a search reply with five matches costs no more than 500, in the mean 320', async () => {
    const runtime = await open(github(), 'single')
    const costs: number[] = []
    for (const { text } of githubQuestions().questions) {
      const reply = await introspect(runtime, { query: 'search', text })
      expect(JSON.parse(reply).data.matches).toHaveLength(5)
      costs.push(tokens(reply))
    }
    expect(costs).toHaveLength(60)
    expect(Math.max(...costs)).toBeLessThanOrEqual(500)
    expect(costs.reduce((sum, cost) => sum + cost, 0) / costs.length).toBeLessThanOrEqual(320)
  })
})

function demo(): AdapterDefinition {
  const { adapter, close } = openTracker(':memory:')
  return { ...adapter, close }
}

function github(): AdapterDefinition {
  const operations = openApiOperations('github.json.gz')
  return plainAdapter('github', "GitHub's REST API: repositories, issues, pull requests, actions.", operations)
}

async function open(
  adapter: AdapterDefinition,
  mode: 'single' | 'semantic',
  options: Partial<RuntimeOptions> = {},
): Promise<Runtime> {
  return createRuntime(adapter, { store: createMemoryStore(), clock: { now: () => NOW }, mode, ...options })
}

async function introspect(runtime: Runtime, params: Readonly<Record<string, unknown>>): Promise<string> {
  const [tool] = runtime.tools
  const session = runtime.openSession('reader')
  const request = { tool: tool?.name ?? '', arguments: { operation: 'introspect', params }, session }
  return (await runtime.call(request)).text
}

function listCost({ tools }: Runtime): number {
  return tokens(JSON.stringify(tools))
}

function tokens(text: string): number {
  return countTokens(text, { disallowedSpecial: new Set() })
}
