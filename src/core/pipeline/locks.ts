import { CATEGORIES } from '../../protocol/categories.ts'
import type { Concurrency } from '../../protocol/endpoints.ts'
import type { Bound } from '../call.ts'
import type { Session } from '../session.ts'
import { createFairQueue } from './fair-queue.ts'

export type Release = () => void

/** Spec §9.3.1 — which calls may run together. Those that wait take turns by principal and session. */
export interface Locks {
  /** At once when nothing stands in the way, so that the common case allocates no promise. */
  acquire(call: LockedCall): Release | Waiting
}

type LockedCall = Pick<Bound, 'target' | 'params' | 'session'>

/** A place in the queue. */
export interface Waiting {
  readonly granted: Promise<Release>
  /** Gives the place up: `granted` never settles. */
  leave(): void
  /** Grows whenever a call has ended: the queue moves. */
  turns(): number
}

export function createLocks(concurrency: Concurrency): Locks {
  switch (concurrency) {
    case 'fully-concurrent':
      return { acquire: () => NOTHING }
    case 'serialized': {
      const lock = createLock()
      return { acquire: ({ session }) => lock.enter(session, true) }
    }
    case 'read-concurrent': {
      const lock = createLock()
      return { acquire: (call) => lock.enter(call.session, isWrite(call)) }
    }
    case 'resource-locked':
      return createResourceLocks()
  }
}

/** Of a call that needs no turn. */
export const NOTHING: Release = () => {}

function isWrite({ target }: LockedCall): boolean {
  return !CATEGORIES[target.category].readOnly
}

/** One lock for each resource that is being worked on; an operation that names none waits for none. */
function createResourceLocks(): Locks {
  const locks = new Map<string, Lock>()
  return {
    acquire(call) {
      const key = call.target.definition.resource?.(call.params as never)
      if (key === undefined) return NOTHING
      const lock = locks.get(key) ?? createLock(() => locks.delete(key))
      locks.set(key, lock)
      return lock.enter(call.session, isWrite(call))
    },
  }
}

interface Lock {
  enter(session: Session, exclusive: boolean): Release | Waiting
}

/** Readers together, a writer alone. While a writer has the next turn, no further reader comes before it. */
function createLock(onIdle: () => void = () => {}): Lock {
  const queue = createFairQueue<Place>()
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

  const grant = (place: Place) => place.go(take(place.exclusive))

  const advance = () => {
    for (let next = queue.first(); next && free(next.exclusive); next = queue.first()) {
      queue.shift()
      grant(next)
      if (!next.exclusive) queue.takeHeads(isReader).forEach(grant)
    }
    if (queue.size === 0 && !writing && readers === 0) onIdle()
  }

  const wait = (session: Session, exclusive: boolean): Waiting => {
    let go: Place['go'] = NOTHING
    const granted = new Promise<Release>((resolve) => {
      go = resolve
    })
    const remove = queue.add(session, { exclusive, go })
    const leave = () => {
      if (remove()) advance()
    }
    return { granted, leave, turns: () => turns }
  }

  return {
    enter: (session, exclusive) => (queue.size === 0 && free(exclusive) ? take(exclusive) : wait(session, exclusive)),
  }
}

interface Place {
  readonly exclusive: boolean
  readonly go: (release: Release) => void
}

/** Readers disturb nobody, so all that have nothing before them in their session use the turn of one. */
function isReader({ exclusive }: Place): boolean {
  return !exclusive
}
