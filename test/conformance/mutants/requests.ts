import { type Fields, isFields } from '../mutant-server.ts'
import {
  answering,
  defined,
  each,
  failure,
  ignoring,
  list,
  type Mutants,
  mutant,
  onBatch,
  onData,
  onFailure,
  onParams,
  onToolResult,
  operation,
  UNKNOWN,
  without,
} from '../mutations.ts'

/** Requests and what comes back. */
export const REQUEST_MUTANTS: Mutants = {
  // Request Format
  'request-without-operation': [
    mutant(
      'does not flag a request without operation',
      onToolResult(
        ({ args }) => args.operation === undefined,
        (result) => ({ ...result, isError: false }),
      ),
    ),
    mutant(
      'blames something else',
      onFailure('VALIDATION_MISSING_PARAM', (error) => ({ ...error, details: { param_name: 'params' } })),
    ),
  ],
  'request-wrong-shape': [
    mutant('takes params of any type', () => ({
      call: ({ tool, args }) => ({
        tool,
        args: { ...args, params: isFields(args.params) ? args.params : { query: 'types' } },
      }),
    })),
  ],
  'request-unknown-operation': [
    mutant(
      'uses the code that is never emitted',
      onFailure('NOT_FOUND_OPERATION', (error) => ({ ...error, code: 'VALIDATION_UNKNOWN_OPERATION' })),
    ),
    mutant('does not look at the case', () => ({
      call: ({ tool, args }) => ({
        tool,
        args: {
          ...args,
          operation: typeof args.operation === 'string' ? args.operation.toLowerCase() : args.operation,
        },
      }),
    })),
    mutant(
      'flags it as an error',
      onToolResult(
        ({ args }) => args.operation === 'zz_no_such_operation',
        (result) => ({ ...result, isError: true }),
      ),
    ),
  ],
  'request-top-level-params': [
    mutant('knows no parameters beside operation', () => ({
      call: ({ tool, args: { operation, params, operations } }) => ({
        tool,
        args: defined({ operation, params, operations }),
      }),
    })),
    mutant('lets the outer parameter win', () => ({
      call: ({ tool, args }) => ({
        tool,
        args:
          typeof args.query === 'string'
            ? { operation: args.operation, params: { ...(args.params as Fields), query: args.query } }
            : args,
      }),
    })),
  ],
  'request-underscore-keys': [
    mutant(
      'takes _keys for parameters',
      onParams(({ _trace, ...params }) => (_trace === undefined ? params : { ...params, trace: _trace })),
    ),
  ],
  'request-types': [
    mutant(
      'coerces text to numbers',
      onParams((params) => ({ ...params, ...(params.first === '5' && { first: 5 }) })),
    ),
    mutant(
      'takes null for absent',
      onParams((params) => (params.query === null ? { ...params, query: 'types' } : params)),
    ),
    mutant('does not check types', ignoring('VALIDATION_INVALID_TYPE')),
  ],
  'request-order': [
    mutant(
      'looks for unknown parameters first',
      answering(({ args }) => isFields(args.params) && UNKNOWN in args.params, failure('VALIDATION_UNKNOWN_PARAM')),
    ),
  ],
  'request-prototype-keys': [
    mutant(
      'honours __proto__',
      onParams((params) => (Object.hasOwn(params, '__proto__') ? { query: 'types' } : params)),
    ),
  ],
  'request-dry-run': [
    mutant(
      'runs for real when asked to try',
      onParams(({ dry_run: _dry, ...params }) => params),
    ),
  ],
  'request-id-echo': [mutant('forgets the request id', () => ({ result: ({ _meta, ...result }) => result }), 'WARN')],

  // Updates
  'update-input-required': [
    mutant(
      'takes an update without input',
      onParams((params, { args }) =>
        args.operation === 'update_issue' && params.input === undefined
          ? { ...params, input: { title: 'made up' } }
          : params,
      ),
    ),
    mutant(
      'takes null for an empty input',
      onParams((params) => (params.input === null ? { ...params, input: { title: 'made up' } } : params)),
    ),
  ],
  'update-unknown-field': [
    mutant(
      'ignores unknown fields',
      onParams((params) =>
        isFields(params.input) ? { ...params, input: without(params.input, 'zz_unknown_field') } : params,
      ),
    ),
    mutant(
      'calls it an unknown parameter',
      onFailure('VALIDATION_UNKNOWN_FIELD', (error) => ({ ...error, code: 'VALIDATION_UNKNOWN_PARAM' })),
    ),
  ],
  'update-identifier-in-input': [
    mutant(
      'ignores identifiers in input',
      onParams((params) =>
        isFields(params.input) && 'issue_id' in params.input ? { ...params, input: { title: 'other' } } : params,
      ),
    ),
  ],
  'update-merge': [
    mutant(
      'replaces objects',
      onData(operation('get_issue'), (data) => ({
        ...data,
        metadata:
          isFields(data.metadata) && isFields(data.metadata.a)
            ? { ...data.metadata, a: without(data.metadata.a, 'keep') }
            : data.metadata,
      })),
    ),
    mutant(
      'stores null where it should remove',
      onData(operation('get_issue'), (data) => ({ ...data, metadata: { ...(data.metadata as Fields), drop: null } })),
    ),
  ],
  'update-prototype': [
    mutant(
      'writes through the prototype',
      onData(operation('get_issue'), (data) => ({
        ...data,
        metadata: { ...(data.metadata as Fields), polluted: true },
      })),
    ),
  ],

  // Batches
  'batch-answer': [
    mutant(
      'counts entries from one',
      onBatch((result) => ({
        ...result,
        results: each(result.results, (entry) => ({ ...entry, index: Number(entry.index) + 1 })),
      })),
    ),
    mutant(
      'gives a batch data',
      onBatch((result) => ({ ...result, data: {} })),
    ),
    mutant(
      'counts wrong',
      onBatch((result) => ({ ...result, summary: { total: 3, succeeded: 3, failed: 0 } })),
    ),
    mutant(
      'puts _meta into entries',
      onBatch((result) => ({
        ...result,
        results: each(result.results, (entry) => ({ ...entry, result: { ...(entry.result as Fields), _meta: {} } })),
      })),
    ),
  ],
  'batch-continues': [
    mutant(
      'stops with the first failure',
      onBatch((result) => ({ ...result, results: list(result.results).slice(0, 1) })),
    ),
  ],
  'batch-same-as-alone': [
    mutant(
      'answers entries differently',
      onBatch((result) => ({
        ...result,
        results: each(result.results, (entry) => ({ ...entry, result: { success: true, data: null } })),
      })),
    ),
  ],
  'batch-malformed': [
    mutant(
      'takes an empty batch',
      answering(({ args }) => Array.isArray(args.operations) && args.operations.length === 0, {
        success: true,
        data: null,
        results: [],
        summary: { total: 0, succeeded: 0, failed: 0 },
      }),
    ),
    mutant(
      'does not flag a malformed batch',
      onToolResult(
        () => true,
        (result) => ({ ...result, isError: false }),
      ),
    ),
  ],
  'batch-all-or-nothing': [
    mutant('runs what can be run', () => ({
      call: ({ tool, args }) => ({
        tool,
        args: Array.isArray(args.operations)
          ? { operations: args.operations.filter((entry) => isFields(entry) && typeof entry.operation === 'string') }
          : args,
      }),
    })),
  ],
  'batch-order': [
    mutant('runs entries from the end', () => ({
      call: ({ tool, args }) => ({
        tool,
        args: Array.isArray(args.operations) ? { operations: [...args.operations].reverse() } : args,
      }),
    })),
  ],
  'batch-wrong-family': [
    mutant(
      'takes any family in a batch',
      () => ({
        call: (call) => (call.args.operations === undefined ? call : { ...call, tool: 'tracker_mcpaql_read' }),
      }),
      'WARN',
    ),
  ],

  // Data Types
  'data-dates': [
    mutant(
      'takes any date',
      onParams((params) => without(params, 'due_date')),
    ),
  ],
  'data-timestamps': [
    mutant(
      'writes timestamps with an offset',
      () => ({
        toolResult: (result) =>
          JSON.parse(JSON.stringify(result).replace(/(\d\d:\d\d:\d\d(?:\.\d+)?)Z/g, '$1+00:00')) as Fields,
      }),
      'WARN',
      ['paging-forward'],
    ),
  ],
  'data-safe-integers': [
    mutant('writes large integers as numbers', () => ({
      toolResult: (result) => ({
        ...result,
        content: each(result.content, (item) => ({
          ...item,
          text: String(item.text).replace('"success":true', '"success":true,"_meta":{"n":12345678901234567890}'),
        })),
      }),
    })),
  ],
  'data-binary': [
    mutant(
      'takes any text for base64',
      onParams((params) => ('file_content' in params ? { ...params, file_content: 'cHJvYmU=', zz_stop: 1 } : params)),
    ),
  ],
  'data-unicode': [
    mutant(
      'normalises text',
      onData(operation('get_issue'), (data) => ({ ...data, title: String(data.title).normalize('NFC') })),
    ),
  ],

  // Responses
  'responses-shape': [
    mutant('adds a key to successes', () => ({
      result: (result) => (result.success === true ? { ...result, meta: {} } : result),
    })),
  ],
  'responses-content': [
    mutant('leaves isError out', () => ({ toolResult: ({ isError: _isError, ...result }) => result })),
    mutant('sends two content items', () => ({
      toolResult: (result) => ({ ...result, content: [...list(result.content), { type: 'text', text: 'done' }] }),
    })),
    mutant('structures something else', () => ({
      toolResult: (result) => ({ ...result, structuredContent: { success: true, data: 'other' } }),
    })),
  ],
  'responses-is-error': [
    mutant('flags every failure', () => ({
      toolResult: (result) => ({ ...result, isError: JSON.stringify(result.content).includes('\\"success\\":false') }),
    })),
  ],
  'responses-codes': [
    mutant(
      'invents codes',
      onFailure('any', (error) => ({ ...error, code: 'BAD_REQUEST' })),
    ),
  ],
  'responses-details': [
    mutant(
      'leaves details out',
      onFailure('any', ({ details: _details, ...error }) => error),
    ),
  ],
  'responses-warnings': [
    mutant(
      'adds a key to warnings',
      () => ({
        result: (result) =>
          Array.isArray(result.warnings)
            ? { ...result, warnings: each(result.warnings, (warning) => ({ ...warning, level: 1 })) }
            : result,
      }),
      'FAIL',
      ['fields-unknown'],
    ),
  ],
  'responses-not-found': [mutant('answers null for what is not there', ignoring('NOT_FOUND_RESOURCE'))],
}
