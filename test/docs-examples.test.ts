import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { load } from 'js-yaml'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTracker } from '../examples/tracker/adapter.ts'
import { loadConfig } from '../src/config.ts'
import { readPolicies } from '../src/core/gatekeeper/read-policies.ts'
import { createRuntime, type Runtime } from '../src/core/runtime.ts'
import type { Session } from '../src/core/session.ts'
import { createMemoryStore } from '../src/store/memory.ts'
import {
  type Block,
  type Command,
  difference,
  filledIn,
  kindOf,
  readAnchors,
  readBlocks,
  readCommands,
  readPages,
  sayTheSame,
} from './docs-blocks.ts'
import { atTerminal, HAS_SCRIPT, type Step } from './e2e/terminal.ts'
import { checkAnswer } from './schemas.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const BIN = join(ROOT, 'dist/src/cli/bin.js')
const NOW = Date.parse('2026-11-16T10:00:00Z')
const PORT = '7420'
/** Of the pages; they may be in use here, so others stand for them. */
const PORTS = [PORT, '7422']

const PAGES = readPages(ROOT).map((name) => ({ name, blocks: readBlocks(ROOT, name) }))
const BLOCKS = PAGES.flatMap(({ blocks }) => blocks)
const folder = mkdtempSync(join(tmpdir(), 'mcpaql-docs-'))
const started: ChildProcess[] = []
let free: readonly string[] = PORTS
/** No page needs to know it. */
let consolePort = ''
let faults: ReadonlyMap<string, readonly string[]> = new Map()

beforeAll(async () => {
  expect(existsSync(BIN), 'dist is missing: run npm run build first (npm test does it)').toBe(true)
  free = await Promise.all(PORTS.map(() => freePort()))
  consolePort = await freePort()
  mkdirSync(join(folder, 'bin'))
  for (const name of ['mcpaql', 'mcpaql-conformance']) {
    symlinkSync(BIN, join(folder, name))
    const script = `#!/bin/sh\nexec '${process.execPath}' '${join(folder, name)}' "$@"\n`
    writeFileSync(join(folder, 'bin', name), script, { mode: 0o755 })
  }
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(ROOT, join(folder, 'node_modules/mcpaql'))
  for (const name of ['@modelcontextprotocol', 'libsql'])
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  for (const block of BLOCKS.filter((each) => kindOf(each) === 'module')) {
    mkdirSync(folderOf(block), { recursive: true })
    writeFileSync(pathOf(block), asRun(block.text))
  }
  faults = typeFaults(BLOCKS.filter(({ language }) => language === 'ts').map(pathOf))
})

afterAll(() => {
  for (const child of started) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

test('there is something to execute, and no block escapes', () => {
  const unknown = BLOCKS.filter((block) => kindOf(block) === undefined)
  expect(unknown.map(({ page, line, language, marker }) => `${page}:${line} ${language} ${marker}`)).toEqual([])
  expect(BLOCKS.length).toBeGreaterThan(90)
})

test('every request has its answer below it', () => {
  for (const { blocks } of PAGES) {
    const asked = blocks.map(kindOf)
    for (const [index, kind] of asked.entries()) {
      const neighbour = kind === 'request' ? asked[index + 1] : kind === 'answer' ? asked[index - 1] : undefined
      const wanted = kind === 'request' ? 'answer' : kind === 'answer' ? 'request' : undefined
      expect(neighbour, `${blocks[index]?.page}:${blocks[index]?.line}`).toBe(wanted)
    }
  }
})

test('links between the pages lead somewhere', () => {
  for (const { name } of PAGES) {
    const text = readFileSync(join(ROOT, name), 'utf8')
    for (const [, target = '', anchor] of text.matchAll(/\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)/g)) {
      const page = target === '' ? name : join(name, '..', target)
      expect(existsSync(join(ROOT, page)), `${name} → ${target}`).toBe(true)
      if (anchor) expect([...readAnchors(ROOT, page)], `${name} → ${target}`).toContain(anchor)
    }
  }
})

test.each([
  ['text', ''],
  ['', ''],
  ['json', ''],
  ['json', 'response'],
  ['sh', 'later'],
  ['ts', 'no run'],
  ['yaml', '../escape.yaml'],
])('a block %s %s is executed by nobody, and found', (language, marker) => {
  expect(kindOf({ page: 'x', line: 1, language, marker, text: '' })).toBeUndefined()
})

test.each([
  [{ a: 1 }, { a: 1 }, true],
  [{ a: 1 }, { a: 2 }, false],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1, '…': '…' }, { a: 1, b: 2 }, true],
  [{ a: '…' }, {}, false],
  [['…'], [], true],
  [[1, '…'], [1, 2, 3], true],
  [[1, '…'], [2], false],
  [[1], [1, 2], false],
  ['a…z', 'abcz', true],
  ['a.c', 'abc', false],
  [null, undefined, false],
])('%j says %j: %s', (said, actual, isSame) => {
  expect(difference(said, actual, new Map()) === undefined).toBe(isSame)
})

