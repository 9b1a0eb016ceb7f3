import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const BIN = fileURLToPath(new URL('../../dist/src/cli/bin.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'mcpaql-cli-'))
const state = join(folder, 'state')
const started: ChildProcess[] = []

beforeAll(() => {
  expect(existsSync(BIN), 'dist is missing: run npm run build first (npm test does it)').toBe(true)
  writeFileSync(join(folder, 'notes.mjs'), NOTES)
  writeFileSync(join(folder, 'typed.ts'), TYPED)
  writeFileSync(join(folder, 'broken.ts'), 'export const adapter: = 1\n')
  writeFileSync(join(folder, 'empty.mjs'), 'export const other = 1\n')
  writeFileSync(join(folder, 'throws.mjs'), "throw new Error('out of ink')\n")
})

afterAll(() => {
  for (const child of started) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

interface Ended {
  readonly exit: number | null
  readonly out: string
  readonly err: string
}

interface Setting {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly bin?: string
}

function start(args: readonly string[], { env = {}, cwd = folder, bin = BIN }: Setting = {}) {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [bin, ...args], { cwd, env: { PATH, HOME, XDG_STATE_HOME: state, ...env } })
  started.push(child)
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.err += text
  })
  const ended = new Promise<Ended>((resolve) => child.on('close', (exit) => resolve({ exit, ...said })))
  return { child, said, ended }
}

function mcpaql(args: readonly string[], setting: Setting = {}): Promise<Ended> {
  const { child, ended } = start(args, setting)
  child.stdin.end(setting.input ?? '')
  return ended
}

async function until(condition: () => boolean, what: string): Promise<void> {
  for (let waited = 0; waited < 20_000; waited += 50) {
    if (condition()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`Waited in vain for ${what}`)
}

/** A server on a free port; `stop` sends the signal and waits for the end. */
async function serve(args: readonly string[], setting: Setting = {}) {
  const { child, said, ended } = start(['serve', ...args, '--http', '0', '--json'], setting)
  await until(() => said.out.includes('\n') || child.exitCode !== null, 'the server')
  const { url, tools } = JSON.parse(said.out) as { readonly url: string; readonly tools: readonly string[] }
  const stop = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return ended
  }
  return { url, tools, said, stop }
}

const json = (text: string) => JSON.parse(text) as Readonly<Record<string, unknown>>

describe('help and usage', () => {
  test('help costs little more than Node itself', async () => {
    const { exit, out, err } = await mcpaql(['--help'])
    expect({ exit, err }).toEqual({ exit: 0, err: '' })
    for (const name of ['serve', 'introspect', 'call', 'measure', 'conformance']) expect(out).toContain(`  ${name} `)
    const cost = (await fastest(BIN, '--help')) - (await fastest('-e', '0'))
    expect(cost).toBeLessThan(100)
  })

  test('the version is that of package.json', async () => {
    const { version } = json(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    expect(await mcpaql(['--version'])).toEqual({ exit: 0, out: `${version}\n`, err: '' })
  })

  test('a wrong command exits with 2 and suggests the right one', async () => {
    const { exit, out, err } = await mcpaql(['introspct', 'demo'])
    expect({ exit, out }).toEqual({ exit: 2, out: '' })
    expect(err).toContain('Did you mean mcpaql introspect?')
  })

  test('a reader that goes away is no failure', async () => {
    const { child, ended } = start(['introspect', 'demo', '--json'])
    child.stdout.destroy()
    child.stdin.end()
    expect(await ended).toMatchObject({ exit: 0, err: '' })
  })
})

describe('introspect', () => {
  test('the demo, for people: no colour codes in a pipe', async () => {
    const { exit, out, err } = await mcpaql(['introspect', 'demo'], { env: { FORCE_COLOR: '0' } })
    expect({ exit, err }).toEqual({ exit: 0, err: '' })
    expect(out).toMatch(/^Issue tracker: \d+ operations/)
    expect(out).toMatch(/^create_issue +CREATE +/m)
    expect(out).not.toContain('\u001b')
  })

  test('--json is the data of the answer', async () => {
    const { out } = await mcpaql(['introspect', 'demo', '--json', '--category', 'delete'])
    const { _protocol, operations } = json(out) as { _protocol: object; operations: { semantic_category: string }[] }
    expect(_protocol).toMatchObject({ version: '1.0.0-draft', adapter: 'tracker', mode: 'semantic', profile: 'crude' })
    expect(operations.length).toBeGreaterThan(3)
    expect(new Set(operations.map(({ semantic_category }) => semantic_category))).toEqual(new Set(['DELETE']))
  })

  test('one operation, one type, and neither', async () => {
    const operation = json((await mcpaql(['introspect', 'demo', 'create_issue', '--json'])).out)
    expect(operation).toMatchObject({ operation: { name: 'create_issue', mcpTool: 'tracker_mcpaql_create' } })
    expect(json((await mcpaql(['introspect', 'demo', 'Issue', '--types', '--json'])).out)).toMatchObject({
      type: { name: 'Issue', kind: 'object' },
    })
    const { exit, err } = await mcpaql(['introspect', 'demo', 'make_issue'])
    expect(exit).toBe(1)
    expect(err).toContain('There is no operation make_issue')
  })

  test('several searches at once', async () => {
    const { out } = await mcpaql(['introspect', 'demo', '--search', 'open a new issue', '--search', 'people', '--json'])
    const { results } = json(out) as { results: { text: string; matches: { operation: string }[] }[] }
    expect(results.map(({ text }) => text)).toEqual(['open a new issue', 'people'])
    expect(results[0]?.matches[0]?.operation).toBe('create_issue')
  })

  test('--all walks the pages', async () => {
    const first = json((await mcpaql(['introspect', 'demo', '--json', '--list-page-size', '5'])).out)
    expect(first.operations).toHaveLength(5)
    const all = json((await mcpaql(['introspect', 'demo', '--json', '--list-page-size', '5', '--all'])).out)
    expect((all.operations as unknown[]).length).toBe((first._protocol as { page: { total: number } }).page.total)
  })
})

describe('call', () => {
  test('a success exits with 0, and --json is the result as received', async () => {
    const { exit, out, err } = await mcpaql(['call', 'demo', 'list_issues', '{"first": 2}', '--json'])
    expect({ exit, err }).toEqual({ exit: 0, err: '' })
    expect(json(out)).toMatchObject({ success: true, data: { items: [{}, {}], pageInfo: { hasNextPage: true } } })
  })

  test('a page of records is a table', async () => {
    const { out } = await mcpaql([
      'call',
      'demo',
      'list_issues',
      '--param',
      'first=2',
      '--param',
      'sort={"field":"id","order":"asc"}',
    ])
    expect(out.split('\n')[0]).toMatch(/^id +/)
    expect(out).toContain('More: --param after=')
  })

  test('what the demo stores is there the next time, and not with memory:', async () => {
    const make = ['call', 'demo', 'create_label', '-p', 'name=cli-test', '-p', 'color=#123456', '--json']
    const made = await mcpaql(make)
    expect(json(made.out), made.out).toMatchObject({ success: true })
    expect(json((await mcpaql(make)).out)).toMatchObject({ success: false, error: { code: 'CONFLICT_ALREADY_EXISTS' } })
    expect(json((await mcpaql([...make, '--store', 'memory:'])).out)).toMatchObject({ success: true })
  })

  // biome-ignore format: a table reads by columns
  test.each<[string, readonly string[], number, string]>([
    ['a missing parameter',     ['create_issue'],                          1, 'VALIDATION_MISSING_PARAM'],
    ['an unknown operation',    ['creat_issue'],                           1, 'NOT_FOUND_OPERATION'],
    ['a denied operation',      ['delete_issue', '{"issue_id":"iss_1"}', '--read-only'], 3, 'PERMISSION_DENIED'],
    ['VAL-06 an unknown parameter', ['list_labels', '{"colour":"red"}'],   1, 'VALIDATION_UNKNOWN_PARAM'],
  ])('%s', async (_, args, exit, code) => {
    const ended = await mcpaql(['call', 'demo', ...args, '--json'])
    expect(ended.exit).toBe(exit)
    expect(json(ended.out)).toMatchObject({ success: false, error: { code } })
  })

  test('VAL-06 RES-11 with strict mode off an unknown parameter is a warning, and a warning is a success', async () => {
    const args = ['call', 'demo', 'list_labels', '{"colour":"red"}', '--no-strict-mode']
    const plain = await mcpaql(args)
    expect(plain.exit).toBe(0)
    expect(plain.err).toContain('Warning: ')
    expect(json((await mcpaql([...args, '--json'])).out)).toMatchObject({
      success: true,
      warnings: [{ code: 'VALIDATION_UNKNOWN_PARAM' }],
    })
    const listed = await mcpaql(['introspect', 'demo', '--json', '--no-strict-mode'])
    expect(listed.out).not.toContain('strict')
  })

  test('a batch from stdin may mix families; one failed entry makes it a failure', async () => {
    const input =
      '[{"operation":"list_labels"},{"operation":"create_label","params":{"name":"batch-test"}},{"operation":"nothing"}]'
    const { exit, out } = await mcpaql(['call', 'demo', '--batch', '-', '--json', '--store', 'memory:'], { input })
    expect(exit).toBe(1)
    expect(json(out)).toMatchObject({ success: true, summary: { total: 3, succeeded: 2, failed: 1 } })
  })

  test('a file that is no batch is explained', async () => {
    writeFileSync(join(folder, 'wrong.json'), '{"operation":"list_labels"}')
    const { exit, err } = await mcpaql(['call', 'demo', '--batch', 'wrong.json'])
    expect(exit).toBe(2)
    expect(err).toContain('wrong.json is not a batch')
  })
})

describe('measure', () => {
  test('figures for every mode', async () => {
    const { exit, out, err } = await mcpaql(['measure', 'demo', '--json'])
    expect({ exit, err }).toEqual({ exit: 0, err: '' })
    const figures = json(out) as {
      counter: string
      operations: number
      tool_list: Record<string, number>
      discovery: Record<string, number>
    }
    expect(figures).toMatchObject({ counter: 'o200k', adapters: ['Issue tracker'], operations: expect.any(Number) })
    const { per_operation = 0, semantic = 0, single = 0 } = figures.tool_list
    expect(single).toBeGreaterThan(100)
    expect(semantic).toBeGreaterThan(single)
    expect(per_operation).toBeGreaterThan(semantic)
    expect(figures.discovery.search_mean).toBeGreaterThan(0)
  })

  test('a table for people', async () => {
    const { out } = await mcpaql(['measure', 'notes.mjs'])
    expect(out).toMatch(/^TOOL LIST +TOKENS +SHARE$/m)
    expect(out).toMatch(/^MCP-AQL, single mode +\d+ /m)
  })
})

describe('modules', () => {
  test('TypeScript is loaded, knows mcpaql, and prints to stderr only', async () => {
    const { exit, out, err } = await mcpaql(['call', 'typed.ts', 'get_thing', '--param', 'name=x', '--json'])
    expect(json(out), err).toEqual({
      success: false,
      error: {
        code: 'NOT_FOUND_RESOURCE',
        message: "Resource 'thing' not found: 'x'",
        details: { resource_type: 'thing', resource_id: 'x' },
      },
    })
    expect(exit).toBe(1)
    expect(err).toBe('said by the module\n')
  })

  // biome-ignore format: a table reads by columns
  test.each([
    ['missing.mjs', 2, 'There is no file missing.mjs'],
    ['empty.mjs',   2, 'empty.mjs exports no adapter (it exports other)'],
    ['throws.mjs',  1, 'throws.mjs could not be loaded: out of ink'],
    ['broken.ts',   1, 'broken.ts could not be loaded: '],
  ])('%s is explained', async (module, exit, message) => {
    const ended = await mcpaql(['introspect', module])
    expect(ended.exit).toBe(exit)
    expect(ended.err).toContain(message)
    expect(ended.err).not.toContain('this is a bug')
  })
})

describe('settings', () => {
  const inFolder = (name: string, yaml: string) => {
    const cwd = join(folder, name)
    mkdirSync(cwd, { recursive: true })
    writeFileSync(join(cwd, 'mcpaql.yaml'), yaml)
    return cwd
  }

  test('MODE-03 a wrong value stops with file, line and what is accepted', async () => {
    const cwd = inFolder('wrong-mode', '# tools\nbatch: true\nendpoint_mode: crud\n')
    const { exit, err } = await mcpaql(['serve', 'demo'], { cwd })
    expect(exit).toBe(2)
    expect(err).toContain('mcpaql.yaml:3: endpoint_mode is "crud", expected one of semantic, single, all')
  })

  test('DATA-08 a limit outside its range stops', async () => {
    const cwd = inFolder('wrong-limit', 'max_nesting_depth: 65\n')
    const { exit, err } = await mcpaql(['introspect', 'demo'], { cwd })
    expect(exit).toBe(2)
    expect(err).toContain('mcpaql.yaml:1: max_nesting_depth is 65, expected an integer from 8 to 64 (levels)')
  })

  test('DATA-08 DATA-11 a limit inside its range is in force and published', async () => {
    const cwd = inFolder('limit', 'max_nesting_depth: 8\n')
    const listed = json((await mcpaql(['introspect', 'demo', '--json'], { cwd })).out)
    expect(listed).toMatchObject({ _protocol: { limits: { max_nesting_depth: 8, max_request_size: 1_048_576 } } })
    const deep = JSON.stringify({ filter: JSON.parse('{"a":'.repeat(9) + '1' + '}'.repeat(9)) })
    const ended = await mcpaql(['call', 'demo', 'list_issues', deep, '--json'], { cwd })
    expect(json(ended.out)).toMatchObject({
      error: { code: 'VALIDATION_PAYLOAD_TOO_LARGE', details: { limit_type: 'nesting_depth' } },
    })
  })

  test('MODE-03 an unknown profile stops and names those there are', async () => {
    const { exit, err } = await mcpaql(['serve', 'demo', '--profile', 'dask'])
    expect(exit).toBe(2)
    expect(err).toContain('crude')
    expect(err).toContain('desk')
  })

  const toolsOf = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const { out } = await mcpaql(['introspect', 'notes.mjs', 'list_notes', '--json', ...args], { env })
    return (json(out).operation as { mcpTool: string }).mcpTool
  }

  // biome-ignore format: a table reads by columns
  test.each<[string, readonly string[], Readonly<Record<string, string>>, string]>([
    ['MODE-03 nothing set',          [],                                       {},                                   'notes_mcpaql_read'],
    ['MODE-02 MCP_AQL_ENDPOINT_MODE single', [],                               { MCP_AQL_ENDPOINT_MODE: 'single' },  'notes_mcpaql'],
    ['MODE-02 the word crude',       [],                                       { MCP_AQL_ENDPOINT_MODE: 'crude' },   'notes_mcpaql_read'],
    ['MODE-02 MCP_AQL_ENDPOINT_PROFILE', [],                                   { MCP_AQL_ENDPOINT_PROFILE: 'shelf' }, 'notes_mcpaql_look'],
    ['TOOL-02 classic',              ['--tool-names', 'classic'],              {},                                   'mcp_aql_read'],
    ['TOOL-02 bare',                 ['--tool-names', 'bare'],                 {},                                   'mcpaql_read'],
    ['TOOL-03 a pattern',            ['--tool-names', '{endpoint}.{adapter}'], {},                                   'read.notes'],
    ['MULTI-02 MCP_AQL_TOOL_PREFIX wins', ['--tool-names', 'bare'],            { MCP_AQL_TOOL_PREFIX: 'my_' },       'my_mcp_aql_read'],
  ])('%s', async (_, args, env, tool) => {
    expect(await toolsOf(args, env)).toBe(tool)
  })

  test('MULTI-02 a wrong prefix stops', async () => {
    const { exit, err } = await mcpaql(['serve', 'demo'], { env: { MCP_AQL_TOOL_PREFIX: 'GitHub' } })
    expect(exit).toBe(2)
    expect(err).toContain('MCP_AQL_TOOL_PREFIX')
  })
})

describe('serve', () => {
  test('over HTTP: says how to connect, answers our own client, stops on SIGINT', async () => {
    const { url, tools, said, stop } = await serve(['demo', '--mode', 'all'])
    expect(tools).toEqual(
      ['create', 'read', 'update', 'delete', 'execute']
        .map((family) => `tracker_mcpaql_${family}`)
        .concat('tracker_mcpaql'),
    )
    await until(() => said.err.includes('Ctrl-C'), 'the greeting')
    expect(said.err).toContain(`{"mcpServers":{"tracker":{"type":"http","url":"${url}"}}}`)
    expect(said.err).toContain(`curl -s ${url}`)

    const listed = await mcpaql(['call', url, 'list_labels', '--json'])
    expect(json(listed.out), listed.err).toMatchObject({ success: true })
    expect((await mcpaql(['call', url, 'nothing'])).exit).toBe(1)
    const input = '[{"operation":"list_labels"},{"operation":"delete_label","params":{"name":"nope"}}]'
    expect(json((await mcpaql(['call', url, '--batch', '-', '--json'], { input })).out)).toMatchObject({
      summary: { total: 2 },
    })

    const { exit, err } = await stop('SIGINT')
    expect(exit).toBe(0)
    expect(err).toContain('Stopping…')
  })

  test('the curl line works as it stands', async () => {
    const { url, said, stop } = await serve(['notes.mjs'])
    await until(() => said.err.includes('Ctrl-C'), 'the greeting')
    const line = said.err.split('\n').find((each) => each.includes('curl -s')) ?? ''
    const headers = Object.fromEntries(
      [...line.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']) => [name, value]),
    )
    const body = / -d '(.*)'$/.exec(line)?.[1] ?? ''
    const answer = await fetch(url, { method: 'POST', headers, body })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('list_notes')
    expect((await stop('SIGTERM')).exit).toBe(0)
  })

  test('MULTI-01 MULTI-04 several adapters side by side, each for itself', async () => {
    const { url, tools, stop } = await serve(['demo', 'notes.mjs', '--mode', 'single'])
    expect(tools).toEqual(['tracker_mcpaql', 'notes_mcpaql'])
    const both = JSON.parse((await mcpaql(['introspect', url, '--json'])).out) as { _protocol: { adapter: string } }[]
    expect(both.map(({ _protocol }) => _protocol.adapter)).toEqual(['tracker', 'notes'])
    expect(json((await mcpaql(['call', url, 'list_notes', '--json'])).out)).toEqual({
      success: true,
      data: ['one', 'two'],
    })
    await stop('SIGINT')
  })

  // biome-ignore format: a table reads by columns
  test.each<[string, readonly string[], Readonly<Record<string, string>>]>([
    ['the same adapter twice', ['notes.mjs', 'notes.mjs'],                     {}],
    ['one prefix for two',     ['notes.mjs', 'typed.ts'],                      { MCP_AQL_TOOL_PREFIX: 'x_' }],
    ['bare names for two',     ['notes.mjs', 'typed.ts', '--tool-names', 'bare'], {}],
  ])('MULTI-01 a collision stops: %s', async (_, args, env) => {
    const { exit, err } = await mcpaql(['serve', ...args], { env })
    expect(exit).toBe(2)
    expect(err).toContain('would both offer the tool')
  })

  test('MCP-05 over stdio: a server after --, nothing but MCP on stdout, end of input ends it', async () => {
    const { exit, out, err } = await mcpaql([
      'call',
      'get_thing',
      '{"name":"x"}',
      '--json',
      '--',
      process.execPath,
      BIN,
      'serve',
      'typed.ts',
    ])
    expect(exit, err).toBe(1)
    expect(json(out)).toMatchObject({ error: { code: 'NOT_FOUND_RESOURCE' } })
    const silent = await mcpaql(['serve', 'typed.ts'], { input: '' })
    expect(silent).toMatchObject({ exit: 0, out: '' })
    expect(silent.err).toContain('Serving on stdio.')
  })

  test('a port that is taken is explained', async () => {
    const { url, stop } = await serve(['notes.mjs'])
    const { exit, err } = await mcpaql(['serve', 'notes.mjs', '--http', new URL(url).port])
    expect(exit).toBe(1)
    expect(err).toContain('is in use')
    await stop('SIGINT')
  })

  test('MCP-07 an address that others can reach is refused', async () => {
    const { exit, err } = await mcpaql(['serve', 'notes.mjs', '--http', '0.0.0.0:0'])
    expect(exit).toBe(2)
    expect(err).not.toContain('this is a bug')
  })

  test('nobody at the address is explained', async () => {
    const { exit, err } = await mcpaql(['introspect', 'http://127.0.0.1:9/mcp'])
    expect(exit).toBe(1)
    expect(err).toContain('No MCP server answers at http://127.0.0.1:9/mcp')
  })
})

describe('mcpaql-conformance', () => {
  const alias = join(folder, 'mcpaql-conformance')
  beforeAll(() => symlinkSync(BIN, alias))

  test('CONF-08 the same program under this name has the commands of the document', async () => {
    expect(await mcpaql(['version'], { bin: alias })).toMatchObject({
      exit: 0,
      out: expect.stringContaining('1.0.0-draft'),
    })
    expect((await mcpaql(['test', 'demo', '--level', '9'], { bin: alias })).exit).toBe(3)
    expect((await mcpaql(['report', 'missing.json'], { bin: alias })).exit).toBe(3)
  })

  test('CONF-08 test starts a source by itself', async () => {
    const { exit, out } = await mcpaql(['test', 'notes.mjs', '-c', 'Error Quality', '-f', 'json'], { bin: alias })
    expect([0, 1, 2]).toContain(exit)
    expect(json(out)).toMatchObject({ implementation: 'notes', categories: [{ name: 'Error Quality' }] })
  })

  test('mcpaql conformance writes report and evidence where it is told', async () => {
    const args = [
      'conformance',
      'notes.mjs',
      '--category',
      'error-quality',
      '--format',
      'markdown',
      '--output',
      'report.md',
      '--evidence',
      'evidence.json',
    ]
    const { out, err } = await mcpaql(args)
    expect({ out, err }).toEqual({ out: '', err: '' })
    expect(readFileSync(join(folder, 'report.md'), 'utf8')).toContain('## Error Quality')
    expect(json(readFileSync(join(folder, 'evidence.json'), 'utf8'))).toHaveProperty('endpoint_modes')
  })

  test('a category that does not exist is explained', async () => {
    const { exit, err } = await mcpaql(['conformance', 'notes.mjs', '--category', 'style'])
    expect(exit).toBe(2)
    expect(err).toContain('Error Quality')
  })
})

/** Milliseconds of processor time of the best of some runs: the machine may be busy with other things. */
async function fastest(...args: readonly string[]): Promise<number> {
  const script =
    'const{spawnSync}=require("node:child_process");const a=process.argv.slice(1);const t=process.resourceUsage;' +
    'spawnSync(process.execPath,a);' +
    'let best=Infinity;for(let i=0;i<5;i++){const b=process.hrtime.bigint();spawnSync(process.execPath,a);const d=Number(process.hrtime.bigint()-b)/1e6;if(d<best)best=d}' +
    'console.log(best)'
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['-e', script, '--', ...args])
    let out = ''
    child.stdout.on('data', (text) => {
      out += text
    })
    child.on('close', () => resolve(Number(out)))
  })
}

