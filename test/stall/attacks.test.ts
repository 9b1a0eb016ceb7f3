import { expect, test } from 'vitest'
import { weighCall } from '../../src/core/hook/weigh-call.ts'
import { searchTerms } from '../../src/core/introspection/search.ts'
import { loadMatchers } from '../../src/core/registry/matchers.ts'
import { createRuntime } from '../../src/core/runtime.ts'
import { createMemoryStore } from '../../src/store/memory.ts'
import { cpuTime } from '../cpu-time.ts'
import { times } from './shapes.ts'

/** Attacks whose time grew with the square of their length: many seconds each, so that a busy machine changes nothing. */
const MOST_MS = 1_500

const call = (tool: string, input: Readonly<Record<string, unknown>>, cwd = '/srv/app') => ({
  ...{ client: 'claude', event: 'PreToolUse', session: 's', tool, input, cwd },
})

test.each([
  ['a host of dots', call('Bash', { command: `ls http://${'.'.repeat(60_000)}a/` })],
  ['forty hosts of dots', call('Bash', { command: `ls${` http://${'.'.repeat(9_000)}a/`.repeat(40)}` })],
  ['braces in braces', call('Glob', { glob: times(24, () => `${'{'.repeat(990)}a${'}'.repeat(990)}`) })],
  ['a folder of slashes', call('Write', { paths: times(400, (at) => `a${at}`) }, `/${'/'.repeat(4_000)}x`)],
])('ATTACK-10 a hook asks about %s', (_, attack) => {
  expect(cpuTime(() => weighCall(attack))).toBeLessThan(MOST_MS)
})

test('ATTACK-10 items of a schema that have to be unique', async () => {
  const param = { type: 'array', schema: { type: 'array', uniqueItems: true } }
  const check = (await loadMatchers([param])).schema(param.schema)
  const items = times(9_999, (at) => ({ a: { b: at } }))
  expect(cpuTime(() => expect(check(items)).toBeUndefined())).toBeLessThan(MOST_MS)
  expect(check([...items, { a: { b: 7 } }])).toEqual({
    path: '',
    message: 'must NOT have duplicate items',
    isType: false,
  })
  expect(check([1, '1', [1], { a: 1, b: 2 }, 1.0])?.message).toBe('must NOT have duplicate items')
  expect(
    check([
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ])?.message,
  ).toBe('must NOT have duplicate items')
})

test('ATTACK-10 a long text where one of many values is allowed', async () => {
  const params = { code: { type: 'string', enum: times(9_000, (at) => `C${at}`) } }
  const operation = { name: 'get_it', category: 'READ', description: 'Read.', params, handler: () => ({}) } as const
  const adapter = { name: 'lab', description: 'Lab.', operations: [operation] }
  const runtime = await createRuntime(adapter, {
    store: createMemoryStore(),
    clock: { now: () => 0 },
    mode: 'single',
  })
  const session = runtime.openSession('stall')
  const request = { operation: 'get_it', params: { code: 'C'.repeat(1_000_000) } }
  const started = process.cpuUsage()
  const { result } = await runtime.call({ tool: runtime.tools[0]?.name ?? '', arguments: request, session })
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(MOST_MS)
  expect(result.success).toBe(false)
  await runtime.close()
})

test('ATTACK-10 of a long question only the beginning is read', () => {
  expect(searchTerms(`${'test '.repeat(400)}issue`)).toEqual(searchTerms('test'))
})
