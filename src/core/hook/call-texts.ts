/** One text among the arguments of a call. */
export interface CallText {
  /** The key under which it stands, in small letters with underscores; of a list, the key of the list. */
  readonly key: string
  readonly text: string
  /** It stands in a list, as the words of a command do. */
  readonly isListed: boolean
}

export interface CallList {
  readonly key: string
  readonly words: readonly string[]
}

export interface CallTexts {
  readonly texts: readonly CallText[]
  /** Every list of plain values: the words of a command may stand in one. */
  readonly lists: readonly CallList[]
  /** Every object in the arguments, the outermost first. */
  readonly objects: readonly Readonly<Record<string, unknown>>[]
  /** There is more than was looked at. */
  readonly isCut: boolean
}

const MOST_NODES = 1_500
const MOST_DEPTH = 24
/** More words than a command line has. */
const MOST_WORDS = 500
const LONGEST_JSON = 100_000

/**
 * All texts of a call, however deep, also inside texts that are JSON themselves; unless they are the contents of a file,
 * whose own keys mean something else.
 */
export function textsIn(
  input: Readonly<Record<string, unknown>>,
  isContent: (key: string) => boolean = () => false,
): CallTexts {
  const texts: CallText[] = []
  const lists: CallList[] = []
  const objects: Readonly<Record<string, unknown>>[] = []
  const left: Node[] = [{ value: input, key: '', isListed: false, depth: 0 }]
  for (let at = 0; at < left.length; at++) {
    const { value, key, isListed, depth } = left[at] as Node
    if (at >= MOST_NODES || depth > MOST_DEPTH) return { texts, lists, objects, isCut: true }
    if (typeof value === 'string') {
      texts.push({ key, text: value, isListed })
      const inner = isContent(key) ? undefined : parsed(value)
      if (inner !== undefined) left.push({ value: inner, key, isListed, depth: depth + 1 })
    } else if (Array.isArray(value)) {
      if (value.length > 0 && value.length <= MOST_WORDS && value.every(isPlain))
        lists.push({ key, words: value.map(String) })
      for (const item of value.slice(0, MOST_NODES + 1))
        left.push({ value: item, key, isListed: true, depth: depth + 1 })
    } else if (typeof value === 'object' && value !== null) {
      objects.push(value as Readonly<Record<string, unknown>>)
      const fields = value as Readonly<Record<string, unknown>>
      for (const name of Object.keys(fields).slice(0, MOST_NODES + 1))
        left.push({ value: fields[name], key: plainKey(name), isListed: false, depth: depth + 1 })
    }
  }
  return { texts, lists, objects, isCut: false }
}

/** `workingDirectory`, `working-directory` and `working_directory` are the same key. */
export function plainKey(name: string): string {
  if (name.length <= 100 && /^[a-z\d_]*$/.test(name)) return name
  return name
    .slice(0, 100)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
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
