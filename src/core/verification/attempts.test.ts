import { expect, test } from 'vitest'
import { type Attempts, admitAttempt, withFailure } from './attempts.ts'

const START = 1_000_000_000

/** Fails until it is refused; returns how often that took, and for how long. */
function failUntilRefused(attempts: Attempts | undefined, now: number) {
  for (let failures = 0; ; failures++) {
    const admission = admitAttempt(attempts, now)
    attempts = admission.kind === 'limited' ? admission.next : withFailure(admission.next, now)
    if (admission.kind === 'limited') return { failures, attempts, retryAfter: admission.retryAfterSeconds }
  }
}

test('OOB-12 the eleventh attempt within 60 s is refused', () => {
  expect(failUntilRefused(undefined, START)).toMatchObject({ failures: 10, retryAfter: 60 })
})

test('OOB-12 failures further apart are not', () => {
  let attempts: Attempts | undefined
  for (let i = 0; i < 50; i++) {
    const admission = admitAttempt(attempts, START + i * 7_000)
    expect(admission.kind).toBe('admitted')
    attempts = withFailure(admission.next, START + i * 7_000)
  }
})

test('OOB-12 asking again while refused does not prolong it', () => {
  const { attempts } = failUntilRefused(undefined, START)
  expect(admitAttempt(attempts, START + 30_000)).toMatchObject({ kind: 'limited', retryAfterSeconds: 30 })
  expect(admitAttempt(attempts, START + 60_001).kind).toBe('admitted')
})

test('OOB-13 each repetition doubles the window, up to an hour, and an hour of quiet forgives', () => {
  let now = START
  let attempts: Attempts | undefined
  const waits: number[] = []
  for (let i = 0; i < 8; i++) {
    const refused = failUntilRefused(attempts, now)
    attempts = refused.attempts
    waits.push(refused.retryAfter)
    now += refused.retryAfter * 1_000 + 1
  }
  expect(waits).toEqual([60, 120, 240, 480, 960, 1_920, 3_600, 60])
  expect(failUntilRefused(attempts, now + 3_600_001)).toMatchObject({ failures: 10, retryAfter: 60 })
})
