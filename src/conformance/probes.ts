import type { OperationDetails, ParameterInfo } from '../protocol/introspection.ts'
import { candidates, isToken, violations, wrongType } from './samples.ts'
import { changeable, identify, isControl, isVolatile, type Made, make, read, resources } from './scratch.ts'
import { codeOf, dataOf, type Reply, type Target } from './target.ts'
import { at, type Fields, isObject, listAt, same } from './values.ts'

/** One question about one parameter and what came back; checks and the evidence bundle both read these. */
export interface Probe {
  readonly operation: string
  readonly parameter: string
  readonly reply: Reply
}

export const UNKNOWN = 'zz_unknown_parameter'

/**
 * True when a harmless call with a missing and with an unknown parameter is refused. Only then are the like sent to
 * operations that change something: a server that ignores what it does not know would run them.
 */
export function isStrict(target: Target): Promise<boolean> {
  return target.once('strict', async () => {
    const missing = await target.introspect({})
    const unknown = await target.introspect({ query: 'operations', [UNKNOWN]: true })
    return missing.result?.success === false && unknown.result?.success === false
  })
}

/** The operations that may be asked wrong questions. */
export async function askable(target: Target): Promise<readonly OperationDetails[]> {
  const strict = await isStrict(target)
  const all = await target.allDetails()
  return strict ? all : all.filter((details) => details.semantic_category === 'READ')
}

/** Each required parameter left out in turn. */
export function probeMissing(target: Target): Promise<readonly Probe[]> {
  return target.once('missing', async () => {
    const found: Probe[] = []
    for (const details of await askable(target)) {
      const params = sample(target, details)
      for (const { name } of details.parameters.filter((row) => row.required)) {
        const { [name]: _left, ...rest } = params
        found.push({ operation: details.name, parameter: name, reply: await target.operate(details.name, rest) })
      }
    }
    return found
  })
}

/** A valid call with one parameter too many. */
export function probeUnknown(target: Target): Promise<readonly Probe[]> {
  return target.once('unknown', async () => {
    const found: Probe[] = []
    for (const details of await askable(target)) {
      const params = { ...sample(target, details), [UNKNOWN]: true }
      found.push({ operation: details.name, parameter: UNKNOWN, reply: await target.operate(details.name, params) })
    }
    return found
  })
}

/** Each parameter with a value of another type. */
export function probeTypes(target: Target): Promise<readonly Probe[]> {
  return target.once('types of parameters', async () => {
    const found: Probe[] = []
    for (const details of await askable(target)) {
      const params = sample(target, details)
      for (const row of details.parameters.filter((each) => !isToken(each))) {
        const value = wrongType(row)
        if (value === undefined) continue
        const reply = await target.operate(details.name, { ...params, [row.name]: value })
        found.push({ operation: details.name, parameter: row.name, reply })
      }
    }
    return found
  })
}

/** Each declared constraint broken. */
export function probeConstraints(target: Target): Promise<readonly (Probe & { readonly constraint: string })[]> {
  return target.once('constraints', async () => {
    const found: (Probe & { constraint: string })[] = []
    for (const details of await askable(target)) {
      const params = sample(target, details)
      for (const row of details.parameters) {
        for (const { constraint, value } of violations(row)) {
          const reply = await target.operate(details.name, { ...params, [row.name]: value })
          found.push({ operation: details.name, parameter: row.name, reply, constraint })
        }
      }
    }
    return found
  })
}

export interface ErrorCase {
  readonly name: string
  /** What a message must mention to help (ERR-03). */
  readonly mention: readonly string[]
  readonly reply: Reply
}

/** One failure of each kind that every server can be made to show. */
export function probeErrors(target: Target): Promise<readonly ErrorCase[]> {
  return target.once('errors', async () => {
    const found: ErrorCase[] = [
      {
        name: 'unknown operation',
        mention: ['zz_no_such_operation', 'introspect'],
        reply: await target.operate('zz_no_such_operation'),
      },
      { name: 'missing parameter', mention: ['query', 'introspect'], reply: await target.introspect({}) },
      { name: 'wrong type', mention: ['query', 'string'], reply: await target.introspect({ query: 5 }) },
      {
        name: 'invalid value',
        mention: ['query', 'operations', 'types'],
        reply: await target.introspect({ query: 'zz_none' }),
      },
      {
        name: 'unknown parameter',
        mention: [UNKNOWN, 'query'],
        reply: await target.introspect({ query: 'types', [UNKNOWN]: 1 }),
      },
      { name: 'no operation', mention: ['operation'], reply: await target.call(target.readTool ?? '', {}) },
    ]
    for (const { get } of (await resources(target)).slice(0, 3)) {
      const ids = Object.fromEntries(get.parameters.filter((row) => row.required).map((row) => [row.name, absent(row)]))
      found.push({ name: `no such resource (${get.name})`, mention: [], reply: await target.operate(get.name, ids) })
    }
    return found
  })
}

export interface RoundTrip {
  readonly made: Made
  readonly stored: Fields | undefined
  /** The submitted parameters that are fields of the resource. */
  readonly expected: Fields
}

