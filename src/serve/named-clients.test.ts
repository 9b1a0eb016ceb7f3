import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { ANONYMOUS, type Identity } from './identity.ts'
import { type ExchangeKind, trackUnderWay } from './named-clients.ts'

const NAMED: Identity = { principal: 'alice', key: 'hash', client: 'c_12345678', mayElicit: false, isNamed: true }

function track(most = { ofCaller: 6, ofSession: 2, notShort: 4 }) {
  const time = { now: 0 }
  const options = { clients: undefined, onRevoked: async () => {}, onError: () => {}, most, now: () => time.now }
  const underWay = trackUnderWay(options)
  /** The response, or undefined where it was refused. */
  const take = (identity: Identity, of: unknown, kind: ExchangeKind = 'work', isWritten = false) => {
    const res = Object.assign(new EventEmitter(), { destroyed: false, writableEnded: isWritten, destroy }) as never
    underWay.watch(identity, res)
    return underWay.take(identity, res, { of, kind }) ? (res as ServerResponse) : undefined
  }
  const fill = (kind: ExchangeKind, ...of: readonly string[]) => of.map((each) => take(ANONYMOUS, each, kind))
  return { take, fill, time }
}

function destroy(this: EventEmitter & { destroyed: boolean }) {
  this.destroyed = true
  this.emit('close')
}

const kept = (all: readonly (ServerResponse | undefined)[]) => all.map((res) => res !== undefined && !res.destroyed)

test('one session of unnamed callers does not use up what all of them have', () => {
  const { take, fill } = track()
  expect(kept(fill('wait', 'one', 'one', 'one'))).toEqual([true, true, false])
  expect(take(ANONYMOUS, 'two')).toBeDefined()
})

test('a named client may use all it has in one session, for work too, whatever the unnamed callers do', () => {
  const { take, fill } = track()
  fill('work', 'a', 'b', 'c', 'd', 'e', 'f')
  const all = Array.from({ length: 7 }, () => take(NAMED, 'one'))
  expect(kept(all)).toEqual([true, true, true, true, true, true, false])
})

describe('unnamed callers', () => {
  test.each(['work', 'wait', 'stream'] as const)('%s of a crowd leaves places for what is short', (kind) => {
    const { take, fill } = track()
    const crowd = fill(kind, 'a', 'b', 'c', 'd', 'e', 'f')
    expect(kept(crowd)).toEqual([true, true, true, true, false, false])
    expect(take(ANONYMOUS, 'x', 'short')).toBeDefined()
    expect(take(ANONYMOUS, 'y', 'short')).toBeDefined()
    expect(kept(crowd).filter(Boolean)).toHaveLength(4)
  })

  test.each([
    ['wait', 'wait', 'none of equals'],
    ['wait', 'stream', 'none of equals'],
    ['stream', 'stream', 'none of equals'],
    ['wait', 'work', 'the newest'],
    ['stream', 'work', 'the newest'],
    ['stream', 'wait', 'the newest'],
    ['work', 'work', 'none of equals'],
  ] as const)('of many that hold one %s each, one more %s takes the place of %s', (held, fresh, whose) => {
    const { take, fill } = track()
    const crowd = fill(held, 'a', 'b', 'c', 'd')
    expect(take(ANONYMOUS, 'x', fresh) !== undefined).toBe(whose === 'the newest')
    expect(kept(crowd)).toEqual([true, true, true, whose !== 'the newest'])
  })

  test('work leaves half of the places to what waits', () => {
    const { fill } = track()
    const waiting = fill('wait', 'a', 'b', 'c', 'd')
    expect(kept(fill('work', 'e', 'f', 'g'))).toEqual([true, true, false])
    expect(kept(waiting)).toEqual([true, true, false, false])
  })

  test('whoever waits twice gives way to whoever waits for the first time', () => {
    const { take, fill } = track()
    const crowd = fill('wait', 'a', 'b', 'b', 'c')
    expect(take(ANONYMOUS, 'x', 'wait')).toBeDefined()
    expect(kept(crowd)).toEqual([true, true, false, true])
    expect(take(ANONYMOUS, 'x', 'wait')).toBeUndefined()
  })

  test('where all places are taken a read that lasts gives way to one that comes new, and work does not', () => {
    const { take, fill, time } = track()
    const work = fill('work', 'a', 'b', 'c', 'd')
    const reads = fill('short', 'e', 'f')
    expect(take(ANONYMOUS, 'x', 'short')).toBeUndefined()
    time.now += 1_000
    expect(take(ANONYMOUS, 'x', 'short')).toBeDefined()
    expect([kept(work), kept(reads)]).toEqual([
      [true, true, true, true],
      [true, false],
    ])
  })

  test('an answer that nobody reads gives way', () => {
    const { take } = track()
    const unread = ['a', 'b', 'c', 'd', 'e', 'f'].map((of) => take(ANONYMOUS, of, 'work', true))
    expect(take(ANONYMOUS, 'x', 'short')).toBeDefined()
    expect(kept(unread)).toEqual([true, true, true, true, true, false])
  })

  test('work is not broken off, and its place is free when it has ended', () => {
    const { take, fill } = track()
    const working = fill('work', 'a', 'b', 'c', 'd')
    expect(take(ANONYMOUS, 'e')).toBeUndefined()
    expect(kept(working)).toEqual([true, true, true, true])
    working[0]?.emit('close')
    expect(take(ANONYMOUS, 'e')).toBeDefined()
  })
})
