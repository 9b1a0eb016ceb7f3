import { describe, expect, test } from 'vitest'
import { fakeWorld } from '../../test/fake-world.ts'
import { flagOf, SETTINGS, variableOf } from '../config.ts'
import { COMMANDS, main } from './main.ts'

async function run(...args: readonly string[]) {
  const world = fakeWorld()
  const exit = await main(args, world)
  return { exit, ...world.said }
}

test('the commands are these', () => {
  expect(COMMANDS.map(({ name }) => name)).toEqual(
    'serve, introspect, call, measure, conformance, console, approvals, approve, deny, verify, blocks, block, unblock, client, trust, secret, explain, risk, audit, hook, safety'.split(
      ', ',
    ),
  )
})

// biome-ignore format: a table reads by columns
test.each<[readonly string[], string]>([
  [['srve'],                             'mcpaql: Unknown command srve\nDid you mean mcpaql serve?\nSee mcpaql --help\n'],
  [['zzz'],                              'mcpaql: Unknown command zzz\nCommands: serve, introspect, call, measure, conformance, console, approvals, approve, deny, verify, blocks, block, unblock, client, trust, secret, explain, risk, audit, hook, safety\nSee mcpaql --help\n'],
  [['--vrsion'],                         'mcpaql: Unknown option --vrsion\nDid you mean mcpaql --version?\nSee mcpaql --help\n'],
  [['--zzzz'],                           'mcpaql: Unknown option --zzzz\nCommands: serve, introspect, call, measure, conformance, console, approvals, approve, deny, verify, blocks, block, unblock, client, trust, secret, explain, risk, audit, hook, safety\nSee mcpaql --help\n'],
  [['serve', 'demo', '--moed=single'],   'mcpaql: Unknown option --moed\nDid you mean --mode?\nSee mcpaql serve --help\n'],
  [['conformance', 'demo', '-c', 'batches'], 'mcpaql: The checks of Batches belong to level 2\nAdd --level 2\n'],
  [['call', 'demo', 'x', '--jsn'],       'mcpaql: Unknown option --jsn\nDid you mean --json?\nSee mcpaql call --help\n'],
  [['call', 'demo', 'x', '--json=yes'],  'mcpaql: --json takes no value\nSee mcpaql call --help\n'],
  [['call', 'demo', 'x', '--param'],     'mcpaql: --param needs a value: --param=NAME=VALUE\nSee mcpaql call --help\n'],
  [['serve', 'demo', '--mode', '--json'], 'mcpaql: --mode needs a value: --mode=semantic|single|all\nSee mcpaql serve --help\n'],
  [['serve', 'demo', '--no-mode'],       'mcpaql: Unknown option --no-mode\nDid you mean --mode?\nSee mcpaql serve --help\n'],
  [['measure', 'demo', 'demo'],          "mcpaql: 'demo' is one argument too many\nUsage: mcpaql measure SOURCE [--json]\n       mcpaql measure -- COMMAND…\nSee mcpaql measure --help\n"],
  [['call', 'demo'],                     'mcpaql: Which operation?\nmcpaql introspect demo lists them\n'],
  [['call', 'demo', 'x', '[1]'],         `mcpaql: The parameters must be a JSON object, for example '{"first": 3}'\nOr give them one by one: --param first=3\n`],
  [['call', 'demo', 'x', '--param', '=1'], 'mcpaql: --param =1 must be NAME=VALUE\n'],
  [['call', 'demo', 'x', '--batch', 'f'], 'mcpaql: Either --batch or an OPERATION, not both\n'],
  [['introspect', 'demo', '--category', 'WRITE'], 'mcpaql: There is no category WRITE\nCategories: CREATE, READ, UPDATE, DELETE, EXECUTE\n'],
  [['introspect', 'dmo'],                "mcpaql: 'dmo' is not a source\nDid you mean demo?\nSOURCE is demo, a module (*.ts, *.js), the http(s) address of a running server, or -- COMMAND…\n"],
  [['introspect', 'http://'],            "mcpaql: 'http://' is not an address\nFor example http://127.0.0.1:7420/mcp\n"],
  [['introspect', 'http://me:hunter2@127.0.0.1:1/mcp'], 'mcpaql: The address at 127.0.0.1:1/mcp must hold no name and no password\n'],
  [['conformance', 'http://hunter2@127.0.0.1:1/mcp'], 'mcpaql: The address at 127.0.0.1:1/mcp must hold no name and no password\n'],
  [['serve', 'demo', '--store', 'postgres://me:hunter2@db/x'], 'mcpaql: --store: store_url is "postgres://…@db/x", expected sqlite:PATH or memory:\nAll settings: mcpaql serve --help\n'],
  [['serve', 'http://127.0.0.1:1/mcp'],  'mcpaql: http://127.0.0.1:1/mcp is served already\nSOURCE is demo, or a module (*.ts, *.js) that exports an adapter\n'],
  [['serve', '--', 'npx', 'some-server'], "mcpaql: 'npx' is not a source\nSOURCE is demo, or a module (*.ts, *.js) that exports an adapter\n"],
  [['explain', 'http://127.0.0.1:1/mcp', 'x'], 'mcpaql: http://127.0.0.1:1/mcp runs elsewhere\nSOURCE is demo, or a module (*.ts, *.js) that exports an adapter\n'],
  [['serve', 'demo', '--http', 'x'],     'mcpaql: --http x must be a port, or host and port\nFor example --http 7420 or --http 127.0.0.1:7420\n'],
  [['serve', 'demo', '--mode', 'crud'],  'mcpaql: --mode: endpoint_mode is "crud", expected one of semantic, single, all\nAll settings: mcpaql serve --help\n'],
  [['serve', 'demo', '--http', '99999'], 'mcpaql: --http: http_port is "99999", expected an integer from 0 to 65535\nAll settings: mcpaql serve --help\n'],
  [['serve', 'demo', '--http', 'a b:80'], 'mcpaql: --http: http_host is "a b", expected a host name or an address\nAll settings: mcpaql serve --help\n'],
  [['serve', 'demo', '--http-port', '99999'], 'mcpaql: --http-port: http_port is "99999", expected an integer from 0 to 65535\nAll settings: mcpaql serve --help\n'],
  [['call', 'demo', '--batch', 'no.json'], 'mcpaql: There is no file no.json\nCheck the path after --batch\n'],
])('%j is explained', async (args, err) => {
  expect(await run(...args)).toEqual({ exit: 2, out: '', err })
})

