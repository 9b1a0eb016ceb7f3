/** Marks an Error for the operator: the store as a whole cannot be read or written, whatever it holds. */
export function asStoreFault(fault: Error): Error {
  FAULTS.add(fault)
  return fault
}

export function isStoreFault(error: unknown): error is Error {
  return error instanceof Error && FAULTS.has(error)
}

const FAULTS = new WeakSet<Error>()
