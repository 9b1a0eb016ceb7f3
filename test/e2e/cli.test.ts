import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BIN } from './bin.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-cli-'))
const state = join(folder, 'state')
const cache = join(folder, 'cache')
const started: ChildProcess[] = []

beforeAll(() => {
  expect(existsSync(BIN), 'dist is missing: run npm run build first (npm test does it)').toBe(true)
  writeFileSync(join(folder, 'notes.mjs'), NOTES)
  writeFileSync(join(folder, 'typed.ts'), TYPED)
  writeFileSync(join(folder, 'broken.ts'), 'export const adapter: = 1\n')
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
  const { PATH = '' } = process.env
  const own = { PATH, HOME: folder, XDG_STATE_HOME: state, XDG_CACHE_HOME: cache }
  const child = spawn(process.execPath, [bin, ...args], { cwd, env: { ...own, ...env } })
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
async function serve(args: readonly string[], setting: Setting = {}, command: 'serve' | 'safety' = 'serve') {
  const { child, said, ended } = start([command, ...args, '--http', '0', '--json'], setting)
  await until(() => said.out.includes('\n') || child.exitCode !== null, 'the server')
  const { url, tools } = JSON.parse(said.out) as { readonly url: string; readonly tools: readonly string[] }
  const stop = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return ended
  }
  return { url, tools, said, stop, child }
}

const anchored = join(folder, 'anchored')
const ANCHORED = {
  env: {
    XDG_STATE_HOME: anchored,
    MCPAQL_AUDIT_ANCHOR: join(anchored, 'anchors.jsonl'),
    MCPAQL_CONSOLE_PORT: '0',
  },
}

const json = (text: string) => JSON.parse(text) as Readonly<Record<string, unknown>>

describe('help and usage', () => {
  test('help costs little more than Node itself', async () => {
    const { exit, out, err } = await mcpaql(['--help'])
    expect({ exit, err }).toEqual({ exit: 0, err: '' })
    for (const name of ['serve', 'introspect', 'call', 'measure', 'conformance']) expect(out).toContain(`  ${name} `)
    expect((await cost(BIN, '--help')) - (await cost('-e', '0'))).toBeLessThan(100)
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

describe('the demo', () => {
  test('is described without colour codes in a pipe', async () => {
    const { exit, out, err } = await mcpaql(['introspect', 'demo'])
    expect({ exit, err }).toEqual({ exit: 0, err: '' })
    expect(out).toMatch(/^Issue tracker: \d+ operations/)
    expect(out).not.toContain('\u001b')
  })

  test('keeps what it is told, but not with memory:', async () => {
    const make = ['call', 'demo', 'create_label', '-p', 'name=cli-test', '-p', 'color=#123456', '--json']
    const made = await mcpaql(make)
    expect(json(made.out), made.out).toMatchObject({ success: true })
    expect(existsSync(join(state, 'mcpaql/demo.db'))).toBe(true)
    const again = await mcpaql(make)
    expect(json(again.out)).toMatchObject({ success: false, error: { code: 'CONFLICT_ALREADY_EXISTS' } })
    expect(again.exit).toBe(1)
    expect(json((await mcpaql([...make, '--store', 'memory:'])).out)).toMatchObject({ success: true })
  })

  test('a call waits for a human as long as it is told, with --tool too', async () => {
    const args = ['delete_label', '-p', 'name=design', '--tool', 'tracker_mcpaql_delete', '--wait', '1']
    const { exit, err } = await mcpaql(['call', 'demo', ...args])
    expect(exit).toBe(4)
    expect(err).toMatch(/^Waiting for a human .* approve [0-9a-f]{16}\n/)
    expect(err).not.toContain('--wait 120')
  })

  test('is measured with the real tokenizer', async () => {
    const { exit, out, err } = await mcpaql(['measure', 'demo', '--json'])
    expect({ exit, err }).toEqual({ exit: 0, err: '' })
    expect(json(out)).toMatchObject({ counter: 'o200k', tool_list: { single: expect.any(Number) } })
  })

  test('MODE-03 is not served with a wrong setting: file and line are named', async () => {
    const cwd = join(folder, 'wrong')
    mkdirSync(cwd)
    writeFileSync(join(cwd, 'mcpaql.yaml'), '# tools\nendpoint_mode: crud\n')
    const { exit, out, err } = await mcpaql(['serve', 'demo'], { cwd })
    expect({ exit, out }).toEqual({ exit: 2, out: '' })
    expect(err).toContain('mcpaql.yaml:2: endpoint_mode is "crud", expected one of semantic, single, all')
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

  test('compiled code is kept nowhere, and none that lies in a folder of the user is run', async () => {
    const cwd = join(folder, 'planted')
    const compiler = join(cwd, 'node_modules/typescript')
    mkdirSync(join(compiler, 'lib'), { recursive: true })
    writeFileSync(join(compiler, 'package.json'), '{"version":"0.0.0","main":"lib/typescript.js"}')
    writeFileSync(join(compiler, 'lib/typescript.js'), COUNTED)
    writeFileSync(join(cwd, 'typed.ts'), TYPED)
    const run = () => mcpaql(['call', 'typed.ts', 'get_thing', '-p', 'name=x', '--json'], { cwd })
    const loads = () => (existsSync(join(cwd, 'loads')) ? readFileSync(join(cwd, 'loads'), 'utf8').length : 0)

    const first = await run()
    expect(first.exit, first.err).toBe(1)
    const once = loads()
    const digest = (text: string) => createHash('sha256').update(text).digest('hex')
    const code = "console.error('PLANTED')\n"
    for (const place of [cache, join(folder, '.cache')]) {
      const planted = join(place, 'mcpaql/typescript')
      expect(existsSync(planted)).toBe(false)
      mkdirSync(planted, { recursive: true, mode: 0o700 })
      writeFileSync(join(planted, `${digest(`0.0.0\0${TYPED}`)}.js`), `//${digest(code)}\n${code}`, { mode: 0o600 })
    }
    expect(await run()).toEqual(first)
    expect(loads()).toBe(2 * once)
  })

  test('a compiler that is a program, as TypeScript is since 7, will do', async () => {
    const cwd = join(folder, 'program')
    const compiler = join(cwd, 'node_modules/typescript')
    mkdirSync(join(compiler, 'lib'), { recursive: true })
    mkdirSync(join(compiler, 'bin'))
    writeFileSync(join(compiler, 'package.json'), '{"version":"7.0.0","type":"module","exports":"./lib/version.cjs"}')
    writeFileSync(join(compiler, 'lib/version.cjs'), "module.exports = { version: '7.0.0', versionMajorMinor: '7.0' }")
    writeFileSync(join(compiler, 'bin/tsc'), TSC_7)
    writeFileSync(join(cwd, 'typed.ts'), TYPED)
    writeFileSync(join(cwd, 'broken.ts'), 'export const adapter: = 1\n')
    const { exit, out, err } = await mcpaql(['call', 'typed.ts', 'get_thing', '-p', 'name=x', '--json'], { cwd })
    expect(json(out), err).toMatchObject({ error: { code: 'NOT_FOUND_RESOURCE' } })
    expect({ exit, err }).toEqual({ exit: 1, err: 'said by the module\n' })

    const broken = await mcpaql(['introspect', 'broken.ts'], { cwd })
    expect(broken.err).toContain('broken.ts could not be loaded: ')
    expect(broken.err).not.toContain('typescript-hooks')
    expect(broken.err).not.toContain('this is a bug')
  })

  test('a fault in TypeScript is explained', async () => {
    const { exit, err } = await mcpaql(['introspect', 'broken.ts'])
    expect(exit).toBe(2)
    expect(err).toContain('broken.ts could not be loaded: ')
    expect(err).not.toContain('this is a bug')
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

  test.skipIf(process.platform === 'win32')('ATTACK-11 SIGUSR1 opens no debugger', async () => {
    const { url, said, stop, child } = await serve(['demo'])
    child.kill('SIGUSR1')
    expect((await mcpaql(['call', url, 'list_labels', '--json'])).exit).toBe(0)
    expect((await stop('SIGTERM')).exit).toBe(0)
    expect(said.err).not.toContain('Debugger listening')
  })

  /** Its hooks send the signal at the moment at which a module of the program is loaded. */
  test.skipIf(process.platform === 'win32').each([
    ['the program', BIN, '/cli/main.js', ['--version']],
    ['the hook', join(dirname(BIN), 'hook/bin.js'), '/cli/hook/edge.js', []],
  ])('ATTACK-11 SIGUSR1 opens no debugger while %s is still being loaded', async (_, bin, module, args) => {
    const hooks = `export const load = async (url, context, next) => {
      if (!url.endsWith(${JSON.stringify(module)})) return next(url, context)
      process.kill(process.pid, 'SIGUSR1')
      await new Promise((resolve) => setTimeout(resolve, 300))
      process._rawDebug('loaded')
      return next(url, context)
    }`
    const dataUrl = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`
    const register = `import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hooks))})`
    const env = { NODE_OPTIONS: `--import=${dataUrl(register)}`, NODE_NO_WARNINGS: '1' }
    const { err } = await mcpaql(args, { bin, env })
    expect(err).toContain('loaded')
    expect(err).not.toContain('Debugger listening')
  })

  test.each([
    ['serve', ['serve', 'notes.mjs', '--no-console']],
    ['safety', ['safety', '--hook-port', '0', '--no-console']],
  ])('AUDIT-09 %s: an anchor that is a folder is named, and nothing is served', async (_, args) => {
    const env = { MCPAQL_AUDIT_ANCHOR: folder }
    const db = join(folder, `unanchored-${args[0]}.db`)
    const { exit, out, err } = await mcpaql([...args, '--http', '0', '--json', '--store', `sqlite:${db}`], { env })
    const log = statSync(`${db}-wal`, { throwIfNoEntry: false })
    expect([existsSync(db), log?.size ?? 0]).toEqual([true, 0]) // a store that was closed is its file alone
    expect({ exit, out, err }).toEqual({
      exit: 2,
      out: '',
      err: `mcpaql: 'audit_anchor' cannot be used: ${folder} is a folder, not a file\nName a file that this account may read and write, or leave the setting out\n`,
    })
  })

  test.each([
    ['serve', () => serve(['notes.mjs'], ANCHORED), 'create_note'],
    ['safety', () => serve(['--hook-port', '0'], ANCHORED, 'safety'), 'execute_agent'],
  ] as const)(
    'AUDIT-09 %s: the last anchor vouches for the last record of a server that ends',
    async (_, open, operation) => {
      const { url, stop } = await open()
      const input = JSON.stringify([{ operation, params: { text: 'three', element_name: 'bot' } }])
      await mcpaql(['call', url, '--batch', '-', '--json'], { input })
      expect((await stop('SIGTERM')).exit).toBe(0)
      const { exit, out } = await mcpaql(['audit', 'verify'], ANCHORED)
      expect([exit, out]).toEqual([0, expect.stringMatching(/^The audit trail is whole: \d+ records?,/)])
    },
  )

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

  test('MULTI-01 a collision of tool names stops', async () => {
    const { exit, err } = await mcpaql(['serve', 'notes.mjs', 'notes.mjs'])
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
    expect(exit).toBe(2)
    expect(err).toContain('is in use\nChoose another, or --http 0')
    const safety = await mcpaql(['safety', '--http', new URL(url).port, '--hook-port', 'off', '--no-console'])
    expect(safety).toMatchObject({ exit: 2, err: expect.stringContaining('is in use\nChoose another, or --http 0') })
    await stop('SIGINT')
  })

  test('MCP-07 an address that others can reach is refused', async () => {
    const { exit, err } = await mcpaql(['serve', 'notes.mjs', '--http', '0.0.0.0:0'])
    expect(exit).toBe(2)
    expect(err).not.toContain('this is a bug')
  })

  test('a wrong path is explained in two lines', async () => {
    const { url, stop } = await serve(['notes.mjs'])
    const { exit, err } = await mcpaql(['introspect', `${url}x`])
    expect(exit).toBe(1)
    expect(err.trimEnd().split('\n')).toEqual([
      expect.stringContaining(`No MCP server answers at ${url}x: `),
      'Is it running? The path is usually /mcp',
    ])
    await stop('SIGINT')
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

/** Milliseconds of processor time, the best of some runs: the machine may be busy with other things. */
async function cost(...args: readonly string[]): Promise<number> {
  const report = `data:text/javascript,${encodeURIComponent(
    "import{writeSync}from'node:fs';process.on('exit',()=>{const{user,system}=process.cpuUsage();writeSync(2,'cpu '+(user+system)/1000)})",
  )}`
  const runs: number[] = []
  for (let run = 0; run < 5; run++) {
    const child = spawn(process.execPath, ['--import', report, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
    const said = await text(child.stderr)
    runs.push(Number(/cpu ([\d.]+)/.exec(said)?.[1]))
  }
  return Math.min(...runs)
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

/** The real compiler; each time it is loaded a letter is added to a file. */
/** What the program of TypeScript 7 is asked, the one at hand answers; only the later one looks for a tsconfig.json. */
const TSC_7 = `process.argv = process.argv.filter((word) => word !== '--ignoreConfig')
await import(${JSON.stringify(pathToFileURL(createRequire(import.meta.url).resolve('typescript/lib/tsc.js')).href)})
`

const COUNTED = `require('node:fs').appendFileSync(require('node:path').join(__dirname, '../../../loads'), 'x')
module.exports = require(${JSON.stringify(createRequire(import.meta.url).resolve('typescript'))})
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
