import { describe, expect, test } from 'vitest'
import { isStop } from '../../src/cli/command.ts'
import { COMMANDS } from '../../src/cli/main.ts'
import { parseArguments } from '../../src/cli/parse-arguments.ts'
import { ALIAS_OPTIONS } from '../../src/conformance/alias.ts'
import { OWN_COMMANDS, RUNNER_OUTPUTS, RUNNER_VALUES } from '../../src/core/autonomy/risk/own-commands.ts'
import { scoreHint } from '../../src/core/autonomy/risk/score-hint.ts'
import { weighCall } from '../../src/core/hook/weigh-call.ts'
import { isMisfit, type OptionKind, readArguments } from '../../src/core/read-arguments.ts'

const scoreOf = (hint: string) => scoreHint(hint).score

describe('AUTO-13 HOOK-09 the table of own commands is that of the command line', () => {
  const kinds = (options: Readonly<Record<string, OptionKind>>) =>
    Object.fromEntries(
      Object.entries(options).map(([name, { type, multiple = false, short = '', writes = false }]) => [
        name,
        { type, multiple, short, writes },
      ]),
    )

  test('the same commands', () => {
    expect([...OWN_COMMANDS.keys()].sort()).toEqual(COMMANDS.map(({ name }) => name).sort())
  })

  test.each(COMMANDS.map((command) => [command.name, command] as const))('%s: its options', (name, command) => {
    const own = OWN_COMMANDS.get(name)
    expect(kinds(own?.options ?? {})).toEqual(kinds(command.options))
    expect(own?.positionals).toEqual(command.positionals)
    expect(own?.takesCommand ?? false).toBe(command.takesCommand ?? false)
  })

  test('options that write a file are the ones whose text says so', () => {
    const told = COMMANDS.flatMap(({ name, options }) =>
      Object.entries(options)
        .filter(([, { value, description }]) => value === 'FILE' && /\b(write|copy|new file)\b/i.test(description))
        .map(([option]) => `${name} --${option}`),
    )
    const judged = [...OWN_COMMANDS].flatMap(([name, { options }]) =>
      Object.keys(options)
        .filter((option) => options[option]?.writes)
        .map((option) => `${name} --${option}`),
    )
    expect(told.length).toBeGreaterThan(2)
    expect(judged.sort()).toEqual(told.sort())
  })

  test('the suite under its other name: its options with a value, and those that write', () => {
    for (const [name, row] of Object.entries(ALIAS_OPTIONS)) {
      const { short = '', writes = false } = row as OptionKind
      for (const flag of [`--${name}`, ...(short === '' ? [] : [`-${short}`])]) {
        expect([flag, RUNNER_VALUES.has(flag)]).toEqual([flag, row.type === 'string'])
        expect([flag, RUNNER_OUTPUTS.has(flag)]).toEqual([flag, writes])
      }
    }
  })

  test('both read any line alike', () => {
    const words = [
      'doctor',
      'remove',
      'list',
      'claude',
      '--',
      '--help',
      '-h',
      '--no-help',
      '--yes',
      '--key',
      '--key=x',
      '-f',
      '--json',
    ]
    const lines = words.flatMap((a) => words.flatMap((b) => words.map((c) => [a, b, c])))
    for (const command of COMMANDS) {
      const own = OWN_COMMANDS.get(command.name)
      if (!own) throw new Error(command.name)
      for (const line of lines) {
        const [real, judged] = [parseArguments(command, line), readArguments(own, line)]
        if (isStop(real)) expect(isMisfit(judged)).toBe(true)
        else expect(judged).toEqual(real)
      }
    }
  })
})

