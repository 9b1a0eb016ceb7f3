import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BIN, plainEnvironment } from './bin.ts'

/** Longer than it takes to read a question, as the gate counts it. */
const READING_MS = 1_700

interface Answer {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: Readonly<Record<string, boolean>>
}
interface Reply {
  readonly success: boolean
  readonly error?: { readonly code: string; readonly details: { readonly waiting_for?: string } }
}

let folder: string
let env: Record<string, string>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpaql-declined-'))
  env = { ...plainEnvironment(folder), MCPAQL_MAX_NEW_PROMPTS: '100' }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function connect(
  pin: 'legacy' | { readonly pin: '2026-07-28' },
  answers: () => Answer | Promise<Answer>,
  store: readonly string[] = [],
) {
  const client = new Client(
    { name: 'declining', version: '1' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: pin } },
  )
  let questions = 0
  client.setRequestHandler('elicitation/create', async () => {
    questions++
    return (await answers()) as never
  })
  const args = [BIN, 'serve', 'demo', '--no-console', ...store]
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }))
  return {
    get questions() {
      return questions
    },
    async remove(name: string): Promise<Reply> {
      const call = { name: 'tracker_mcpaql_delete', arguments: { operation: 'delete_label', params: { name } } }
      const { content } = (await client.callTool(call)) as { content: { text: string }[] }
      return JSON.parse(content[0]?.text ?? '') as Reply
    },
    close: () => client.close(),
  }
}

function waiting(): readonly { readonly operation: string }[] {
  const { stdout } = spawnSync(process.execPath, [BIN, 'approvals', '--json'], { env, encoding: 'utf8' })
  return (JSON.parse(stdout) as { readonly requests: readonly { readonly operation: string }[] }).requests
}

function trail(event: string): readonly { readonly entry: Readonly<Record<string, unknown>> }[] {
  const args = [BIN, 'audit', 'tail', '--json', '--event', event]
  const { stdout } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { readonly entry: Readonly<Record<string, unknown>> })
}

const YES: Answer = { action: 'accept', content: { confirm: true } }
const NO: Answer = { action: 'decline' }

describe.each([
  ['with a handshake', 'legacy' as const],
  ['2026-07-28', { pin: '2026-07-28' as const }],
])('a form that is declined, %s', (_, era) => {
  test('SELF-05 at once: the request waits for the console, and no human is said to have denied it', async () => {
    const client = await connect(era, () => NO)
    const first = await client.remove('design')
    expect(first.error).toMatchObject({
      code: 'CONFIRMATION_REQUIRED',
      details: { waiting_for: expect.stringMatching(/mcpaql approvals.*declined its form unread/) },
    })
    expect(waiting()).toMatchObject([{ operation: 'delete_label' }])
    expect((await client.remove('design')).error?.code).toBe('CONFIRMATION_REQUIRED')
    expect(client.questions).toBe(1)
    expect(trail('APPROVAL_DENIED')).toEqual([])
    expect(trail('FORM_DECLINED')).toMatchObject([
      { entry: { operation: 'delete_label', channel: 'elicitation', reason: expect.stringContaining('faster') } },
    ])
    await client.close()
  }, 60_000)

  test('SELF-05 slowly, by a client that never accepted one: the request waits too', async () => {
    const client = await connect(era, () => sleep(READING_MS, NO))
    expect((await client.remove('design')).error?.code).toBe('CONFIRMATION_REQUIRED')
    expect(trail('FORM_DECLINED')).toMatchObject([{ entry: { reason: expect.stringContaining('never accepted') } }])
    expect(waiting()).toHaveLength(1)
    await client.close()
  }, 60_000)

  test('SELF-11 slowly, by a client whose user has accepted one: that is a denial, also after a restart', async () => {
    const answers: Answer[] = [YES, NO]
    const next = async () => {
      const answer = answers.shift() ?? NO
      return answer === NO ? sleep(READING_MS, answer) : answer
    }
    const client = await connect(era, next)
    expect((await client.remove('design')).success).toBe(true)
    expect((await client.remove('docs')).error?.code).toBe('PERMISSION_DENIED')
    await client.close()
    const again = await connect(era, next)
    expect((await again.remove('docs')).error?.code).toBe('PERMISSION_DENIED')
    expect(trail('APPROVAL_DENIED')).toMatchObject([
      { entry: { channel: 'elicitation' } },
      { entry: { channel: 'elicitation' } },
    ])
    expect(waiting()).toEqual([])
    await again.close()
  }, 60_000)

  test('SELF-05 a form filled in with false counts when a person can have read it, and waits when not', async () => {
    let pause = 0
    const client = await connect(era, () => sleep(pause, { action: 'accept', content: { confirm: false } } as Answer))
    expect((await client.remove('design')).error?.code).toBe('CONFIRMATION_REQUIRED')
    pause = READING_MS
    expect((await client.remove('docs')).error?.code).toBe('PERMISSION_DENIED')
    await client.close()
  }, 60_000)

  test('SELF-10 where the form is the only channel, the next call sends it again', async () => {
    const answers: Answer[] = [NO, YES]
    const client = await connect(era, () => answers.shift() ?? NO, ['--store', 'memory:'])
    expect((await client.remove('design')).error?.code).toBe('CONFIRMATION_REQUIRED')
    expect((await client.remove('design')).success).toBe(true)
    expect(client.questions).toBe(2)
    await client.close()
  }, 60_000)
})
