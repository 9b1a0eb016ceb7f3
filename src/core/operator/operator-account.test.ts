import { beforeEach, describe, expect, test } from 'vitest'
import { createMemoryStore } from '../../store/memory.ts'
import type { Store } from '../ports/store.ts'
import { createOperatorAccount, type OperatorAccount, type Right } from './operator-account.ts'
import { OPERATOR_REF } from './operator-record.ts'
import { SCRYPT_COST } from './verifier.ts'

const SECRET = 'correct horse battery'
/** The rules are the same, only faster. */
const COST = { N: 2 ** 4, r: 8, p: 1 }

let now: number
let store: Store
let account: OperatorAccount

beforeEach(() => {
  now = Date.parse('2026-01-01T00:00:00Z')
  store = createMemoryStore()
  account = reopen()
})

describe('SELF-07 the secret', () => {
  test('is worth 128 MiB for every guess', () => {
    expect(128 * SCRYPT_COST.N * SCRYPT_COST.r).toBe(128 * 1024 * 1024)
  })

  // biome-ignore format: a table reads by columns
  test.each([
    ['ten characters',       '0123456789',          '0123456789',          'set'],
    ['nine',                 '012345678',           '012345678',           'short'],
    ['ten units, five signs', '🚀🚀🚀🚀🚀',            '🚀🚀🚀🚀🚀',            'short'],
    ['typed differently',    '0123456789',          '0123456780',          'differs'],
    ['endless',              'x'.repeat(1_001),     'x'.repeat(1_001),     'long'],
  ])('%s: %s', async (_, secret, again, outcome) => {
    expect(await account.set(secret, again, 'terminal')).toBe(outcome)
    expect(await account.isSet()).toBe(outcome === 'set')
  })

  test('is set once', async () => {
    await account.set(SECRET, SECRET, 'terminal')
    expect(await account.set('another secret', 'another secret', 'terminal')).toBe('exists')
    expect(await account.check(SECRET, 'terminal')).toMatchObject({ kind: 'right' })
  })

  test('is not in the store', async () => {
    await account.set(SECRET, SECRET, 'terminal')
    expect(JSON.stringify(await store.get(OPERATOR_REF))).not.toContain(SECRET)
    expect(JSON.stringify(await store.trail.read())).not.toContain(SECRET)
  })

  test('is the same however the keyboard composes it', async () => {
    await account.set('garçon à dix', 'garçon à dix', 'terminal')
    expect(await account.check('garçon à dix'.normalize('NFD'), 'terminal')).toMatchObject({ kind: 'right' })
  })

  test('makes the local operator an admin, authenticated now', async () => {
    await account.set(SECRET, SECRET, 'terminal')
    expect(await account.check(SECRET, 'terminal')).toEqual({
      kind: 'right',
      operator: { subject: 'operator', channel: 'terminal', role: 'admin', authenticatedAt: now },
    })
  })

  test('without one nobody is the operator', async () => {
    expect(await account.check('', 'terminal')).toEqual({ kind: 'unset' })
  })
})

