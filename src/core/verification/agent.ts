import type { AgentNotification, AutonomySettings, SafetyTier } from '../../protocol/directive.ts'
import type { ExecutionStatus } from '../../protocol/lifecycle.ts'
import type { ErrorDetail } from '../../protocol/result.ts'
import { type RecordRef, record } from '../ports/store.ts'

/** What the server remembers of one agent: a principal under one name (LOOP-10). */
export interface AgentRecord {
  readonly key: string
  readonly principal: string
  /** As the client wrote it when it last started. */
  readonly element_name: string
  /** When it first started; names never seen before a block cannot start during it (BLOCK-04). */
  readonly firstSeenAt: number
  /** The one that runs. */
  readonly execution?: AgentExecution
  /** The last that ended, the newest first. */
  readonly ended: readonly AgentExecution[]
  readonly pause?: Pause
  readonly challenge?: PendingChallenge
  /** When challenges were made lately (OOB-14). */
  readonly issued: readonly number[]
  readonly grants: readonly Grant[]
  /** Informational notifications that wait for the next report (NOTE-09). */
  readonly notices: readonly AgentNotification[]
}

export interface AgentExecution {
  readonly execution_id: string
  readonly adapter: string
  /** The session that may report on it (LOOP-14), and who holds that session. */
  readonly session: string
  readonly opener: string
  readonly status: ExecutionStatus
  readonly goal?: string
  readonly startedAt: number
  readonly finishedAt?: number
  /** Reports accepted. */
  readonly steps: number
  /** Reports evaluated since a human last let it go on (AUTO-03). */
  readonly count: number
  readonly settings: AutonomySettings
  /** Hashes of hints that a human denied: refused for the rest of the execution. */
  readonly denied: readonly string[]
  readonly outcome?: string
  readonly summary?: string
  readonly reason?: string
  readonly error?: ErrorDetail
}

/** AUTO-16: holds until a human decides on the request. */
export interface Pause {
  readonly approvalId: string
  /** `action`: an approval covers the action; the others only let the execution go on (AUTO-18). */
  readonly cause: 'step_limit' | 'failure' | 'action'
  readonly hintHash: string
  readonly hint: string
  readonly session: string
  readonly reason: string
  readonly factors: readonly string[]
  readonly score: number
  readonly tier?: SafetyTier
  /** A `requiresApproval` pattern matched (NOTE-05). */
  readonly pattern?: string
  readonly since: number
}

/** The one challenge that can be answered (OOB-14). */
export interface PendingChallenge {
  readonly id: string
  /** A block outlives its challenge; a verify pause ends with it (BLOCK-09). */
  readonly cause: 'verify' | 'block'
  readonly state: 'waiting' | 'failed' | 'undeliverable'
  readonly hintHash: string
  readonly reason: string
  readonly since: number
  readonly expiresAt: number
}

/** AUTO-17: one execution of exactly one action. */
export interface Grant {
  readonly hintHash: string
  readonly session: string
  readonly until: number
  /** What it came from: an approval's or a challenge's id. */
  readonly from: string
}

export function agentRef(key: string): RecordRef<AgentRecord> {
  return record('agent', key)
}

export function newAgent(agent: Pick<AgentRecord, 'key' | 'principal' | 'element_name' | 'firstSeenAt'>): AgentRecord {
  return { ...agent, ended: [], issued: [], grants: [], notices: [] }
}

/** NOTE-09: at most so many wait; the oldest go first. */
export function withNotice(agent: AgentRecord, notice: AgentNotification): AgentRecord {
  return { ...agent, notices: [...agent.notices, notice].slice(-MOST_NOTICES) }
}

const MOST_NOTICES = 100

export function withoutPause({ pause: _, ...agent }: AgentRecord): AgentRecord {
  return agent
}

export function withoutChallenge({ challenge: _, ...agent }: AgentRecord): AgentRecord {
  return agent
}

/** Grants that can still be used. */
export function liveGrants({ grants }: AgentRecord, now: number): readonly Grant[] {
  return grants.filter(({ until }) => now <= until)
}
