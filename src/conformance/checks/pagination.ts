import { checksOf, skipped, verdict } from '../check.ts'
import { type Collection, collections, has, itemsOf } from '../probes.ts'
import { pageInfoShape } from '../shapes.ts'
import { codeOf, dataOf, detailsOf, type Target } from '../target.ts'
import { at, canonical, type Fields, isObject, same, textAt } from '../values.ts'
import { expect } from './request-format.ts'

/** Pagination document. */
export const PAGINATION = checksOf('Pagination', 2, [
  {
    id: 'paging-forward',
    requirements: ['PAGE-01', 'PAGE-07'],
    title: 'Walking forward yields every item once, whatever the size of the page',
    run: (target) =>
      each(target, async (collection) => {
        const { items, faults } = await walk(target, collection, 'forward')
        const keys = items.map(canonical)
        const total = at(collection.page, 'totalCount')
        return [
          ...faults,
          ...(new Set(keys).size === keys.length ? [] : ['an item came twice']),
          ...(typeof total === 'number' && total <= MAX_ITEMS && total !== items.length
            ? [`${items.length} items of ${total}`]
            : []),
          ...(same(items.slice(0, collection.items.length), collection.items)
            ? []
            : ['small pages show another order than large ones']),
        ]
      }),
  },
  {
    id: 'paging-backward',
    requirements: ['PAGE-01', 'PAGE-07'],
    title: 'Walking backward with last and before yields the same items from the end',
    run: (target) =>
      each(target, async (collection) => {
        const forward = await walk(target, collection, 'forward')
        const backward = await walk(target, collection, 'backward')
        return [...backward.faults, ...(same(backward.items, forward.items) ? [] : ['the two directions do not meet'])]
      }),
  },
  {
    id: 'paging-page-info',
    requirements: ['PAGE-05', 'PAGE-06'],
    title: 'pageInfo is complete and true; items and edges never stand together',
    run: (target) =>
      each(target, async ({ details, base, items }) => {
        const data = dataOf(await target.operate(details.name, { ...base, first: 1 }))
        const faults = [...pageInfoShape(at(data, 'pageInfo'))]
        if (isObject(data) && Object.hasOwn(data, 'items') && Object.hasOwn(data, 'edges'))
          faults.push('items and edges stand together')
        if (items.length > 1 && at(data, 'pageInfo.hasNextPage') !== true)
          faults.push('hasNextPage is not true before the end')
        if (at(data, 'pageInfo.hasPreviousPage') !== false) faults.push('hasPreviousPage is not false at the start')
        for (const key of ['startCursor', 'endCursor'])
          if (!textAt(data, `pageInfo.${key}`)) faults.push(`${key} is missing`)
        if (itemsOf(data).length !== 1) faults.push('first: 1 does not give one item')
        return faults
      }),
  },
  {
    id: 'paging-conflicts',
    requirements: ['PAGE-03'],
    title: 'Controls that contradict one another are refused as a conflict',
    run: (target) =>
      each(target, async ({ details, base, page }) => {
        const cursor = String(page.endCursor ?? 'x')
        const faults: string[] = []
        for (const controls of [
          { first: 1, last: 1 },
          { after: cursor },
          { before: cursor },
          { first: 1, before: cursor },
          { last: 1, after: cursor },
        ]) {
          const reply = await target.operate(details.name, { ...base, ...controls })
          const { param_name: named, provided, hint } = detailsOf(reply)
          const wrong = expect(reply, 'VALIDATION_INVALID_TYPE')
          if (wrong.length === 0 && (named !== 'pagination' || !Array.isArray(provided) || typeof hint !== 'string'))
            wrong.push('the details do not say which')
          faults.push(...wrong.map((fault) => `${Object.keys(controls).join('+')}: ${fault}`))
        }
        return faults
      }),
  },
  {
    id: 'paging-damaged-cursor',
    requirements: ['PAGE-08'],
    title: 'A damaged cursor is VALIDATION_INVALID_VALUE',
    run: (target) =>
      each(target, async ({ details, base, page }) => {
        const cursor = String(page.endCursor ?? '')
        const middle = Math.floor(cursor.length / 2)
        const damaged = [
          `${cursor.slice(0, middle)}${cursor[middle] === 'A' ? 'B' : 'A'}${cursor.slice(middle + 1)}`,
          cursor.slice(0, -3),
          'zz',
          '',
        ]
        const faults: string[] = []
        for (const after of damaged) {
          faults.push(
            ...expect(await target.operate(details.name, { ...base, first: 1, after }), 'VALIDATION_INVALID_VALUE').map(
              (fault) => `'${after.slice(0, 12)}…': ${fault}`,
            ),
          )
        }
        return faults
      }),
  },
  {
    id: 'paging-cursor-form',
    requirements: ['PAGE-08'],
    title: 'Cursors are URL-safe and denote the same position each time',
    run: (target) =>
      each(target, async ({ details, base }) => {
        const data = dataOf(await target.operate(details.name, { ...base, first: 1 }))
        const after = textAt(data, 'pageInfo.endCursor')
        const next = await Promise.all(
          [1, 2].map(async () => itemsOf(dataOf(await target.operate(details.name, { ...base, first: 1, after })))),
        )
        return [
          ...(/^[A-Za-z0-9_.~=-]+$/.test(after) ? [] : ['not URL-safe']),
          ...(same(next[0], next[1]) ? [] : ['the position moves']),
        ]
      }),
  },
  {
    id: 'paging-maximum',
    requirements: ['PAGE-04', 'X-25'],
    title: 'A page size above the maximum is reduced, not refused',
    run: (target) =>
      each(
        target,
        async ({ details, base }) => {
          const reply = await target.operate(details.name, { ...base, first: 100_000 })
          return [
            ...expect(reply, 'success'),
            ...(itemsOf(dataOf(reply)).length > 1_000 ? ['more than 1000 items on one page'] : []),
          ]
        },
        'should',
      ),
  },
  {
    id: 'paging-default',
    requirements: ['PAGE-02', 'X-24'],
    title: 'Without a control the first page of the documented default size comes',
    run: (target) =>
      each(
        target,
        async ({ details, base, items }) => {
          const size = details.parameters.find((row) => row.name === 'first')?.default
          if (typeof size !== 'number') return ['first documents no default']
          const sized = itemsOf(dataOf(await target.operate(details.name, { ...base, first: size })))
          const last = await target.operate(details.name, { ...base, last: 1 })
          return [
            ...(same(sized, items) ? [] : [`not the first ${size}`]),
            ...expect(last, 'success').map((fault) => `last alone: ${fault}`),
          ]
        },
        'should',
      ),
  },
  {
    id: 'paging-offset',
    requirements: ['PAGE-09', 'PAGE-10'],
    title: 'Offset and page controls, where documented, page the same items and do not mix with cursors',
    async run(target) {
      const faults: string[] = []
      let tested = 0
      for (const details of await target.allDetails()) {
        const [size, skip] =
          has(details, 'limit') && has(details, 'offset')
            ? ['limit', 'offset']
            : has(details, 'page_size') && has(details, 'page')
              ? ['page_size', 'page']
              : []
        if (details.semantic_category !== 'READ' || !size || !skip) continue
        const start = skip === 'page' ? 1 : 0
        const both = itemsOf(dataOf(await target.operate(details.name, { [size]: 2, [skip]: start })))
        if (both.length < 2) continue
        tested += 1
        const second = dataOf(await target.operate(details.name, { [size]: 1, [skip]: start + 1 }))
        if (!same(itemsOf(second), both.slice(1)))
          faults.push(`${details.name}: the second page is not the second item`)
        if (!isObject(at(second, 'pagination'))) faults.push(`${details.name}: pagination is missing`)
        if (has(details, 'first'))
          faults.push(
            ...expect(await target.operate(details.name, { [size]: 1, first: 1 }), 'VALIDATION_INVALID_TYPE').map(
              (fault) => `${details.name}, mixed: ${fault}`,
            ),
          )
      }
      return verdict(tested, 'collections', faults)
    },
  },
])

