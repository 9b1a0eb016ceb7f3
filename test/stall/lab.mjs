/**
 * An adapter with a parameter of every type, and a list that the query room works on by itself. Its handlers do nothing,
 * so that all the time a request takes is the product's.
 */
const ITEM = {
  name: 'Item',
  kind: 'object',
  description: 'A row.',
  key: 'id',
  version: '_version',
  fields: {
    id: { type: 'string', readOnly: true, filterable: true, sortable: true },
    group: { type: 'string', filterable: true, sortable: true, groupable: true },
    text: { type: 'string', filterable: true, sortable: true, searchable: true, groupable: true },
    size: { type: 'integer', filterable: true, sortable: true, groupable: true },
    at: { type: 'string', format: 'date-time', filterable: true, sortable: true },
    tags: { type: 'string[]', filterable: true },
    inner: { type: 'object', fields: { name: { type: 'string', filterable: true }, count: { type: 'integer' } } },
    open: { type: 'object', open: true },
    secret: { type: 'string', sensitive: true },
    _version: { type: 'integer', readOnly: true },
  },
  computed: {
    double: { type: 'integer', filterable: true, sortable: true, compute: ({ size }) => size * 2 },
  },
}

const ROWS = Array.from({ length: 5_000 }, (_, at) => ({
  id: `i${at}`,
  group: `g${at % 4_000}`,
  text: `row ${at} of the list ${'x'.repeat(at % 50)}`,
  size: (at * 7_919) % 5_000,
  at: new Date(1_700_000_000_000 + at * 60_000).toISOString(),
  tags: [`t${at % 10}`, `u${at % 100}`],
  inner: { name: `n${at % 100}`, count: at },
  open: { a: { b: at } },
  _version: 1,
}))

const NUMBERS = Array.from({ length: 9_000 }, (_, at) => `C${at.toString(36)}`)

/** Expressions in expressions, told apart by what comes last, if at all. */
const treeOf = (keyword, named) => ({
  $ref: '#/$defs/node',
  $defs: {
    node: {
      [keyword]: [
        ...['not', 'neg', 'abs', 'floor'].map((op) => ({
          type: 'object',
          properties: { arg: { $ref: '#/$defs/node' }, ...(named && { op: { const: op } }) },
          required: ['arg'],
        })),
        { type: 'object', properties: { field: { type: 'string' } }, required: ['field'] },
      ],
    },
  },
})

/** Alternatives of which one holds something sensitive. */
const CHOICE = {
  oneOf: [
    {
      type: 'object',
      properties: { code: { enum: NUMBERS }, pin: { type: 'string', sensitive: true } },
      required: ['code', 'pin'],
    },
    ...Array.from({ length: 20 }, (_, at) => ({
      type: 'object',
      properties: { code: { const: `x${at}` }, text: { type: 'string', pattern: '^[a-z]{0,30}$' } },
      required: ['code', 'text'],
    })),
  ],
}

/** One of every declared type; `lab-kinds.ts` fills each of them. */
export const PARAMS = {
  text: { type: 'string' },
  short: { type: 'string', maxLength: 50 },
  patterned: { type: 'string', pattern: '^([a-z]+-?)+$' },
  date: { type: 'string', format: 'date-time' },
  mail: { type: 'string', format: 'email' },
  base64: { type: 'string', format: 'base64' },
  texts: { type: 'string[]', items: { type: 'string', maxLength: 50 } },
  choices: { type: 'string[]', enum: ['a', 'b', 'c'] },
  numbers: { type: 'number[]' },
  integers: { type: 'integer[]', items: { type: 'integer', minimum: 0 } },
  matrix: { type: 'integer[][]' },
  list: { type: 'array' },
  map: { type: 'object', open: true },
  shape: {
    type: 'object',
    fields: { a: { type: 'string' }, b: { type: 'object', fields: { c: { type: 'integer' } } } },
  },
  shapes: { type: 'object[]', fields: { a: { type: 'string' }, b: { type: 'integer' } } },
  either: { type: 'string | integer | string[] | object | null' },
  secret: { type: 'string', sensitive: true },
  secrets: { type: 'string[]', sensitive: true },
  ruled: {
    type: 'array',
    schema: { type: 'array', uniqueItems: true, items: { type: ['string', 'object', 'number'] } },
  },
  tree: { type: 'object', schema: treeOf('anyOf', true) },
  only: { type: 'object', schema: treeOf('oneOf', true) },
  maze: { type: 'object', schema: treeOf('anyOf', false) },
  followed: { type: 'object', schema: { ...treeOf('anyOf', false), unevaluatedProperties: false } },
  codes: { type: 'string[]', enum: NUMBERS },
  matched: { type: 'array', schema: { type: 'array', items: { type: 'array', items: { enum: NUMBERS } } } },
  address: { type: 'string', schema: { type: 'string', format: 'url' } },
  addresses: { type: 'array', schema: { type: 'array', items: { type: 'string', format: 'uri' } } },
  table: {
    type: 'object',
    schema: { type: 'object', additionalProperties: { items: { anyOf: [{ type: 'string' }, { type: 'number' }] } } },
  },
  wide: {
    type: 'array',
    schema: { items: { items: { anyOf: Array.from({ length: 200 }, (_, at) => ({ const: at })) } } },
  },
  chosen: { type: 'array', schema: { type: 'array', items: CHOICE } },
}

const done = () => ({ done: true })

export const createAdapter = () => ({
  name: 'lab',
  description: 'Everything of every type.',
  types: [ITEM],
  operations: [
    {
      name: 'list_items',
      category: 'READ',
      description: 'List the items.',
      collection: { of: 'Item' },
      handler: () => ROWS,
    },
    { name: 'get_thing', category: 'READ', description: 'Read.', params: PARAMS, handler: done },
    { name: 'create_thing', category: 'CREATE', description: 'Make.', params: PARAMS, handler: done },
    {
      name: 'update_item',
      category: 'UPDATE',
      description: 'Change an item.',
      params: { id: { type: 'string', required: true } },
      updates: 'Item',
      handler: done,
    },
    {
      name: 'delete_thing',
      category: 'DELETE',
      description: 'Remove.',
      params: PARAMS,
      danger: { level: 'destructive', reasons: ['cannot be undone'] },
      handler: done,
    },
    {
      name: 'execute_thing',
      category: 'EXECUTE',
      description: 'Run.',
      params: PARAMS,
      lifecycle: { supports_retry: true },
      handler: done,
    },
  ],
})
