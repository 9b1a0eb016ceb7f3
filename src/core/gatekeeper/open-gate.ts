import type { DangerLevel } from '../../protocol/danger.ts'
import { fail } from '../../protocol/errors.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import type { TrustPolicy } from '../../protocol/trust.ts'
import type { AuditBuffer } from '../audit/audit-buffer.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { quotaRef } from '../quota/counters.ts'
import { type QuotaStatus, quotaStatus } from '../quota/quota-status.ts'
import type { RateLimits } from '../quota/rate-limits.ts'
import { readRateLimits } from '../quota/read-rate-limits.ts'
import type { Operation } from '../registry/compile-operation.ts'
import type { Registry } from '../registry/registry.ts'
import type { Session } from '../session.ts'
import { compilePatterns, type DangerPatterns, type PatternSettings } from '../trust/danger-patterns.ts'
import { faultOfCooldown } from '../trust/read-danger.ts'
import type { SourceTrust } from '../trust/source-trust.ts'
import { readTrustPolicy } from '../trust/trust-policy.ts'
import { type Admitted, type Permit, takeOver } from './admit.ts'
import type { DecisionRules } from './approvals.ts'
import { createAttemptCounter } from './attempt-counter.ts'
import { ATTENTION, type AttentionLimits } from './attention.ts'
import { type About, attempt } from './audit-entries.ts'
import type { Reach } from './demand.ts'
import { endDesk, recoverDesks, sweepRequests } from './end-session.ts'
import { BROKEN_COUNTERS } from './enter.ts'
import { createGate, type Gate, type GateSettings } from './gate.ts'
import { type Ending, recordRunning, settle } from './intent.ts'
import { persist, sleep } from './persist.ts'
import { compilePolicies, type Permission, type PolicyRecord } from './policies.ts'
import { type Standing, type StandingSettings, standingOf } from './standing.ts'
import type { TrustOptions } from './stored-trust.ts'
import { CLOCK_SKEW_SECONDS, LIFETIMES, type Lifetimes, lifetimeOf } from './tokens.ts'

/** What the operator decides about the gate; everything has a safe default. */
export interface GateOptions extends TrustOptions {
  readonly readOnly?: boolean
  /** Operation policies; the strictest that matches wins (GATE-06). */
  readonly policies?: readonly PolicyRecord[]
  readonly trustPolicy?: TrustPolicy
  readonly dangerPatterns?: PatternSettings
  /** Levels that the operator fixes for single operations (DNG-11). */
  readonly dangerLevels?: Readonly<Record<string, DangerLevel>>
  /** Seconds a token lives (TOK-11). */
  readonly tokenLifetimes?: Partial<Lifetimes>
  readonly clockSkewSeconds?: number
  readonly tokenCapacity?: number
  readonly attention?: AttentionLimits
  /** The longest `_wait_seconds`. */
  readonly maxWaitSeconds?: number
  /** Record every READ instead of counting it (AUDIT-10). */
  readonly auditReads?: boolean
  /** What a decision needs to count (SELF-14, R-44). */
  readonly decisionRules?: DecisionRules
  /** How a human can be reached (SELF-02). */
  readonly reach?: () => Reach
}

export interface GateSurroundings {
  readonly store: Store
  readonly clock: Clock
  readonly own: ReadonlyMap<string, Permission>
  readonly stops: GateSettings['stops']
  readonly guard?: GateSettings['guard']
  readonly full: GateSettings['full']
  readonly report: (cause: unknown) => string
  readonly buffer: AuditBuffer
  readonly trust: SourceTrust
  /** Somebody has changed how far the source is trusted, or the policies. */
  readonly onChange: () => Promise<void>
}