describe('HOOK-09 AUTO-13 what mcpaql would really do is what is judged', () => {
  const RUNS = [
    'mcpaql',
    'npx mcpaql',
    'npx -y mcpaql@latest',
    'pnpm dlx mcpaql',
    'bunx mcpaql',
    'yarn mcpaql',
    'node dist/src/cli/bin.js',
    './node_modules/.bin/mcpaql',
  ]

  const OPERATING = [
    'hook remove claude --yes',
    'hook install claude --yes --port 9',
    'safety --policy evil.json',
    'approve 12',
    'deny 12',
    'verify 12',
    'block x --force',
    'unblock x',
    'secret set',
    'client add x',
    'client revoke x',
    'audit prune --keep-days 1 --no-anchor',
    'trust demo validated',
    'console',
    'serve demo',
  ]

  /** What once made them look harmless: help that is taken back, help as a value, words of telling as values. */
  const DISGUISES = [
    (line: string) => `${line} --help --no-help`,
    (line: string) => `${line} --no-help --help`,
    (line: string) => `${line} -h --no-help`,
    (line: string) => `${line} --help=false`,
    (line: string) => `${line} --help --help=false`,
    (line: string) => `${line} --version`,
    (line: string) => `${line} --no-version`,
    (line: string) => `${line} -V`,
    (line: string) => `${line} --reason --help`,
    (line: string) => `${line} --store --help`,
    (line: string) => `${line} -- --help`,
    (line: string) => `${line} -xh`,
    (line: string) => `${line} --hel`,
    ...['--store', '--config', '--key', '--reason', '--url', '--port'].flatMap((option) =>
      ['doctor', 'list', 'tail', 'verify', '-h', '--check'].flatMap((value) => [
        (line: string) => line.replace(' ', ` ${option} ${value} `),
        (line: string) => `${line} ${option} ${value}`,
      ]),
    ),
    (line: string) => line.replace(' ', ' --no-help '),
    (line: string) => line.replace(' ', ' --check --no-check '),
    (line: string) => `${line} --check --no-check`,
    (line: string) => `--store doctor ${line}`,
    (line: string) => `--no-help ${line}`,
    (line: string) => line.replace(' ', ' "$X" '),
    (line: string) => line.replace(' ', ' --store=$X '),
    (line: string) => `$X ${line}`,
  ]

  test.each(RUNS)('%s: no spelling of an operator’s command is harmless', (run) => {
    const lines = OPERATING.flatMap((line) => [line, ...DISGUISES.map((disguise) => disguise(line))])
    expect(lines.map((line) => `${run} ${line}`).filter((line) => scoreOf(line) <= 60)).toEqual([])
  })

  test.each([
    'hook --key doctor remove claude --yes',
    'hook --port doctor remove claude --yes',
    'hook remove doctor --yes --no-help',
    'client --store list add x',
    'audit --store tail prune --keep-days 3',
    'audit --limit tail prune',
    'console --check --no-check',
    'console --agent --check',
    'trust a b',
    'trust a --reason "long enough"',
    'approve 12 --help --no-help',
    'safety --help --no-help --policy evil.json --http 0 --hook-port 7422',
    'frobnicate',
    'hook uninstall',
    'approvals --bogus',
    'serve --help --no-help demo',
  ])('mcpaql %s asks', (line) => {
    expect(scoreOf(`mcpaql ${line}`)).toBeGreaterThan(60)
  })

  test.each([
    '--help',
    '-h',
    'help',
    'help hook',
    'version',
    '--version hook remove claude --yes',
    'hook remove claude --yes --help',
    'hook --help remove claude --yes',
    'safety -h',
    'approve --help',
    'hook doctor claude',
    'hook --key list doctor claude',
    'client list --json',
    'client --store x list',
    'audit --store prune tail',
    'audit tail --follow --limit 5',
    'audit -f tail',
    'console --check --agent bob',
    'console --no-check --check',
    'trust tracker --json',
    'approvals 5f3a9c0e71b2d846',
    'introspect demo --search "delete things"',
    'explain demo delete_issue --policy-file p.yaml',
    'risk -- "rm -rf /"',
    'risk "mcpaql approve 3"',
    'measure -- node server.js',
  ])('mcpaql %s tells', (line) => {
    expect(scoreOf(`mcpaql ${line}`)).toBeLessThanOrEqual(30)
  })

  test('what a command starts is judged, also behind a word that may be the sign before it', () => {
    expect(scoreOf('mcpaql introspect -- sh -c "rm -rf ~"')).toBeGreaterThan(60)
    expect(scoreOf('mcpaql introspect $X sh -c "rm -rf ~"')).toBeGreaterThan(60)
    expect(scoreOf('mcpaql x -- sh -c "rm -rf ~"')).toBeGreaterThan(90)
    expect(scoreOf('mcpaql-conformance test -- sh -c "rm -rf ~"')).toBeGreaterThan(60)
  })

  test('the suite under its other name reads its own command line', () => {
    for (const line of ['test demo --level 2', 'report results.json -f markdown', 'test -- node server.js', '--help'])
      expect(scoreOf(`mcpaql-conformance ${line}`)).toBeLessThanOrEqual(30)
  })
})

