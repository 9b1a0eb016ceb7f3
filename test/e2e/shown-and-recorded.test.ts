import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readAnchors } from '../../src/cli/audit-anchor.ts'
import { createOperatorAccount } from '../../src/core/operator/operator-account.ts'
import { openSqliteStore } from '../../src/store/sqlite.ts'
import { BIN, plainEnvironment } from './bin.ts'
import { atTerminal, HAS_SCRIPT, type Step } from './terminal.ts'

/** What a human sees before deciding, and what stays in the trail, on the program as it is shipped. */
const SECRET = 'correct horse battery'
const SLOW = { timeout: 120_000 }
const folder = mkdtempSync(join(tmpdir(), 'mcpaql-shown-'))
const file = join(folder, 'state.db')
const env = { ...plainEnvironment(folder), TERM: 'dumb' }
const adapter = join(folder, 'adapter.mjs')

writeFileSync(
  adapter,
  `export const adapter = {
  name: 'db',
  description: 'Databases.',
  operations: [{
    name: 'delete_database',
    category: 'DELETE',
    description: 'Delete a database.',
    danger: { level: 'destructive', confirmation_message: 'Delete the database {name}?' },
    params: { name: { type: 'string', required: true }, password: { type: 'string', required: true, sensitive: true } },
    returns: 'object',
    handler: ({ name }) => ({ deleted: name }),
  }],
}
`,
)

beforeAll(async () => {
  const store = await openSqliteStore(file)
  await createOperatorAccount({ store, clock: { now: () => Date.now() } }).set(SECRET, SECRET, 'terminal')
  await store.close()
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each([
  ['the same value', 'production', 'production'],
  ['a part of it', 'production', 'o'],
  ['a literal that looks masked', '***', 'production'],
])('S1 a sensitive parameter hides itself and nothing else: %s', (_, name, password) => {
  test('in the form of the client, at the terminal and in the trail', SLOW, async () => {
    const questions: string[] = []
    const client = new Client({ name: 'shown', version: '1' }, { capabilities: { elicitation: { form: {} } } })
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      questions.push(String((params as { message: unknown }).message))
      return { action: 'cancel' }
    })
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [BIN, 'serve', adapter, '--store', `sqlite:${file}`, '--mode', 'single', '--no-console'],
        env,
        stderr: 'ignore',
      }),
    )
    const [tool] = (await client.listTools()).tools
    const args = { operation: 'delete_database', params: { name, password } }
    const { content } = await client.callTool({ name: tool?.name ?? '', arguments: args })
    const { error } = JSON.parse((content as { text: string }[])[0]?.text ?? '{}')
    expect(error.details.confirmation_message).toBe(`Delete the database ${name}?`)
    expect(questions[0]).toContain(`Parameters: {"name": "${name}", "password": ⟨hidden⟩}`)

    if (HAS_SCRIPT) {
      const { shown } = await typed(`approve ${error.details.approval_id}`, [
        ['Operator secret: ', `${SECRET}\r`],
        ['Type approve', '\r'],
      ])
      const lines = shown.split(/\r?\n/).map((line) => line.trimEnd())
      expect(lines.some((line) => line.endsWith(` "${name}"`) && line.trim() === `"${name}"`)).toBe(true)
      expect(shown).toContain('⟨hidden⟩')
      expect(shown).toContain(`with name "${name}"`)
    }
    await client.close()
    const { stdout } = run(['audit', 'export', '--event', 'CONFIRMATION_REQUIRED'])
    const last = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '{}')
    expect(last.entry.parameters).toEqual({ name, password: { $masked: 'string' } })
  })
})

describe.skipIf(!HAS_SCRIPT)('AUDIT-09 mcpaql audit prune', () => {
  const old = join(folder, 'old.db')
  const anchors = join(folder, 'anchors.jsonl')
  const copy = join(folder, 'copy.jsonl')
  const at = (day: number) => new Date(Date.UTC(2020, 0, day)).toISOString()

  beforeAll(async () => {
    const store = await openSqliteStore(old)
    for (let day = 1; day <= 20; day++) {
      const entry = { timestamp: at(day), event: 'SERVER_STARTED', day } as const
      await store.update({}, () => ({ audit: [entry], result: undefined }))
    }
    await createOperatorAccount({ store, clock: { now: () => Date.now() } }).set(SECRET, SECRET, 'terminal')
    await store.close()
  }, 60_000)

  const prune = (more: string, steps: readonly Step[]) =>
    typed(`audit prune --store sqlite:${old} --before 2020-01-11 ${more}`, steps)
  const verify = (...more: string[]) => run(['audit', 'verify', '--json', ...more], old)

  test('a wrong secret, or a change of mind, removes nothing', SLOW, async () => {
    await prune('--no-anchor', [
      ['Operator secret: ', 'something wrong\r'],
      ['Operator secret: ', `${SECRET}\r`],
      ['Type discard', '\r'],
    ])
    expect(JSON.parse(verify().stdout)).toMatchObject({ ok: true, pruned_to: null })
  })

  test('with the secret: a copy, a checkpoint, an anchor; and the rest verifies', SLOW, async () => {
    const { exit, shown } = await prune(`--anchor ${anchors} --export ${copy}`, [
      ['Operator secret: ', `${SECRET}\r`],
      ['Records 1 to 10', ''],
      ['Type prune', 'prune\r'],
    ])
    expect([exit, shown]).toEqual([0, expect.stringContaining('Removed 10 records.')])
    const text = readFileSync(copy, 'utf8')
    expect(text.trimEnd().split('\n')).toHaveLength(10)
    expect(JSON.parse(text.split('\n')[0] ?? '').entry).toMatchObject({ day: 1 })
    expect(readAnchors(anchors).map(({ pruned }) => pruned?.seq)).toEqual([10, 10])
    for (const more of [[], ['--anchor', anchors]]) {
      const { status, stdout } = verify(...more)
      expect(status).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({ ok: true, pruned_to: 10, contradictions: [] })
    }
    const { stdout } = run(['audit', 'export', '--event', 'TRAIL_PRUNED'], old)
    const sha256 = createHash('sha256').update(text).digest('hex')
    expect(JSON.parse(stdout).entry).toMatchObject({
      removed: 10,
      removed_to: 10,
      operator: 'operator',
      channel: 'terminal',
      exported: { sha256, bytes: Buffer.byteLength(text) },
      anchored: true,
    })
  })

  test('what is removed behind the back of the anchor is found', SLOW, async () => {
    await prune('--no-anchor --before 2020-01-16', [
      ['Operator secret: ', `${SECRET}\r`],
      ['Type discard', 'discard\r'],
    ])
    expect(verify().status).toBe(0)
    const { status, stdout } = verify('--anchor', anchors)
    expect([status, JSON.parse(stdout).broken.kind]).toEqual([1, 'removed'])
  })
})

function typed(line: string, steps: readonly Step[]) {
  const store = line.includes('--store') ? '' : ` --store sqlite:${file}`
  return atTerminal(`exec ${process.execPath} ${BIN} ${line}${store}`, steps, env)
}

function run(args: readonly string[], store = file) {
  return spawnSync(process.execPath, [BIN, ...args, '--store', `sqlite:${store}`], { env, encoding: 'utf8' })
}
