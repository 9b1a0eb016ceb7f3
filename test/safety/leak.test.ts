import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Store } from '../../src/core/ports/store.ts'
import { openSqliteStore } from '../../src/store/sqlite.ts'
import { BIN, plainEnvironment } from '../e2e/bin.ts'
import { INITIALIZED, initialize, post, type RpcMessage, resultOf, toolCall } from '../e2e/raw-client.ts'
import { type ConsoleClient, signIn } from './console-client.ts'
import { createNeedles, ENCODING_NAMES, encoded } from './needles.ts'

/**
 * A real server, a real sign-in at its console, and everything that anybody but the human at the console could read.
 * `npm run test:leak` sets MCPAQL_LEAK=full.
 */
const CHALLENGES = process.env.MCPAQL_LEAK === 'full' ? 1_000 : 50
const PER_AGENT = 4 // OOB-14: five within ten minutes
const TIME_LIMIT = 120_000 + CHALLENGES * 3_000
const RISKY = 'git push --force origin main'
const FATAL = 'rm -rf / --no-preserve-root'

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-leak-'))
const secret = `operator ${randomBytes(18).toString('base64url')}`
/** By the place where it was seen. */
const captured = new Map<string, string[]>()
const codes: string[] = []
const tokens: string[] = []

let server: ChildProcess
let url = ''
let store: Store
let operator: ConsoleClient

