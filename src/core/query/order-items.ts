import type { Item, SortKey } from './collection.ts'
import { comparable, compareValues, type FieldKind, type Scalar } from './field-kind.ts'
import type { Read } from './match-items.ts'

/** An item that may be on the page, with what it is ordered by. */
export interface Candidate {
  readonly item: Item
  readonly index: number
  readonly values: readonly (Scalar | null)[]
}

/** A total order over items (PAGE-07), on typed values. */
export interface Order {
  readonly candidate: (item: Item, index: number) => Candidate
  /** Negative when the item comes before the place that the values name. Reads no further than it must. */
  readonly against: (item: Item, index: number, values: readonly (Scalar | null)[]) => number
  readonly compare: (a: Candidate, b: Candidate) => number
  /** The values at a cursor, typed like those of items. */
  readonly typed: (position: readonly unknown[]) => readonly (Scalar | null)[]
  /** What a cursor holds of an item. */
  readonly position: (item: Item, index: number) => readonly unknown[]
}

export function createOrder(
  sort: readonly SortKey[],
  kinds: ReadonlyMap<string, FieldKind>,
  reader: (field: string) => Read,
): Order {
  const keys = sort.map(({ field, order }) => {
    const read = reader(field)
    const typed = orderable(kinds.get(field) ?? ANY)
    return {
      read,
      typed,
      value: (item: Item, index: number) => typed(read(item, index)),
      sign: order === 'desc' ? -1 : 1,
    }
  })
  return {
    candidate: (item, index) => ({ item, index, values: keys.map(({ value }) => value(item, index)) }),
    against(item, index, values) {
      for (let i = 0; i < keys.length; i++) {
        const key = keys[i] as (typeof keys)[number]
        const order = compareValues(key.value(item, index), values[i] as Scalar | null)
        if (order !== 0) return order * key.sign
      }
      return 0
    },
    compare(a, b) {
      for (let i = 0; i < keys.length; i++) {
        const order = compareValues(a.values[i] as Scalar | null, b.values[i] as Scalar | null)
        if (order !== 0) return order * (keys[i] as (typeof keys)[number]).sign
      }
      return 0
    },
    typed: (position) => keys.map(({ typed }, i) => typed(position[i])),
    position: (item, index) => keys.map(({ read }) => portable(read(item, index))),
  }
}

/**
 * The first `count` candidates in order, out of any number. It never holds many more than twice that: when there are
 * too many, the best are kept and the worst of them becomes the mark that later ones must beat.
 */
export interface Best {
  /** Undefined until enough have come. */
  readonly mark: () => Candidate | undefined
  readonly add: (candidate: Candidate) => void
  readonly take: () => readonly Candidate[]
}

export function keepBest(count: number, compare: (a: Candidate, b: Candidate) => number): Best {
  const capacity = 2 * count + 64
  let kept: Candidate[] = []
  let mark: Candidate | undefined
  const shrink = () => {
    kept.sort(compare)
    kept = kept.slice(0, count)
    mark = kept.length === count ? kept[count - 1] : undefined
  }
  return {
    mark: () => mark,
    add(candidate) {
      kept.push(candidate)
      if (kept.length >= capacity) shrink()
    },
    take() {
      shrink()
      return kept
    },
  }
}

/** Texts are ordered by so much of their beginning, then by the key, so that a cursor stays small. */
const ORDERED_UNITS = 1024

const ANY: FieldKind = { of: 'any', list: false }

function orderable(kind: FieldKind): (stored: unknown) => Scalar | null {
  const typed = comparable(kind)
  if (kind.of !== 'text' && kind.of !== 'any') return typed
  return (stored) => shortened(typed(stored))
}

function shortened<T>(value: T): T | string {
  return typeof value === 'string' && value.length > ORDERED_UNITS ? value.slice(0, ORDERED_UNITS) : value
}

/** As JSON will write it. */
function portable(value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (typeof value === 'bigint') return String(value)
  return typeof value === 'object' || value === undefined ? null : shortened(value)
}
