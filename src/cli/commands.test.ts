import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { fakeWorld } from '../../test/fake-world.ts'
import { main } from './main.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-commands-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Setting {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly columns?: number
  readonly colours?: boolean
  readonly interrupted?: AbortSignal
  readonly progress?: (text: string) => void
}

/** The whole program in this process, on a store in memory. */
async function mcpaql(args: readonly string[], { env = {}, ...rest }: Setting = {}) {
  const world = fakeWorld({ cwd: folder, env: { MCPAQL_STORE_URL: 'memory:', ...env }, ...rest })
  const exit = await main(args, world)
  return { exit, ...world.said }
}

/** A store that another process can see, so that somebody could approve. */
const ON_DISK: Setting = { env: { MCPAQL_STORE_URL: 'sqlite:./state.db' } }

const json = (text: string) => JSON.parse(text) as Readonly<Record<string, unknown>>

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text)
}

function notes(name: string): string {
  return `export const createAdapter = async () => ({
  name: '${name}',
  description: 'Notes on a shelf.',
  profiles: [{ name: 'shelf', introspection: 'look', families: [
    { name: 'look', purpose: 'See.', categories: ['READ'] },
    { name: 'work', purpose: 'Do.', categories: ['CREATE', 'UPDATE', 'DELETE', 'EXECUTE'] },
  ] }],
  operations: [
    { name: 'list_notes', category: 'READ', description: 'List the notes. All of them.', handler: () => ['one', 'two'] },
    { name: 'create_note', category: 'CREATE', description: 'Write a note.',
      params: { text: { type: 'string', required: true, description: 'What it says.' } }, handler: ({ text }) => ({ text }) },
  ],
})
`
}

write('notes.mjs', notes('notes'))
write('more.mjs', notes('more-notes'))
write(
  'card.mjs',
  `export const adapter = { name: 'card', description: 'Cards.', operations: [
  { name: 'pay', category: 'EXECUTE', description: 'Pay.', handler: () => null,
    params: { number: { type: 'string', required: true, sensitive: true, pattern: '^[0-9]{4}$' } } },
] }
`,
)
write('bare.mjs', "export const adapter = { name: 'bare', description: 'Nothing yet.', operations: [] }\n")
write('empty.mjs', 'export const other = 1\n')
write('throws.mjs', "throw new Error('out of ink')\n")
write('lonely.mjs', "import 'nobody-has-this'\n")
write('wrong.mjs', notes('notes').replace("category: 'READ', description", "category: 'LOOK', description"))

