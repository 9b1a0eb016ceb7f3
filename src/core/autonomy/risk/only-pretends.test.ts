import { describe, expect, test } from 'vitest'
import { onlyPretends, onlyTells, onlyTellsInWords, onlyTellsOfOrder } from './only-pretends.ts'
import { scoreHint } from './score-hint.ts'

const wordsOf = (text: string) => text.split(' ')

describe('AUTO-13 a word that makes a call harmless is an option of the program itself', () => {
  test.each([
    ['--help', true],
    ['--version', true],
    ['-S --help a b', false],
    ['a --help', false],
    ['-- --help', false],
  ])('help of a program: %s is %s', (text, expected) => {
    expect(onlyTells(wordsOf(text))).toBe(expected)
  })

  test.each([
    ['delete pod x --help', true],
    ['-chdir=a destroy --help', true],
    ['compose --version', true],
    ['--version', true],
    ['install web chart --version 1.2.3', false],
    ['delete -n --help', false],
    ['delete x -- --help', false],
  ])('help of a sub-command: %s is %s', (text, expected) => {
    expect(onlyTellsOfOrder(wordsOf(text))).toBe(expected)
  })

  test.each([
    ['help yank', 'first', true],
    ['yank help', 'first', false],
    ['ec2 terminate-instances help', 'last', true],
    ['help', 'last', true],
    ['ec2 terminate-instances --instance-ids help', 'last', false],
    ['s3 rm s3://b help', 'last', false],
    ['a b c help', 'last', false],
  ] as const)('the order of a help: %s at the %s place is %s', (text, place, expected) => {
    expect(onlyTellsInWords(wordsOf(text), place)).toBe(expected)
  })

  test.each([
    ['push --dry-run origin main', true],
    ['publish --access public --dry-run', true],
    ['publish --allow-dirty --dry-run', true],
    ['delete pod x --dry-run=client', true],
    ['delete pods --all --all-namespaces --dry-run=server', true],
    ['remove --assumeno nginx', true],
    ['rm --dry_run dataset', true],
    ['uninstall web --description --dry-run', false],
    ['publish --dry-run --no-dry-run', false],
    ['publish --dry-run --no-dry', false],
    ['publish --dry-run --dry-run=false', false],
    ['publish --dry-run false', false],
    ['delete pod x --dry-run=none', false],
    ['exec x -- --dry-run', false],
    ['\0 --dry-run', false],
  ])('a rehearsal: %s is %s', (text, expected) => {
    expect(onlyPretends(wordsOf(text))).toBe(expected)
  })

  test('a command in one word before it takes it as its own', () => {
    expect(onlyPretends(['exec', 'x', 'sh', '-c', 'rm -rf /', '--dry-run'])).toBe(false)
    expect(onlyPretends(['create', '--from-literal=a=b c', '--dry-run=client'])).toBe(true)
  })

  test.each([
    ['-avn a b', true],
    ['-n a b', true],
    ['-av -n a b', true],
    ['-en a b', false],
    ['-e -n a b', false],
    ['-an --no-n a b', false],
    ['a b -- -n', false],
  ])('a letter: %s is %s', (text, expected) => {
    expect(onlyPretends(wordsOf(text), { names: '-n', switches: 'av' })).toBe(expected)
  })
})

describe('AUTO-13 names of calls and words of sentences beside what reads', () => {
  test.each([
    'get_status / delete_everything',
    'read_config "destroy_cluster"',
    'read_config {"tool":"wipe_disk"}',
    'calling get_user with delete=true',
    'get_user {"id":7,"delete":true}',
    'get_rid_of_users',
    'SELECT * FROM users, and afterwards truncate it',
    'npm audit fix --force',
    'rg --pre /tmp/evil x',
    'git grep -O/tmp/evil x',
  ])('%s is a question', (hint) => {
    expect(scoreHint(hint).score).toBeGreaterThan(30)
  })

  test.each(['git stash drop', 'sqlite3 dev.db "delete from sessions"', 'dropdb app_test'])(
    '%s is no crime',
    (hint) => {
      expect(scoreHint(hint).score).toBeLessThanOrEqual(60)
    },
  )
})
