import type { Random } from './random.ts'

/** A parameter as introspection shows it. */
export interface ParamCard {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly enum?: readonly unknown[]
}

/** Values that came from the server: tampered with, they are the forgeries that a caller would try. */
export interface Handles {
  readonly cursors: readonly string[]
  readonly rests: readonly string[]
  readonly executions: readonly string[]
}

/** A value that fits the parameter by its name and type; often enough it exists in the demo. */
export function rightValue(random: Random, { name, type, enum: allowed }: ParamCard, handles: Handles): unknown {
  const known = KNOWN.get(name)
  if (allowed && !type.endsWith('[]')) return random.pick(allowed)
  if (allowed) return random.some(allowed, 50)
  if (known && random.chance(90)) return known(random, handles)
  return ofType(random, random.pick(type.split(' | ')))
}

/** Anything that JSON can say and nobody expects. */
export function oddValue(random: Random, depth = 0): unknown {
  const kind = random.below(depth > 3 ? 7 : 10)
  if (kind < 3) return oddText(random)
  if (kind < 7) return random.pick(SCALARS)
  if (kind === 7) return nested(random, random.chance(2) ? random.below(60) : random.below(8))
  if (kind === 8) return Array.from({ length: random.below(5) }, () => oddValue(random, depth + 1))
  return oddObject(random, depth + 1)
}

export function oddText(random: Random): string {
  const text = random.pick(TEXTS)
  if (random.chance(85)) return text
  if (random.chance(90)) return text.repeat(random.below(40))
  return random.pick(TEXTS).repeat(random.below(2_000))
}

export function oddKey(random: Random): string {
  return random.chance(60) ? random.pick(KEYS) : oddText(random)
}

/** `Object.fromEntries` makes own properties of names such as `__proto__`, and JSON writes them out. */
export function oddObject(random: Random, depth = 0): Record<string, unknown> {
  return Object.fromEntries(
    Array.from({ length: 1 + random.below(3) }, () => [oddKey(random), oddValue(random, depth)]),
  )
}

/** Some bytes of something genuine changed. */
export function tampered(random: Random, text: string): string {
  if (text === '') return random.pick(TEXTS)
  const at = random.below(text.length)
  switch (random.below(5)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(0, at) + random.pick(['A', '-', '.', '=', '\u0000', 'é', '0']) + text.slice(at + 1)
    case 2:
      return text + text
    case 3:
      return text.slice(at) + text.slice(0, at)
    default:
      return text
  }
}

function nested(random: Random, levels: number): unknown {
  let value: unknown = random.pick(SCALARS)
  for (let level = 0; level < levels; level++) value = random.chance(50) ? [value] : { [random.pick(KEYS)]: value }
  return value
}

function ofType(random: Random, type: string): unknown {
  if (type.endsWith('[]')) return Array.from({ length: random.below(4) }, () => ofType(random, type.slice(0, -2)))
  switch (type) {
    case 'integer':
      return random.pick([0, 1, 2, 3, 5, 20, 100])
    case 'number':
      return random.pick([0, 0.5, 1, 2.25, 1000])
    case 'boolean':
      return random.chance(50)
    case 'null':
      return null
    case 'object':
      return random.chance(50) ? {} : oddObject(random)
    default:
      return random.chance(70) ? random.pick(WORDS) : oddText(random)
  }
}

type Known = (random: Random, handles: Handles) => unknown

const numbered =
  (prefix: string, most: number): Known =>
  (random) =>
    `${prefix}${1 + random.below(most)}`
const oneOf =
  (...values: readonly unknown[]): Known =>
  (random) =>
    random.pick(values)

const PROJECT = oneOf('WEB', 'API', 'LEG', 'OPS', 'QA')
const PERSON = oneOf('ada', 'grace', 'linus', 'bot', 'katherine', 'dan')
const LABEL = oneOf('bug', 'urgent-call', 'docs', 'feature', 'security')

