import { must, type Requirement, should } from './row.ts'

/** Several adapters. */
export const MULTI: readonly Requirement[] = [
  must(
    'MULTI-01',
    'Adapters sharing one client session have pairwise different tool names; a server hosting several refuses to start on a collision.',
    'integ 2.2.2, 7.1, choice',
  ),
  should(
    'MULTI-02',
    '`MCP_AQL_TOOL_PREFIX` switches to names `{prefix}mcp_aql_{endpoint}` (unified `{prefix}mcp_aql`) and takes precedence over configuration file or API, which precede the default of TOOL-01; a prefix must match `^[a-z0-9_]*_$` (else start-up stops), and should be shorter than 20 characters and describe the domain.',
    'integ 6.2-6.4, choice',
  ),
  must(
    'MULTI-03',
    "An adapter's `introspect` reports only its own operations and identifies itself in `_protocol.adapter`.",
    'integ 6.6, naming 4',
  ),
  should(
    'MULTI-04',
    'Client helpers group tools by the part before `mcpaql` or `mcp_aql` and query each group separately.',
    'integ 6.5',
  ),
]
