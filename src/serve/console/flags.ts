import type { ApprovalRequest } from '../../core/gatekeeper/request.ts'
import { isDeceptive } from './deceptive.ts'

/** How many values of a request are not what they look like. */
export type Flags = (request: Pick<ApprovalRequest, 'id' | 'version' | 'params'>) => Promise<number>

/** The inbox is read again whenever something happens, and a value can be long: each version is looked through once. */
export function createFlags(): Flags {
  const known = new Map<string, Promise<number>>()
  return ({ id, version, params }) => {
    const key = `${id} ${version}`
    const before = known.get(key)
    if (before !== undefined) return before
    if (known.size >= MOST_KNOWN) known.clear()
    const count = countDeceptive(Object.values(params))
    known.set(key, count)
    return count
  }
}

const MOST_KNOWN = 10_000

async function countDeceptive(values: readonly unknown[]): Promise<number> {
  let count = 0
  for (const value of values) if (await isDeceptive(value)) count++
  return count
}
