import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PACKAGE } from './e2e/bin.ts'
import { apparentBytes, type Lock, runtimeClosure } from './runtime-closure.ts'

/**
 * What a user gets. Every day the packed package is unpacked beside links to its run-time dependencies and to nothing
 * else; `npm run test:package` (mode `registry`) installs it as a user would, which takes the network and a minute.
 */
const IS_REAL_INSTALL = process.env.MODE === 'registry'

const ROOT = join(import.meta.dirname, '..')
const MODULES = join(ROOT, 'node_modules')
const folder = mkdtempSync(join(tmpdir(), 'mcpaql-package-'))
const project = join(folder, 'project')
const run = promisify(execFile)

interface Packed {
  readonly filename: string
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string; readonly mode: number }[]
}

let packed: Packed
let tarball: string

beforeAll(async () => {
  expect(existsSync(join(PACKAGE, 'dist')), 'dist is missing: run npm run build first (npm test does it)').toBe(true)
  // No scripts: a second build would pull dist away from under the other tests.
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const { stdout } = await run('npm', args, { cwd: PACKAGE, shell: process.platform === 'win32' })
  packed = (JSON.parse(stdout) as readonly [Packed])[0]
  tarball = join(folder, packed.filename)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
const manifest: {
  readonly version: string
  readonly bin: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
} = read(join(ROOT, 'package.json'))
const lock: Lock = read(join(ROOT, 'package-lock.json'))
const closure = runtimeClosure(lock)

describe('the packed files', () => {
  test('are what a user needs and nothing else', () => {
    const paths = packed.files.map(({ path }) => path)
    const kinds = [
      /^(?:ARCHITECTURE\.md|README\.md|CHANGELOG\.md|LICENSE|package\.json)$/,
      /^docs\/(?:adr\/\d{4}-)?[\w-]+\.md$/,
      /^bench\/results\/\w+\.txt$/,
      /^schemas\/[\w-]+\.schema\.json$/,
      /^dist\/src\/(?:[\w-]+\/)*[\w-]+\.js$/,
      /^dist\/src\/serve\/console\/web\/(?:css\/)?[\w-]+\.(?:html|css|svg)$/,
      /^dist\/examples\/tracker\/(?:[\w-]+\/)*[\w-]+\.js$/,
      /^dist\/src\/(?:index|config|(?:core|protocol|serve|store)\/(?:[\w-]+\/)*[\w-]+)\.d\.ts$/,
    ]
    expect(paths.filter((path) => !kinds.some((kind) => kind.test(path)))).toEqual([])
    for (const kind of kinds)
      expect(
        paths.some((path) => kind.test(path)),
        String(kind),
      ).toBe(true)
    for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE', 'package.json']) expect(paths).toContain(name)
    expect(paths.filter((path) => /test|bench\/(?!results)|fixture|mutant|\.map$/.test(path))).toEqual([])
  })

  test('hold everything that their pages link to', () => {
    const paths = packed.files.map(({ path }) => path)
    const links = paths
      .filter((path) => path.endsWith('.md'))
      .flatMap((page) =>
        [...readFileSync(join(PACKAGE, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, to = '']) => ({
          page,
          to: posix.join(dirname(page), to),
        })),
      )
    expect(links.length).toBeGreaterThan(40)
    expect(links.filter(({ to }) => !paths.some((path) => path === to || path.startsWith(`${to}/`)))).toEqual([])
  })

  test('weigh little', () => {
    expect(packed.size).toBeLessThan(1_400_000)
    expect(packed.unpackedSize).toBeLessThan(4_300_000)
  })

  test('have a program for each bin, executable and with a shebang', () => {
    for (const path of new Set(Object.values(manifest.bin))) {
      expect(packed.files.find((file) => file.path === path)).toMatchObject({ mode: 0o755 })
      expect(readFileSync(join(PACKAGE, path), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
    }
    expect(Object.keys(manifest.bin)).toEqual(['mcpaql', 'mcpaql-conformance', 'mcpaql-safety-dongle'])
  })

  test('have every target of the exports', () => {
    const targets = Object.values(manifest.exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    )
    expect(targets.length).toBeGreaterThan(6)
    for (const target of targets) {
      const pattern = new RegExp(`^${target.replace('./', '').replaceAll('.', '\\.').replace('*', '.+')}$`)
      expect(
        packed.files.some(({ path }) => pattern.test(path)),
        target,
      ).toBe(true)
    }
  })

  test('pass publint', async () => {
    const { stdout } = await run(process.execPath, [join(MODULES, 'publint/src/cli.js'), tarball, '--strict'])
    expect(stdout).toContain('All good!')
  })

  test('pass attw for ES modules', async () => {
    const attw = join(MODULES, '@arethetypeswrong/cli/dist/index.js')
    const { stdout } = await run(process.execPath, [attw, tarball, '--profile', 'esm-only', '--format', 'json'])
    const { problems, entrypoints } = JSON.parse(stdout).analysis as {
      readonly problems: readonly { readonly kind: string; readonly resolutionKind?: string }[]
      readonly entrypoints: object
    }
    expect(Object.keys(entrypoints)).toEqual(expect.arrayContaining(['.', './store', './serve']))
    // Without `exports` (node10) and by `require` (node16-cjs) the package is not offered.
    expect(problems.filter(({ resolutionKind = '' }) => !['node10', 'node16-cjs'].includes(resolutionKind))).toEqual([])
  })
})

describe('what is installed with it', () => {
  test('is fewer than 45 packages and less than 53 MB', () => {
    expect(closure.length).toBeGreaterThan(8)
    expect(closure.length).toBeLessThan(45)
    const bytes = closure.reduce((sum, { path }) => sum + apparentBytes(join(ROOT, path)), packed.unpackedSize)
    expect(bytes).toBeGreaterThan(10_000_000)
    expect(bytes).toBeLessThan(53_000_000)
  })

  test('runs nothing when it is installed', () => {
    expect(closure.filter(({ entry }) => entry.hasInstallScript).map(({ path }) => path)).toEqual([])
    const scripts = closure.flatMap(({ path }) => {
      const { scripts = {} } = read(join(ROOT, path, 'package.json')) as { readonly scripts?: object }
      const atInstall = ['preinstall', 'install', 'postinstall'].filter((name) => Object.hasOwn(scripts, name))
      return [...atInstall, ...(existsSync(join(ROOT, path, 'binding.gyp')) ? ['binding.gyp'] : [])]
    })
    expect(scripts).toEqual([])
  })

  test('is licensed permissively', () => {
    const PERMISSIVE = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'PSF-2.0']
    const others = closure.filter(({ path, entry }) => {
      const { license } = read(join(ROOT, path, 'package.json')) as { readonly license?: string }
      return license !== entry.license || !PERMISSIVE.includes(entry.license ?? '')
    })
    expect(others.map(({ path, entry }) => `${path}: ${entry.license}`)).toEqual([])
  })

  test('is consistent', async () => {
    const args = ['ls', '--omit=dev', '--all', '--package-lock-only', '--json']
    const { stdout } = await run('npm', args, { cwd: ROOT, shell: process.platform === 'win32' })
    expect(JSON.parse(stdout)).not.toHaveProperty('problems')
  })

  test('is pinned exactly', () => {
    const { dependencies } = read(join(ROOT, 'package.json')) as { readonly dependencies: Record<string, string> }
    expect(Object.entries(dependencies).filter(([, range]) => !/^\d+\.\d+\.\d+$/.test(range))).toEqual([])
  })
})

describe('installed in an empty project', () => {
  const bin = (name: string) => join(project, 'node_modules/.bin', name)
  const mcpaql = (...args: readonly string[]) =>
    run(bin('mcpaql'), [...args], { cwd: project, env: { ...process.env, XDG_STATE_HOME: join(folder, 'state') } })

  beforeAll(async () => {
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), '{ "name": "someone", "private": true, "type": "module" }\n')
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(project, name), text)
    await (IS_REAL_INSTALL ? installFromRegistry() : unpackBesideLinks())
  }, 300_000)

  test('the programs run', async () => {
    expect((await mcpaql('--version')).stdout).toBe(`${manifest.version}\n`)
    expect((await run(bin('mcpaql-conformance'), ['version'])).stdout).toContain('1.0.0-draft')
    const { stdout } = await mcpaql('call', 'demo', 'list_issues', '{"first":1}', '--store', 'memory:', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ success: true, data: { items: [{ id: 'iss_60' }] } })
    const { stdout: tokens } = await mcpaql('measure', 'demo', '--store', 'memory:', '--json')
    expect(JSON.parse(tokens)).toBeTypeOf('object')
  })

  test('a module of the user becomes a server', async () => {
    const { stdout } = await mcpaql('call', 'adapter.mjs', 'get_greeting', '--param', 'name=Ada', '--json')
    expect(JSON.parse(stdout)).toEqual({ success: true, data: { text: 'Hello Ada' } })
  })

  test('the public API can be imported, and nothing else', async () => {
    const { stdout } = await run(process.execPath, ['use.mjs'], { cwd: project })
    expect(JSON.parse(stdout)).toEqual({
      answer: { success: true, data: { text: 'Hello Ada' } },
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/),
      schema: 'https://json-schema.org/draft/2020-12/schema',
      inside: 'ERR_PACKAGE_PATH_NOT_EXPORTED',
    })
  })

  test('its types hold under the strictest settings, library files included', async () => {
    const tsc = join(MODULES, 'typescript/bin/tsc')
    const { stdout } = await run(process.execPath, [tsc, '-p', 'tsconfig.json'], { cwd: project }).catch(
      (error: { readonly stdout: string }) => error,
    )
    expect(stdout).toBe('')
  }, 120_000)

  // The last: npm takes away what was linked beside its own.
  if (IS_REAL_INSTALL) {
    test('a module in TypeScript becomes one with the compiler that npm installs today', async () => {
      await run('npm', ['install', '--no-audit', '--no-fund', '--save-dev', 'typescript'], {
        cwd: project,
        shell: process.platform === 'win32',
      })
      const typed = FILES['adapter.mjs']?.replace("'Hello ' + name", "('Hello ' + name) as string") ?? ''
      writeFileSync(join(project, 'adapter.ts'), typed)
      const { stdout } = await mcpaql('call', 'adapter.ts', 'get_greeting', '--param', 'name=Ada', '--json')
      expect(JSON.parse(stdout)).toEqual({ success: true, data: { text: 'Hello Ada' } })
    })
  }
})

