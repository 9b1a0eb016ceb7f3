import type { Context } from '../registry/operation.ts'

export interface GraphNode {
  readonly element_type: string
  readonly element_name: string
}

/** Seen from one node: `outgoing` leads from it to the target, `incoming` from the target to it. */
export interface GraphEdge {
  readonly type: string
  readonly direction: 'outgoing' | 'incoming'
  readonly target: GraphNode
}

/** All edges of a node, in a stable order. */
export type EdgesOf = (node: GraphNode, context: Context) => readonly GraphEdge[] | Promise<readonly GraphEdge[]>

/** One edge of the walk, as the answer tells it. */
export interface Reached {
  /** The same for the same edge, whichever end it was found from. */
  readonly id: string
  readonly from: GraphNode
  readonly relationship: GraphEdge & { readonly depth: number }
  readonly edge: { readonly source: string; readonly target: string; readonly type: string }
}

export interface Walk {
  readonly reached: readonly Reached[]
  /** Edges that were seen and left out because there were too many. */
  readonly dropped: number
}

interface Route {
  readonly root: GraphNode
  readonly direction: 'incoming' | 'outgoing' | 'both'
  readonly relationship?: string
  readonly depth: number
}

/** However large the graph, one call asks for the edges of no more nodes than this, and reports no more edges. */
const MAX_NODES = 1000
const MAX_EDGES = 10_000

/**
 * Relationship queries §5 (REL-04). Breadth first; a node is expanded once, and each edge is reported once, also the
 * one that leads back to a node already seen.
 */
export async function walkGraph(graph: { readonly edges: EdgesOf }, route: Route, context: Context): Promise<Walk> {
  const seen = new Set([idOf(route.root)])
  const reached = new Map<string, Reached>()
  let dropped = 0
  let level: readonly GraphNode[] = [route.root]
  for (let depth = 1; depth <= route.depth && level.length > 0; depth++) {
    const next: GraphNode[] = []
    for (const from of level) {
      context.signal.throwIfAborted()
      for (const found of await graph.edges(from, context)) {
        if (!isWanted(found, route)) continue
        const step = describe(from, found, depth)
        if (reached.has(step.id)) continue
        const target = idOf(found.target)
        if (reached.size >= MAX_EDGES || (!seen.has(target) && seen.size >= MAX_NODES)) {
          dropped++
          continue
        }
        reached.set(step.id, step)
        if (seen.has(target)) continue
        seen.add(target)
        next.push(step.relationship.target)
      }
    }
    level = next
  }
  return { reached: [...reached.values()], dropped }
}

function isWanted({ type, direction }: GraphEdge, route: Route): boolean {
  return (
    (route.direction === 'both' || direction === route.direction) &&
    (route.relationship === undefined || type === route.relationship)
  )
}

function describe(from: GraphNode, { type, direction, target }: GraphEdge, depth: number): Reached {
  const { element_type, element_name } = target
  const [here, there] = [idOf(from), idOf(target)]
  const [source, end] = direction === 'outgoing' ? [here, there] : [there, here]
  return {
    id: JSON.stringify([source, type, end]),
    from,
    relationship: { type, direction, target: { element_type, element_name }, depth },
    edge: { source, target: end, type },
  }
}

/** REL-02. */
export function idOf({ element_type, element_name }: GraphNode): string {
  return `${element_type}:${element_name}`
}
