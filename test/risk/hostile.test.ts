// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { describe, expect, test } from 'vitest'
import { evaluate } from '../../src/core/autonomy/evaluate.ts'
import { findInside, PATTERN_WORK, readHint } from '../../src/core/autonomy/hint-patterns.ts'
import { STEPS } from '../../src/core/autonomy/risk/budget.ts'
import { scoreHint } from '../../src/core/autonomy/risk/score-hint.ts'
import { withDefaults } from '../../src/core/autonomy/settings.ts'
import { cpuTime } from '../cpu-time.ts'

/** LOOP-12: the longest hint that is accepted. */
const LENGTH = 10_000
const fill = (piece: string) => piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH)
const nest = (open: string, inner: string, close: string, depth: number) =>
  open.repeat(depth) + inner + close.repeat(depth)

const HINTS: readonly string[] = [
  ...[
    '"$(',
    '$(',
    '`',
    '`\\`',
    '{',
    '{a,',
    '(',
    '${a:-',
    '"${a:-',
    '$((',
    '((1+',
    ';',
    'a;',
    'a ',
    '$(a) ',
    'cat <<A\n',
    '<(',
    '@(a|',
    '"',
    "'",
    'if a;then ',
    'case a in a) ',
    'f(){ ',
    '{1..999999}',
    'a|',
    '{1..9}',
    '{a,b}',
    '[[ ( ',
    '! ',
    '`a`',
    'a <<<"$(b)" ',
    '\\',
    'a=(',
    'a[$(',
    'rm ',
    'please rm x ',
    'find . -exec ',
    'find . -exec rm {} \\; ',
    'sudo ',
    'env ',
    "sh -c '",
    'xargs ',
    'eval ',
    'parallel ',
    '${x:1:2}',
    'DELETE FROM x WHERE 1=1;',
    '𝕣𝕞 ',
    'r\u200bm ',
    'гм ',
    'a\r',
    '`rm -rf x` ',
    '"rm -rf x" ',
    'command: ',
    'delete all production databases and ',
    'f(){ f;};f;',
    'alias a=b;a;',
    'while read x;do ',
    'coproc ',
    'time ',
    "trap 'rm' EXIT;",
    'git -c alias.x=!git ',
    '\0',
    '\x01',
    '😀',
    '\ud800',
    'a',
    '/',
    '../',
    '~',
    '*a',
    'a=b ',
    '&',
    '>a ',
    'a>$(b) ',
    'cat <(a) ',
    'kubectl get ',
    'zz rm -rf a ',
    'bash <<A\n$(',
  ].map(fill),
  nest('$(', 'a', ')', 200),
  nest('"$(', 'a '.repeat(4_000), ')"', 250),
  nest('$(( ', '1', ' ))', 250),
  nest('for i in 1 2 3 4 5 6 7 8; do ', 'rm -rf /', '; done', 60),
  `x=a;${'x=$x$x;'.repeat(1_000)}$x`,
  `x=${'a'.repeat(500)};${'${x%%*a*a*a*a*b};'.repeat(500)}`,
  `echo ${'{a,b,c,d,e}'.repeat(20)}`,
  `for i in ${'a '.repeat(2_000)}; do ${'rm -rf $i; '.repeat(500)} done`,
  `sed '${'s/a/b/e;'.repeat(1_200)}'`,
  `awk '${'print | '.repeat(1_200)}'`,
  `echo ${'QUJD'.repeat(2_400)} | base64 -d | sh`,
  `run_command ${'['.repeat(9_900)}`,
  `SELECT ${'('.repeat(9_900)}`,
  `curl ${fill('http://a/b?c=d&')}`,
  // Once without an end, or far beyond the budget.
  `SELECT ${'(DELETE FROM a'.repeat(700)}`,
  `psql -c "${'SELECT 1; '.repeat(990)}"`,
  `echo ${'a'.repeat(5_000)} | ${'base64 | '.repeat(500)} sh`,
  `echo ${'a'.repeat(6_000)} | ${'tr a-z A-Z | '.repeat(260)} sh`,
  `echo ${'a'.repeat(6_000)} | ${'rev | '.repeat(600)} sh`,
  fill('ﷺ'),
  fill('ΐ'),
  `echo $((${'1+'.repeat(4_900)}1))`,
  `printf '${'del a\n'.repeat(1_200)}' | redis-cli`,
  `I will ${'delete the old database and remove every user '.repeat(200)}`,
  `kubectl ${'--delete-x=y '.repeat(760)}`,
  `awk '${'"\\" | '.repeat(1_600)}'`,
  `awk '"" ${' '.repeat(9_800)} | x'`,
  `echo x | awk '${' '.repeat(9_800)}'`,
  `cat > x <<'E'\n${'\\" '.repeat(3_200)}\nE\nmake`,
  `python -c '${'"a" '.repeat(2_400)}'`,
  `python -c '"a"${' '.repeat(9_900)}"b"'`,
  `ruby -e '${'%x('.repeat(3_200)}'`,
  `mysql -e '${'\\! ls\n'.repeat(1_400)}'`,
  fill('/???/r? x;'),
  fill('<a>'),
  fill('\u001b['),
  fill('a\b'),
  `X='${'$('.repeat(4_900)}'; echo "\${X@P}"`,
  `${'echo a > f; make; '.repeat(550)}`,
  `aws ${'--ab-cd ef '.repeat(900)}`,
  // Texts that something may run, and what they may be in disguise.
  `foo '${'rm -rf x, '.repeat(980)}'`,
  `foo '${'git '.repeat(2_400)}'`,
  `foo 'a${' '.repeat(9_900)}'`,
  `foo '${'a+'.repeat(4_900)}'`,
  `foo '${'114 109 '.repeat(1_200)}'`,
  `foo '${'1'.repeat(9_900)}'`,
  `foo '${'cm0gLXJmIC8= '.repeat(760)}'`,
  `foo '${'\\x72'.repeat(2_400)}'`,
  `foo '${'r.m.'.repeat(2_400)}'`,
  `foo '${'"rm",'.repeat(1_900)}'`,
  `${'echo rm -rf /x > f; foo; '.repeat(390)}`,
  `${'echo "rm -rf x" > f$i; '.repeat(20)}${'foo; '.repeat(1_500)}`,
  `$X ${'-rf x '.repeat(1_600)}`,
  // PowerShell: brackets, quotes and variables without an end.
  ...['$x = ', 'Get-Date; ', '& $x ; ', "@'\n"].flatMap((head) =>
    [
      '$x = 1; ',
      '$x = 1\n',
      '$(',
      '"$(',
      "@'\n",
      '@{ a = ',
      '[a]::b(',
      'if (1) { ',
      '$x.a.b ',
      '<# ',
      '% { ',
      'a,',
    ].map((piece) => head + piece.repeat(9_900 / piece.length)),
  ),
  // Beginnings that look like a call, a request, a statement or a phrase, and go on without an end.
  ...[
    'get_x ',
    'get_x(',
    'get_x {',
    'GET https://x/',
    'SELECT 1; ',
    'Run npm test ',
    'calling read_file on a to ',
  ].flatMap((head) =>
    ['a,', 'a b ', '\\" ', "'; ", '/* ', '&a=1', 'a=', '{"a":', 'and ', 'get_x;', 'SELECT 1\n', 'run rm\n', '('].map(
      (piece) => `${head}${piece.repeat(9_900 / piece.length)}`,
    ),
  ),
]

