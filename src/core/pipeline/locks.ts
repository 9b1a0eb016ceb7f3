import { CATEGORIES } from '../../protocol/categories.ts'
import type { Concurrency } from '../../protocol/endpoints.ts'
import type { Fields } from '../call.ts'
import type { Operation } from '../registry/compile-operation.ts'

export type Release = () => void

/** Spec §9.3.1 — who may run beside whom. Waiters are served in the order in which they came. */
export interface Locks {
  /** At once when nothing stands in the way, so that the common case allocates no promise. */
  acquire(operation: Operation, params: Fields): Release | Waiting
}

/** A place in the queue. */
export interface Waiting {
  readonly granted: Promise<Release>
  /** Gives the place up: `granted` never settles. */
  leave(): void
  /** Grows whenever somebody before us has had his turn. */
  turns(): number
}

export function createLocks(concurrency: Concurrency): Locks {
  switch (concurrency) {
    case 'fully-concurrent':
      return { acquire: () => NOTHING }
    case 'serialized': {
      const lock = createLock()
      return { acquire: () => lock.enter(true) }
    }
    case 'read-concurrent': {
      const lock = createLock()
      return { acquire: ({ category }) => lock.enter(!CATEGORIES[category].readOnly) }
    }
    case 'resource-locked':
      return createResourceLocks()
  }
}

const NOTHING: Release = () => {}

/** One lock for each resource that is being worked on; an operation that names none waits for none. */
function createResourceLocks(): Locks {
  const locks = new Map<string, Lock>()
  return {
    acquire({ category, definition }, params) {
      const key = definition.resource?.(params as never)
      if (key === undefined) return NOTHING
      const lock = locks.get(key) ?? createLock(() => locks.delete(key))
      locks.set(key, lock)
      return lock.enter(!CATEGORIES[category].readOnly)
    },
  }
}

interface Lock {
  enter(exclusive: boolean): Release | Waiting
}

/** Readers together, a writer alone, first come first served: a waiting writer holds back later readers. */
function createLock(onIdle: () => void = () => {}): Lock {
  const queue = new Set<Place>()
  let readers = 0
  let writing = false
  let turns = 0

  const free = (exclusive: boolean) => !writing && (!exclusive || readers === 0)

  const take = (exclusive: boolean): Release => {
    if (exclusive) writing = true
    else readers++
    let held = true
    return () => {
      if (!held) return
      held = false
      if (exclusive) writing = false
      else readers--
      turns++
      advance()
    }
  }

  const advance = () => {
    for (const next of queue) {
      if (!free(next.exclusive)) break
      queue.delete(next)
      next.go(take(next.exclusive))
    }
    if (queue.size === 0 && !writing && readers === 0) onIdle()
  }

  const wait = (exclusive: boolean): Waiting => {
    let go: Place['go'] = NOTHING
    const granted = new Promise<Release>((resolve) => {
      go = resolve
    })
    const place = { exclusive, go }
    queue.add(place)
    const leave = () => {
      if (queue.delete(place)) advance()
    }
    return { granted, leave, turns: () => turns }
  }

  return {
    enter: (exclusive) => (queue.size === 0 && free(exclusive) ? take(exclusive) : wait(exclusive)),
  }
}

interface Place {
  readonly exclusive: boolean
  readonly go: (release: Release) => void
}
