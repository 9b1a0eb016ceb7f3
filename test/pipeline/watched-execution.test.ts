import { expect, test } from 'vitest'
import {
  createMemoryStore,
  createRuntime,
  defineAdapter,
  defineOperation,
  type Runtime,
  type Session,
} from '../support.ts'

async function open(): Promise<{ readonly runtime: Runtime; readonly session: Session }> {
  const adapter = defineAdapter({
    name: 'slow',
    description: 'Takes its time.',
    concurrency: 'read-concurrent',
    operations: [
      defineOperation({
        name: 'execute_wait',
        category: 'EXECUTE',
        description: 'Waits until somebody cancels it.',
        returns: 'Execution',
        lifecycle: { supports_cancel: true, supports_retry: false, progress_reporting: true },
        handler: (_, { run }) =>
          run(
            ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
          ),
      }),
      defineOperation({
        name: 'list_all',
        category: 'READ',
        description: 'Lists.',
        returns: 'object',
        handler: () => ({}),
      }),
    ],
  })
  const runtime = await createRuntime(adapter, { store: createMemoryStore(), clock: { now: () => 0 }, mode: 'single' })
  return { runtime, session: runtime.openSession('me') }
}

test('MCP-12 LIFE-05 a cancellation that overtakes the start still ends a watched execution', async () => {
  const { runtime, session } = await open()
  const [tool = { name: '' }] = runtime.tools
  const client = new AbortController()
  const wait = { operation: 'execute_wait' }
  const pending = runtime.call({ tool: tool.name, arguments: wait, session, signal: client.signal, onProgress() {} })
  client.abort()
  expect(await Promise.race([pending.then(() => 'answered'), later(1_000)])).toBe('answered')
  const listed = await runtime.call({ tool: tool.name, arguments: { operation: 'list_executions' }, session })
  expect(listed.text).toContain('"status":"cancelled"')
  await runtime.close()
})

test('CONC-01 a watched execution holds back nobody else', async () => {
  const { runtime, session } = await open()
  const [tool = { name: '' }] = runtime.tools
  const client = new AbortController()
  const wait = { operation: 'execute_wait' }
  const pending = runtime.call({ tool: tool.name, arguments: wait, session, signal: client.signal, onProgress() {} })
  const other = runtime.call({ tool: tool.name, arguments: { operation: 'list_all' }, session })
  expect(await Promise.race([other.then(({ text }) => text), later(1_000)])).toBe('{"success":true,"data":{}}')
  client.abort()
  await pending
  await runtime.close()
})

function later(ms: number): Promise<string> {
  return new Promise((resolve) => setTimeout(resolve, ms, 'too late'))
}
