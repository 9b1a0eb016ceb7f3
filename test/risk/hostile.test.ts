// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { expect, test } from 'vitest'
import { scoreHint } from '../../src/core/autonomy/risk/score-hint.ts'
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

test('what is grave stays grave over budget', () => {
  expect(scoreHint(`rm -rf / ; ${'echo a; '.repeat(1_200)}`).score).toBeGreaterThanOrEqual(70)
})
