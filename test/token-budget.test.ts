import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { DATA_FOLDER, openApiOperations } from '../bench/catalogue.ts'
import { plainAdapter } from '../bench/plain-adapter.ts'
import { githubQuestions } from '../bench/question-sets.ts'
import { openTracker } from '../examples/tracker/adapter.ts'
import type { AdapterDefinition } from '../src/core/registry/adapter.ts'
import { createRuntime, type Runtime } from '../src/core/runtime.ts'
import { createMemoryStore } from '../src/store/memory.ts'

const NOW = Date.parse('2026-11-16T10:00:00Z')
const SKIPPED = DATA_FOLDER === undefined ? ' (SKIPPED: the folder shared/data is not beside the repository)' : ''

const TEN_WISHES = [
  'open a bug report',
  'list open issues by priority',
  'close an issue',
  'comment on an issue',
  'who are the users',
  'attach a file',
  'remove a label',
  'issues that block each other',
  'import issues',
  'rename a project',
]

describe('TOOL-11 tokens of the demo, as o200k counts them', () => {
  test.each([
    ['single', 350],
    ['semantic', 1_000],
  ] as const)('the tool list in %s mode costs no more than %d', async (mode, most) => {
    expect(listCost(await open(demo(), mode))).toBeLessThanOrEqual(most)
  })

  test.each([
    ['default limits', {}, 1_600],
    ['limit 1', { limit: 1 }, 1_200],
  ])('ten operations found and ready to call, %s: no more than %d', async (_, limits, most) => {
    const runtime = await open(demo(), 'single')
    const reply = await introspect(runtime, { query: 'search', text: TEN_WISHES, ...limits })
    expect(reply).toContain('create_issue(')
    expect(listCost(runtime) + tokens(reply)).toBeLessThanOrEqual(most)
  })
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

async function open(adapter: AdapterDefinition, mode: 'single' | 'semantic'): Promise<Runtime> {
  return createRuntime(adapter, { store: createMemoryStore(), clock: { now: () => NOW }, mode })
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
