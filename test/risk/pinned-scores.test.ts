import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { scoreHint } from '../../src/core/autonomy/risk/score-hint.ts'
import { DESTRUCTIVE } from './destructive.ts'
import { FIFTH_MUTATIONS, FOURTH_MUTATIONS, SIXTH_MUTATIONS, THIRD_MUTATIONS } from './later-mutations.ts'
import { MORE_MUTATIONS } from './more-mutations.ts'
import { MUTATIONS } from './mutations.ts'
import { RUNNERS } from './runners.ts'

/**
 * Every number, row, pattern and condition of the tables shows in a score: a change of one is seen as changed lines of
 * `pinned-scores.txt`. When the change is meant, `npx vitest run test/risk/pinned-scores -u` records it.
 */
const FOLDER = new URL('commands/', import.meta.url)

/** All lists, and texts that reach what no list reaches: rows in `probes.txt`, branches in `branches.txt` (␤ is a line end). */
function listed(): readonly string[] {
  return (readdirSync(FOLDER, { recursive: true }) as string[])
    .filter((name) => name.endsWith('.txt'))
    .flatMap((name) => readFileSync(new URL(name, FOLDER), 'utf8').replace(/\n$/, '').split('\n'))
    .map((text) => text.replaceAll('␤', '\n'))
}

/** Each disguise once around something grave, and once around something harmless. */
function disguised(): readonly string[] {
  const all = [
    MUTATIONS,
    MORE_MUTATIONS,
    THIRD_MUTATIONS,
    FOURTH_MUTATIONS,
    FIFTH_MUTATIONS,
    SIXTH_MUTATIONS,
    Object.values(RUNNERS).map((mutate) => ({ mutate })),
  ].flat()
  return all.flatMap(({ mutate }, at) =>
    [DESTRUCTIVE[at % DESTRUCTIVE.length] ?? '', 'git status'].flatMap((command) => mutate(command) ?? []),
  )
}

/** Characters at the ends of what is hidden, inside of a name and beside it. */
function hidden(): readonly string[] {
  const ends = `0 1 8 9 b c e 1f 7e 7f 9f a0 ac ad ae 34e 34f 350 61b 61c 61d 115e 115f 1160 1161 17b3 17b4 17b5 17b6 180a 180b 180e 180f 200a 200b
    200f 2010 2027 2028 202e 202f 205f 2060 206f 2070 3163 3164 3165 fdff fe00 fe0f fe10 fefe feff ff00 ff9f ffa0 ffa1 fff8 fff9 fffb fffc 1d172
    1d173 1d17a 1d17b dfff e0000 e0fff e1000`
  const signs = ends.split(/\s+/).map((code) => String.fromCodePoint(Number.parseInt(code, 16)))
  return signs
    .flatMap((sign) => [`r${sign}m -rf /`, `frob${sign} x`])
    .concat('ls\rrm -rf /', 'ls\r\nrm -rf /', 'x\b\brm -rf /')
}

/** Texts around the bounds: how many of something is looked at, and how long it may be. */
function long(): readonly (readonly [name: string, text: string])[] {
  const counts = [7, 8, 15, 16, 17, 23, 24, 25, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 400, 1_000, 4_000]
  const shapes: readonly (readonly [start: string, piece: string, end: string])[] = [
    ['', 'ls; ', 'rm -rf /'],
    ['frob', ' x', ' rm -rf /'],
    ['frob', ' rm x', ''],
    ['frob', ' "rm x"', ' "rm -rf /"'],
    ['echo ', '$(', 'ls'],
    ['', 'sudo ', 'rm -rf /'],
    ['rm -rf', ' /tmp/x', ' /etc'],
    ['sed "', 's/a/b/;', 'e" x'],
    ['find . ', '-name x ', '-delete'],
    ['parallel rm :::', ' /tmp/a', ' /etc'],
    ['printf "', 'a\\n', '" | xargs rm'],
    ['for i in', ' a', '; do rm -rf /srv/$i; done'],
    ['python3 -c "x(', "'a',", "); os.system('rm -rf /')\""],
    ['psql -c "', 'select 1; ', 'drop table x"'],
    ['delete_x ', 'a ', '7'],
    ['', 'a=1 ', 'rm -rf /'],
    ['', 'echo x > a; ', 'sh a'],
    ['please ', 'look and ', 'delete all backups'],
    ['awk \'{ "', 'a b" | getline x; "', 'rm -rf /" | getline y }\''],
    ['{', '"a":[', '"rm -rf /"'],
    ['rm -rf ', '{a,b}', ''],
    ['az vm', ' x', ' delete'],
    ['x=rm; y="', 'a', '"; \u0024{y##a*} $x -rf /'],
  ]
  return shapes.flatMap((shape, at) =>
    counts.map((count) => [`${at} ${count}`, shape[0] + shape[1].repeat(count) + shape[2]] as const),
  )
}

/** The score, then what else was found and weighs less, then the text. */
function pinned(text: string, label = text): string {
  const { score, factors, nameScore } = scoreHint(text)
  const numbers = factors.map((factor) => (/undefined/.test(factor) ? '?' : (/\((\d+)\)$/.exec(factor)?.[1] ?? '?')))
  const name = nameScore === undefined ? '' : ` name ${nameScore}`
  return `${[numbers[0] === '?' ? '?' : score, ...numbers.slice(1)].join(' ')}${name}\t${written(label)}`
}

/** On one line, and with every sign to be seen. */
function written(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll(
      /[^\P{C}\t]|[\u2028\u2029\u00a0\u3164\uffa0\u115f\u1160]/gu,
      (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`,
    )
}

/** The least work that a text can be judged with: a higher price of a step, or a lower bound, changes it. */
function work(text: string): number {
  let [least, most] = [0, 24_001]
  while (least + 1 < most) {
    const steps = Math.floor((least + most) / 2)
    if (scoreHint(text, { steps }).factors.some((factor) => factor.includes('too involved'))) least = steps
    else most = steps
  }
  return most
}

test('AUTO-13 every score is the recorded one', { timeout: 120_000 }, async () => {
  const texts = [...new Set([...listed(), ...disguised(), ...hidden()])].sort()
  const lines = [
    ...texts.map((text) => pinned(text)),
    ...long().map(([name, text]) => pinned(text, `long text ${name}`)),
  ]
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('pinned-scores.txt')
})

test('AUTO-19 every price is the recorded one', { timeout: 120_000 }, async () => {
  const branches = readFileSync(new URL('branches.txt', FOLDER), 'utf8').split('\n')
  const texts = [...branches, ...disguised()].filter((text, at) => at % 6 === 1 && text.length < 400)
  const lines = [...new Set(texts)].sort().map((text) => `${work(text)}\t${written(text)}`)
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('pinned-work.txt')
})
