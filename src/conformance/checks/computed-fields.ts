import { checksOf, skipped, verdict } from '../check.ts'
import { type Collection, collections, has, itemsOf } from '../probes.ts'
import { dataOf, type Target } from '../target.ts'
import { at, shown } from '../values.ts'
import { expect } from './request-format.ts'

/** Computed fields document. */
export const COMPUTED_FIELDS = checksOf('Computed Fields', 2, [
  {
    id: 'computed-returned',
    requirements: ['COMP-01', 'COMP-02'],
    title: 'A documented computed field comes under _computed with its type when it is asked for',
    run: (target) =>
      each(target, async ({ details, base }) => {
        const faults: string[] = []
        for (const { name, type } of details.computed_fields ?? []) {
          const reply = await target.operate(details.name, { ...base, fields: [`_computed.${name}`] })
          const values = itemsOf(dataOf(reply)).map((item) => at(item, `_computed.${name}`))
          const odd = values.find((value) => value === undefined || !isOf(value, type))
          faults.push(...expect(reply, 'success'))
          if (values.length === 0 || values.some((value) => value === undefined)) faults.push(`${name} is not returned`)
          else if (odd !== undefined) faults.push(`${name} is ${shown(odd)}, not ${type}`)
        }
        return faults
      }),
  },
  {
    id: 'computed-refused',
    requirements: ['COMP-03', 'FIELD-08'],
    title: 'Sorting and filtering by a computed field that does not allow it is refused',
    run: (target) =>
      each(target, async ({ details, base }) => {
        const faults: string[] = []
        const fields = [
          ...(details.computed_fields ?? []),
          { name: 'zz_no_such_field', sortable: false, filterable: false },
        ]
        for (const { name, sortable, filterable } of fields) {
          if (!sortable && has(details, 'sort'))
            faults.push(
              ...expect(
                await target.operate(details.name, { ...base, sort: { field: `_computed.${name}` } }),
                'VALIDATION_INVALID_VALUE',
              ).map((fault) => `sort by ${name}: ${fault}`),
            )
          if (!filterable && has(details, 'filter'))
            faults.push(
              ...expect(
                await target.operate(details.name, { ...base, filter: { [`_computed.${name}`]: 1 } }),
                'VALIDATION_INVALID_VALUE',
              ).map((fault) => `filter by ${name}: ${fault}`),
            )
          if (sortable && has(details, 'sort'))
            faults.push(
              ...expect(
                await target.operate(details.name, { ...base, sort: { field: `_computed.${name}` } }),
                'success',
              ).map((fault) => `sort by ${name}: ${fault}`),
            )
        }
        return faults
      }),
  },
])

async function each(target: Target, run: (collection: Collection) => Promise<readonly string[]>) {
  const found = (await collections(target))
    .filter(({ details }) => (details.computed_fields ?? []).length > 0)
    .slice(0, 2)
  const faults: string[] = []
  for (const collection of found)
    faults.push(...(await run(collection)).map((fault) => `${collection.details.name}: ${fault}`))
  return found.length === 0
    ? skipped('No operation documents computed fields.')
    : verdict(found.length, 'operations', faults)
}

function isOf(value: unknown, type: string): boolean {
  if (value === null) return true
  if (type === 'integer') return Number.isInteger(value)
  return ['string', 'number', 'boolean'].includes(type) ? typeof value === type : true
}
