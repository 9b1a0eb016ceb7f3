import { checksOf, skipped, verdict } from '../check.ts'
import { type Collection, collections, has, itemsOf } from '../probes.ts'
import { dataOf, type Target } from '../target.ts'
import { type Fields, same, shown } from '../values.ts'
import { expect } from './request-format.ts'

/** Collection querying document. */
export const COLLECTIONS = checksOf('Collections', 2, [
  {
    id: 'collection-filter',
    requirements: ['COLL-04', 'COLL-06'],
    title: 'A filter leaves exactly the items that have the value, also when the field is not selected',
    async run(target) {
      const faults: string[] = []
      let tested = 0
      for (const collection of await withParameter(target, 'filter')) {
        const { details, base } = collection
        const full = await everything(target, collection)
        const keys = documented(collection, 'filter', full).filter(
          (name) => new Set(full.map((item) => shown(item[name]))).size > 1,
        )
        for (const key of keys.slice(0, 3)) {
          const value = full.find((item) => isScalar(item[key]))?.[key]
          if (value === undefined) continue
          tested += 1
          const reply = await target.operate(details.name, {
            ...base,
            first: 100,
            fields: 'full',
            filter: { [key]: value },
          })
          const got = itemsOf(dataOf(reply))
          const expected = full.filter((item) => same(item[key], value)).length
          if (got.some((item) => !same(item[key], value)))
            faults.push(`${details.name}: items without ${key} = ${shown(value)}`)
          else if (full.length < 100 && got.length !== expected)
            faults.push(`${details.name}: ${got.length} of ${expected} items with ${key} = ${shown(value)}`)
          const blind = itemsOf(
            dataOf(
              await target.operate(details.name, {
                ...base,
                first: 100,
                fields: [other(full, key)],
                filter: { [key]: value },
              }),
            ),
          )
          if (blind.length !== got.length)
            faults.push(`${details.name}: ${key} filters differently when it is not selected`)
        }
      }
      return verdict(tested, 'filters', faults)
    },
  },
  {
    id: 'collection-filter-unknown',
    requirements: ['COLL-04'],
    title: 'An unsupported filter key is VALIDATION_INVALID_VALUE, never ignored',
    run: (target) => refuses(target, 'filter', { filter: { zz_no_such_key: 1 } }),
  },
  {
    id: 'collection-sort',
    requirements: ['COLL-05', 'COLL-06'],
    title: 'sort orders by its field in both directions, also when the field is not selected',
    async run(target) {
      const faults: string[] = []
      let tested = 0
      for (const collection of await withParameter(target, 'sort')) {
        const { details, base } = collection
        const full = await everything(target, collection)
        for (const field of documented(collection, 'sort', full).slice(0, 3)) {
          for (const order of ['asc', 'desc']) {
            tested += 1
            const reply = await target.operate(details.name, {
              ...base,
              first: 100,
              fields: 'full',
              sort: { field, order },
            })
            const got = itemsOf(dataOf(reply))
            faults.push(...expect(reply, 'success').map((fault) => `${details.name} by ${field}: ${fault}`))
            if (
              !isOrdered(
                got.map((item) => item[field]),
                order,
              )
            )
              faults.push(`${details.name}: not ${order} by ${field}`)
            const name = other(full, field)
            const blind = itemsOf(
              dataOf(
                await target.operate(details.name, { ...base, first: 100, fields: [name], sort: { field, order } }),
              ),
            )
            if (
              !same(
                blind.map((item) => item[name]),
                got.map((item) => item[name]),
              )
            )
              faults.push(`${details.name}: ${field} sorts differently when it is not selected`)
          }
        }
      }
      return verdict(tested, 'orders', faults)
    },
  },
  {
    id: 'collection-sort-unknown',
    requirements: ['COLL-05'],
    title: 'An unsupported sort field, an unknown order and further keys are refused',
    async run(target) {
      const outcomes = [
        await refuses(target, 'sort', { sort: { field: 'zz_no_such_field' } }),
        await refuses(target, 'sort', { sort: { field: 'id', order: 'sideways' } }),
        await refuses(target, 'sort', { sort: { order: 'asc' } }),
      ]
      return outcomes.find(({ result }) => result !== 'PASS') ?? outcomes[0] ?? skipped('No collection takes sort.')
    },
  },
  {
    id: 'collection-search',
    requirements: ['COLL-02', 'COLL-03'],
    title: 'Free text finds any of its words; list operations do without it',
    async run(target) {
      const faults: string[] = []
      const found = (await collections(target)).filter(({ details }) =>
        details.parameters.some((row) => row.name === 'query' && row.type === 'string'),
      )
      for (const { details, base } of found.slice(0, 3)) {
        if (details.name.startsWith('list_') && details.parameters.some((row) => row.name === 'query' && row.required))
          faults.push(`${details.name} requires query`)
        const none = await target.operate(details.name, { ...base, query: 'zzqxjv' })
        if (itemsOf(dataOf(none)).length > 0) faults.push(`${details.name}: a word that is nowhere finds something`)
        const word = await wordOf(target, details.name, base)
        if (!word) continue
        const one = itemsOf(dataOf(await target.operate(details.name, { ...base, query: word, first: 100 })))
        const both = itemsOf(
          dataOf(await target.operate(details.name, { ...base, query: `${word} zzqxjv`, first: 100 })),
        )
        if (one.length === 0) faults.push(`${details.name}: '${word}' stands in an item and finds nothing`)
        if (both.length !== one.length)
          faults.push(`${details.name}: a second word that is nowhere changes what is found`)
      }
      return verdict(found.length, 'searches', faults, 'should')
    },
  },
])

