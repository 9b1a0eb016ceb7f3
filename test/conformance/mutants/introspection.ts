import { type Fields, isFields } from '../mutant-server.ts'
import {
  answering,
  each,
  failure,
  isTypes,
  list,
  type Mutants,
  mutant,
  onData,
  onDetails,
  onEntry,
  onFailure,
  onHints,
  onList,
  onParams,
  onProtocol,
  onSchema,
  operation,
  toReadTool,
  without,
} from '../mutations.ts'

/** What a server says of itself: tools, introspection, endpoints. */
export const INTROSPECTION_MUTANTS: Mutants = {
  // Tools
  'tools-list': [
    mutant(
      'has anyOf at the root of a schema',
      onSchema((schema) => ({ ...schema, anyOf: [{ required: ['operation'] }] })),
    ),
    mutant(
      'forbids parameters beside operation',
      onSchema((schema) => ({ ...schema, additionalProperties: false })),
    ),
    mutant(
      'requires operation though batches are taken',
      onSchema((schema) => ({ ...schema, required: ['operation'] })),
    ),
    mutant('has no annotations', () => ({
      tools: (tools) => tools.map(({ annotations: _annotations, ...tool }) => tool),
    })),
  ],
  'tools-names': [
    mutant(
      'shortens the protocol in its names',
      () => ({
        tools: (tools) => tools.map((tool) => ({ ...tool, name: String(tool.name).replace('mcpaql_', 'mcpaql-') })),
        call: ({ tool, args }) => ({ tool: tool.replace('mcpaql-', 'mcpaql_'), args }),
      }),
      'WARN',
    ),
  ],
  'tools-titles': [
    mutant(
      'has other titles',
      onHints((hints) => ({ ...hints, title: 'Tracker' })),
    ),
  ],
  'tools-annotations': [
    mutant(
      'calls every tool read-only',
      onHints((hints) => ({ ...hints, readOnlyHint: true })),
    ),
    mutant(
      'calls no tool destructive',
      onHints((hints) => ({ ...hints, destructiveHint: false })),
    ),
  ],
  'tools-descriptions': [
    mutant('shows no request in its descriptions', () => ({
      tools: (tools) => tools.map((tool) => ({ ...tool, description: 'Supported operations: many. Call introspect.' })),
    })),
  ],

  // Introspection Details
  'introspect-parameters': [
    mutant(
      'does not offer types',
      onDetails((operation) => ({
        ...operation,
        parameters: each(operation.parameters, (row) =>
          row.name === 'query' ? { ...row, enum: ['operations'] } : row,
        ),
      })),
    ),
  ],
  'introspect-bad-query': [
    mutant(
      'takes any query',
      onParams((params) => (params.query === 'zz_none' ? { query: 'types' } : params)),
    ),
    mutant(
      'does not list the kinds',
      onFailure('VALIDATION_INVALID_VALUE', () => ({ code: 'VALIDATION_INVALID_VALUE', message: 'Bad query' })),
    ),
  ],
  'introspect-unknown-name': [
    mutant('refuses unknown names', () => ({
      result: (result) =>
        JSON.stringify(result.data) === '{"operation":null}' ? failure('NOT_FOUND_RESOURCE') : result,
    })),
  ],
  'introspect-bare': [
    mutant('adds _meta to introspection', () => ({ result: (result) => ({ ...result, _meta: { duration_ms: 1 } }) })),
  ],
  'introspect-stable': [
    mutant(
      'never answers twice the same',
      () => {
        let turn = 0
        return onData(
          () => true,
          (data) => ({ ...data, types: [{ name: `Type${++turn}`, kind: 'scalar' }] }),
        )()
      },
      'WARN',
    ),
  ],
  'introspect-protocol': [
    mutant(
      'claims another version',
      onProtocol((told) => ({ ...told, version: '1.0.0' })),
    ),
    mutant(
      'calls its mode crude',
      onProtocol((told) => ({ ...told, mode: 'crude' })),
    ),
    mutant(
      'does not name its adapter',
      onProtocol((told) => without(told, 'adapter')),
    ),
  ],
  'introspect-limits': [
    mutant(
      'has a limit outside its range',
      onProtocol((told) => ({ ...told, limits: { ...(told.limits as Fields), max_nesting_depth: 1000 } })),
    ),
  ],
  'introspect-capabilities': [
    mutant(
      'denies its batches',
      onProtocol((told) => ({ ...told, capabilities: { ...(told.capabilities as Fields), batch: false } })),
    ),
    mutant(
      'announces batches that it refuses',
      answering(({ args }) => args.operations !== undefined, failure('VALIDATION_MISSING_PARAM')),
    ),
  ],
  'introspect-types': [
    mutant(
      'gives every type values',
      onData(
        () => true,
        (data) => (isFields(data.type) ? { type: { ...data.type, values: ['a'], fields: [] } } : data),
      ),
    ),
  ],
  'introspect-type-names': [
    mutant(
      'returns a type that is not listed',
      onDetails((operation) => ({ ...operation, returns: { name: 'Ghost', kind: 'object' } })),
    ),
  ],
  'introspect-protocol-types': [
    mutant(
      "does not list the protocol's types",
      onData(isTypes, (data) => ({ types: list(data.types).filter(({ name }) => name !== 'OperationResult') })),
      'WARN',
    ),
  ],

  // Endpoints
  'endpoints-mismatch': [mutant('takes READ operations on every tool', () => ({ call: toReadTool }))],
  'endpoints-mismatch-details': [
    mutant(
      'does not say where it belongs',
      onFailure('VALIDATION_ENDPOINT_MISMATCH', ({ details: _details, ...error }) => error),
    ),
  ],
  'endpoints-mcp-tool': [
    mutant(
      'names another tool',
      onDetails((operation) => ({ ...operation, mcpTool: 'mcp_aql_read' })),
    ),
  ],
  'endpoints-families': [
    mutant('has no tool for a family of its profile', () => ({
      tools: (tools) => tools.filter(({ name }) => !String(name).endsWith('_delete')),
    })),
    mutant(
      'writes families in upper case',
      onList((data) => ({
        ...data,
        operations: each(data.operations, (entry) => ({ ...entry, endpoint: String(entry.endpoint).toUpperCase() })),
      })),
    ),
    mutant(
      'lists an operation twice',
      onList((data) => ({ ...data, operations: [...list(data.operations), ...list(data.operations).slice(0, 1)] })),
    ),
  ],
  'endpoints-single': [
    {
      does: 'refuses an operation in single mode',
      mutation: answering(operation('delete_issue'), failure('VALIDATION_ENDPOINT_MISMATCH')),
      single: 'mutated',
    },
  ],
  'endpoints-reserved': [
    mutant(
      'calls introspect EXECUTE',
      onEntry('introspect', (entry) => ({ ...entry, semantic_category: 'EXECUTE' })),
    ),
  ],
  'endpoints-read-changes-nothing': [
    mutant(
      'changes something with every read',
      () => {
        let reads = 0
        return onData(operation('list_issues'), (data) => ({
          ...data,
          items: each(data.items, (item) => ({ ...item, title: `read ${++reads} times` })),
        }))()
      },
      'WARN',
    ),
  ],
}