test.each([
  [['a', '…', 'd'], 'a\nb\nc\nd\n', true],
  [['a', 'd'], 'a\nb\nd\n', false],
  [['a…d'], 'abcd', true],
  [['a'], 'a\nb', false],
  [['…'], '', true],
])('lines %j say %j: %s', (expected, actual, isSame) => {
  expect(sayTheSame(expected, actual)).toBe(isSame)
})

describe.each(PAGES.filter(({ blocks }) => blocks.length > 0))('$name', ({ blocks }) => {
  const isTyped = blocks.some(({ marker }) => marker === 'operator')
  if (isTyped && !HAS_SCRIPT) return test.skip('SKIPPED: no util-linux `script` here, so nothing can be typed')
  const seen = new Map<string, unknown>()
  let demo: Demo | undefined
  let answer: unknown
  let again: (() => Promise<unknown>) | undefined

  const asked = async (block: Block): Promise<unknown> => {
    demo ??= await openDemo()
    return demo.ask(filledIn(JSON.parse(block.text), seen), block.marker.split(' ')[2])
  }

  test.each(blocks.map((block) => [block.line, `${block.language} ${block.marker}`.trim(), block] as const))(
    'line %i: %s',
    async (_, __, block) => {
      mkdirSync(folderOf(block), { recursive: true })
      const kind = kindOf(block)
      if (kind === 'sh') await runShell(block)
      if (kind === 'module' && !isStarted(block, blocks)) await runModule(block)
      if (kind === 'file') writeFileSync(pathOf(block), JSON.stringify(JSON.parse(block.text)))
      if (kind === 'config') checkConfig(block)
      if (kind === 'client') await checkClient(JSON.parse(block.text))
      if (kind === 'tools') {
        demo ??= await openDemo()
        expect(difference(JSON.parse(block.text), demo.tools(block.marker), seen)).toBeUndefined()
      }
      if (kind === 'request') {
        again = () => asked(block)
        answer = await again()
      }
      if (kind !== 'answer') return
      const said = JSON.parse(block.text)
      // An execution takes its time.
      for (let tries = 0; tries < 100 && difference(said, answer, seen) !== undefined; tries++) {
        if (!JSON.stringify(answer).includes('"execution_id"')) break
        await new Promise((wake) => setTimeout(wake, 20))
        answer = await again?.()
      }
      expect(difference(said, answer, seen), JSON.stringify(answer)).toBeUndefined()
    },
  )

  afterAll(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL') // the next page uses the same ports
    return demo?.close()
  })
})

interface Demo {
  ask(request: unknown, tool: string | undefined): Promise<unknown>
  tools(marker: string): unknown
  close(): Promise<void>
}

