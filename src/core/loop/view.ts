import { foldCase } from '../autonomy/hint-patterns.ts'
import type { Followed, Store } from '../ports/store.ts'
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
  ended(session: string, key: string, isWaiting: boolean): void
  runs(session: string): readonly Run[]
  /** Agents whose execution has ended while a human had yet to decide about it. */
  leftWaiting(session: string): readonly string[]
  settled(session: string, key: string): void
  /** Every agent that was started in the session through this adapter, and the end of that memory. */
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

/**
 * What the loops of one process have in common: a session may speak to several adapters, and what holds it at one holds
 * it at all of them.
 */
export interface LoopMemory {
  readonly kept: Map<string, OpenBlock>
  readonly running: BySession<Run>
  readonly covers: BySession<Cover>
  readonly waiting: BySession<true>
  /** Through which adapter an agent was started last. */
  readonly seen: BySession<string>
}

type BySession<T> = Map<string, Map<string, T>>

/** A report is judged by what its adapter knows of its own operations, so it covers a call of that adapter. */
interface Cover {
  readonly hint: string
  readonly adapter: string
}

export function createMemory(): LoopMemory {
  return { kept: new Map(), running: new Map(), covers: new Map(), waiting: new Map(), seen: new Map() }
}

/** The one of all runtimes on this opening of a store. */
export function memoryOf(store: Store): LoopMemory {
  const known = MEMORIES.get(store) ?? createMemory()
  MEMORIES.set(store, known)
  return known
}

const MEMORIES = new WeakMap<Store, LoopMemory>()

export function createView(blocks: Followed<OpenBlocks>, adapter: string, memory: LoopMemory): View {
  const { kept, running, covers, waiting, seen } = memory

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
      inner(seen, session).set(run.key, adapter)
    },

    ended(session, key, isWaiting) {
      remove(running, session, key)
      remove(covers, session, key)
      if (isWaiting) inner(waiting, session).set(key, true)
    },

    runs,
    leftWaiting: (session) => [...(waiting.get(session)?.keys() ?? [])],
    settled: (session, key) => remove(waiting, session, key),

    forget(session) {
      const own = [...(seen.get(session) ?? [])].filter(([, startedBy]) => startedBy === adapter)
      const keys = own.map(([key]) => key)
      for (const key of keys) for (const map of [running, covers, waiting, seen]) remove(map, session, key)
      return keys
    },

    covered(session, key, hint) {
      if (hint === undefined) remove(covers, session, key)
      else inner(covers, session).set(key, { hint: foldCase(hint), adapter })
    },

    takeCover(session, operation) {
      if (runs(session).length === 0) return true
      const isMeant = (cover: Cover) => cover.adapter === adapter && names(cover.hint, operation)
      const found = [...(covers.get(session) ?? [])].find(([, cover]) => isMeant(cover))
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

function inner<T>(outer: BySession<T>, key: string): Map<string, T> {
  const known = outer.get(key)
  if (known) return known
  const empty = new Map<string, T>()
  outer.set(key, empty)
  return empty
}

function remove(outer: BySession<unknown>, session: string, key: string): void {
  const map = outer.get(session)
  map?.delete(key)
  if (map?.size === 0) outer.delete(session)
}
