import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { BIN, plainEnvironment } from './bin.ts'
import { INITIALIZED, initialize, type RpcMessage, resultOf, toolCall } from './raw-client.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const YES = { action: 'accept', content: { confirm: true } }

function serveDemo() {
  const folder = mkdtempSync(join(tmpdir(), 'mcpaql-forms-'))
  const server: ChildProcess = spawn(process.execPath, [BIN, 'serve', 'demo', '--no-console', '--mode', 'single'], {
    env: plainEnvironment(folder),
    cwd: folder,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  onTestFinished(async () => {
    server.kill()
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
    rmSync(folder, { recursive: true, force: true })
  })
  const seen: RpcMessage[] = []
  const lines = createInterface({ input: server.stdout as NodeJS.ReadableStream })
  lines.on('line', (line) => seen.push(JSON.parse(line)))
  const send = (message: object) => server.stdin?.write(`${JSON.stringify(message)}\n`)
  const next = async (isMeant: (message: RpcMessage) => boolean) => {
    await expect.poll(() => seen.some(isMeant), { timeout: 10_000 }).toBe(true)
    return seen.find(isMeant) as RpcMessage
  }
  const trail = () =>
    spawnSync(process.execPath, [BIN, 'audit', 'tail'], {
      env: plainEnvironment(folder),
      cwd: folder,
      encoding: 'utf8',
    }).stdout
  return { seen, send, next, trail }
}

test('SELF-06 MCP-17 a form on stdio has an id that nobody can answer before it is asked', async () => {
  const { seen, send, next, trail } = serveDemo()
  const start = initialize()
  send({ ...start, params: { ...start.params, capabilities: { elicitation: {} } } })
  await next(({ id }) => id === 'init')
  send(INITIALIZED)
  send({ jsonrpc: '2.0', id: 'list', method: 'tools/list' })
  const listed = await next(({ id }) => id === 'list')
  const [tool] = (listed.result?.tools ?? []) as { name: string }[]
  const remove = { operation: 'delete_issue', params: { issue_id: 'iss_29' } }
  send(toolCall('delete', tool?.name ?? '', remove))
  const form = await next(({ method }) => method === 'elicitation/create')
  expect(form.id).toMatch(UUID)

  for (const id of [0, 1, '0', 'x']) send({ jsonrpc: '2.0', id, result: YES })
  send({ jsonrpc: '2.0', id: 'ping', method: 'ping' })
  await next(({ id }) => id === 'ping')
  expect(seen.some(({ id }) => id === 'delete')).toBe(false)

  send({ jsonrpc: '2.0', id: form.id, result: YES })
  expect(resultOf(await next(({ id }) => id === 'delete'))).toMatchObject({ success: true })
  expect(seen.filter(({ method }) => method === 'elicitation/create')).toHaveLength(1)
  // Whose word it is: that of the client on stdio.
  expect(trail()).toContain('approved by user of stdio through elicitation')
})
