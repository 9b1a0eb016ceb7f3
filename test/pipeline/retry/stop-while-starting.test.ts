import { describe, expect, test } from 'vitest'
import type { Store } from '../../../src/core/ports/store.ts'
import { blockAgent } from '../../../src/core/verification/block.ts'
import { createMemoryStore } from '../../support.ts'
import { openRetryWorld, retry, SORTING } from './retry-world.ts'

const BY = { by: 'operator', channel: 'terminal', reason: 'acts on text from a ticket' } as const

/** Stops the principal before, or after, the nth commit that touches an execution from when it is armed. */
function stopping(nth: number, when: 'before' | 'after') {
  const store = createMemoryStore()
  const block = { ...BY, agentKey: 'agent', name: 'agent', principal: 'agent' }
  let left = Number.POSITIVE_INFINITY
  const strike = () => blockAgent(store, { now: () => Date.now() }, 'b1', block)
  const racing: Store = {
    ...store,
    async update(refs, change) {
      const isDue = Object.values(refs).some(({ kind }) => kind.startsWith('execution')) && --left === 0
      if (isDue && when === 'before') await strike()
      const result = await store.update(refs, change)
      if (isDue && when === 'after') await strike()
      return result
    },
  }
  return {
    racing,
    arm() {
      left = nth
    },
  }
}

describe('BLOCK-10 work that is being started when a stop falls does not begin', () => {
  const MOMENTS = [1, 2].flatMap((nth) => (['before', 'after'] as const).map((when) => [when, nth] as const))

  test.each(MOMENTS)('%s commit %i of a call', async (when, nth) => {
    const { racing, arm } = stopping(nth, when)
    const { call, ran, plan, trail, runtime } = await openRetryWorld({ store: racing })
    plan('succeed')
    arm()
    await call(SORTING)
    await runtime.close()
    expect(ran).toEqual([])
    expect((await trail('OPERATION_OUTCOME')).map(({ outcome }) => outcome)).not.toContain('success')
  })

  test.each([
    ['before', 1],
    ['after', 1],
    ['before', 2],
    ['after', 2],
  ] as const)('%s commit %i of a retry', async (when, nth) => {
    const { racing, arm } = stopping(nth, when)
    const { call, ran, plan, ended, trail, runtime } = await openRetryWorld({ store: racing })
    const { data } = await call(SORTING)
    await ended(data?.execution_id ?? '')
    expect(ran).toHaveLength(1)
    plan('succeed')
    arm()
    await call(retry(data?.execution_id ?? ''))
    await runtime.close()
    expect(ran).toHaveLength(1)
    expect((await trail('OPERATION_OUTCOME')).map(({ outcome }) => outcome)).not.toContain('success')
  })
})

test('SES-03 what a caller without a session started can be retried by the session that was made for it, and nobody else', async () => {
  const { call, runtime, ended } = await openRetryWorld()
  const started = await call(SORTING, runtime.anonymous('anonymous'))
  const { execution_id = '' } = started.data ?? {}
  const own = runtime.findSession((started as { _meta?: { session_id?: string } })._meta?.session_id ?? '', 'anonymous')
  expect(own).toBeDefined()
  if (!own) return
  expect((await ended(execution_id, own)).status).toBe('failed')
  const stranger = await call(retry(execution_id), runtime.anonymous('anonymous'))
  expect(stranger.error?.code).toBe('NOT_FOUND_RESOURCE')
  expect((await call(retry(execution_id), own)).error).toBeUndefined()
})
