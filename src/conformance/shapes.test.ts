import { describe, expect, test } from 'vitest'
import {
  executionShape,
  operationInfoShape,
  parameterShape,
  resultShape,
  type Shape,
  typeDetailsShape,
} from './shapes.ts'

const INFO = { name: 'get_note', semantic_category: 'READ', endpoint: 'read', description: 'Get a note.' }
const FAILURE = { success: false, error: { code: 'INTERNAL_ERROR', message: 'unexpected' } }
const RUNNING = { execution_id: 'e1', status: 'running', started_at: '2026-01-01T00:00:00Z' }

describe('what has the shape passes, what has not does not', () => {
  test.each<[string, Shape, unknown, readonly string[]]>([
    ['RES-01 a success', resultShape, { success: true, data: null }, []],
    ['RES-01 a failure', resultShape, FAILURE, []],
    ['RES-01 without data', resultShape, { success: true }, ['result.data is missing']],
    ['RES-01 neither', resultShape, { ok: true }, ['result.success is not a boolean']],
    ['RES-02 a key too many', resultShape, { success: true, data: 1, meta: {} }, ["result has the extra key 'meta'"]],
    ['RES-03 _meta on a failure', resultShape, { ...FAILURE, _meta: {} }, ["result has the extra key '_meta'"]],
    [
      'RES-07 a warning alone',
      resultShape,
      { success: true, data: 1, warnings: {} },
      ['result.warnings is not an array'],
    ],
    ['ERR-01 a plain text', resultShape, { success: false, error: 'no' }, ['result.error is not an object']],
    [
      'ERR-01 a lower-case code',
      resultShape,
      { success: false, error: { code: 'bad', message: 'x' } },
      ['result.error.code does not match ^[A-Z][A-Z0-9_]*$'],
    ],
    ['INT-04 an entry', operationInfoShape, INFO, []],
    ['INT-04 a key too many', operationInfoShape, { ...INFO, danger: 1 }, ["operation has the extra key 'danger'"]],
    [
      'INT-04 no category',
      operationInfoShape,
      { ...INFO, semantic_category: 'PATCH' },
      ['operation.semantic_category is none of CREATE, READ, UPDATE, DELETE, EXECUTE'],
    ],
    ['INT-12 a parameter', parameterShape, { name: 'x', type: 'string', required: true, sensitive: true }, []],
    [
      'INT-12 a key too many',
      parameterShape,
      { name: 'x', type: 'string', required: true, nullable: true },
      ["parameter has the extra key 'nullable'"],
    ],
    ['TYPE-02 an enum', typeDetailsShape, { name: 'S', kind: 'enum', values: ['a'] }, []],
    [
      'TYPE-02 an enum with fields',
      typeDetailsShape,
      { name: 'S', kind: 'enum', values: [], fields: [] },
      ["type has the extra key 'fields'"],
    ],
    ['TYPE-02 an object without fields', typeDetailsShape, { name: 'S', kind: 'object' }, ['type.fields is missing']],
    ['LIFE-03 a running execution', executionShape, RUNNING, []],
    [
      'LIFE-03 an end before the end',
      executionShape,
      { ...RUNNING, finished_at: '2026-01-01T00:00:01Z' },
      ["execution.finished_at is present in the unfinished state 'running'"],
    ],
    [
      'LIFE-03 an end without a time',
      executionShape,
      { ...RUNNING, status: 'completed' },
      ["execution.finished_at is missing in state 'completed'"],
    ],
    [
      'LIFE-04 progress that says nothing',
      executionShape,
      { ...RUNNING, progress: {} },
      ['execution.progress says neither percentage, current and total, nor message'],
    ],
  ])('%s', (_name, shape, value, faults) => {
    expect(shape(value)).toEqual(faults)
  })
})
