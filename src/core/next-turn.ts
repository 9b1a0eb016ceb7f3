/**
 * Lets every other request have its turn. One that is large, or that has many entries, would otherwise hold them up for
 * as long as all of its own work takes.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
