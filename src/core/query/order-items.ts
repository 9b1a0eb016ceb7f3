import type { Item, SortKey } from './collection.ts'
import { comparable, compareValues, type FieldKind, type Scalar } from './field-kind.ts'
import type { Read } from './match-items.ts'

/** An item that may be on the page, with the first value that it is ordered by. Ties read the others when they must. */
export interface Candidate {
  readonly item: Item
  readonly index: number
  readonly value: Scalar | null
}

/** A total order over items (PAGE-07), on typed values. */
export interface Order {
  readonly value: (item: Item, index: number) => Candidate['value']
  readonly compare: (a: Candidate, b: Candidate) => number
  /** Negative when the candidate comes before the place that these typed values name. */
  readonly against: (candidate: Candidate, values: readonly (Scalar | null)[]) => number
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
  const keys = sort.map(({ field, order }) => compileKey(reader(field), kinds.get(field) ?? ANY, order))
  const [first, ...ties] = keys as [Key, ...Key[]] // a sort is never empty
  return {
    value: first.value,
    compare(a, b) {
      const order = compareValues(a.value, b.value)
      if (order !== 0) return order * first.sign
      for (const { value, sign } of ties) {
        const tie = compareValues(value(a.item, a.index), value(b.item, b.index))
        if (tie !== 0) return tie * sign
      }
      return 0
    },
    against({ item, index, value }, values) {
      const order = compareValues(value, values[0] ?? null)
      if (order !== 0) return order * first.sign
      for (const [i, key] of ties.entries()) {
        const tie = compareValues(key.value(item, index), values[i + 1] ?? null)
        if (tie !== 0) return tie * key.sign
      }
      return 0
    },
    typed: (position) => keys.map(({ typed }, i) => typed(position[i])),
    position: (item, index) => keys.map(({ read }) => portable(read(item, index))),
  }
}

/** The first `count` candidates in order, out of any number. */
export interface Best {
  /** Keeps a copy, if at all: the caller may use one object for all. */
  readonly add: (candidate: Candidate) => void
  readonly take: () => readonly Candidate[]
}

/**
 * Never holds many more than twice as many as it is asked for: when they become too many the best are kept, and the
 * worst of those is the mark that later ones must beat.
 */
export function keepBest(count: number, compare: (a: Candidate, b: Candidate) => number): Best {
  const capacity = 2 * count + 64
  let kept: Candidate[] = []
  let mark: Candidate | undefined
  const shrink = () => {
    kept = kept.sort(compare).slice(0, count)
    mark = kept[count - 1]
  }
  return {
    add(candidate) {
      if (mark && compare(candidate, mark) >= 0) return
      kept.push({ ...candidate })
      if (kept.length >= capacity) shrink()
    },
    take() {
      shrink()
      return kept
    },
  }
}

interface Key {
  readonly read: Read
  readonly typed: (stored: unknown) => Scalar | null
  readonly value: (item: Item, index: number) => Scalar | null
  readonly sign: 1 | -1
}

function compileKey(read: Read, kind: FieldKind, order: SortKey['order']): Key {
  const typed = orderable(kind)
  return { read, typed, value: (item, index) => typed(read(item, index)), sign: order === 'desc' ? -1 : 1 }
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
