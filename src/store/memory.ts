import { randomUUID } from 'node:crypto'
import { chainHash, GENESIS } from '../core/audit/chain.ts'
import type { AuditEntry } from '../core/audit/entry.ts'
import { entryText } from '../core/audit/entry-text.ts'
import type {
  Change,
  ListOptions,
  RecordRef,
  RecordRefs,
  Store,
  TrailEntry,
  TrailHead,
  TrailQuery,
} from '../core/ports/store.ts'

/** For tests and throwaway runs. Values are kept as JSON text, so that nobody holds a record by reference. */
export function createMemoryStore(): Store {
  const kinds = new Map<string, Map<string, string>>()
  const trail: { readonly seq: number; readonly previous: string; readonly hash: string; readonly text: string }[] = []
  const followers = new Map<string, Set<(text: string | undefined) => void>>()
  let isOpen = true

  const assertOpen = (): void => {
    if (!isOpen) throw new Error('The store is closed.')
  }

  const records = (kind: string): Map<string, string> => {
    assertOpen()
    const known = kinds.get(kind)
    if (known) return known
    const empty = new Map<string, string>()
    kinds.set(kind, empty)
    return empty
  }

  const read = (ref: RecordRef<unknown>): unknown => parse(records(ref.kind).get(ref.id))

  const headOf = (): TrailHead => {
    const { seq, hash } = trail.at(-1) ?? { seq: 0, hash: GENESIS }
    return { seq, hash }
  }

  const append = (text: string): void => {
    const { seq: last, hash: previous } = headOf()
    const seq = last + 1
    trail.push({ seq, previous, hash: chainHash(previous, seq, text), text })
  }

  return {
    opener: randomUUID(),

    isGone: async (opener) => !isOpen || opener === '',

    async get<T>(ref: RecordRef<T>) {
      return read(ref) as T | undefined
    },

    async update<K extends RecordRefs, R>(refs: K, change: Change<K, R>) {
      assertOpen()
      const names = Object.keys(refs)
      const current = Object.fromEntries(names.map((name) => [name, read(refs[name] as RecordRef<unknown>)]))
      const { next = {}, audit = [], result } = change(current as Parameters<typeof change>[0])
      const written = Object.entries(next).map(([name, value]) => ({
        ref: refs[name] as RecordRef<unknown>,
        text: value === undefined ? undefined : JSON.stringify(value),
      }))
      const texts = audit.map(entryText)
      for (const { ref, text } of written) {
        if (text === undefined) records(ref.kind).delete(ref.id)
        else records(ref.kind).set(ref.id, text)
      }
      for (const text of texts) append(text)
      for (const { ref, text } of written) for (const tell of followers.get(nameOf(ref)) ?? []) tell(text)
      return result
    },

    follow<T>(ref: RecordRef<T>, onChange: () => void = () => {}) {
      let value = read(ref)
      const name = nameOf(ref)
      const told = followers.get(name) ?? new Set()
      const take = (text: string | undefined): void => {
        value = parse(text)
        onChange()
      }
      followers.set(name, told.add(take))
      return {
        current() {
          assertOpen()
          return value as T | undefined
        },
        close: () => void told.delete(take),
      }
    },

    async list<T>(kind: string, { prefix = '', after, limit }: ListOptions = {}) {
      const isWanted = (id: string) => id.startsWith(prefix) && (after === undefined || byCodePoint(id, after) > 0)
      const ids = [...records(kind).keys()].filter(isWanted).sort(byCodePoint)
      return ids.slice(0, limit).map((id) => ({ id, value: parse(records(kind).get(id)) as T }))
    },

    trail: {
      async read(query = {}) {
        assertOpen()
        const entries = trail.map(({ text, ...link }) => ({ ...link, entry: JSON.parse(text) as AuditEntry, text }))
        const found = entries.filter((entry) => matches(entry, query)).map(({ text: _, ...entry }) => entry)
        if (query.order !== 'oldest') found.reverse()
        return found.slice(0, query.limit)
      },
      async head() {
        assertOpen()
        return headOf()
      },
    },

    async prune(upTo, entries, first) {
      assertOpen()
      if (first !== undefined && trail[0]?.seq !== first)
        throw new Error(`The trail does not begin with record ${first}.`)
      const at = trail.findIndex(({ seq, hash }) => seq === upTo.seq && hash === upTo.hash)
      if (at < 0) throw new Error(`The trail has no record ${upTo.seq} with this hash.`)
      for (const text of entries.map(entryText)) append(text)
      trail.splice(0, at + 1)
    },

    async close() {
      isOpen = false
      kinds.clear()
    },
  }
}

/** What the SQL of a database store says, said in JavaScript. */
function matches({ seq, entry, text }: TrailEntry & { readonly text: string }, query: TrailQuery): boolean {
  const { after, before, events, from, to } = query
  const equal: readonly [unknown, unknown][] = [
    [query.operation, entry.operation],
    [query.principal, entry.user_id],
    [query.session, entry.session_id],
    [query.adapter, entry.adapter_name],
    [query.result, entry.result],
    [query.level, entry.danger_level],
  ]
  return (
    (after === undefined || seq > after) &&
    (before === undefined || seq < before) &&
    (events === undefined || events.includes(entry.event)) &&
    (from === undefined || entry.timestamp >= from) &&
    (to === undefined || entry.timestamp <= to) &&
    equal.every(([wanted, actual]) => wanted === undefined || wanted === actual) &&
    (query.text === undefined || lower(text).includes(lower(query.text)))
  )
}

function nameOf({ kind, id }: RecordRef<unknown>): string {
  return JSON.stringify([kind, id])
}

function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function parse(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text)
}

/** As a database orders UTF-8; JavaScript's own order puts U+1F600 before U+FB01. */
function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
