import { foldCase } from '../autonomy/hint-patterns.ts'
import type { Followed } from '../ports/store.ts'
import type { OpenBlock, OpenBlocks } from '../verification/block.ts'

/** What this process knows without asking the store: for checks on the path of every call. */
export interface View {
  /** Every block in force, also what other processes have set. Throws when they cannot be read (BLOCK-05). */
  open(): OpenBlocks
  /** BLOCK-01: a block that could not be written holds here until it can. */
  keep(block: OpenBlock): void
  readonly kept: () => readonly OpenBlock[]
  readonly isKeeping: () => boolean
  written(key: string): void
  started(session: string, run: Run): void
  ended(session: string, key: string): void
  runs(session: string): readonly Run[]
  /** Every agent that was started in the session, and the end of that memory. */
  forget(session: string): readonly string[]
  /** LOOP-24: the hint that may be acted upon once; none after a report that does not continue. */
  covered(session: string, key: string, hint: string | undefined): void
  takeCover(session: string, operation: string): boolean
}

export interface Run {
  readonly key: string
  readonly principal: string
  readonly element_name: string
}

export function createView(blocks: Followed<OpenBlocks>): View {
  const kept = new Map<string, OpenBlock>()
  const running = new Map<string, Map<string, Run>>()
  const covers = new Map<string, Map<string, string>>()
  const seen = new Map<string, Map<string, true>>()

  const runs = (session: string): readonly Run[] => [...(running.get(session)?.values() ?? [])]

  return {
    open() {
      const stored = blocks.current() ?? NONE
      return kept.size === 0 ? stored : { ...stored, ...Object.fromEntries(kept) }
    },

    keep: (block) => void kept.set(block.agentKey, block),
    kept: () => [...kept.values()],
    isKeeping: () => kept.size > 0,
    written: (key) => void kept.delete(key),

    started(session, run) {
      inner(running, session).set(run.key, run)
      inner(seen, session).set(run.key, true)
    },

    ended(session, key) {
      remove(running, session, key)
      remove(covers, session, key)
    },

    runs,

    forget(session) {
      const keys = [...(seen.get(session)?.keys() ?? [])]
      for (const map of [running, covers, seen]) map.delete(session)
      return keys
    },

    covered(session, key, hint) {
      if (hint === undefined) remove(covers, session, key)
      else inner(covers, session).set(key, foldCase(hint))
    },

    takeCover(session, operation) {
      if (runs(session).length === 0) return true
      const found = [...(covers.get(session) ?? [])].find(([, hint]) => names(hint, operation))
      if (found) remove(covers, session, found[0])
      return found !== undefined
    },
  }
}

const NONE: OpenBlocks = {}

/** The name as a word of its own. */
function names(hint: string, operation: string): boolean {
  for (let at = hint.indexOf(operation); at >= 0; at = hint.indexOf(operation, at + 1)) {
    const before = hint[at - 1] ?? ' '
    const behind = hint[at + operation.length] ?? ' '
    if (!/\w/.test(before) && !/\w/.test(behind)) return true
  }
  return false
}

function inner<T>(outer: Map<string, Map<string, T>>, key: string): Map<string, T> {
  const known = outer.get(key)
  if (known) return known
  const empty = new Map<string, T>()
  outer.set(key, empty)
  return empty
}

function remove<T>(outer: Map<string, Map<string, T>>, session: string, key: string): void {
  const map = outer.get(session)
  map?.delete(key)
  if (map?.size === 0) outer.delete(session)
}
