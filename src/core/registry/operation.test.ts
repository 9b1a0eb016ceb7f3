import { expect, expectTypeOf, test } from 'vitest'
import { defineOperation } from './operation.ts'

test('the handler receives what the table says', () => {
  const operation = defineOperation({
    name: 'create_note',
    category: 'CREATE',
    description: 'Create a note.',
    params: {
      title: { type: 'string', required: true },
      size: { type: 'integer' },
      color: { type: 'string', enum: ['red', 'blue'], default: 'red' },
      tags: { type: 'string[]' },
      states: { type: 'string[]', enum: ['open', 'closed'] },
      parent: { type: 'string | null' },
      either: { type: 'string | string[]' },
      place: { type: 'object', fields: { city: { type: 'string', required: true }, zip: { type: 'string' } } },
    },
    handler: (params) => {
      expectTypeOf(params.title).toEqualTypeOf<string>()
      expectTypeOf(params.size).toEqualTypeOf<number | undefined>()
      expectTypeOf(params.color).toEqualTypeOf<'red' | 'blue'>()
      expectTypeOf(params.tags).toEqualTypeOf<readonly string[] | undefined>()
      expectTypeOf(params.states).toEqualTypeOf<readonly ('open' | 'closed')[] | undefined>()
      expectTypeOf(params.parent).toEqualTypeOf<string | null | undefined>()
      expectTypeOf(params.either).toEqualTypeOf<string | readonly string[] | undefined>()
      expectTypeOf(params.place).toEqualTypeOf<{ readonly city: string; readonly zip?: string } | undefined>()
      // @ts-expect-error a parameter that the table does not have
      return params.missing
    },
  })
  expect(operation.name).toBe('create_note')
})

test('what comes with an update and a dry run is typed as well', () => {
  defineOperation({
    name: 'update_note',
    category: 'UPDATE',
    description: 'Update a note.',
    updates: 'Note',
    dryRun: true,
    params: { note_id: { type: 'string', required: true } },
    handler: (params) => {
      expectTypeOf(params.note_id).toEqualTypeOf<string>()
      expectTypeOf(params.input).toEqualTypeOf<Readonly<Record<string, unknown>>>()
      expectTypeOf(params.if_match).toEqualTypeOf<string | number | undefined>()
      expectTypeOf(params.dry_run).toEqualTypeOf<boolean>()
    },
  })
  const plain = defineOperation({
    name: 'get_note',
    category: 'READ',
    description: 'Get a note.',
    handler: (params) => {
      // @ts-expect-error only an update has `input`
      return params.input
    },
  })
  expect(plain.category).toBe('READ')
})
