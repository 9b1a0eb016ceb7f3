import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { filterText } from './filters.ts'
import { scoreHint } from './score-hint.ts'

const scoresOf = (hints: readonly string[]) => hints.map((hint) => [hint, scoreHint(hint).score] as const)

describe('AUTO-13 what a filter makes of a text', () => {
  test('a text that is not known to the letter asks with a code where it is run', () => {
    const hints = [
      "echo 'echo rm -rf ~' | grep -o 'rm.*' | sh",
      "echo 'echo rm -rf ~' | egrep -o 'r.+' | bash",
      "eval \"$(echo 'echo rm -rf ~' | grep -o 'rm.*')\"",
      "$(echo 'echo rm -rf /home' | grep -oE 'rm.+')",
      "bash -c \"$(echo 'echo rm -rf ~' | grep -o 'rm.*')\"",
      "echo '#rm -rf ~' | cut --complement -c1 | sh",
      "echo '#rm -rf ~' | cut -c1,3- --output-delimiter= | sh",
      "echo 'echo rm -rf ~' | sed 's/ECHO//I' | sh",
      "echo 'echo rm -rf ~' | sed -E 's/(echo )//' | sh",
      "printf 'echo x\\nrm -rf ~\\n' | sed -n '2p' | sh",
      "printf 'echo \\\\\\nrm -rf ~\\n' | sort -r | sh",
      "printf 'echo \\\\\\nrm -rf ~\\n' | uniq -f 1 | sh",
      "printf 'echo 12345678 rm -rf ~' | fold -w 14 | sh",
      "printf '# \\001rm -rf ~\\n' | strings | sh",
      "echo '+AHIAbQ- -rf +AH4-' | iconv -f UTF-7 | sh",
      "echo 'a rm -rf ~' | column -t -H1 | sh",
      "printf 'cat <<E\\nrm -rf ~\\nE\\n' | sort -R | sh",
      "printf 'cat <<E\\nrm -rf ~\\nE\\n' > x; sort x > y; sh y",
      'echo cm0=LXJmIH4K | base64 -d | sh',
      // Who reads first takes a part away.
      "echo '#rm -rf ~' | { read -n1; cat; } | sh",
      "echo '#rm -rf ~' | (head -c1 > /dev/null && cat) | bash",
      "echo '#rm -rf ~' | { dd bs=1 count=1 of=/dev/null; sh; }",
      "echo '#rm -rf ~' | if read -n1; then cat; fi | sh",
    ]
    expect(scoresOf(hints).filter(([, score]) => score <= 60)).toEqual([])
  })

  test('what is known to the letter is judged as what it becomes', () => {
    const hints = [
      "echo 'r#m# -rf ~' | tr -cd 'a-z~ -' | sh",
      "echo 'r#m# -rf ~' | tr --complement --delete 'a-z~ -' | sh",
      "echo '#rm -rf ~' | tr --delete '#' | sh",
      "echo 'rrrm -rf ~' | tr -s r | sh",
      "printf ': \\nrm -rf ~\\n: \\n' | grep -v : | sh",
      "printf 'cat <<E\\nrm -rf ~\\nE\\n' | grep rm | sh",
      "printf 'cat <<E\\nrm -rf ~\\nE\\n' > x; grep rm x | sh",
      "printf 'xx\\nrm -rf ~\\n' | awk 'NR>1{print}' | sh",
      "printf 'echo \\\\\\nrm -rf ~\\n' | tail -n +2 | sh",
      'echo 6563686f20782020 3b726d202d7266207e | xxd -r -p | sh',
    ]
    expect(scoresOf(hints).filter(([, score]) => score <= 80)).toEqual([])
  })

  test('without something that runs it, a text may become what it will', () => {
    const hints = [
      'git log --format=%an | sort | uniq -c | sort -rn | head',
      "echo \"$PATH\" | tr ':' '\\n' | sort | uniq",
      "echo 'a b' | fold -w 40 | nl | column -t",
      "for f in $(printf 'b\\na\\n' | sort -r); do echo $f; done",
      "x=$(echo v1.2.3 | grep -oE '[0-9.]+'); echo $x",
      "echo 'npm test' | tee log.txt | sh",
      "echo 'ls -la' | cat | sh",
      "printf 'one\\ntwo\\n' | grep -v two | xargs echo",
      "echo 'npm test' | (cd web && bash)",
      "echo 'npm test' | { echo start; cat; } | cat | sh -x",
      'echo one two | { read a b; echo "$b"; }',
    ]
    expect(scoresOf(hints).filter(([, score]) => score > 30)).toEqual([])
  })

  const TEXTS = ['', 'one', 'a b  c\n', 'x\ny\ny\nx', 'rm -rf\n\n  two: 2\n', 'K=1\nk=2\n;#$ aab\n']
  const CALLS: readonly (readonly string[])[] = [
    ['tr', '-cd', 'a-z\\n'],
    ['tr', '-d', '[:space:]'],
    ['tr', '-s', 'a-y'],
    ['tr', '-c', 'a-z', '_'],
    ['tr', 'a-z', 'A-M'],
    ['tr', '-ds', 'x', 'y'],
    ['cut', '-c2-'],
    ['cut', '-d', ' ', '-f2-'],
    ['cut', '-d=', '-f1'],
    ['head', '-n', '-1'],
    ['head', '-c', '3'],
    ['tail', '-n', '+2'],
    ['tail', '-1'],
    ['tac'],
    ['rev'],
    ['uniq'],
    ['sort', '-u'],
    ['grep', '-v', 'y'],
    ['grep', '-io', 'k'],
    ['grep', '-o', 'a'],
    ['grep', '^x$'],
    ['grep', '.'],
    ['grep', '-iv', 'k='],
    ['awk', 'NF'],
    ['awk', 'NR==2'],
    ['sed', 's/y/z/; s/a/bb/g'],
    ['base64'],
    ['fold'],
    ['strings'],
  ]

  test.runIf(process.platform === 'linux').each(CALLS)('is what it writes: %s %s %s', (program, ...args) => {
    for (const text of TEXTS) {
      const made = filterText(program, args, text)
      const { stdout, error } = spawnSync(program, args, {
        input: text,
        encoding: 'utf8',
        env: { ...process.env, LC_ALL: 'C' },
      })
      // A program that is not installed proves nothing.
      if (made !== undefined && !error) expect([text, made]).toEqual([text, stdout])
    }
  })
})