describe('SELF-08 wrong secrets', () => {
  beforeEach(() => account.set(SECRET, SECRET, 'terminal'))

  test('five are free, then the wait doubles up to 15 minutes, across processes', async () => {
    for (const triesLeft of [4, 3, 2, 1]) expect(await wrong()).toEqual({ kind: 'wrong', triesLeft })
    const waits: number[] = []
    for (let at = 0; at < 7; at++) {
      account = reopen()
      const { retryAt = 0 } = (await wrong()) as { readonly retryAt?: number }
      waits.push((retryAt - now) / 1_000)
      now = retryAt
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900])
  })

  test('while it lasts the right one is not looked at', async () => {
    for (let at = 0; at < 5; at++) await wrong()
    expect(await account.check(SECRET, 'terminal')).toEqual({ kind: 'locked', retryAt: now + 30_000 })
    now += 30_000
    expect(await account.check(SECRET, 'terminal')).toMatchObject({ kind: 'right' })
    expect(await wrong()).toEqual({ kind: 'wrong', triesLeft: 4 })
  })

  test('a swarm of guesses gets five, too', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, wrong))
    expect(answers.filter(({ kind }) => kind === 'wrong')).toHaveLength(5)
    expect(answers.filter(({ kind }) => kind === 'locked')).toHaveLength(45)
  })

  test('at one door do not lock the other, and a right one there does not open it', async () => {
    for (let at = 0; at < 6; at++) await account.check('not the secret', 'console')
    expect(await account.check(SECRET, 'console')).toMatchObject({ kind: 'locked' })
    expect(await account.check(SECRET, 'terminal')).toMatchObject({ kind: 'right' })
    expect(await account.check(SECRET, 'console')).toMatchObject({ kind: 'locked' })
    now += 30_000
    expect(await account.check(SECRET, 'console')).toMatchObject({ kind: 'right' })
  })

  test('are audited, as is the right one', async () => {
    await wrong()
    await account.check(SECRET, 'console')
    const entries = await store.trail.read({ order: 'oldest' })
    expect(entries.map(({ entry: { event, channel, failure_reason } }) => [event, channel, failure_reason])).toEqual([
      ['OPERATOR_SECRET_SET', 'terminal', undefined],
      ['OPERATOR_LOGIN_FAILED', 'terminal', 'wrong'],
      ['OPERATOR_LOGIN', 'console', undefined],
    ])
  })
})

describe('SELF-07 changing it', () => {
  beforeEach(() => account.set(SECRET, SECRET, 'terminal'))

  test('needs the old one, typed a moment ago', async () => {
    const right = await checked()
    expect(await account.change(right, 'another secret', 'another secret')).toBe('set')
    expect(await account.check(SECRET, 'terminal')).toMatchObject({ kind: 'wrong' })
    expect(await account.check('another secret', 'terminal')).toMatchObject({ kind: 'right' })
  })

  test('proof is used once, grows old and cannot be made by hand', async () => {
    const right = await checked()
    expect(await account.change({ ...right }, 'another secret', 'another secret')).toBe('stale')
    now += 120_001
    expect(await account.change(right, 'another secret', 'another secret')).toBe('stale')
    const second = await checked()
    await account.change(second, 'another secret', 'another secret')
    expect(await account.change(second, 'a third secret', 'a third secret')).toBe('stale')
  })

  test('voids the links made before', async () => {
    const right = await checked()
    const link = (await account.makeLink(right)) ?? ''
    await account.change(right, 'another secret', 'another secret')
    expect(await account.redeemLink(link)).toBeUndefined()
  })
})

describe('SELF-08 log-in links', () => {
  beforeEach(() => account.set(SECRET, SECRET, 'terminal'))

  test('hold 256 bits, of which the store keeps a hash', async () => {
    const link = (await account.makeLink(await checked())) ?? ''
    expect(Buffer.from(link, 'base64url')).toHaveLength(32)
    expect(JSON.stringify([await store.get(OPERATOR_REF), await store.trail.read()])).not.toContain(link)
  })

  test('log in once, also in another process', async () => {
    const link = (await account.makeLink(await checked())) ?? ''
    const console = reopen()
    expect(await console.redeemLink(link)).toEqual({
      subject: 'operator',
      channel: 'console',
      role: 'admin',
      authenticatedAt: now,
    })
    expect(await console.redeemLink(link)).toBeUndefined()
    expect(await account.redeemLink(link)).toBeUndefined()
  })

  test('AUDIT-09 the trail says that one was made, where, and which one a log-in has used', async () => {
    await account.makeLink(await checked())
    await account.redeemLink((await account.makeLink(await checked())) ?? '')
    const made = await store.trail.read({ order: 'oldest', events: ['OPERATOR_LINK_MADE'] })
    expect(made.map(({ entry: { operator, channel } }) => [operator, channel])).toEqual([
      ['operator', 'terminal'],
      ['operator', 'terminal'],
    ])
    const [login] = await store.trail.read({ limit: 1, events: ['OPERATOR_LOGIN'] })
    expect(login?.entry.link).toMatch(/^[0-9a-f]{16}$/)
    expect(login?.entry.link).toBe(made[1]?.entry.link)
    expect(login?.entry.link).not.toBe(made[0]?.entry.link)
  })

  test('AUDIT-09 none is made that the trail does not tell of', async () => {
    const known: Store = store
    let written = false
    store = {
      ...known,
      update: (refs, change) =>
        known.update(refs, (current) => {
          const changed = change(current)
          const isLink = changed.audit?.some(({ event }) => event === 'OPERATOR_LINK_MADE')
          if (isLink) throw new Error('the trail is full')
          written = true
          return changed
        }),
    }
    account = reopen()
    const right = await checked()
    written = false
    await expect(account.makeLink(right)).rejects.toThrow('the trail is full')
    expect([written, (await known.get(OPERATOR_REF))?.links]).toEqual([false, []])
  })

  test('one of many at the same moment wins', async () => {
    const link = (await account.makeLink(await checked())) ?? ''
    const answers = await Promise.all(Array.from({ length: 20 }, () => reopen().redeemLink(link)))
    expect(answers.filter((answer) => answer !== undefined)).toHaveLength(1)
  })

  test('live for 60 seconds', async () => {
    const link = (await account.makeLink(await checked())) ?? ''
    now += 60_000
    expect(await account.redeemLink(link)).toBeUndefined()
  })

  test('are made for nobody who has not typed the secret', async () => {
    const forged: Right = {
      kind: 'right',
      operator: { subject: 'operator', channel: 'terminal', role: 'admin', authenticatedAt: now },
    }
    expect(await account.makeLink(forged)).toBeUndefined()
  })

  test('that are guessed all day do not fill the trail', async () => {
    for (let at = 0; at < 100; at++) await account.redeemLink('guess')
    expect(await store.trail.read({ events: ['OPERATOR_LOGIN_FAILED'] })).toHaveLength(1)
  })
})