/** CONF-06: create with everything that is documented, read back. */
export function roundTrips(target: Target): Promise<readonly RoundTrip[]> {
  return target.once('round trips', async () => {
    const found: RoundTrip[] = []
    for (const resource of (await resources(target)).slice(0, MAX_RESOURCES)) {
      const made = await make(target, resource, true)
      if (!made) continue
      const type = await target.type(resource.get.returns.name)
      const fields = new Set(listAt(type, 'fields').map((field) => at(field, 'name')))
      const sensitive = new Set(resource.create.parameters.filter((row) => row.sensitive).map((row) => row.name))
      const expected = Object.entries(made.submitted).filter(
        ([name]) => !isControl(name) && !sensitive.has(name) && (fields.size === 0 || fields.has(name)),
      )
      found.push({ made, stored: await read(target, made), expected: Object.fromEntries(expected) })
    }
    return found
  })
}

export interface Change {
  readonly made: Made
  readonly field: string
  readonly value: unknown
  readonly before: Fields
  readonly after: Fields | undefined
  readonly reply: Reply
}

/** CONF-06: change one field, read everything back. */
export function changes(target: Target): Promise<readonly Change[]> {
  return target.once('changes', async () => {
    const found: Change[] = []
    for (const { made, stored } of await roundTrips(target)) {
      const { update } = made.resource
      if (!update || !stored) continue
      for (const row of changeable(made)) {
        const value = `changed ${target.mark}`.slice(0, row.maxLength ?? 200)
        const reply = await target.operate(update.name, { ...identify(update, made), input: { [row.name]: value } })
        if (codeOf(reply) !== 'success') continue
        found.push({ made, field: row.name, value, before: stored, after: await read(target, made), reply })
        break
      }
    }
    return found
  })
}

/** The fields that changed though nobody asked. */
export function strayed({ before, after, field }: Change): readonly string[] {
  const names = Object.keys(before).filter((name) => name !== field && !isVolatile(name) && !isHistory(before[name]))
  return names.filter((name) => !same(before[name], after?.[name]))
}

export interface Collection {
  readonly details: OperationDetails
  /** What the operation needs before any control is added. */
  readonly base: Fields
  readonly items: readonly Fields[]
  readonly page: Fields
}

/** READ operations with cursors that return items, the longest first; read anew each time, since the run adds to them. */
export async function collections(target: Target): Promise<readonly Collection[]> {
  const found: Collection[] = []
  for (const { details, base } of await pageable(target)) {
    const data = dataOf(await target.operate(details.name, base))
    const page = at(data, 'pageInfo')
    found.push({ details, base, items: itemsOf(data), page: isObject(page) ? page : {} })
  }
  return found.filter(({ items }) => items.length > 0).sort((a, b) => b.items.length - a.items.length)
}

function pageable(target: Target): Promise<readonly Pick<Collection, 'details' | 'base'>[]> {
  return target.once('pageable', async () => {
    const found: Pick<Collection, 'details' | 'base'>[] = []
    const words: string[] = []
    const isPaged = (details: OperationDetails) =>
      details.semantic_category === 'READ' && has(details, 'first') && has(details, 'after')
    const all = (await target.allDetails()).filter(isPaged)
    // Searches come last: the texts of the lists supply words that find something.
    for (const details of all.toSorted((a, b) => Number(needsText(a)) - Number(needsText(b)))) {
      const tries = bases(target, details)
      const texts = needsText(details) ? words.slice(0, MAX_WORDS).map((query) => ({ ...tries[0], query })) : []
      for (const base of [...tries, ...texts]) {
        const items = itemsOf(dataOf(await target.operate(details.name, base)))
        if (items.length === 0) continue
        found.push({ details, base })
        words.push(...items.flatMap(wordsIn))
        break
      }
    }
    return found
  })
}

const MAX_WORDS = 8

function needsText(details: OperationDetails): boolean {
  return details.parameters.some((row) => row.name === 'query' && row.required)
}

function wordsIn(item: Fields): readonly string[] {
  const texts = [item.title, item.name, item.summary].filter((value) => typeof value === 'string')
  return texts.flatMap((text) => text.split(/\s+/).filter((word) => /^[a-zA-Z]{5,}$/.test(word)))
}

/** Items of a page, or the nodes of its edges (PAGE-06). */
export function itemsOf(data: unknown): readonly Fields[] {
  const edges = listAt(data, 'edges').map((edge) => at(edge, 'node'))
  return [...listAt(data, 'items'), ...edges].filter(isObject)
}

export function has(details: OperationDetails, parameter: string): boolean {
  return details.parameters.some((row) => row.name === parameter)
}

/** Parameters with which the READ operation succeeds; undefined when none were found. */
export function working(target: Target, details: OperationDetails): Promise<Fields | undefined> {
  return target.once(`working ${details.name}`, async () => {
    for (const params of bases(target, details)) {
      if (codeOf(await target.operate(details.name, params)) === 'success') return params
    }
    return undefined
  })
}

/** The likeliest valid parameters; unproven, since to prove them might change something. */
export function sample(target: Target, details: OperationDetails): Fields {
  return candidates(details, target.mark)[0] ?? {}
}

const MAX_RESOURCES = 4

/** Required parameters only, from each candidate. */
function bases(target: Target, details: OperationDetails): readonly Fields[] {
  const required = new Set(details.parameters.filter((row) => row.required).map((row) => row.name))
  const all = [...candidates(details, target.mark)].reverse()
  return all
    .map((params) => Object.fromEntries(Object.entries(params).filter(([name]) => required.has(name))))
    .reverse()
}

function absent(row: ParameterInfo): unknown {
  return row.type.startsWith('integer') || row.type.startsWith('number') ? 987_654_321 : 'zz_no_such_resource'
}

/** Lists of objects that grow by themselves, such as a history. */
function isHistory(value: unknown): boolean {
  return Array.isArray(value) && value.some(isObject)
}
