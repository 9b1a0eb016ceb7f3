import { expect } from 'vitest'
import type { AuditEntry } from '../../../src/core/audit/entry.ts'
import type { Store } from '../../../src/core/ports/store.ts'
import { type Demand, decide, demandOf, withToken } from '../../approve.ts'
import {
  type AdapterDefinition,
  createMemoryStore,
  createRuntime,
  defineAdapter,
  defineOperation,
  fail,
  type OperationDefinition,
  type Runtime,
  type RuntimeOptions,
  type Session,
} from '../../support.ts'

/** Long-running work that fails after its effect, at three levels; what it did is counted. */
export interface RetryWorld {
  readonly runtime: Runtime
  readonly store: Store
  readonly session: Session
  /** What the work was given, one entry for each run. */
  readonly ran: readonly unknown[]
  /** What the next run does after its effect. */
  plan(next: Plan): void
  call(args: object, session?: Session): Promise<Answered>
  code(args: object, session?: Session): Promise<string>
  /** Asked about, approved by a human, sent again with the token. */
  approved(args: object, session?: Session): Promise<Answered>
  /** Waits for the end and answers with the state. */
  ended(id: string, session?: Session): Promise<State>
  trail(...events: string[]): Promise<readonly AuditEntry[]>
}

export type Plan = 'fail' | 'throw' | 'succeed' | 'hang' | 'finish' | 'deaf'

export interface Answered {
  readonly success: boolean
  readonly data?: State
  readonly error?: { readonly code: string; readonly message: string; readonly details?: Record<string, unknown> }
}

export interface State {
  readonly execution_id: string
  readonly status: string
  readonly operation?: string
  readonly result?: unknown
  readonly error?: { readonly code: string; readonly details?: Record<string, unknown> }
}

export const CLEANUP = { operation: 'run_backup_cleanup', params: { folder: 'old', secret: 'hunter2-hunter2' } }
export const SORTING = { operation: 'sort_backups', params: { folder: 'old' } }

export function retry(execution_id: string | undefined, more: object = {}): { operation: string; params: object } {
  return { operation: 'retry_execution', params: { execution_id, ...more } }
}

export function retryAdapter(ran: unknown[], plan: () => Plan, more: Partial<AdapterDefinition> = {}) {
  return defineAdapter({
    name: 'backups',
    description: 'Backups.',
    concurrency: 'fully-concurrent',
    operations: [
      long('run_backup_cleanup', ran, plan, { danger: 'destructive' }),
      long('sort_backups', ran, plan),
      long('pack_backups', ran, plan, { lifecycle: { supports_retry: false } }),
    ],
    ...more,
  })
}

export function long(
  name: string,
  ran: unknown[],
  plan: () => Plan,
  more: Partial<OperationDefinition> = {},
): OperationDefinition {
  return defineOperation({
    name,
    category: 'EXECUTE',
    description: 'Works for a while.',
    lifecycle: { supports_retry: true },
    params: { folder: { type: 'string', required: true }, secret: { type: 'string', sensitive: true } },
    returns: 'Execution',
    handler: (params, { run }) =>
      run(async ({ signal }) => {
        ran.push(params)
        const how = plan()
        if (how === 'fail') return fail('CONFLICT_INVALID_STATE', { operation: name, state: 'half done' })
        if (how === 'throw') throw new Error('broken')
        if (how === 'deaf') return new Promise(() => {})
        if (how === 'hang' || how === 'finish')
          await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
        if (how === 'hang') signal.throwIfAborted()
        return { done: true }
      }),
    ...more,
  } as OperationDefinition)
}

export async function openRetryWorld(
  options: Partial<RuntimeOptions> = {},
  more: Partial<AdapterDefinition> = {},
): Promise<RetryWorld> {
  const { store = createMemoryStore() } = options
  const ran: unknown[] = []
  let next: Plan = 'fail'
  const adapter = retryAdapter(ran, () => next, more)
  const runtime = await createRuntime(adapter, { store, clock: { now: () => Date.now() }, mode: 'single', ...options })
  const session = runtime.openSession('agent')
  const tool = runtime.tools[0]?.name ?? ''
  const call: RetryWorld['call'] = async (args, from = session) =>
    JSON.parse((await runtime.call({ tool, arguments: args, session: from })).text)
  return {
    runtime,
    store,
    session,
    ran,
    plan(to) {
      next = to
    },
    call,
    code: async (args, from) => (await call(args, from)).error?.code ?? 'done',
    async approved(args, from) {
      const asked = await call(args, from)
      const demand = demandOf(asked as never) as Demand
      expect(demand, JSON.stringify(asked)).toBeDefined()
      expect(await decide(runtime, demand.approval_id)).toMatchObject({ kind: 'decided' })
      return call(withToken(args, demand.confirmation_token), from)
    },
    async ended(id, from) {
      for (;;) {
        const { data } = await call({ operation: 'get_execution', params: { execution_id: id } }, from)
        if (data && data.status !== 'running' && data.status !== 'pending') return data
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
    },
    async trail(...events) {
      const read = await store.trail.read({ order: 'oldest', ...(events.length > 0 && { events }) })
      return read.map(({ entry }) => entry)
    },
  }
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 2))
}
