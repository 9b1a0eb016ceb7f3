import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fakeWorld } from '../../../test/fake-world.ts'
import { isStop } from '../command.ts'
import { diffLines } from '../hook/diff-lines.ts'
import { parseArguments } from '../parse-arguments.ts'
import { hook } from './hook.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hook-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const KEY = 'A'.repeat(43)
const NOW = Date.parse('2026-11-16T01:02:03Z')

async function run(...args: readonly string[]) {
  const given = parseArguments(hook, args)
  if (isStop(given)) return { exit: given.exit, out: '', err: given.message }
  const world = fakeWorld({
    cwd: folder,
    home: join(folder, 'home'),
    self: ['/opt/node', '/opt/mcpaql'],
    now: () => NOW,
  })
  const ended = await hook.run(given, world)
  const [exit, message] = isStop(ended) ? [ended.exit, ended.message] : [ended, '']
  return { exit, out: world.said.out, err: world.said.err + message }
}

const settings = (...path: string[]) => join(folder, ...path)
const put = (text: string, ...path: string[]) => {
  mkdirSync(join(folder, ...path.slice(0, -1)), { recursive: true })
  writeFileSync(settings(...path), text)
}
const read = (...path: string[]) => readFileSync(settings(...path), 'utf8')
const CLAUDE = ['.claude', 'settings.json']
const CURSOR = ['.cursor', 'hooks.json']

const OTHERS = `${JSON.stringify(
  {
    model: 'opus',
    hooks: {
      PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: './mine.sh' }] }],
      Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }],
    },
    permissions: { deny: ['WebFetch'] },
  },
  null,
  4,
)}\n`

