/** What would change, with a few lines around it. One stretch: an edit of settings has no more. */
export function diffLines(before: string, after: string): readonly string[] {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  let head = 0
  while (head < Math.min(old.length, fresh.length) && old[head] === fresh[head]) head++
  let tail = 0
  while (tail < Math.min(old.length, fresh.length) - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++
  if (head === old.length && head === fresh.length) return []
  return [
    ...old.slice(Math.max(0, head - AROUND), head).map((line) => `  ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `- ${line}`),
    ...fresh.slice(head, fresh.length - tail).map((line) => `+ ${line}`),
    ...old
      .slice(old.length - tail)
      .slice(0, AROUND)
      .map((line) => `  ${line}`),
  ]
}

const AROUND = 3

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}
