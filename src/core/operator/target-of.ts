/** One bound value that says what a call works on. */
export interface TargetPart {
  readonly name: string
  readonly text: string
}

/**
 * What a call works on, in at most two short values whose names say so: the narrowest, and what holds it. A headline
 * only; the parameters beside it are complete.
 */
export function targetOf(params: Readonly<Record<string, unknown>>): readonly TargetPart[] {
  const { hint } = params
  if (typeof hint === 'string' && hint !== '') return [{ name: 'hint', text: firstWords(hint) }]
  const short = Object.entries(params).flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
    return text !== '' && text.length <= LONGEST && name.length <= LONGEST ? [{ name, text }] : []
  })
  const ranked = short.flatMap((part) => {
    const rank = NAMES.findIndex((names) => names(part.name.toLowerCase()))
    return rank < 0 ? [] : [{ part, rank }]
  })
  const firsts = ranked.filter(({ rank }, at) => ranked.findIndex((other) => other.rank === rank) === at)
  return firsts
    .sort((a, b) => a.rank - b.rank)
    .slice(-MOST)
    .map(({ part }) => part)
}

/** The action that a pause is about, on one line. */
export function firstWords(hint: string): string {
  const line = hint
    .slice(0, LONGEST * 4)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > LONGEST || hint.length > LONGEST * 4 ? `${line.slice(0, LONGEST)}…` : line
}

const MOST = 2
const LONGEST = 120

/** From the wider to the narrower, so that the target reads as a path. */
const NAMES: readonly ((name: string) => boolean)[] = [
  oneOf('owner', 'org', 'organization', 'account', 'tenant', 'workspace'),
  oneOf('database', 'bucket', 'project', 'repo', 'repository', 'namespace', 'cluster', 'collection'),
  oneOf('schema', 'table', 'queue', 'topic', 'channel', 'folder', 'environment'),
  oneOf('id', 'name', 'key', 'path', 'file', 'url', 'branch', 'email', 'user', 'to', 'host', 'title', 'slug', 'target'),
  (name) => name.endsWith('_id') || name.endsWith('_name') || name.endsWith('_key'),
]

function oneOf(...names: readonly string[]): (name: string) => boolean {
  return (name) => names.includes(name)
}
