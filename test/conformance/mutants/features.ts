import { type Fields, isFields } from '../mutant-server.ts'
import {
  answering,
  changeMember,
  each,
  failure,
  ignoring,
  list,
  type Mutants,
  mutant,
  onAggregations,
  onData,
  onDetails,
  onFailure,
  onPage,
  onParams,
  onProtocol,
  operation,
  without,
} from '../mutations.ts'

/** The query language, concurrency, executions. */
export const FEATURE_MUTANTS: Mutants = {
  // Field Selection
  'fields-documented': [
    mutant(
      'documents fields as an array',
      onDetails((operation) => ({
        ...operation,
        parameters: each(operation.parameters, (row) => (row.name === 'fields' ? { ...row, type: 'array' } : row)),
      })),
    ),
  ],
  'fields-selected': [
    mutant(
      'ignores fields',
      onParams(({ fields: _fields, ...params }) => params),
    ),
    mutant('loses pageInfo', () => ({
      result: (result, { args }) =>
        isFields(args.params) && args.params.fields && isFields(result.data)
          ? { ...result, data: without(result.data, 'pageInfo') }
          : result,
    })),
  ],
  'fields-nested': [
    mutant('flattens nested fields', () => ({
      result: (result, { args }) =>
        isFields(args.params) && JSON.stringify(args.params.fields ?? '').includes('.') && isFields(result.data)
          ? {
              ...result,
              data: {
                ...result.data,
                items: each(result.data.items, (item) =>
                  Object.fromEntries(Object.entries(item).map(([key, value]) => [`${key}.inner`, value])),
                ),
              },
            }
          : result,
    })),
  ],
  'fields-presets': [
    mutant(
      'has a minimal preset that is none',
      onParams((params) => (params.fields === 'standard' ? { ...params, fields: ['id'] } : params)),
      'WARN',
    ),
  ],
  'fields-unknown': [
    mutant(
      'refuses fields that items do not have',
      answering(
        ({ args }) => JSON.stringify(args.params ?? '').includes('zz_no_such_field'),
        failure('VALIDATION_UNKNOWN_FIELD'),
      ),
    ),
  ],
  'fields-malformed': [
    mutant(
      'ignores malformed paths',
      onParams((params) =>
        Array.isArray(params.fields) && params.fields.some((path) => path === 'a..b')
          ? without(params, 'fields')
          : params,
      ),
    ),
  ],
  'fields-type': [
    mutant(
      'does not list FieldSelection',
      onParams((params) => (params.name === 'FieldSelection' ? { ...params, name: 'Nothing' } : params)),
      'WARN',
    ),
  ],

  // Collections
  'collection-filter': [
    mutant(
      'ignores filter',
      onParams((params) => without(params, 'filter')),
    ),
    mutant(
      'filters only what is selected',
      onParams((params) => (Array.isArray(params.fields) ? without(params, 'filter') : params)),
    ),
  ],
  'collection-filter-unknown': [
    mutant(
      'ignores unknown filter keys',
      onParams((params) => (JSON.stringify(params.filter ?? '').includes('zz_') ? without(params, 'filter') : params)),
    ),
  ],
  'collection-sort': [
    mutant(
      'ignores sort',
      onParams((params) => without(params, 'sort')),
    ),
  ],
  'collection-sort-unknown': [
    mutant(
      'ignores unknown sort fields',
      onParams((params) => (JSON.stringify(params.sort ?? '').includes('zz_') ? without(params, 'sort') : params)),
    ),
  ],
  'collection-search': [
    mutant(
      'finds everything',
      onParams((params) => (params.query === 'zzqxjv' ? { ...params, query: 'checkout' } : params)),
      'WARN',
    ),
  ],

  // Pagination
  'paging-forward': [
    mutant('repeats an item across pages', () => {
      let first: unknown
      return {
        result: (result, { args }) => {
          if (!isFields(result.data) || !Array.isArray(result.data.items)) return result
          first ??= result.data.items[0]
          return isFields(args.params) && args.params.after
            ? { ...result, data: { ...result.data, items: [first, ...result.data.items.slice(1)] } }
            : result
        },
      }
    }),
    mutant('loses the last page', () => ({
      result: (result, { args }) =>
        isFields(args.params) && args.params.after && isFields(result.data) && isFields(result.data.pageInfo)
          ? { ...result, data: { ...result.data, pageInfo: { ...result.data.pageInfo, hasNextPage: false } } }
          : result,
    })),
  ],
  'paging-backward': [
    mutant(
      'does not know before',
      onParams((params) => without(params, 'before')),
    ),
  ],
  'paging-page-info': [
    mutant(
      'always has a previous page',
      onPage((page) => ({ ...page, hasPreviousPage: true })),
    ),
    mutant(
      'gives no cursors',
      onPage((page) => without(page, 'endCursor')),
    ),
    mutant(
      'sends items and edges',
      onData(
        (call) => operation('list_issues')(call),
        (data) => ({ ...data, edges: [] }),
      ),
    ),
  ],
  'paging-conflicts': [
    mutant(
      'lets first win over last',
      onParams((params) => (params.first !== undefined ? without(params, 'last') : params)),
    ),
    mutant(
      'does not say what conflicts',
      onFailure('VALIDATION_INVALID_TYPE', ({ details: _details, ...error }) => ({ ...error, details: {} })),
    ),
  ],
  'paging-damaged-cursor': [
    mutant('ignores cursors that it does not know', () => {
      const issued = new Set<unknown>()
      return {
        call: ({ tool, args }) => ({
          tool,
          args:
            isFields(args.params) && args.params.after !== undefined && !issued.has(args.params.after)
              ? { ...args, params: without(args.params, 'after') }
              : args,
        }),
        result: (result) => {
          if (isFields(result.data) && isFields(result.data.pageInfo)) issued.add(result.data.pageInfo.endCursor)
          return result
        },
      }
    }),
  ],
  'paging-cursor-form': [
    mutant('has cursors that are not URL-safe', () => ({
      ...onPage((page) => ({ ...page, endCursor: `${String(page.endCursor)}+/` }))(),
      call: ({ tool, args }) => ({
        tool,
        args:
          isFields(args.params) && typeof args.params.after === 'string'
            ? { ...args, params: { ...args.params, after: args.params.after.replace('+/', '') } }
            : args,
      }),
    })),
  ],
  'paging-maximum': [
    mutant(
      'refuses large pages',
      answering(
        ({ args }) => isFields(args.params) && Number(args.params.first) > 1_000,
        failure('VALIDATION_INVALID_VALUE'),
      ),
      'WARN',
    ),
  ],
  'paging-default': [
    mutant(
      'documents another page size',
      onDetails((operation) => ({
        ...operation,
        parameters: each(operation.parameters, (row) => (row.name === 'first' ? { ...row, default: 3 } : row)),
      })),
      'WARN',
    ),
  ],
  'paging-offset': [
    mutant(
      'ignores offset',
      onParams((params) => without(params, 'offset')),
    ),
    mutant(
      'mixes cursors and offsets',
      onParams((params) => (params.limit !== undefined ? without(params, 'first') : params)),
    ),
  ],

  // Aggregation
  'aggregate-count': [
    mutant('counts the page', () => ({
      result: (result, { args }) =>
        isFields(args.params) && args.params.first === 1 && isFields(result.data) && result.data.aggregations
          ? { ...result, data: { ...result.data, aggregations: { total: 1 } } }
          : result,
    })),
    mutant(
      'sends the items unasked',
      onAggregations((data) => ({ ...data, items: [] })),
    ),
  ],
  'aggregate-groups': [
    mutant(
      'loses a group',
      onAggregations((data) => ({
        ...data,
        aggregations: changeMember(data.aggregations, 'groups', (groups) =>
          Object.fromEntries(Object.entries(groups).slice(1)),
        ),
      })),
    ),
  ],
  'aggregate-functions': [
    mutant(
      'adds up wrong',
      onAggregations((data) => ({
        ...data,
        aggregations: changeMember(data.aggregations, 'f', (found) => ({ ...found, sum: Number(found.sum) + 1 })),
      })),
    ),
  ],
  'aggregate-refused': [
    mutant(
      'ignores unknown functions',
      onParams((params) =>
        JSON.stringify(params.aggregate ?? '').includes('median')
          ? { ...params, aggregate: { x: { count: true } } }
          : params,
      ),
    ),
  ],
  'aggregate-same-filter': [
    mutant(
      'aggregates without the filter',
      onParams((params) => (params.aggregate === undefined ? params : without(params, 'filter'))),
    ),
  ],

  // Computed Fields
  'computed-returned': [
    mutant(
      'does not compute',
      onData(operation('list_issues'), (data) => ({
        ...data,
        items: each(data.items, (item) => without(item, '_computed')),
      })),
    ),
  ],
  'computed-refused': [
    mutant(
      'ignores a sort that it cannot do',
      onParams((params) =>
        JSON.stringify(params.sort ?? '').includes('_computed') ? without(params, 'sort') : params,
      ),
    ),
  ],

  // Relationships
  'relationships-answer': [
    mutant(
      'leaves the depth out',
      onData(operation('query_relationships'), (data) => ({
        ...data,
        relationships: each(data.relationships, (entry) => without(entry, 'depth')),
      })),
    ),
  ],
  'relationships-graph': [
    mutant(
      'shows a node twice',
      onData(operation('query_relationships'), (data) => ({
        ...data,
        graph: changeMember(data, 'graph', (graph) => ({
          ...graph,
          nodes: [...list(graph.nodes), ...list(graph.nodes).slice(0, 1)],
        })).graph,
      })),
    ),
  ],
  'relationships-include': [
    mutant(
      'ignores include',
      onParams((params) => without(params, 'include')),
    ),
  ],
  'relationships-refused': [
    mutant(
      'takes any direction',
      onParams((params) => (params.direction === 'sideways' ? { ...params, direction: 'both' } : params)),
    ),
  ],

  // Concurrency
  'concurrency-pipelined': [
    mutant('mixes up answers', () => {
      let last: unknown
      return onData(
        ({ args }) => isFields(args.params) && args.params.name !== undefined,
        (data) => {
          last ??= data.operation
          return { operation: last }
        },
      )()
    }),
  ],
  'concurrency-declared': [
    mutant(
      'declares a category that does not exist',
      onProtocol((told) => ({ ...told, concurrency: 'chaotic' })),
    ),
    mutant(
      'declares nothing',
      onProtocol((told) => without(told, 'concurrency')),
      'WARN',
    ),
  ],
  'concurrency-version': [
    mutant(
      'never counts the version up',
      onData(operation('get_issue'), (data) => ({ ...data, _version: 1 })),
    ),
  ],
  'concurrency-if-match': [
    mutant(
      'ignores if_match',
      onParams((params) => without(params, 'if_match')),
    ),
  ],
  'concurrency-one-winner': [
    mutant(
      'checks the version too early',
      onParams((params) =>
        JSON.stringify(params.input ?? '').includes('rival') ? without(params, 'if_match') : params,
      ),
    ),
  ],

  // Lifecycle
  'lifecycle-declared': [
    mutant(
      'adds a key to the life cycle',
      onDetails((operation) =>
        operation.lifecycle
          ? { ...operation, lifecycle: { ...(operation.lifecycle as Fields), supports_pause: true } }
          : operation,
      ),
    ),
  ],
  'lifecycle-states': [
    mutant(
      'ends what still runs',
      onData(operation('get_execution'), (data) => ({
        ...data,
        finished_at: '2026-01-01T00:00:00Z',
        status: 'running',
      })),
    ),
    mutant(
      'reports a state that it did not declare',
      onData(operation('get_execution'), (data) => ({ ...data, status: 'sleeping' })),
    ),
  ],
  'lifecycle-cancel': [mutant('cancels what has ended', ignoring('CONFLICT_INVALID_STATE'))],
}
