/**
 * `cat > file <<EOF`: lines that a file is made of are no phrases around a command. Each line is looked at once: an
 * expression for all of it would begin anew at every mark that no line ends.
 */
export function withoutFiles(text: string): string {
  if (!text.includes('<<')) return text
  const lines = text.split('\n')
  const ends = endsIn(lines)
  const kept: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    kept.push(line)
    at = endOf(line, at, ends) ?? at
  }
  return kept.join('\n')
}

/** By its word, the lines that hold nothing else, the last one first. */
function endsIn(lines: readonly string[]): ReadonlyMap<string, number[]> {
  const ends = new Map<string, number[]>()
  for (let at = lines.length - 1; at >= 0; at--) {
    const mark = ALONE.exec(lines[at] ?? '')?.[1]
    if (mark === undefined) continue
    const known = ends.get(mark)
    if (known) known.push(at)
    else ends.set(mark, [at])
  }
  return ends
}

function endOf(line: string, at: number, ends: ReadonlyMap<string, number[]>): number | undefined {
  if (!line.includes('<<')) return undefined
  for (const [, , mark = ''] of line.matchAll(OPENS)) {
    const all = ends.get(mark)
    while (all && (all.at(-1) ?? at + 1) <= at) all.pop()
    const end = all?.at(-1)
    if (end !== undefined) return end
  }
  return undefined
}

const ALONE = /^[ \t]*(\w+)$/
const OPENS = /(?:^|[;&|])[ \t]*(?:cat|tee)\b[^<]{0,200}<<-?[ \t]*(['"]?)(\w+)\b\1/g
