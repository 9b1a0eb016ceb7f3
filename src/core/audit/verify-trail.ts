import type { Trail, TrailEntry, TrailHead } from '../ports/store.ts'
import { chainHash, GENESIS } from './chain.ts'

/** A head of the trail as it was noted somewhere else. */
export interface Anchor extends TrailHead {
  readonly at?: string
  /** The trail was pruned up to this record, by the operator's order. */
  readonly pruned?: TrailHead
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
  /** How many anchors were met, and the last record that one of them vouches for. */
  readonly anchors: number
  readonly anchoredTo?: number
  /** The last record that the operator has had removed (`TRAIL_PRUNED`); the walk begins behind it. */
  readonly prunedTo?: number
  /** How many records the trail itself says were lost before they could be written. */
  readonly lost: number
  readonly broken?: Break
}

export interface VerifyOptions {
  readonly anchors?: readonly Anchor[]
  /** Where the walk begins; it is trusted. The beginning of the trail is the default. */
  readonly from?: TrailHead
  readonly pageSize?: number
}

/** AUDIT-09: walks the chain, page by page, and holds it against the anchors, each at its own place. */
export async function verifyTrail(trail: Trail, options: VerifyOptions = {}): Promise<Verified> {
  const { anchors = [], pageSize = 1_000 } = options
  const start = options.from ? { head: options.from } : await startOf(trail, anchors)
  const from = start.head
  const expected = anchors.filter(({ seq }) => seq >= from.seq).toSorted((a, b) => a.seq - b.seq)
  const atPlace = byPlace(expected)
  let walked = meet({ head: from, met: 0, lost: 0 }, atPlace)
  const result = (broken: Break | undefined): Verified => ({
    head: walked.head,
    entries: walked.head.seq - from.seq,
    anchors: walked.met,
    ...(walked.anchoredTo !== undefined && { anchoredTo: walked.anchoredTo }),
    ...(start.isPruned && { prunedTo: from.seq }),
    lost: walked.lost,
    ...(broken && { broken }),
  })
  if (start.broken) return result(start.broken)
  while (!walked.broken) {
    const page = await trail.read({ order: 'oldest', after: walked.head.seq, limit: pageSize })
    if (page.length === 0) return result(cutOff(walked.head, expected))
    walked = walkPage(page, walked, atPlace)
  }
  return result(walked.broken)
}

const START: TrailHead = { seq: 0, hash: GENESIS }

interface Start {
  readonly head: TrailHead
  readonly isPruned?: true
  readonly broken?: Break
}

/** A trail that does not begin with its first record must say who removed what, and where there are anchors they must. */
async function startOf(trail: Trail, anchors: readonly Anchor[]): Promise<Start> {
  const [first] = await trail.read({ order: 'oldest', limit: 1 })
  if (!first || first.seq <= 1) return { head: START }
  const head = { seq: first.seq - 1, hash: first.previous }
  const noted = await trail.read({ events: ['TRAIL_PRUNED'], limit: 1_000 })
  const isNoted = noted.some(({ entry }) => entry.removed_to === head.seq && entry.removed_hash === head.hash)
  if (!isNoted) return { head: START }
  const isAnchored = anchors.some(({ pruned }) => pruned?.seq === head.seq && pruned.hash === head.hash)
  if (anchors.length === 0 || isAnchored) return { head, isPruned: true }
  const why = `the records 1 to ${head.seq} were pruned, but no anchor knows of it`
  return { head, isPruned: true, broken: { seq: 1, kind: 'removed', why } }
}

interface Walked {
  readonly head: TrailHead
  readonly met: number
  readonly lost: number
  readonly anchoredTo?: number
  readonly broken?: Break
}

type Anchors = ReadonlyMap<number, readonly Anchor[]>

function byPlace(anchors: readonly Anchor[]): Anchors {
  const places = new Map<number, Anchor[]>()
  for (const anchor of anchors) {
    const known = places.get(anchor.seq)
    if (known) known.push(anchor)
    else places.set(anchor.seq, [anchor])
  }
  return places
}

function walkPage(page: readonly TrailEntry[], from: Walked, anchors: Anchors): Walked {
  let walked = from
  for (const entry of page) {
    const broken = breakAt(entry, walked.head, page)
    if (broken) return { ...walked, broken }
    const lost = walked.lost + lostIn(entry)
    walked = meet({ ...walked, head: { seq: entry.seq, hash: entry.hash }, lost }, anchors)
    if (walked.broken) return walked
  }
  return walked
}

function meet(walked: Walked, anchors: Anchors): Walked {
  const { head } = walked
  const here = anchors.get(head.seq)
  if (!here) return walked
  const other = here.find(({ hash }) => hash !== head.hash)
  if (other) return { ...walked, broken: rewritten(other) }
  return { ...walked, met: walked.met + here.length, anchoredTo: head.seq }
}

function lostIn({ entry: { event, lost } }: TrailEntry): number {
  return event === 'RECORDS_LOST' && typeof lost === 'number' ? lost : 0
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
