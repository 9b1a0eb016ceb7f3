import { defineAdapter } from '../src/core/registry/adapter.ts'
import { defineOperation } from '../src/core/registry/operation.ts'
import { defineType } from '../src/core/registry/type.ts'
import { createRuntime } from '../src/core/runtime.ts'
import { createMemoryStore } from '../src/store/memory.ts'

/** CPU of a filtered, sorted page over 100,000 records in memory. Target: 60 ms. */
const RECORDS = 100_000

const ITEM = defineType({
  name: 'Item',
  kind: 'object',
  key: 'id',
  fields: {
    id: { type: 'string', required: true },
    name: { type: 'string', filterable: true, sortable: true, searchable: true },
    state: { type: 'string', enum: ['open', 'closed'], filterable: true, groupable: true },
    size: { type: 'integer', filterable: true, sortable: true },
  },
})
const items = Array.from({ length: RECORDS }, (_, i) => ({
  id: `i${i}`,
  name: `item ${(i * 7919) % RECORDS}`,
  state: i % 3 === 0 ? 'closed' : 'open',
  size: (i * 104_729) % 1_000,
}))
const adapter = defineAdapter({
  name: 'bench',
  description: 'Many items.',
  types: [ITEM],
  operations: [
    defineOperation({
      name: 'list_items',
      category: 'READ',
      description: 'List items.',
      collection: { of: 'Item' },
      handler: () => items,
    }),
  ],
})
const runtime = await createRuntime(adapter, { store: createMemoryStore(), clock: { now: () => Date.now() } })
const session = runtime.openSession('bench')
const tool = runtime.tools.find(({ name }) => name.endsWith('_read'))?.name ?? ''

const QUERIES: Record<string, object> = {
  'filtered, sorted page': { filter: { state: 'open' }, sort: { field: 'size', order: 'desc' }, first: 20 },
  'text, sorted page': { query: 'item 99', sort: { field: 'name' }, first: 20 },
  'range filter': { filter: { size: { gte: 100, lt: 110 } }, first: 20 },
  'grouped aggregate': { aggregate: { by_state: { group_by: 'state', count: true, avg: 'size' } } },
}

for (const [label, params] of Object.entries(QUERIES)) {
  const runs = []
  for (let i = 0; i < 9; i++) {
    const before = process.cpuUsage()
    const { isError } = await runtime.call({ tool, arguments: { operation: 'list_items', params }, session })
    if (isError) throw new Error(label)
    const { user, system } = process.cpuUsage(before)
    runs.push((user + system) / 1_000)
  }
  runs.sort((a, b) => a - b)
  console.log(
    `${label.padEnd(24)} ${runs[4]?.toFixed(1)} ms of CPU (best ${runs[0]?.toFixed(1)}, worst ${runs[8]?.toFixed(1)})`,
  )
}
