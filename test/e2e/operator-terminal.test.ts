import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApprovalRequest, requestRef } from '../../src/core/gatekeeper/request.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { agentRef, newAgent } from '../../src/core/verification/agent.ts'
import { agentKey } from '../../src/core/verification/agent-key.ts'
import { type Challenge, challengeRef, codeGroups } from '../../src/core/verification/challenge.ts'
import { reveal } from '../../src/core/verification/reveal.ts'
import { openStore } from '../../src/store/open.ts'
import { BIN, plainEnvironment } from './bin.ts'
import { atTerminal, HAS_SCRIPT, type Step } from './terminal.ts'

const SECRET = 'correct horse battery'

/** One process works out a verifier of 128 MiB for each secret that is typed. */
const SLOW = { timeout: 60_000 }

let folder: string
let env: Record<string, string>

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpaql-operator-'))
  env = { ...plainEnvironment(folder), TERM: 'dumb' }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.skipIf(HAS_SCRIPT)(
  'SKIPPED: no util-linux `script` here, so nothing was typed at a terminal (SELF-07)',
  ({ skip }) => skip(),
)

describe.skipIf(!HAS_SCRIPT)('SELF-07 at a terminal', () => {
  test('no secret, no decision', SLOW, async () => {
    const id = await ask()
    const { exit, shown } = await typed(`approve ${id}`, [])
    expect(shown).toContain('No operator secret is set')
    expect(exit).toBe(2)
    expect((await stored(id)).state).toBe('pending')
  })

  test('the secret is typed twice, has ten characters, and is never shown', SLOW, async () => {
    const { exit, shown } = await typed('secret set', [
      ['characters or more: ', 'short\r'],
      ['same again: ', 'short\r'],
      ['shorter than 10', ''],
      ['characters or more: ', `${SECRET}\r`],
      ['same again: ', 'something else\r'],
      ['two differ', ''],
      ['characters or more: ', `${SECRET}\r`],
      ['same again: ', `${SECRET}\r`],
    ])
    expect(shown).toContain('The secret is set.')
    expect(shown).not.toContain(SECRET)
    expect(exit).toBe(0)
    expect(readFileSync(join(folder, 'mcpaql', 'state.db')).includes(SECRET)).toBe(false)
  })

  test('the secret can be set once', SLOW, async () => {
    const { exit, shown } = await typed('secret set', [])
    expect(shown).toContain('A secret is set already')
    expect(exit).toBe(1)
  })

  test('approve: secret, everything that runs, the word', SLOW, async () => {
    const id = await ask()
    const { exit, shown } = await typed(`approve ${id}`, [
      ['Operator secret: ', `${SECRET}\r`],
      ['Type approve', 'approve\r'],
    ])
    for (const text of [
      'delete_issue, DELETE',
      'destructive',
      'demo, trust validated',
      'principal local',
      'evil ⟨U+202E RIGHT-TO-LEFT OVERRIDE⟩client (not verified)',
      'removes data',
      '* danger: confirm, level 2',
      '"a⟨U+001B ESCAPE⟩[2Jb"',
      'let delete_issue of demo with id "I-7" run once',
    ]) {
      expect(shown).toContain(text)
    }
    expect(shown.indexOf('delete_issue')).toBeGreaterThan(shown.indexOf('Operator secret: '))
    expect(shown).not.toContain('\u001b[2J')
    expect(shown).not.toContain(SECRET)
    expect(exit).toBe(0)
    expect(await stored(id)).toMatchObject({
      state: 'approved',
      maxUses: 1,
      decisions: [{ decision: 'approve', scope: 'once', by: 'operator', channel: 'terminal' }],
    })
    const events = await audited(id)
    expect(events).toEqual(['CONFIRMATION_GRANTED', 'REQUEST_VIEWED'])
  })

  // biome-ignore format: a table reads by columns
  test.each([
    ['Enter',        '\r'],
    ['y',            'y\r'],
    ['yes',          'yes\r'],
    ['APPROVE',      'APPROVE\r'],
    ['Ctrl-C',       '\u0003'],
  ])('the default is no: %s leaves it waiting', SLOW, async (_, answer) => {
    const id = await ask()
    const { exit } = await typed(`approve ${id}`, [['Operator secret: ', `${SECRET}\r`], ['Type approve', answer]])
    expect(exit).toBe(4)
    expect((await stored(id)).state).toBe('pending')
  })

  test('what is typed ahead of the question does not answer it', SLOW, async () => {
    const id = await ask()
    const { exit } = await typed(`approve ${id}`, [
      ['Operator secret: ', `${SECRET}\r`],
      ['\r\n', 'approve\r'], // while the secret is still being checked
      ['Type approve', '\r'],
    ])
    expect(exit).toBe(4)
    expect((await stored(id)).state).toBe('pending')
  })

  test('SELF-12 a long value is shown page by page, to its end', SLOW, async () => {
    const id = await ask({ params: { id: 'I-7', text: `${'x'.repeat(4_000)}END` } })
    const { exit, shown } = await typed(`approve ${id}`, [
      ['Operator secret: ', `${SECRET}\r`],
      ['Enter goes on', '\r'],
      ['Enter goes on', '\r'],
      ['Enter goes on', '\r'],
      ['END"', ''],
      ['Type approve', 'approve\r'],
    ])
    expect(exit).toBe(0)
    expect(shown.match(/x/g)?.length).toBeGreaterThanOrEqual(4_000)
  })

  test('SELF-12 what is too long to read is not approved here', SLOW, async () => {
    const id = await ask({ params: { text: 'x'.repeat(70_000) } })
    const { exit, shown } = await typed(`approve ${id}`, [['Operator secret: ', `${SECRET}\r`]])
    expect(shown).toContain('Use the console')
    expect(exit).toBe(3)
    expect((await stored(id)).state).toBe('pending')
  })

  test('deny, with a reason, and the agent stopped', SLOW, async () => {
    const id = await ask({ agent: { key: agentKey('local', 'bot'), element_name: 'bot' } })
    const { exit } = await typed(`deny ${id} --reason "not mine" --manipulated`, [['Operator secret: ', `${SECRET}\r`]])
    expect(exit).toBe(0)
    expect(await stored(id)).toMatchObject({ state: 'denied', decisions: [{ decision: 'deny', reason: 'not mine' }] })
    const { stdout } = run(['blocks', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ blocks: [{ agent: 'bot', principal: 'local', trigger: 'operator' }] })
  })

  test('BLOCK-07 unblock needs a reason, the secret and the word', SLOW, async () => {
    expect(run(['unblock', 'bot', '--reason', 'short']).status).toBe(2)
    const line = 'unblock bot --reason "it was a test of ours"'
    const secret: Step = ['Operator secret: ', `${SECRET}\r`]
    expect((await typed(line, [secret, ['Type unblock', '\r']])).exit).toBe(4)
    expect(run(['blocks']).stdout).toContain('bot')
    expect((await typed(line, [secret, ['Type unblock', 'unblock\r']])).exit).toBe(0)
    expect(run(['blocks']).stdout).toBe('No agent is stopped.\n')
  })

  test('BLOCK-10 a name that nobody has stops nobody, unless it is forced', SLOW, async () => {
    const secret: Step = ['Operator secret: ', `${SECRET}\r`]
    const { exit, shown } = await typed('block --principal Anonymous --reason "looks wrong"', [secret])
    expect(exit).toBe(1)
    expect(shown).toContain('Nobody is stopped')
    expect(shown).toContain('Did you mean anonymous?')
    expect(shown).not.toContain('is stopped.')
    expect(run(['blocks']).stdout).not.toContain('Anonymous')
    const forced = await typed('block --principal soon-here --force --reason "looks wrong"', [secret])
    expect([forced.exit, run(['blocks']).stdout]).toEqual([0, expect.stringContaining('soon-here')])
    const known = await typed('block --principal anonymous --reason "looks wrong"', [secret])
    expect([known.exit, known.shown]).toEqual([0, expect.stringContaining('anonymous is stopped')])
  })

  test('BLOCK-10 block stops an agent that is known', SLOW, async () => {
    const agent = newAgent({
      key: agentKey('local', 'other bot'),
      principal: 'local',
      element_name: 'other bot',
      firstSeenAt: 1,
    })
    await inStore((store) =>
      store.update({ agent: agentRef(agent.key) }, () => ({ next: { agent }, result: undefined })),
    )
    const { exit } = await typed('block "other bot" --reason "looks wrong"', [['Operator secret: ', `${SECRET}\r`]])
    expect(exit).toBe(0)
    expect(run(['blocks']).stdout).toContain('other bot')
  })

  test(
    'BLOCK-10 SELF-04 a name that a client gives itself stops nobody, and the answer says whom to stop',
    SLOW,
    async () => {
      await ask({ client: 'claude-code 2.1', session: 'session-2' })
      const { exit, shown } = await typed('block claude-code --reason "looks wrong"', [
        ['Operator secret: ', `${SECRET}\r`],
      ])
      expect(exit).toBe(1)
      expect(shown).toContain('No agent claude-code is known')
      expect(shown).toMatch(/calls itself so; to stop that principal: mcpaql block --principal \w+/)
    },
  )

  test('verify burns an unknown code and says no more', SLOW, async () => {
    const { exit, shown } = await typed('verify 0b0c7f5e-6a0e-4a3b-9d37-6f0f5c1f1a52', [['Code: ', 'ABCD-EFGH\r']])
    expect(shown).toContain('PERMISSION_VERIFICATION_FAILED')
    expect(shown).not.toContain('ABCD')
    expect(exit).toBe(3)
  })

  test('OOB-10 verify takes the code that was shown, unseen, once', SLOW, async () => {
    await inStore(async (store) => {
      const { id, code } = await challenge(store)
      const lines = [['Code: ', `${code.toLowerCase()}\r`]] as const
      const first = await typed(`verify ${id}`, lines)
      expect(first.shown).toContain('Verified.')
      expect(first.shown).not.toContain(code.slice(0, 4))
      expect(first.exit).toBe(0)
      expect((await typed(`verify ${id}`, lines)).exit).toBe(3)
    })
  })

  test('verify waits for a code that nobody was shown', SLOW, async () => {
    await inStore(async (store) => {
      const { id } = await challenge(store, { isShown: false })
      const { exit, shown } = await typed(`verify ${id}`, [])
      expect(shown).toContain('No code was shown yet')
      expect(exit).toBe(4)
    })
  })

  test('a pipe on a terminal is still a pipe', SLOW, async () => {
    const id = await ask()
    const bin = `${process.execPath} ${BIN}`
    const { exit, shown } = await atTerminal(`printf '${SECRET}\\napprove\\n' | ${bin} approve ${id}`, [], env)
    expect(shown).toContain('not a terminal')
    expect(exit).toBe(3)
    expect((await stored(id)).state).toBe('pending')
  })

  test('the environment is not asked', SLOW, async () => {
    const id = await ask()
    const given = { ...env, MCPAQL_SECRET: SECRET, MCPAQL_OPERATOR_SECRET: SECRET }
    const { exit } = await atTerminal(
      `${process.execPath} ${BIN} approve ${id}`,
      [['Operator secret: ', '\u0004']],
      given,
    )
    expect(exit).toBe(4)
    expect((await stored(id)).state).toBe('pending')
  })

  test('wrong secrets: three tries here, five in all, then a wait that is kept', SLOW, async () => {
    const id = await ask()
    const wrong = (n: number): readonly Step[] =>
      Array.from({ length: n }, () => ['Operator secret: ', 'wrong wrong wrong\r'] as const)
    const first = await typed(`approve ${id}`, wrong(3))
    expect(first.shown).toContain('2 tries left')
    expect(first.exit).toBe(3)
    const second = await typed(`approve ${id}`, wrong(2))
    expect(second.shown).toContain('Too many wrong secrets')
    expect(second.exit).toBe(3)
    const third = await typed(`approve ${id}`, [['Operator secret: ', `${SECRET}\r`]])
    expect(third.shown).toContain('The next try is possible in')
    expect(third.exit).toBe(3)
    expect((await stored(id)).state).toBe('pending')
    const events = await inStore((store) => store.trail.read({ events: ['OPERATOR_LOGIN_FAILED'] }))
    expect(events.map(({ entry }) => entry.failure_reason)).toEqual([
      'locked',
      'wrong',
      'wrong',
      'wrong',
      'wrong',
      'wrong',
    ])
  })
})

