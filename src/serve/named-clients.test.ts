import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { ANONYMOUS, type Identity } from './identity.ts'
import { type Exchange, trackUnderWay } from './named-clients.ts'

const NAMED: Identity = { principal: 'alice', key: 'hash', client: 'c_12345678', mayElicit: false, isNamed: true }

function track(most = { ofCaller: 4, ofSession: 2 }) {
  const underWay = trackUnderWay({ clients: undefined, onRevoked: async () => {}, onError: () => {}, most })
  /** The response, or undefined where it was refused. */
  const take = (identity: Identity, of: unknown, more: Partial<Exchange & { isWritten: boolean }> = {}) => {
    const { isPatient = false, isWritten = false } = more
    const res = Object.assign(new EventEmitter(), { destroyed: false, writableEnded: isWritten, destroy }) as never
    underWay.watch(identity, res)
    return underWay.take(identity, res, { of, isPatient }) ? (res as ServerResponse) : undefined
  }
  return { take }
}

function destroy(this: EventEmitter & { destroyed: boolean }) {
  this.destroyed = true
  this.emit('close')
}

test('one session of unnamed callers does not use up what all of them have', () => {
  const { take } = track()
  const patient = { isPatient: true }
  expect([1, 2, 3].map(() => take(ANONYMOUS, 'one', patient) !== undefined)).toEqual([true, true, false])
  expect(take(ANONYMOUS, 'two')).toBeDefined()
})

test('a named client may use all it has in one session', () => {
  const { take } = track()
  expect([1, 2, 3, 4, 5].map(() => take(NAMED, 'one') !== undefined)).toEqual([true, true, true, true, false])
})

test('calls that wait on many connections give way to whoever comes new, the oldest of the session with most first', () => {
  const { take } = track()
  const single = take(ANONYMOUS, 'a', { isPatient: true })
  const [older, newer] = [take(ANONYMOUS, 'b', { isPatient: true }), take(ANONYMOUS, 'b', { isPatient: true })]
  take(ANONYMOUS, 'c')
  expect(take(ANONYMOUS, 'd')).toBeDefined()
  expect([single, older, newer].map((res) => res?.destroyed)).toEqual([false, true, false])
})

test('an answer that nobody reads gives way too', () => {
  const { take } = track()
  const unread = take(ANONYMOUS, 'a', { isWritten: true })
  for (const of of ['b', 'c', 'd']) take(ANONYMOUS, of)
  expect(take(ANONYMOUS, 'e')).toBeDefined()
  expect(unread?.destroyed).toBe(true)
})

test('work is not broken off for whoever comes new', () => {
  const { take } = track()
  const working = ['a', 'b', 'c', 'd'].map((of) => take(ANONYMOUS, of))
  expect(take(ANONYMOUS, 'e')).toBeUndefined()
  expect(working.map((res) => res?.destroyed)).toEqual([false, false, false, false])
  working[0]?.emit('close')
  expect(take(ANONYMOUS, 'e')).toBeDefined()
})
