import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isFailure } from '../../src/protocol/result.ts'
import { createLoopBench, type LoopBench } from '../safety-loop.ts'

/**
 * The safety loop against a small model of it: one agent, one session, an operator, and time. Each command acts on both;
 * what the loop answers must be what the model expects (LOOP-16, AUTO-16 to AUTO-18, OOB-14, OOB-15, BLOCK-02, BLOCK-06).
 */
const STEPS = 3
const GRANT = 300
const CHALLENGE = 300
const QUESTION = 3_600
const ISSUES = { most: 5, window: 600 }

const HINTS = {
  calm: 'think about it',
  read: 'get_issue 7',
  approval: 'delete_issue 7',
  confirm: 'risk 40',
  verify: 'risk 70',
  danger: 'risk 95',
  deny: 'rm -rf /',
} as const
type Hint = keyof typeof HINTS

/** More of these, so that limits are reached. */
const CALM = ['calm', 'calm', 'calm', 'calm', 'read', 'read', 'approval', 'verify'] as const

interface Model {
  now: number
  running: boolean
  count: number
  denied: Set<Hint>
  pause?: {
    cause: 'step_limit' | 'failure' | 'action'
    hint: Hint
    asked: number
    decided?: 'approve' | 'deny'
    at: number
  }
  challenge?: { cause: 'verify' | 'block'; hint: Hint; failed: boolean; expires: number }
  issued: number[]
  grants: { hint: Hint; until: number }[]
  blocked?: Hint
  /** Everything that a human has allowed, and everything that went through because of it. */
  allowed: number
  used: number
}

type Command =
  | { readonly do: 'report'; readonly hint: Hint; readonly failure: boolean }
  | { readonly do: 'wait'; readonly seconds: number }
  | {
      readonly do:
        | 'start'
        | 'abort'
        | 'complete'
        | 'approve'
        | 'deny'
        | 'confirm'
        | 'right'
        | 'wrong'
        | 'lift'
        | 'restart'
    }

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('report' as const),
      hint: fc.constantFrom(...(Object.keys(HINTS) as Hint[]), ...CALM),
      failure: fc.nat({ max: 9 }).map((draw) => draw === 0),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(1, 200, 301, 3_601) }),
  },
  {
    weight: 8,
    arbitrary: fc
      .constantFrom(
        ...([
          'start',
          'start',
          'abort',
          'complete',
          'approve',
          'approve',
          'deny',
          'confirm',
          'right',
          'right',
        ] as const),
        ...(['wrong', 'lift', 'restart'] as const),
      )
      .map((what) => ({ do: what })),
  },
)

test('the safety loop does what its model does, whatever the order of things', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 30 }), async (commands) => {
      const model: Model = {
        now: 0,
        running: false,
        count: 0,
        denied: new Set(),
        issued: [],
        grants: [],
        allowed: 0,
        used: 0,
      }
      let bench = await createLoopBench({ settings: { maxAutonomousSteps: STEPS } })
      const here = bench.session()
      const act = createActor(here)
      const log: string[] = []
      for (const each of [{ do: 'start' } as const, ...commands]) {
        const wanted = expected(model, each)
        const actual = await act(bench, each)
        log.push(`${JSON.stringify(each)} → ${actual}`)
        expect(actual, log.join('\n')).toBe(wanted)
        if (each.do === 'restart') bench = await bench.again()
      }
      expect(model.used).toBeLessThanOrEqual(model.allowed)
      const granted = (await bench.events()).filter((event) => event === 'CONFIRMATION_GRANTED')
      expect(granted.length).toBeLessThanOrEqual(model.allowed)
    }),
    { numRuns: 500 },
  )
})

/** What the model says, changing it. */
function expected(model: Model, each: Command): string {
  switch (each.do) {
    case 'report':
      return report(model, each.hint, each.failure)
    case 'wait':
      model.now += each.seconds
      return 'done'
    case 'start':
      if (model.blocked) return refuse(model)
      if (model.running) return 'CONFLICT_INVALID_STATE'
      Object.assign(model, { running: true, count: 0, denied: new Set() })
      return 'done'
    case 'complete':
      if (model.blocked) return refuse(model)
      return end(model)
    case 'abort':
      return end(model)
    case 'approve':
    case 'deny':
      return decideOn(model, each.do)
    case 'confirm':
      return 'PERMISSION_SELF_APPROVAL_DENIED'
    case 'right':
    case 'wrong':
      return submit(model, each.do)
    case 'lift':
      if (!model.blocked) return 'unknown'
      delete model.blocked
      if (model.challenge?.cause === 'block') delete model.challenge
      return 'lifted'
    case 'restart':
      return 'done'
  }
}

function end(model: Model): string {
  const state = model.running ? 'done' : 'CONFLICT_INVALID_STATE'
  model.running = false
  return state
}

function decideOn(model: Model, decision: 'approve' | 'deny'): string {
  const { pause } = model
  if (!pause || pause.decided || model.now > pause.asked + QUESTION) return 'nothing'
  pause.decided = decision
  pause.at = model.now
  if (decision === 'approve') model.allowed++
  return 'done'
}

function submit(model: Model, kind: 'right' | 'wrong'): string {
  const { challenge } = model
  if (!challenge || challenge.failed || model.now > challenge.expires) return 'nothing'
  if (kind === 'wrong') {
    challenge.failed = true
    return 'PERMISSION_VERIFICATION_FAILED'
  }
  model.allowed++
  model.grants.push({ hint: challenge.hint, until: model.now + GRANT })
  delete model.challenge
  if (challenge.cause === 'block') delete model.blocked
  return 'done'
}