describe('SELF-07 without a terminal', () => {
  // biome-ignore format: a table reads by columns
  test.each([
    ['approve', ['approve', 'X']],
    ['deny',    ['deny', 'X']],
    ['verify',  ['verify', 'X']],
    ['block',   ['block', 'X', '--reason', 'looks wrong']],
    ['unblock', ['unblock', 'X', '--reason', 'it was a test']],
    ['secret',  ['secret', 'set']],
    ['details', ['approvals', 'X']],
  ])('%s refuses a pipe and a file', (_, args) => {
    const piped = run(args, { input: `${SECRET}\n${SECRET}\napprove\n` })
    expect(piped.stderr).toContain('not a terminal')
    expect(piped.status).toBe(3)
    const file = join(folder, 'secret.txt')
    writeFileSync(file, `${SECRET}\napprove\n`)
    const shell = spawnSync('sh', ['-c', `"$0" "$@" < '${file}'`, process.execPath, BIN, ...args], { env, encoding: 'utf8' })
    expect(shell.status).toBe(3)
  })

  test.each(['--secret', '--password', '--yes'])('%s is no option', (flag) => {
    expect(run(['approve', 'X', flag, SECRET]).status).toBe(2)
  })

  test('the list needs no secret, and shows neither parameters nor tokens', async () => {
    const id = await ask({ params: { id: 'I-7', text: 'confidential' } })
    for (const args of [['approvals'], ['approvals', '--json']]) {
      const { stdout, status } = run(args)
      expect(status).toBe(0)
      expect(stdout).toContain(id)
      expect(stdout).toContain('delete_issue')
      expect(stdout).not.toMatch(/confidential|I-7|tok-secret/)
    }
  })
})