test.each(HINTS.map((hint) => [hint.slice(0, 24), hint] as const))(
  'any text is judged within its work: %j…',
  (_, hint) => {
    let score = -1
    const time = Math.min(...Array.from({ length: 3 }, () => cpuTime(() => (score = scoreHint(hint).score))))
    expect(score).toBeGreaterThanOrEqual(0)
    expect(score).toBeLessThanOrEqual(100)
    expect(time).toBeLessThan(50)
  },
)

test('over budget is 70 and says so', () => {
  const { score, factors } = scoreHint(fill('"$('))
  expect(score).toBe(70)
  expect(factors[0]).toBe('the text is too involved to be judged (70)')
})

test('the work is this many steps', () => {
  expect(STEPS).toBe(24_000)
  expect(scoreHint('ls', { steps: 10 })).toMatchObject({ score: 70, tier: 'verify' })
})

test.each([
  ['statements', `psql -c "${'SELECT 1; '.repeat(300)}DROP TABLE users"`],
  ['words of SQL', `psql -c "SELECT ${'1, '.repeat(2_500)}1; DROP TABLE users"`],
  ['rounds', `for x in ${'true '.repeat(70)}'rm -rf /'; do $x; done`],
  ['lines', `printf '${'true\n'.repeat(70)}rm -rf /\n' | while read x; do eval "$x"; done`],
  ['items', `printf '${'true\n'.repeat(70)}rm -rf /\n' | xargs -I{} sh -c '{}'`],
  ['calls', `mongosh --eval "${'db.a.find();'.repeat(800)}db.dropDatabase()"`],
  ['recipes', `printf 'a:\n${'\ttrue\n'.repeat(300)}\trm -rf /\n' | make -f -`],
  ['levels', `echo $(( $(rm -rf /)${' + 1'.repeat(200)} ))`],
])('more %s than are looked at count as risky', (_, hint) => {
  expect(scoreHint(hint).score).toBeGreaterThanOrEqual(70)
})

