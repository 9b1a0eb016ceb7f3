import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHECKS } from '../../src/conformance/checks/all.ts'
import { runConformance } from '../../src/conformance/run.ts'
import { type DemoServer, serveDemo } from './demo-server.ts'
import { serveMutant } from './mutant-server.ts'
import { MUTANTS } from './mutants.ts'
import type { Mutant } from './mutations.ts'

/** Enough of the demo to have every feature, so that two hundred servers can be judged in a minute. */
const OPERATIONS = [
  'introspect',
  '*_issue',
  '*_issues',
  'list_users',
  '*_attachment',
  'query_relationships',
  '*_execution',
]

/** Checks that look into the other mode. */
const BOTH_MODES = new Set(['level2-modes', 'endpoints-single'])

let single: DemoServer

beforeAll(async () => {
  single = await serveDemo('single', OPERATIONS)
})

afterAll(() => single.close())

test('CONF-04 every check has a mutant', () => {
  const caught = new Set([...Object.keys(MUTANTS), 'mcp-stdout-clean'])
  expect(CHECKS.filter(({ id }) => !caught.has(id)).map(({ id }) => id)).toEqual([])
  expect([...caught].filter((id) => !CHECKS.some((check) => check.id === id))).toEqual([])
})

describe.each(CHECKS.filter(({ id }) => id in MUTANTS))('$id ($requirements)', ({ id }) => {
  test.each(MUTANTS[id] ?? [])('is not passed by a server that $does', async (mutant) => {
    const { result, detail } = await judge(id, mutant)
    expect({ result, detail }).toMatchObject({ result: mutant.expect ?? 'FAIL' })
  })
})

async function judge(id: string, { mutation, after = [], single: role }: Mutant) {
  const demo = await serveDemo('semantic', OPERATIONS)
  const mutated = await serveMutant(role === 'mutated' ? single.url : demo.url, mutation())
  try {
    const url = role === 'mutated' ? demo.url : mutated.url
    const other = role === 'mutated' ? mutated.url : single.url
    const needsBoth = role !== 'none' && BOTH_MODES.has(id)
    const report = await runConformance(
      { url, approve: demo.approve },
      { level: 2, checks: [...after, id], ...(needsBoth && { single: { url: other } }) },
    )
    const found = report.categories.flatMap(({ tests }) => tests).find((each) => each.id === id)
    return { result: found?.result, detail: found?.detail ?? report.unreachable }
  } finally {
    await mutated.close()
    await demo.close()
  }
}
