import type { Aggregate, AggregateFunction, Item } from './collection.ts'
import { compareValues, type Scalar } from './field-kind.ts'
import type { Read } from './match-items.ts'

/** Takes items one by one; `result` is what `data.aggregations` shows under the label. */
export interface Accumulator {
  readonly label: string
  readonly add: (item: Item, index: number) => void
  readonly result: () => unknown
}

/** Aggregations document §2–3 (AGG-03). */
export function accumulate({ label, groupBy, functions }: Aggregate, reader: (field: string) => Read): Accumulator {
  const columns = columnsOf(functions, reader)
  const group = groupBy === undefined ? undefined : reader(groupBy)
  if (!group) {
    const tallies = columns.reads.map(startTally)
    return {
      label,
      add: (item, index) => addTo(tallies, columns, item, index),
      result: () => resultOf(tallies, columns),
    }
  }
  const groups = new Map<Scalar | null, Tally[]>()
  const addToGroup = (value: Scalar | null, item: Item, index: number) => {
    let tallies = groups.get(value)
    if (!tallies) {
      tallies = columns.reads.map(startTally)
      groups.set(value, tallies)
    }
    addTo(tallies, columns, item, index)
  }
  return {
    label,
    add(item, index) {
      const value = group(item, index)
      if (!Array.isArray(value)) addToGroup(scalarOf(value), item, index)
      else for (const element of elementsOf(value)) addToGroup(element, item, index)
    },
    result() {
      const sorted = [...groups].sort(([a], [b]) => compareValues(a, b))
      // `fromEntries` defines keys, so a group called `__proto__` is an ordinary one.
      return Object.fromEntries(sorted.map(([value, tallies]) => [String(value), resultOf(tallies, columns)]))
    },
  }
}

/** An item counts in the group of each element of a list, and in `null` when it has no value. */
function elementsOf(list: readonly unknown[]): Iterable<Scalar | null> {
  return list.length === 0 ? [null] : new Set(list.map(scalarOf))
}

function scalarOf(stored: unknown): Scalar | null {
  return typeof stored === 'object' || stored === undefined ? null : (stored as Scalar)
}

/** There may be as many groups as items, in each of twenty labels: one plain record for each field of a group. */
interface Tally {
  items: number
  numbers: number
  sum: number
  least: number
  most: number
}

interface Columns {
  /** One for each field that is added up; where there is none, one that reads nothing, so that items are counted. */
  readonly reads: readonly (Read | undefined)[]
  /** Which of the tallies each function is read off. */
  readonly functions: readonly { readonly name: AggregateFunction; readonly at: number }[]
}

function columnsOf(functions: Aggregate['functions'], reader: (field: string) => Read): Columns {
  const fields = [...new Set(functions.flatMap(({ field }) => (field === undefined ? [] : [field])))]
  return {
    reads: fields.length === 0 ? [undefined] : fields.map(reader),
    functions: functions.map(({ name, field }) => ({ name, at: field === undefined ? 0 : fields.indexOf(field) })),
  }
}

function startTally(): Tally {
  return { items: 0, numbers: 0, sum: 0, least: Number.POSITIVE_INFINITY, most: Number.NEGATIVE_INFINITY }
}

const RESULTS: { readonly [F in AggregateFunction]: (tally: Tally) => number | null } = {
  count: ({ items }) => items,
  sum: ({ sum }) => sum,
  avg: ({ sum, numbers }) => (numbers === 0 ? null : sum / numbers),
  min: ({ least, numbers }) => (numbers === 0 ? null : least),
  max: ({ most, numbers }) => (numbers === 0 ? null : most),
}

/** Items without a number take part in `count` alone. */
function addTo(tallies: readonly Tally[], { reads }: Columns, item: Item, index: number): void {
  for (let at = 0; at < tallies.length; at++) {
    const tally = tallies[at] as Tally
    tally.items++
    const value = reads[at]?.(item, index)
    if (typeof value !== 'number' || !Number.isFinite(value)) continue
    tally.numbers++
    tally.sum += value
    if (value < tally.least) tally.least = value
    if (value > tally.most) tally.most = value
  }
}

/** One function gives a bare value, several an object keyed by function. */
function resultOf(tallies: readonly Tally[], { functions }: Columns): unknown {
  const [only, ...others] = functions
  const result = ({ name, at }: Columns['functions'][number]) => RESULTS[name](tallies[at] as Tally)
  if (only && others.length === 0) return result(only)
  const results: Partial<Record<AggregateFunction, number | null>> = {}
  for (const each of functions) results[each.name] = result(each)
  return results
}
