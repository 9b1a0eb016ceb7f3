import { expect, test } from 'vitest'
import { SESSION_USES, type SessionUse } from '../core/session.ts'
import { type Placed, placeToGiveUp } from './session-places.ts'

function placed(use: SessionUse, seen: number, inFlight = 0, key = 'k'): Placed {
  return { key, inFlight: { size: inFlight }, use: () => use, seen }
}

test('the session that was used for least is given up, however long another was silent', () => {
  const sessions = SESSION_USES.map((use, at) => placed(use, at)).toReversed()
  const order: SessionUse[] = []
  for (let left: readonly Placed[] = sessions; ; ) {
    const least = placeToGiveUp(left, 'k')
    if (!least) break
    order.push(least.use())
    left = left.filter((each) => each !== least)
  }
  expect(order).toEqual(['opened', 'read', 'wrote'])
})

test('among equals the one that was silent longest is given up; none with a request under way, none of another caller', () => {
  const sessions = [placed('read', 1, 1), placed('read', 3), placed('read', 2), placed('opened', 0, 0, 'other')]
  expect(placeToGiveUp(sessions, 'k')).toBe(sessions[2])
})
