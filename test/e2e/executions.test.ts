import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Terminal } from '../../src/channels/read-secret.ts'
import { pruneTrail } from '../../src/cli/prune-trail.ts'
import { decide } from '../../src/core/gatekeeper/approvals.ts'
import { sweepRequests } from '../../src/core/gatekeeper/end-session.ts'
import { createOperatorAccount } from '../../src/core/operator/operator-account.ts'
import { OPERATOR_REF } from '../../src/core/operator/operator-record.ts'
import { humanDecision } from '../../src/core/ports/human.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { openSqliteStore } from '../../src/store/sqlite.ts'
import { ADMIN } from '../approve.ts'
import { fakeWorld } from '../fake-world.ts'
import { BIN, plainEnvironment, serveOverHttp } from './bin.ts'
import { INITIALIZED, initialize, post, type RpcMessage, resultOf, toolCall } from './raw-client.ts'

/** What a human allowed once runs once, and what a dead process left is told as it is: on the program as it is shipped. */
const SLOW = { timeout: 120_000 }

/** Each run leaves a line in a file; `mode` says what becomes of it. */
const ADAPTER = `import { appendFileSync } from 'node:fs'
const EFFECTS = process.env.EFFECTS
const work = (name, danger) => ({
  name, category: 'EXECUTE', description: 'Works.', returns: 'Execution', ...(danger && { danger }),
  lifecycle: { supports_retry: true },
  params: { mode: { type: 'string', required: true } },
  handler: ({ mode }, { run }) => run(async ({ signal }) => {
    appendFileSync(EFFECTS, name + '\\n')
    if (mode === 'fail') throw new Error('broken')
    if (mode === 'hang') await new Promise((resolve) => signal.addEventListener('abort', resolve))
    signal.throwIfAborted()
    return { done: true }
  }),
})
export default {
  name: 'backups', description: 'Backups.', concurrency: 'fully-concurrent', toolNames: 'b_{endpoint}',
  rate_limits: { quotas: { enabled: true, limits: [{ metric: 'requests_per_day', warn: 4, pause: 4, hard_stop: 4 }] } },
  operations: [work('run_cleanup', 'destructive'), work('sort_backups')],
}
`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpaql-executions-'))
  writeFileSync(join(folder, 'backups.mjs'), ADAPTER)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Agent {
  call(operation: string, params?: object): Promise<Result>
}

interface Result {
  readonly success: boolean
  readonly data: {
    readonly execution_id: string
    readonly status: string
    readonly error?: { readonly details: object }
  }
  readonly error?: { readonly code: string; readonly details: Readonly<Record<string, unknown>> }
}

test('TOK-13 over stdio and HTTP a retry needs its own approval, from whatever session, and counts', SLOW, async () => {
  for (const transport of ['stdio', 'http'] as const) {
    const place = settle(transport)
    const { agent, other, stop } = await (transport === 'stdio' ? openStdio(place) : openHttp(place))
    const store = await openSqliteStore(place.file)
    const { data } = await approved(agent, 'run_cleanup', { mode: 'fail' }, store)
    await ended(agent, data.execution_id)
    expect(effects(place)).toEqual(['run_cleanup'])

    for (const who of [agent, other, agent, other]) {
      const { error } = await who.call('retry_execution', { execution_id: data.execution_id })
      expect(error?.code).toMatch(/^(?:CONFIRMATION_REQUIRED|NOT_FOUND_RESOURCE|CONFLICT_INVALID_STATE)$/)
    }
    expect(effects(place)).toEqual(['run_cleanup'])
    for (const _ of [2, 3, 4]) {
      const again = await approved(agent, 'retry_execution', { execution_id: data.execution_id }, store)
      expect(again.data).toMatchObject({ execution_id: data.execution_id, status: 'running' })
      await ended(agent, data.execution_id)
    }
    const beyond = await approved(agent, 'retry_execution', { execution_id: data.execution_id }, store)
    expect(beyond.error?.code).toMatch(/^RATE_LIMIT_QUOTA/)
    expect(effects(place)).toHaveLength(4)
    await stop()

    const trail = (await store.trail.read({ order: 'oldest' })).map(({ entry }) => entry)
    const outcomes = trail.filter(({ event }) => event === 'OPERATION_OUTCOME')
    expect(outcomes.map(({ operation, outcome }) => [operation, outcome])).toEqual(
      Array(4).fill(['run_cleanup', 'failure']),
    )
    expect(trail.filter(({ event }) => event === 'OPERATION_INTENT')).toHaveLength(4)
    await store.close()
  }
})