export interface OpenGate extends Gate {
  /**
   * How an admitted call ended: a durable commit for what was recorded before its effect, a note for the rest. Nothing
   * when an execution has taken the call over: it settles it when it ends.
   */
  settle(call: Admitted, ending: Ending): Promise<void> | undefined
  /** Is the call recorded when it has ended, and not before its effect? READs that are only counted are not recorded. */
  isNoted(call: Admitted): boolean
  /** Writes the intent of such a call, which still runs: a crash from here on leaves an unknown outcome. */
  recordRunning(call: Admitted): void
  aboutOf(call: Admitted): About
  readonly limits?: RateLimits
  /** Those in force. */
  readonly policies: readonly PolicyRecord[]
  /** RATE-14; undefined for an adapter without limits. */
  quotaStatus(): Promise<QuotaStatus | OperationFailure | undefined>
  /**
   * SELF-14: what a reloaded file tightens holds at once; what it loosens holds from the next start on, which is the
   * operator's act. So records only ever join those in force.
   */
  addPolicies(records: readonly PolicyRecord[]): Promise<PolicyChange>
  endSession(session: Session, reason: string): Promise<void>
  close(): Promise<void>
}

export interface PolicyChange {
  /** Records that are in force now and were not before. */
  readonly added: number
  /** Records in force that the file no longer has; they hold until the next start. */
  readonly kept: number
}