const NOTES = `export const createAdapter = async () => ({
  name: 'notes',
  description: 'Notes on a shelf.',
  profiles: [{ name: 'shelf', introspection: 'look', families: [
    { name: 'look', purpose: 'See.', categories: ['READ'] },
    { name: 'work', purpose: 'Do.', categories: ['CREATE', 'UPDATE', 'DELETE', 'EXECUTE'] },
  ] }],
  operations: [
    { name: 'list_notes', category: 'READ', description: 'List the notes.', handler: () => ['one', 'two'] },
    { name: 'create_note', category: 'CREATE', description: 'Write a note.',
      params: { text: { type: 'string', required: true, description: 'What it says.' } }, handler: ({ text }) => ({ text }) },
  ],
})
`

const TYPED = `import { defineAdapter, defineOperation, fail } from 'mcpaql'

interface Thing {
  readonly name: string
}

console.log('said by the module')

const things: readonly Thing[] = []

export const adapter = defineAdapter({
  name: 'typed',
  description: 'Things with types.',
  operations: [
    defineOperation({
      name: 'get_thing',
      category: 'READ',
      description: 'Get a thing.',
      params: { name: { type: 'string', required: true, description: 'Its name.' } },
      handler: ({ name }): unknown =>
        things.find((thing) => thing.name === name) ?? fail('NOT_FOUND_RESOURCE', { resource_type: 'thing', resource_id: name }),
    }),
  ],
})
`
