import { expect, test } from 'vitest'
import { diffLines, diffOf } from './diff-of.ts'
import { targetOf } from './target-of.ts'

test.each([
  ['a\nb\nc', 'a\nx\nc', ' a,-b,+x, c'],
  ['a', 'a', ' a'],
  ['', 'a', '-,+a'],
  ['a\nb', 'b', '-a, b'],
])('lines of %j against %j', (before, after, signs) => {
  expect(
    diffLines(before, after)
      .map(({ sign, text }) => `${sign}${text}`)
      .join(','),
  ).toBe(signs)
})

test('very long texts are shown whole', () => {
  const long = Array.from({ length: 1_000 }, (_, line) => String(line)).join('\n')
  expect(diffLines(long, `${long}\nx`)).toHaveLength(2_001)
})

test('R-44 what an update changes, also in an object of changes', () => {
  const before = { id: 7, replicas: 2, image: 'a:1', labels: {} }
  const diff = diffOf(before, { id: 7, changes: { replicas: 3, image: 'a:1' } }, 5)
  expect(diff).toEqual({
    readAt: 5,
    unchanged: 3,
    fields: [
      {
        path: 'replicas',
        lines: [
          { sign: '-', text: '2' },
          { sign: '+', text: '3' },
        ],
      },
    ],
  })
  expect(diffOf('text', {}, 5)).toBeUndefined()
})

const HIDDEN = { $masked: 'string' }

test('VAL-10 where the new value is a secret, the old one is not shown either', () => {
  const before = { pass: 'hunter22', keys: ['k1', 'k2'], inner: { pin: 'p1', open: 'o' }, spare: null }
  const diff = diffOf(
    before,
    { input: { pass: HIDDEN, keys: [HIDDEN], inner: { pin: HIDDEN, open: 'x' }, spare: HIDDEN } },
    5,
  )
  expect(diff?.fields.map(({ path }) => path)).toEqual(['pass', 'keys', 'inner', 'spare'])
  const text = JSON.stringify(diff)
  for (const secret of ['hunter22', 'k1', 'k2', 'p1']) expect(text).not.toContain(secret)
  expect(diff?.fields[0]?.lines).toEqual([
    { sign: '-', text: '', isMasked: true },
    { sign: '+', text: '', isMasked: true },
  ])
  expect(diff?.fields[3]?.lines).toEqual([
    { sign: '-', text: 'null' },
    { sign: '+', text: '', isMasked: true },
  ])
})

test('VAL-10 a change to a text of asterisks is shown as such, and hides nothing of the state', () => {
  expect(diffOf({ name: 'production' }, { name: '***' }, 5)?.fields[0]?.lines).toEqual([
    { sign: '-', text: 'production' },
    { sign: '+', text: '***' },
  ])
})

test.each([
  [{ owner: 'acme', repo: 'pay', branch: 'main', force: true }, ['pay', 'main']],
  [{ database: 'd', schema: 's', script: 'x'.repeat(200) }, ['d', 's']],
  [{ user_id: 7 }, ['7']],
  [{ text: 'hello', n: 1 }, []],
])('the target of %j is %j', (params, target) => {
  expect(targetOf(params).map(({ text }) => text)).toEqual(target)
})
