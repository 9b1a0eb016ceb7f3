import { defineAdapter } from '../src/core/registry/adapter.ts'
import { defineOperation } from '../src/core/registry/operation.ts'
import { createRuntime } from '../src/core/runtime.ts'
import { createMemoryStore } from '../src/store/memory.ts'

/** CPU of one validated READ inside the runtime: arguments in, JSON text out. Target: 5 µs. */
const CALLS = 200_000

const adapter = defineAdapter({
  name: 'bench',
  description: 'One small operation.',
  concurrency: 'read-concurrent',
  operations: [
    defineOperation({
      name: 'get_note',
      category: 'READ',
      description: 'Get one note.',
      params: {
        note_id: { type: 'string', required: true },
        revision: { type: 'integer', minimum: 0 },
        color: { type: 'string', enum: ['red', 'blue'] },
      },
      returns: 'object',
      handler: ({ note_id }) => ({ id: note_id, title: 'hello' }),
    }),
  ],
})

const runtime = await createRuntime(adapter, { store: createMemoryStore(), clock: { now: () => Date.now() } })
const session = runtime.openSession('bench')
const tool = runtime.tools.find(({ name }) => name.endsWith('_read'))?.name ?? ''
const request = { operation: 'get_note', params: { note_id: 'n1', revision: 3, color: 'red' } }
const batch = { operations: Array.from({ length: 50 }, () => request) }

async function microseconds(args: unknown, calls: number): Promise<number> {
  const before = process.cpuUsage()
  for (let i = 0; i < calls; i++) await runtime.call({ tool, arguments: args, session })
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}

await microseconds(request, 50_000)
const runs = []
for (let i = 0; i < 5; i++) runs.push(await microseconds(request, CALLS))
runs.sort((a, b) => a - b)
console.log(
  `validated READ        ${runs[2]?.toFixed(2)} µs of CPU (best ${runs[0]?.toFixed(2)}, worst ${runs[4]?.toFixed(2)}; 5 × ${CALLS} calls)`,
)
console.log(`calls a second        ${Math.round(1_000_000 / (runs[2] ?? 1)).toLocaleString('en')} on one core`)
console.log(`entry of a batch (50) ${((await microseconds(batch, 4_000)) / 50).toFixed(2)} µs of CPU`)
console.log(
  `refused (wrong type)  ${(await microseconds({ operation: 'get_note', params: { note_id: 5 } }, 20_000)).toFixed(2)} µs of CPU`,
)
console.log(`JSON.stringify alone  ${await baseline()} µs of CPU`)

/** What the answer's text costs by itself, for scale. */
async function baseline(): Promise<string> {
  const result = { success: true, data: { id: 'n1', title: 'hello' } }
  const before = process.cpuUsage()
  let length = 0
  for (let i = 0; i < CALLS; i++) length += JSON.stringify(result).length
  const { user, system } = process.cpuUsage(before)
  return length > 0 ? ((user + system) / CALLS).toFixed(2) : ''
}
