import { expect, test } from 'vitest'
import { isFailure } from '../../protocol/result.ts'
import { defineType, type ObjectType } from '../registry/type.ts'
import { parseSelection, selectFields } from './select-fields.ts'

const NOW = 1_000_000

const type: ObjectType = defineType({
  name: 'User',
  kind: 'object',
  key: 'id',
  version: '_version',
  fields: {
    id: { type: 'string' },
    name: { type: 'string' },
    age: { type: 'integer | null' },
    tags: { type: 'string[]' },
    bio: { type: 'string', maxLength: 5000 },
    photo: { type: 'string', format: 'base64' },
    pin: { type: 'string', sensitive: true },
    settings: {
      type: 'object',
      fields: { theme: { type: 'string' }, mail: { type: 'object', fields: { daily: { type: 'boolean' } } } },
    },
    extra: { type: 'object' },
    address: { type: 'Address' },
    friends: { type: 'object[]', fields: { id: { type: 'string' }, since: { type: 'string' } } },
    _version: { type: 'integer' },
  },
  presets: { card: ['name', 'settings.theme', '_computed.initial'] },
  computed: {
    initial: { type: 'string', compute: ({ name }) => (typeof name === 'string' ? name[0] : undefined) },
    born: { type: 'integer', compute: (_, now) => now },
  },
})

const item = {
  id: 'u1',
  name: 'Ann',
  age: null,
  tags: ['x'],
  bio: 'long',
  pin: '1234',
  settings: { theme: 'dark', mail: { daily: true } },
  extra: { a: { b: 1 }, c: 2 },
  friends: [{ id: 'u2', since: '2020' }, { id: 'u3' }, 'stray'],
  _version: 4,
}

test.each([
  ['FIELD-02 minimal is the identification', 'minimal', { id: 'u1', name: 'Ann' }],
  [
    'FIELD-02 standard is the simple fields',
    'standard',
    { id: 'u1', name: 'Ann', age: null, tags: ['x'], _version: 4 },
  ],
  ['FIELD-02 full is everything stored, nothing computed', 'full', item],
  [
    'FIELD-02 COMP-01 a preset of the adapter',
    'card',
    { name: 'Ann', settings: { theme: 'dark' }, _computed: { initial: 'A' } },
  ],
  ['FIELD-01 a list of paths', ['name', 'age'], { name: 'Ann', age: null }],
  ['FIELD-04 a dotted path keeps the nesting', ['settings.theme'], { settings: { theme: 'dark' } }],
  ['FIELD-04 at any depth', ['settings.mail.daily'], { settings: { mail: { daily: true } } }],
  ['FIELD-04 a path and what is inside it', ['settings.theme', 'settings'], { settings: item.settings }],
  ['FIELD-04 the same the other way round', ['settings', 'settings.theme'], { settings: item.settings }],
  ['FIELD-04 two paths of one object', ['extra.a', 'extra.c'], { extra: { a: { b: 1 }, c: 2 } }],
  ['FIELD-04 into lists of objects', ['friends.id'], { friends: [{ id: 'u2' }, { id: 'u3' }, {}] }],
  [
    'FIELD-06 what the item does not have is left out',
    ['name', 'photo', 'extra.nothing', 'address.city'],
    { name: 'Ann' },
  ],
  ['FIELD-06 nothing inside a scalar', ['extra.c.d'], {}],
  [
    'COMP-01 computed values stand under _computed',
    ['id', '_computed.initial', '_computed.born'],
    { id: 'u1', _computed: { initial: 'A', born: NOW } },
  ],
])('%s', (_, fields, expected) => {
  const parsed = parseSelection(type, { fields }, 'full')
  if (isFailure(parsed)) throw new Error(parsed.error.message)
  expect(selectFields(item, parsed.selection, type, NOW)).toEqual(expected)
  expect(parsed.unknown).toEqual([])
})

test.each(['minimal', 'standard', 'full'] as const)('FIELD-03 without fields the caller decides: %s', (fallback) => {
  const given = parseSelection(type, {}, fallback)
  expect(given).toEqual(parseSelection(type, { fields: fallback }, 'full'))
})

test.each([
  ['FIELD-07 preset alone', { preset: 'minimal' }, { id: 'u1', name: 'Ann' }],
  [
    'FIELD-07 preset and fields are united',
    { preset: 'minimal', fields: ['age'] },
    { id: 'u1', name: 'Ann', age: null },
  ],
  ['FIELD-07 an empty list adds nothing', { preset: 'minimal', fields: [] }, { id: 'u1', name: 'Ann' }],
  [
    'FIELD-07 full and a computed field',
    { preset: 'full', fields: ['_computed.initial'] },
    { ...item, _computed: { initial: 'A' } },
  ],
])('%s', (_, given, expected) => {
  const parsed = parseSelection(type, given, 'full')
  if (isFailure(parsed)) throw new Error(parsed.error.message)
  expect(selectFields(item, parsed.selection, type, NOW)).toEqual(expected)
})

