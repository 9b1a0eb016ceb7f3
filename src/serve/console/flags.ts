import type { ApprovalRequest } from '../../core/gatekeeper/request.ts'
import { isDeceptive } from './shown.ts'

/** How many values of a request are not what they look like. */
export type Flags = (request: Pick<ApprovalRequest, 'id' | 'version' | 'params'>) => number

/** The inbox is read again whenever something happens, and a value can be long: each version is looked through once. */
export function createFlags(): Flags {
  const known = new Map<string, number>()
  return ({ id, version, params }) => {
    const key = `${id} ${version}`
    const before = known.get(key)
    if (before !== undefined) return before
    if (known.size >= MOST_KNOWN) known.clear()
    const count = Object.values(params).filter(isDeceptive).length
    known.set(key, count)
    return count
  }
}

const MOST_KNOWN = 10_000
