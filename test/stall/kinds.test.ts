import { describe, expect, test } from 'vitest'
import { openTracker } from '../../examples/tracker/adapter.ts'
import { createRuntime } from '../../src/core/runtime.ts'
import { createMemoryStore } from '../../src/store/memory.ts'
import { KINDS } from './kinds.ts'
import { createAdapter } from './lab.mjs'
import { LAB_KINDS } from './lab-kinds.ts'
import { pickBy } from './search-worst.ts'

/** Much smaller than what the search sends: only whether it is carried out counts here. */
const ROOM = 150_000
const SEEDS = 24

/** A search that only sends what is refused at once finds no stall in what comes after. */
describe.each([
  { name: 'the demo', open: () => openTracker(':memory:').adapter, kinds: KINDS },
  { name: 'an adapter of every type', open: createAdapter, kinds: LAB_KINDS },
])('the search looks beyond the checks of $name', ({ open, kinds }) => {
  test.each(kinds.map((kind) => [kind.name, kind] as const))('%s', async (_, kind) => {
    const runtime = await createRuntime(open(), { store: createMemoryStore(), clock: { now: () => 0 }, mode: 'single' })
    const session = runtime.openSession('stall')
    const tool = runtime.tools[0]?.name ?? ''
    const isCarriedOut = async (seed: number) => {
      const { result } = await runtime.call({ tool, arguments: kind.make(ROOM, pickBy(seed)), session })
      return result.success || REACHES_THE_GATE.has(result.error.code)
    }
    const found = await some(isCarriedOut)
    await runtime.close()
    expect(found).toBe(kind.refused === undefined)
  })
})

const REACHES_THE_GATE: ReadonlySet<string> = new Set(['CONFIRMATION_REQUIRED', 'NOT_FOUND_RESOURCE'])

async function some(isCarriedOut: (seed: number) => Promise<boolean>): Promise<boolean> {
  for (let seed = 1; seed <= SEEDS; seed++) if (await isCarriedOut(seed)) return true
  return false
}
