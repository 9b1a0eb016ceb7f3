import { fail } from '../../protocol/errors.ts'
import { failure, type OperationFailure } from '../../protocol/result.ts'
import { isShared } from '../session.ts'
import type { ApprovalRequest } from './request.ts'

/** How a human can be reached, in words for the agent (SELF-10). */
export interface Reach {
  /** Channels that can approve here, for example `console`, `terminal`, `elicitation`. */
  readonly channels: readonly string[]
  readonly consoleUrl?: string
}

export interface DemandExtras {
  readonly cooldownSeconds?: number
  /** The session that was minted for a call without one (MCP-25). */
  readonly session?: string
  /** Inside a batch: the parameters with their references resolved (BATCH-09). */
  readonly params?: Readonly<Record<string, unknown>>
}

/**
 * TOK-05, ERR-35, X-13: what the agent is told while a human has not decided. Who must be told a session as well is not
 * told the approval's id, so that the answer stays short: the token stands for it.
 */
export function demand(request: ApprovalRequest, reach: Reach, extras: DemandExtras = {}): OperationFailure {
  const { token = '', reasons, message = 'Run it?' } = request
  const expires_at = wholeSeconds(request.expiresAt)
  const made = fail('CONFIRMATION_REQUIRED', {
    operation: request.operation,
    danger_level: request.level,
    ...(reasons.length > 0 && { reasons }),
    confirmation_message: message,
    confirmation_token: token,
    expires_at,
    ...(extras.session === undefined && { approval_id: request.id }),
    waiting_for: `${waitingFor(request, reach)}. ${extras.session === undefined ? NEXT : `${NEXT} and _session`}`,
    ...(extras.cooldownSeconds !== undefined && { cooldown_remaining_seconds: extras.cooldownSeconds }),
    ...(extras.session !== undefined && { session_id: extras.session }),
    ...(extras.params && { params: extras.params }),
  })
  const confirmation = {
    token,
    expires_at,
    message,
    ...(reasons.length > 0 && { reasons }),
  }
  return failure(made.error, confirmation)
}

const NEXT = 'Tell the user; repeat with confirmation_token'

/** Rounded down, so that nobody is promised more time than there is. */
function wholeSeconds(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`
}

/** Few words: the agent pays for each (at most 250 tokens for the whole answer). */
function waitingFor({ shown, formDeclined, principal }: ApprovalRequest, { channels, consoleUrl }: Reach): string {
  if (channels.length === 0) return 'a human, but no approval channel is set up (console, terminal, elicitation)'
  if (!shown) return isShared(principal) ? LATER : 'a human, who has other requests of yours to decide first'
  const human = `a human${placeOf(channels, consoleUrl)}`
  return formDeclined ? `${human}, since the client declined its form unread` : human
}

/** Whose the other requests are is not known where many share a principal. */
const LATER = 'a human, who is shown it after other requests'

function placeOf(channels: readonly string[], consoleUrl: string | undefined): string {
  if (consoleUrl !== undefined && channels.includes('console')) return ` at ${consoleUrl.replace(/\/$/, '')}`
  return channels.includes('terminal') ? ' (mcpaql approvals)' : ''
}
