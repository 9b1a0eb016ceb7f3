import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type FakeWorld, fakeWorld } from '../../test/fake-world.ts'
import type { Config } from '../config.ts'
import { isStop, type Stop } from './command.ts'
import { readConfig } from './read-config.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = join(folder, 'mcpaql.yaml')
beforeEach(() => rmSync(file, { force: true }))

async function read(
  yaml: string | undefined,
  env: Readonly<Record<string, string>> = {},
  flags: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly config: Config | Stop; readonly world: FakeWorld }> {
  if (yaml !== undefined) writeFileSync(file, yaml)
  const world = fakeWorld({ cwd: folder, env })
  return { config: await readConfig(flags, world), world }
}

describe('file, environment, flags: later wins', () => {
  const yaml = 'endpoint_mode: single\nmax_batch: 5\ntool_prefix: file_\ninclude:\n  - get_*\n  - list_*\n'

  test('the file alone', async () => {
    const { config } = await read(yaml)
    expect(config).toMatchObject({ endpoint_mode: 'single', max_batch: 5, include: ['get_*', 'list_*'] })
  })

  test('MULTI-02 the environment wins over the file', async () => {
    const { config } = await read(yaml, { MCP_AQL_TOOL_PREFIX: 'env_', MCP_AQL_ENDPOINT_MODE: 'all' })
    expect(config).toMatchObject({ tool_prefix: 'env_', endpoint_mode: 'all', max_batch: 5 })
  })

  test('MODE-02 a flag wins over the environment', async () => {
    const { config } = await read(yaml, { MCP_AQL_ENDPOINT_MODE: 'all' }, { mode: 'semantic', 'max-batch': '9' })
    expect(config).toMatchObject({ endpoint_mode: 'semantic', max_batch: 9 })
  })

  test('a variable that is set to nothing is not set', async () => {
    const { config } = await read(undefined, { MCP_AQL_ENDPOINT_MODE: '' })
    expect(config).toMatchObject({ endpoint_mode: 'semantic' })
  })

  test('an empty file says nothing', async () => {
    expect(isStop((await read('# nothing yet\n')).config)).toBe(false)
  })
})

// biome-ignore format: a table reads by columns
test.each([
  ['MODE-03 a wrong value',     '# modes\n\nendpoint_mode: crud\n', 'mcpaql.yaml:3: endpoint_mode is "crud", expected one of semantic, single, all'],
  ['an unknown key',            'batch: true\nendpoint_mod: all\n', "mcpaql.yaml:2: there is no setting 'endpoint_mod'. Did you mean endpoint_mode?"],
  ['a key after a sequence',    'include:\n  - a\nmax_batch: x\n',  'mcpaql.yaml:3: max_batch is "x", expected an integer from 1 to 1000 (entries)'],
  ['a quoted key',              '"max_batch": 0\n',                 'mcpaql.yaml:1: max_batch is 0, expected an integer from 1 to 1000 (entries)'],
  ['broken YAML',               'batch: true\n  max_batch: 1\n',    'mcpaql.yaml:2:'],
  ['a list in place of settings', '- batch\n',                      'mcpaql.yaml:1: expected settings, one a line'],
  ['an alias',                  'include: &a [x]\nexclude: *a\n',   'mcpaql.yaml:2:'],
  ['a key twice',               'batch: true\nbatch: false\n',      'mcpaql.yaml:2:'],
])('%s stops with file and line', async (_, yaml, message) => {
  const { config } = await read(yaml)
  expect(config).toMatchObject({ exit: 2, message: expect.stringContaining(message) })
})

test('MULTI-02 a wrong prefix in the environment stops', async () => {
  const { config } = await read(undefined, { MCP_AQL_TOOL_PREFIX: 'GitHub' })
  expect(config).toMatchObject({
    exit: 2,
    message: expect.stringMatching(/^MCP_AQL_TOOL_PREFIX: tool_prefix is "GitHub"/),
  })
})

test('a wrong flag is named as it was written', async () => {
  const { config } = await read(undefined, {}, { mode: 'crud' })
  expect(config).toMatchObject({
    exit: 2,
    message: '--mode: endpoint_mode is "crud", expected one of semantic, single, all',
  })
})

test('a file that was named must be there', async () => {
  const { config } = await read(undefined, {}, { config: 'other.yaml' })
  expect(config).toMatchObject({ exit: 2, message: 'There is no file other.yaml' })
})

test('a misspelt variable does not go unnoticed', async () => {
  const { config, world } = await read(undefined, { MCP_AQL_ENDPOINT_MOD: 'all' })
  expect(isStop(config)).toBe(false)
  expect(world.said.err).toBe(
    'The environment variable MCP_AQL_ENDPOINT_MOD is not used; did you mean MCP_AQL_ENDPOINT_MODE?\n',
  )
})

test.each([
  [{ MCPAQL_WEBHOOK_SECRET: 'sixteen letters and more' }],
  [{ MCPAQL_BELL: 'sixteen letters and more', MCPAQL_WEBHOOK_SECRET_ENV: 'MCPAQL_BELL' }],
])('the variable that holds the secret of the webhook is a known one: %j', async (env) => {
  const { config, world } = await read(undefined, env)
  expect([isStop(config), world.said.err]).toEqual([false, ''])
})