/** What the compiler must know of Node is the user's to install. */
const TYPES_OF_NODE = ['@types/node', 'undici-types']

/** The unpacked package, with links to its run-time dependencies alone: what it does not declare it does not find. */
async function unpackBesideLinks(): Promise<void> {
  const modules = join(project, 'node_modules')
  const home = join(modules, 'mcpaql')
  mkdirSync(home, { recursive: true })
  await run('tar', ['-xzf', tarball, '-C', home, '--strip-components=1'])
  const wanted = closure
    .map(({ path }) => path.replace('node_modules/', ''))
    .filter((path) => !path.includes('node_modules/'))
  for (const name of [...wanted, ...TYPES_OF_NODE]) link(join(MODULES, name), join(modules, name))
  for (const [name, path] of Object.entries(manifest.bin)) link(join(home, path), join(modules, '.bin', name))
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}

/** As a user does it. */
async function installFromRegistry(): Promise<void> {
  const began = performance.now()
  const install = (...what: readonly string[]) =>
    run('npm', ['install', '--no-audit', '--no-fund', ...what], { cwd: project, shell: process.platform === 'win32' })
  await install('--omit=dev', tarball)
  const modules = join(project, 'node_modules')
  const packages = Object.keys((read(join(modules, '.package-lock.json')) as Lock).packages).length
  const megabytes = (apparentBytes(modules, true) / 1e6).toFixed(1)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  process.stdout.write(`${packages} packages, ${megabytes} MB, installed in ${seconds} s\n`)
  for (const name of TYPES_OF_NODE) link(join(MODULES, name), join(modules, name))
}

