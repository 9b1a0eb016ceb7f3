import { CATEGORIES } from '../../protocol/categories.ts'
import type { Concurrency } from '../../protocol/endpoints.ts'
import type { Fields } from '../call.ts'
import type { Operation } from '../registry/compile-operation.ts'

export type Release = () => void

/** Spec §9.3.1 — who may run beside whom. Waiters are served in the order in which they came. */
export interface Locks {
  /** At once when nothing stands in the way, so that the common case allocates no promise. */
  acquire(operation: Operation, params: Fields): Release | Promise<Release>
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
  enter(exclusive: boolean): Release | Promise<Release>
}

/** Readers together, a writer alone, first come first served: a waiting writer holds back later readers. */
function createLock(onIdle: () => void = () => {}): Lock {
  const queue: { readonly exclusive: boolean; readonly go: (release: Release) => void }[] = []
  let readers = 0
  let writing = false

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
      advance()
    }
  }

  const advance = () => {
    for (let next = queue[0]; next && free(next.exclusive); next = queue[0]) {
      queue.shift()
      next.go(take(next.exclusive))
    }
    if (queue.length === 0 && !writing && readers === 0) onIdle()
  }

  return {
    enter(exclusive) {
      if (queue.length === 0 && free(exclusive)) return take(exclusive)
      return new Promise((go) => queue.push({ exclusive, go }))
    },
  }
}
