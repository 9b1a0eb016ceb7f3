import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { handlerUses } from './handler-calls.ts'

const SRC = join(import.meta.dirname, '../src')

/** Who may import whom. A room may always import itself; a package is named as npm names it. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  protocol: [],
  core: [
    'protocol',
    'node:crypto',
    'node:buffer',
    'node:events',
    'node:util',
    'ajv',
    'ajv-formats',
    're2js',
    'stemmer',
    'unbash',
  ], // they only compute
  store: ['core', 'protocol', 'node:fs', 'node:path', 'node:crypto', 'node:process', 'libsql'], // the process: which openers still live
  channels: ['core', 'protocol', 'node:*'],
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
  ports: ['audit'],
  registry: ['query', 'ports', 'session.ts', 'masked.ts', 'canonical-json.ts', 'parse-url.ts'],
  query: ['registry', 'ports'],
  introspection: ['registry', 'ports', 'call.ts', 'session.ts'],
  trust: ['registry', 'ports', 'canonical-json.ts', 'display.ts', 'masked.ts'],
  quota: ['registry', 'ports'],
  audit: ['registry', 'ports', 'sha256.ts', 'masked.ts', 'canonical-json.ts'],
  autonomy: ['registry', 'ports', 'audit', 'canonical-json.ts', 'parse-url.ts', 'read-arguments.ts'],
  verification: ['registry', 'ports', 'audit', 'display-tables.ts', 'session.ts'],
  gatekeeper: [
    'registry',
    'ports',
    'audit',
    'trust',
    'quota',
    'autonomy',
    'verification',
    'canonical-json.ts',
    'display.ts',
    'call.ts',
    'session.ts',
    'next-turn.ts',
  ],
  loop: [
    'registry',
    'ports',
    'audit',
    'autonomy',
    'verification',
    'gatekeeper',
    'canonical-json.ts',
    'session.ts',
    'call.ts',
  ],
  hook: [
    'ports',
    'audit',
    'autonomy',
    'registry',
    'verification',
    'gatekeeper',
    'canonical-json.ts',
    'masked.ts',
    'next-turn.ts',
  ],
  execution: [
    'registry',
    'ports',
    'audit',
    'gatekeeper',
    'quota',
    'verification',
    'session.ts',
    'call.ts',
    'next-turn.ts',
  ],
  operator: ['*'],
  pipeline: ['*'],
  'runtime.ts': ['*'],
  'safety.ts': ['*'],
  'call.ts': ['registry', 'query', 'ports', 'session.ts'],
  'session.ts': ['registry'],
  'sessions.ts': ['ports', 'session.ts'],
  'steady-clock.ts': ['ports'],
  'report.ts': ['registry', 'ports', 'audit'],
  'waits-for.ts': ['audit'],
  'canonical-json.ts': ['sha256.ts'],
  'display.ts': ['display-sheet.ts', 'display-word.ts', 'masked.ts', 'parse-url.ts'],
  'display-word.ts': ['display-character.ts', 'display-sheet.ts'],
  'display-sheet.ts': ['display-character.ts'],
  'display-character.ts': ['display-tables.ts'],
}

/** Static (also over several lines, which end in `} from`), side-effect and dynamic imports. */
const IMPORT = /(?:^(?:(?:import|export)\b[^'\n]*\bfrom |\} from |import )|(?<![.\w])import\(\s*)'([^'\n]+)'/gm
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
    const isNode = to.startsWith('node:') && allowed?.includes('node:*')
    return !(from === to || isNode || allowed?.includes('*') || allowed?.includes(to))
  })
  expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([])
})

test('SELF-02 a human decision is made by a channel and nobody else', () => {
  const isChannel = /^(?:channels\/|serve\/console\/|serve\/elicit[^/]*\.ts$|cli\/(?:commands\/|decide-request\.ts$))/
  const makers = files.filter((file) => /\bhumanDecision\b/.test(code(file)))
  expect(makers).toContain('core/ports/human.ts')
  // safety.ts is the fourth channel, another principal; index.ts serves the program that embeds the runtime;
  // start-throwaway.ts plays the operator for the conformance suite, on a store that ends with it.
  const known = ['core/ports/human.ts', 'core/safety.ts', 'index.ts', 'cli/start-throwaway.ts']
  const others = makers.filter((file) => !known.includes(file))
  expect(others.filter((file) => !isChannel.test(file))).toEqual([])
  expect(others.length).toBeGreaterThan(0)
})

describe('GATE-01 no handler runs without an admission made for that run', () => {
  const usersOf = (pattern: RegExp) => files.filter((file) => pattern.test(code(file)))

  test('one line calls the handler of an operation, and nothing else gets hold of one', () => {
    const uses = files.flatMap((file) => handlerUses(withoutComments(file)).map((line) => `${file}: ${line}`))
    expect(uses).toEqual([
      'core/pipeline/execute.ts: const value = call.target.handler(paramsOf(call, settings), context)',
      'core/registry/compile-operation.ts: handler: definition.handler,',
      'core/registry/compile-operation.ts: handler,',
      "core/registry/compile-operation.ts: if (typeof handler !== 'function') throw new Error('')",
    ])
  })

  test.each([
    'target.handler(params, context)',
    'const { handler } = target',
    'const { handler: run } = target',
    "target['handler'](params)",
    "Reflect.get(operation, 'handler')",
    'operation.definition?.handler?.call(undefined, params)',
    'work(({ handler }) => handler(params))',
  ])('a mutant that calls one elsewhere is found: %s', (mutant) => {
    expect(handlerUses(mutant)).not.toEqual([])
  })

  test('the function that calls it takes an Admitted, uses it up first, and is called by one station', () => {
    const { 0: signature } = /export function execute\(call: Admitted,[^{]*\{\n {2}begin\(call\)\n/.exec(
      code('core/pipeline/execute.ts'),
    ) ?? ['']
    expect(signature).not.toBe('')
    expect(imports.filter(({ specifier }) => /\/execute\.ts$/.test(specifier)).map(({ file }) => file)).toEqual([
      'core/pipeline/handle.ts',
      'core/pipeline/shape.ts', // the type of an outcome
    ])
    expect(code('core/pipeline/execute.ts').match(/\brun\(call, context/g)).toHaveLength(2)
  })

  test('the gate makes it, and only admit.ts moves a call on', () => {
    expect(usersOf(/\badmitted\(/)).toEqual(['core/gatekeeper/admit.ts', 'core/gatekeeper/gate.ts'])
    expect(usersOf(/\bas Admitted\b/)).toEqual(['core/gatekeeper/admit.ts'])
    expect(usersOf(/\.passage\s*=(?!=)/)).toEqual(['core/gatekeeper/admit.ts'])
    expect(usersOf(/\bpassage: /).filter((file) => file !== 'core/call.ts')).toEqual(['core/pipeline/bind-params.ts'])
  })

  test('work that outlives its call is begun by one function, which takes the admission over', () => {
    const takers = files.filter((file) => /\bWork\b[^}]*\} from '[^']*registry\/operation\.ts'/.test(read(file)))
    expect(takers).toEqual(['index.ts', 'core/execution/executions.ts', 'core/pipeline/call-context.ts'])
    const executions = code('core/execution/executions.ts')
    expect(executions.match(/(?<![.\w])work\(/g)).toHaveLength(1)
    expect(executions.match(/\blaunch\(/g)).toHaveLength(1)
    expect(usersOf(/\btakeOver\(/)).toEqual([
      'core/execution/executions.ts',
      'core/gatekeeper/admit.ts',
      'core/gatekeeper/open-gate.ts',
    ])
  })
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
  return withoutComments(file).replace(/'[^'\n]*'|`[^`]*`/g, "''")
}

function withoutComments(file: string): string {
  return read(file)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
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
