import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { expect, test } from 'vitest'

const SRC = join(import.meta.dirname, '../src')

/** Who may import whom. A room may always import itself; a package is named as npm names it. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  protocol: [],
  core: ['protocol', 'node:crypto', 'node:buffer', 'node:events', 'ajv', 'ajv-formats', 're2js', 'stemmer'], // they only compute
  store: ['core', 'protocol', 'node:fs', 'node:path', 'node:crypto', 'libsql'],
  serve: [
    'core',
    'protocol',
    'config.ts',
    'node:http',
    'node:crypto',
    'node:fs',
    'node:net',
    'node:path',
    'node:stream',
    'node:buffer',
    '@modelcontextprotocol/server',
    '@modelcontextprotocol/node',
    'node:process',
  ],
  conformance: [
    'protocol',
    'node:child_process',
    'node:crypto',
    'node:http',
    'node:https',
    'node:buffer',
    'node:stream',
    'node:util',
    '@modelcontextprotocol/client',
  ], // no core: it judges from outside
  cli: ['*'],
  'config.ts': ['protocol'],
  'index.ts': ['core', 'protocol'],
}

/** Inside core: the pipeline and the runtime join the others; the rest meet in the registry. */
const CORE_MAY_IMPORT: Record<string, readonly string[]> = {
  ports: [],
  registry: ['query', 'ports', 'session.ts'],
  query: ['registry', 'ports'],
  introspection: ['registry', 'ports', 'call.ts', 'session.ts', 'runtime.ts'],
  gatekeeper: ['registry', 'ports', 'call.ts'],
  execution: ['registry', 'ports', 'session.ts'],
  pipeline: ['*'],
  'runtime.ts': ['*'],
  'call.ts': ['registry', 'query', 'session.ts', 'runtime.ts'],
  'session.ts': ['registry'],
  'sessions.ts': ['ports', 'session.ts'],
}

/** Static (also over several lines, which end in `} from`), side-effect and dynamic imports. */
const IMPORT = /(?:^(?:(?:import|export)\b[^'\n]*\bfrom |\} from |import )|\bimport\(\s*)'([^'\n]+)'/gm
const TYPE_ONLY = /\bimport type\b[^;]*?from\s*'([^']+)'/g

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(sep).join('/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))

const imports = files.flatMap((file) =>
  specifiers(file).map((specifier) => ({ file, from: area(file), to: target(file, specifier), specifier })),
)

test('imports were found at all', () => {
  expect(imports.length).toBeGreaterThan(200)
})

test('every import follows the table of rooms', () => {
  const wrong = imports.filter(({ from, to }) => {
    const allowed = MAY_IMPORT[from]
    return !(from === to || allowed?.includes('*') || allowed?.includes(to))
  })
  expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([])
})

test('every import inside core follows the table of its folders', () => {
  const wrong = imports.filter(({ file, from, to, specifier }) => {
    if (from !== 'core' || to !== 'core') return false
    const here = file.split('/')[1] ?? ''
    const there = relative(SRC, join(SRC, dirname(file), specifier)).split(sep)[1] ?? ''
    const allowed = CORE_MAY_IMPORT[here]
    return !(here === there || allowed?.includes('*') || allowed?.includes(there))
  })
  expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([])
})

test('there are no import cycles at run time', () => {
  expect(findCycles()).toEqual([])
})

test('there is one index.ts, no folder named for what it is not, and no default export', () => {
  expect(files.filter((file) => /(^|\/)index\.ts$/.test(file))).toEqual(['index.ts'])
  expect(files.filter((file) => /(^|\/)(utils?|helpers?|common|shared|lib|services?|types)\//.test(file))).toEqual([])
  expect(files.filter((file) => /^export default/m.test(read(file)))).toEqual([])
})

test('the clock, chance, the console and the process belong to the edge', () => {
  const edge = /\b(?:Date\.now\(|Math\.random\(|console\.|process\.)/
  const wrong = files.filter((file) => /^(protocol|core|store|serve|conformance)\//.test(file) && edge.test(code(file)))
  expect(wrong).toEqual([])
})

function read(file: string): string {
  return readFileSync(join(SRC, file), 'utf8')
}

/** Without comments and strings: a word in a message is no use of the thing. */
function code(file: string): string {
  return read(file)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/'[^'\n]*'|`[^`]*`/g, "''")
}

function specifiers(file: string): string[] {
  return [...read(file).matchAll(IMPORT)].map(([, specifier = '']) => specifier)
}

function target(file: string, specifier: string): string {
  if (specifier.startsWith('.'))
    return area(
      relative(SRC, join(SRC, dirname(file), specifier))
        .split(sep)
        .join('/'),
    )
  if (specifier.startsWith('node:')) return specifier.split('/')[0] ?? specifier
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function area(path: string): string {
  return path.split('/')[0] ?? path
}

function findCycles(): string[] {
  const graph = new Map(
    files.map((file) => {
      const typeOnly = new Set([...read(file).matchAll(TYPE_ONLY)].map(([, specifier = '']) => specifier))
      const inner = specifiers(file).filter((each) => each.startsWith('.') && !typeOnly.has(each))
      return [
        file,
        inner.map((each) =>
          relative(SRC, join(SRC, dirname(file), each))
            .split(sep)
            .join('/'),
        ),
      ] as const
    }),
  )
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file) || path.includes(file)) return
    for (const next of graph.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  return cycles
}
