import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type FakeWorld, fakeWorld } from '../../test/fake-world.ts'
import { type Config, isOperators, SETTINGS } from '../config.ts'
import { isStop, type Stop } from './command.ts'
import { readConfig, readSettings } from './read-config.ts'

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

test('a file of very many faults is told by its first ones, and read at once', async () => {
  const began = process.cpuUsage()
  const { config } = await read(Array.from({ length: 60_000 }, (_, at) => `key_${at}: 1`).join('\n'))
  const { user } = process.cpuUsage(began)
  expect(isStop(config) && config.message.split('\n')).toHaveLength(21)
  expect(isStop(config) && config.message).toMatch(/and 59980 more$/)
  expect(user / 1e6).toBeLessThan(10)
})

test('SELF-01 settings that are trusted in other folders count among those that decide', async () => {
  const world = fakeWorld({ cwd: folder, env: { MCPAQL_TRUSTED_CONFIG_FILES: '/srv/app/mcpaql.yaml' } })
  const settings = await readSettings({}, world)
  expect(!isStop(settings) && settings.trusted).toContain('/srv/app/mcpaql.yaml')
})

describe('file, environment, flags: later wins', () => {
  const yaml = 'endpoint_mode: single\nmax_batch: 5\ninclude:\n  - get_*\n  - list_*\n'

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

describe('what loosens the gate is not taken from the working folder', () => {
  const own = join(folder, 'home', '.config', 'mcpaql', 'mcpaql.yaml')
  const readAs = async (yaml: string, env: Readonly<Record<string, string>> = {}, flags = {}, ownYaml?: string) => {
    writeFileSync(file, yaml)
    rmSync(own, { force: true })
    mkdirSync(dirname(own), { recursive: true })
    if (ownYaml !== undefined) writeFileSync(own, ownYaml)
    const world = fakeWorld({ cwd: folder, env, home: join(folder, 'home') })
    return readSettings(flags, world)
  }

  const LINES = [
    'store_url: "memory:"',
    'trust: validated',
    'policy_file: p.yaml',
    'danger_patterns_remove: [reset_*]',
    'safety_loop: disabled',
    'elicitation: true',
    'elicit_dangerous: true',
    'max_new_prompts: 1000',
    'confirmation_seconds: 900',
    'console: false',
    'console_port: 1',
    'webhook_url: https://x.example',
    'audit_anchor: /tmp/x',
    'audit_reads: false',
    'http_allowed_hosts: [x.example]',
    'http_allowed_origins: [x.example]',
    'http_host: "::1"',
    'strict_mode: false',
    'read_only: false',
    'trusted_config_files: [/x/mcpaql.yaml]',
  ]

  test.each([...LINES, 'no_such_setting: 1', 'endpoint_mode: crud', 'max_batch: [', ': : :'])(
    'whoever operates is not kept from it by %s',
    async (line) => {
      writeFileSync(file, `max_batch: 5\n${line}\n`)
      const world = fakeWorld({ cwd: folder, home: join(folder, 'home-of-nobody') })
      expect(await readSettings({}, world, {}, 'operate')).toMatchObject({ files: [] })
      expect(world.said.err).toContain('mcpaql.yaml of the working folder is passed over')
      expect(isStop(await readSettings({}, world))).toBe(true)
    },
  )

  test.skipIf(process.platform === 'win32').each([
    ['a pipe', (path: string) => spawnSync('mkfifo', [path])],
    ['an endless file', (path: string) => symlinkSync('/dev/zero', path)],
    ['a folder', (path: string) => mkdirSync(path)],
    ['a link to itself', (path: string) => symlinkSync(path, path)],
    ['two MiB', (path: string) => writeFileSync(path, '#'.repeat(2_097_152))],
  ])('nor by %s, which is not read by anybody', async (_, make) => {
    const cwd = mkdtempSync(join(folder, 'odd-'))
    make(join(cwd, 'mcpaql.yaml'))
    const world = fakeWorld({ cwd, home: join(folder, 'home-of-nobody') })
    expect(await readSettings({}, world, {}, 'operate')).toMatchObject({ files: [] })
    const served = await readSettings({}, world)
    if (isStop(served)) expect(served.exit).toBe(2)
    else expect(served.files).toEqual([])
  })

  test.each(LINES)('%s', async (line) => {
    const name = line.split(':', 1)[0]
    expect(await readAs(`max_batch: 5\n${line}\n`)).toMatchObject({
      exit: 2,
      message: `mcpaql.yaml:2: ${name} is the operator's to set, and this file lies in the working folder`,
      next: [expect.stringContaining('--config mcpaql.yaml')],
    })
    expect(await readAs(line, {}, { config: file })).toMatchObject({ files: [file] })
    expect(await readAs(line, { MCPAQL_CONFIG: 'mcpaql.yaml' })).toMatchObject({ files: [file] })
    expect(await readAs(line, { MCPAQL_TRUSTED_CONFIG_FILES: file })).toMatchObject({ files: [file] })
    expect(await readAs(line, {}, {}, `trusted_config_files:\n  - ${file}\n`)).toMatchObject({ files: [own, file] })
    expect(await readAs('max_batch: 5', {}, {}, line)).toMatchObject({ files: [file, own] })
  })

  test('every setting is either free or the operator\u2019s, and these are free', () => {
    const free = SETTINGS.map(([name]) => name).filter((name) => !isOperators(name))
    expect(free).toEqual(FREE)
  })

  test('a file cannot say that it is trusted, nor can another name for its path', async () => {
    const yaml = `trusted_config_files: [${file}]\nstore_url: "memory:"\n`
    expect(await readAs(yaml)).toMatchObject({ exit: 2 })
    expect(await readAs('store_url: "memory:"', { MCPAQL_TRUSTED_CONFIG_FILES: `${folder}/other.yaml` })).toMatchObject(
      {
        exit: 2,
      },
    )
  })

  test('what only tightens is taken', async () => {
    expect(await readAs('read_only: true')).toMatchObject({ config: { read_only: true } })
  })
})

const FREE = [
  'endpoint_mode',
  'include',
  'exclude',
  'read_only',
  'max_request_size',
  'max_response_size',
  'max_string_length',
  'max_array_elements',
  'max_nesting_depth',
  'max_batch',
  'max_page_size',
  'list_page_size',
  'batch',
  'timeout_ms',
  'slow_ms',
  'rest_ttl_seconds',
  'log_level',
]

describe('a file in the working folder loosens nothing', () => {
  const write = (world: FakeWorld, yaml: string) => {
    const own = join(world.home, '.config/mcpaql/mcpaql.yaml')
    mkdirSync(dirname(own), { recursive: true })
    writeFileSync(own, yaml)
  }
  const both = async (own: string, here: string) => {
    const world = fakeWorld({ cwd: folder, home: mkdtempSync(join(folder, 'home-')) })
    write(world, own)
    writeFileSync(file, here)
    return readConfig({}, world)
  }

  test.each([
    'safetyLoop.mode: disabled',
    'safetyLoop: {mode: disabled}',
    'safety_loop: disabled',
    'tool_names: "{endpoint}tracker_mcpaql_read"',
    'tool_prefix: github_',
    'endpoint_profile: other',
    'http_port: 0',
    'http_session_idle_seconds: 1',
  ])('LOOP-07 by whatever name: %s', async (here) => {
    const config = await both('safety_loop: enforcing\n', `${here}\n`)
    expect(isStop(config) && config.message).toContain("is the operator's to set")
  })

  test("it takes nothing back that the operator's own file says, and may add", async () => {
    const own = 'exclude: [delete_*]\ninclude: [get_*, delete_*]\nmax_batch: 5\n'
    const config = await both(own, 'exclude: [list_*]\ninclude: ["*"]\nmax_batch: 900\nslow_ms: 7\n')
    expect(config).toMatchObject({ include: ['get_*', 'delete_*'], max_batch: 5, slow_ms: 7 })
    expect((config as Config).exclude).toEqual(['delete_*', 'list_*'])
  })

  test("paths in the operator's own file start from its folder", async () => {
    const config = await both('policy_file: policies.yaml\nstore_url: "sqlite:a/state.db"\n', 'batch: true\n')
    expect(config).toMatchObject({
      policy_file: expect.stringMatching(/\.config\/mcpaql\/policies\.yaml$/),
      store_url: expect.stringMatching(/^sqlite:\/.*\.config\/mcpaql\/a\/state\.db$/),
    })
  })
})