describe('patterns', () => {
  const list = (pattern: (i: number) => string) => Array.from({ length: 500 }, (_, i) => pattern(i).slice(0, 200))
  const LISTS = {
    'long beginnings': list((i) => `${'a'.repeat(150 + (i % 49))}b`),
    stars: list((i) => `${'*a'.repeat(98)}b${i}`),
    'question marks': list((i) => `*a${'?'.repeat(99)}a${'?'.repeat(90)}b${i}`),
    'beginnings of words': list((i) => `${'a-'.repeat(90)}b${i}`),
    'letters of other scripts': list((i) => `${'ß'.repeat(100)}${i}`),
  }
  const CASES = Object.entries(LISTS).flatMap(([name, patterns]) =>
    ['a', 'a-', 'aaaa ', 'ab', 'ß', 'İ', 'ﷺ', '\u200b'].map((piece) => [name, piece, patterns] as const),
  )

  test.each(CASES)('five hundred with %s on %j are compared within their work', (_, piece, patterns) => {
    const settings = withDefaults({ deny: patterns, requiresApproval: patterns, autoApprove: patterns })
    const input = { hint: fill(piece), count: 0, scored: { score: 0, factors: [] }, settings }
    const time = Math.min(...Array.from({ length: 3 }, () => cpuTime(() => evaluate(input))))
    expect(time).toBeLessThan(50)
  })

  test('the work is this many comparisons, and ends with the one that was begun', () => {
    const hint = readHint(fill('a-'))
    findInside(LISTS['beginnings of words'], hint)
    expect(PATTERN_WORK).toBe(3_000_000)
    expect(hint.work.left).toBeLessThan(0)
    expect(hint.work.left).toBeGreaterThan(-2_000)
  })

  test('AUTO-19 what cannot be compared with the denied is stopped', () => {
    const settings = withDefaults({ deny: LISTS['beginnings of words'], autoApprove: ['*'] })
    const input = { hint: fill('a-'), count: 0, scored: { score: 0, factors: [] }, settings }
    expect(evaluate(input)).toMatchObject({
      outcome: 'stop',
      reason: 'Action is too involved to be compared with the patterns',
    })
  })
})

test('what is grave stays grave over budget', () => {
  expect(scoreHint(`rm -rf / ; ${'echo a; '.repeat(1_200)}`).score).toBeGreaterThanOrEqual(70)
})
