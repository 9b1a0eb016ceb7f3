import { checksOf, failed, passed, skipped, type Tier, verdict, warned } from '../check.ts'
import { collections, has, probeConstraints, roundTrips } from '../probes.ts'
import { exampleParams } from '../samples.ts'
import { identify } from '../scratch.ts'
import { codeOf, dataOf, messageOf, type Reply, type Target } from '../target.ts'
import { isObject, listAt, same, textAt } from '../values.ts'

/** Conformance document §2.2. Published: three tests. */
export const LEVEL_2_FEATURES = checksOf('Level 2 Features', 2, [
  {
    id: 'level2-modes',
    requirements: ['CONF-02', 'MODE-01'],
    title: 'The server works in semantic and in single mode',
    blocks: true,
    async run(target) {
      const seen = [target, ...(target.other ? [target.other] : [])]
      const modes = new Set(seen.flatMap(({ mode }) => (mode === 'all' ? ['semantic', 'single'] : [mode])))
      if (!modes.has('semantic') || !modes.has('single')) {
        return failed(`Only ${[...modes].join(', ')} mode could be tested; give the address of the other mode as well.`)
      }
      const single = seen.find(({ mode }) => mode === 'single' || mode === 'all')
      const reply = await single?.call(single.unified ?? '', { operation: 'introspect', params: { query: 'types' } })
      return codeOf(reply) === 'success' ? passed('Both modes answer.') : failed(`single mode answers ${codeOf(reply)}`)
    },
  },
  {
    id: 'level2-field-selection',
    requirements: ['CONF-02', 'FIELD-01'],
    title: 'READ operations honour fields',
    async run(target) {
      const [collection] = (await collections(target)).filter(({ details }) => has(details, 'fields'))
      const name = Object.keys(collection?.items[0] ?? {}).find((key) => !key.startsWith('_'))
      if (!collection || !name) return failed('No READ operation with items documents fields.')
      const reply = await target.operate(collection.details.name, { ...collection.base, fields: [name] })
      const extra = listAt(dataOf(reply), 'items')
        .flatMap((item) => Object.keys(isObject(item) ? item : {}))
        .filter((key) => key !== name)
      return codeOf(reply) === 'success' && extra.length === 0
        ? passed(`${collection.details.name}.fields`)
        : failed(`fields: ['${name}'] gave ${codeOf(reply)} with ${[...new Set(extra)].join(', ')}`)
    },
  },
  {
    id: 'level2-batch',
    requirements: ['CONF-02', 'BATCH-01'],
    title: 'Several operations can be sent in one request',
    async run(target) {
      const reply = await sendBatch(target)
      const results = listAt(reply.result, 'results')
      return codeOf(reply) === 'success' && results.length === 2
        ? passed('Two operations in one request.')
        : failed(`A batch of two answers ${codeOf(reply)} with ${results.length} results`)
    },
  },
])

export function sendBatch(target: Target): Promise<Reply> {
  return target.once('batch', () =>
    target.call(target.readTool ?? '', {
      operations: [
        { operation: 'introspect', params: { query: 'types' } },
        { operation: 'introspect', params: { query: 'operations', name: 'introspect' } },
      ],
    }),
  )
}

