import { type Decided, type DecisionRules, decide } from '../gatekeeper/approvals.ts'
import type { ApprovalRequest, LayerVerdict } from '../gatekeeper/request.ts'
import type { Clock } from '../ports/clock.ts'
import type { HumanDecision } from '../ports/human.ts'
import type { Store, TrailEntry, TrailQuery } from '../ports/store.ts'
import { type AgentView, readAgents } from './agents.ts'
import {
  type AuditPage,
  type ChainState,
  type Finding,
  readEntry,
  readFindings,
  recordFinding,
  searchTrail,
} from './audit-view.ts'
import { type Blocks, createBlocks } from './blocks.ts'
import { type ChainParts, createChainState } from './chain-state.ts'
import { type Challenges, createChallenges } from './challenges.ts'
import { type Clients, createClients } from './clients.ts'
import { type Health, type HealthParts, readHealth } from './health.ts'
import { type Deed, readHistory } from './history.ts'
import { type Inbox, type InboxReading, readInbox } from './inbox.ts'
import type { ReadQuotas } from './quotas.ts'
import { callsMatching, type DraftPolicy, type Replay, readCalls, replayPolicy } from './replay.ts'
import { createRequestView, type Preview, type RequestView, type Viewer } from './request-view.ts'
import type { SourcePolicy, SourceRecord } from './source-record.ts'
import { createTrusts, type Trusts } from './trusts.ts'
import { createUnknownOutcomes, type UnknownOutcome } from './unknown-outcomes.ts'
import { createWatch, type Watch } from './watch.ts'

/** The operator plane over one store: what the console and the terminal show, and what they may do. */
export interface Operator {
  readonly clock: Clock
  inbox(): Promise<Inbox>
  inboxOf<T>(reading: InboxReading<T>): Promise<Inbox<T>>
  unknownOutcomes(): Promise<readonly UnknownOutcome[]>
  request(id: string, viewer: Viewer): Promise<RequestView | undefined>
  /** The request alone; whoever reads its parameters is recorded all the same. */
  requestAlone(id: string, viewer: Viewer): Promise<ApprovalRequest | undefined>
  decide(id: string, decision: HumanDecision): Promise<Decided>
  agents(): Promise<readonly AgentView[]>
  history(principal: string, limit?: number): Promise<readonly Deed[]>
  search(query: TrailQuery): Promise<AuditPage>
  entry(seq: number): Promise<TrailEntry | undefined>
  findings(seq: number): Promise<readonly TrailEntry[]>
  recordFinding(seq: number, finding: Finding): Promise<'recorded' | 'unknown'>
  sources(): Promise<readonly SourceRecord[]>
  policies(): Promise<readonly PolicyView[]>
  replay(draft: DraftPolicy, days: number): Promise<Replay>
  health(): Promise<Health>
  readonly blocks: Blocks
  readonly trusts: Trusts
  readonly clients: Clients
  readonly challenges: Challenges
  chain(): Promise<ChainState>
  /** What this process cannot offer is absent, and whoever shows it says so. */
  readonly quotas?: ReadQuotas
  readonly explain?: Explain
  readonly watch: Watch
  close(): void
}

export interface PolicyView extends SourcePolicy {
  readonly adapter: string
  /** Calls of the last seven days that the record names. */
  readonly calls: number
}

/** How a call would be decided if it arrived now; nothing runs. */
export type Explain = (source: string, operation: string, params: unknown) => Promise<Explained>

export type Explained =
  | { readonly kind: 'explained'; readonly decision: string; readonly trace: readonly LayerVerdict[] }
  | { readonly kind: 'refused'; readonly why: string }

export interface OperatorParts extends HealthParts, Pick<ChainParts, 'anchors' | 'anchorPlace'> {
  readonly store: Store
  readonly clock: Clock
  readonly rules?: DecisionRules
  readonly preview?: Preview
  readonly quotas?: ReadQuotas
  readonly explain?: Explain
  readonly pollMs?: number
}

export function createOperator(parts: OperatorParts): Operator {
  const { store, clock, rules, quotas, explain } = parts
  const blocks = createBlocks(store, clock)
  const challenges = createChallenges(store, clock)
  const watch = createWatch(store, parts.pollMs)
  const unknown = createUnknownOutcomes(store)
  const view = createRequestView(parts)
  const sources = async () => (await store.list<SourceRecord>('source')).map(({ value }) => value)

  /** BLOCK-10: a denial that calls the agent manipulated stops it as well. */
  const stopManipulated = async (result: Decided, { manipulated, by, reason }: HumanDecision) => {
    if (!manipulated || result.kind !== 'decided' || result.request.state !== 'denied') return
    const { principal, agent } = result.request
    await blocks.block({
      agentKey: agent?.key ?? principal,
      name: agent?.element_name ?? principal,
      principal,
      reason: reason ?? 'Denied as manipulated',
      by: by.subject,
      channel: by.channel,
    })
  }

  return {
    clock,
    inbox: () => readInbox(store, clock.now(), { keep: (request) => request }),
    inboxOf: (reading) => readInbox(store, clock.now(), reading),
    unknownOutcomes: unknown.list,
    request: view.whole,
    requestAlone: view.alone,

    async decide(id, decision) {
      const result = await decide(store, clock, id, decision, ...(rules ? [rules] : []))
      await stopManipulated(result, decision)
      void watch.look()
      return result
    },

    agents: async () => readAgents(store, await blocks.list(), clock.now()),
    history: (principal, limit) => readHistory(store, principal, limit),
    search: (query) => searchTrail(store, query),
    entry: (seq) => readEntry(store, seq),
    findings: (seq) => readFindings(store, seq),

    async recordFinding(seq, finding) {
      const result = await recordFinding(parts, seq, finding)
      void watch.look()
      return result
    },

    sources,

    async policies() {
      const calls = await readCalls(store, clock.now() - WEEK_MS)
      return (await sources()).flatMap(({ adapter, policies }) =>
        policies.map((policy) => ({ ...policy, adapter, calls: callsMatching(calls, policy.operation, adapter) })),
      )
    },

    replay: (draft, days) => replayPolicy(store, draft, clock.now() - days * DAY_MS),
    health: async () => readHealth(parts, await sources()),
    blocks,
    trusts: createTrusts(store, clock),
    clients: createClients(store, clock),
    challenges,
    chain: createChainState(parts),
    ...(quotas && { quotas }),
    ...(explain && { explain }),
    watch,
    close: watch.close,
  }
}

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