describe('SELF-06 who starts a server on stdio is its client', () => {
  test.each([
    'mcpaql serve demo',
    'npx mcpaql serve demo',
    'npx -y mcpaql@latest serve ./adapter.ts --client laptop',
    'node dist/src/cli/bin.js serve demo',
    './node_modules/.bin/mcpaql serve demo --safety-mode enforcing',
    '(cat a.jsonl; sleep 1; cat b.jsonl) | mcpaql serve demo',
    'mkfifo p; mcpaql serve demo < p',
    'coproc mcpaql serve demo',
    'mcpaql serve demo --json',
    'mcpaql serve demo --client --http',
    'mcpaql serve --client http demo',
    'mcpaql serve demo --no-elicitation --elicitation',
    'mcpaql serve demo --http 7420 --elicitation',
    'mcpaql serve demo -- --http 7420',
    'mcpaql serve demo --http 7420 --safety-mode disabled',
    'mcpaql serve demo --http 7420 --safety-mode enforcing --safety-mode disabled',
    'mcpaql serve demo --no-elicitation --policy-file mine.yaml',
    'mcpaql serve demo --no-elicitation --no-strict-mode',
    'mcpaql call demo delete_issue --policy-file mine.yaml',
    'mcpaql call demo delete_issue --trust validated',
  ])('%s asks', (line) => {
    expect(scoreOf(line)).toBeGreaterThan(60)
  })

  test.each([
    'mcpaql serve demo --http 7420',
    'mcpaql serve demo --http=127.0.0.1:7420 --json',
    'npx mcpaql serve demo --http-port 7420',
    'mcpaql serve demo --no-elicitation',
    'mcpaql serve demo --elicitation --no-elicitation',
    'mcpaql serve demo --http 7420 --safety-mode disabled --safety-mode enforcing',
    'mcpaql serve demo --http 7420 --read-only --exclude "delete_*"',
    'mcpaql call demo get_issue --param issue_id=$ID',
    'mcpaql conformance demo --level 2',
  ])('%s approves nothing by itself', (line) => {
    expect(scoreOf(line)).toBeLessThanOrEqual(30)
  })
})

