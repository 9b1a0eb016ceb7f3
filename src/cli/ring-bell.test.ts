import { expect, test } from 'vitest'
import type { Bell } from '../channels/webhook.ts'
import { createWatch } from '../core/operator/watch.ts'
import { createMemoryStore } from '../store/memory.ts'
import { ringFor } from './ring-bell.ts'

test('the bell rings once for each question, and for each block and pause, which have no id', async () => {
  const store = createMemoryStore()
  const watch = createWatch(store, 3_600_000)
  const rung: string[] = []
  const bell: Bell = {
    async ring({ kind }) {
      rung.push(kind)
      return 'rung'
    },
  }
  const stop = ringFor(watch, store, bell, 'http://127.0.0.1/')
  await watch.look()
  const timestamp = '2026-01-01T00:00:00.000Z'
  const asked = { timestamp, event: 'CONFIRMATION_REQUIRED', approval_id: 'a1', danger_level: 2 } as const
  await store.update({}, () => ({
    audit: [
      asked,
      asked,
      { ...asked, approval_id: 'a2' },
      { timestamp, event: 'AGENT_BLOCKED', user_id: 'one' },
      { timestamp, event: 'AGENT_BLOCKED', user_id: 'two' },
      { timestamp, event: 'QUOTA_PAUSED' },
      { timestamp, event: 'QUOTA_PAUSED' },
      { timestamp, event: 'OPERATION_DENIED' },
    ],
    result: undefined,
  }))
  await watch.look()
  await expect.poll(() => rung.toSorted()).toEqual(['approval', 'approval', 'block', 'block', 'quota', 'quota'])
  stop()
  watch.close()
})