const MAX_ITEMS = 400

async function each(
  target: Target,
  run: (collection: Collection) => Promise<readonly string[]>,
  level: 'must' | 'should' = 'must',
) {
  const found = (await collections(target)).filter(({ items }) => items.length > 1).slice(0, 2)
  const faults: string[] = []
  for (const collection of found)
    faults.push(...(await run(collection)).map((fault) => `${collection.details.name}: ${fault}`))
  return found.length === 0
    ? skipped('No collection with cursors and several items is offered.')
    : verdict(found.length, 'collections', faults, level)
}

/** Some eight pages, or as many as there are up to a bound. */
function walk(target: Target, { details, base, items, page }: Collection, way: 'forward' | 'backward') {
  return target.once(`walk ${way} ${details.name}`, async () => {
    const total = typeof page.totalCount === 'number' ? page.totalCount : items.length
    const size = Math.max(1, Math.min(50, Math.ceil(total / 7)))
    const [count, from, more, back, edge] =
      way === 'forward'
        ? (['first', 'after', 'hasNextPage', 'hasPreviousPage', 'endCursor'] as const)
        : (['last', 'before', 'hasPreviousPage', 'hasNextPage', 'startCursor'] as const)
    const found: Fields[] = []
    const faults: string[] = []
    let cursor: string | undefined
    for (let turn = 0; turn < MAX_ITEMS && found.length < MAX_ITEMS; turn++) {
      const reply = await target.operate(details.name, { ...base, [count]: size, ...(cursor && { [from]: cursor }) })
      const data = dataOf(reply)
      const got = itemsOf(data)
      if (codeOf(reply) !== 'success') return { items: found, faults: [`page ${turn + 1}: ${codeOf(reply)}`] }
      if (got.length > size) faults.push(`page ${turn + 1} has ${got.length} items in place of ${size}`)
      if (turn > 0 && at(data, `pageInfo.${back}`) !== true) faults.push(`page ${turn + 1}: ${back} is not true`)
      found.splice(way === 'forward' ? found.length : 0, 0, ...got)
      if (at(data, `pageInfo.${more}`) !== true) break
      const next = textAt(data, `pageInfo.${edge}`)
      if (!next || next === cursor || got.length === 0)
        return { items: found, faults: [...faults, `page ${turn + 1} leads nowhere`] }
      cursor = next
    }
    return { items: found as readonly Fields[], faults: faults as readonly string[] }
  })
}
