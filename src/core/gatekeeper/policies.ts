import { CATEGORIES } from '../../protocol/categories.ts'
import { matchesGlob } from '../registry/glob.ts'
import { ALLOW, type Policy } from './admit.ts'

export interface PolicyRecord {
  /** A glob over operation names. */
  readonly operation: string
  readonly permission: 'allow' | 'deny'
}

export interface PolicySettings {
  readonly readOnly: boolean
  readonly records: readonly PolicyRecord[]
}

/** The layers of the gate in their order (GATE-01); the first layer, the route, has been passed when they are asked. */
export function createPolicies({ readOnly, records }: PolicySettings): readonly Policy[] {
  return [...(readOnly ? [categoryTier] : []), ...(records.length > 0 ? [operationPolicy(records)] : [])]
}

/** Layer 2 under `--read-only`: the registered category decides (GATE-03, GATE-04). */
const categoryTier: Policy = {
  name: 'category',
  rule: ({ target }) =>
    CATEGORIES[target.category].readOnly
      ? ALLOW
      : { permission: 'deny', reason: `the server is read-only, and this is a ${target.category} operation` },
}

/** Layer 3: among the records that match, `deny` wins whatever the order (GATE-06). */
function operationPolicy(records: readonly PolicyRecord[]): Policy {
  const denied = records.filter(({ permission }) => permission === 'deny')
  return {
    name: 'operation',
    rule: ({ operation }) =>
      denied.some((record) => matchesGlob(record.operation, operation))
        ? { permission: 'deny', reason: 'an operation policy of this server denies it' }
        : ALLOW,
  }
}
