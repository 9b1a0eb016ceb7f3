import { beforeEach, describe, expect, test } from 'vitest'
import { createMemoryStore } from '../../store/memory.ts'
import { storeFault } from '../../store/sqlite-fault.ts'
import type { AuditEntry } from '../audit/entry.ts'
import { trustEntry } from '../gatekeeper/stored-trust.ts'
import { record, type Store } from '../ports/store.ts'
import { sha256 } from '../sha256.ts'
import { type BlockRecord, blockEntry, blockRef, openBlocksRef, opened } from '../verification/block.ts'
import { createBlocks } from './blocks.ts'
import { carryForward } from './carry-forward.ts'
import { clientRef, clientTokenRef, hashClientToken } from './client-record.ts'
import { createClients } from './clients.ts'
import { compareRecords } from './compare-records.ts'
import { createOperatorAccount } from './operator-account.ts'
import { OPERATOR_REF } from './operator-record.ts'
import { makeVerifier } from './verifier.ts'

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

const found = async () => (await compareRecords(store)).contradictions.map(({ what }) => what).join('\n')

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

describe('AUDIT-09 M5 blocks are as the trail says', () => {
  /** As the loop sets it, and as the operator does. */
  const setBy = {
    loop: () => {
      const block: BlockRecord = {
        id: 'b',
        agentKey: 'ann bot',
        principal: 'ann',
        element_name: 'bot',
        trigger: 'deny',
        hint: 'rm -rf /',
        reason: 'it may not',
        session: 's',
        blocked_at: timestamp,
      }
      const entry = { ...blockEntry('AGENT_BLOCKED', block, timestamp), session_id: 's' }
      return store.update({ open: openBlocksRef(), block: blockRef('b') }, () => ({
        next: { open: { [block.agentKey]: opened(block) }, block },
        audit: [entry],
        result: undefined,
      }))
    },
    operator: () =>
      createBlocks(store, clock).block({ agentKey: 'ann bot', name: 'bot', principal: 'ann', reason: 'rude', ...by }),
  }

  test('untouched, set by the loop and then by the operator', async () => {
    await setBy.loop()
    expect(await found()).toBe('')
    await setBy.operator()
    expect(await found()).toBe('')
  })

  test.each<[string, keyof typeof setBy, object]>([
    ['of another principal', 'loop', { principal: 'nobody' }],
    ['under another name', 'loop', { element_name: 'other' }],
    ['of names that look otherwise', 'loop', { lookAlike: 'nothing' }],
    ['with another key', 'loop', { agentKey: 'nobody' }],
    ['in another session', 'loop', { session: 'other' }],
    ['in no session', 'loop', { session: undefined }],
    ['from later on', 'loop', { blockedAt: 9e12 }],
    ['that the loop is said to have set', 'operator', { trigger: 'deny' }],
    ['that the operator is said to have set', 'loop', { trigger: 'operator' }],
  ])('one %s', async (_, set, other) => {
    await setBy[set]()
    await tamper('blocks', 'open', ({ 'ann bot': it }) => ({ 'ann bot': { ...(it as object), ...other } }))
    expect(await found()).toBe('The block of ann bot is not the one that was set')
    await append(FILLER)
    await prune((await store.trail.head()).seq - 1)
    expect(await found()).toBe('The block of ann bot is not the one that was set')
  })
})