describe('introspect', () => {
  test('the operations as a table that fits the terminal', async () => {
    const { exit, out, err } = await mcpaql(['introspect', 'demo'], { columns: 80 })
    expect({ exit, err }).toEqual({ exit: 0, err: '' })
    expect(out).toMatch(/^Issue tracker: \d+ operations \(semantic mode\)\n/)
    expect(out).toMatch(/^create_issue +CREATE +/m)
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  test('colours where they are wanted', async () => {
    expect((await mcpaql(['introspect', 'demo'], { columns: 80, colours: true })).out).toContain('\u001b[1m')
    expect((await mcpaql(['introspect', 'demo'])).out).not.toContain('\u001b')
  })

  test('--json is the data of the answer, narrowed by category', async () => {
    const { out } = await mcpaql(['introspect', 'demo', '--json', '--category', 'delete'])
    const { _protocol, operations } = json(out) as { _protocol: object; operations: { semantic_category: string }[] }
    expect(_protocol).toMatchObject({ version: '1.0.0-draft', adapter: 'tracker', mode: 'semantic', profile: 'crude' })
    expect(operations.length).toBeGreaterThan(3)
    expect(new Set(operations.map(({ semantic_category }) => semantic_category))).toEqual(new Set(['DELETE']))
  })

  test('one operation is one', async () => {
    expect((await mcpaql(['introspect', 'notes.mjs', '--category', 'create'])).out).toMatch(/^notes: 1 operation \(/)
    const { err } = await mcpaql(['serve', 'bare.mjs'])
    expect(err).toMatch(
      /^bare: 1 operation behind 5 tools .*\nbare \(trust validated\): 1 operation runs, 0 ask a human\./,
    )
    expect((await mcpaql(['measure', 'bare.mjs'])).out).toMatch(/^bare: 1 operation\n/)
  })

  test('one operation with its parameters and an example', async () => {
    const { out } = await mcpaql(['introspect', 'demo', 'create_issue'])
    expect(out).toMatch(/^create_issue {2}CREATE, tool tracker_mcpaql_create\n/)
    expect(out).toMatch(/^title \* +string +at least 1 character, at most 200 characters$/m)
    expect(out).toMatch(/^labels +string\[\] +each at most 50 characters$/m)
    expect(out).toMatch(/^due_date +string +Calendar date, no zone\. \(format date\)$/m)
    expect(out).toMatch(/^Example/m)
    const { out: card } = await mcpaql(['introspect', 'card.mjs', 'pay'])
    expect(card).toMatch(/^number \* +string +matches \^\[0-9\]\{4\}\$, sensitive$/m)
  })

  test('types, and one of them', async () => {
    expect((await mcpaql(['introspect', 'demo', '--types'])).out).toMatch(/^Issue +object/m)
    const { out } = await mcpaql(['introspect', 'demo', 'Issue', '--types', '--json'])
    expect(json(out)).toMatchObject({ type: { name: 'Issue', kind: 'object' } })
  })

  test('a name that does not exist is a failure', async () => {
    const { exit, err } = await mcpaql(['introspect', 'demo', 'make_issue'])
    expect(exit).toBe(1)
    expect(err).toContain('There is no operation make_issue')
    expect(err).toContain('--search')
    expect((await mcpaql(['introspect', 'demo', 'make_issue', '--json'])).exit).toBe(1)
  })

  // biome-ignore format: a table reads by columns
  test.each<[readonly string[], string]>([
    [['get_isue'],         'mcpaql: There is no operation get_isue\nDid you mean get_issue'],
    [['Isue', '--types'],  'mcpaql: There is no type Isue\nDid you mean Issue'],
    [['Zzzz', '--types'],  'mcpaql: There is no type Zzzz\nWithout a name, --types lists them all\n'],
  ])('%j suggests what comes near', async (args, said) => {
    const { exit, out, err } = await mcpaql(['introspect', 'demo', ...args, '--list-page-size', '5'])
    expect({ exit, out }).toEqual({ exit: 1, out: '' })
    expect(err).toMatch(new RegExp(`^${said.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`))
    if (args.includes('--types')) expect(err).not.toContain('--search')
  })

  test.each([60, 100])('the details of one operation fit into %i columns, and nothing is left out', async (columns) => {
    const { out } = await mcpaql(['introspect', 'demo', 'list_issues'], { columns })
    const lines = out.split('\n').filter((line) => !line.startsWith('  {'))
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns)
    expect(out).not.toContain('…')
    expect(out.replace(/\s+/g, ' ')).toContain('due_date: also gt gte lt lte')
  })

  test('one search, and several at once', async () => {
    expect((await mcpaql(['introspect', 'demo', '--search', 'open a new issue'])).out).toMatch(
      /^create_issue\(project\*/,
    )
    const { out } = await mcpaql(['introspect', 'demo', '--search', 'open a new issue', '--search', 'people', '--json'])
    const { results } = json(out) as { results: { text: string; matches: { operation: string }[] }[] }
    expect(results.map(({ text }) => text)).toEqual(['open a new issue', 'people'])
    expect(results[0]?.matches[0]?.operation).toBe('create_issue')
  })

  test('--all walks the pages', async () => {
    const first = json((await mcpaql(['introspect', 'demo', '--json', '--list-page-size', '5'])).out)
    expect(first.operations).toHaveLength(5)
    const all = json((await mcpaql(['introspect', 'demo', '--json', '--list-page-size', '5', '--all'])).out)
    const { total } = (first._protocol as { readonly page: { readonly total: number } }).page
    expect(all.operations).toHaveLength(total)
    expect(all._protocol).not.toHaveProperty('page')
  })
})

describe('call', () => {
  test('a success exits with 0, and --json is the result as received', async () => {
    const { exit, out, err } = await mcpaql(['call', 'demo', 'list_issues', '{"first": 2}', '--json'])
    expect({ exit, err }).toEqual({ exit: 0, err: '' })
    expect(json(out)).toMatchObject({ success: true, data: { items: [{}, {}], pageInfo: { hasNextPage: true } } })
  })

  test('what waits for a human says how to wait, since the question ends with the command', async () => {
    const { exit, err } = await mcpaql(['call', 'demo', 'delete_label', '-p', 'name=design'], ON_DISK)
    expect(exit).toBe(4)
    expect(err).toMatch(/\nThe question has ended with this command\. To wait for the answer and go on: --wait 120\n$/)
  })

  test('a batch that halts for a human shows where, and exits with 4', async () => {
    write(
      'halts.json',
      '[{"operation":"list_labels"},{"operation":"delete_label","params":{"name":"design"}},{"operation":"list_users"}]',
    )
    const { exit, out, err } = await mcpaql(['call', 'demo', '--batch', 'halts.json'], ON_DISK)
    expect(exit).toBe(4)
    expect(out).toMatch(/^✓ 0 list_labels$/m)
    expect(out).toMatch(/^… 1 delete_label\nCONFIRMATION_REQUIRED: /m)
    expect(out).toMatch(/^Not run: list_users\n$/m)
    expect(err).toBe(
      'The question has ended with this command. To wait for the answer and go on: send that operation alone, with --wait 120\n',
    )
    expect((await mcpaql(['call', 'demo', '--batch', 'halts.json', '--json'], ON_DISK)).exit).toBe(4)
  })

  test('SELF-10 on a store that nobody else sees nobody can approve, and it is refused at once', async () => {
    const { exit, err, out } = await mcpaql(['call', 'demo', 'delete_label', '-p', 'name=design'])
    expect(exit).toBe(3)
    expect(out + err).toContain('nobody can approve it here')
  })

  test('a number where text is wanted says how text is written', async () => {
    const { exit, err } = await mcpaql(['call', 'demo', 'get_issue', '--param', 'issue_id=57'])
    expect(exit).toBe(1)
    expect(err).toMatch(/\n--param issue_id was read as JSON\. As text it is --param 'issue_id="…"'\n$/)
    const asText = await mcpaql(['call', 'demo', 'get_issue', '--param', 'issue_id="57"'])
    expect(asText.err).toContain('NOT_FOUND_RESOURCE')
    expect(asText.err).not.toContain('was read as JSON')
  })

  test('a tool that is not there is bad usage, and those that are there are named', async () => {
    const { exit, out, err } = await mcpaql(['call', 'demo', 'list_issues', '--tool', 'nope', '--mode', 'single'])
    expect({ exit, out }).toEqual({ exit: 2, out: '' })
    expect(err).toBe('mcpaql: There is no tool nope\nTools: tracker_mcpaql\n')
  })

  test('a page of records is a table, and says how to go on', async () => {
    const { out } = await mcpaql([
      'call',
      'demo',
      'list_issues',
      '--param',
      'first=2',
      '--param',
      'fields=["id","title"]',
    ])
    expect(out.split('\n')[0]).toMatch(/^id +title/)
    expect(out).toContain('More: --param after=')
  })

  test.each([60, 80, 200])('a page fits into %i columns; what has no room is named', async (columns) => {
    const { out } = await mcpaql(['call', 'demo', 'list_issues', '-p', 'fields=full', '-p', 'first=3'], { columns })
    const lines = out.split('\n').filter((line) => !line.startsWith('More: '))
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns)
    expect(lines[0]).toMatch(/^id +project +ref +title/)
    expect(out.replace(/\s+/g, ' ')).toMatch(/No room for .*activity.*; --json has everything\./)
  })

  test('a message is broken between words on a terminal, and not in a pipe', async () => {
    const { err } = await mcpaql(['call', 'demo', 'list_issues', '-p', 'frist=2'], { columns: 60 })
    const [message = ''] = err.split('\n{')
    expect(message.split('\n').length).toBeGreaterThan(1)
    for (const line of message.split('\n')) expect(line.length).toBeLessThanOrEqual(60)
    expect((await mcpaql(['call', 'demo', 'list_issues', '-p', 'frist=2'])).err).toContain(message.replace(/\n/g, ' '))
  })

  // biome-ignore format: a table reads by columns
  test.each<[string, readonly string[], number, string]>([
    ['a missing parameter',         ['create_issue'],                                       1, 'VALIDATION_MISSING_PARAM'],
    ['an unknown operation',        ['creat_issue'],                                        1, 'NOT_FOUND_OPERATION'],
    ['a denied operation',          ['delete_issue', '{"issue_id":"iss_1"}', '--read-only'], 3, 'PERMISSION_DENIED'],
    ['another tool than its own',   ['list_labels', '--tool', 'tracker_mcpaql_create'],     1, 'VALIDATION_ENDPOINT_MISMATCH'],
    ['VAL-06 an unknown parameter', ['list_labels', '{"colour":"red"}'],                    1, 'VALIDATION_UNKNOWN_PARAM'],
  ])('%s', async (_, args, exit, code) => {
    const ended = await mcpaql(['call', 'demo', ...args, '--json'])
    expect(json(ended.out)).toMatchObject({ success: false, error: { code } })
    expect(ended.exit).toBe(exit)
    const plain = await mcpaql(['call', 'demo', ...args])
    expect(plain.err).toMatch(new RegExp(`^${code}: `))
    expect(plain.out).toBe('')
  })

  test('VAL-06 RES-11 with strict mode off an unknown parameter is a warning, and a warning is a success', async () => {
    const args = ['call', 'demo', 'list_labels', '{"colour":"red"}', '--no-strict-mode']
    const plain = await mcpaql(args)
    expect(plain.exit).toBe(0)
    expect(plain.err).toContain('Warning: ')
    const { out } = await mcpaql([...args, '--json'])
    expect(json(out)).toMatchObject({ success: true, warnings: [{ code: 'VALIDATION_UNKNOWN_PARAM' }] })
    expect((await mcpaql(['introspect', 'demo', '--json', '--no-strict-mode'])).out).not.toContain('strict')
  })

  test('a batch from stdin may mix families; one failed entry makes it a failure', async () => {
    const input =
      '[{"operation":"list_notes"},{"operation":"create_note","params":{"text":"x"}},{"operation":"nothing"}]'
    const { exit, out } = await mcpaql(['call', 'notes.mjs', '--batch', '-', '--json'], { input })
    expect(exit).toBe(1)
    expect(json(out)).toMatchObject({ success: true, summary: { total: 3, succeeded: 2, failed: 1 } })
    expect((await mcpaql(['call', 'notes.mjs', '--batch', '-'], { input })).out).toMatch(
      /^✓ 0 list_notes\n.*✗ 2 nothing/s,
    )
  })

  test('an execution is followed to its end when the server ends with the call', async () => {
    const params = JSON.stringify({ project: 'API', api_key: 'key_demo1234', count: 2, delay_ms: 10 })
    const { exit, out } = await mcpaql(['call', 'demo', 'import_issues', params, '--json'])
    expect(json(out)).toMatchObject({ success: true, data: { status: 'completed' } })
    expect(exit).toBe(0)
  })

  test('Ctrl-C ends an execution that is followed, and says so', async () => {
    const interruption = new AbortController()
    const params = JSON.stringify({ project: 'API', api_key: 'key_demo1234', count: 500, delay_ms: 100 })
    const { exit, out, err } = await mcpaql(['call', 'demo', 'import_issues', params], {
      interrupted: interruption.signal,
      progress: (text) => text.startsWith('running') && interruption.abort(),
    })
    expect({ exit, out }).toEqual({ exit: 1, out: '' })
    expect(err).toMatch(/^mcpaql: Interrupted; execution exec_[\w-]+ is cancelled with its server\n$/)
  })

  // biome-ignore format: a table reads by columns
  test.each([
    ['nofile.json',     'There is no file nofile.json'],
    ['notes.mjs/a.json', 'There is no file notes.mjs/a.json'],
    ['.',               '. is a folder, not a file'],
  ])('the batch %s is explained, without the machine’s own words', async (file, said) => {
    const { exit, err } = await mcpaql(['call', 'notes.mjs', '--batch', file])
    expect({ exit, err }).toEqual({ exit: 2, err: `mcpaql: ${said}\nCheck the path after --batch\n` })
  })

  test('a file that is no batch is explained', async () => {
    write('no-batch.json', '{"operation":"list_notes"}')
    const { exit, err } = await mcpaql(['call', 'notes.mjs', '--batch', 'no-batch.json'])
    expect(exit).toBe(2)
    expect(err).toContain('no-batch.json is not a batch')
  })
})

test('explain of a name that does not exist says what comes nearest', async () => {
  const { exit, err } = await mcpaql(['explain', 'demo', 'delete_isue'])
  expect(exit).toBe(1)
  expect(err).toContain('There is no operation delete_isue\n')
  expect(err).toMatch(/^Did you mean delete_issue, /m)
  expect(err).toMatch(/^To find one: mcpaql introspect demo --search /m)
})

describe('measure', () => {
  test('figures for every mode', async () => {
    const { exit, out, err } = await mcpaql(['measure', 'demo', '--json'])
    expect({ exit, err }).toEqual({ exit: 0, err: '' })
    const figures = json(out) as { tool_list: Record<string, number>; discovery: Record<string, number> }
    expect(figures).toMatchObject({
      counter: 'o200k',
      adapters: ['Issue tracker'],
      break_even: { single: expect.any(Number) },
    })
    const { per_operation = 0, semantic = 0, single = 0 } = figures.tool_list
    expect(single).toBeGreaterThan(100)
    expect(semantic).toBeGreaterThan(single)
    expect(per_operation).toBeGreaterThan(semantic)
    expect(figures.discovery.search_mean).toBeGreaterThan(0)
  })

  test.each([[], ['--list-page-size', '5']])('two runs say the same %j', async (...args) => {
    const [first, second] = [await mcpaql(['measure', 'demo', ...args]), await mcpaql(['measure', 'demo', ...args])]
    expect(second).toEqual(first)
  })

  test('as many operations as introspect and serve speak of', async () => {
    const { operations } = json((await mcpaql(['introspect', 'demo', '--json'])).out) as { operations: unknown[] }
    const figures = json((await mcpaql(['measure', 'demo', '--json'])).out)
    expect(figures.operations).toBe(operations.length)
    expect((await mcpaql(['serve', 'demo'])).err).toContain(`Issue tracker: ${operations.length} operations`)
  })

  test('a table for people', async () => {
    const { out } = await mcpaql(['measure', 'notes.mjs'])
    expect(out).toMatch(/^TOOL LIST +TOKENS +SHARE$/m)
    expect(out).toMatch(/^MCP-AQL, single mode +\d+ /m)
  })
})

// biome-ignore format: a table reads by columns
test.each([
  ['missing.mjs', 2, 'There is no file missing.mjs'],
  ['empty.mjs',   2, 'empty.mjs exports no adapter (it exports other)'],
  ['throws.mjs',  2, 'throws.mjs could not be loaded: out of ink'],
  ['throws.mjs',  2, 'mend it and start again'],
  ['lonely.mjs',  2, "lonely.mjs could not be loaded: Cannot find package 'nobody-has-this'"],
  ['lonely.mjs',  2, 'Install what it imports beside it'],
  ['wrong.mjs',   2, "wrong.mjs cannot be served: "],
])('the module %s is explained', async (module, exit, message) => {
  const ended = await mcpaql(['introspect', module])
  expect(ended.err).toContain(message)
  expect(ended.exit).toBe(exit)
})

describe('globs of operations', () => {
  // biome-ignore format: a table reads by columns
  test.each<[readonly string[], string]>([
    [['--exclude', 'delete_*', '--exclude', 'delte_issue'], "mcpaql: exclude: no operation has a name that matches 'delte_issue'\nNear it: delete_issue, "],
    [['--include', 'lst_issue*'],                           "mcpaql: include: no operation has a name that matches 'lst_issue*'\nNear it: "],
    [['--exclude', 'introspect'],                           "mcpaql: exclude: no operation has a name that matches 'introspect'\n"],
  ])('%j chooses nothing and is bad usage', async (args, said) => {
    const { exit, err } = await mcpaql(['serve', 'demo', ...args])
    expect(exit).toBe(2)
    expect(err.slice(0, said.length)).toBe(said)
  })

  test('one that fits one of several sources is sound', async () => {
    const { exit, err } = await mcpaql(['serve', 'demo', 'notes.mjs', '--exclude', 'create_note'])
    expect({ exit, err }).toEqual({ exit: 0, err: expect.stringMatching(/^notes: 2 operations /m) })
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
    const filter: unknown = JSON.parse(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`)
    const { out } = await mcpaql(['call', 'demo', 'list_issues', JSON.stringify({ filter }), '--json'], { cwd })
    expect(json(out)).toMatchObject({
      error: { code: 'VALIDATION_PAYLOAD_TOO_LARGE', details: { limit_type: 'nesting_depth' } },
    })
  })

  test('MODE-03 an unknown profile stops and names those there are', async () => {
    const { exit, err } = await mcpaql(['serve', 'demo', '--profile', 'dask'])
    expect(exit).toBe(2)
    expect(err).toMatch(/crude.*desk|desk.*crude/)
  })

  // biome-ignore format: a table reads by columns
  test.each<[string, readonly string[], Readonly<Record<string, string>>, string]>([
    ['MODE-03 nothing set',                  [],                                       {},                                    'notes_mcpaql_read'],
    ['MODE-02 MCP_AQL_ENDPOINT_MODE single', [],                                       { MCP_AQL_ENDPOINT_MODE: 'single' },   'notes_mcpaql'],
    ['MODE-02 the word crude',               [],                                       { MCP_AQL_ENDPOINT_MODE: 'crude' },    'notes_mcpaql_read'],
    ['MODE-02 MCP_AQL_ENDPOINT_PROFILE',     [],                                       { MCP_AQL_ENDPOINT_PROFILE: 'shelf' }, 'notes_mcpaql_look'],
    ['TOOL-02 classic',                      ['--tool-names', 'classic'],              {},                                    'mcp_aql_read'],
    ['TOOL-02 bare',                         ['--tool-names', 'bare'],                 {},                                    'mcpaql_read'],
    ['TOOL-03 a pattern',                    ['--tool-names', '{endpoint}.{adapter}'], {},                                    'read.notes'],
    ['MULTI-02 MCP_AQL_TOOL_PREFIX wins',    ['--tool-names', 'bare'],                 { MCP_AQL_TOOL_PREFIX: 'my_' },        'my_mcp_aql_read'],
    ['MULTI-02 the unified tool',            ['--mode', 'single'],                     { MCP_AQL_TOOL_PREFIX: 'my_' },        'my_mcp_aql'],
  ])('%s', async (_, args, env, tool) => {
    const { out } = await mcpaql(['introspect', 'notes.mjs', 'list_notes', '--json', ...args], { env })
    expect(json(out)).toMatchObject({ operation: { mcpTool: tool } })
  })

  test('MULTI-02 a wrong prefix stops', async () => {
    const { exit, err } = await mcpaql(['serve', 'demo'], { env: { MCP_AQL_TOOL_PREFIX: 'GitHub' } })
    expect(exit).toBe(2)
    expect(err).toContain('MCP_AQL_TOOL_PREFIX: tool_prefix is "GitHub"')
  })

  // biome-ignore format: a table reads by columns
  test.each<[string, readonly string[], Readonly<Record<string, string>>]>([
    ['the same adapter twice', ['notes.mjs', 'notes.mjs'],                        {}],
    ['one prefix for two',     ['notes.mjs', 'more.mjs'],                         { MCP_AQL_TOOL_PREFIX: 'x_' }],
    ['bare names for two',     ['notes.mjs', 'more.mjs', '--tool-names', 'bare'], {}],
  ])('MULTI-01 a collision of tool names stops: %s', async (_, args, env) => {
    const { exit, err } = await mcpaql(['serve', ...args], { env })
    expect(exit).toBe(2)
    expect(err).toContain('would both offer the tool')
  })
})
