import { expect, test } from 'vitest'
import type { AuditEntry } from '../../src/core/audit/entry.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { decide, withToken } from '../approve.ts'
import { createRandom, type Random } from '../fuzz/random.ts'
import { CLEANUP, openRetryWorld, type Plan, type RetryWorld, retry, SORTING } from '../pipeline/retry/retry-world.ts'
import { createMemoryStore } from '../support.ts'

/**
 * Whatever is started, retried, cancelled, ended and restarted, in whatever order: the work runs exactly as often as the
 * gate admitted it, and each admission has one outcome in the trail.
 */
const ROUNDS = 40
const STEPS = 25

test.each(Array.from({ length: ROUNDS }, (_, seed) => seed))(
  'AUDIT-08 TOK-13 runs, admissions and outcomes are equally many (seed %i)',
  async (seed) => {
    const random = createRandom(seed)
    const model = await openModel(random)
    const done: string[] = []
    for (let step = 0; step < STEPS; step++) {
      const [name, act] = random.pick(Object.entries(ACTS))
      done.push(name)
      await act(model)
    }
    await model.world.runtime.close()
    const trail = (await model.store.trail.read({ order: 'oldest' })).map(({ entry }) => entry)
    const admissions = intents(trail)
    const began = trail.filter(({ outcome }) => outcome === 'started').length
    expect(model.runs(), done.join(' ')).toBe(began)
    expect(began).toBeLessThanOrEqual(admissions.length)
    const outcomes = trail.filter(({ event }) => event === 'OPERATION_OUTCOME')
    expect(outcomes.map(({ intent_id }) => intent_id).sort(), done.join(' ')).toEqual(admissions.sort())
    expect(model.approvals).toBe(trail.filter(({ event }) => event === 'TOKEN_VALIDATED').length)
    expect(trail.filter(isGatedIntent).length).toBe(model.approvals)
    expect(await model.store.list('intent')).toEqual([])
    const left = await model.store.list<{ readonly status: string }>('execution:backups')
    expect(left.filter(({ value }) => value.status === 'running' || value.status === 'pending')).toEqual([])
  },
  60_000,
)

interface Model {
  readonly store: Store
  readonly random: Random
  world: RetryWorld
  readonly known: string[]
  /** Of all processes that there were. */
  runs(): number
  approvals: number
  restart(isCrash: boolean): Promise<void>
}

async function openModel(random: Random): Promise<Model> {
  const memory = createMemoryStore()
  const worlds: RetryWorld[] = []
  const dead = new Set<string>()
  const open = async () => {
    const opener = `process ${worlds.length}`
    const update: Store['update'] = (...change) => (dead.has(opener) ? new Promise(() => {}) : memory.update(...change)) // the dead write nothing
    const world = await openRetryWorld({
      store: { ...memory, update, opener, isGone: async (other) => dead.has(other) },
    })
    worlds.push(world)
    return world
  }
  const model: Model = {
    store: memory,
    random,
    world: await open(),
    known: [],
    runs: () => worlds.reduce((sum, { ran }) => sum + ran.length, 0),
    approvals: 0,
    async restart(isCrash) {
      if (isCrash) dead.add(`process ${worlds.length - 1}`)
      else await model.world.runtime.close()
      model.world = await open()
    },
  }
  return model
}

const ACTS: Readonly<Record<string, (model: Model) => Promise<void>>> = {
  start: (model) => begin(model, SORTING),
  'start gated': (model) => begin(model, CLEANUP),
  retry: (model) => begin(model, retry(model.random.pick([...model.known, 'exec_none']))),
  'retry many times at once': async (model) => {
    const args = retry(model.random.pick([...model.known, 'exec_none']))
    await Promise.all([1, 2, 3, 4].map(() => model.world.call(args)))
  },
  'retry from elsewhere': async ({ world, known, random }) => {
    await world.call(retry(random.pick([...known, 'exec_none'])), world.runtime.openSession('agent'))
  },
  cancel: async ({ world, known, random }) => {
    const execution_id = random.pick([...known, 'exec_none'])
    await world.call({ operation: 'cancel_execution', params: { execution_id } })
  },
  wait: () => new Promise((resolve) => setTimeout(resolve, 3)),
  'end a session': async (model) => {
    const { world, random } = model
    world.plan(random.pick<Plan>(['hang', 'fail']))
    const session = world.runtime.openSession('agent')
    await world.call(SORTING, session)
    await world.runtime.closeSession(session)
  },
  restart: (model) => model.restart(false),
  crash: (model) => model.restart(true),
}

async function begin(model: Model, args: { operation: string; params: object }): Promise<void> {
  const { world, random, known } = model
  world.plan(random.pick<Plan>(['fail', 'fail', 'throw', 'succeed', 'hang']))
  let answer = await world.call(args)
  if (answer.error?.code === 'CONFIRMATION_REQUIRED' && random.chance(70)) {
    const { approval_id, confirmation_token } = answer.error.details ?? {}
    await decide(world.runtime, approval_id)
    const answers = await Promise.all([1, 2].map(() => world.call(withToken(args, confirmation_token))))
    answer = answers.find(({ success }) => success) ?? answer
    if (answer.success) model.approvals++
  }
  const id = answer.data?.execution_id
  if (answer.success && id !== undefined && !known.includes(id)) known.push(id)
}

function intents(trail: readonly AuditEntry[]): unknown[] {
  return trail.filter(({ event }) => event === 'OPERATION_INTENT').map(({ intent_id }) => intent_id)
}

function isGatedIntent({ event, operation }: AuditEntry): boolean {
  return event === 'OPERATION_INTENT' && operation === 'run_backup_cleanup'
}