/** Before the first request: every operation gets its standing, and what a crash left open is closed (security order). */
export async function openGate(
  registry: Registry,
  options: GateOptions,
  { store, clock, own, stops, guard, full, report, buffer, trust, onChange }: GateSurroundings,
): Promise<OpenGate> {
  const { adapter } = registry
  const lifetimes = checkLifetimes(options.tokenLifetimes ?? {})
  const limits = limitsOf(adapter.name, adapter.rate_limits)
  const toleranceSeconds = checkSkew(options.clockSkewSeconds ?? CLOCK_SKEW_SECONDS.default)
  const settings = settingsOf(options, own, trust)
  let policies = options.policies ?? []
  let compiled = await compilePolicies(policies)
  const standings = new Map<string, Standing>()
  const stand = (): void => {
    const now = { ...settings, policies: compiled, hasDrift: trust.view().drift.length > 0 }
    for (const [name, standing] of standingsOf(registry, now, lifetimes)) standings.set(name, standing)
  }
  stand()
  let isStale = false
  /** TRUST-03: a change of the record by whatever process. What cannot be judged by it is not plain any more (GATE-11). */
  const renew = async (): Promise<void> => {
    isStale = (await trust.refresh()) || isStale
    if (!isStale) return
    try {
      stand()
    } catch (cause) {
      for (const [name, standing] of standings)
        if (!standing.isOwn) standings.set(name, { ...standing, isPlain: false })
      throw cause
    }
    isStale = false
    await onChange().catch(report)
  }
  await recoverDesks(store, clock)
  await sweepRequests(store, clock)
  const attempts = createAttemptCounter({ clock, note: buffer.note })
  const gate = createGate({
    adapter: adapter.name,
    standings,
    store,
    clock,
    lifetimes,
    toleranceSeconds,
    capacity: options.tokenCapacity ?? 10_000,
    attention: options.attention ?? ATTENTION,
    attempts,
    maxWaitSeconds: options.maxWaitSeconds ?? 25,
    records: buffer,
    sleep,
    report,
    stops,
    full,
    ...(options.reach && { reach: options.reach }),
    ...(options.decisionRules && { rules: options.decisionRules }),
    ...(options.trust === undefined && { renew }),
    ...(limits && { limits }),
    ...(guard && { guard }),
  })
  const sweeping = setInterval(() => void sweepRequests(store, clock).catch(report), SWEEP_MS)
  sweeping.unref()
  // What is plain waits for nobody, in the order in which it came (CONC-01), so it knows what the record said a moment
  // ago. A store that cannot be read says so where it is asked.
  const renewing = setInterval(() => void renew().catch(() => {}), RENEW_MS)
  renewing.unref()
  const aboutOf = (call: Admitted): About => ({
    call,
    adapter: adapter.name,
    session: call.session.id ?? call.session.minted ?? 'none',
    standing: call.standing,
  })
  const isCounted = ({ target, standing }: Admitted): boolean =>
    target.category === 'READ' && standing.level === 'safe' && !options.auditReads
  /** Intents that were written while the handler ran; undefined where the store did not take one. */
  const late = new WeakMap<Admitted, Promise<string | undefined>>()
  const retried = [...registry.operations.values()].filter(({ lifecycle }) => lifecycle?.supports_retry)
  /** A retry is asked about as the operation that it runs again, so it takes that operation's tokens. */
  const isRetry = (operation: Operation) => operation.name === 'retry_execution' && gate.standing(operation).isOwn
  const unsettled = new Set<Promise<void>>()
  let isClosed = false

  const settleDurably = async (call: Admitted, permit: Permit, ending: Ending): Promise<void> => {
    const write = () => settle(store, clock, aboutOf(call), permit, ending)
    try {
      await write()
    } catch (cause) {
      const reference = report(cause)
      const retry = persist(write, () => isClosed).finally(() => unsettled.delete(retry))
      unsettled.add(retry)
      throw new Error(`the effect has happened, but its outcome is not recorded yet (reference ${reference})`)
    }
  }

  const note = (call: Admitted, { outcome, code, reason, isRefused }: Ending): void => {
    if (isCounted(call)) {
      buffer.count(call.operation, call.session.principal, adapter.name)
      return
    }
    buffer.note({
      ...attempt(aboutOf(call), clock.now()),
      ...(isRefused
        ? ({ event: 'OPERATION_DENIED', result: 'denied', outcome: 'denied' } as const)
        : ({ event: 'OPERATION_CALLED', result: 'allowed', outcome } as const)),
      ...(code !== undefined && { error_code: code }),
      ...(reason !== undefined && { reason }),
    })
  }

  const settleLate = async (call: Admitted, writing: Promise<string | undefined>, ending: Ending): Promise<void> => {
    const intent = await writing
    if (intent !== undefined) return settleDurably(call, { ...call.permit, intent }, ending)
    note(call, ending)
    if (call.permit?.reservation) await settleDurably(call, call.permit, ending)
  }

  const add = async (records: readonly PolicyRecord[]): Promise<PolicyChange> => {
    const known = new Set(policies.map(spelled))
    const given = new Set(records.map(spelled))
    const fresh = records.filter((record) => !known.has(spelled(record)))
    const all = [...policies, ...fresh]
    const next = await compilePolicies(all)
    const change = { added: fresh.length, kept: policies.filter((record) => !given.has(spelled(record))).length }
    const entry = {
      timestamp: new Date(clock.now()).toISOString(),
      event: 'POLICY_CHANGED',
      adapter_name: adapter.name,
      operator: 'policy file',
      old: policies.map(spelled),
      new: all.map(spelled),
    } as const
    if (fresh.length > 0) await store.update({}, () => ({ audit: [entry], result: undefined }))
    compiled = next
    policies = all
    stand()
    await onChange().catch(report)
    return change
  }
  /** One after the other: each adds to what those before it have left. */
  let adding: Promise<unknown> = Promise.resolve()

  return {
    ...gate,
    ...(limits && { limits }),
    aboutOf,
    isGateable: (operation) =>
      gate.isGateable(operation) || (isRetry(operation) && retried.some((each) => gate.isGateable(each))),
    settle(call, ending) {
      if (!takeOver(call)) return undefined
      const { permit } = call
      if (permit?.intent !== undefined) return settleDurably(call, permit, ending)
      const writing = late.get(call)
      if (writing) return settleLate(call, writing, ending)
      note(call, ending)
      return permit?.reservation && settleDurably(call, permit, ending)
    },
    isNoted: (call) => call.permit?.intent === undefined && !isCounted(call),
    recordRunning(call) {
      if (call.standing.isOwn || call.passage !== 'running') return
      const failed = (cause: unknown) => void report(cause)
      late.set(call, recordRunning(store, clock, aboutOf(call)).catch(failed) as Promise<string | undefined>)
    },
    async quotaStatus() {
      if (!limits) return undefined
      const status = quotaStatus(await store.get(quotaRef(adapter.name)), limits, adapter.name, clock.now())
      return status === 'broken' ? fail('INTERNAL_ERROR', { description: BROKEN_COUNTERS }) : status
    },
    get policies() {
      return policies
    },
    addPolicies(records) {
      const added = adding.then(() => add(records))
      adding = added.catch(() => {})
      return added
    },
    async endSession(session, reason) {
      if (session.id !== undefined) await endDesk(store, clock, session.id, reason)
    },
    async close() {
      clearInterval(sweeping)
      clearInterval(renewing)
      isClosed = true
      await Promise.all(unsettled)
      attempts.close()
      trust.close()
      await buffer.close()
    },
  }
}

