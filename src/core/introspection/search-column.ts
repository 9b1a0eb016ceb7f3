/** Numbers of one kind in a row, however many come: a typed array that grows. */
export interface Column<Kind> {
  push(value: number): void
  length(): number
  /** What was pushed, in an array of its own. */
  finish(): Kind
}

const FIRST_CAPACITY = 1_024

export function createColumn<Kind extends Int32Array | Float32Array | Uint8Array>(
  make: (length: number) => Kind,
): Column<Kind> {
  let items = make(FIRST_CAPACITY)
  let length = 0
  return {
    push(value) {
      if (length === items.length) {
        const wider = make(2 * length)
        wider.set(items)
        items = wider
      }
      items[length++] = value
    },
    length: () => length,
    finish() {
      const whole = make(length)
      whole.set(items.subarray(0, length))
      return whole
    },
  }
}