async function withParameter(target: Target, name: string): Promise<readonly Collection[]> {
  return (await collections(target)).filter(({ details }) => has(details, name)).slice(0, 3)
}

async function refuses(target: Target, parameter: string, controls: Fields) {
  const found = await withParameter(target, parameter)
  const faults: string[] = []
  for (const { details, base } of found) {
    faults.push(
      ...expect(await target.operate(details.name, { ...base, ...controls }), 'VALIDATION_INVALID_VALUE').map(
        (fault) => `${details.name} ${JSON.stringify(controls)}: ${fault}`,
      ),
    )
  }
  return found.length === 0 ? skipped(`No collection takes ${parameter}.`) : verdict(found.length, 'refusals', faults)
}

function everything(target: Target, { details, base }: Collection): Promise<readonly Fields[]> {
  return target.once(`full ${details.name}`, async () =>
    itemsOf(dataOf(await target.operate(details.name, { ...base, first: 100, fields: 'full' }))),
  )
}

/** Field names that stand in the items and are named by the parameter's description (COLL-07). */
function documented({ details }: Collection, parameter: string, items: readonly Fields[]): readonly string[] {
  const words = new Set(
    (details.parameters.find((row) => row.name === parameter)?.description ?? '').split(/[^a-z0-9_]+/i),
  )
  return [...new Set(items.flatMap((item) => Object.keys(item)))].filter(
    (name) => words.has(name) && !name.startsWith('_'),
  )
}

function other(items: readonly Fields[], field: string): string {
  return Object.keys(items[0] ?? {}).find((name) => name !== field && !name.startsWith('_')) ?? field
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** Under any usual collation: by code points, or without regard to case. Items without the value may stand anywhere. */
function isOrdered(values: readonly unknown[], order: string): boolean {
  const present = values.filter(isScalar)
  const sign = order === 'asc' ? 1 : -1
  const ascends = (compare: (a: unknown, b: unknown) => number) =>
    present.every((value, index) => index === 0 || compare(present[index - 1], value) * sign <= 0)
  return ascends(byValue) || ascends((a, b) => String(a).localeCompare(String(b), 'en', { sensitivity: 'base' }))
}

function byValue(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0
}

/** A word of some text of an item that was found. */
async function wordOf(target: Target, operation: string, base: Fields): Promise<string | undefined> {
  const [item] = itemsOf(dataOf(await target.operate(operation, { ...base, first: 1, fields: 'full' })))
  const text = typeof item?.title === 'string' ? item.title : typeof item?.name === 'string' ? item.name : ''
  return text.split(/\s+/).find((word) => /^[a-zA-Z]{4,}$/.test(word))
}