test(
  'SESS-03 R-23 after kill -9 no execution is called running, by the next process or by one beside it',
  SLOW,
  async () => {
    const place = settle('killed')
    const beside = await openStdio(place)
    const victim = await openStdio(place)
    const store = await openSqliteStore(place.file)
    const plain = (await victim.agent.call('sort_backups', { mode: 'hang' })).data.execution_id
    const gated = (await approved(victim.agent, 'run_cleanup', { mode: 'hang' }, store)).data.execution_id
    for (const id of [plain, gated])
      expect(await store.get({ kind: 'execution:backups', id })).toMatchObject({ status: 'running' })
    victim.child.kill('SIGSTOP') // a process that stands still is not dead
    const asked = await beside.agent.call('get_execution', { execution_id: plain })
    expect(asked.data?.status ?? 'running').toBe('running')
    victim.child.kill('SIGKILL')
    await once(victim.child, 'close')

    const told = await beside.agent.call('get_execution', { execution_id: plain })
    if (told.success) expect(told.data).toMatchObject(LOST)
    const next = await openStdio(place)
    for (const id of [plain, gated]) expect(await store.get({ kind: 'execution:backups', id })).toMatchObject(LOST)
    const outcomes = await store.trail.read({ events: ['OPERATION_OUTCOME'], order: 'oldest' })
    expect(new Set(outcomes.map(({ entry }) => `${entry.execution_id} ${entry.outcome}`))).toEqual(
      new Set([`${plain} unknown`, `${gated} unknown`]),
    )
    expect(outcomes).toHaveLength(2)
    expect(await store.list('intent')).toEqual([])
    await next.stop()
    await beside.stop()
    await store.close()
  },
)

test('R-23 SESS-03 a client that vanishes leaves its execution cancelled, and the trail says so', SLOW, async () => {
  const place = settle('vanished')
  const { agent, child } = await openStdio(place)
  const store = await openSqliteStore(place.file)
  const { execution_id } = (await agent.call('sort_backups', { mode: 'hang' })).data
  child.stdin?.destroy()
  child.stdout?.destroy()
  await once(child, 'exit')
  expect(await store.get({ kind: 'execution:backups', id: execution_id })).toMatchObject({ status: 'cancelled' })
  const outcomes = await store.trail.read({ events: ['OPERATION_OUTCOME'] })
  expect(outcomes.map(({ entry }) => entry)).toMatchObject([{ execution_id, outcome: 'cancelled' }])
  await store.close()
})

test('R-23 SESS-03 so does an HTTP session that is idle for too long', SLOW, async () => {
  const place = settle('idle')
  const { agent, stop } = await openHttp(place, ['--http-session-idle-seconds', '1'])
  const store = await openSqliteStore(place.file)
  const { execution_id } = (await agent.call('sort_backups', { mode: 'hang' })).data
  const stateOf = () => store.get<{ readonly status: string }>({ kind: 'execution:backups', id: execution_id })
  await expect.poll(async () => (await stateOf())?.status, { timeout: 60_000 }).toBe('cancelled')
  const read = () => store.trail.read({ events: ['OPERATION_OUTCOME'] })
  await expect.poll(async () => (await read()).length, { timeout: 30_000 }).toBe(1)
  expect((await read())[0]?.entry).toMatchObject({ outcome: 'cancelled', reason: 'its session has ended' })
  await stop()
  await store.close()
})

test.each([
  ['is cancelled', 'SIGTERM'],
  ['is killed', 'SIGKILL'],
] as const)(
  'AUDIT-09 M5 a call that runs while the trail is pruned, and then %s, ran as confirmed',
  SLOW,
  async (_, signal) => {
    const place = settle(`pruned-${signal}`)
    const { agent, child, stop } = await openStdio(place)
    const store = await openSqliteStore(place.file)
    await approved(agent, 'run_cleanup', { mode: 'hang' }, store)
    await sweepRequests(store, { now: () => Date.now() + 3 * 3_600_000 })
    expect(await store.list('request')).toEqual([])
    const verified = () => spawnSync(process.execPath, [BIN, 'audit', 'verify', ...place.args.slice(-2)], place)
    const isWhole = () => expect([String(verified().stderr), verified().status]).toEqual([expect.any(String), 0])

    if (signal === 'SIGKILL') {
      child.kill(signal)
      await once(child, 'close')
    }
    await pruneAll(store)
    expect(await store.trail.read({ events: ['OPERATION_INTENT', 'CONFIRMATION_GRANTED'] })).toEqual([])
    isWhole()
    if (signal === 'SIGTERM') await stop()
    else await (await openStdio(place)).stop()
    expect((await store.trail.read({ events: ['OPERATION_OUTCOME'] })).length).toBe(1)
    isWhole()
    await pruneAll(store)
    isWhole()
    await store.close()
  },
)

