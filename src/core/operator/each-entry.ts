import type { Store, TrailEntry, TrailQuery } from '../ports/store.ts'

/** So many are read at once: each may be as long as an entry can be. */
const PAGE = 500

/**
 * The entries that a query finds, the newest first and at most so many, without keeping them all. False when there are
 * more.
 */
export async function eachEntry(
  { trail }: Store,
  query: TrailQuery,
  most: number,
  visit: (found: TrailEntry) => void,
): Promise<boolean> {
  let { before } = query
  for (let count = 0; count < most; ) {
    const limit = Math.min(PAGE, most - count)
    const page = await trail.read({ ...query, order: 'newest', limit, ...(before !== undefined && { before }) })
    for (const found of page) visit(found)
    before = page.at(-1)?.seq
    if (page.length < limit) return true
    count += page.length
  }
  return false
}
