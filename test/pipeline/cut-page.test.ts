import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { defineRelationships } from '../../src/core/query/relations.ts'
import { adding, openWorld } from '../notes.ts'

interface Page {
  readonly items: readonly { readonly id: string }[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string }
}

async function filled(count: number) {
  const world = await openWorld()
  for (let i = 1; i <= count; i++) await world.call({ operation: 'create_note', params: { title: `Note number ${i}` } })
  return world
}

test('design §5 a page that is cut to a budget ends where its cursor says: walking on by cursor misses nothing', async () => {
  const { call } = await filled(30)
  const seen: string[] = []
  let after: string | undefined
  do {
    const params = { first: 10, max_tokens: 150, ...(after && { after }) }
    const { data } = await call({ operation: 'list_notes', params })
    const { items, pageInfo } = data as Page
    seen.push(...items.map(({ id }) => id))
    after = pageInfo.hasNextPage ? pageInfo.endCursor : undefined
  } while (after)
  expect(seen.length).toBe(30)
  expect(new Set(seen).size).toBe(30)
})

test('design §5 the answer with its warning keeps the budget', async () => {
  const { call } = await filled(30)
  for (const max_tokens of [150, 250, 400]) {
    const answer = await call({ operation: 'list_notes', params: { first: 30, max_tokens } })
    expect(answer.warnings?.[0]?.code).toBe('VALIDATION_TRUNCATED_WARNING')
    expect(countTokens(JSON.stringify(answer))).toBeLessThanOrEqual(max_tokens * 1.15)
  }
})

test('ERR-50 RES-10 in a batch each cut says whose it is', async () => {
  const { call } = await filled(30)
  const listing = { operation: 'list_notes', params: { first: 30, max_tokens: 150 } }
  const { warnings } = await call({ operations: [listing, { operation: 'list_notes', params: { first: 1 } }, listing] })
  expect(warnings?.map(({ details }) => details?.index)).toEqual([0, 2])
})

interface Walked {
  readonly relationships: readonly { readonly target: { readonly element_name: string } }[]
  readonly graph: {
    readonly nodes: readonly { readonly id: string }[]
    readonly edges: readonly { readonly target: string }[]
  }
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string }
}

const star = defineRelationships({
  elementTypes: ['note'],
  relationships: ['uses'],
  exists: () => true,
  edges: ({ element_name }) =>
    element_name === 'hub'
      ? Array.from({ length: 30 }, (_, i) => ({
          type: 'uses',
          direction: 'outgoing' as const,
          target: { element_type: 'note', element_name: `leaf number ${i}` },
        }))
      : [],
})

test('PAGE-07 REL-02 a page of relationships that is cut to a budget is a shorter page: its graph is whole, its cursor goes on', async () => {
  const { call } = await openWorld({}, adding(star))
  const root = { element_type: 'note', element_name: 'hub' }
  const seen: string[] = []
  let after: string | undefined
  do {
    const params = { root, direction: 'both', first: 10, max_tokens: 350, ...(after && { after }) }
    const answer = await call({ operation: 'query_relationships', params })
    const { relationships, graph, pageInfo } = answer.data as Walked
    const names = relationships.map(({ target }) => target.element_name)
    expect(names.length).toBeGreaterThan(0)
    expect(graph.edges.map(({ target }) => target)).toEqual(names.map((name) => `note:${name}`))
    expect(graph.nodes.map(({ id }) => id)).toEqual(['note:hub', ...names.map((name) => `note:${name}`)])
    if (!after) {
      expect(answer.warnings).toEqual([
        {
          code: 'VALIDATION_TRUNCATED_WARNING',
          message: `Response truncated to ${names.length} items`,
          details: { field: 'relationships', original_count: 10, truncated_count: names.length, limit: names.length },
          severity: 'medium',
        },
      ])
      expect(countTokens(JSON.stringify(answer))).toBeLessThanOrEqual(350 * 1.15)
    }
    seen.push(...names)
    after = pageInfo.hasNextPage ? pageInfo.endCursor : undefined
  } while (after)
  expect([seen.length, new Set(seen).size]).toEqual([30, 30])
})

test('PAGE-07 a page of relationships within its budget is as it was', async () => {
  const { call } = await openWorld({}, adding(star))
  const params = { root: { element_type: 'note', element_name: 'hub' }, direction: 'both', first: 3 }
  const whole = await call({ operation: 'query_relationships', params })
  const fitting = await call({ operation: 'query_relationships', params: { ...params, max_tokens: 5_000 } })
  expect(fitting).toEqual(whole)
})