/** As the operator does it at the terminal, with what is there at this moment. */
async function pruneAll(store: Store): Promise<void> {
  const clock = { now: () => Date.now() + 1_000 }
  const account = createOperatorAccount({ store, clock, cost: { N: 2 ** 4, r: 8, p: 1 } })
  if (!(await store.get(OPERATOR_REF))) await account.set(SECRET, SECRET, 'terminal')
  const right = await account.check(SECRET, 'terminal')
  if (right.kind !== 'right') throw new Error(right.kind)
  const terminal = { write: () => {}, readLine: async () => 'discard' } as Partial<Terminal> as Terminal
  const order = { before: new Date(clock.now()).toISOString(), anchor: undefined }
  expect(await pruneTrail(store, order, right, terminal, fakeWorld(clock))).toBe(0)
}

const SECRET = 'correct horse battery'

const LOST = { status: 'failed', error: { code: 'INTERNAL_ERROR', details: { reason: 'session_terminated' } } }

interface Place {
  readonly file: string
  readonly effects: string
  readonly args: readonly string[]
  readonly env: Record<string, string>
}

function settle(name: string): Place {
  const file = join(folder, `${name}.db`)
  const lines = join(folder, `${name}.effects`)
  writeFileSync(lines, '')
  const env = { ...plainEnvironment(folder), EFFECTS: lines }
  return {
    file,
    effects: lines,
    env,
    args: [join(folder, 'backups.mjs'), '--mode', 'single', '--store', `sqlite:${file}`],
  }
}

function effects({ effects: path }: Place): readonly string[] {
  return readFileSync(path, 'utf8').split('\n').slice(0, -1)
}

/** A client on the pipes of a process of its own; `other` is another process on the same store. */
async function openStdio(place: Place) {
  const first = await spawnStdio(place)
  let second: Awaited<ReturnType<typeof spawnStdio>> | undefined
  const other: Agent = {
    call: async (operation, params) => {
      second ??= await spawnStdio(place)
      return second.agent.call(operation, params)
    },
  }
  const stop = async () => {
    await first.stop()
    await second?.stop()
  }
  return { agent: first.agent, other, child: first.child, stop }
}

async function spawnStdio({ args, env }: Place) {
  const child: ChildProcess = spawn(process.execPath, [BIN, 'serve', ...args], {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const waiting = new Map<unknown, (message: RpcMessage) => void>()
  if (!child.stdout) throw new Error('no pipe')
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as RpcMessage
    waiting.get(message.id)?.(message)
  })
  const send = (message: object) => child.stdin?.write(`${JSON.stringify(message)}\n`)
  const ask = (message: { readonly id: string | number }) =>
    new Promise<RpcMessage>((resolve) => {
      waiting.set(message.id, resolve)
      send(message)
    })
  await ask(initialize())
  send(INITIALIZED)
  let id = 0
  const agent: Agent = {
    call: async (operation, params = {}) => resultOf(await ask(toolCall(++id, 'b', { operation, params }))),
  }
  const stop = async () => {
    child.stdin?.end()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  return { agent, child, stop }
}

async function openHttp(place: Place, more: readonly string[] = []) {
  const { url, stop } = await serveOverHttp([...place.args, ...more], place.env)
  const connect = async (): Promise<Agent> => {
    const { headers } = await post(url, initialize())
    const session = { 'mcp-session-id': headers['mcp-session-id'] ?? '' }
    await post(url, INITIALIZED, session)
    let id = 0
    return {
      call: async (operation, params = {}) =>
        resultOf((await post(url, toolCall(++id, 'b', { operation, params }), session)).messages.at(-1)),
    }
  }
  return { agent: await connect(), other: await connect(), stop }
}

/** Asked about, approved by a human on the operator plane, and sent again with the token. */
async function approved(agent: Agent, operation: string, params: object, store: Store): Promise<Result> {
  const { error } = await agent.call(operation, params)
  expect(error?.code).toBe('CONFIRMATION_REQUIRED')
  const decision = humanDecision({ decision: 'approve', by: ADMIN })
  const id = String(error?.details.approval_id)
  expect(await decide(store, { now: () => Date.now() }, id, decision)).toMatchObject({ kind: 'decided' })
  return agent.call(operation, { ...params, confirmation_token: error?.details.confirmation_token })
}

async function ended(agent: Agent, execution_id: string): Promise<void> {
  for (;;) {
    const { data } = await agent.call('get_execution', { execution_id })
    if (data.status !== 'running' && data.status !== 'pending') return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
