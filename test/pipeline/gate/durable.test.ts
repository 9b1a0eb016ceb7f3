import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../../src/core/audit/entry.ts'
import type { Store } from '../../../src/core/ports/store.ts'
import { openSqliteStore } from '../../../src/store/sqlite.ts'
import { decide, withToken } from '../../approve.ts'
import { asking, DELETING, openGateWorld } from './gate-world.ts'

/** The same gate on a real file: what is promised across processes and restarts. */

let folder: string
const opened: Store[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gate-'))
})

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  rmSync(folder, { recursive: true, force: true })
})

async function open(): Promise<Store> {
  const store = await openSqliteStore(join(folder, 'state.db'))
  opened.push(store)
  return store
}

describe('two servers on one store', () => {
  test('TOK-13 SESS-10 a session that both know redeems its token once', async () => {
    const id = 'an-id-of-the-embedding-program-0123456789'
    const [first, second] = [await openGateWorld({ store: await open() }), await openGateWorld({ store: await open() })]
    const here = first.runtime.openSession('tester', { id })
    const there = second.runtime.openSession('tester', { id })
    const { approval_id, confirmation_token } = await first.demand(DELETING, { session: here })
    await decide(second.runtime, approval_id)
    const args = withToken(DELETING, confirmation_token)
    const outcomes = await Promise.all([
      first.outcome(args, { session: here }),
      second.outcome(args, { session: there }),
      first.outcome(args, { session: here }),
      second.outcome(args, { session: there }),
    ])
    expect(outcomes.toSorted()).toEqual([...Array(3).fill('TOKEN_ALREADY_USED'), 'done'])
    expect(first.ran.length + second.ran.length).toBe(1)
  })

  test('RATE-06 RATE-15 they share their counters', async () => {
    const change = { rate_limits: { api_limits: [{ scope: 'global', limit: 3, window: 'minute' }] } }
    const worlds = [
      await openGateWorld({ store: await open() }, [], change),
      await openGateWorld({ store: await open() }, [], change),
    ]
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, at) => worlds[at % 2]?.outcome(asking('get_thing'))),
    )
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(3)
  })
})

describe('a restart', () => {
  test('SESS-02 TOK-15 tokens of a process that is gone are revoked at the next start', async () => {
    const store = await open()
    const world = await openGateWorld({ store })
    const { approval_id } = await world.demand(DELETING)
    await decide(world.runtime, approval_id)
    await store.close() // without an orderly end of the runtime
    const next = await openGateWorld({ store: await open() })
    expect(await next.trail('TOKEN_REVOKED')).toMatchObject([
      { token_id: approval_id, reason: 'the process that held the session is gone' },
    ])
  })

  test('an effect that was under way is reported as unknown, once, and never repeated', async () => {
    const store = await open()
    let begun = () => {}
    const running = new Promise<void>((resolve) => {
      begun = resolve
    })
    const handler = () => {
      begun()
      return new Promise(() => {})
    }
    const operation = { name: 'delete_long', category: 'DELETE', handler, timeout_ms: 60_000 } as const
    const world = await openGateWorld({ store }, [operation])
    void world.approved(asking('delete_long')).catch(() => {})
    await running
    await store.close()
    const next = await openGateWorld({ store: await open() }, [operation])
    const again = await openGateWorld({ store: await open() }, [operation])
    expect(await again.trail('OPERATION_OUTCOME')).toMatchObject([{ operation: 'delete_long', outcome: 'unknown' }])
    expect([next.ran, again.ran]).toEqual([[], []])
    expect(await again.store.list('unknown')).toHaveLength(1)
  })

  test('a damaged end of the trail does not stop the clock', async () => {
    const store = await open()
    const world = await openGateWorld({ store })
    world.pass(3_600)
    await world.demand(DELETING)
    const damaged = { unreadable: 'x' } as unknown as AuditEntry
    await store.update({}, () => ({ audit: [damaged, damaged], result: undefined }))
    const next = await openGateWorld({ store: await open() })
    expect(Date.parse((await next.demand(DELETING)).expires_at)).toBe(Date.parse('2026-11-16T01:05:00Z'))
  })

  test('a clock behind the trail is told of, and revives nothing', async () => {
    const store = await open()
    const world = await openGateWorld({ store })
    world.pass(3_600)
    await world.demand(DELETING)
    const next = await openGateWorld({ store: await open() })
    expect(await next.trail('CLOCK_ROLLED_BACK')).toHaveLength(1)
    expect(Date.parse((await next.demand(DELETING)).expires_at)).toBe(Date.parse('2026-11-16T01:05:00Z'))
  })
})
