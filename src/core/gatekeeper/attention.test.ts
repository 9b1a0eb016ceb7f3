import { describe, expect, test } from 'vitest'
import { type Attention, advance, isShown, nextShownAt, promptOf, withoutPrompt, withPrompt } from './attention.ts'

const NOW = 1_000_000
const LATER = NOW + 300_000

function asking(attention: Attention | undefined, session: string, ids: readonly string[], principal = 'anonymous') {
  return ids.reduce<Attention | undefined>(
    (held, id) => withPrompt(held, promptOf(id, LATER, principal, session), NOW),
    attention,
  ) as Attention
}

const ids = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`)

describe('SELF-13 M4 one caller keeps no other from the human', () => {
  test.each(['anonymous', 'stdio'])('ten questions of one connection of %s leave room for the next', (principal) => {
    const attention = asking(asking(undefined, 'b', ids('b', 10), principal), 'a', ['a0'], principal)
    expect(isShown(attention, 'a0')).toBe(true)
    expect(attention.open.filter(({ from }) => from === 'b')).toHaveLength(5)
  })

  test('all connections together show four times as much and no more', () => {
    let attention: Attention | undefined
    for (const session of ids('s', 30)) attention = asking(attention, session, ids(`${session}-`, 5))
    expect(attention?.open).toHaveLength(20)
  })

  test('who has been shown least comes next, whoever asked before', () => {
    let attention: Attention | undefined
    for (const session of ids('loud', 4)) attention = asking(attention, session, ids(`${session}-`, 10))
    attention = asking(attention, 'quiet', ['q'])
    expect(isShown(attention, 'q')).toBe(false)
    attention = withoutPrompt(attention, attention.open[0]?.id ?? '', NOW)
    expect(isShown(attention, 'q')).toBe(true)
  })

  test('sessions of a named client count as one', () => {
    const attention = asking(asking(undefined, 's1', ids('a', 5), 'ann'), 's2', ['b0'], 'ann')
    expect(isShown(attention, 'b0')).toBe(false)
    expect(attention.open).toHaveLength(5)
  })
})

test('SELF-13 what time alone lets through is told beforehand', () => {
  const full = asking(undefined, 'a', ids('a', 5))
  expect(nextShownAt(full)).toBeUndefined()
  const patient = withPrompt(full, { id: 'late', expiresAt: LATER + 1_000, from: 'a' }, NOW)
  expect(nextShownAt(patient)).toBe(LATER)
  expect(isShown(advance(patient, LATER), 'late')).toBe(false)
  expect(isShown(advance(patient, LATER + 1), 'late')).toBe(true)
})

test('SELF-13 a record of an earlier version is read as one that has shown nothing', () => {
  const old = { open: [], shown: [NOW], held: [{ id: 'x', expiresAt: LATER }] } as unknown as Attention
  expect(isShown(advance(old, NOW), 'x')).toBe(true)
})