/** A fresh tracker behind one tool, and the same tracker behind five for requests that name theirs. */
async function openDemo(): Promise<Demo> {
  const { adapter } = openTracker(':memory:')
  const open = (mode: 'single' | 'semantic') =>
    createRuntime(adapter, { store: createMemoryStore(), clock: { now: () => NOW }, mode })
  const [single, semantic] = await Promise.all([open('single'), open('semantic')])
  const sessions = new Map<Runtime, Session>([single, semantic].map((each) => [each, each.openSession('reader')]))
  return {
    async ask(request, tool) {
      const runtime = tool === undefined ? single : semantic
      const session = sessions.get(runtime) as Session
      const { text } = await runtime.call({ tool: tool ?? 'tracker_mcpaql', arguments: request, session })
      expect(checkAnswer(JSON.parse(text)), text).toEqual([])
      return JSON.parse(text)
    },
    tools: (marker) => (marker.endsWith('single') ? single : semantic).tools,
    async close() {
      await single.close()
      await semantic.close()
    },
  }
}

function checkConfig(block: Block): void {
  writeFileSync(pathOf(block), block.text)
  const values = (load(block.text) ?? {}) as Readonly<Record<string, unknown>>
  if (block.marker.startsWith('policies')) expect(readPolicies(values)).toEqual(values.policies)
  else expect(loadConfig([{ values, where: (name) => name }]).faults).toEqual([])
}

/** What a client is told to start does start, and answers. */
async function checkClient({ mcpServers }: { readonly mcpServers: Readonly<Record<string, Entry>> }): Promise<void> {
  for (const { type, url, command, args = [] } of Object.values(mcpServers)) {
    if (command === undefined) {
      expect({ type, url }).toEqual({ type: 'http', url: `http://127.0.0.1:${PORT}/mcp` })
      continue
    }
    expect([command, args[0]]).toEqual(['npx', 'mcpaql'])
    const child = launch(['mcpaql', ...args.slice(1)], folder)
    child.stdin?.end(`${JSON.stringify(INITIALIZE)}\n`)
    const { said } = await finished(child)
    expect(said).toContain('"protocolVersion":"2025-11-25"')
  }
}

interface Entry {
  readonly type?: string
  readonly url?: string
  readonly command?: string
  readonly args?: readonly string[]
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'reader', version: '1' } },
}

/** Compiled beside its source and run by Node itself. Lines `// → …` say what it prints. */
async function runModule(block: Block): Promise<void> {
  const path = pathOf(block)
  expect(faults.get(path) ?? []).toEqual([])
  const { outputText } = ts.transpileModule(asRun(block.text), {
    compilerOptions: { ...COMPILER, module: ts.ModuleKind.ESNext },
  })
  const script = path.replace(/\.ts$/, '.js')
  writeFileSync(script, outputText)
  const child = launch([process.execPath, script], folderOf(block))
  child.stdin?.end()
  const { said, exit } = await finished(child)
  expect(exit, said).toBe(0)
  const expected = [...block.text.matchAll(/^\s*\/\/ → (.*)$/gm)].map(([, line = '']) => line)
  if (expected.length > 0 && !sayTheSame(expected, said)) expect(said).toBe(expected.join('\n'))
}

const COMPILER: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2023.d.ts'],
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules/@types')],
  strict: true,
  noUnusedLocals: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  rewriteRelativeImportExtensions: true,
  skipLibCheck: true,
  noEmit: true,
  paths: {
    mcpaql: [join(ROOT, 'src/index.ts')],
    'mcpaql/store': [join(ROOT, 'src/store/entry.ts')],
    'mcpaql/serve': [join(ROOT, 'src/serve/entry.ts')],
  },
}

