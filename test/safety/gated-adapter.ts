import { appendFileSync } from 'node:fs'
import type { Clock } from '../../src/core/ports/clock.ts'
import type { Store } from '../../src/core/ports/store.ts'
import {
  type AdapterDefinition,
  createRuntime,
  defineAdapter,
  defineOperation,
  type Runtime,
  type RuntimeOptions,
  type Session,
} from '../support.ts'

/** An adapter whose one effect is a line in a file: what happened is seen from outside, whatever the processes say. */
export function gatedAdapter(effects: string, more: Partial<AdapterDefinition> = {}): AdapterDefinition {
  return defineAdapter({
    name: 'things',
    description: 'Things.',
    concurrency: 'fully-concurrent',
    operations: [
      defineOperation({
        name: 'delete_thing',
        category: 'DELETE',
        description: 'Delete a thing.',
        params: { thing: { type: 'string', required: true } },
        returns: 'object',
        handler: ({ thing }) => {
          appendFileSync(effects, `${thing}\n`)
          return { deleted: thing }
        },
      }),
    ],
    ...more,
  })
}

export const CLOCK: Clock = { now: () => Date.now() }

export interface Gated {
  readonly runtime: Runtime
  call(args: object, session: Session): Promise<Answered>
}

export interface Answered {
  readonly success: boolean
  readonly data?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: string; readonly details?: Readonly<Record<string, unknown>> }
}

export async function openGated(
  store: Store,
  effects: string,
  more: Partial<AdapterDefinition> = {},
  options: Partial<RuntimeOptions> = {},
): Promise<Gated> {
  const runtime = await createRuntime(gatedAdapter(effects, more), { store, clock: CLOCK, mode: 'single', ...options })
  const tool = runtime.tools[0]?.name ?? ''
  return {
    runtime,
    call: async (args, session) =>
      (await runtime.call({ tool, arguments: args, session })).result as unknown as Answered,
  }
}

export function deletion(thing: string, token?: string) {
  return { operation: 'delete_thing', params: { thing, ...(token !== undefined && { confirmation_token: token }) } }
}
