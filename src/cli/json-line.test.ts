import { expect, test } from 'vitest'
import { fakeWorld } from '../../test/fake-world.ts'
import { escapeUnseen, jsonLine } from './json-line.ts'
import { createLog } from './log.ts'
import { printReply } from './print-reply.ts'

const HOSTILE = 'a\u001b[2J\u009b2Jb\u202ec\u2066d\u200be\u2028f\ufeffg\u{e0041}h\u007fi\u0085j\r\n\tk'
/** What a terminal would obey, hide or reorder. */
const OBEYED = /[\p{Cc}\p{Cf}\u2028\u2029]/u

test('M8 a line of JSON has no character that a terminal obeys, and says the same', () => {
  const line = jsonLine({ [HOSTILE]: [HOSTILE] })
  expect(line).not.toMatch(OBEYED)
  expect(JSON.parse(line)).toEqual({ [HOSTILE]: [HOSTILE] })
})

test('M8 an indented text stays one', () => {
  const text = JSON.stringify({ a: HOSTILE, b: [1] }, undefined, 2)
  expect(escapeUnseen(text, true)).not.toMatch(/[^\P{Cc}\n\t]|\p{Cf}/u)
  expect(JSON.parse(escapeUnseen(text, true))).toEqual({ a: HOSTILE, b: [1] })
  expect(escapeUnseen('{\r\n\t"a": 1\r}', true)).toBe('{\n\t"a": 1}')
})

test('M8 call --json prints what a source said without what a terminal obeys', () => {
  const world = fakeWorld()
  const result = { success: true, data: { title: HOSTILE } }
  printReply({ result, text: JSON.stringify(result) }, true, world)
  expect(world.said.out.trimEnd()).not.toMatch(OBEYED)
  expect(JSON.parse(world.said.out)).toEqual(result)
})

test('M8 nor does the log', () => {
  const world = fakeWorld()
  createLog('info', world).write({ level: 'error', message: HOSTILE, stack: HOSTILE })
  expect(world.said.err.trimEnd()).not.toMatch(OBEYED)
  expect(JSON.parse(world.said.err)).toMatchObject({ message: HOSTILE, stack: HOSTILE })
})
