import { expect, test } from 'vitest'
import { cpuTime } from '../../../../test/cpu-time.ts'
import { withoutFiles } from './file-lines.ts'
import { scoreHint } from './score-hint.ts'

test.each([
  ['cat > a <<EOF\nlet me\nEOF\nls', 'cat > a <<EOF\nls'],
  ['cd x && cat <<-"END" > a; ls\nlet me\n\tEND', 'cd x && cat <<-"END" > a; ls'],
  ['cat <<A\nA\nrm\nA', 'cat <<A\nrm\nA'],
  ['cat <<A\nB\ncat <<B\nrm\nB', 'cat <<A\nB\ncat <<B'],
  ['cat <<A\nrm', 'cat <<A\nrm'],
  ['cat <<A && tee <<B\nrm\nB\nls', 'cat <<A && tee <<B\nls'],
  ['sh <<A\nrm\nA', 'sh <<A\nrm\nA'],
  ['echo "cat <<A"\nrm\nA', 'echo "cat <<A"\nrm\nA'],
])('AUTO-02 of %j only the lines of a file are left out', (text, rest) => {
  expect(withoutFiles(text)).toBe(rest)
})

test.each(['cat <<A\n', 'cat <<A;', 'cat <<A\nB\n', 'tee <<-A\n\tA', '; \t', 'cat '])(
  'AUTO-02 %j again and again takes linear time',
  (each) => {
    const short = each.repeat(100_000 / each.length)
    const long = each.repeat(1_000_000 / each.length)
    expect(cpuTime(() => scoreHint(short))).toBeLessThan(150)
    expect(cpuTime(() => scoreHint(long))).toBeLessThan(250)
  },
)
