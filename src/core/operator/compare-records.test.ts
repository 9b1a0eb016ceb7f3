import { beforeEach, describe, expect, test } from 'vitest'
import { createMemoryStore } from '../../store/memory.ts'
import type { AuditEntry } from '../audit/entry.ts'
import { record, type Store } from '../ports/store.ts'
import { clientRef, clientTokenRef, hashClientToken } from './client-record.ts'
import { createClients } from './clients.ts'
import { compareRecords } from './compare-records.ts'

const clock = { now: () => Date.parse('2026-11-16T00:00:00Z') }
const by = { by: 'operator', channel: 'terminal' } as const

let store: Store
beforeEach(() => {
  store = createMemoryStore()
})

/** As somebody would who writes the file. */
async function tamper(
  kind: string,
  id: string,
  change: (value: Readonly<Record<string, unknown>>) => object | undefined,
) {
  const refs = { it: record<object>(kind, id) }
  await store.update<typeof refs, void>(refs, ({ it = {} }) => ({
    next: { it: change(it as Readonly<Record<string, unknown>>) },
    result: undefined,
  }))
}

const found = async () => (await compareRecords(store)).map(({ what }) => what).join('\n')

describe('AUDIT-09 M5 clients are as the trail says', () => {
  let hash: string
  beforeEach(async () => {
    const added = await createClients(store, clock).add({ name: 'ci', elicitation: false, ...by })
    hash = added.kind === 'added' ? hashClientToken(added.token) : ''
  })

  test('untouched, revoked, and added again', async () => {
    const clients = createClients(store, clock)
    expect(await found()).toBe('')
    await clients.revoke({ name: 'ci', ...by })
    expect(await found()).toBe('')
    await clients.add({ name: 'ci', elicitation: true, ...by })
    expect(await found()).toBe('')
  })

  test('one that was revoked is active again', async () => {
    const known = await store.get(clientRef('ci'))
    const token = await store.get(clientTokenRef(hash))
    await createClients(store, clock).revoke({ name: 'ci', ...by })
    await tamper('client', 'ci', () => known)
    await tamper('client_token', hash, () => token)
    expect(await found()).toContain('The client ci is revoked by the trail, but active in the store')
  })

  test.each([
    ['answers forms', () => tamper('client', 'ci', (it) => ({ ...it, elicitation: true })), 'answers forms'],
    [
      'answers forms, by its token',
      () => tamper('client_token', hash, (it) => ({ ...it, elicitation: true })),
      'a token for ci',
    ],
    [
      'has another token',
      () => tamper('client', 'ci', (it) => ({ ...it, tokenHash: 'f'.repeat(64) })),
      'The token of the client ci',
    ],
    ['is gone', () => tamper('client', 'ci', () => undefined), 'the store does not'],
    [
      'has a second token',
      () => tamper('client_token', 'a'.repeat(64), () => ({ name: 'ci', hash: 'a'.repeat(64), elicitation: false })),
      'a token for ci',
    ],
    [
      'has a companion',
      () => tamper('client', 'new', () => ({ name: 'new', tokenHash: 'b', elicitation: true, createdAt: clock.now() })),
      'the client new',
    ],
  ])('one %s', async (_, change, said) => {
    await change()
    expect(await found()).toContain(said)
  })
})

describe('AUDIT-09 M5 requests are as the trail says', () => {
  const about = { operation: 'delete_it', adapter_name: 'db', user_id: 'ann', session_id: 's', params_hash: 'h' }
  const timestamp = new Date(clock.now()).toISOString()
  const said = (event: AuditEntry['event'], more: object = {}): AuditEntry => ({ timestamp, event, ...about, ...more })
  const GRANTED = said('CONFIRMATION_GRANTED', { approval_id: 'r', scope: 'once' })
  const USED = said('TOKEN_VALIDATED', { token_id: 'r' })
  const REQUEST = {
    operation: 'delete_it',
    adapter: 'db',
    principal: 'ann',
    session: 's',
    paramsHash: 'h',
    approvedAt: 1,
  }

  test.each<[string, readonly AuditEntry[], object, string]>([
    ['granted', [GRANTED], { state: 'approved', useCount: 0, maxUses: 1 }, ''],
    ['granted and used', [GRANTED, USED], { state: 'consumed', useCount: 1, maxUses: 1 }, ''],
    [
      'used, and good once more',
      [GRANTED, USED],
      { state: 'approved', useCount: 0, maxUses: 1 },
      'used 0 times, but the trail says 1',
    ],
    ['good for more', [GRANTED], { state: 'approved', useCount: 0, maxUses: 100 }, 'more than were granted'],
    [
      'denied',
      [GRANTED, said('APPROVAL_DENIED', { approval_id: 'r' })],
      { state: 'approved', useCount: 0, maxUses: 1 },
      'it was denied',
    ],
    [
      'taken back',
      [GRANTED, said('TOKEN_REVOKED', { token_id: 'r' })],
      { state: 'approved', useCount: 0, maxUses: 1 },
      'taken back',
    ],
    [
      'for another call',
      [GRANTED],
      { state: 'approved', useCount: 0, maxUses: 1, paramsHash: 'other' },
      'another call',
    ],
    ['for another caller', [GRANTED], { state: 'approved', useCount: 0, maxUses: 1, session: 'other' }, 'another call'],
  ])('%s', async (_, audit, request, why) => {
    await store.update({ it: record<object>('request', 'r') }, () => ({
      next: { it: { ...REQUEST, ...request } },
      audit,
      result: undefined,
    }))
    const all = await found()
    if (why === '') expect(all).toBe('')
    else expect(all).toContain(why)
  })
})
