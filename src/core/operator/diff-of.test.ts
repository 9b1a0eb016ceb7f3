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

test.each([
  [{ owner: 'acme', repo: 'pay', branch: 'main', force: true }, ['pay', 'main']],
  [{ database: 'd', schema: 's', script: 'x'.repeat(200) }, ['d', 's']],
  [{ user_id: 7 }, ['7']],
  [{ text: 'hello', n: 1 }, []],
])('the target of %j is %j', (params, target) => {
  expect(targetOf(params).map(({ text }) => text)).toEqual(target)
})
