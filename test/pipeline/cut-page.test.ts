import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { openWorld } from '../notes.ts'

interface Page {
  readonly items: readonly { readonly id: string }[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string }
}

async function filled(count: number) {
  const world = await openWorld()
  for (let i = 1; i <= count; i++) await world.call({ operation: 'create_note', params: { title: `Note number ${i}` } })
  return world
}

test('design §5 a page that is cut to a budget ends where its cursor says: walking on by cursor misses nothing', async () => {
  const { call } = await filled(30)
  const seen: string[] = []
  let after: string | undefined
  do {
    const params = { first: 10, max_tokens: 150, ...(after && { after }) }
    const { data } = await call({ operation: 'list_notes', params })
    const { items, pageInfo } = data as Page
    seen.push(...items.map(({ id }) => id))
    after = pageInfo.hasNextPage ? pageInfo.endCursor : undefined
  } while (after)
  expect(seen.length).toBe(30)
  expect(new Set(seen).size).toBe(30)
})

test('design §5 the answer with its warning keeps the budget', async () => {
  const { call } = await filled(30)
  for (const max_tokens of [150, 250, 400]) {
    const answer = await call({ operation: 'list_notes', params: { first: 30, max_tokens } })
    expect(answer.warnings?.[0]?.code).toBe('VALIDATION_TRUNCATED_WARNING')
    expect(countTokens(JSON.stringify(answer))).toBeLessThanOrEqual(max_tokens * 1.15)
  }
})
