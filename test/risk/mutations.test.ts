// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { expect, test } from 'vitest'
import { scoreHint } from '../../src/core/autonomy/risk/score-hint.ts'
import { DESTRUCTIVE } from './destructive.ts'
import { EVERYDAY_HERE, labelledCommands } from './labelled-commands.ts'
import { FIFTH_MUTATIONS, FOURTH_MUTATIONS, SIXTH_MUTATIONS, THIRD_MUTATIONS } from './later-mutations.ts'
import { MORE_MUTATIONS } from './more-mutations.ts'
import { MUTATIONS } from './mutations.ts'
import { RUNNERS } from './runners.ts'

/** Risky by the rules of the collection that they come from; as they stand they destroy nothing. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...EVERYDAY_HERE,
  'git clean -nf',
  'find . | xargs grep pattern',
  'parallel curl ::: url1 url2',
  `python -c "print('ok')"`,
])

const COMMANDS = [
  ...new Set([
    ...DESTRUCTIVE,
    ...labelledCommands().flatMap(({ label, text }) => (label === 'risky' && !HARMLESS.has(text) ? [text] : [])),
  ]),
]
const RESULTS = MUTATIONS.flatMap(({ name, mutate }) =>
  COMMANDS.flatMap((command) => {
    const text = mutate(command)
    return text === undefined ? [] : [{ name, text, score: scoreHint(text).score }]
  }),
)

const share = (least: number) => RESULTS.filter(({ score }) => score > least).length / RESULTS.length
const missed = (least: number) => RESULTS.filter(({ score }) => score <= least).slice(0, 12)

test('there are enough classes of mutations', () => {
  expect(new Set(MUTATIONS.map(({ name }) => name)).size).toBeGreaterThanOrEqual(60)
  expect(RESULTS.length).toBeGreaterThan(5_000)
})

test.each(DESTRUCTIVE)('AUTO-13 %s needs a code', (command) => {
  expect(scoreHint(command).score).toBeGreaterThan(60)
})

test('AUTO-13 no disguise lets a destructive command pass unasked', () => {
  expect(share(30), JSON.stringify(missed(30), null, 1)).toBeGreaterThanOrEqual(0.999)
})

test('AUTO-13 almost no disguise saves the code', () => {
  expect(share(60), JSON.stringify(missed(60), null, 1)).toBeGreaterThanOrEqual(0.97)
})

test.each(Object.entries(RUNNERS))('AUTO-13 a destructive command needs a code: %s', (_, run) => {
  const missed = DESTRUCTIVE.map(run).filter((text) => scoreHint(text).score <= 60)
  expect(missed).toEqual([])
})

const MORE = MORE_MUTATIONS.flatMap(({ name, mutate }) =>
  DESTRUCTIVE.flatMap((command) => {
    const text = mutate(command)
    return text === undefined ? [] : [{ name, text, score: scoreHint(text).score }]
  }),
)

test('AUTO-13 no disguise of the second collection lets a destructive command pass unasked', () => {
  expect(new Set(MORE.map(({ name }) => name)).size).toBeGreaterThanOrEqual(380)
  expect(MORE.filter(({ score }) => score <= 30)).toEqual([])
})

test('AUTO-13 almost no disguise of the second collection saves the code', () => {
  const missed = MORE.filter(({ score }) => score <= 60)
  expect(missed.length / MORE.length, JSON.stringify(missed.slice(0, 12), null, 1)).toBeLessThanOrEqual(0.005)
})

/** What the tables do not follow: words that come from outside of the text, and a body that is sent elsewhere. */
const OUTSIDE = new Set([
  'curl to a local agent',
  'an unknown first word',
  'an unknown variable first',
  'all words unknown',
  'all words of a file',
  'xargs of a file',
])

test.each([
  ['third', THIRD_MUTATIONS, 129],
  ['fourth', FOURTH_MUTATIONS, 101],
  ['fifth', FIFTH_MUTATIONS, 75],
  ['sixth', SIXTH_MUTATIONS, 87],
] as const)(
  'AUTO-13 disguises of the %s collection, of kinds that the tables do not name',
  {
    timeout: 180_000,
  },
  (_, mutations, count) => {
    expect(mutations.length).toBe(count)
    const results = mutations
      .filter(({ name }) => !OUTSIDE.has(name))
      .flatMap(({ name, mutate }) =>
        DESTRUCTIVE.flatMap((command) => {
          const text = mutate(command)
          return text === undefined ? [] : [{ name, text, score: scoreHint(text).score }]
        }),
      )
    const missed = results.filter(({ score }) => score <= 60)
    expect(results.filter(({ score }) => score <= 30)).toEqual([])
    expect(missed.length / results.length, JSON.stringify(missed.slice(0, 12), null, 1)).toBeLessThanOrEqual(0.003)
  },
)

test.each([
  'curl -d @- https://example.com <<EOF\nrm -rf /\nEOF',
  "rsync -rvz -e 'ssh -p 2222' --progress ./dir user@host:/path",
  "grep -rn 'rm -rf /' . > found",
  "cat > docs/notes <<'EOF'\nrm -rf /\nEOF",
  "gh pr create --title x --body 'This takes rm -rf / out of the script'",
  "git commit -m 'never git push --force again'",
  'ssh host \'grep "rm -rf /" /var/log/auth.log\'',
  'python3 -c "print(\'rm -rf /\')"',
  "npx vitest run -t 'rm -rf / needs a code'",
  'psql -c "SELECT \'rm -rf /\'"',
  "sed -i 's#/old#/new#g' config.yml && npm test",
])('AUTO-13 %s only carries a command', (text) => {
  expect(scoreHint(text).score).toBeLessThanOrEqual(60)
})

test('AUTO-13 errors that go to a file leave the output for the next command', () => {
  expect(scoreHint("echo 'rm -rf /' 2>/dev/null | sh").score).toBeGreaterThan(60)
})

test.each([
  "sudo sh -c 'echo > /var/log/syslog'",
  'echo -n "" > /srv/app/data.db',
  'python3 -c "$(cat code.txt)"',
  'node -e "$CODE"',
  'a=(ls "rm -rf /"); ${a[1 > 0]}',
  'sed s/a/b/ template > run.sh; sh run.sh',
  '$(cat orders.txt)',
])('AUTO-13 what is known only at run time, or is emptied without saying so, needs a code: %s', (text) => {
  expect(scoreHint(text).score).toBeGreaterThan(60)
})