/** The package by the ways in which Node, a shell and the runners of scripts find it. */
describe('HOOK-09 AUTO-13 by whatever name the program is started', () => {
  const CLI = 'node_modules/mcpaql/dist/src/cli'
  const STARTS: readonly ((line: string) => string)[] = [
    (line) => `node ${CLI}/bin ${line}`,
    (line) => `node ./${CLI}/../cli/bin.js ${line}`,
    (line) => `node NODE_MODULES/MCPAQL/dist/src/cli/BIN.js ${line}`,
    (line) => `node file:///srv/app/${CLI}/bin.js ${line}`,
    (line) => `node node_modules/.pnpm/mcpaql@0.1.0/node_modules/mcpaql/dist/src/cli/bin ${line}`,
    (line) => `node node_modules/.bin/mcpaql ${line}`,
    (line) => `cd ${CLI} && node bin.js ${line}`,
    (line) => `cd ${CLI}; ./bin.js ${line}`,
    (line) => `cd node_modules/mcpaql/dist/src && node cli/bin ${line}`,
    (line) => `cd node_modules && node mcpaql/dist/src/cli/bin.mjs ${line}`,
    (line) => `pushd ${CLI} && node bin.js ${line}; popd`,
    (line) => `(cd ${CLI}; npx tsx bin.js ${line})`,
    (line) => `node "$(npm root -g)/mcpaql/dist/src/cli/bin" ${line}`,
    (line) => `node inspect ${CLI}/bin.js ${line}`,
    (line) => `node --watch-path src ${CLI}/bin.js ${line}`,
    (line) => `env -C ${CLI} node bin.js ${line}`,
    (line) => `node --run mcpaql -- ${line}`,
    (line) => `npx tsx watch ${CLI}/bin.js ${line}`,
    (line) => `deno run -A ${CLI}/bin.js ${line}`,
    (line) => `deno run --allow-all npm:mcpaql/bin ${line}`,
    (line) => `bun run ${CLI}/bin ${line}`,
    (line) => `nodemon ${CLI}/bin.js ${line}`,
    (line) => `pm2 start ${CLI}/bin.js -- ${line}`,
    (line) => `forever start ${CLI}/bin.js ${line}`,
    (line) => `npx vite-node ${CLI}/bin.js ${line}`,
    (line) => `electron ${CLI}/bin.js ${line}`,
    (line) => `yarn run mcpaql ${line}`,
    (line) => `yarn node ${CLI}/bin ${line}`,
    (line) => `bun run mcpaql ${line}`,
    (line) => `bun --bun run mcpaql ${line}`,
    (line) => `npm run mcpaql -- ${line}`,
    (line) => `pnpm run mcpaql ${line}`,
    (line) => `pnpm exec mcpaql ${line}`,
    (line) => `npm explore mcpaql -- node dist/src/cli/bin.js ${line}`,
    (line) => `npx file:../mcpaql-0.1.0.tgz ${line}`,
    (line) => `npx ../mcpaql ${line}`,
    (line) => `npx git+https://github.com/x/mcpaql.git ${line}`,
    (line) => `npx c8 mcpaql ${line}`,
    (line) => `npx nyc --reporter lcov mcpaql ${line}`,
    (line) => `c8 --all --src lib node ${CLI}/bin ${line}`,
    (line) => `ln -s ../node_modules/.bin/mcpaql foo && ./foo ${line}`,
    (line) => `ln ${CLI}/bin.js y.js; node y.js ${line}`,
    (line) => `mv ${CLI} z && node z/main ${line}`,
    (line) => `cp -r node_modules/mcpaql m && cd m/dist/src/cli && ./bin.js ${line}`,
    (line) => `install -m 755 node_modules/.bin/mcpaql q && ./q ${line}`,
    (line) => `alias q='node ${CLI}/bin'; q ${line}`,
    (line) => `node --import=mcpaql/dist/src/cli/bin.js x ${line}`,
    (line) => `node --require ./${CLI}/bin.js -e 0 ${line}`,
    (line) => `NODE_OPTIONS=--import=mcpaql/dist/src/cli/bin.js node x ${line}`,
    (line) => `watch -n 5 node ${CLI}/bin ${line}`,
  ]
  const LINES = ['hook install claude --yes --port 7569 --key K', 'serve demo', 'unblock x', 'safety --policy p.json']

  test.each(LINES)('%s', (line) => {
    expect(STARTS.map((start) => start(line)).filter((command) => scoreOf(command) <= 60)).toEqual([])
  })

  test.each(['--help', 'audit tail', 'risk ls'])('%s tells, however it is started', (line) => {
    const files = [
      `node ${CLI}/bin`,
      `cd ${CLI} && node bin.js`,
      `bun run ${CLI}/bin`,
      'yarn run mcpaql',
      'npx c8 mcpaql',
    ]
    expect(files.map((start) => `${start} ${line}`).filter((command) => scoreOf(command) > 30)).toEqual([])
  })

  test('code that imports it, whole or in pieces', () => {
    for (const code of [
      `import {main} from '/x/${CLI}/main.js'; main(['serve','demo'])`,
      `const {main} = await import('mcpaql/dist/src/cli/main.js')`,
      `import(require('path').join('node_modules','mcpaql','dist','src','cli','bin.js'))`,
      `process.chdir('${CLI}'); import('./bin.js')`,
    ])
      expect(scoreOf(`node -e ${JSON.stringify(code)}`)).toBeGreaterThan(60)
    for (const code of [`import('mcpaql').then(console.log)`, `require('./node_modules/mcpaql/package.json').version`])
      expect(scoreOf(`node -e ${JSON.stringify(code)}`)).toBeLessThanOrEqual(30)
  })

  test('in the folder in which an earlier call has left the shell', () => {
    const at = (cwd: string, command: string) =>
      weighCall({ client: 'claude', event: 'PreToolUse', tool: 'Bash', input: { command }, session: 's', cwd }).scored
        .score
    expect(at(`/srv/app/${CLI}`, './bin.js serve demo')).toBeGreaterThan(60)
    expect(at('/srv/app/node_modules/mcpaql', 'cd dist/src && node cli/bin serve demo')).toBeGreaterThan(60)
    expect(at('/srv/app', './bin.js serve demo')).toBeLessThanOrEqual(30)
  })
})

