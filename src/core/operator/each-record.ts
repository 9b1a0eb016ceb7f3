import { nextTurn } from '../next-turn.ts'
import type { Store } from '../ports/store.ts'

/** So many are read in one turn: each may be as long as a request can be. */
const TURN = 2

/** All records of a kind, one after the other. However many there are, whatever else runs here has its turn between. */
export async function eachRecord<T>(store: Store, kind: string, visit: (value: T) => void): Promise<void> {
  let after: string | undefined
  for (;;) {
    const page = await store.list<T>(kind, { limit: TURN, ...(after !== undefined && { after }) })
    for (const { value } of page) visit(value)
    after = page.at(-1)?.id
    if (page.length < TURN) return
    await nextTurn()
  }
}