describe('AUDIT-09 M5 requests are as the trail says', () => {
  const about = { operation: 'delete_it', adapter_name: 'db', user_id: 'ann', session_id: 's', params_hash: 'h' }
  const said = (event: AuditEntry['event'], more: object = {}): AuditEntry => ({ timestamp, event, ...about, ...more })
  const GRANTED = said('CONFIRMATION_GRANTED', { approval_id: 'r', scope: 'once' })
  const FOR_SESSION = said('CONFIRMATION_GRANTED', { approval_id: 'r', scope: 'session' })
  const FOR_FIVE = said('CONFIRMATION_GRANTED', { approval_id: 'r', scope: 'session', max_uses: 5 })
  const REVOKED = said('TOKEN_REVOKED', { approval_id: 'r' })
  const DENIED = said('APPROVAL_DENIED', { approval_id: 'r' })
  const USED = said('TOKEN_VALIDATED', { token_id: 'r' })
  const SOON = clock.now() + 60_000
  const iso = (at: number) => new Date(at).toISOString()
  const ISSUED = said('TOKEN_ISSUED', { token_id: 'r', expires_at: iso(SOON), tolerance_ms: 1_000 })
  const usedAt = (at: number) => ({ ...USED, timestamp: iso(at) })
  const good = { state: 'approved', useCount: 0, maxUses: 1, expiresAt: SOON, toleranceMs: 1_000 }
  const spent = { ...good, state: 'consumed', useCount: 1 }
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
      'used twice, and good for what is left',
      [FOR_SESSION, USED, USED],
      { state: 'approved', useCount: 2, maxUses: 100 },
      '',
    ],
    [
      'used twice, and good once more than that',
      [FOR_SESSION, USED, USED],
      { state: 'approved', useCount: 1, maxUses: 100 },
      'used 1 times, but the trail says 2',
    ],
    ['denied by a human', [DENIED], { state: 'denied', useCount: 0, maxUses: 1, approvedAt: undefined }, ''],
    [
      'denied by nobody',
      [],
      { state: 'denied', useCount: 0, maxUses: 1, approvedAt: undefined },
      'denied, but the trail has no denial of it',
    ],
    ['denied', [GRANTED, DENIED], { state: 'approved', useCount: 0, maxUses: 1 }, 'it was denied'],
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
    [
      'good for long',
      [ISSUED, GRANTED],
      { ...good, expiresAt: SOON + 1, toleranceMs: 0 },
      'longer than the trail says',
    ],
    ['good for long after', [ISSUED, GRANTED], { ...good, toleranceMs: 9e15 }, 'longer than the trail says'],
    ['good until it says', [ISSUED, GRANTED], good, ''],
    ['used late, but in time', [ISSUED, GRANTED, usedAt(SOON + 1_000)], spent, ''],
    [
      'used too late',
      [ISSUED, GRANTED, usedAt(SOON + 1_001)],
      spent,
      'Request r (delete_it) was used after it had expired',
    ],
    ['used when taken back', [GRANTED, REVOKED, USED], spent, 'was used after it was taken back'],
    ['used when denied', [GRANTED, DENIED, USED], spent, 'was used after it was denied'],
    ['taken back when used', [FOR_SESSION, USED, REVOKED], { ...spent, state: 'revoked' }, ''],
    [
      'used, and granted by nobody',
      [USED],
      { ...spent, approvedAt: undefined },
      'was used before anybody had granted it',
    ],
    ['used twice for once', [GRANTED, USED, USED], { ...spent, useCount: 2 }, 'was used after it had been used up'],
    ['for five uses', [FOR_FIVE, USED], { ...good, maxUses: 5, useCount: 1 }, ''],
    ['for more uses than five', [FOR_FIVE, USED], { ...good, maxUses: 6, useCount: 1 }, 'more than were granted'],
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

/** As `mcpaql audit prune` does it. */
async function prune(upTo: number) {
  const [last] = await store.trail.read({ after: upTo - 1, before: upTo + 1 })
  const timestamp = new Date(clock.now()).toISOString()
  const carried = await carryForward(store, upTo, timestamp)
  const removed = { event: 'TRAIL_PRUNED', timestamp, removed_to: upTo, removed_hash: last?.hash } as const
  await store.prune({ seq: upTo, hash: last?.hash ?? '' }, [{ ...removed, ...carried.fields }, ...carried.entries])
}

const append = (...audit: readonly AuditEntry[]) => store.update({}, () => ({ audit, result: undefined }))
const timestamp = new Date(clock.now()).toISOString()
const FILLER: AuditEntry = { timestamp, event: 'SERVER_STARTED' }
const COST = { N: 2 ** 4, r: 8, p: 1 }
const account = () => createOperatorAccount({ store, clock, cost: COST })
const SECRET = 'correct horse battery'

async function makeLink(): Promise<string> {
  const operator = account()
  const right = await operator.check(SECRET, 'terminal')
  return (right.kind === 'right' && (await operator.makeLink(right))) || ''
}

describe('AUDIT-09 M5 what is found does not depend on whether the trail was pruned', () => {
  const about = { operation: 'delete_it', adapter_name: 'db', user_id: 'ann', session_id: 's', params_hash: 'h' }
  const said = (event: AuditEntry['event'], more: object = {}): AuditEntry => ({ timestamp, event, ...about, ...more })
  const request = { operation: 'delete_it', adapter: 'db', principal: 'ann', session: 's', paramsHash: 'h' }
  const approved = { ...request, state: 'approved', approvedAt: clock.now(), useCount: 1, maxUses: 100, expiresAt: 1 }
  const trusted = { adapter: 'db', hash: 'c', operations: {}, level: 'generated', basis: 'word', history: [] }
  let cut: number

  beforeEach(async () => {
    await account().set(SECRET, SECRET, 'terminal')
    const clients = createClients(store, clock)
    for (const name of ['kept', 'gone']) await clients.add({ name, elicitation: false, ...by })
    await clients.revoke({ name: 'gone', ...by })
    const blocks = createBlocks(store, clock)
    for (const agentKey of ['held', 'free'])
      await blocks.block({ agentKey, name: agentKey, principal: agentKey, reason: 'it was rude', ...by })
    await blocks.lift({ agentKey: 'free', reason: 'it is sorry now', ...by })
    await store.update({ it: record<object>('request', 'r'), trust: record<object>('trust', 'db') }, () => ({
      next: { it: approved, trust: trusted },
      audit: [
        trustEntry(trusted as never, clock.now(), { operator: 'operator', old: 'validated', new: 'generated' }),
        said('CONFIRMATION_GRANTED', { approval_id: 'r', scope: 'session' }),
        said('CONFIRMATION_GRANTED', { approval_id: 'long ago', scope: 'once' }),
        said('TOKEN_VALIDATED', { token_id: 'r' }),
        said('OPERATION_INTENT', { intent_id: 'i', result: 'confirmed', confirmation_token: 'r', danger_level: 2 }),
      ],
      result: undefined,
    }))
    cut = (await store.trail.head()).seq
    await append(FILLER, said('OPERATION_OUTCOME', { intent_id: 'i', danger_level: 2, outcome: 'success' }))
    await append(said('OPERATION_INTENT', { intent_id: 'j', result: 'confirmed', confirmation_token: 'r' }))
  })

  const PRUNINGS: readonly (readonly [string, () => Promise<void>])[] = [
    ['not pruned', async () => {}],
    ['pruned once', () => prune(cut)],
    [
      'pruned, and pruned again behind the record of it',
      async () => {
        await prune(cut - 4)
        await prune(cut)
        await append(FILLER)
        await prune((await store.trail.head()).seq - 1)
      },
    ],
  ]

  const ATTACKS: readonly (readonly [string, () => Promise<void>, string])[] = [
    ['nothing', async () => {}, ''],
    [
      'another secret, said to be old',
      async () => {
        const verifier = await makeVerifier('the attackers secret', COST)
        await tamper('operator', 'local', () => ({ verifier, setAt: 0, links: [] }))
      },
      'The operator secret in the store is not the one',
    ],
    ['no secret', () => tamper('operator', 'local', () => undefined), 'the store has none'],
    [
      'no secret, and a new one set as the first',
      async () => {
        await tamper('operator', 'local', () => undefined)
        await account().set('the attackers secret', 'the attackers secret', 'terminal')
      },
      'An operator secret was set as the first one',
    ],
    [
      'a client, said to be old',
      async () => {
        await tamper('client', 'evil', () => ({ name: 'evil', tokenHash: 'f', elicitation: true, createdAt: 0 }))
        await tamper('client_token', 'f', () => ({ name: 'evil', hash: 'f', elicitation: true }))
      },
      'The store has the client evil',
    ],
    [
      'a client that answers forms',
      () => tamper('client', 'kept', (it) => ({ ...it, elicitation: true })),
      'Whether the client kept answers forms',
    ],
    [
      'a client that was revoked',
      () => tamper('client', 'gone', ({ revokedAt: _, ...it }) => it),
      'The client gone is revoked by the trail',
    ],
    ['no client', () => tamper('client', 'kept', () => undefined), 'The trail has the client kept'],
    ['no block', () => tamper('blocks', 'open', () => ({})), 'The trail has a block of held'],
    [
      'a block, said to be old',
      () => tamper('blocks', 'open', (it) => ({ ...it, ann: { blockedAt: 0 } })),
      'The store has a block of ann',
    ],
    [
      'a block of somebody else',
      () => tamper('blocks', 'open', ({ held }) => ({ held: { ...(held as object), principal: 'nobody' } })),
      'The block of held is not the one that was set',
    ],
    ['an approval unused', () => tamper('request', 'r', (it) => ({ ...it, useCount: 0 })), 'but the trail says 1'],
    [
      'an approval of something else',
      () => tamper('request', 'r', (it) => ({ ...it, paramsHash: 'x' })),
      'for another call',
    ],
    ['an approval that nobody gave', () => tamper('request', 'q', () => approved), 'the trail has no grant of it'],
    [
      'trust',
      () => tamper('trust', 'db', (it) => ({ ...it, level: 'validated' })),
      'The store trusts the source db as validated, but the trail says generated',
    ],
    [
      'trust in other operations',
      () => tamper('trust', 'db', (it) => ({ ...it, operations: { drop_it: 'd' } })),
      'but for other content than the trail says',
    ],
    [
      'trust that nobody has given',
      () => tamper('trust', 'new', () => ({ ...trusted, adapter: 'new' })),
      'The store trusts the source new',
    ],
    [
      'an action that nobody has allowed',
      () => tamper('agent', 'a', () => ({ key: 'a', grants: [{ from: 'nothing', hintHash: 'h', session: 's' }] })),
      'The store lets a go on by nothing',
    ],
    [
      'another action than was allowed',
      () => tamper('agent', 'a', () => ({ key: 'a', grants: [{ from: 'r', hintHash: 'other', session: 's' }] })),
      'which the trail has for something else',
    ],
    ['a safety mode', () => tamper('safety-mode', 'db', () => 'logging' as never), 'the last safety mode of db'],
    ['what is no record', () => tamper('blocks', 'open', () => ({ held: null })), 'cannot be compared'],
  ]

  const CASES = PRUNINGS.flatMap(([how, run]) =>
    ATTACKS.map(([name, attack, what]) => ({ how, run, name, attack, what })),
  )

  test.each(CASES)('$how: $name', async ({ run, attack, what }) => {
    await run()
    await attack()
    const all = await found()
    if (what === '') expect(all).toBe('')
    else expect(all).toContain(what)
  })

  test('what nothing refers to any more is not carried forward', async () => {
    await prune(cut)
    const carried = await store.trail.read({ events: ['TRAIL_CARRIED'], order: 'oldest' })
    expect(carried.map(({ entry: { carried_event, carried_seq } }) => [carried_seq, carried_event])).toEqual([
      [1, 'OPERATOR_SECRET_SET'],
      [2, 'CLIENT_ADDED'],
      [4, 'CLIENT_REVOKED'],
      [5, 'AGENT_BLOCKED'],
      [9, 'TRUST_CHANGED'],
      [10, 'CONFIRMATION_GRANTED'],
      [12, 'TOKEN_VALIDATED'],
      [13, 'OPERATION_INTENT'],
    ])
  })

  test('a client that was planted is not made true by the next pruning', async () => {
    await tamper('client', 'evil', () => ({ name: 'evil', tokenHash: 'f', elicitation: true, createdAt: 0 }))
    await prune(cut)
    expect(await found()).toContain('The store has the client evil')
  })

  const forged = async (): Promise<AuditEntry> => {
    const [last] = await store.trail.read({ after: cut - 1, before: cut + 1 })
    return { timestamp, event: 'TRAIL_PRUNED', removed_to: cut, removed_hash: last?.hash, carried: 0 }
  }

  test('a record of a removal that was written before it, or after it, is found', async () => {
    const entry = await forged()
    await append(entry)
    expect(await found()).toContain('It says that the records up to 13 were removed, but they were not')
    await prune(cut)
    expect(await found()).toContain('but an earlier one says so')
  })

  test('a second record of the same removal counts for nothing', async () => {
    const entry = await forged()
    await prune(cut)
    await append(entry)
    const all = await found()
    expect(all).toContain('but an earlier one says so')
    expect(all.split('\n')).toHaveLength(1)
  })

  test('a trail pruned by an earlier version: what cannot be compared is named, also after the next pruning', async () => {
    const [last] = await store.trail.read({ after: cut - 1, before: cut + 1 })
    const head = { seq: cut, hash: last?.hash ?? '' }
    await store.prune(head, [{ timestamp, event: 'TRAIL_PRUNED', removed_to: cut, removed_hash: head.hash }])
    await prune(cut + 1)
    const { contradictions, unknown } = await compareRecords(store)
    expect(contradictions).toEqual([])
    expect(unknown?.to).toBe(cut)
    expect(unknown?.what.join('\n')).toMatch(
      /request r .*block of held.*client gone.*client kept.*source db.*operator secret/s,
    )
  })
})

describe('AUDIT-09 M5 a store that cannot be read', () => {
  const fault = () => Promise.reject(storeFault('Cannot read the store', new Error('the disk does not work')))

  test.each(['request', 'agent', 'client', 'client_token', 'trust', 'safety-mode'])(
    'contradicts nothing: %s',
    async (kind) => {
      const list: Store['list'] = (each, options) => (each === kind ? fault() : store.list(each, options))
      await expect(compareRecords({ ...store, list })).rejects.toThrow('the disk does not work')
    },
  )

  test.each([openBlocksRef(), OPERATOR_REF])('contradicts nothing: $kind', async ({ kind }) => {
    const get: Store['get'] = (ref) => (ref.kind === kind ? fault() : store.get(ref))
    await expect(compareRecords({ ...store, get })).rejects.toThrow('the disk does not work')
  })
})

describe('AUDIT-09 M5 a call that is still running when the trail is pruned', () => {
  const about = { timestamp, operation: 'deploy', adapter_name: 'db', user_id: 'ann', params_hash: 'h' }
  const ended: AuditEntry = { ...about, event: 'OPERATION_OUTCOME', intent_id: 'i', danger_level: 3 }
  const intent = { id: 'i', opener: 'x', operation: 'deploy', adapter: 'db', level: 3, request: 'r', at: 1 }
  const end = () =>
    store.update({ it: record<object>('intent', 'i') }, () => ({
      next: { it: undefined },
      audit: [ended],
      result: undefined,
    }))

  beforeEach(async () => {
    await store.update({ it: record<object>('intent', 'i') }, () => ({
      next: { it: intent }, // the request has been swept
      audit: [
        { ...about, event: 'CONFIRMATION_GRANTED', approval_id: 'r', scope: 'once' },
        { ...about, event: 'TOKEN_VALIDATED', token_id: 'r' },
        { ...about, event: 'OPERATION_INTENT', result: 'confirmed', intent_id: 'i', confirmation_token: 'r' },
        FILLER,
      ],
      result: undefined,
    }))
  })

  test('ran as confirmed, also when it ends after it was pruned again', async () => {
    await prune(3)
    expect(await found()).toBe('')
    await append(FILLER)
    await prune((await store.trail.head()).seq - 1)
    expect(await found()).toBe('')
    await end()
    expect(await found()).toBe('')
  })

  test('and needed no approval is carried alone', async () => {
    await append({ ...about, event: 'OPERATION_INTENT', result: 'allowed', intent_id: 'j' })
    await append({ ...about, event: 'APPROVAL_DENIED', approval_id: 'long ago' }, FILLER)
    await tamper('intent', 'i', () => undefined)
    await tamper('intent', 'j', () => ({ ...intent, id: 'j' }))
    await prune(6)
    const carried = await store.trail.read({ events: ['TRAIL_CARRIED'] })
    expect(carried.map(({ entry }) => entry.intent_id)).toEqual(['j'])
    expect(await found()).toBe('')
  })

  test('has its intent, whenever it ends', async () => {
    const { trail } = store
    for (const when of ['before', 'after'] as const) {
      let isFirst = true
      const atFirst = async (place: string) => {
        if (place !== when || !isFirst) return
        isFirst = false
        await end()
      }
      const list: Store['list'] = async (kind, options) => {
        if (kind === 'intent') await atFirst('before')
        const listed = await store.list(kind, options)
        if (kind === 'intent') await atFirst('after')
        return listed as never
      }
      const at = new Date(clock.now()).toISOString()
      const { entries } = await carryForward({ ...store, trail, list }, 3, at)
      expect(entries.map(({ carried_event }) => carried_event)).toContain('OPERATION_INTENT')
      expect(entries.map(({ carried_event }) => carried_event)).toContain('CONFIRMATION_GRANTED')
      await tamper('intent', 'i', () => intent)
    }
  })
})

describe('SELF-08 AUDIT-09 whoever signs in by a link has had one made', () => {
  const HASH = 'a'.repeat(64)
  const planted = (links: readonly object[]) => tamper('operator', 'local', (it) => ({ ...it, links }))
  const entry = async (event: AuditEntry['event']) => (await store.trail.read({ events: [event] }))[0]?.entry
  const login = (more: object): AuditEntry => ({ timestamp, event: 'OPERATOR_LOGIN', reason: 'link', ...more })

  beforeEach(() => account().set(SECRET, SECRET, 'terminal'))

  test('a link that was made, and used', async () => {
    const link = await makeLink()
    expect(await found()).toBe('')
    await account().redeemLink(link)
    expect(await found()).toBe('')
    const made = await entry('OPERATOR_LINK_MADE')
    expect(made).toMatchObject({ operator: 'operator', channel: 'terminal' })
    expect((await entry('OPERATOR_LOGIN'))?.link).toBe(made?.link)
    await prune((await store.trail.head()).seq - 1)
    expect(await found()).toBe('')
  })

  test('a link that was planted is found before it is used, and its log-in afterwards', async () => {
    const link = 'A'.repeat(43)
    await planted([{ hash: sha256(link), expiresAt: clock.now() + 60_000, authenticatedAt: clock.now() }])
    expect(await found()).toBe('The store has a log-in link that nobody has made by the trail')
    expect(await account().redeemLink(link)).toBeDefined()
    expect(await found()).toBe('Somebody has signed in at the console by a link that nobody has made')
    await prune(1)
    expect(await found()).toBe('Somebody has signed in at the console by a link that nobody has made')
  })

  test.each<[string, (link: string) => Promise<unknown>, string]>([
    [
      'good once more',
      async (link) => {
        const known = await store.get(OPERATOR_REF)
        await account().redeemLink(link)
        await planted(known?.links ?? [])
      },
      'that was used by the trail',
    ],
    [
      'used once more',
      async (link) => {
        const known = await store.get(OPERATOR_REF)
        await account().redeemLink(link)
        await planted(known?.links ?? [])
        await account().redeemLink(link)
      },
      'by a link that was used before',
    ],
    [
      'made to last',
      () => tamper('operator', 'local', ({ links, ...it }) => ({ ...it, links: lasting(links) })),
      'that lives longer than the trail says',
    ],
    ['that names none', () => append(login({})), 'by a link that nobody has made'],
    [
      'used too late',
      async () =>
        append(login({ link: (await entry('OPERATOR_LINK_MADE'))?.link, timestamp: '2026-11-16T00:01:01.000Z' })),
      'by a link that had expired',
    ],
  ])('a link %s', async (_, attack, what) => {
    await attack(await makeLink())
    expect(await found()).toContain(what)
  })

  test('what an earlier version has left is no contradiction', async () => {
    await planted([{ hash: HASH, expiresAt: clock.now() - 1, authenticatedAt: 0 }])
    await append(login({}))
    expect(await found()).toBe('')
  })

  const lasting = (links: unknown) => (links as readonly object[]).map((link) => ({ ...link, expiresAt: 9e12 }))
})

describe('AUDIT-09 M5 the entries fit together', () => {
  const about = { timestamp, operation: 'delete_it', adapter_name: 'db', params_hash: 'h' } as const
  const granted: AuditEntry = { ...about, event: 'CONFIRMATION_GRANTED', approval_id: 'r', scope: 'once' }
  const ran: AuditEntry = { ...about, event: 'OPERATION_INTENT', result: 'confirmed', confirmation_token: 'r' }

  test.each<[string, readonly AuditEntry[], string]>([
    ['what was granted ran', [granted, ran], ''],
    ['other parameters ran', [granted, { ...ran, params_hash: 'x' }], 'request r was granted for another call'],
    ['another operation ran', [granted, { ...ran, operation: 'drop_it' }], 'request r was granted for another call'],
    ['a code was right', [code('CHALLENGE_SHOWN'), code('CHALLENGE_VERIFIED')], ''],
    ['a code that nobody has seen was right', [code('CHALLENGE_VERIFIED')], 'nobody was shown one before'],
  ])('%s', async (_, audit, what) => {
    await append(...audit)
    const all = await found()
    if (what === '') expect(all).toBe('')
    else expect(all).toContain(what)
  })

  function code(event: AuditEntry['event']): AuditEntry {
    return { timestamp, event, verificationId: 'c', agent_key: 'a' }
  }
})
