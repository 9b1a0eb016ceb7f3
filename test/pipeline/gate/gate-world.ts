import { expect } from 'vitest'
import type { AuditEntry } from '../../../src/core/audit/entry.ts'
import type { Store } from '../../../src/core/ports/store.ts'
import { type Demand, decide, demandOf, withToken } from '../../approve.ts'
import { type Answered, openWorld, type World } from '../../notes.ts'
import {
  type AdapterDefinition,
  type Call,
  createMemoryStore,
  type OperationDefinition,
  type RuntimeOptions,
} from '../../support.ts'

export const START = Date.parse('2026-11-16T00:00:00Z')

/** A world before whose handlers the gate stands, with a clock that the test moves. */
export interface GateWorld extends World {
  readonly store: Store
  /** What the handlers were given, in the order in which they ran. */
  readonly ran: Ran[]
  pass(seconds: number): void
  /** The answer to a call that must be asked about. */
  demand(args: object, more?: Partial<Call>): Promise<Demand>
  /** The code of a failure, or `done`. */
  outcome(args: object, more?: Partial<Call>): Promise<string>
  /** Asked about, approved, and sent again with its token. */
  approved(args: object): Promise<Answered>
  /** What the trail holds, oldest first. */
  trail(...events: string[]): Promise<readonly AuditEntry[]>
}

/** The store as long as it can be read. */
export function readableWhile(store: Store, isReadable: () => boolean): Store {
  const read = <T>(from: () => T): T => {
    if (isReadable()) return from()
    throw new Error('the disk is gone')
  }
  return {
    ...store,
    get: async (ref) => read(() => store.get(ref)),
    follow(ref, onChange) {
      const { current, close } = store.follow(ref, onChange)
      return { current: () => read(current), close }
    },
  }
}

export type Ran = readonly [operation: string, params: unknown]

export type Acting = Partial<OperationDefinition> & { readonly name: string }

/** One operation for each level, all with the same parameters. */
export const LEVELS = [
  { name: 'get_thing', category: 'READ' },
  { name: 'create_thing', category: 'CREATE' },
  { name: 'delete_thing', category: 'DELETE' },
  { name: 'change_thing', category: 'EXECUTE', danger: 'dangerous' },
  { name: 'run_thing', category: 'EXECUTE', danger: 'forbidden' },
] as const satisfies readonly Acting[]

export async function openGateWorld(
  options: Partial<RuntimeOptions> = {},
  more: readonly Acting[] = [],
  change: Partial<AdapterDefinition> = {},
): Promise<GateWorld> {
  const { store = createMemoryStore() } = options
  const ran: Ran[] = []
  let now = START
  const operations = [...LEVELS, ...more].map((each) => acting(each, ran))
  const world = await openWorld({ store, clock: { now: () => now }, ...options }, (adapter) => ({
    ...adapter,
    operations,
    ...change,
  }))
  const { ask, runtime } = world
  const demand: GateWorld['demand'] = async (args, extra) => {
    const { result } = await ask(args, undefined, extra)
    const demanded = demandOf(result)
    expect(demanded, JSON.stringify(result)).toBeDefined()
    return demanded as Demand
  }
  return {
    ...world,
    store,
    ran,
    pass(seconds) {
      now += seconds * 1_000
    },
    demand,
    async outcome(args, extra) {
      const { result } = await ask(args, undefined, extra)
      return result.error?.code ?? 'done'
    },
    async approved(args) {
      const { approval_id, confirmation_token } = await demand(args)
      expect(await decide(runtime, approval_id)).toMatchObject({ kind: 'decided' })
      return (await ask(withToken(args, confirmation_token))).result
    },
    async trail(...events) {
      const read = await store.trail.read({ order: 'oldest', ...(events.length > 0 && { events }) })
      return read.map(({ entry }) => entry)
    },
  }
}

/** A request for one of the operations above. */
export function asking(operation: string, params: object = {}): { operation: string; params: object } {
  return { operation, params: { thing: 'a', ...params } }
}

export const DELETING = asking('delete_thing')

function acting(operation: Acting, ran: Ran[]): OperationDefinition {
  const { name } = operation
  return {
    category: 'CREATE',
    description: 'Act on a thing.',
    params: {
      thing: { type: 'string', required: true, description: 'Which.' },
      count: { type: 'number', description: 'How many.' },
      how: { type: 'object', description: 'In which way.' },
      speed: { type: 'string', default: 'slow', description: 'How fast.' },
    },
    returns: 'object',
    handler: (params) => {
      ran.push([name, params])
      return { did: name }
    },
    ...operation,
  }
}
