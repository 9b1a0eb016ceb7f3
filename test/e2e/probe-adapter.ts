import { defineAdapter } from '../../src/core/registry/adapter.ts'
import { defineOperation } from '../../src/core/registry/operation.ts'
import { createRuntime, type Runtime, type RuntimeOptions } from '../../src/core/runtime.ts'
import { createMemoryStore } from '../../src/store/memory.ts'

export interface Probe {
  readonly runtime: Runtime
  /** What happened to `work`: 'started', 'aborted', 'done', each with the time. */
  readonly events: { readonly what: string; readonly at: number }[]
}

/** A small adapter whose operations show what a transport does: echo, who calls, slow work, printing, failing. */
export async function openProbe(options: Partial<RuntimeOptions> = {}): Promise<Probe> {
  const events: { what: string; at: number }[] = []
  const note = (what: string) => events.push({ what, at: performance.now() })

  const adapter = defineAdapter({
    name: 'probe',
    description: 'Shows what a transport does.',
    concurrency: 'fully-concurrent',
    toolNames: 'probe_{endpoint}',
    operations: [
      defineOperation({
        name: 'echo',
        category: 'READ',
        description: 'Says it again.',
        params: {
          text: { type: 'string' },
          number: { type: 'number' },
          list: { type: 'array' },
          value: { type: 'object', open: true },
        },
        handler: (params) => params,
      }),
      defineOperation({
        name: 'whoami',
        category: 'READ',
        description: 'Who calls.',
        handler: (_, { session }) => ({ session: session.id ?? null, principal: session.principal }),
      }),
      defineOperation({
        name: 'work',
        category: 'READ',
        description: 'Takes its time and tells how far it is.',
        params: {
          steps: { type: 'integer', default: 3 },
          ms: { type: 'integer', default: 20 },
          message: { type: 'string', default: 'step' },
        },
        handler: async ({ steps, ms, message }, { signal, progress }) => {
          note('started')
          for (let step = 1; step <= steps; step++) {
            if (signal.aborted) {
              note('aborted')
              return { step }
            }
            progress({ current: step, total: steps, message })
            progress({ current: step, total: steps, message }) // not higher: must not be sent
            await pause(ms, signal)
          }
          note('done')
          return { done: steps }
        },
      }),
      defineOperation({
        name: 'shout',
        category: 'READ',
        description: 'Prints to standard output.',
        handler: () => {
          // biome-ignore lint/suspicious/noConsole: that is the point
          console.log('a handler prints')
          process.stdout.write('{"jsonrpc":"2.0","id":"forged","result":{}}\n')
          return 'printed'
        },
      }),
      defineOperation({
        name: 'boom',
        category: 'READ',
        description: 'Fails for reasons of its own.',
        handler: () => {
          throw new Error('the password is tango')
        },
      }),
      defineOperation({
        name: 'big',
        category: 'READ',
        description: 'A long answer.',
        params: { bytes: { type: 'integer', required: true } },
        handler: ({ bytes }) => 'x'.repeat(bytes),
      }),
    ],
  })
  const runtime = await createRuntime(adapter, {
    store: createMemoryStore(),
    clock: { now: Date.now },
    mode: 'single',
    ...options,
  })
  return { runtime, events }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
