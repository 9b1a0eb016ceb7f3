import { redactProse } from '../core/audit/redact.ts'
import { displayRedacted, displayText, textOf } from '../core/display.ts'
import type { ApprovalRequest } from '../core/gatekeeper/request.ts'
import type { ChallengeView } from '../core/operator/challenges.ts'
import { connectionText, sessionText } from '../core/operator/connection.ts'
import type { Inbox } from '../core/operator/inbox.ts'
import { firstWords } from '../core/operator/target-of.ts'
import { seconds } from './open-operator.ts'
import { counted, table } from './render.ts'
import type { Elsewhere } from './waiting-elsewhere.ts'
import type { World } from './world.ts'

/** What waits in one store. */
export interface Waiting {
  readonly inbox: Inbox
  readonly challenges: readonly ChallengeView[]
  /** Its address: two servers with different environments may use two stores. */
  readonly store: string
}

/** What waits, without its parameters; of a pause the action is named, as the trail names it. */
export function approvalsText(
  { inbox: { open, held }, challenges, store }: Waiting,
  elsewhere: Elsewhere | undefined,
  world: World,
): string {
  const parts = [
    open.length + challenges.length + held.length === 0 && 'Nothing waits.',
    open.length > 0 && requestTable(open, world),
    challenges.length > 0 && challengeTable(challenges, world),
    ...heldLines(held),
    [`Store: ${displayText(store)}`, ...(elsewhere ? [elsewhereText(elsewhere, world)] : [])].join('\n'),
  ].filter((part) => part !== false)
  return parts.join('\n\n')
}

/** A crowd of sessions takes one line, so that it pushes nothing off the screen. */
function heldLines(held: Inbox['held']): readonly string[] {
  const lines = held.slice(0, MOST_LINES).map(({ principal, session, count }) => {
    const why = session === undefined ? 'it has asked too often' : 'it, or others with its principal, asked too often'
    return `${count} more of ${displayText(principal)}${sessionText(session)} held back: ${why} (approvals --held)`
  })
  const rest = held.slice(MOST_LINES)
  if (rest.length === 0) return lines
  const count = rest.reduce((sum, each) => sum + each.count, 0)
  return [
    ...lines,
    `${count} more of ${counted(rest.length, 'other session', 'other sessions')} held back (approvals --held)`,
  ]
}

const MOST_LINES = 10

/** SELF-13: what is held back can be looked at and decided all the same. */
export function heldText({ held }: Inbox, world: World): string {
  const first = held.flatMap((each) => each.first)
  return first.length === 0 ? 'Nothing is held back.' : requestTable(first, world)
}

function elsewhereText({ store, count }: Elsewhere, { program }: World): string {
  return `${counted(count, 'request waits', 'requests wait')} in another store of this account: ${program} approvals --store ${displayText(store)}`
}

export function approvalsJson({ inbox: { open, held }, challenges, store }: Waiting, elsewhere: Elsewhere | undefined) {
  return {
    store,
    ...(elsewhere && { elsewhere }),
    requests: open.map((request) => ({
      id: request.id,
      kind: request.kind,
      class: request.class,
      operation: request.operation,
      ...(request.kind === 'pause' && { action: actionOf(request), because: request.reasons }),
      category: request.category,
      level: request.level,
      source: request.adapter,
      principal: request.principal,
      session: request.session,
      ...(request.label !== undefined && { label: request.label }),
      ...(request.client !== undefined && { client_claims: request.client }),
      issued_at: new Date(request.issuedAt).toISOString(),
      expires_at: new Date(request.expiresAt).toISOString(),
    })),
    challenges: challenges.map(({ id, element_name, tier, state, expiresAt }) => ({
      id,
      agent: element_name,
      tier,
      state,
      expires_at: new Date(expiresAt).toISOString(),
    })),
    held: held.map(({ principal, session, count, first }) => ({
      principal,
      ...(session !== undefined && { session }),
      count,
      first: first.map(({ id }) => id),
    })),
  }
}

function requestTable(open: readonly ApprovalRequest[], world: World): string {
  const rows = byConnection(open).map((request) => [
    request.id,
    request.level,
    [displayText(request.operation), actionOf(request)].filter((text) => text !== '').join(': '),
    displayText(request.adapter),
    connectionText(request),
    seconds(request.expiresAt - world.now()),
  ])
  return table(['REQUEST', 'DANGER', 'OPERATION', 'SOURCE', 'ASKED BY', 'TIME LEFT'], rows, world)
}

/** Those of one connection stand together; that whose time runs out first comes first. */
function byConnection(open: readonly ApprovalRequest[]): readonly ApprovalRequest[] {
  const groups = new Map<string, ApprovalRequest[]>()
  for (const request of open) {
    const key = JSON.stringify([request.principal, request.session])
    groups.set(key, [...(groups.get(key) ?? []), request])
  }
  return [...groups.values()].flat()
}

/** Without what looks like a credential: the list needs no secret. */
function actionOf({ kind, params: { hint } }: Pick<ApprovalRequest, 'kind' | 'params'>): string {
  return kind === 'pause' && typeof hint === 'string' ? textOf(displayRedacted(firstWords(redactProse(hint)))) : ''
}

function challengeTable(challenges: readonly ChallengeView[], world: World): string {
  const rows = challenges.map(({ id, element_name, tier, expiresAt }) => [
    id,
    displayText(element_name),
    tier,
    seconds(expiresAt - world.now()),
  ])
  return table(['VERIFICATION', 'AGENT', 'TIER', 'TIME LEFT'], rows, world)
}
