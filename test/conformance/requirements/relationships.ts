import { must, type Requirement, should } from './row.ts'

/** Relationships. */
export const REL: readonly Requirement[] = [
  should(
    'REL-01',
    'Graph traversal is the READ operation `query_relationships` with `root` (object with `element_type`, `element_name`, required), `direction` (`incoming`, `outgoing`, `both`, required), `relationship?`, `depth?` (at least 1), `include?`, `first?`, `after?`.',
    'relations 1, 2, schema relationship-query',
  ),
  should(
    'REL-02',
    'The answer has `root`, `relationships` (`type`, `direction`, `target`, `depth`) and `graph` with `nodes` (`id`, `element_type`, `element_name`) and `edges` (`source`, `target`, `type`), node ids having the form `{element_type}:{element_name}`.',
    'relations 3',
  ),
  should(
    'REL-03',
    '`include` limits the answer to the named parts `root`, `relationships`, `graph.nodes`, `graph.edges`; without it all parts are returned.',
    'relations 2, 3',
  ),
  must(
    'REL-04',
    'Traversal ends on cyclic data: a visited node is not expanded again while the edge that closes the cycle is still reported.',
    'relations 5',
  ),
  should(
    'REL-05',
    'Relationship names understood across adapters are `uses`, `extends`, `references`, `triggers` and `composes`; an adapter may add others if it lists them.',
    'relations 4',
  ),
  should(
    'REL-06',
    'Details carry `relationship_capabilities` with `supported` (required), `directions`, `relationship_types`, `max_depth`.',
    'relations 6',
  ),
]
