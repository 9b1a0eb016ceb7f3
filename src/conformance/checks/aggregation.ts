import { checksOf, skipped, verdict } from '../check.ts'
import { type Collection, collections, has, itemsOf } from '../probes.ts'
import { dataOf, type Target } from '../target.ts'
import { at, isObject, same, shown } from '../values.ts'
import { expect } from './request-format.ts'

/** Aggregations document. */
export const AGGREGATION = checksOf('Aggregation', 2, [
  {
    id: 'aggregate-count',
    requirements: ['AGG-01', 'AGG-02', 'AGG-03', 'AGG-04'],
    title: 'A count is a bare number over all records, not the page, and the items stay away unless asked for',
    run: (target) =>
      each(target, async ({ details, base, page }) => {
        const data = dataOf(await target.operate(details.name, { ...base, aggregate: { total: { count: true } } }))
        const paged = dataOf(
          await target.operate(details.name, {
            ...base,
            first: 1,
            include_items: true,
            aggregate: { total: { count: true } },
          }),
        )
        const total = at(data, 'aggregations.total')
        const faults: string[] = []
        if (typeof total !== 'number') faults.push(`total is ${shown(total)}`)
        if (typeof page.totalCount === 'number' && total !== page.totalCount)
          faults.push(`${shown(total)} in place of ${page.totalCount}`)
        if (isObject(data) && Object.hasOwn(data, 'items')) faults.push('items came unasked')
        if (at(paged, 'aggregations.total') !== total) faults.push('the count follows the page')
        if (itemsOf(paged).length !== 1) faults.push('include_items does not bring the items')
        return faults
      }),
  },
  {
    id: 'aggregate-groups',
    requirements: ['AGG-01', 'AGG-03'],
    title: 'group_by gives one result for each value, and together they are everything',
    run: (target) =>
      each(target, async ({ details, base }) => {
        const faults: string[] = []
        for (const field of (details.aggregation_support?.groupable_fields ?? []).slice(0, 2)) {
          const aggregate = { groups: { count: true, group_by: field }, total: { count: true } }
          const data = dataOf(await target.operate(details.name, { ...base, aggregate }))
          const groups = at(data, 'aggregations.groups')
          const sum = isObject(groups)
            ? Object.values(groups).reduce<number>((all, count) => all + Number(count), 0)
            : Number.NaN
          if (sum !== at(data, 'aggregations.total'))
            faults.push(`${field}: ${shown(groups)} does not add up to ${shown(at(data, 'aggregations.total'))}`)
        }
        return faults
      }),
  },
  {
    id: 'aggregate-functions',
    requirements: ['AGG-01', 'AGG-03', 'AGG-06'],
    title: 'sum, avg, min and max agree with the items',
    run: (target) =>
      each(target, async ({ details, base }) => {
        const [field] = details.aggregation_support?.numeric_fields ?? []
        if (!field) return []
        const all = itemsOf(dataOf(await target.operate(details.name, { ...base, first: 100, fields: 'full' })))
        const values = all.map((item) => item[field]).filter((value): value is number => typeof value === 'number')
        const seen = dataOf(
          await target.operate(details.name, {
            ...base,
            aggregate: { f: { sum: field, avg: field, min: field, max: field }, n: { count: true } },
          }),
        )
        if (at(seen, 'aggregations.n') !== all.length || values.length === 0) return []
        const sum = values.reduce((total, value) => total + value, 0)
        const expected = { sum, avg: sum / values.length, min: Math.min(...values), max: Math.max(...values) }
        return Object.entries(expected)
          .filter(
            ([name, value]) =>
              Math.abs(Number(at(seen, `aggregations.f.${name}`)) - value) > 1e-6 ||
              at(seen, `aggregations.f.${name}`) === undefined,
          )
          .map(
            ([name, value]) =>
              `${name} of ${field} is ${shown(at(seen, `aggregations.f.${name}`))} in place of ${value}`,
          )
      }),
  },
  {
    id: 'aggregate-refused',
    requirements: ['AGG-05'],
    title: 'Unknown functions, other fields and a bare group_by are VALIDATION_INVALID_VALUE',
    run: (target) =>
      each(target, async ({ details, base }) => {
        const faults: string[] = []
        for (const expression of [
          { median: 'id' },
          { sum: 'zz_no_such_field' },
          { count: true, group_by: 'zz_no_such_field' },
          { group_by: details.aggregation_support?.groupable_fields?.[0] ?? 'state' },
        ]) {
          faults.push(
            ...expect(
              await target.operate(details.name, { ...base, aggregate: { x: expression } }),
              'VALIDATION_INVALID_VALUE',
            ).map((fault) => `${JSON.stringify(expression)}: ${fault}`),
          )
        }
        return faults
      }),
  },
  {
    id: 'aggregate-same-filter',
    requirements: ['AGG-04', 'COLL-06', 'AGG-06'],
    title: 'Every collection that takes aggregate says so, and its aggregates follow the filter',
    run: (target) =>
      each(target, async ({ details, base }) => {
        const faults: string[] =
          has(details, 'aggregate') && !details.aggregation_support ? ['aggregation_support is missing'] : []
        const [field] = details.aggregation_support?.groupable_fields ?? []
        if (!field || !has(details, 'filter')) return faults
        const data = dataOf(
          await target.operate(details.name, { ...base, aggregate: { groups: { count: true, group_by: field } } }),
        )
        const groups = Object.entries(
          isObject(at(data, 'aggregations.groups')) ? (at(data, 'aggregations.groups') as object) : {},
        )
        const [value, count] = groups.find(([key]) => key !== 'null' && key !== '') ?? []
        if (value === undefined) return faults
        const filtered = dataOf(
          await target.operate(details.name, {
            ...base,
            filter: { [field]: value },
            aggregate: { total: { count: true } },
          }),
        )
        const total = at(filtered, 'aggregations.total')
        return filtered === undefined || same(total, count)
          ? faults
          : [...faults, `${field} = ${value}: ${shown(total)} in place of ${shown(count)}`]
      }),
  },
])

async function each(target: Target, run: (collection: Collection) => Promise<readonly string[]>) {
  const found = (await collections(target)).filter(({ details }) => has(details, 'aggregate')).slice(0, 2)
  const faults: string[] = []
  for (const collection of found)
    faults.push(...(await run(collection)).map((fault) => `${collection.details.name}: ${fault}`))
  return found.length === 0 ? skipped('No collection takes aggregate.') : verdict(found.length, 'collections', faults)
}