const FILES: Readonly<Record<string, string>> = {
  'adapter.mjs': `import { defineAdapter, defineOperation } from 'mcpaql'

export const adapter = defineAdapter({
  name: 'hello',
  description: 'Greetings.',
  operations: [
    defineOperation({
      name: 'get_greeting',
      category: 'READ',
      description: 'Greet someone by name.',
      params: { name: { type: 'string', required: true } },
      handler: ({ name }) => ({ text: 'Hello ' + name }),
    }),
  ],
})
`,
  'use.mjs': `import { readFileSync } from 'node:fs'
import { createRuntime } from 'mcpaql'
import { serveHttp } from 'mcpaql/serve'
import { createMemoryStore } from 'mcpaql/store'
import { adapter } from './adapter.mjs'

const runtime = await createRuntime(adapter, { store: createMemoryStore(), clock: { now: Date.now }, mode: 'single' })
const session = runtime.openSession('me')
const request = { operation: 'get_greeting', params: { name: 'Ada' } }
const { result } = await runtime.call({ tool: runtime.tools[0].name, arguments: request, session })
const server = await serveHttp([runtime], { version: '1.0.0' })
await server.close()
await runtime.close()
const file = new URL(import.meta.resolve('mcpaql/schemas/operation-input.schema.json'))
const inside = await import('mcpaql/dist/src/core/runtime.js').catch(({ code }) => code)
const schema = JSON.parse(readFileSync(file, 'utf8')).$schema
console.log(JSON.stringify({ answer: result, url: server.url, schema, inside }))
`,
  'use.ts': `import { type Answer, createRuntime, defineAdapter, defineOperation, fail, isFailure, type Runtime, type Store } from 'mcpaql'
import { type HttpServer, serveHttp } from 'mcpaql/serve'
import { openStore } from 'mcpaql/store'

const adapter = defineAdapter({
  name: 'hello',
  description: 'Greetings.',
  operations: [
    defineOperation({
      name: 'get_greeting',
      category: 'READ',
      description: 'Greet someone by name.',
      params: {
        name: { type: 'string', required: true },
        times: { type: 'integer', default: 1 },
        tone: { type: 'string', enum: ['warm', 'cool'] },
      },
      handler: ({ name, times, tone }) => {
        name satisfies string
        times satisfies number
        tone satisfies 'warm' | 'cool' | undefined
        // @ts-expect-error it may be missing
        tone satisfies string
        return name === '' ? fail('NOT_FOUND_RESOURCE', { resource_type: 'person', resource_id: name }) : { name }
      },
    }),
  ],
})

const store: Store = await openStore('memory:', { stateFolder: '.' })
const runtime: Runtime = await createRuntime(adapter, { store, clock: { now: Date.now } })
const { result }: Answer = await runtime.call({ tool: 'x', arguments: {}, session: runtime.openSession('me') })
if (isFailure(result)) result.error.code satisfies string
const server: HttpServer = await serveHttp([runtime], { version: '1' })
server.url satisfies string
// @ts-expect-error there is no such category
defineOperation({ name: 'get_x', category: 'LOOK', description: 'x', handler: () => 1 })
`,
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'es2022',
      lib: ['es2023'],
      module: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      skipLibCheck: false,
      types: ['node'],
      noEmit: true,
    },
    files: ['use.ts'],
  }),
}