describe('mcpaql hook install', () => {
  test('without --yes shows the change and changes nothing', async () => {
    put(OTHERS, ...CLAUDE)
    const { exit, out, err } = await run('install', 'claude', '--key', KEY)
    expect(exit).toBe(0)
    expect(
      out
        .split('\n')
        .filter((line) => line.startsWith('+'))
        .join('\n'),
    ).toContain(`--key ${KEY} || exit 2`)
    expect(out.split('\n').filter((line) => line.startsWith('-'))).toEqual([])
    expect(err).toContain('--yes')
    expect(read(...CLAUDE)).toBe(OTHERS)
    expect(readdirSync(settings('.claude'))).toEqual(['settings.json'])
  })

  test('writes absolute paths, the fail-closed switch, and a backup; the rest stays', async () => {
    put(OTHERS, ...CLAUDE)
    expect((await run('install', 'claude', '--key', KEY, '--port', '9000', '--yes')).exit).toBe(0)
    const written = JSON.parse(read(...CLAUDE))
    const [mine, ours] = written.hooks.PreToolUse
    const { PostToolUse, ...others } = written.hooks
    expect(PostToolUse).toEqual([ours])
    expect(mine).toEqual({ matcher: 'Bash', hooks: [{ type: 'command', command: './mine.sh' }] })
    expect(ours).toEqual({
      matcher: '*',
      hooks: [{ type: 'command', command: expect.any(String), timeout: 10, onFailure: 'block' }],
    })
    expect(ours.hooks[0].command).toMatch(
      /^\/usr\/bin\/env -i '\/opt\/node' '\/.*\/cli\/hook\/bin\.js' --client claude --url http:\/\/127\.0\.0\.1:9000\/hook --key A{43} \|\| exit 2$/,
    )
    expect({ ...written, hooks: { ...others, PreToolUse: [mine] } }).toEqual(JSON.parse(OTHERS))
    expect(Object.keys(written)).toEqual(['model', 'hooks', 'permissions'])
    expect(read('.claude', 'settings.json.before-mcpaql-2026-11-16T01-02-03-000Z')).toBe(OTHERS)
  })

  test('twice is once, and a changed key takes the place of the old one', async () => {
    await run('install', 'claude', '--key', KEY, '--yes')
    const first = read(...CLAUDE)
    const again = await run('install', 'claude', '--key', KEY, '--yes')
    expect([again.exit, read(...CLAUDE)]).toEqual([0, first])
    expect(again.out).toContain('already')
    await run('install', 'claude', '--key', 'B'.repeat(43), '--yes')
    expect(read(...CLAUDE)).toBe(first.replaceAll(KEY, 'B'.repeat(43)))
  })

  test('a client without settings gets some', async () => {
    expect((await run('install', 'cursor', '--key', KEY, '--yes')).exit).toBe(0)
    const { version, hooks } = JSON.parse(read(...CURSOR))
    const entry = { command: expect.any(String), timeout: 10, failClosed: true }
    expect([version, hooks]).toEqual([
      1,
      {
        beforeShellExecution: [entry],
        beforeMCPExecution: [entry],
        afterShellExecution: [entry],
        afterMCPExecution: [entry],
      },
    ])
  })

  test('a file that lacks what the client demands beside the hooks gets it', async () => {
    put('{}', ...CURSOR)
    await run('install', 'cursor', '--key', KEY, '--yes')
    expect(JSON.parse(read(...CURSOR))).toMatchObject({ version: 1, hooks: expect.any(Object) })
  })

  test('an older hook of ours, which told nothing afterwards, is completed', async () => {
    await run('install', 'claude', '--key', KEY, '--yes')
    const whole = read(...CLAUDE)
    const { PostToolUse: _, ...older } = JSON.parse(whole).hooks
    put(`${JSON.stringify({ hooks: older }, null, 2)}\n`, ...CLAUDE)
    await run('install', 'claude', '--key', KEY, '--yes')
    expect(read(...CLAUDE)).toBe(whole)
  })

  test('line ends and the byte order mark stay as they are', async () => {
    const before = '\ufeff{\r\n\t"model": "opus"\r\n}\r\n'
    put(before, ...CLAUDE)
    await run('install', 'claude', '--key', KEY, '--yes')
    const after = read(...CLAUDE)
    expect([after.startsWith('\ufeff{\r\n\t"model"'), /[^\r]\n/.test(after)]).toEqual([true, false])
    await run('remove', 'claude', '--yes')
    expect(read(...CLAUDE)).toBe(before)
  })

  test('--user writes below the home folder', async () => {
    await run('install', 'claude', '--key', KEY, '--user', '--yes')
    expect(existsSync(settings('home', ...CLAUDE))).toBe(true)
    expect(existsSync(settings(...CLAUDE))).toBe(false)
  })

  test('a link stays a link, and the mode stays', async () => {
    put(OTHERS, 'real.json')
    mkdirSync(settings('.claude'))
    symlinkSync(settings('real.json'), settings(...CLAUDE))
    const before = statSync(settings('real.json')).mode
    await run('install', 'claude', '--key', KEY, '--yes')
    expect(read('real.json')).toContain(KEY)
    expect(statSync(settings('real.json')).mode).toBe(before)
  })

  test.each([
    ['the file', 'settings.json'],
    ['its folder', '.'],
  ])('M13 a link of the project that leads out of it is refused: %s', async (_, name) => {
    const outside = mkdtempSync(join(tmpdir(), 'hook-outside-'))
    writeFileSync(join(outside, 'settings.json'), OTHERS)
    if (name !== '.') mkdirSync(settings('.claude'))
    symlinkSync(join(outside, name), name === '.' ? settings('.claude') : settings(...CLAUDE))
    for (const verb of ['install', 'remove']) {
      const { exit, err } = await run(verb, 'claude', '--key', KEY, '--yes')
      expect([exit, err]).toEqual([2, expect.stringContaining('leads out of the project')])
    }
    expect(readFileSync(join(outside, 'settings.json'), 'utf8')).toBe(OTHERS)
    expect(readdirSync(outside)).toEqual(['settings.json'])
    rmSync(outside, { recursive: true })
  })

  test.each([
    ['no JSON', '{ // comment\n}', 'it is no JSON'],
    ['half of it', '{"hooks": {', 'it is no JSON'],
    ['a list', '[]', 'it holds no JSON object'],
    ['a key that stands there twice', '{"model": "a", "env": {"A": "1", "A": "2"}}', 'a key stands in it twice'],
    ['hooks that are no object', '{"hooks": []}', '"hooks" is not an object'],
    ['an event that is no list', '{"hooks": {"PreToolUse": {}}}', '"hooks"."PreToolUse" is not a list'],
  ])('a settings file with %s is left alone', async (_, text, fault) => {
    put(text, ...CLAUDE)
    for (const verb of ['install', 'remove']) {
      const { exit, err } = await run(verb, 'claude', '--key', KEY, '--yes')
      expect(exit).toBe(2)
      expect(err).toContain(fault)
    }
    expect(read(...CLAUDE)).toBe(text)
    expect(readdirSync(settings('.claude'))).toEqual(['settings.json'])
  })

  test('a settings file that is not UTF-8 is left alone', async () => {
    mkdirSync(settings('.claude'))
    const bytes = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
    writeFileSync(settings(...CLAUDE), bytes)
    const { exit, err } = await run('install', 'claude', '--key', KEY, '--yes')
    expect([exit, err]).toEqual([2, expect.stringContaining('is not UTF-8')])
    expect(readFileSync(settings(...CLAUDE)).equals(bytes)).toBe(true)
  })

  test.each([
    [['install'], 'takes install, remove or doctor'],
    [['install', 'emacs'], 'claude, cursor'],
    [['frob', 'claude'], 'takes install, remove or doctor'],
    [['install', 'claude', '--key', 'short'], '43 letters'],
    [['install', 'claude', '--key', KEY, '--port', '0'], '1 to 65535'],
  ])('%j is refused', async (args, message) => {
    const { exit, err } = await run(...args)
    expect([exit, err.includes(message)]).toEqual([2, true])
  })

  test('the key comes from the store, and stays the same', async () => {
    const store = `sqlite:${settings('state', 'state.db')}`
    await run('install', 'claude', '--store', store, '--yes')
    const first = read(...CLAUDE)
    expect(first).toMatch(/--key [\w-]{43} /)
    await run('install', 'claude', '--store', store, '--yes')
    expect(read(...CLAUDE)).toBe(first)
  })
})

