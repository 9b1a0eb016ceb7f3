import { fail } from '../../protocol/errors.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import { warn } from '../../protocol/warnings.ts'
import { type Context, defineOperation, type OperationDefinition } from '../registry/operation.ts'
import { createCursorCodec } from './cursor.ts'
import { conflict } from './parse-page.ts'
import { refuse } from './refuse.ts'
import { withShorter } from './shorter.ts'
import { type EdgesOf, type GraphNode, idOf, type Reached, walkGraph } from './walk-graph.ts'

export type { GraphEdge, GraphNode } from './walk-graph.ts'

export interface Relationships {
  readonly description?: string
  readonly elementTypes: readonly string[]
  /** `uses`, `extends`, `references`, `triggers` and `composes` are understood everywhere; others may be added (REL-05). */
  readonly relationships: readonly string[]
  /** 5 by default. */
  readonly maxDepth?: number
  /** An element that exists, for the example that callers copy. */
  readonly example?: GraphNode
  readonly exists: (node: GraphNode) => boolean | Promise<boolean>
  readonly edges: EdgesOf
}

/**
 * Relationship queries document — the READ operation `query_relationships` over a graph. An answer covers one page of
 * relationships; its graph holds the nodes and edges of that page.
 */
export function defineRelationships(graph: Relationships): OperationDefinition {
  const { elementTypes, relationships, maxDepth = 5, example } = graph
  if (!Number.isInteger(maxDepth) || maxDepth < 1) throw new Error('maxDepth must be an integer from 1')
  return defineOperation({
    name: 'query_relationships',
    category: 'READ',
    description: graph.description ?? 'Walk the relationships of an element, breadth first.',
    tags: ['graph', 'relations', 'links'],
    params: {
      root: {
        type: 'object',
        required: true,
        fields: {
          element_type: { type: 'string', required: true, enum: elementTypes },
          element_name: { type: 'string', required: true },
        },
        description: `element_type: ${elementTypes.join(', ')}.`,
      },
      direction: { type: 'string', required: true, enum: [...DIRECTIONS] },
      relationship: { type: 'string', enum: relationships },
      depth: { type: 'integer', minimum: 1, default: 1, description: `Most ${maxDepth}` },
      include: { type: 'string[]', enum: [...PARTS] },
      first: { type: 'integer', default: PAGE_SIZE, description: `Relationships, most ${MAX_PAGE}` },
      after: { type: 'string' },
    },
    returns: 'object',
    relationships: { types: relationships, directions: DIRECTIONS, maxDepth },
    ...(example && { examples: [{ params: { root: example, direction: 'both' } }] }),
    handler: (params, context) =>
      answer(graph, { ...params, depth: Math.min(params.depth, maxDepth) } as Asked, context),
  })
}

const DIRECTIONS = ['incoming', 'outgoing', 'both'] as const

const PARTS = ['root', 'relationships', 'graph.nodes', 'graph.edges'] as const

/** As for every cursor page (PAGE-02, PAGE-04). */
const PAGE_SIZE = 20
const MAX_PAGE = 100

interface Asked {
  readonly root: GraphNode
  readonly direction: (typeof DIRECTIONS)[number]
  readonly relationship?: string
  readonly depth: number
  readonly include?: readonly (typeof PARTS)[number][]
  readonly first?: number
  readonly after?: string
}

async function answer(graph: Relationships, asked: Asked, context: Context): Promise<unknown> {
  const { root, first, after } = asked
  if (after !== undefined && first === undefined) return conflict({ after }, 'Send first together with after.')
  if (first !== undefined && first < 1) return refuse('first', 'an integer from 1', context.operation)
  const last = after === undefined ? [] : CURSORS.decode(after, scopeOf(asked))
  if (!last) return refuse('after', 'an unchanged cursor from pageInfo of the same query', context.operation)
  if (!(await graph.exists(root))) return missing(root)

  const walk = await walkGraph(graph, asked, context)
  if (walk.dropped > 0) context.warn(truncated(walk.reached.length, walk.dropped))
  const start = resume(walk.reached, last)
  const page = walk.reached.slice(start, start + Math.min(first ?? PAGE_SIZE, MAX_PAGE))
  const of = (count: number) => present(asked, page.slice(0, count), { start, total: walk.reached.length })
  return withShorter(of(page.length), { field: 'relationships', count: page.length, of })
}

function missing({ element_type, element_name }: GraphNode): OperationFailure {
  return fail('NOT_FOUND_RESOURCE', { resource_type: element_type, resource_id: element_name })
}

/** Severity as ERR-50 has it. */
function truncated(kept: number, dropped: number) {
  const details = { field: 'relationships', original_count: kept + dropped, truncated_count: kept, limit: kept }
  return warn('VALIDATION_TRUNCATED_WARNING', details, dropped > kept ? 'medium' : 'low')
}

/**
 * The signature is a checksum here, not a secret: a definition is made before any key is known, and a forged cursor
 * would say no more than which page to begin with.
 */
const CURSORS = createCursorCodec(new TextEncoder().encode('query_relationships'))

function scopeOf({ root, direction, relationship = '', depth }: Asked): string {
  return JSON.stringify([root.element_type, root.element_name, direction, relationship, depth])
}

/** A cursor holds the rank and the name of the last edge shown; if the graph has changed since, the name decides. */
function cursorOf(asked: Asked, rank: number, { id }: Reached): string {
  return CURSORS.encode([rank, id], scopeOf(asked))
}

function resume(reached: readonly Reached[], [rank, id]: readonly unknown[]): number {
  if (typeof rank !== 'number') return 0
  if (reached[rank]?.id === id) return rank + 1
  const found = reached.findIndex((each) => each.id === id)
  return found >= 0 ? found + 1 : Math.min(rank, reached.length)
}

interface Extent {
  readonly start: number
  readonly total: number
}

/** Relationship queries §3 (REL-02, REL-03). */
function present(asked: Asked, page: readonly Reached[], { start, total }: Extent): object {
  // A list that names nothing counts as left out: an answer without any part would be none.
  const wants = (part: (typeof PARTS)[number]) => !asked.include?.length || asked.include.includes(part)
  const { element_type, element_name } = asked.root
  const graph = {
    ...(wants('graph.nodes') && { nodes: nodesOf(asked.root, page) }),
    ...(wants('graph.edges') && { edges: page.map(({ edge }) => edge) }),
  }
  const [first, last] = [page[0], page.at(-1)]
  const cursors = first &&
    last && {
      startCursor: cursorOf(asked, start, first),
      endCursor: cursorOf(asked, start + page.length - 1, last),
    }
  return {
    ...(wants('root') && { root: { element_type, element_name } }),
    ...(wants('relationships') && { relationships: page.map(({ relationship }) => relationship) }),
    ...(Object.keys(graph).length > 0 && { graph }),
    pageInfo: { hasNextPage: start + page.length < total, hasPreviousPage: start > 0, ...cursors, totalCount: total },
  }
}

function nodesOf(root: GraphNode, page: readonly Reached[]) {
  const nodes = new Map<string, GraphNode>([[idOf(root), root]])
  for (const { from, relationship } of page) {
    nodes.set(idOf(from), from)
    nodes.set(idOf(relationship.target), relationship.target)
  }
  return [...nodes].map(([id, { element_type, element_name }]) => ({ id, element_type, element_name }))
}
