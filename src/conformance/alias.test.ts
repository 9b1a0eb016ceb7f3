import { describe, expect, test } from 'vitest'
import { type AliasWorld, runAlias } from './alias.ts'

const REPORT = {
  implementation: 'widgets',
  version: '1',
  specVersion: '1.0.0-draft',
  requestedLevel: 1,
  conformanceLevel: 1,
  summary: { total: 0, passed: 0, warned: 0, failed: 0, skipped: 0 },
  categories: [],
}

describe('CONF-08 commands and exit codes', () => {
  test.each<[string, readonly string[], number, string]>([
    ['version', ['version'], 0, 'MCP-AQL 1.0.0-draft'],
    ['help without a command', [], 0, 'Usage: mcpaql-conformance'],
    ['help', ['--help'], 0, 'Usage: mcpaql-conformance'],
    ['help of a command', ['test', '-h'], 0, 'Examples\n  mcpaql-conformance test demo --level 2'],
    ['version as an option', ['--version'], 0, 'MCP-AQL 1.0.0-draft'],
    ['an unknown command', ['tset'], 3, "Unknown command 'tset'"],
    ['an unknown option', ['test', '--levle', '2'], 3, "Unknown option '--levle'\nUsage"],
    ['a category of level 2', ['test', 'x', '-c', 'batches'], 3, 'belong to level 2: add --level 2'],
    ['a wrong level', ['test', 'x', '--level', '3'], 3, '--level is 1 or 2'],
    ['a wrong format', ['test', 'x', '-f', 'pdf'], 3, '--format is one of'],
    ['a wrong tier', ['test', 'x', '--tier', '9'], 3, '--tier is one of'],
    ['a wrong category', ['test', 'x', '-c', 'Nothing'], 3, "Unknown category 'Nothing'"],
    ['no target', ['test'], 3, 'test takes one target'],
    ['a source that cannot be started', ['test', 'demo'], 3, "Cannot start 'demo'"],
    ['a server that is not there', ['test', 'http://127.0.0.1:9/mcp'], 3, ''],
    ['a command that is not there', ['test', '--', '/no/such/command'], 3, ''],
    ['an empty bundle', ['test', 'empty.json'], 1, 'The bundle holds no evidence'],
    ['an empty bundle as JSON', ['test', 'empty.json', '--format', 'json'], 1, '"conformanceLevel": 0'],
    ['one category of it', ['test', 'empty.json', '-c', 'error quality'], 1, 'Error Quality'],
    ['a file that is not there', ['test', 'none.json'], 3, 'Cannot read none.json'],
    ['a file that is no JSON', ['report', 'broken.json'], 3, 'Cannot read broken.json'],
    ['a file that is no report', ['report', 'empty.json'], 3, 'is no report'],
    ['a saved report', ['report', 'report.json', '-f', 'markdown'], 0, '# MCP-AQL conformance report'],
    [
      'a bundle that expects its failure',
      ['verify-fixtures', 'expected.json'],
      0,
      'PASS expected.json: expected 1, got 1',
    ],
    ['a bundle that expects a pass', ['verify-fixtures', 'empty.json'], 1, 'FAIL empty.json: expected 0, got 1'],
  ])('%s', async (_name, argv, code, said) => {
    const { world, spoken } = fake()
    expect(await runAlias(argv, world)).toBe(code)
    expect(spoken()).toContain(said)
  })

  test('help fits into 80 columns', async () => {
    const { world, spoken } = fake()
    await runAlias(['--help'], world)
    const lines = spoken().split('\n')
    expect(lines.filter((line) => line.length > 80)).toEqual([])
  })

  test('--output writes a file and prints nothing', async () => {
    const { world, spoken, written } = fake()
    expect(await runAlias(['report', 'report.json', '-o', 'out.txt'], world)).toBe(0)
    expect(spoken()).toBe('')
    expect(written.get('out.txt')).toContain('widgets 1, MCP-AQL 1.0.0-draft')
  })

  test('a source is started in both modes for level 2', async () => {
    const modes: string[] = []
    const { world } = fake()
    const startSource: AliasWorld['startSource'] = async (_source, mode) => {
      modes.push(mode)
      return { url: 'http://127.0.0.1:9/mcp' }
    }
    expect(await runAlias(['test', 'demo', '-l', '2'], { ...world, startSource })).toBe(3)
    expect(modes).toEqual(['semantic', 'single'])
  })
})

function fake() {
  const files = new Map([
    ['empty.json', '{}'],
    ['expected.json', '{"expected_exit_code":1}'],
    ['broken.json', '{'],
    ['report.json', JSON.stringify(REPORT)],
  ])
  const written = new Map<string, string>()
  const said: string[] = []
  const world: AliasWorld = {
    out: (text) => void said.push(text),
    err: (text) => void said.push(text),
    readFile: async (path) => files.get(path) ?? Promise.reject(new Error('no such file')),
    writeFile: async (path, text) => void written.set(path, text),
  }
  return { world, written, spoken: () => said.join('') }
}
