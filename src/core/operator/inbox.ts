import { advance, attentionRef, isShown, nextShownAt } from '../gatekeeper/attention.ts'
import { type ApprovalRequest, type RequestState, requestRef, stateOf } from '../gatekeeper/request.ts'
import { nextTurn } from '../next-turn.ts'
import type { Store } from '../ports/store.ts'
import { isShared } from '../session.ts'
import { eachRecord } from './each-record.ts'

/** `T` is what its reader makes of each request. */
export interface Inbox<T = ApprovalRequest> {
  /** Waiting and shown, the first to expire first. */
  readonly open: readonly T[]
  /** The ids of all that wait and are shown, in the same order; `open` may end before. */
  readonly waiting: readonly string[]
  /** Approved and not used yet. */
  readonly approved: readonly T[]
  /** Decided, used or expired within the last hour, the newest first. */
  readonly recent: readonly T[]
  readonly held: readonly HeldBack<T>[]
}

/** SELF-13: what one connection has asked beyond what a human is shown; of a named client what all of them have. */
export interface HeldBack<T = ApprovalRequest> {
  readonly principal: string
  /** Where several callers share the principal. */
  readonly session?: string
  readonly count: number
  readonly nextAt?: number
  readonly operations: readonly { readonly operation: string; readonly count: number }[]
  /** The first to expire: whoever wants to can decide on them all the same. */
  readonly first: readonly T[]
}

/** How an inbox is read. */
export interface InboxReading<T> {
  /** So many of those that wait, and of those that are approved, are read; of the others there are the ids. */
  readonly most?: number
  /** What is kept of each: a request may be as long as its parameters, and many wait. */
  readonly keep: (request: ApprovalRequest) => T | Promise<T>
}

export async function readInbox<T>(
  store: Store,
  now: number,
  { most = Number.POSITIVE_INFINITY, keep }: InboxReading<T>,
): Promise<Inbox<T>> {
  const found: Line[] = []
  await eachRecord<ApprovalRequest>(store, 'request', (request) => {
    const line = lineOf(request, now)
    if (OPEN.has(line.state) || line.endedAt > now - RECENT_MS) found.push(line)
  })
  const kept = (lines: readonly Line[]) => readKept(store, lines, keep)
  const { shown, held } = await sortByAttention(store, found.filter(isIn('pending')), now, kept)
  const open = shown.sort((a, b) => a.expiresAt - b.expiresAt)
  const recent = found.filter(({ state }) => !OPEN.has(state)).sort((a, b) => b.endedAt - a.endedAt)
  return {
    open: await kept(open.slice(0, most)),
    waiting: open.map(({ id }) => id),
    approved: await kept(found.filter(isIn('approved')).slice(0, most)),
    recent: await kept(recent.slice(0, MOST_RECENT)),
    held,
  }
}

/** What is kept of a request while all are looked through: its parameters may be long. */
interface Line extends Pick<ApprovalRequest, 'id' | 'principal' | 'session' | 'operation' | 'shown' | 'expiresAt'> {
  readonly state: RequestState
  readonly endedAt: number
}

function lineOf(request: ApprovalRequest, now: number): Line {
  const { id, principal, session, operation, shown, expiresAt } = request
  return {
    id,
    principal,
    session,
    operation,
    shown,
    expiresAt,
    state: stateOf(request, now),
    endedAt: endedAt(request),
  }
}

function isIn(wanted: RequestState): (line: Line) => boolean {
  return ({ state }) => state === wanted
}

/** As they are now; one that has gone meanwhile is left out. */
async function readKept<T>(store: Store, lines: readonly Line[], keep: InboxReading<T>['keep']): Promise<readonly T[]> {
  const kept: T[] = []
  for (const { id } of lines) {
    const request = await store.get(requestRef(id))
    if (request) kept.push(await keep(request))
    await nextTurn()
  }
  return kept
}

const OPEN: ReadonlySet<string> = new Set(['pending', 'approved'])
const RECENT_MS = 3_600_000
const MOST_RECENT = 50
const MOST_HELD = 20

async function sortByAttention<T>(
  store: Store,
  pending: readonly Line[],
  now: number,
  kept: (lines: readonly Line[]) => Promise<readonly T[]>,
) {
  const shown: Line[] = []
  const held: HeldBack<T>[] = []
  for (const [principal, requests] of grouped(pending, (request) => request.principal)) {
    const stored = await store.get(attentionRef(principal))
    // Nobody writes when time alone lets the next one through; whoever looks works it out.
    const attention = stored && advance(stored, now)
    const isHeld = ({ id, shown: wasShown }: Line) => !wasShown && !isShown(attention, id)
    const silent = requests.filter(isHeld)
    shown.push(...requests.filter((request) => !isHeld(request)))
    const nextAt = attention && nextShownAt(attention)
    const ofOne = isShared(principal) ? ({ session }: Line) => session : () => ''
    for (const [session, theirs] of grouped(silent, ofOne)) {
      held.push({
        principal,
        ...(session !== '' && { session }),
        count: theirs.length,
        ...(nextAt !== undefined && { nextAt }),
        operations: counted(theirs.map(({ operation }) => operation)),
        first: await kept(theirs.toSorted((a, b) => a.expiresAt - b.expiresAt).slice(0, MOST_HELD)),
      })
    }
  }
  return { shown, held }
}

function grouped(requests: readonly Line[], keyOf: (request: Line) => string): ReadonlyMap<string, readonly Line[]> {
  const groups = new Map<string, Line[]>()
  for (const request of requests) {
    const key = keyOf(request)
    const group = groups.get(key)
    if (group) group.push(request)
    else groups.set(key, [request])
  }
  return groups
}

function counted(names: readonly string[]): HeldBack['operations'] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
    .map(([operation, count]) => ({ operation, count }))
    .sort((a, b) => b.count - a.count || (a.operation < b.operation ? -1 : 1))
}

function endedAt({ consumedAt, decisions, expiresAt }: ApprovalRequest): number {
  return consumedAt ?? decisions.at(-1)?.at ?? expiresAt
}
