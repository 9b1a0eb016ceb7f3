import { expect, test } from 'vitest'
import { isFailure, type Warning } from '../../protocol/result.ts'
import type { Context } from '../registry/operation.ts'
import { defineRelationships, type Relationships } from './relations.ts'
import type { GraphEdge, GraphNode } from './walk-graph.ts'

const node = (name: string): GraphNode => ({ element_type: 'agent', element_name: name })

/** a → b → c → a, a → d (extends), d → d. */
const EDGES: readonly (readonly [string, string, string])[] = [
  ['a', 'uses', 'b'],
  ['a', 'extends', 'd'],
  ['b', 'uses', 'c'],
  ['c', 'uses', 'a'],
  ['d', 'references', 'd'],
]

function edgesOf(edges: typeof EDGES, { element_name }: GraphNode): GraphEdge[] {
  return edges.flatMap(([source, type, target]): GraphEdge[] => [
    ...(source === element_name ? [{ type, direction: 'outgoing' as const, target: node(target) }] : []),
    ...(target === element_name ? [{ type, direction: 'incoming' as const, target: node(source) }] : []),
  ])
}

const graph: Relationships = {
  elementTypes: ['agent', 'skill'],
  relationships: ['uses', 'extends', 'references'],
  maxDepth: 3,
  exists: ({ element_name }) => /^[a-d]$/.test(element_name),
  edges: (from) => edgesOf(EDGES, from),
}

async function ask(params: Record<string, unknown>, over: Partial<Relationships> = {}, warnings: Warning[] = []) {
  const { handler } = defineRelationships({ ...graph, ...over })
  const context = {
    operation: 'query_relationships',
    signal: new AbortController().signal,
    warn: (warning: Warning) => warnings.push(warning),
  } as unknown as Context
  return (await handler({ root: node('a'), direction: 'outgoing', depth: 1, ...params }, context)) as Answer
}

interface Answer {
  readonly root: unknown
  readonly relationships: readonly { type: string; direction: string; target: GraphNode; depth: number }[]
  readonly graph: { readonly nodes: readonly { id: string }[]; readonly edges: readonly unknown[] }
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly endCursor: string
    readonly totalCount: number
  }
}

const told = ({ relationships }: Answer) =>
  relationships.map(({ type, direction, target, depth }) => `${depth} ${direction} ${type} ${target.element_name}`)

test('REL-06 an example is one that can be sent, or there is none', async () => {
  expect(defineRelationships(graph)).not.toHaveProperty('examples')
  const { examples = [] } = defineRelationships({ ...graph, example: node('a') })
  expect(examples).toEqual([{ params: { root: { element_type: 'agent', element_name: 'a' }, direction: 'both' } }])
  expect(isFailure(await ask({ ...examples[0]?.params, depth: 1 }))).toBe(false)
})

test('REL-01 REL-06 the operation, its parameters and what it says of itself', () => {
  const { name, category, params, relationships } = defineRelationships(graph)
  expect([name, category]).toEqual(['query_relationships', 'READ'])
  expect(Object.entries(params ?? {}).map(([key, { type, required }]) => [key, type, required === true])).toEqual([
    ['root', 'object', true],
    ['direction', 'string', true],
    ['relationship', 'string', false],
    ['depth', 'integer', false],
    ['include', 'string[]', false],
    ['first', 'integer', false],
    ['after', 'string', false],
  ])
  expect(Object.entries(params?.root?.fields ?? {}).map(([key, { required }]) => [key, required])).toEqual([
    ['element_type', true],
    ['element_name', true],
  ])
  expect(params?.direction?.enum).toEqual(['incoming', 'outgoing', 'both'])
  expect(params?.depth).toMatchObject({ minimum: 1, default: 1 })
  expect(params?.relationship?.enum).toEqual(['uses', 'extends', 'references'])
  expect(params?.include?.enum).toEqual(['root', 'relationships', 'graph.nodes', 'graph.edges'])
  expect(relationships).toEqual({
    types: ['uses', 'extends', 'references'],
    directions: ['incoming', 'outgoing', 'both'],
    maxDepth: 3,
  })
})

test('REL-02 the answer', async () => {
  expect(await ask({})).toEqual({
    root: { element_type: 'agent', element_name: 'a' },
    relationships: [
      { type: 'uses', direction: 'outgoing', target: node('b'), depth: 1 },
      { type: 'extends', direction: 'outgoing', target: node('d'), depth: 1 },
    ],
    graph: {
      nodes: [
        { id: 'agent:a', element_type: 'agent', element_name: 'a' },
        { id: 'agent:b', element_type: 'agent', element_name: 'b' },
        { id: 'agent:d', element_type: 'agent', element_name: 'd' },
      ],
      edges: [
        { source: 'agent:a', target: 'agent:b', type: 'uses' },
        { source: 'agent:a', target: 'agent:d', type: 'extends' },
      ],
    },
    pageInfo: {
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: expect.any(String),
      endCursor: expect.any(String),
      totalCount: 2,
    },
  })
})