describe('HOOK-09 words of an operator’s command, given to a script', () => {
  const SCRIPTS = [
    'node x.mjs',
    'node --enable-source-maps x.mjs',
    'python3 x.py',
    './tools/x.sh',
    'bash x.sh',
    'npm run x --',
    'npm run x',
    'node --run x --',
    'node --run=x --',
    'pnpm run x --',
    'yarn x',
    'bun run x.js',
    'deno run x.ts',
    'npx ./x.tgz',
    'npx unknown-package',
    'npx nodemon x.js',
    'coverage run x.py',
  ]
  const WORDS = [
    'hook install claude',
    'hook remove claude --yes',
    '--store x hook remove claude',
    'approve 12',
    'deny 12 --reason no',
    'unblock x',
    'trust demo validated',
    'secret set',
    'safety --policy p.json',
    'client add me',
    'client revoke me',
    'audit prune --keep-days 3',
    'serve demo --policy-file p.yaml',
  ]

  test.each(SCRIPTS)('%s asks', (script) => {
    expect(WORDS.map((line) => `${script} ${line}`).filter((line) => scoreOf(line) <= 30)).toEqual([])
  })

  test('needs a code where the file may be the program’s', () => {
    for (const file of ['bin.js', './main', '"$X"', '"$DIR/bin.mjs"'])
      expect(scoreOf(`node ${file} hook remove claude --yes`)).toBeGreaterThan(60)
  })

  test.each([
    'node scripts/build.mjs --watch',
    'node server.js serve --port 3000',
    'node cli.js verify dist',
    'node cli.js call api/users',
    'node scripts/hook.js',
    'npm run hook -- --check',
    'python3 manage.py audit --since yesterday',
    'node x.js client list',
    'node x.js please approve the plan of today',
    'node x.js secret list',
    'yarn run test --watch',
    'bun run dev --hot',
    'deno fmt src/cli/bin.ts src/cli/main.ts',
  ])('%s does not ask', (line) => {
    expect(scoreOf(line)).toBeLessThanOrEqual(30)
  })
})

describe('HOOK-09 a file that an option writes', () => {
  const PLACES = [
    '.claude/settings.json',
    '~/.bashrc',
    '.git/hooks/pre-commit',
    'mcpaql.yaml',
    '~/.ssh/authorized_keys',
  ]
  const OPTIONS = [
    (file: string) => `mcpaql conformance demo --evidence ${file}`,
    (file: string) => `mcpaql conformance demo --evidence=${file}`,
    (file: string) => `mcpaql conformance demo -o ${file}`,
    (file: string) => `npx mcpaql conformance demo -fjson -o${file}`,
    (file: string) => `mcpaql conformance demo --output x --output ${file}`,
    (file: string) => `mcpaql conformance -o ${file} -- node server.js`,
    (file: string) => `mcpaql-conformance test demo --output=${file}`,
    (file: string) => `mcpaql-conformance report x.json -o ${file}`,
    (file: string) => `npx -p mcpaql mcpaql-conformance report x.json -fjson -o ${file}`,
  ]

  test.each(PLACES)('%s is judged like the target of a redirection', (file) => {
    const least = scoreOf(`echo x > ${file}`)
    expect(least).toBeGreaterThan(60)
    expect(OPTIONS.map((option) => option(file)).filter((line) => scoreOf(line) < least)).toEqual([])
  })

  test.each([
    'mcpaql conformance demo -f junit -o report.xml',
    'mcpaql conformance ./adapter.ts --evidence evidence.json',
    'mcpaql-conformance test demo -f json -o results.json',
  ])('%s does not ask', (line) => {
    expect(scoreOf(line)).toBeLessThanOrEqual(30)
  })
})