/** Two records that say the same are one, wherever they stand. */
function spelled({ operation, permission, conditions = [] }: PolicyRecord): string {
  return JSON.stringify({ operation, permission, conditions })
}

const SWEEP_MS = 600_000
const RENEW_MS = 250

/** What a start decides for good. */
function settingsOf(options: GateOptions, own: ReadonlyMap<string, Permission>, trust: SourceTrust) {
  return {
    trust: trust.of,
    trustPolicy: trustPolicyOf(options.trustPolicy),
    patterns: patternsOf(options.dangerPatterns ?? {}),
    readOnly: options.readOnly ?? false,
    pinned: options.dangerLevels ?? {},
    own,
  }
}

function standingsOf(
  { operations }: Registry,
  settings: StandingSettings,
  lifetimes: Lifetimes,
): ReadonlyMap<string, Standing> {
  const known = new Map<string, Standing>()
  for (const operation of operations.values())
    known.set(
      operation.name,
      explained(operation, () => checked(operation)),
    )
  return known

  function checked(operation: Operation): Standing {
    const standing = standingOf(operation, settings)
    const fault = faultOfCooldown(standing.danger, lifetimeOf('operation', standing.level, lifetimes))
    if (fault !== undefined) throw new Error(fault)
    const { preview_with } = operation.definition
    if (preview_with !== undefined && operations.get(preview_with)?.category !== 'READ') {
      throw new Error(`preview_with '${preview_with}' is not a READ operation`)
    }
    return standing
  }
}

function explained<T>({ name }: Operation, make: () => T): T {
  try {
    return make()
  } catch (cause) {
    throw new Error(`Operation '${name}': ${(cause as Error).message}`)
  }
}

/** TRUST-19: a key or a level that there is not would tighten nothing. */
function trustPolicyOf(given: TrustPolicy | undefined): TrustPolicy {
  const reading = readTrustPolicy(given)
  if ('error' in reading) throw new Error(reading.error)
  return reading.policy
}

/** TOK-12. */
function checkSkew(seconds: number): number {
  const { least, most } = CLOCK_SKEW_SECONDS
  if (Number.isFinite(seconds) && seconds >= least && seconds <= most) return seconds
  throw new Error(`clockSkewSeconds must lie between ${least} and ${most}`)
}

function patternsOf(settings: PatternSettings): DangerPatterns {
  const compiled = compilePatterns(settings)
  if (Object.hasOwn(compiled, 'error')) throw new Error((compiled as { readonly error: string }).error)
  return (compiled as { readonly patterns: DangerPatterns }).patterns
}

function limitsOf(adapter: string, block: unknown): RateLimits | undefined {
  if (block === undefined) return undefined
  const reading = readRateLimits(block)
  if (Object.hasOwn(reading, 'errors')) {
    throw new Error(`Adapter '${adapter}': ${(reading as { readonly errors: readonly string[] }).errors.join('; ')}`)
  }
  return reading as RateLimits
}

/** TOK-11: a value above the maximum stops the start. */
function checkLifetimes(given: Partial<Lifetimes>): Lifetimes {
  const entries = Object.entries(LIFETIMES).map(([name, { default: usual, most }]) => {
    const seconds = given[name as keyof Lifetimes] ?? usual
    if (!(seconds >= 1 && seconds <= most))
      throw new Error(`the lifetime of ${name} tokens must lie between 1 and ${most} seconds`)
    return [name, seconds]
  })
  return Object.fromEntries(entries)
}
