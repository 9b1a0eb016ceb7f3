import { isFields } from '../mutant-server.ts'
import {
  answering,
  dropUnknown,
  each,
  failure,
  ignoring,
  isTypes,
  list,
  type Mutants,
  mutant,
  onData,
  onDetails,
  onEntry,
  onFailure,
  onList,
  onParams,
  operation,
} from '../mutations.ts'

/** The categories of the conformance document. */
export const PUBLISHED_MUTANTS: Mutants = {
  // Introspection Fidelity
  'introspection-operations': [
    mutant(
      'adds a key to list entries',
      onList((data) => ({ ...data, operations: each(data.operations, (entry) => ({ ...entry, danger: 'low' })) })),
    ),
    mutant(
      'leaves introspect out of the list',
      onList((data) => ({ ...data, operations: list(data.operations).filter(({ name }) => name !== 'introspect') })),
    ),
    mutant(
      'adds a key beside the operations',
      onList((data) => ({ ...data, total: 1 })),
    ),
    mutant(
      'leaves _protocol out',
      onList(({ operations }) => ({ operations })),
    ),
  ],
  'introspection-types': [
    mutant(
      'adds the values to the list of types',
      onData(isTypes, (data) => ({ types: each(data.types, (entry) => ({ ...entry, values: [] })) })),
    ),
    mutant(
      'lists no type',
      onData(isTypes, () => ({ types: [] })),
    ),
  ],
  'introspection-details': [
    mutant(
      'adds a key to details',
      onDetails((operation) => ({ ...operation, supports_pagination: true })),
    ),
    mutant(
      'adds a key to parameters',
      onDetails((operation) => ({
        ...operation,
        parameters: each(operation.parameters, (row) => ({ ...row, nullable: false })),
      })),
    ),
    mutant(
      'calls a DELETE harmless',
      onDetails((operation) => ({ ...operation, permissions: { readOnly: false, destructive: false } })),
    ),
    mutant(
      'leaves returns out',
      onDetails(({ returns: _returns, ...operation }) => operation),
    ),
  ],
  'introspection-parameters': [
    mutant(
      'takes an undocumented parameter',
      onParams(({ verbose: _verbose, ...params }) => params),
    ),
    mutant(
      'documents a parameter that it refuses',
      onDetails((operation) => ({
        ...operation,
        parameters: [...list(operation.parameters), { name: 'ghost', type: 'string', required: false }],
      })),
      'WARN',
    ),
  ],

  // Parameter Handling
  'parameters-required': [
    mutant('answers without a required parameter', ignoring('VALIDATION_MISSING_PARAM')),
    mutant(
      'does not name the missing parameter',
      onFailure('VALIDATION_MISSING_PARAM', (error) => ({ ...error, message: 'A required parameter is missing' })),
    ),
  ],
  'parameters-unknown': [
    mutant('ignores unknown parameters', () => ({ call: dropUnknown })),
    mutant(
      'only warns of unknown parameters',
      () => ({
        call: dropUnknown,
        result: (result) =>
          result.success ? { ...result, warnings: [{ code: 'VALIDATION_UNKNOWN_PARAM', message: 'ignored' }] } : result,
      }),
      'WARN',
    ),
  ],
  'parameters-defaults': [
    mutant(
      'documents another default than it uses',
      onDetails((operation) => ({
        ...operation,
        parameters: each(operation.parameters, (row) => (row.name === 'first' ? { ...row, default: 7 } : row)),
      })),
    ),
  ],
  'parameters-snake-case': [
    mutant(
      'documents a camelCase parameter',
      onDetails((operation) => ({
        ...operation,
        parameters: each(operation.parameters, (row) => (row.name === 'issue_id' ? { ...row, name: 'issueId' } : row)),
      })),
    ),
  ],

  // Error Quality
  'errors-shape': [
    mutant(
      'adds _meta to failures',
      onFailure('any', (error) => error, { _meta: {} }),
    ),
    mutant('answers errors as plain text', () => ({
      result: (result) => (result.success === false ? { success: false, error: 'failed' } : result),
    })),
    mutant(
      'adds a key to error',
      onFailure('any', (error) => ({ ...error, hint: 'try again' })),
    ),
    mutant('calls a failure a success', () => ({
      result: (result) => (result.success === false ? { success: true, data: result.error } : result),
    })),
  ],
  'errors-no-leaks': [
    mutant(
      'shows a language error',
      onFailure('any', (error) => ({ ...error, message: `TypeError: ${String(error.message)}` })),
    ),
    mutant(
      'shows a source location',
      onFailure('any', (error) => ({ ...error, message: `${String(error.message)} (bind.ts:12)` })),
    ),
    mutant(
      'uses a word that the published pattern flags',
      onFailure('any', (error) => ({ ...error, message: `${String(error.message)}, at least` })),
      'WARN',
    ),
  ],
  'errors-actionable': [
    mutant(
      'says only that something is invalid',
      onFailure('any', (error) => ({ ...error, message: 'Invalid request' })),
      'WARN',
    ),
  ],

  // Round-Trip Integrity
  'roundtrip-create-read': [
    mutant(
      'drops a field on reading',
      onData(operation('get_issue'), ({ body: _body, ...data }) => data),
    ),
    mutant(
      'changes a value on reading',
      onData(operation('get_issue'), (data) => ({ ...data, title: String(data.title).toUpperCase() })),
    ),
  ],
  'roundtrip-update-preserves': [
    mutant('loses a field with an update', () => {
      let updated = false
      return {
        call: (call) => {
          updated ||= call.args.operation === 'update_issue'
          return call
        },
        result: (result, call) =>
          updated && call.args.operation === 'get_issue' && isFields(result.data)
            ? { ...result, data: { ...result.data, priority: 'lost' } }
            : result,
      }
    }),
    mutant(
      'does not apply the update',
      onData(operation('get_issue'), (data) => ({ ...data, title: 'always the same' })),
    ),
  ],

  // Level 2 Features
  'level2-modes': [
    { does: 'has one mode only', mutation: () => ({}), single: 'none' },
    {
      does: 'has a single mode that does not answer',
      mutation: answering(isTypes, failure('INTERNAL_ERROR')),
      single: 'mutated',
    },
  ],
  'level2-field-selection': [
    mutant(
      'ignores fields',
      onParams(({ fields: _fields, ...params }) => params),
      'WARN',
    ),
  ],
  'level2-batch': [
    mutant(
      'takes no batches',
      answering(({ args }) => args.operations !== undefined, failure('VALIDATION_MISSING_PARAM')),
      'WARN',
    ),
  ],

  // Constraint Documentation: failures count as warnings.
  'constraints-enforced': [
    mutant('does not enforce constraints', ignoring('VALIDATION_INVALID_VALUE'), 'WARN'),
    mutant(
      'does not name the parameter',
      onFailure('VALIDATION_INVALID_VALUE', (error) => ({ ...error, message: 'Bad value' })),
      'WARN',
    ),
  ],
  'constraints-disclosed': [
    mutant('lets read-only fields be written', ignoring('VALIDATION_READ_ONLY_FIELD'), 'WARN'),
    mutant(
      'does not document read-only fields',
      onData(
        ({ args }) => isFields(args.params) && args.params.query === 'types',
        (data) =>
          isFields(data.type)
            ? {
                type: {
                  ...data.type,
                  ...(data.type.fields !== undefined && {
                    fields: each(data.type.fields, ({ description: _description, ...row }) => row),
                  }),
                },
              }
            : data,
      ),
      'WARN',
    ),
  ],

  // Semantic Evaluation: the same.
  'semantic-discovery': [
    mutant(
      'does not say how to introspect',
      () => ({ tools: (tools) => tools.map((tool) => ({ ...tool, description: 'Read things.' })) }),
      'WARN',
    ),
  ],
  'semantic-naming': [
    mutant(
      'calls a get_… DELETE',
      onEntry('get_issue', (entry) => ({ ...entry, semantic_category: 'DELETE' })),
      'WARN',
    ),
  ],
  'semantic-examples': [
    mutant(
      'has examples that do not run',
      onDetails((operation) => ({
        ...operation,
        examples: [{ request: { operation: operation.name, params: { nonsense: 1 } } }],
      })),
      'WARN',
    ),
  ],
}
