import type { AuditEntry } from '../core/audit/entry.ts'
import { entryText } from '../core/audit/entry-text.ts'
import type { Change, RecordRef, RecordRefs } from '../core/ports/store.ts'
import type { Attempt } from './group-commit.ts'
import { parseRecord } from './parse-record.ts'

/** A call of `update` that waits for its turn. */
export interface Request {
  readonly refs: RecordRefs
  readonly change: Change<RecordRefs, unknown>
}

/** What a group of changes comes to: nothing has been written yet. */
export interface Outcome {
  readonly attempts: readonly Attempt[]
  /** Undefined removes the record. */
  readonly written: readonly (readonly [RecordRef<unknown>, string | undefined])[]
  readonly audit: readonly string[]
}

/** Runs the changes one after another, each on what those before it have made of the records. */
export function changeGroup(
  requests: readonly Request[],
  read: (refs: readonly RecordRef<unknown>[]) => readonly (string | undefined)[],
): Outcome {
  const held = heldBy(requests, read)
  const touched = new Set<Held>()
  const audit: string[] = []
  const attempts = requests.map((request): Attempt => {
    try {
      const { writes, texts, result } = run(request, held)
      for (const [record, text] of writes) {
        record.text = text
        touched.add(record)
      }
      for (const text of texts) audit.push(text)
      return { value: result }
    } catch (cause) {
      return { refused: cause }
    }
  })
  const written = [...touched]
    .filter(({ stored, text }) => stored !== text)
    .map(({ ref, text }) => [ref, text] as const)
  return { attempts, written, audit }
}

/** Two refs of one record have one key: SQLite stores a lone surrogate as U+FFFD. */
export function keyOf({ kind, id }: RecordRef<unknown>): string {
  return `${kind.length}:${kind}${id}`.toWellFormed()
}

/** A record as it is on disk, and as the group has it so far. */
interface Held {
  readonly ref: RecordRef<unknown>
  readonly stored: string | undefined
  text: string | undefined
}

function heldBy(requests: readonly Request[], read: Parameters<typeof changeGroup>[1]): ReadonlyMap<string, Held> {
  const refs = new Map<string, RecordRef<unknown>>()
  for (const request of requests) for (const ref of Object.values(request.refs)) refs.set(keyOf(ref), ref)
  const texts = refs.size === 0 ? [] : read([...refs.values()])
  return new Map([...refs].map(([key, ref], i) => [key, { ref, stored: texts[i], text: texts[i] }]))
}

/** Everything in a change that is its author's to get wrong happens here, before anything is noted. */
function run({ refs, change }: Request, held: ReadonlyMap<string, Held>) {
  const records = new Map(Object.entries(refs).map(([name, ref]) => [name, held.get(keyOf(ref)) as Held]))
  const current = Object.fromEntries([...records].map(([name, record]) => [name, heldValue(record)]))
  const { next = {}, audit = [], result } = change(current)
  const writes: [Held, string | undefined][] = []
  for (const [name, record] of records) {
    if (Object.hasOwn(next, name)) writes.push([record, spell(next[name])])
  }
  return { writes, texts: audit.map((entry: AuditEntry) => entryText(entry)), result }
}

function spell(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value)
}

function heldValue({ ref, text }: Held): unknown {
  return text === undefined ? undefined : parseRecord(ref, text)
}