describe('SELF-08 the secret at the sign-in page, which everybody can reach', () => {
  beforeEach(() => account.set(SECRET, SECRET, 'terminal'))

  test('signs in; a wrong one does not, and locks nobody out of the terminal', async () => {
    for (let at = 0; at < 20; at++) expect(await account.signIn('not the secret')).toBe('wrong')
    expect(await account.check(SECRET, 'terminal')).toMatchObject({ kind: 'right' })
    expect(await account.signIn(SECRET)).toEqual({
      subject: 'operator',
      channel: 'console',
      role: 'admin',
      authenticatedAt: now,
    })
    expect(await account.signIn('x'.repeat(1_001))).toBe('wrong')
  })

  test('is not kept out by wrong ones at the terminal', async () => {
    for (let at = 0; at < 6; at++) await wrong()
    expect(await account.signIn(SECRET)).toMatchObject({ subject: 'operator' })
  })

  test('of a store without one signs nobody in', async () => {
    store = createMemoryStore()
    account = reopen()
    expect([await account.signIn(''), await account.makePass(), await account.isPass('a.b')]).toEqual([
      'unset',
      undefined,
      false,
    ])
  })

  test('guesses do not fill the trail, and the next entry says how many there were', async () => {
    for (let at = 0; at < 50; at++) await account.signIn('not the secret')
    now += 10_000
    await account.signIn('not the secret')
    const noted = await store.trail.read({ events: ['OPERATOR_LOGIN_FAILED'], order: 'oldest' })
    expect(noted.map(({ entry: { failures, failure_reason } }) => [failures, failure_reason])).toEqual([
      [1, 'secret'],
      [50, 'secret'],
    ])
  })

  test('a pass is known in every process, cannot be made up, and ends with the secret', async () => {
    const pass = (await account.makePass()) ?? ''
    const [nonce, proof] = pass.split('.')
    expect(await reopen().isPass(pass)).toBe(true)
    for (const forged of ['', '.', 'x.y', `${nonce}.`, `x.${proof}`, `${pass}x`, `${nonce}.${pass}`])
      expect([forged, await account.isPass(forged)]).toEqual([forged, false])
    await account.change(await checked(), 'another secret', 'another secret')
    expect(await account.isPass(pass)).toBe(false)
  })
})

function reopen(): OperatorAccount {
  return createOperatorAccount({ store, clock: { now: () => now }, cost: COST })
}

function wrong() {
  return account.check('not the secret', 'terminal')
}

async function checked(): Promise<Right> {
  const answer = await account.check(SECRET, 'terminal')
  if (answer.kind !== 'right') throw new Error(answer.kind)
  return answer
}
