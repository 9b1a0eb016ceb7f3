import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { codeGroups, hashCode, isCode, makeCode, makeSalt } from './challenge.ts'

test('OOB-02 a code has 28 letters of base32 in seven groups', () => {
  for (let i = 0; i < 200; i++) {
    const groups = codeGroups(makeCode())
    expect(groups).toHaveLength(7)
    expect(groups.join('')).toMatch(/^[A-Z2-7]{28}$/)
  }
  expect(new Set(Array.from({ length: 1_000 }, () => codeGroups(makeCode()).join(''))).size).toBe(1_000)
})

test('OOB-02 every letter is equally likely', () => {
  const counts = new Map<string, number>()
  for (let i = 0; i < 2_000; i++)
    for (const letter of codeGroups(makeCode()).join('')) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  expect(counts.size).toBe(32)
  for (const count of counts.values()) expect(Math.abs(count - 1_750)).toBeLessThan(300)
})

test('OOB-04 a code shows itself in no print of any kind', () => {
  const code = makeCode()
  const [first = ''] = codeGroups(code)
  const prints = [
    String(code),
    `${code}`,
    JSON.stringify({ code }),
    JSON.stringify(structuredClone(code)),
    inspect(code, { depth: 9, showHidden: true }),
    inspect({ nested: [code] }),
    Object.values(code).join(),
    new Error('with', { cause: code }).stack ?? '',
  ]
  for (const print of prints) expect(print).not.toContain(first)
})

describe('OOB-04 comparison with a salted hash', () => {
  const code = makeCode()
  const salt = makeSalt()
  const kept = { salt, hash: hashCode(code, salt) }
  const text = codeGroups(code).join('')

  test.each([
    ['as shown', text, true],
    ['in groups', codeGroups(code).join('-'), true],
    ['in small letters with spaces', codeGroups(code).join(' ').toLowerCase(), true],
    ['one letter short', text.slice(1), false],
    ['one letter more', `${text}A`, false],
    ['nothing', '', false],
    ['something long', 'A'.repeat(100_000), false],
  ])('%s', (_, typed, expected) => {
    expect(isCode(kept, typed)).toBe(expected)
  })

  test('a challenge that was never shown has no right code', () => {
    expect(isCode({}, '')).toBe(false)
    expect(isCode({ salt }, text)).toBe(false)
  })

  test('the salt matters', () => {
    expect(isCode({ ...kept, salt: makeSalt() }, text)).toBe(false)
  })
})