beforeAll(async () => {
  const env = { ...plainEnvironment(folder), MCPAQL_CONSOLE_PORT: '0', MCPAQL_LOG_LEVEL: 'debug', ...PATIENT }
  server = spawn(
    process.execPath,
    [BIN, 'serve', 'demo', '--http', '0', '--json', '--mode', 'single', '--safety-mode', 'enforcing'],
    {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  if (!server.stdout || !server.stderr) throw new Error('no pipes')
  for (const [name, stream] of [
    ['stdout', server.stdout],
    ['stderr', server.stderr],
  ] as const)
    stream.setEncoding('utf8').on('data', (text: string) => keep(name, text))
  const [line] = await once(createInterface({ input: server.stdout }), 'line')
  url = (JSON.parse(String(line)) as { readonly url: string }).url
  store = await openSqliteStore(join(folder, 'mcpaql/state.db'))
  operator = await signIn(store, secret, (text) => keep('console', text))
}, 90_000)

afterAll(async () => {
  operator?.close()
  await store?.close()
  server?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** SELF-13: more than one human would be asked. */
const PATIENT = { MCPAQL_MAX_NEW_PROMPTS: '1000', MCPAQL_MAX_OPEN_PROMPTS: '100' }

test('the search finds what it looks for', () => {
  const code = 'ABCD-EFGH-IJKL-MNOP-QRST-UVWX-YZ23'
  const needles = createNeedles([code])
  expect(ENCODING_NAMES).toHaveLength(9)
  for (const name of ENCODING_NAMES) {
    const found = needles.findIn(Buffer.from(`before${encoded(code, name)}after`)).map(({ encoding }) => encoding)
    expect(found, name).toContain(name)
  }
  for (const shift of ['', 'x', 'xx'])
    expect(needles.findIn(Buffer.from(Buffer.from(`${shift}${code}y`).toString('base64')))).not.toEqual([])
  expect(needles.findIn(Buffer.from('ABCD-EFGH-IJKL-MNOP-QRST-UVWX-YZ24'))).toEqual([])
})

test(
  `OOB-04 AUDIT-06 SELF-08 ${CHALLENGES} challenges: no code and no operator secret in anything that leaves the server`,
  async () => {
    const began = performance.now()
    const verdicts: Record<string, number> = {}
    for (let agent = 0; codes.length < CHALLENGES; agent++) {
      const name = `bot-${agent}`
      await openSession() // a code that was typed wrong holds its session
      await startAgent(name)
      for (let turn = 0; turn < PER_AGENT && codes.length < CHALLENGES; turn++) {
        const isLast = codes.length === CHALLENGES - 1
        const verdict = await challenge(name, isLast ? FATAL : RISKY, turn % 2 === 0 || isLast)
        verdicts[verdict] = (verdicts[verdict] ?? 0) + 1
        if (codes.length % 10 === 0) capture()
      }
      await call('abort_execution', { element_name: name })
    }
    expect(codes).toHaveLength(CHALLENGES)
    expect(new Set(codes).size).toBe(CHALLENGES)
    expect(verdicts.done).toBeGreaterThanOrEqual(CHALLENGES / 2)
    expect(verdicts.PERMISSION_VERIFICATION_FAILED).toBeGreaterThan(0)

    const proof = await operator.post('/api/reauth', { purpose: 'request:none', secret })
    expect(proof.reauth_id).toBeTypeOf('string') // the server has had the secret in its hands
    for (const path of ['requests', 'agents', 'blocks', 'audit', 'health', 'sources', 'quotas', 'policies'])
      await operator.get(`/api/${path}`)
    keep('audit of the console', await operator.get('/api/audit/export'))
    keep('mcpaql audit export', exportAudit())
    keep('events', operator.events())
    capture()
    const closed = once(server, 'close')
    server.kill('SIGTERM')
    await closed
    captureFiles()

    for (const [place, texts] of captured) expect(texts.join('').length, place).toBeGreaterThan(0)
    expect([...captured.keys()].toSorted()).toEqual(PLACES)
    const needles = createNeedles([...codes, secret])
    let bytes = 0
    for (const [place, texts] of captured) {
      const text = Buffer.from(texts.join('\n'), 'latin1')
      bytes += text.length
      expect(needles.findIn(text), place).toEqual([])
    }
    for (const place of ['stderr', 'audit of the console', 'mcpaql audit export', 'console'])
      for (const token of tokens)
        expect(
          captured.get(place)?.some((text) => text.includes(token)),
          place,
        ).toBe(false)
    const seconds = ((performance.now() - began) / 1_000).toFixed(1)
    process.stdout.write(
      `${codes.length} codes and the operator secret in ${ENCODING_NAMES.length} encodings: in none of ${(bytes / 2 ** 20).toFixed(1)} MiB ` +
        `from ${PLACES.length} places (${seconds} s)\n`,
    )
  },
  TIME_LIMIT,
)

const PLACES = [
  'answers',
  'audit of the console',
  'command line',
  'console',
  'environment',
  'events',
  'files',
  'mcpaql audit export',
  'stderr',
  'stdout',
]

let headers: Record<string, string> = {}
let tool = ''

async function openSession(): Promise<void> {
  headers = {}
  const opened = await rpc(initialize())
  headers = { 'mcp-session-id': opened['mcp-session-id'] ?? '', 'mcp-protocol-version': '2025-06-18' }
  await rpc(INITIALIZED)
  await rpc({ jsonrpc: '2.0', id: 'list', method: 'tools/list' })
  tool = (lastMessage?.result as { readonly tools?: readonly { readonly name: string }[] })?.tools?.[0]?.name ?? ''
}

async function rpc(message: object): Promise<Readonly<Record<string, string>>> {
  const answered = await post(url, message, headers)
  keep('answers', `${JSON.stringify(answered.headers)}\n${answered.body}`)
  lastMessage = answered.messages.at(-1)
  return answered.headers
}
let lastMessage: RpcMessage | undefined

/** What an agent gets back for one operation. */
async function call(operation: string, params: Readonly<Record<string, unknown>>) {
  await rpc(toolCall(1, tool, { operation, params }))
  return resultOf(lastMessage)
}

async function startAgent(element_name: string): Promise<void> {
  const asked = await call('execute_agent', { element_name })
  const { confirmation_token, approval_id } = asked.error.details
  tokens.push(confirmation_token)
  await operator.approve(approval_id)
  expect(await call('execute_agent', { element_name, confirmation_token })).toMatchObject({ success: true })
}

/** One challenge: raised by the agent, shown to the human, and typed back right or wrong. */
async function challenge(element_name: string, next_action_hint: string, isRight: boolean): Promise<string> {
  let reported = await call('record_execution_step', { element_name, next_action_hint })
  if (reported.data?.autonomy.continue)
    reported = await call('record_execution_step', { element_name, next_action_hint })
  const told = reported.data.autonomy.notifications.map(
    ({ metadata }: { readonly metadata?: { readonly verificationId?: string } }) => metadata?.verificationId,
  )
  const challenge_id = told.find((id?: string) => id !== undefined)
  expect(challenge_id, JSON.stringify(reported)).toBeTypeOf('string')
  await operator.get(`/api/challenges/${challenge_id}`)
  const code = await operator.reveal(challenge_id)
  expect(code).toMatch(/^(?:[A-Z2-7]{4}-){6}[A-Z2-7]{4}$/)
  codes.push(code)
  await operator.get(`/api/challenges/${challenge_id}`)
  const typed = isRight ? code : `${code.slice(0, -1)}${code.endsWith('A') ? 'B' : 'A'}`
  const verified = await call('verify_challenge', { challenge_id, code: typed })
  return verified.error?.code ?? 'done'
}

function keep(place: string, text: string): void {
  const texts = captured.get(place) ?? []
  texts.push(text)
  captured.set(place, texts)
}

/** What anybody on the machine can see of the processes, and what lies on the disk at this moment. */
function capture(): void {
  for (const pid of familyOf(server.pid ?? 0)) {
    keep('command line', readIfThere(`/proc/${pid}/cmdline`))
    keep('environment', readIfThere(`/proc/${pid}/environ`))
  }
  captureFiles()
}

function captureFiles(): void {
  captured.set('files', [])
  const needles = createNeedles([...codes.slice(-10), secret])
  for (const path of filesIn(folder)) {
    const bytes = readFileSync(path)
    const found = needles.findIn(bytes).map(({ at }) => bytes.toString('latin1', Math.max(0, at - 400), at + 100))
    expect(found, path).toEqual([])
    keep('files', bytes.toString('latin1'))
  }
}

function familyOf(pid: number): readonly number[] {
  const tasks = existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : []
  const children = tasks.flatMap((task) => readIfThere(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean))
  return [pid, ...children.flatMap((child) => familyOf(Number(child)))]
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

function filesIn(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path).flatMap((name) => filesIn(join(path, name)))
}

function exportAudit(): string {
  return execFileSync(process.execPath, [BIN, 'audit', 'export'], {
    env: plainEnvironment(folder),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
}
