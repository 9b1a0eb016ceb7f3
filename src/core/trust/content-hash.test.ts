import { expect, test } from 'vitest'
import type { AdapterDefinition } from '../registry/adapter.ts'
import { adapterContent, contentHash, contentHashes } from './content-hash.ts'

const notes: AdapterDefinition = {
  name: 'notes',
  description: 'Notes.',
  version: '1.0.0',
  types: [
    { name: 'Note', kind: 'object', fields: { id: { type: 'string' }, author: { type: 'Person' } } },
    { name: 'Person', kind: 'object', fields: { name: { type: 'string' } } },
    { name: 'Colour', kind: 'enum', values: ['red'] },
  ],
  operations: [
    { name: 'get_note', category: 'READ', description: 'Get.', returns: 'Note', handler: () => ({}) },
    {
      name: 'paint_note',
      category: 'EXECUTE',
      description: 'Paint a Note.',
      params: { colour: { type: 'Colour', required: true } },
      handler: () => ({}),
    },
  ],
}

test('R-18 the hash is that of the canonical text, pinned', () => {
  const tiny: AdapterDefinition = { name: 'a', description: 'A.', operations: [] }
  expect(adapterContent(tiny)).toBe('{"adapter":{"description":"A.","name":"a"},"operations":{},"types":{}}')
  expect(contentHash(tiny)).toBe('804325332e7ca01723808c95c42148992de8b4679ac08be2b47283decb622ef3')
})

test.each<[string, AdapterDefinition]>([
  ['handlers', mapped((operation) => ({ ...operation, handler: () => 'other' }))],
  ['the order of operations', { ...notes, operations: notes.operations.toReversed() }],
  ['the order of types', { ...notes, types: notes.types?.toReversed() ?? [] }],
  ['the trust block', { ...notes, trust: { level: 'certified' } } as AdapterDefinition],
  ['what is undefined', { ...notes, displayName: undefined } as unknown as AdapterDefinition],
  ['close', { ...notes, close: () => undefined }],
])('R-18 %s is no part of the content', (_, same) => {
  expect(contentHashes(same)).toEqual(contentHashes(notes))
})

test.each<[string, AdapterDefinition, readonly string[]]>([
  ['the version of the adapter', { ...notes, version: '1.0.1' }, []],
  ['a description', renamed('get_note', { description: 'Get it.' }), ['get_note']],
  ['a category', renamed('get_note', { category: 'EXECUTE' }), ['get_note']],
  ['danger', renamed('paint_note', { danger: 'safe' }), ['paint_note']],
  ['a parameter', renamed('paint_note', { params: { colour: { type: 'string' } } }), ['paint_note']],
  ['a type', retyped('Colour', { values: ['red', 'blue'] }), ['paint_note']],
  ['a type behind a type', retyped('Person', { fields: { name: { type: 'integer' } } }), ['get_note']],
])('R-43 a change of %s changes the whole, and only the operations that rest on it', (_, changed, affected) => {
  const before = contentHashes(notes)
  const after = contentHashes(changed)
  expect(after.hash).not.toBe(before.hash)
  expect(Object.keys(after.operations).filter((name) => after.operations[name] !== before.operations[name])).toEqual(
    affected,
  )
})

test('R-43 the same operations of another server are other operations', () => {
  const here = contentHashes(notes, 'https://a.example')
  const there = contentHashes(notes, 'https://b.example')
  expect(there.hash).not.toBe(here.hash)
  expect(there.operations.get_note).not.toBe(here.operations.get_note)
})

function mapped(change: (operation: AdapterDefinition['operations'][number]) => object): AdapterDefinition {
  return { ...notes, operations: notes.operations.map(change) as unknown as AdapterDefinition['operations'] }
}

function renamed(name: string, change: object): AdapterDefinition {
  return mapped((operation) => (operation.name === name ? { ...operation, ...change } : operation))
}

function retyped(name: string, change: object): AdapterDefinition {
  const types = notes.types?.map((type) => (type.name === name ? { ...type, ...change } : type))
  return { ...notes, types } as AdapterDefinition
}
