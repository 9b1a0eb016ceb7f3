/** What would change, with a few lines around it. */
export function diffLines(before: string, after: string): readonly string[] {
  const marked = compare(linesOf(before), linesOf(after))
  const near = marked.map((_, at) =>
    marked.slice(Math.max(0, at - AROUND), at + AROUND + 1).some((line) => !line.startsWith(' ')),
  )
  return marked.flatMap((line, at) => (near[at] ? [line] : near[at - 1] && near.indexOf(true, at) > 0 ? ['  …'] : []))
}

const AROUND = 3
/** Beyond this many pairs of lines the middle is shown as one stretch. */
const MOST_PAIRS = 4_000_000

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

function compare(old: readonly string[], fresh: readonly string[]): readonly string[] {
  const most = Math.min(old.length, fresh.length)
  let head = 0
  while (head < most && old[head] === fresh[head]) head++
  let tail = 0
  while (tail < most - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++
  const middle = [old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail)] as const
  return [
    ...old.slice(0, head).map((line) => `  ${line}`),
    ...changed(...middle),
    ...old.slice(old.length - tail).map((line) => `  ${line}`),
  ]
}

/** By the longest common subsequence. */
function changed(old: readonly string[], fresh: readonly string[]): readonly string[] {
  const isBig = old.length * fresh.length > MOST_PAIRS
  const width = fresh.length + 1
  const common = new Uint32Array(isBig ? 0 : (old.length + 1) * width)
  const at = (i: number, j: number) => common[i * width + j] ?? 0
  for (let i = old.length - 1; i >= 0 && !isBig; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      common[i * width + j] = old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const lines: string[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < fresh.length) {
    if (!isBig && i < old.length && j < fresh.length && old[i] === fresh[j]) {
      lines.push(`  ${old[i]}`)
      i++
      j++
    } else if (i < old.length && (isBig || j === fresh.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(`- ${old[i++]}`)
    } else {
      lines.push(`+ ${fresh[j++]}`)
    }
  }
  return lines
}