/** Conformance document §3.5. Published: two tests. */
export const CONSTRAINT_DOCUMENTATION = checksOf('Constraint Documentation', 2, [
  {
    id: 'constraints-enforced',
    requirements: ['VAL-07', 'ERR-22'],
    title: 'Every documented constraint is enforced with a structured error that names the parameter',
    async run(target) {
      const probes = await probeConstraints(target)
      const faults = probes.flatMap(({ operation, parameter, constraint, reply }) => {
        if (!CONSTRAINT_CODES.has(codeOf(reply))) return [`${operation}.${parameter} (${constraint}): ${codeOf(reply)}`]
        return messageOf(reply).includes(parameter) ? [] : [`${operation}.${parameter} (${constraint}): not named`]
      })
      return verdict(probes.length, 'constraints broken on purpose', faults)
    },
  },
  {
    id: 'constraints-disclosed',
    requirements: ['VAL-11', 'ERR-25', 'ERR-26'],
    title: 'Fields that cannot be written are refused, and introspection says so',
    async run(target) {
      const cases = await writeProtected(target)
      const written = cases
        .filter(({ reply }) => codeOf(reply) === 'success')
        .map(({ name }) => `${name} can be written`)
      if (written.length > 0) return failed(written.join(' · '))
      const silent = cases.filter(({ documented }) => !documented).map(({ name }) => name)
      if (silent.length > 0)
        return warned(`Refused, but not documented as read-only or append-only: ${silent.join(', ')}`)
      const faults = cases.filter(({ expected, reply }) => !expected.has(codeOf(reply)))
      return verdict(
        cases.length,
        'protected fields',
        faults.map(({ name, reply }) => `${name}: ${codeOf(reply)}`),
      )
    },
  },
])

const CONSTRAINT_CODES: ReadonlySet<string> = new Set(['VALIDATION_INVALID_VALUE', 'VALIDATION_INVALID_TYPE'])
const READ_ONLY: ReadonlySet<string> = new Set(['VALIDATION_READ_ONLY_FIELD'])
const APPEND_ONLY: ReadonlySet<string> = new Set(['VALIDATION_APPEND_ONLY'])
/** Of a version, or of a field that is not documented as protected, any of the three will do. */
const EITHER: ReadonlySet<string> = new Set([...READ_ONLY, ...APPEND_ONLY, 'VALIDATION_UNKNOWN_FIELD'])

export interface Protected {
  readonly name: string
  readonly documented: boolean
  /** The codes that fit what is documented. */
  readonly expected: ReadonlySet<string>
  readonly reply: Reply
}

/** Fields of stored resources that introspection calls protected, or that by their names should be; each is written to. */
export function writeProtected(target: Target): Promise<readonly Protected[]> {
  return target.once('protected', async () => {
    const found: Protected[] = []
    for (const { made, stored } of await roundTrips(target)) {
      const { update, noun } = made.resource
      if (!update || !stored) continue
      const rows = listAt(await target.type(made.resource.get.returns.name), 'fields')
      const located = identify(update, made)
      for (const name of Object.keys(stored)) {
        const description = textAt(
          rows.find((row) => textAt(row, 'name') === name),
          'description',
        )
        const documented = /read[- ]only|append[- ]only/i.test(description)
        if (Object.hasOwn(located, name) || (!documented && name !== 'created_at')) continue
        // The key under its own name is an identifier too (UPD-08).
        const isKey = Object.values(located).some((value) => same(value, stored[name]))
        const input = { [name]: other(stored[name]) }
        const reply = await target.operate(update.name, { ...located, input })
        found.push({
          name: `${noun}.${name}`,
          documented,
          expected: isKey ? EITHER : refusalsOf(name, description),
          reply,
        })
      }
    }
    return found
  })
}

function refusalsOf(name: string, description: string): ReadonlySet<string> {
  if (name.startsWith('_')) return EITHER
  if (/append[- ]only/i.test(description)) return APPEND_ONLY
  return /read[- ]only/i.test(description) ? READ_ONLY : EITHER
}

function other(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  return Array.isArray(value) ? [] : '2001-01-01T00:00:00Z'
}

