import { checksOf, skipped, verdict } from '../check.ts'
import { type Collection, collections, has, itemsOf } from '../probes.ts'
import { dataOf, type Target } from '../target.ts'
import { at, type Fields, isObject, same } from '../values.ts'
import { expect } from './request-format.ts'

/** Field selection document. */
export const FIELD_SELECTION = checksOf('Field Selection', 2, [
  {
    id: 'fields-documented',
    requirements: ['FIELD-01'],
    title: 'READ operations that return resources document fields as string | string[]',
    async run(target) {
      const found = await collections(target)
      const lacking = found.filter(
        ({ details }) =>
          !/^string \| (?:string\[\]|array)$/.test(details.parameters.find((row) => row.name === 'fields')?.type ?? ''),
      )
      return verdict(
        found.length,
        'collections',
        lacking.map(({ details }) => details.name),
      )
    },
  },
  {
    id: 'fields-selected',
    requirements: ['FIELD-01', 'FIELD-05'],
    title: 'Items have only the fields that were asked for, and the page keeps its own',
    run: (target) =>
      each(target, async ({ details, base, items }) => {
        const names = Object.keys(items[0] ?? {})
          .filter((key) => !key.startsWith('_'))
          .slice(0, 2)
        const reply = await target.operate(details.name, { ...base, fields: names })
        const extra = itemsOf(dataOf(reply))
          .flatMap((item) => Object.keys(item))
          .filter((key) => !names.includes(key))
        const faults = [...expect(reply, 'success'), ...new Set(extra)]
        if (itemsOf(dataOf(reply)).length !== items.length) faults.push('another number of items')
        if (!isObject(at(dataOf(reply), 'pageInfo'))) faults.push('pageInfo is gone')
        const kept = itemsOf(dataOf(reply)).every((item, index) =>
          names.every((name) => same(item[name], items[index]?.[name])),
        )
        return [...faults, ...(kept ? [] : ['the values differ'])]
      }),
  },
  {
    id: 'fields-nested',
    requirements: ['FIELD-04'],
    title: 'A dotted path selects a nested value and keeps the nesting',
    async run(target) {
      for (const { details, base } of await selectable(target)) {
        const full = itemsOf(dataOf(await target.operate(details.name, { ...base, first: 100, fields: 'full' })))
        const path = full.map(nestedPath).find((found) => found !== undefined)
        if (!path) continue
        const reply = await target.operate(details.name, { ...base, first: 100, fields: [path] })
        const cut = itemsOf(dataOf(reply))
        const wrong = cut.filter((item, index) => !same(at(item, path), at(full[index], path)))
        const wide = cut.filter(
          (item) => Object.keys(item).some((key) => key !== path.split('.')[0]) || leaves(item) > 1,
        )
        return verdict(1, 'paths', [
          ...expect(reply, 'success'),
          ...(wrong.length > 0 ? [`${path} has another value`] : []),
          ...(wide.length > 0 ? [`more than ${path} is returned`] : []),
        ])
      }
      return skipped('No item has a nested value.')
    },
  },
  {
    id: 'fields-presets',
    requirements: ['FIELD-02', 'FIELD-03'],
    title: 'minimal, standard and full exist, each within the next; a list without fields is standard',
    run: (target) =>
      each(
        target,
        async ({ details, base, items }) => {
          const [minimal, standard, full] = await Promise.all(
            ['minimal', 'standard', 'full'].map(async (preset) =>
              itemsOf(dataOf(await target.operate(details.name, { ...base, fields: preset }))),
            ),
          )
          const faults: string[] = []
          if (!minimal?.length || !standard?.length || !full?.length) return ['a preset is refused']
          if (!isWithin(minimal, standard)) faults.push('minimal is not within standard')
          if (!isWithin(standard, full)) faults.push('standard is not within full')
          const expected = details.name.startsWith('search_') ? minimal : standard
          if (!same(items, expected))
            faults.push(`without fields it is not ${details.name.startsWith('search_') ? 'minimal' : 'standard'}`)
          return faults
        },
        'should',
      ),
  },
  {
    id: 'fields-unknown',
    requirements: ['FIELD-06', 'X-30'],
    title: 'A field that the items do not have is left out without an error',
    run: (target) =>
      each(target, async ({ details, base, items }) => {
        const name = Object.keys(items[0] ?? {})[0] ?? 'id'
        const reply = await target.operate(details.name, { ...base, fields: [name, 'zz_no_such_field'] })
        const present = itemsOf(dataOf(reply)).some((item) => Object.hasOwn(item, 'zz_no_such_field'))
        return [...expect(reply, 'success'), ...(present ? ['it was made up'] : [])]
      }),
  },
  {
    id: 'fields-malformed',
    requirements: ['FIELD-08'],
    title: 'A malformed path and an unknown preset are VALIDATION_INVALID_VALUE',
    run: (target) =>
      each(target, async ({ details, base }) => {
        const faults: string[] = []
        for (const fields of [['Not A Path'], ['a..b'], ['a.'], ['__proto__'], 'zz_no_such_preset']) {
          faults.push(
            ...expect(await target.operate(details.name, { ...base, fields }), 'VALIDATION_INVALID_VALUE').map(
              (fault) => `${JSON.stringify(fields)}: ${fault}`,
            ),
          )
        }
        return faults
      }),
  },
  {
    id: 'fields-type',
    requirements: ['FIELD-09'],
    title: 'The options can be looked up as the type FieldSelection',
    async run(target) {
      if ((await selectable(target)).length === 0) return skipped('No collection takes fields.')
      const type = await target.type('FieldSelection')
      const names = new Set(type?.fields?.map(({ name }) => name))
      return verdict(
        1,
        'types',
        ['presets', 'fields', 'computed_fields']
          .filter((name) => !names.has(name))
          .map((name) => `FieldSelection.${name} is missing`),
        'should',
      )
    },
  },
])

async function selectable(target: Target): Promise<readonly Collection[]> {
  return (await collections(target)).filter(({ details }) => has(details, 'fields')).slice(0, 3)
}

async function each(
  target: Target,
  run: (collection: Collection) => Promise<readonly string[]>,
  level: 'must' | 'should' = 'must',
) {
  const found = await selectable(target)
  const faults: string[] = []
  for (const collection of found)
    faults.push(...(await run(collection)).map((fault) => `${collection.details.name}: ${fault}`))
  return found.length === 0
    ? skipped('No collection takes fields.')
    : verdict(found.length, 'collections', faults, level)
}

function isWithin(inner: readonly Fields[], outer: readonly Fields[]): boolean {
  return inner.every((item, index) => Object.keys(item).every((key) => same(item[key], outer[index]?.[key])))
}

function nestedPath(item: Fields): string | undefined {
  for (const [key, value] of Object.entries(item)) {
    if (key.startsWith('_') || !isObject(value)) continue
    const inner = Object.keys(value).find((name) => /^[a-z][a-z0-9_]*$/.test(name) && !isObject(value[name]))
    if (inner && Object.keys(value).length > 1) return `${key}.${inner}`
  }
  return undefined
}

function leaves(value: unknown): number {
  return isObject(value) ? Object.values(value).reduce<number>((sum, member) => sum + leaves(member), 0) : 1
}