test.each([
  ['REL-01 incoming', { direction: 'incoming' }, ['1 incoming uses c']],
  ['REL-01 both', { direction: 'both' }, ['1 outgoing uses b', '1 outgoing extends d', '1 incoming uses c']],
  ['REL-01 one relationship', { relationship: 'extends' }, ['1 outgoing extends d']],
  [
    'REL-01 depth, breadth first',
    { depth: 2 },
    ['1 outgoing uses b', '1 outgoing extends d', '2 outgoing uses c', '2 outgoing references d'],
  ],
  [
    'REL-04 the edge that closes a cycle is told, once',
    { depth: 3, relationship: 'uses' },
    ['1 outgoing uses b', '2 outgoing uses c', '3 outgoing uses a'],
  ],
  [
    'REL-04 an edge is told once, whichever end it is seen from',
    { direction: 'both', depth: 2, relationship: 'uses' },
    ['1 outgoing uses b', '1 incoming uses c', '2 outgoing uses c'],
  ],
  [
    'REL-01 no deeper than the maximum',
    { depth: 99, relationship: 'uses' },
    ['1 outgoing uses b', '2 outgoing uses c', '3 outgoing uses a'],
  ],
])('%s', async (_, params, expected) => {
  expect(told(await ask(params))).toEqual(expected)
})

test('REL-04 no node is expanded twice', async () => {
  const asked: string[] = []
  await ask(
    { depth: 3, direction: 'both' },
    {
      edges: (from) => {
        asked.push(from.element_name)
        return edgesOf(EDGES, from)
      },
    },
  )
  expect(asked).toEqual(['a', 'b', 'd', 'c'])
})

test.each([
  [[], ['root', 'relationships', 'graph', 'pageInfo']],
  [['root'], ['root', 'pageInfo']],
  [['relationships'], ['relationships', 'pageInfo']],
  [['graph.nodes'], ['graph', 'pageInfo']],
  [
    ['root', 'graph.edges'],
    ['root', 'graph', 'pageInfo'],
  ],
])('REL-03 include %j', async (include, keys) => {
  expect(Object.keys(await ask({ include }))).toEqual(keys)
})

test('REL-03 a part of the graph', async () => {
  expect(Object.keys((await ask({ include: ['graph.nodes'] })).graph)).toEqual(['nodes'])
  expect(Object.keys((await ask({ include: ['graph.edges'] })).graph)).toEqual(['edges'])
})

test('REL-01 PAGE-07 pages of relationships, each with its graph', async () => {
  const seen: string[] = []
  let after: string | undefined
  for (let page = 0; page < 4; page++) {
    const answer = await ask({ depth: 2, first: 1, ...(after && { after }) })
    seen.push(...told(answer))
    expect(answer.graph.edges).toHaveLength(1)
    expect(answer.pageInfo).toMatchObject({ hasNextPage: page < 3, hasPreviousPage: page > 0, totalCount: 4 })
    after = answer.pageInfo.endCursor
  }
  expect(seen).toEqual(['1 outgoing uses b', '1 outgoing extends d', '2 outgoing uses c', '2 outgoing references d'])
})

test('PAGE-08 a cursor finds its place again in a graph that has grown', async () => {
  const { pageInfo } = await ask({ first: 1 })
  const grown: Relationships['edges'] = (from) => edgesOf([['a', 'references', 'c'], ...EDGES], from)
  expect(told(await ask({ first: 1, after: pageInfo.endCursor }, { edges: grown }))).toEqual(['1 outgoing extends d'])
})

test.each([
  ['an unknown root', { root: node('z') }, 'NOT_FOUND_RESOURCE', { resource_type: 'agent', resource_id: 'z' }],
  ['PAGE-08 a damaged cursor', { first: 1, after: 'AAAA' }, 'VALIDATION_INVALID_VALUE', { param_name: 'after' }],
  [
    'PAGE-03 after alone',
    { after: 'AAAA' },
    'VALIDATION_INVALID_TYPE',
    { param_name: 'pagination', provided: ['after'] },
  ],
  ['PAGE-04 a page of nothing', { first: 0 }, 'VALIDATION_INVALID_VALUE', { param_name: 'first' }],
])('%s', async (_, params, code, details) => {
  const answer: unknown = await ask(params)
  if (!isFailure(answer)) throw new Error('accepted')
  expect(answer.error).toMatchObject({ code, details })
  expect(answer.error.message).not.toMatch(/at\s+\S/i)
})

test('PAGE-08 a cursor of another query is refused', async () => {
  const { pageInfo } = await ask({ first: 1 })
  expect(isFailure(await ask({ first: 1, after: pageInfo.endCursor, direction: 'both' }))).toBe(true)
})

test('REL-04 a graph without end is cut, and the answer says so', async () => {
  const endless: Relationships['edges'] = ({ element_name }) =>
    Array.from({ length: 40 }, (_, i) => ({
      type: 'uses',
      direction: 'outgoing',
      target: node(`${element_name}.${i}`),
    }))
  const warnings: Warning[] = []
  const answer = await ask({ depth: 3 }, { edges: endless }, warnings)
  expect(answer.relationships).toHaveLength(20)
  expect(answer.pageInfo.totalCount).toBe(999)
  expect(warnings).toEqual([
    {
      code: 'VALIDATION_TRUNCATED_WARNING',
      message: 'Response truncated to 999 items',
      details: { field: 'relationships', original_count: expect.any(Number), truncated_count: 999, limit: 999 },
      severity: 'medium',
    },
  ])
})

test('a walk ends when its call is cancelled', async () => {
  const { handler } = defineRelationships(graph)
  const context = {
    operation: 'query_relationships',
    signal: AbortSignal.abort(new Error('stop')),
  } as unknown as Context
  await expect(handler({ root: node('a'), direction: 'both', depth: 1 }, context)).rejects.toThrow('stop')
})

test('REL-06 a maximum depth of nothing is refused', () => {
  expect(() => defineRelationships({ ...graph, maxDepth: 0 })).toThrow('maxDepth')
})
