import { describe, expect, test } from 'vitest'
import { DEFAULT_AUTONOMY } from '../../protocol/directive.ts'
import { findApproval } from './approvable.ts'
import { findInside, readHint } from './hint-patterns.ts'

const inside = (pattern: string, hint: string) => findInside([pattern], readHint(hint)) === pattern

describe('AUTO-09 strict patterns match inside the hint', () => {
  // biome-ignore format: a table reads by columns
  test.each([
    ['rm -rf*',      'executing shell command: rm -rf /',   true],
    ['rm -rf*',      'RM -RF /',                            true],
    ['rm -rf*',      'ｒｍ －ｒｆ /',                        true],
    ['rm -rf*',      'sudo /bin/rm -rf /',                  true],
    ['rm -rf*',      'rm  -rf /',                           true],
    ['rm -rf*',      'r\u200bm -rf /',                      true],
    ['rm -rf*',      'гm -rf /',                            true],
    ['rm -rf*',      'echo "rm -rf /"',                     true],
    ['rm -rf*',      'alarm -rf',                           false],
    ['drop_*',       'call drop_table',                     true],
    ['drop_*',       'tools.drop_table(users)',             true],
    ['drop_*',       'backdrop_image',                      false],
    ['drop_*',       'airdrop_ready',                       false],
    ['*_production*','sync to_production now',              true],
    ['*force*',      'git push --force',                    true],
    ['git push*',    'then git push',                       true],
    ['git push*',    'digit push',                          false],
    ['delete_?',     'delete_a and more',                   true],
    ['delete_?',     'delete_',                             false],
    ['--force',      'push --force-with-lease',             true],
    ['a*b*c',        'x abc',                               true],
    ['a*b*c',        'x acb',                               false],
    ['a.c',          'abc',                                 false],
    ['STRASSE*',     'die straße',                          true],
  ])('%s in %j: %s', (pattern, hint, expected) => {
    expect(inside(pattern, hint)).toBe(expected)
  })
})

test('security: evil patterns over 10,000 characters take no time', () => {
  const patterns = ['a*a*a*a*a*a*a*a*b', `${'*a'.repeat(99)}b`, '?'.repeat(199), `${'a?'.repeat(99)}c`, '*'.repeat(200)]
  const hints = ['a'.repeat(10_000), 'a '.repeat(5_000), ' '.repeat(10_000)]
  const start = performance.now()
  for (const hint of hints) {
    const text = readHint(hint)
    findInside(patterns.slice(0, 4), text)
    findApproval(patterns, text, { score: 31 })
  }
  expect(performance.now() - start).toBeLessThan(1_500)
})

test('DONGLE-04 the built-in lists are these', () => {
  expect(DEFAULT_AUTONOMY).toEqual({
    maxAutonomousSteps: 10,
    riskTolerance: 'moderate',
    deny: ['drop_*', 'delete_all*', '*_production*'],
    requiresApproval: ['delete_*', '*force*', 'deploy_*', 'git push*'],
    autoApprove: ['read_*', 'list_*', 'get_*', 'search_*'],
  })
})
