import { describe, expect, test } from 'vitest'
import { isStop } from '../../src/cli/command.ts'
import { COMMANDS } from '../../src/cli/main.ts'
import { parseArguments } from '../../src/cli/parse-arguments.ts'
import { OWN_COMMANDS } from '../../src/core/autonomy/risk/own-commands.ts'
import { scoreHint } from '../../src/core/autonomy/risk/score-hint.ts'
import { isMisfit, type OptionKind, readArguments } from '../../src/core/read-arguments.ts'

const scoreOf = (hint: string) => scoreHint(hint).score

describe('AUTO-13 HOOK-09 the table of own commands is that of the command line', () => {
  const kinds = (options: Readonly<Record<string, OptionKind>>) =>
    Object.fromEntries(
      Object.entries(options).map(([name, { type, multiple = false, short = '' }]) => [
        name,
        { type, multiple, short },
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