function typeFaults(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const program = ts.createProgram([...files], COMPILER)
  return new Map(
    files.map((file) => {
      const source = program.getSourceFile(file)
      const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
      const shown = found.map(({ messageText, start = 0 }) => {
        const line = source?.getLineAndCharacterOfPosition(start).line ?? 0
        return `line ${line + 1}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
      })
      return [file, shown] as const
    }),
  )
}

/** What an agent says, and what a human types, comes between the commands of the page. */
async function runShell(block: Block): Promise<void> {
  if (block.marker === 'agent') await runAgent(block)
  else if (block.marker === 'operator') await runOperator(block)
  else await runCommands(block)
}

/** A module that a command of the page starts is run by that command. */
function isStarted({ marker }: Block, blocks: readonly Block[]): boolean {
  return marker !== '' && blocks.some(({ language, text }) => language === 'sh' && text.includes(`$ node ${marker}\n`))
}

const agents = new Map<string, { readonly child: ChildProcess; read: number }>()

/** The command runs on while the page does; a block without a command is what it says next. */
async function runAgent(block: Block): Promise<void> {
  const [begun] = block.text.startsWith('$ ') ? readCommands(block) : []
  if (begun)
    agents.set(block.page, { child: launch(['/bin/sh', '-c', `exec ${begun.command}`], folderOf(block)), read: 0 })
  const agent = agents.get(block.page)
  if (!agent) throw new Error(`${block.page}:${block.line} no agent runs`)
  const expected = begun?.expected ?? block.text.split('\n')
  const said = () => asWritten((outputs.get(agent.child) ?? '').slice(agent.read))
  for (let tries = 0; tries < 400 && !sayTheSame(expected, said()); tries++)
    await new Promise((wake) => setTimeout(wake, 50))
  if (!sayTheSame(expected, said())) expect(said()).toBe(expected.join('\n'))
  agent.read = (outputs.get(agent.child) ?? '').length
}

/** At a terminal of their own, where the secret is typed. */
async function runOperator(block: Block): Promise<void> {
  for (const { command, expected } of readCommands(block)) {
    const meant = command.replace(/\bID$/, await waitingId(block))
    const steps = TYPED.filter(({ when }) => when.test(command)).flatMap((each) => each.steps)
    const env = { ...environmentOf(folderOf(block)), TERM: 'dumb' }
    const { exit, shown } = await atTerminal(
      `stty rows 100 cols 120 && cd '${folderOf(block)}' && ${meant}`,
      steps,
      env,
    )
    const said = shown.replaceAll('\r', '')
    expect(exit, `${block.page}:${block.line} $ ${command}\n${said}`).toBe(0)
    if (!sayTheSame(expected, said)) expect(said).toBe(expected.join('\n'))
  }
}

const SECRET = 'correct horse battery\r'

const TYPED: readonly { readonly when: RegExp; readonly steps: readonly Step[] }[] = [
  {
    when: /^mcpaql secret set/,
    steps: [
      ['characters or more: ', SECRET],
      ['same again: ', SECRET],
    ],
  },
  { when: /^mcpaql (?:approve|deny|approvals ID)/, steps: [['Operator secret: ', SECRET]] },
  { when: /^mcpaql approve/, steps: [['Type approve', 'approve\r']] },
]

async function waitingId(block: Block): Promise<string> {
  const child = launch(['mcpaql', 'approvals', '--json'], folderOf(block))
  child.stdin?.end()
  const { said } = await finished(child)
  return JSON.parse(said).requests[0]?.id ?? 'ID'
}

/** One process for each command; a server runs on until the end. */
async function runCommands(block: Block): Promise<void> {
  const commands = readCommands(block)
  let exit: number | null = 0
  for (const [index, { command, expected }] of commands.entries()) {
    const where = `${block.page}:${block.line} $ ${command}`
    if (command === 'echo $?') {
      expect(`${exit}`, where).toBe(expected.join('\n'))
      continue
    }
    if (isElsewhere(command)) continue
    expect(command, where).toMatch(/^(?:npx )?mcpaql(?:-conformance)? |^cat |^node [\w-]+\.js$|^kill -9 PID$/)
    const isAwaited = commands[index + 1]?.command === 'echo $?'
    const isServer = /^mcpaql (?:serve|safety)\b/.test(command) && !isAwaited
    const server = String(servers.get(block.page)?.pid)
    const meant = asRun(command.replace(/^npx /, '')).replace(/\bPID$/, server)
    const child = launch(['/bin/sh', '-c', isServer ? `exec ${meant}` : meant], folderOf(block))
    if (isServer) servers.set(block.page, child)
    if (isServer) await untilSaid(child, expected)
    else child.stdin?.end()
    const isUp = isServer && child.exitCode === null
    const ended = isUp ? { exit: 0, said: outputs.get(child) ?? '' } : await finished(child)
    exit = ended.exit
    expect(exit === 0 || isAwaited, `${where}\n${ended.said}`).toBe(true)
    const said = asWritten(ended.said)
    if (expected.length > 0 && !sayTheSame(expected, said)) expect(said, where).toBe(expected.join('\n'))
  }
}

const servers = new Map<string, ChildProcess>()

/** What works on a clone or a registry is checked, not run. */
function isElsewhere(command: string): boolean {
  const [program, verb = '', name = '', ...more] = command.split(' ')
  if (program === 'git') {
    expect(verb).toBe('clone')
    return true
  }
  if (program === 'cd') return true
  if (program !== 'npm') return false
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const { peerDependencies, dependencies } = manifest
  const packages = [manifest.name, ...Object.keys(peerDependencies), ...Object.keys(dependencies)]
  if (verb === 'install') expect(packages).toEqual(expect.arrayContaining([name, ...more]))
  else expect(Object.keys(manifest.scripts)).toContain(verb === 'run' ? name : verb)
  return true
}

const outputs = new Map<ChildProcess, string>()

function environmentOf(cwd: string) {
  return {
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    HOME: cwd,
    XDG_STATE_HOME: join(cwd, 'state'),
    MCPAQL_CONSOLE_PORT: consolePort,
  }
}

function launch([program = '', ...args]: readonly string[], cwd: string): ChildProcess {
  const path = program === 'mcpaql' ? join(folder, 'bin/mcpaql') : program
  const child = spawn(path, args, { cwd, env: environmentOf(cwd) })
  started.push(child)
  outputs.set(child, '')
  const listen = (text: string) => outputs.set(child, outputs.get(child) + text)
  child.stdout.setEncoding('utf8').on('data', listen)
  child.stderr.setEncoding('utf8').on('data', listen)
  return child
}

async function finished(child: ChildProcess): Promise<{ readonly exit: number | null; readonly said: string }> {
  if (child.exitCode === null) await new Promise((resolve) => child.on('close', resolve))
  return { exit: child.exitCode, said: outputs.get(child) ?? '' }
}

async function untilSaid(child: ChildProcess, expected: Command['expected']): Promise<void> {
  for (let tries = 0; tries < 200 && child.exitCode === null; tries++) {
    if (sayTheSame(expected, asWritten(outputs.get(child) ?? ''))) return
    await new Promise((wake) => setTimeout(wake, 50))
  }
}

/** Below the ports that systems give to outgoing connections, which would take it before its server starts. */
async function freePort(): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(10_000, 30_000)
    if ((await isFree(port, '127.0.0.1')) && (await isFree(port, '::1'))) return String(port)
  }
  throw new Error('There is no free port between 10,000 and 30,000')
}

/** A computer without IPv6 has nobody on ::1. */
function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      .once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'EADDRINUSE'))
      .listen(port, host, () => server.close(() => resolve(true)))
  })
}

function folderOf({ page }: Block): string {
  return join(folder, page.replace(/\W+/g, '-'))
}

function asRun(text: string): string {
  return PORTS.reduce((given, port, at) => given.replaceAll(port, free[at] ?? port), text)
}

function asWritten(text: string): string {
  return PORTS.reduce((given, port, at) => given.replaceAll(free[at] ?? port, port), text)
}

function pathOf({ page, line, language, marker, text }: Block): string {
  return join(folderOf({ page, line, language, marker, text }), marker === '' ? `line-${line}.${language}` : marker)
}
