/** However large the graph, one call asks for the edges of no more nodes than this, and reports no more edges. */
const MAX_NODES = 1000;
const MAX_EDGES = 10_000;
/**
 * Relationship queries §5 (REL-04). Breadth first; a node is expanded once, and each edge is reported once, also the
 * one that leads back to a node already seen.
 */
export async function walkGraph(graph, route, context) {
    const seen = new Set([idOf(route.root)]);
    const reached = new Map();
    let dropped = 0;
    let level = [route.root];
    for (let depth = 1; depth <= route.depth && level.length > 0; depth++) {
        const next = [];
        for (const from of level) {
            context.signal.throwIfAborted();
            for (const found of await graph.edges(from, context)) {
                if (!isWanted(found, route))
                    continue;
                const step = describe(from, found, depth);
                if (reached.has(step.id))
                    continue;
                const target = idOf(found.target);
                if (reached.size >= MAX_EDGES || (!seen.has(target) && seen.size >= MAX_NODES)) {
                    dropped++;
                    continue;
                }
                reached.set(step.id, step);
                if (seen.has(target))
                    continue;
                seen.add(target);
                next.push(step.relationship.target);
            }
        }
        level = next;
    }
    return { reached: [...reached.values()], dropped };
}
function isWanted({ type, direction }, route) {
    return ((route.direction === 'both' || direction === route.direction) &&
        (route.relationship === undefined || type === route.relationship));
}
function describe(from, { type, direction, target }, depth) {
    const { element_type, element_name } = target;
    const [here, there] = [idOf(from), idOf(target)];
    const [source, end] = direction === 'outgoing' ? [here, there] : [there, here];
    return {
        id: JSON.stringify([source, type, end]),
        from,
        relationship: { type, direction, target: { element_type, element_name }, depth },
        edge: { source, target: end, type },
    };
}
/** REL-02. */
export function idOf({ element_type, element_name }) {
    return `${element_type}:${element_name}`;
}
