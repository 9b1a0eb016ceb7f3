import { randomBytes } from 'node:crypto'
import { decide } from '../src/core/gatekeeper/approvals.ts'
import { createLoop, type Loop, type LoopOptions } from '../src/core/loop/loop.ts'
import type { StepAnswer } from '../src/core/loop/record-step.ts'
import type { ConsoleChannel } from '../src/core/ports/channel.ts'
import { humanDecision } from '../src/core/ports/human.ts'
import type { Store } from '../src/core/ports/store.ts'
import type { Session } from '../src/core/session.ts'
import { reveal } from '../src/core/verification/reveal.ts'
import type { AutonomyDirective } from '../src/protocol/directive.ts'
import { isFailure, type OperationFailure } from '../src/protocol/result.ts'
import { createMemoryStore } from '../src/store/memory.ts'

/** A safety loop with an operator beside it, for tests. Time stands still until it is told to move. */
export interface LoopBench {
  readonly store: Store
  readonly loop: Loop
  readonly time: { now: number }
  session(principal?: string): Session
  /** Reports, and returns the directive; throws when the report is refused. */
  report(session: Session, hint: string, more?: Record<string, unknown>): Promise<AutonomyDirective>
  /** Reports, and returns what comes. */
  step(session: Session, hint: string, more?: Record<string, unknown>): Promise<StepAnswer | OperationFailure>
  start(session: Session, element_name?: string, more?: Record<string, unknown>): Promise<string>
  approve(id: string): Promise<void>
  deny(id: string): Promise<void>
  revoke(id: string): Promise<void>
  /** The code, as a human reads it in the console. */
  code(challenge: string): Promise<string>
  events(): Promise<readonly string[]>
  /** The same store under a new loop, as after a restart or in another process. */
  again(options?: Partial<LoopOptions>): Promise<LoopBench>
}

export const CONSOLE: ConsoleChannel = { kind: 'console', name: 'console', where: 'the web console' }

/** What an operator may deny; the scores of the bench say nothing about commands. */
const DENIED = ['drop_*', 'delete_all*', 'rm -rf*', '*_production*']

/** `risk 70` anywhere in the hint is its score; 0 without. */
export function scoreByNumber(hint: string) {
  const score = Number(/risk (\d+)/.exec(hint)?.[1] ?? 0)
  return { score, factors: [`the hint says ${score}`] }
}

export async function createLoopBench(
  options: Partial<LoopOptions> = {},
  store: Store = createMemoryStore(),
  time = { now: 1_700_000_000_000 },
): Promise<LoopBench> {
  const clock = { now: () => time.now }
  const loop = await createLoop({
    store,
    clock,
    adapter: 'demo',
    mode: 'enforcing',
    score: scoreByNumber,
    channels: [CONSOLE],
    ...options,
    settings: { deny: DENIED, ...options.settings },
  })
  const by = { subject: 'operator', channel: 'console', role: 'admin' } as const
  const step: LoopBench['step'] = (session, next_action_hint, more = {}) =>
    loop.recordStep(session, { element_name: 'bot', next_action_hint, ...more })
  const decided = async (id: string, decision: 'approve' | 'deny' | 'revoke') => {
    const result = await decide(store, clock, id, humanDecision({ decision, by }))
    if (result.kind !== 'decided') throw new Error(`refused: ${result.why}`)
  }
  return {
    store,
    loop,
    time,
    session(principal = 'ann') {
      const id = randomBytes(18).toString('base64url')
      return { id, principal, owner: id, signal: new AbortController().signal }
    },
    step,
    async report(session, hint, more) {
      const answer = await step(session, hint, more)
      if (isFailure(answer)) throw new Error(`${answer.error.code}: ${answer.error.message}`)
      if (!answer.autonomy) throw new Error('no directive')
      return answer.autonomy
    },
    async start(session, element_name = 'bot', more = {}) {
      const started = await loop.executeAgent(session, { element_name, ...more })
      if (isFailure(started)) throw new Error(`${started.error.code}: ${started.error.message}`)
      return started.execution_id
    },
    approve: (id) => decided(id, 'approve'),
    deny: (id) => decided(id, 'deny'),
    revoke: (id) => decided(id, 'revoke'),
    async code(challenge) {
      const revealed = await reveal(store, clock, challenge, 'operator')
      if (revealed.kind !== 'shown') throw new Error(`not shown: ${revealed.why}`)
      return revealed.code.use((text) => text)
    },
    async events() {
      return (await store.trail.read({ order: 'oldest' })).map(({ entry }) => entry.event)
    },
    again: (more = {}) => createLoopBench({ ...options, ...more }, store, time),
  }
}

/** The id that a directive's notifications carry. */
export function idIn(directive: AutonomyDirective, key: 'approvalId' | 'verificationId'): string {
  const found = directive.notifications?.map(({ metadata }) => metadata?.[key]).find((id) => id !== undefined)
  if (found === undefined) throw new Error(`no ${key}`)
  return found
}

export function errorOf(answer: unknown) {
  if (!isFailure(answer)) throw new Error(`not refused: ${JSON.stringify(answer)}`)
  return answer.error
}