/** What the tracker's parameters hold, by their names. */
const KNOWN: ReadonlyMap<string, Known> = new Map(
  Object.entries<Known>({
    issue_id: numbered('iss_', 60),
    source_id: numbered('iss_', 40),
    target_id: numbered('iss_', 40),
    comment_id: numbered('cmt_', 60),
    attachment_id: numbered('att_', 8),
    relation_id: numbered('rel_', 20),
    execution_id: (random, { executions }) => tampered(random, random.pick(executions)),
    project: PROJECT,
    key: PROJECT,
    lead: PERSON,
    assignee: PERSON,
    author: PERSON,
    reporter: PERSON,
    handle: oneOf('ada', 'bot', 'new_one', 'x'.repeat(40)),
    name: oneOf('bug', 'docs', 'Operations', 'A name', 'list_issues', 'Issue'),
    title: oneOf('A title', 'Ünïcødé 😀 title', '\u202egnp.exe', 'x'.repeat(200)),
    labels: (random, handles) => Array.from({ length: random.below(3) }, () => LABEL(random, handles)),
    due_date: oneOf('2026-12-24', '2026-02-30', '0000-00-00', '2026-12-24T00:00:00Z'),
    external_id: oneOf('1', '9007199254740993', '-0', '007', '1'.repeat(400)),
    color: oneOf('#ff8800', '#FF8800', 'red'),
    email: oneOf('a@b.example', 'a@', 'a b@c'),
    estimate_hours: oneOf(0, 0.5, 1000, 1001, -1),
    file_content: oneOf('TWVhc3VyZWQu', 'TWVhc3VyZWQ', '====', '', 'A'.repeat(4_000)),
    file_mime_type: oneOf('text/plain', 'text', 'TEXT/HTML'),
    api_key: oneOf('key_demo1234', 'key_expired', 'key_', 'secret'),
    count: oneOf(1, 2, 5),
    delay_ms: oneOf(0, 1, 3),
    first: oneOf(1, 2, 20, 100, 101, 0, -1, 9_007_199_254_740_991),
    last: oneOf(1, 20, 0),
    limit: oneOf(1, 5, 20, 21),
    after: (random, { cursors }) => tampered(random, random.pick(cursors)),
    before: (random, { cursors }) => tampered(random, random.pick(cursors)),
    max_tokens: oneOf(50, 51, 80, 500, 49, 0, -1, 1, 2_147_483_648, 1e300),
    query: oneOf('voucher', '"checkout button" basket', '"', 'operations', 'a '.repeat(40)),
    text: oneOf('close an issue', ['close', 'who works on it'], '', [], 'ß'.repeat(300), '(a+)+$'),
    filter: filterOf,
    sort: (random) => ({
      field: random.pick(['due_date', 'updated_at', 'id', '_computed.age_days', 'nope', '__proto__']),
      ...(random.chance(50) && { order: random.pick(['asc', 'desc', 'up', 1]) }),
    }),
    fields: fieldsOf,
    preset: oneOf('minimal', 'standard', 'full', 'none'),
    aggregate: aggregateOf,
    input: inputOf,
    if_match: oneOf(1, 2, '1', '2', 0, '*', 'W/"1"'),
    root: (random, handles) => ({
      element_type: random.pick(['issue', 'label', 'user', '']),
      element_name: random.chance(70) ? numbered('iss_', 40)(random, handles) : oddText(random),
    }),
    depth: oneOf(1, 3, 5, 6, 0, 1_000_000),
    metadata: (random) => oddObject(random),
    rest: (random, { rests }) => tampered(random, random.pick(rests)),
  }),
)

function filterOf(random: Random): unknown {
  const keys = [
    'project',
    'state',
    'priority',
    'assignee',
    'labels',
    'due_date',
    '_computed.age_days',
    'author',
    'status',
  ]
  const entries = Array.from({ length: 1 + random.below(3) }, () => [
    random.chance(85) ? random.pick(keys) : oddKey(random),
    demandOf(random),
  ])
  return Object.fromEntries(entries)
}

function demandOf(random: Random): unknown {
  const operand = () => (random.chance(75) ? random.pick(OPERANDS) : oddValue(random))
  if (random.chance(30)) return operand()
  if (random.chance(20)) return Array.from({ length: random.below(4) }, operand)
  return Object.fromEntries(Array.from({ length: 1 + random.below(2) }, () => [random.pick(OPERATORS), operand()]))
}

