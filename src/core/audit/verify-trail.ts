import type { Trail, TrailEntry, TrailHead } from '../ports/store.ts'
import { chainHash, GENESIS } from './chain.ts'

/** A head of the trail as it was noted somewhere else. */
export interface Anchor extends TrailHead {
  readonly at?: string
}

/** The first record that is not as it was written. */
export interface Break {
  readonly seq: number
  readonly kind: 'altered' | 'removed' | 'reordered' | 'cut' | 'rewritten'
  readonly why: string
}

export interface Verified {
  /** As far as the trail was walked. */
  readonly head: TrailHead
  readonly entries: number
  /** How many anchors were met. */
  readonly anchors: number
  readonly broken?: Break
}

export interface VerifyOptions {
  readonly anchors?: readonly Anchor[]
  /** Where the walk begins; it is trusted. The beginning of the trail is the default. */
  readonly from?: TrailHead
  readonly pageSize?: number
}

/** AUDIT-09: walks the chain, page by page, and holds it against the anchors. */
export async function verifyTrail(trail: Trail, options: VerifyOptions = {}): Promise<Verified> {
  const { from = START, anchors = [], pageSize = 1_000 } = options
  const expected = anchors.filter(({ seq }) => seq >= from.seq).toSorted((a, b) => a.seq - b.seq)
  let head = from
  let met = expected.filter((anchor) => anchor.seq === from.seq && anchor.hash === from.hash).length
  for (;;) {
    const page = await trail.read({ order: 'oldest', after: head.seq, limit: pageSize })
    const walked = walkPage(page, head, expected)
    head = walked.head
    met += walked.met
    const entries = head.seq - from.seq
    if (walked.broken) return { head, entries, anchors: met, broken: walked.broken }
    if (page.length === 0) {
      const broken = cutOff(head, expected)
      return { head, entries, anchors: met, ...(broken && { broken }) }
    }
  }
}

const START: TrailHead = { seq: 0, hash: GENESIS }

interface Walked {
  readonly head: TrailHead
  readonly met: number
  readonly broken?: Break
}

function walkPage(page: readonly TrailEntry[], from: TrailHead, anchors: readonly Anchor[]): Walked {
  let head = from
  let met = 0
  for (const entry of page) {
    const broken = breakAt(entry, head, page)
    if (broken) return { head, met, broken }
    head = { seq: entry.seq, hash: entry.hash }
    for (const anchor of anchors) {
      if (anchor.seq !== head.seq) continue
      if (anchor.hash !== head.hash) return { head, met, broken: rewritten(anchor) }
      met++
    }
  }
  return { head, met }
}

function breakAt(entry: TrailEntry, head: TrailHead, page: readonly TrailEntry[]): Break | undefined {
  const seq = head.seq + 1
  if (entry.seq > seq) {
    return { seq, kind: 'removed', why: `the records ${seq} to ${entry.seq - 1} are missing` }
  }
  if (entry.seq < seq) return { seq, kind: 'reordered', why: `record ${entry.seq} stands where ${seq} should` }
  if (!fits(entry, entry.seq, entry)) return misfit(entry, page)
  if (entry.previous === head.hash) return undefined
  return head.seq === 0
    ? { seq, kind: 'altered', why: 'it names a predecessor, but it is the first' }
    : { seq: head.seq, kind: 'altered', why: `record ${seq} was bound to another record ${head.seq}` }
}

/** Was it written for another place? */
function misfit(entry: TrailEntry, page: readonly TrailEntry[]): Break {
  const { seq } = entry
  const others = page.filter((other) => other !== entry)
  if (others.some((other) => fits(entry, other.seq, other))) {
    return { seq, kind: 'reordered', why: 'what it says was written in another place' }
  }
  const written =
    others.find((other) => fits(entry, other.seq, entry))?.seq ?? (fits(entry, seq + 1, entry) ? seq + 1 : 0)
  if (written === 0) return { seq, kind: 'altered', why: 'it is not what its hash was made of' }
  const isElsewhere = others.some((other) => fits(other, seq, other))
  return isElsewhere || written < seq
    ? { seq, kind: 'reordered', why: `it was written as record ${written}` }
    : { seq, kind: 'removed', why: `it was written as record ${written}: those before it are missing` }
}

/** Would what the entry says have this hash in that place? */
function fits({ entry }: TrailEntry, seq: number, { previous, hash }: TrailEntry): boolean {
  return chainHash(previous, seq, JSON.stringify(entry)) === hash
}

function rewritten({ seq, at }: Anchor): Break {
  const when = at === undefined ? '' : ` of ${at}`
  return { seq, kind: 'rewritten', why: `the chain is whole, but not the one that the anchor${when} saw` }
}

function cutOff(head: TrailHead, anchors: readonly Anchor[]): Break | undefined {
  const last = anchors.at(-1)
  if (!last || last.seq <= head.seq) return undefined
  return {
    seq: head.seq + 1,
    kind: 'cut',
    why: `the trail ends at record ${head.seq}, but an anchor saw record ${last.seq}`,
  }
}