test('a store in memory has no operator', () => {
  const { status, stderr } = run(['approvals', '--store', 'memory:'])
  expect(stderr).toContain('cannot be reached')
  expect(status).toBe(2)
})

function typed(line: string, steps: readonly Step[]) {
  return atTerminal(`exec ${process.execPath} ${BIN} ${line}`, steps, env)
}

function run(args: readonly string[], { input = '' } = {}) {
  return spawnSync(process.execPath, [BIN, ...args], { env, input, encoding: 'utf8' })
}

async function inStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore('default', { stateFolder: folder })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

let asked = 0

/** Puts a request into the store, as the gate of a server does. */
async function ask(given: Partial<ApprovalRequest> = {}): Promise<string> {
  asked += 1
  const now = Date.now()
  const request: ApprovalRequest = {
    id: `${asked}`.padStart(16, 'a'),
    kind: 'operation',
    class: 'C1',
    version: 1,
    token: 'tok-secret',
    adapter: 'demo',
    operation: 'delete_issue',
    category: 'DELETE',
    endpoint: 'delete',
    level: 'destructive',
    trust: 'validated',
    params: { id: 'I-7', note: 'a\u001b[2Jb' },
    paramsHash: 'ab'.repeat(32),
    scope: 'demo delete_issue',
    session: 'session-1',
    principal: 'local',
    client: 'evil \u202eclient',
    reasons: ['removes data'],
    trace: [{ layer: 'danger', verdict: 'confirm', text: 'level 2', decisive: true }],
    issuedAt: now,
    expiresAt: now + 300_000,
    toleranceMs: 0,
    cooldownSeconds: 0,
    requiresReauth: false,
    state: 'pending',
    shown: true,
    decisions: [],
    maxUses: 1,
    useCount: 0,
    ...given,
  }
  await inStore((store) =>
    store.update({ request: requestRef(request.id) }, () => ({ next: { request }, result: undefined })),
  )
  return request.id
}