function fieldsOf(random: Random): unknown {
  if (random.chance(40)) return random.pick(['minimal', 'standard', 'full', 'planning', '', '*', 'id', '__proto__'])
  const paths = ['id', 'title', 'metadata.votes', 'activity', 'activity.at', '_computed.age_days', 'constructor']
  return Array.from({ length: random.below(5) }, () => (random.chance(85) ? random.pick(paths) : oddText(random)))
}

function aggregateOf(random: Random): unknown {
  const labels = Array.from({ length: 1 + random.below(3) }, () => [
    random.chance(80) ? random.pick(['total', 'by_state', 'hours']) : oddKey(random),
    {
      ...(random.chance(60) && { count: random.pick([true, true, false, 1]) }),
      ...(random.chance(50) && { group_by: random.pick(['state', 'project', 'assignee', 'title', '__proto__']) }),
      ...(random.chance(40) && { [random.pick(['sum', 'avg', 'min', 'max', 'median'])]: 'estimate_hours' }),
    },
  ])
  return Object.fromEntries(labels)
}

function inputOf(random: Random, handles: Handles): unknown {
  const names = ['title', 'body', 'state', 'priority', 'assignee', 'labels', 'estimate_hours', 'due_date', 'metadata']
  const more = [
    'external_id',
    'name',
    'email',
    'role',
    'color',
    'description',
    'archived',
    'lead',
    '_version',
    'activity',
  ]
  const chosen = random.some([...names, ...more], 12)
  if (random.chance(5)) chosen.push(oddKey(random))
  return Object.fromEntries(
    chosen.map((name) => [name, random.chance(75) ? inputValue(random, name, handles) : oddValue(random)]),
  )
}

function inputValue(random: Random, name: string, handles: Handles): unknown {
  if (name === 'state') return random.pick(['open', 'in_progress', 'closed', 'gone'])
  if (name === 'archived') return random.chance(20)
  return (KNOWN.get(name) ?? oneOf(null, 'words', ''))(random, handles)
}

const OPERATORS = [
  'eq',
  'ne',
  'in',
  'exists',
  'contains',
  'starts_with',
  'gt',
  'gte',
  'lt',
  'lte',
  '$where',
  'regex',
  '',
]
const OPERANDS = ['WEB', 'open', 'bug', 'high', null, true, 3, '2026-12-24', 'a%_\\', "' OR 1=1 --", 'running']
const WORDS = ['one', 'two words', 'grace', 'WEB', 'iss_3', 'Some longer text with a full stop.', '42', 'open']

const SCALARS: readonly unknown[] = [
  ...[null, true, false, 0, -0, 1, -1, 0.1, 1e21, -1e308, 5e-324, 9_007_199_254_740_992, 4_294_967_296],
  ...['', ' ', 'null', 'true', '0', 'NaN'],
]

const KEYS = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'then', 'toJSON', 'length'],
  ...['$ref', '$literal', 'operation', 'operations', 'params', '_meta', '_session', '_id', '_request_id', ''],
  ...['a.b', 'a[0]', 'issueId', 'issue_id', 'é', '\ud83d\ude00'],
]

const TEXTS = [
  ...['', ' ', 'a', 'iss_1', '0', '-1', '0.data.id', 'undefined', '[object Object]', '__proto__'],
  ...['\u0000', 'a\u0000b', '\ud800', '\udc00x', 'x\udfff\ud800', '\u202eevil\u202c', '\ufeffbom', '\u2028\u2029'],
  ...['😀', '👩‍👩‍👧‍👦', 'e\u0301', 'ß', 'İ', 'ﬃ', '\uffff', '\u{10ffff}', '\u0007\u001b[31m', '\r\n', '\t'],
  ...["' OR 1=1 --", '"; DROP TABLE issues; --', '%_%', '\\', '\\u0000', '{{7*7}}', '<script>', '%00', '../..'],
  ...['(a+)+$', '[', '(?<x>', '*', '9'.repeat(40), 'a'.repeat(300), '\u0130'.repeat(70)],
]
