import { displayText } from '../core/display.ts'
import type { ApprovalRequest } from '../core/gatekeeper/request.ts'
import type { ChallengeView } from '../core/operator/challenges.ts'
import type { Inbox } from '../core/operator/inbox.ts'
import { seconds } from './open-operator.ts'
import { table } from './render.ts'
import type { World } from './world.ts'

/** What waits, without what it is about: neither parameters nor hints. */
export function approvalsText({ open, held }: Inbox, challenges: readonly ChallengeView[], world: World): string {
  const parts = [
    open.length > 0 && requestTable(open, world),
    challenges.length > 0 && challengeTable(challenges, world),
    ...held.map(
      ({ principal, count }) => `${count} more of ${displayText(principal)} held back: it has asked too often`,
    ),
  ].filter((part) => part !== false)
  return parts.length === 0 ? 'Nothing waits.' : parts.join('\n\n')
}

export function approvalsJson({ open, held }: Inbox, challenges: readonly ChallengeView[]) {
  return {
    requests: open.map((request) => ({
      id: request.id,
      kind: request.kind,
      class: request.class,
      operation: request.operation,
      category: request.category,
      level: request.level,
      source: request.adapter,
      principal: request.principal,
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
    held: held.map(({ principal, count }) => ({ principal, count })),
  }
}

function requestTable(open: readonly ApprovalRequest[], world: World): string {
  const rows = open.map(({ id, level, operation, adapter, principal, expiresAt }) => [
    id,
    level,
    displayText(operation),
    displayText(adapter),
    displayText(principal),
    seconds(expiresAt - world.now()),
  ])
  return table(['REQUEST', 'DANGER', 'OPERATION', 'SOURCE', 'ASKED BY', 'TIME LEFT'], rows, world)
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