/** Conformance document §5.2, without a model: structure is tier 1, and doing what the text says is tier 2. */
export const SEMANTIC_EVALUATION = checksOf('Semantic Evaluation', 2, [
  {
    id: 'semantic-discovery',
    requirements: ['CONF-05', 'TOOL-10'],
    title: 'Who has read only the tool list can find the operations',
    async run(target, tier) {
      if (target.tools.length === 0) return skipped('No tool takes an operation.')
      const faults: string[] = []
      for (const tool of target.tools) {
        const description = textAt(tool, 'description')
        const structural = /introspect/.test(description) && /operations/.test(description)
        const request = requestsIn(description).find(({ operation }) => operation === 'introspect')
        const reply = request && (await target.call(target.readTool ?? '', request))
        const semantic = reply !== undefined && listAt(dataOf(reply), 'operations').length + (dataOf(reply) ? 1 : 0) > 0
        faults.push(...tiers(textAt(tool, 'name'), structural, semantic, tier))
      }
      return verdict(target.tools.length, 'descriptions followed', faults)
    },
  },
  {
    id: 'semantic-naming',
    requirements: ['OPN-01', 'OPN-03'],
    title: 'Names and descriptions say what an operation does, and its category agrees',
    async run(target, tier) {
      const faults = target.operations.flatMap(({ name, description, semantic_category: category }) => {
        const expected = VERBS.get(name.split('_')[0] ?? '')
        const structural = description.trim().length >= 10 && description !== name
        return tiers(name, structural, expected === undefined || expected === category, tier)
      })
      return verdict(target.operations.length, 'names read', faults)
    },
  },
  {
    id: 'semantic-examples',
    requirements: ['INT-13'],
    title: 'The examples of READ operations are complete requests, and they run',
    async run(target, tier) {
      const faults: string[] = []
      let tested = 0
      for (const details of await target.allDetails()) {
        const names = new Set(details.parameters.map((row) => row.name))
        for (const params of details.semantic_category === 'READ' ? exampleParams(details) : []) {
          const structural = Object.keys(params).every((name) => names.has(name) || name.startsWith('_'))
          const reply = await target.operate(details.name, params)
          tested += 1
          faults.push(...tiers(`${details.name} ${JSON.stringify(params)}`, structural, RUNS.has(codeOf(reply)), tier))
        }
      }
      return verdict(tested, 'examples run', faults)
    },
  },
])

/** An example may name something that is not there any more, or the end of a list that has moved. */
const RUNS: ReadonlySet<string> = new Set(['success', 'NOT_FOUND_RESOURCE'])

/** Spec §8.5.1 and the counterparts that §8.2 shows. */
const VERBS: ReadonlyMap<string, string> = new Map([
  ['create', 'CREATE'],
  ['get', 'READ'],
  ['list', 'READ'],
  ['search', 'READ'],
  ['query', 'READ'],
  ['introspect', 'READ'],
  ['update', 'UPDATE'],
  ['rename', 'UPDATE'],
  ['delete', 'DELETE'],
  ['purge', 'DELETE'],
  ['remove', 'DELETE'],
  ['execute', 'EXECUTE'],
  ['cancel', 'EXECUTE'],
  ['start', 'EXECUTE'],
  ['stop', 'EXECUTE'],
])

/** CONF-05: both tiers pass, or the semantic one alone (a warning in this category), else a failure. */
function tiers(name: string, structural: boolean, semantic: boolean, tier: Tier): readonly string[] {
  const counted = tier === '1' ? structural : tier === '2' ? semantic : structural && semantic
  if (counted) return []
  return [
    `${name}: ${structural ? 'the structure is right, the meaning is not' : semantic ? 'only the meaning is right' : 'neither structure nor meaning is right'}`,
  ]
}

/** Requests written out in a text: the JSON objects that hold an `operation`. */
export function requestsIn(text: string): readonly Readonly<Record<string, unknown>>[] {
  const found: Readonly<Record<string, unknown>>[] = []
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start + 1)) {
    const value = objectFrom(text, start)
    if (value && typeof value.operation === 'string') found.push(value)
  }
  return found
}

function objectFrom(text: string, start: number): Readonly<Record<string, unknown>> | undefined {
  let depth = 0
  for (let at = start; at < text.length && at < start + 2_000; at++) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth > 0) continue
    return parsed(text.slice(start, at + 1))
  }
  return undefined
}

/** Descriptions save tokens by leaving out the quotes of keys; both spellings are read. */
function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  for (const spelling of [text, text.replace(/([{,]\s*)([a-z_]+)\s*:/g, '$1"$2":')]) {
    try {
      const value: unknown = JSON.parse(spelling.replaceAll("'", '"'))
      if (isObject(value)) return value
    } catch {}
  }
  return undefined
}
