import type { Change, ListOptions, Store } from '../core/ports/store.ts'

/** For tests and throwaway runs. Values are kept as JSON text, so that nobody holds a record by reference. */
export function createMemoryStore(): Store {
  const kinds = new Map<string, Map<string, string>>()
  let isOpen = true

  const records = (kind: string): Map<string, string> => {
    if (!isOpen) throw new Error('The store is closed.')
    const known = kinds.get(kind)
    if (known) return known
    const empty = new Map<string, string>()
    kinds.set(kind, empty)
    return empty
  }

  return {
    async get<T>(kind: string, id: string) {
      return parse<T>(records(kind).get(id))
    },

    async update<T, R>(kind: string, id: string, change: Change<T, R>) {
      const ofKind = records(kind)
      const { next, result } = change(parse<T>(ofKind.get(id)))
      if (next === undefined) ofKind.delete(id)
      else ofKind.set(id, JSON.stringify(next))
      return result
    },

    async list<T>(kind: string, { prefix = '', limit }: ListOptions = {}) {
      const ids = [...records(kind).keys()].filter((id) => id.startsWith(prefix)).sort(byCodePoint)
      return ids.slice(0, limit).map((id) => ({ id, value: parse<T>(records(kind).get(id)) as T }))
    },

    async close() {
      isOpen = false
      kinds.clear()
    },
  }
}

function parse<T>(text: string | undefined): T | undefined {
  return text === undefined ? undefined : JSON.parse(text)
}

/** As a database orders UTF-8; JavaScript's own order puts U+1F600 before U+FB01. */
function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
