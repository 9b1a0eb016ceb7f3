import { advance, attentionRef, isShown, nextShownAt } from '../gatekeeper/attention.ts'
import { type ApprovalRequest, stateOf } from '../gatekeeper/request.ts'
import type { Store } from '../ports/store.ts'

export interface Inbox {
  /** Waiting and shown, the first to expire first. */
  readonly open: readonly ApprovalRequest[]
  /** Approved and not used yet. */
  readonly approved: readonly ApprovalRequest[]
  /** Decided, used or expired within the last hour, the newest first. */
  readonly recent: readonly ApprovalRequest[]
  readonly held: readonly HeldBack[]
}

/** SELF-13: what one principal has asked beyond what a human is shown. */
export interface HeldBack {
  readonly principal: string
  readonly count: number
  readonly nextAt?: number
  readonly operations: readonly { readonly operation: string; readonly count: number }[]
}

export async function readInbox(store: Store, now: number): Promise<Inbox> {
  const requests = (await store.list<ApprovalRequest>('request')).map(({ value }) => value)
  const pending = requests.filter((request) => stateOf(request, now) === 'pending')
  const { shown, held } = await sortByAttention(store, pending, now)
  const ended = requests.filter((request) => !OPEN.has(stateOf(request, now)) && endedAt(request) > now - RECENT_MS)
  return {
    open: shown.sort((a, b) => a.expiresAt - b.expiresAt),
    approved: requests.filter((request) => stateOf(request, now) === 'approved'),
    recent: ended.sort((a, b) => endedAt(b) - endedAt(a)).slice(0, MOST_RECENT),
    held,
  }
}

const OPEN: ReadonlySet<string> = new Set(['pending', 'approved'])
const RECENT_MS = 3_600_000
const MOST_RECENT = 50

async function sortByAttention(store: Store, pending: readonly ApprovalRequest[], now: number) {
  const shown: ApprovalRequest[] = []
  const held: HeldBack[] = []
  for (const [principal, requests] of byPrincipal(pending)) {
    const stored = await store.get(attentionRef(principal))
    // Nobody writes when time alone lets the next one through; whoever looks works it out.
    const attention = stored && advance(stored, now)
    const isHeld = ({ id, shown: wasShown }: ApprovalRequest) => !wasShown && !isShown(attention, id)
    const silent = requests.filter(isHeld)
    shown.push(...requests.filter((request) => !isHeld(request)))
    if (silent.length === 0) continue
    const nextAt = attention && nextShownAt(attention)
    held.push({
      principal,
      count: silent.length,
      ...(nextAt !== undefined && { nextAt }),
      operations: counted(silent.map(({ operation }) => operation)),
    })
  }
  return { shown, held }
}

function byPrincipal(requests: readonly ApprovalRequest[]): ReadonlyMap<string, readonly ApprovalRequest[]> {
  const groups = new Map<string, ApprovalRequest[]>()
  for (const request of requests) {
    const group = groups.get(request.principal)
    if (group) group.push(request)
    else groups.set(request.principal, [request])
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