describe('HOOK-09 another store, and less of what the operator set', () => {
  test.each([
    'mcpaql call ./a.mjs create_thing --store memory:',
    'mcpaql call ./a.mjs create_thing --store=sqlite:/tmp/x.db',
    'mcpaql call ./a.mjs create_thing --store "$S"',
    'mcpaql serve demo --http 7420 --store sqlite:./copy.db',
    'unset MCPAQL_POLICY_FILE; mcpaql serve demo --http 7420',
    'unset X MCPAQL_CONFIG && npx mcpaql call ./a.mjs x',
    'export -n MCPAQL_CONFIG; mcpaql call ./a.mjs x',
    'env -u MCPAQL_CONFIG mcpaql call ./a.mjs x',
    'env --unset=MCPAQL_CONFIG mcpaql call ./a.mjs x',
    'env -i mcpaql serve demo --http 7420',
    'env -i PATH="$PATH" npx mcpaql call ./a.mjs x',
    'env - mcpaql call ./a.mjs x',
    "env -i sh -c 'mcpaql serve demo --http 7420'",
    'exec -c mcpaql serve demo --http 7420',
    'sudo mcpaql serve demo --http 7420',
    'sudo -u bob mcpaql call demo update_issue {}',
    'HOME=/tmp/x mcpaql call ./a.mjs x',
    'XDG_STATE_HOME=/tmp/x npx mcpaql serve demo --http 0',
    'env XDG_CONFIG_HOME=/tmp/x mcpaql call ./a.mjs x',
    'export XDG_STATE_HOME=/tmp/x; mcpaql call ./a.mjs x',
    'npx cross-env XDG_STATE_HOME=/tmp/x mcpaql serve demo --http 0',
    'mcpaql serve demo --http 0.0.0.0:7420',
    'mcpaql serve demo --http 7420 --http-host 0.0.0.0',
    'mcpaql serve demo --http 7420 --http-allowed-hosts x.example',
    'mcpaql serve demo --http 7420 --http-allowed-origins https://x.example',
    'mcpaql call demo update_issue --config mine.yaml',
  ])('%s needs a code', (line) => {
    expect(scoreOf(line)).toBeGreaterThan(60)
  })

  test.each([
    'mcpaql call demo update_issue {}',
    'mcpaql serve demo --http 7420 --http-host 127.0.0.1',
    'mcpaql serve demo --http localhost:7420',
    'mcpaql serve demo --http "[::1]:7420"',
    'mcpaql introspect demo --store memory:',
    'mcpaql explain demo delete_issue --store memory:',
    'mcpaql measure demo --store memory:',
    'sudo mcpaql audit tail',
    'env -i mcpaql introspect demo',
    'env -i ls',
    'unset FOO; mcpaql call demo get_issue',
  ])('%s does not ask', (line) => {
    expect(scoreOf(line)).toBeLessThanOrEqual(30)
  })
})

describe('AUTO-13 programs that build or test, and run their words', () => {
  const RUNS = [
    'c8',
    'npx c8',
    'c8 --all --reporter=text',
    'c8 -r text --',
    'nyc --silent',
    'npx nyc --reporter lcov',
    'mix cmd',
    'mix cmd --app x',
    'mix do deps.get + cmd',
    'mix do cmd',
    'tox exec --',
    'nox -s x --',
    'lerna exec --scope x --',
    'turbo run x --',
    'nx exec --',
    'gotestsum --raw-command --',
    'nix develop -c',
    'npm explore x --',
  ]

  test.each(RUNS)('%s: its words are judged as the command that they are', (run) => {
    expect(scoreOf(`${run} rm -rf /home/u`)).toBeGreaterThan(60)
    expect(scoreOf(`${run} sh -c 'rm -rf ~'`)).toBeGreaterThan(60)
  })

  test.each([
    'cmake -P /tmp/x.cmake',
    'gradle --init-script /tmp/x.gradle build',
    'jest --globalSetup=/tmp/x.js',
    'jest --helper=/tmp/x.js',
    'pytest -p /tmp/evil',
    'mocha /tmp/x.js',
    'coverage run -p /tmp/x.py',
    'dotnet exec /tmp/x.dll',
    'webpack --config /tmp/x.js',
  ])('%s runs code from elsewhere, which asks', (line) => {
    expect(scoreOf(line)).toBeGreaterThan(30)
  })

  test.each([
    'c8 vitest run',
    'npx c8 --reporter=lcov node --test',
    'nyc --all mocha test/*.js',
    'npx nyc tape test/*.js',
    'c8 report --reporter=html',
    'coverage run -m pytest tests',
    'coverage run manage.py test',
    'mix do deps.get, compile',
    'mix test',
    'vitest run --config vitest.e2e.config.ts',
    'eslint --fix --config ../eslint.config.js src',
    'esbuild src/x.ts --outfile=/tmp/x.js',
    'prettier --check /tmp/x.ts',
    "make -f /dev/stdin <<< 'x:'",
    'cp -r src ~/code/mcpaql && node scripts/x.js prod',
  ])('%s does not ask', (line) => {
    expect(scoreOf(line)).toBeLessThanOrEqual(30)
  })
})
