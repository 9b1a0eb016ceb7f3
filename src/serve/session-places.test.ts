import { expect, test } from 'vitest'
import { SESSION_USES, type SessionUse } from '../core/session.ts'
import { type Placed, placeToGiveUp } from './session-places.ts'

function placed(use: SessionUse, seen: number, busy = 0, key = 'k'): Placed {
  return { key, busy, use: () => use, seen }
}

test.each([
  ['lately', 1_000, ['opened', 'read', 'wrote', 'asked']],
  ['five minutes ago', 300_004, ['opened', 'read', 'wrote', 'asked', 'working']],
])('the session that was used for least is given up first; all were used %s', (_, now, expected) => {
  const sessions = SESSION_USES.map((use, at) => placed(use, at)).toReversed()
  const order: SessionUse[] = []
  for (let left: readonly Placed[] = sessions; ; ) {
    const least = placeToGiveUp(left, 'k', now)
    if (!least) break
    order.push(least.use())
    left = left.filter((each) => each !== least)
  }
  expect(order).toEqual(expected)
})

test('among equals the one that was silent longest is given up; none with a request or stream under way, none of another caller', () => {
  const sessions = [placed('read', 1, 1), placed('read', 3), placed('read', 2), placed('opened', 0, 0, 'other')]
  expect(placeToGiveUp(sessions, 'k', 10)).toBe(sessions[2])
})
