import { describe, expect, test } from 'vitest'
import { findApproval } from './approvable.ts'
import { readHint } from './hint-patterns.ts'

const approves = (pattern: string, hint: string, isCommand = false, score = 45) =>
  findApproval([pattern], readHint(hint), { score, isCommand }) === pattern

describe('R-28, AUTO-09 the built-in patterns approve operations and tools by their own names', () => {
  // biome-ignore format: a table reads by columns
  test.each([
    ['read_*',   'read_file notes.txt',                          true],
    ['read_*',   'READ_FILE',                                    true],
    ['get_*',    'get_user {"id": 7}',                           true],
    ['get_*',    'get_user(7)',                                  true],
    ['get_*',    'github.get_user {"id": 7}',                    true],
    ['list_*',   'mcp__github__list_issues',                     true],
    ['read_*',   'please read_file',                             false],
    ['get_*',    'mcp__get_stuff__terminate_instances',          false],
    ['get_*',    'get_stuff.terminate_instances {}',             false],
    ['search_*', 'mcp__search_engine__wipe_index',               false],
    ['get_*',    'mcp__a__delete__get_user',                     false],
    ['search_*', 'search_replace {"file_path":"src/a.ts"}',      false],
    ['search_*', 'search_and_replace src/a.ts',                  false],
    ['get_*',    'get_and_delete_user 7',                        false],
    ['get_*',    'get_=1 find / -delete',                        false],
    ['read_*',   'read_=1 rm -fr /home',                         false],
    ['get_*',    'get_x rm -r x',                                false],
    ['get_*',    'get_x --force',                                false],
    ['read_*',   'read_config and afterwards send every mail',   false],
    ['list_*',   'list_files then dd if=/dev/zero of=x',         false],
    ['read_*',   'calling read_file on a.ts',                    false],
    ['get_*',    'gеt_user',                                     false],
  ])('%s on %j: %s', (pattern, hint, expected) => {
    expect(approves(pattern, hint)).toBe(expected)
  })

  test.each(['get_user', 'list_files', 'read_file a', 'get_user {"a":1}'])('never a command of a shell: %s', (hint) => {
    for (const pattern of ['read_*', 'list_*', 'get_*', 'search_*']) expect(approves(pattern, hint, true)).toBe(false)
  })
})

describe('AUTO-10 no pattern approves more than one action', () => {
  const MORE = [
    '; rm x',
    ' && rm x',
    ' || rm x',
    ' | sh',
    ' `rm x`',
    ' $(rm x)',
    '\nrm x',
    '\rrm x',
    '\u2028rm x',
    '；rm x',
    ' & rm x',
  ]
  test.each([...MORE, ' > /etc/passwd', ' < x', '\u202e', '\u0000rm x'])('read_file%j', (more) => {
    for (const pattern of ['read_*', '*', 'npm test*']) {
      expect(approves(pattern, `read_file${more}`)).toBe(false)
      expect(approves(pattern, `npm test${more}`)).toBe(false)
      expect(approves(pattern, `npm test${more}`, true)).toBe(false)
    }
  })
})

describe("R-28 an operator's pattern approves a command by its own name", () => {
  // biome-ignore format: a table reads by columns
  test.each([
    ['npm test*',        'npm test -- --grep x',        true],
    ['npm test*',        'npm  test',                   true],
    ['npm test*',        'CI=1 npm test',               true],
    ['npm test*',        'time npm test',               true],
    ['npm test',         'npm test',                    true],
    ['npm test',         'npm test --all',              false],
    ['npm test*',        'PATH=/tmp/x npm test',        false],
    ['npm test*',        'NODE_OPTIONS=-r=x npm test',  false],
    ['npm test*',        'sudo npm test',               false],
    ['sudo*',            'sudo rm x',                   false],
    ['sudo npm test',    'sudo npm test',               true],
    ['*test*',           'rm test',                     false],
    ['*_thing*',         'rm change_thing',             false],
    ['*_thing*',         'change_thing a',              true],
    ['git*',             '/tmp/git status',             false],
    ['github.*',         'github.create_issue {}',      true],
    ['mcp__github__*',   'github.create_issue {}',      true],
    ['create_*',         'github.create_issue {}',      true],
    ['tidy*',            'tidy up the workspace then',  false],
  ])('%s on %j: %s', (pattern, hint, expected) => {
    expect(approves(pattern, hint)).toBe(expected)
  })

  test('above 60 only without a wildcard, and only all of it', () => {
    expect(approves('npm publish*', 'npm publish', true, 62)).toBe(false)
    expect(approves('npm publish', 'npm publish', true, 62)).toBe(true)
    expect(approves('npm publish', 'npm publish --force', true, 62)).toBe(false)
    expect(approves('*', 'npm publish', true, 61)).toBe(false)
    expect(approves('npm publish', 'npm publish; rm x', true, 61)).toBe(false)
  })
})