test('the query of an address that does not answer is not repeated', async () => {
  const { exit, err } = await run('introspect', 'http://127.0.0.1:1/mcp?key=hunter2')
  expect(exit).toBe(1)
  expect(err).toMatch(/^mcpaql: No MCP server answers at http:\/\/127\.0\.0\.1:1\/mcp: /)
  expect(err).not.toContain('hunter2')
})

/** They ask at the terminal, or have one form of output. */
const SPEAKS_TO_A_PERSON = new Set('console, approve, deny, verify, block, unblock, secret, hook, risk'.split(', '))

describe('help', () => {
  test.each([[[]], [['--help']], [['-h']], [['help']]])('%j names every command', async (args) => {
    const { exit, out, err } = await run(...args)
    expect({ exit, err }).toEqual({ exit: 0, err: '' })
    for (const { name, summary } of COMMANDS)
      expect(out).toMatch(new RegExp(`^  ${name} +${summary.slice(0, 30)}`, 'm'))
  })

  test.each(COMMANDS.map(({ name }) => name))('%s --help has usage, options and examples', async (name) => {
    const { exit, out, err } = await run(name, '--help')
    expect({ exit, err }).toEqual({ exit: 0, err: '' })
    expect(out).toContain(`Usage: mcpaql ${name} `)
    expect(out).toMatch(/^Examples\n {2}mcpaql /m)
    if (!SPEAKS_TO_A_PERSON.has(name)) expect(out).toMatch(/^ {2}--json/m)
    expect(await run('help', name)).toEqual({ exit, out, err })
  })

  test('serve --help has every setting by its name, its flag and its variable', async () => {
    const { out } = await run('serve', '--help')
    const said = out.replace(/\s+/g, ' ')
    const flagless = out.slice(out.indexOf('\nSettings without a flag\n'))
    const missing = SETTINGS.filter(([name]) => {
      const flag = flagOf(name)
      if (flag === undefined) {
        const isUsual = variableOf(name) === `MCPAQL_${name.toUpperCase()}`
        return !flagless.includes(`\n  ${name}`) || !(isUsual || flagless.includes(`(${variableOf(name)})`))
      }
      const isNamed = flag.replaceAll('-', '_') === name || said.includes(`in the file: ${name}`)
      const isPlain = variableOf(name) === `MCPAQL_${flag.replaceAll('-', '_').toUpperCase()}`
      return (
        !(said.includes(`-${flag} `) || said.includes(`]${flag} `)) ||
        !isNamed ||
        !(isPlain || said.includes(variableOf(name)))
      )
    })
    expect(missing.map(([name]) => name)).toEqual([])
    expect(out.indexOf('\nExamples\n')).toBeLessThan(1_000)
    expect(said).toContain('--max-batch is max_batch in the file and MCPAQL_MAX_BATCH in the environment')
  })

  test('no line is longer than the terminal is wide', async () => {
    for (const columns of [60, 80, 120]) {
      const world = fakeWorld({ columns })
      for (const { name } of COMMANDS) await main([name, '--help'], world)
      const long = world.said.out
        .split('\n')
        .filter((line) => line.length > columns && !(columns < 80 && /^ {2}mcpaql|^Usage|^ {7}mcpaql/.test(line)))
      expect(long).toEqual([])
    }
  })

  test('no line is longer than 80 columns in a pipe', async () => {
    const world = fakeWorld()
    for (const args of [[], ...COMMANDS.map(({ name }) => [name])]) await main([...args, '--help'], world)
    expect(world.said.out.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  test.each(['introspect', 'call', 'measure', 'conformance'])(
    '%s --help names settings without describing them',
    async (name) => {
      const { out } = await run(name, '--help')
      expect(out.replace(/\s+/g, ' ')).toMatch(
        /mcpaql serve --help describes work here too: --config, --mode, .*--log-level\./,
      )
      expect(out).not.toContain('The largest request.')
    },
  )
})

test('the version is that of the package', async () => {
  const { exit, out } = await run('--version')
  expect(exit).toBe(0)
  expect(out).toMatch(/^\d+\.\d+\.\d+\n$/)
})
