import { expect, test } from 'vitest'
import { defineType } from '../registry/type.ts'
import { fieldSelectionType } from './field-selection-type.ts'

const Note = defineType({
  name: 'Note',
  kind: 'object',
  key: 'id',
  fields: { id: { type: 'string' }, title: { type: 'string' }, body: { type: 'string' } },
  presets: { card: ['title', '_computed.words'] },
  computed: { words: { type: 'integer', compute: () => 0 } },
})
const State = defineType({ name: 'State', kind: 'enum', values: ['open'] })

test('FIELD-09 presets, fields and computed fields are listed, type by type', () => {
  expect(fieldSelectionType([Note, State])).toEqual({
    name: 'FieldSelection',
    kind: 'object',
    description: 'What `fields` takes: the name of a preset, or a list of field paths.',
    fields: {
      presets: {
        type: 'string',
        enum: ['minimal', 'standard', 'full', 'card'],
        description:
          'Note: minimal = id, title; standard = id, title, body; full = everything; card = title, _computed.words.',
      },
      fields: { type: 'string[]', description: 'Note: id, title, body.' },
      computed_fields: { type: 'string[]', enum: ['_computed.words'], description: 'Note: _computed.words.' },
    },
  })
})

test('FIELD-09 it exists without resources too', () => {
  const { fields } = fieldSelectionType([])
  expect(Object.keys(fields)).toEqual(['presets', 'fields', 'computed_fields'])
  expect(fields.presets?.enum).toEqual(['minimal', 'standard', 'full'])
})
