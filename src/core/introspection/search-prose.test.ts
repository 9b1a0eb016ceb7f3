import { expect, test } from 'vitest'
import { indexedProse } from './search-prose.ts'

test('design §5 search drops sentences that many operations share, whatever their numbers and names', () => {
  const texts = Array.from(
    { length: 8 },
    (_, at) => `Does thing ${'abcdefgh'[at]}. Needs the scope "s${at}" in ${at} places. Sends \`x${at}\` as a header.`,
  )
  expect(indexedProse(texts)[2]).toBe('Does thing c.')
})

test('design §5 search keeps a sentence that three operations share', () => {
  expect(indexedProse(['Same words.', 'Same words.', 'Same words.'])).toEqual([
    'Same words.',
    'Same words.',
    'Same words.',
  ])
})

test('design §5 search cuts a description at 400 characters', () => {
  expect(indexedProse(['word '.repeat(500)])[0]).toHaveLength(400)
})

test('design §5 search reads the words of links and inline code, not addresses, tags and code blocks', () => {
  const text = 'See [the **guide**](https://a.example/b) for `owner`. <br/> https://c.example/d ```rm -rf /```'
  expect(indexedProse([text])[0]?.split(/\s+/).filter(Boolean)).toEqual(['See', 'the', 'guide', 'for', 'owner.'])
})

test.each(['[', '[a](', '<', '```', '"', "'a", 'https://'])('design §5 search is bounded on prose of %j', (piece) => {
  const start = performance.now()
  indexedProse([piece.repeat(100_000)])
  expect(performance.now() - start).toBeLessThan(2_000)
})