/** As a server makes it, and as the console shows it. The store stays open: a challenge ends with its process. */
async function challenge(
  store: Store,
  { isShown = true } = {},
): Promise<{ readonly id: string; readonly code: string }> {
  const id = randomUUID()
  const key = agentKey('local', `bot ${id}`)
  const now = Date.now()
  const hint = 'rm -rf build'
  const common = { id, hintHash: 'ab'.repeat(32), expiresAt: now + 300_000 }
  const made: Challenge = {
    ...common,
    agentKey: key,
    element_name: `bot ${id}`,
    principal: 'local',
    session: 'session-1',
    trigger: 'verify',
    hint,
    tier: 'verify',
    score: 70,
    factors: [],
    issuedAt: now,
    state: 'waiting',
    opener: store.opener,
  }
  const pending = { ...common, cause: 'verify', state: 'waiting', reason: 'score 70', since: now } as const
  const agent = newAgent({ key, principal: 'local', element_name: `bot ${id}`, firstSeenAt: now })
  const refs = { agent: agentRef(key), challenge: challengeRef(id) }
  await store.update(refs, () => ({
    next: { agent: { ...agent, challenge: pending }, challenge: made },
    result: undefined,
  }))
  if (!isShown) return { id, code: '' }
  const revealed = await reveal(store, { now: Date.now }, id, 'operator')
  if (revealed.kind !== 'shown') throw new Error(revealed.why)
  return { id, code: codeGroups(revealed.code).join('-') }
}

async function stored(id: string): Promise<ApprovalRequest> {
  const request = await inStore((store) => store.get(requestRef(id)))
  if (!request) throw new Error(`No request ${id}`)
  return request
}

async function audited(id: string): Promise<string[]> {
  const entries = await inStore((store) => store.trail.read({ text: id }))
  return entries.map(({ entry }) => entry.event)
}
