/** One text among the arguments of a call. */
export interface CallText {
  /** The key under which it stands, in small letters with underscores; of a list, the key of the list. */
  readonly key: string
  readonly text: string
  /** It stands in a list, as the words of a command do. */
  readonly isListed: boolean
}

export interface CallTexts {
  readonly texts: readonly CallText[]
  /** Every object in the arguments, the outermost first. */
  readonly objects: readonly Readonly<Record<string, unknown>>[]
  /** There is more than was looked at. */
  readonly isCut: boolean
}

const MOST_NODES = 1_500
const MOST_DEPTH = 24
const LONGEST_JSON = 100_000

/** All texts of a call, however deep, also inside texts that are JSON themselves. */
export function textsIn(input: Readonly<Record<string, unknown>>): CallTexts {
  const texts: CallText[] = []
  const objects: Readonly<Record<string, unknown>>[] = []
  const left: Node[] = [{ value: input, key: '', isListed: false, depth: 0 }]
  for (let at = 0; at < left.length; at++) {
    const { value, key, isListed, depth } = left[at] as Node
    if (at >= MOST_NODES || depth > MOST_DEPTH) return { texts, objects, isCut: true }
    if (typeof value === 'string') {
      texts.push({ key, text: value, isListed })
      const inner = parsed(value)
      if (inner !== undefined) left.push({ value: inner, key, isListed, depth: depth + 1 })
    } else if (Array.isArray(value)) {
      for (const item of value.slice(0, MOST_NODES + 1))
        left.push({ value: item, key, isListed: true, depth: depth + 1 })
    } else if (typeof value === 'object' && value !== null) {
      objects.push(value as Readonly<Record<string, unknown>>)
      for (const [name, item] of Object.entries(value).slice(0, MOST_NODES + 1))
        left.push({ value: item, key: plainKey(name), isListed: false, depth: depth + 1 })
    }
  }
  return { texts, objects, isCut: false }
}

/** `workingDirectory`, `working-directory` and `working_directory` are the same key. */
export function plainKey(name: string): string {
  return name
    .slice(0, 100)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()
}

interface Node {
  readonly value: unknown
  readonly key: string
  readonly isListed: boolean
  readonly depth: number
}

function parsed(text: string): unknown {
  if (text.length > LONGEST_JSON || !/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