function refuse(model: Model): string {
  const { challenge, blocked, now } = model
  const isPending = challenge?.cause === 'block' && !challenge.failed && now <= challenge.expires
  if (blocked && !isPending) issue(model, 'block', blocked)
  return 'PERMISSION_AGENT_BLOCKED'
}

function issue(model: Model, cause: 'verify' | 'block', hint: Hint, always = false): void {
  const recent = model.issued.filter((at) => at > model.now - ISSUES.window)
  if (recent.length >= ISSUES.most && !always) return
  model.issued = [...recent, model.now]
  model.challenge = { cause, hint, failed: false, expires: model.now + CHALLENGE }
}

function settle(model: Model): void {
  const { pause } = model
  if (!pause?.decided) return
  delete model.pause
  if (pause.decided === 'deny') model.denied.add(pause.hint)
  else if (pause.cause === 'action') model.grants.push({ hint: pause.hint, until: pause.at + GRANT })
  else if (pause.cause === 'step_limit') model.count = 0
}

function report(model: Model, hint: Hint, failure: boolean): string {
  if (model.blocked) return refuse(model)
  if (!model.running) return 'NOT_FOUND_RESOURCE'
  settle(model)
  if (model.denied.has(hint)) return 'PERMISSION_DENIED'
  const { challenge, now } = model
  const isHolding =
    challenge?.cause === 'verify' && now <= challenge.expires && !(challenge.failed && challenge.hint === hint)
  const isHeld = model.pause !== undefined || isHolding
  const grant = model.grants.find((each) => each.hint === hint && each.until >= now)
  if (grant && !isHeld) {
    model.grants = model.grants.filter((each) => each !== grant)
    model.used++
    return 'continue'
  }
  if ((hint === 'danger' || hint === 'deny') && !grant) {
    model.count++
    model.blocked = hint
    model.grants = []
    issue(model, 'block', hint, true)
    return 'stop'
  }
  if (isHeld) {
    if (model.pause && now > model.pause.asked + QUESTION) model.pause.asked = now
    return 'held'
  }
  return evaluateIn(model, hint, failure)
}

function evaluateIn(model: Model, hint: Hint, failure: boolean): string {
  model.count++
  const isOver = model.count > STEPS
  const isAction = hint === 'approval' || hint === 'confirm' || hint === 'verify'
  if (!isOver && !failure && !isAction) return 'continue'
  if (isOver || failure || hint !== 'verify') {
    const cause = isOver ? 'step_limit' : failure ? 'failure' : 'action'
    model.pause = { cause, hint, asked: model.now, at: 0 }
  }
  if (hint === 'verify') issue(model, 'verify', hint)
  return 'pause'
}

/** The same on the real thing. */
function createActor(here: ReturnType<LoopBench['session']>) {
  const agent = async ({ store }: LoopBench) =>
    (await store.list<{ pause?: { approvalId: string }; challenge?: Pending }>('agent'))[0]?.value
  const order = { agentKey: '["ann","bot"]', reason: 'for the test', by: 'root', channel: 'console' }

  return async (bench: LoopBench, each: Command): Promise<string> => {
    const { loop, time } = bench
    switch (each.do) {
      case 'report':
        return answered(await bench.step(here, HINTS[each.hint], each.failure ? { outcome: 'failure' } : {}))
      case 'wait':
        time.now += each.seconds * 1_000
        return 'done'
      case 'start':
        return answered(await loop.executeAgent(here, { element_name: 'bot' }))
      case 'abort':
        return answered(await loop.endExecution(here, { operation: 'abort_execution', element_name: 'bot' }))
      case 'complete':
        return answered(await loop.endExecution(here, { operation: 'complete_execution', element_name: 'bot' }))
      case 'approve':
      case 'deny': {
        const id = (await agent(bench))?.pause?.approvalId
        if (id === undefined) return 'nothing'
        return bench[each.do](id).then(
          () => 'done',
          () => 'nothing',
        )
      }
      case 'confirm': {
        const approval_id = (await agent(bench))?.pause?.approvalId ?? 'none'
        return answered(await loop.confirm(here, { approval_id, decision: 'approve' }))
      }
      case 'right':
      case 'wrong': {
        const challenge = (await agent(bench))?.challenge
        if (challenge?.state !== 'waiting' || time.now > challenge.expiresAt) return 'nothing'
        const code = await bench.code(challenge.id)
        return answered(await loop.verify(here, challenge.id, each.do === 'right' ? code : `${code}A`))
      }
      case 'lift':
        return loop.lift(order)
      case 'restart':
        return 'done'
    }
  }
}

interface Pending {
  readonly id: string
  readonly state: string
  readonly expiresAt: number
}

function answered(answer: unknown): string {
  if (isFailure(answer)) return answer.error.code
  const { autonomy } = answer as { readonly autonomy?: { continue?: boolean; stopped?: true; reason?: string } }
  if (autonomy?.continue === undefined) return 'done'
  if (autonomy.continue) return 'continue'
  if (autonomy.stopped) return 'stop'
  return autonomy.reason?.startsWith('A human has to decide first') ? 'held' : 'pause'
}