describe('mcpaql hook remove', () => {
  test.each([
    ['claude', CLAUDE, OTHERS],
    ['claude', CLAUDE, '{\n\t"model": "opus"\n}\n'],
    ['claude', CLAUDE, '{}\n'],
    [
      'cursor',
      CURSOR,
      '{\n  "version": 1,\n  "hooks": {\n    "stop": [\n      {\n        "command": "./x"\n      }\n    ]\n  }\n}\n',
    ],
  ])('takes out of %s what install put in, and nothing else', async (client, path, before) => {
    put(before, ...path)
    await run('install', client, '--key', KEY, '--yes')
    expect(read(...path)).not.toBe(before)
    await run('remove', client, '--yes')
    expect(read(...path)).toBe(before)
  })

  test('a group that holds others keeps them', async () => {
    await run('install', 'claude', '--key', KEY, '--yes')
    const edited = JSON.parse(read(...CLAUDE))
    edited.hooks.PreToolUse[0].hooks.push({ type: 'command', command: './mine.sh' })
    put(JSON.stringify(edited), ...CLAUDE)
    await run('remove', 'claude', '--yes')
    expect(JSON.parse(read(...CLAUDE))).toEqual({
      hooks: { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: './mine.sh' }] }] },
    })
  })

  test.each([
    ['written on one line', '{"permissions":{"deny":["WebFetch"]},"hooks":{"PreToolUse":[]}}'],
    ['of others', OTHERS.replaceAll('    ', '\t')],
    ['without anything', ''],
  ])('settings %s that hold nothing of ours are not touched', async (_, text) => {
    put(text, ...CLAUDE)
    const { exit, out } = await run('remove', 'claude', '--yes')
    expect([exit, out]).toEqual([0, expect.stringContaining('holds no hook of mcpaql')])
    expect(read(...CLAUDE)).toBe(text)
    expect(readdirSync(settings('.claude'))).toEqual(['settings.json'])
  })

  test('where there is nothing, nothing happens', async () => {
    expect(await run('remove', 'claude', '--yes')).toMatchObject({ exit: 0, err: '' })
    expect(existsSync(settings('.claude'))).toBe(false)
  })
})

test('a difference is shown with what stands around it', () => {
  expect(diffLines('a\nb\nc\nd\ne\nf\n', 'a\nb\nc\nd\nX\ne\nf\n')).toEqual(['  b', '  c', '  d', '+ X', '  e', '  f'])
  expect(diffLines('a\n', 'a\n')).toEqual([])
  expect(diffLines('a\na\n', 'a\n')).toEqual(['  a', '- a'])
  expect(diffLines('', 'a\n')).toEqual(['+ a'])
  const ten = 'abcdefghij'.split('').join('\n')
  expect(diffLines(ten, ten.replace('b', 'b\nX').replace('i', 'Y'))).toEqual([
    '  a',
    '  b',
    '+ X',
    '  c',
    '  d',
    '  e',
    '  f',
    '  g',
    '  h',
    '- i',
    '+ Y',
    '  j',
  ])
  expect(diffLines(`${ten}\nk\nl`, `X\n${ten}\nk\nl\nY`)).toEqual([
    '+ X',
    '  a',
    '  b',
    '  c',
    '  …',
    '  j',
    '  k',
    '  l',
    '+ Y',
  ])
})