test('FIELD-06 X-30 well-formed paths that the type does not have are named, and the rest is answered', () => {
  const fields = [
    'name',
    'nothing',
    'settings.colour',
    'name.first',
    'constructor',
    '_computed.none',
    `a${'b'.repeat(200)}`,
  ]
  const parsed = parseSelection(type, { fields }, 'full')
  if (isFailure(parsed)) throw new Error(parsed.error.message)
  expect(parsed.unknown).toEqual([
    'nothing',
    'settings.colour',
    'name.first',
    'constructor',
    '_computed.none',
    `a${'b'.repeat(99)}…`,
  ])
  expect(selectFields(item, parsed.selection, type, NOW)).toEqual({ name: 'Ann' })
})

test.each([
  ['FIELD-08 a capital', { fields: ['Name'] }, 'fields', undefined],
  ['FIELD-08 a leading underscore', { fields: ['_version'] }, 'fields', undefined],
  ['FIELD-08 a prototype', { fields: ['__proto__'] }, 'fields', undefined],
  ['FIELD-08 a prototype inside', { fields: ['settings.__proto__'] }, 'fields', undefined],
  ['FIELD-08 an empty step', { fields: ['settings..theme'] }, 'fields', undefined],
  ['FIELD-08 a trailing dot', { fields: ['settings.'] }, 'fields', undefined],
  ['FIELD-08 a line break', { fields: ['name\n'] }, 'fields', undefined],
  ['FIELD-08 a computed path too deep', { fields: ['_computed.a.b'] }, 'fields', undefined],
  ['FIELD-08 an empty text', { fields: [''] }, 'fields', undefined],
  ['FIELD-08 no path', { fields: [] }, 'fields', undefined],
  ['FIELD-08 a preset that is not there', { fields: 'tiny' }, 'fields', ['minimal', 'standard', 'full', 'card']],
  [
    'FIELD-08 an object property as preset',
    { fields: 'constructor' },
    'fields',
    ['minimal', 'standard', 'full', 'card'],
  ],
  ['FIELD-08 a wrong alias', { preset: 'tiny' }, 'preset', ['minimal', 'standard', 'full', 'card']],
])('%s is refused', (_, given, param_name, allowed) => {
  const parsed = parseSelection(type, given, 'full')
  if (!isFailure(parsed)) throw new Error('accepted')
  expect(parsed.error.code).toBe('VALIDATION_INVALID_VALUE')
  expect(parsed.error.details?.param_name).toBe(param_name)
  expect(parsed.error.details?.allowed).toEqual(allowed)
  expect(parsed.error.message).not.toMatch(/at\s+\S/i)
  expect(parsed.error.message).not.toContain('tiny')
})

test('FIELD-04 a path through many dots costs no time', () => {
  const path = `settings${'.a'.repeat(100_000)}`
  expect(parseSelection(type, { fields: [path, `${path}!`] }, 'full')).toMatchObject({ success: false })
})

test('FIELD-04 no key of a prototype is written or read', () => {
  const hostile = JSON.parse('{"id": "u1", "constructor": 1, "__proto__": {"polluted": true}}')
  const presets = { bad: ['id', '__proto__', 'constructor', 'to_string'] }
  const kept = selectFields(hostile, { paths: presets.bad, computed: [] }, type, NOW)
  expect(kept).toEqual({ id: 'u1' })
  expect(Object.getPrototypeOf(kept)).toBe(Object.prototype)
})

test.each([
  [
    'a name-like field',
    { key: 'id', fields: { id: { type: 'string' }, title: { type: 'string' } } },
    { id: 1, title: 2, x: 3 },
    { id: 1, title: 2 },
  ],
  [
    'the key alone',
    { key: 'id', fields: { n: { type: 'string' }, id: { type: 'string' } } },
    { id: 1, n: 2 },
    { id: 1 },
  ],
  ['the first field', { fields: { n: { type: 'string' }, m: { type: 'string' } } }, { n: 1, m: 2 }, { n: 1 }],
] as const)('FIELD-02 minimal of a type without presets: %s', (_, shape, stored, expected) => {
  const plain: ObjectType = { name: 'Plain', kind: 'object', ...shape }
  const parsed = parseSelection(plain, { fields: 'minimal' }, 'full')
  if (isFailure(parsed)) throw new Error(parsed.error.message)
  expect(selectFields(stored, parsed.selection, plain, NOW)).toEqual(expected)
})
