import { describe, expect, test } from 'vitest'
import type { OperationDetails, ParameterInfo } from '../protocol/introspection.ts'
import { candidates, sampleValue, violations, wrongType } from './samples.ts'

describe('INT-17 values are made from the documentation alone', () => {
  test.each<[Partial<ParameterInfo>, unknown]>([
    [{ type: 'string' }, 'probe m1'],
    [{ type: 'string', maxLength: 4 }, 'prob'],
    [{ type: 'string', minLength: 12 }, 'probe m1xxxx'],
    [{ type: 'string', enum: ['open', 'closed'] }, 'open'],
    [{ type: 'string', format: 'date' }, '2026-03-04'],
    [{ type: 'string', pattern: '^[A-Z]{2,5}$' }, 'PROBE'],
    [{ type: 'string', pattern: '^#[0-9a-f]{6}$' }, '#a1b2c3'],
    [{ type: 'integer', minimum: 7 }, 7],
    [{ type: 'number', maximum: 0.5 }, 0.5],
    [{ type: 'boolean' }, false],
    [{ type: 'string[]' }, ['probe m1']],
    [{ type: 'string[]', enum: ['a', 'b'] }, ['a']],
    [{ type: 'string | null' }, 'probe m1'],
  ])('%j', (row, expected) => {
    expect(sampleValue({ name: 'x', required: true, ...row } as ParameterInfo, 'm1')).toEqual(expected)
  })
})

describe('VAL-04 a value of another type is another type', () => {
  test.each<[string, unknown]>([
    ['string', true],
    ['boolean', 4711],
    ['boolean | number', { unexpected: true }],
    ['boolean | integer | object', undefined],
    ['string | string[]', true],
  ])('%s', (type, expected) => {
    expect(wrongType({ name: 'x', type, required: true })).toEqual(expected)
  })
})

test('VAL-07 every declared constraint is broken once', () => {
  const row = {
    name: 'x',
    type: 'string',
    required: true,
    minLength: 2,
    maxLength: 3,
    pattern: '^[a-z]+$',
    format: 'date',
  }
  expect(violations(row).map(({ constraint }) => constraint)).toEqual(['minLength', 'maxLength', 'pattern', 'format'])
  const number = { name: 'x', type: 'integer', required: true, minimum: 1, maximum: 5 }
  expect(violations(number)).toEqual([
    { constraint: 'minimum', value: 0 },
    { constraint: 'maximum', value: 6 },
  ])
})

test('INT-13 examples come first, with free texts marked and references kept', () => {
  const details = {
    name: 'create_note',
    parameters: [
      { name: 'title', type: 'string', required: true },
      { name: 'folder_id', type: 'string', required: true },
    ],
    examples: [{ request: { operation: 'create_note', params: { title: 'Groceries', folder_id: 'f1' } } }],
  } as unknown as OperationDetails
  expect(candidates(details, 'm1')).toEqual([
    { title: 'probe m1', folder_id: 'f1' },
    { title: 'Groceries', folder_id: 'f1' },
    { title: 'probe m1', folder_id: 'probe m1' },
  ])
})
