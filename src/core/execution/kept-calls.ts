import type { Admitted } from '../gatekeeper/admit.ts'
import { jsonText } from '../registry/json-text.ts'

/** A failed call that can be made again: what it was, whose it was, and the code with which it failed. */
export interface KeptCall {
  readonly operation: string
  readonly target: Admitted['target']
  readonly params: Admitted['params']
  readonly principal: string
  readonly owner: string
  readonly failedWith: string
}

/**
 * The calls of failed executions, in the memory of the process that made them and nowhere else: their parameters may be
 * sensitive, and the store keeps no such values (VAL-10).
 */
export interface KeptCalls {
  get(id: string): KeptCall | undefined
  keep(id: string, call: KeptCall): void
  drop(id: string): void
}

interface Held {
  readonly call: KeptCall
  readonly size: number
}

/** When they take too much room, the session that takes most of it, of the principal that does, gives up its oldest. */
export function createKeptCalls({ most, room }: { readonly most: number; readonly room: number }): KeptCalls {
  const held = new Map<string, Held>()
  let taken = 0

  const drop = (id: string): void => {
    taken -= held.get(id)?.size ?? 0
    held.delete(id)
  }

  const giveUpOne = (): void => {
    const ofPrincipal = largestOf(held, ({ principal }) => principal)
    const [oldest] = largestOf(ofPrincipal, ({ owner }) => owner)
    if (oldest) drop(oldest[0])
  }

  return {
    get: (id) => held.get(id)?.call,
    keep(id, call) {
      drop(id)
      const size = LEAST_SIZE + jsonText(call.params).length
      held.set(id, { call, size })
      taken += size
      while (held.size > most || taken > room) giveUpOne()
    },
    drop,
  }
}

/** What a call without parameters takes. */
const LEAST_SIZE = 500

/** Those that belong to whoever takes most room, in their order. */
function largestOf(held: Iterable<readonly [string, Held]>, keyOf: (call: KeptCall) => string) {
  const groups = new Map<string, { size: number; readonly members: (readonly [string, Held])[] }>()
  for (const each of held) {
    const [, { call, size }] = each
    const group = groups.get(keyOf(call)) ?? { size: 0, members: [] }
    group.size += size
    group.members.push(each)
    groups.set(keyOf(call), group)
  }
  return [...groups.values()].reduce((most, group) => (group.size > most.size ? group : most)).members
}
