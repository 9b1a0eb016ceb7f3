import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BIN, plainEnvironment } from './bin.ts'
import { atTerminal, HAS_SCRIPT, type Step } from './terminal.ts'

const SECRET = 'correct horse battery'
const SLOW = { timeout: 60_000 }

let folder: string
let module: string
let env: Record<string, string>

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpaql-trust-'))
  module = join(folder, 'notes.mjs')
  env = { ...plainEnvironment(folder), TERM: 'dumb' }
  writeModule('Add a note.')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.skipIf(HAS_SCRIPT)('SKIPPED: no util-linux `script` here, so no trust was set at a terminal', ({ skip }) => skip())

describe.skipIf(!HAS_SCRIPT)('GATE-13 trust at the terminal', () => {
  test('a source that nobody has spoken of', SLOW, async () => {
    expect(run(['trust']).stdout).toContain('No source is known')
    expect(add()).toBe(0)
    expect(run(['trust']).stdout).toMatch(/notes +validated +what a source of this kind starts with/)
    expect(
      (
        await typed('secret set', [
          ['more: ', `${SECRET}\r`],
          ['again: ', `${SECRET}\r`],
        ])
      ).exit,
    ).toBe(0)
  })

  test('SELF-07 neither a pipe nor an argument changes it', () => {
    const args = ['trust', 'notes', 'generated', '--reason', 'a reason that is long']
    const piped = run(args, `${SECRET}\ngenerated\n`)
    expect([piped.status, piped.stderr]).toEqual([3, expect.stringContaining('not a terminal')])
    expect(run([...args, '--secret', SECRET]).status).toBe(2)
    expect(add()).toBe(0)
  })

  // biome-ignore format: a table reads by columns
  test.each([
    ['a level that there is not', ['trust', 'notes', 'high', '--reason', 'a reason that is long'], 2, 'There is no trust high'],
    ['no reason',                 ['trust', 'notes', 'generated'],                                 2, 'Say why, in 10 characters or more'],
    ['an unknown source',         ['trust', 'other'],                                              1, 'No source other is known'],
  ])('%s is explained', (_, args, exit, message) => {
    const { status, stderr } = run(args)
    expect([status, stderr]).toEqual([exit, expect.stringContaining(message)])
  })

  test('SELF-14 the secret, everything it is about, the level; the next call is refused', SLOW, async () => {
    const line = 'trust notes generated --reason "it sends mail now"'
    const { exit, shown } = await typed(line, [
      ['Operator secret: ', `${SECRET}\r`],
      ['Type generated', 'generated\r'],
    ])
    expect(exit).toBe(0)
    expect(shown).toContain('validated: what a source of this kind starts with')
    expect(shown).toContain('notes is trusted as generated.')
    expect(shown).not.toContain(SECRET)
    expect(add()).toBe(3)
    expect(run(['trust']).stdout).toMatch(/notes +generated +set by operator on .*: it sends mail now/)
    expect(run(['audit', 'tail']).stdout).toMatch(
      /TRUST_CHANGED +changed by operator through terminal {2}notes from validated to generated {2}it sends mail now/,
    )
  })

  test('the default is no', SLOW, async () => {
    const line = 'trust notes validated --reason "it is good after all"'
    const { exit } = await typed(line, [
      ['Operator secret: ', `${SECRET}\r`],
      ['Type validated', '\r'],
    ])
    expect([exit, add()]).toEqual([4, 3])
  })

  test('R-43 no flag of a server raises it again', () => {
    expect(add('--trust', 'validated')).toBe(3)
  })

  test('R-43 what changes later falls back until it is accepted', SLOW, async () => {
    const line = 'trust notes validated --reason "I have read its code"'
    const steps: readonly Step[] = [
      ['Operator secret: ', `${SECRET}\r`],
      ['Type validated', 'validated\r'],
    ]
    expect((await typed(line, steps)).exit).toBe(0)
    expect(add()).toBe(0)
    writeModule('Add a note, and \u001b[2Jmail it.')
    expect(add()).toBe(3)
    const explained = run(['explain', module, 'add_note']).stdout
    expect(explained).toContain("trust generated: operation 'add_note' has changed since validated was recorded")
    const about = run(['trust', 'notes']).stdout
    expect(about).toContain('- Add a note.')
    expect(about).toContain('+ Add a note, and ⟨U+001B ESCAPE⟩[2Jmail it.')
    const { shown } = await typed(line, steps)
    expect(shown).toContain('What had changed is accepted.')
    expect(add()).toBe(0)
  })

  test('--json', () => {
    const { sources } = JSON.parse(run(['trust', '--json']).stdout)
    expect(sources).toMatchObject([{ source: 'notes', trust: 'validated', from: 'operator', drift: [] }])
    expect(JSON.parse(run(['trust', 'notes', '--json']).stdout).history).toHaveLength(4)
  })
})

function add(...flags: readonly string[]): number | null {
  return run(['call', module, 'add_note', ...flags]).status
}

function typed(line: string, steps: readonly Step[]) {
  return atTerminal(`exec ${process.execPath} ${BIN} ${line}`, steps, env)
}

function run(args: readonly string[], input = '') {
  return spawnSync(process.execPath, [BIN, ...args], { env, input, encoding: 'utf8' })
}

function writeModule(description: string): void {
  const operation = `{ name: 'add_note', category: 'CREATE', description: ${JSON.stringify(description)}, params: {}, returns: 'object', handler: () => ({}) }`
  writeFileSync(module, `export default { name: 'notes', description: 'Notes.', operations: [${operation}] }\n`)
}
