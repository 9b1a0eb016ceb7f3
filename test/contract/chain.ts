import { createHash } from 'node:crypto'
import type { TrailEntry, TrailHead } from '../../src/core/ports/store.ts'

const START: TrailHead = { seq: 0, hash: '0'.repeat(64) }

/**
 * AUDIT-09, said once more: SHA-256 over the predecessor's hash, the number and the text, a line each. Returns the
 * number of the first entry that does not fit, or the head.
 */
export function walkChain(oldestFirst: readonly TrailEntry[], from: TrailHead = START): TrailHead | number {
  let { seq, hash } = from
  for (const { entry, ...link } of oldestFirst) {
    const expected = createHash('sha256')
      .update(`${hash}\n${++seq}\n${JSON.stringify(entry)}`)
      .digest('hex')
    if (link.seq !== seq || link.previous !== hash || link.hash !== expected) return seq
    hash = expected
  }
  return { seq, hash }
}
