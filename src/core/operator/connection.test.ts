import { expect, test } from 'vitest'
import { sessionText, sharedNote, shortSession, stopEffect } from './connection.ts'

test.each([
  ['3fa91c02-0000-4000-8000-000000000001', '3fa91c02'],
  ['hook:claude:3fa91c02-0000-4000-8000-000000000001', 'hook:claude:3fa91c02…0001'],
  ['hook:claude:3fa91c02-0000-4000-8000-000000000002', 'hook:claude:3fa91c02…0002'],
  ['hook:cursor:s1', 'hook:cursor:s1'],
])('SELF-04 sessions can be told apart when they are shortened: %s', (session, short) => {
  expect(shortSession(session)).toBe(short)
  expect(sessionText(session)).toBe(` session ${short}`)
})

test('BLOCK-10 a stop claims what the gate does: of the hook it reaches nothing that runs outside', () => {
  expect(stopEffect('hook')).toMatch(/next tool call is refused.*not reached/)
  expect(stopEffect('hook')).not.toContain('cancelled')
  expect(sharedNote('hook')).toContain('All clients whose hook asks this store')
  expect(stopEffect('ann')).toContain('what it has running is cancelled')
})
