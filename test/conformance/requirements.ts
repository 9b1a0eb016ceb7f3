import { AGG } from './requirements/aggregation.ts'
import { BATCH } from './requirements/batch.ts'
import { COLL } from './requirements/collections.ts'
import { COMP } from './requirements/computed-fields.ts'
import { CONC } from './requirements/concurrency.ts'
import { CONF } from './requirements/conformance-levels.ts'
import { DATA } from './requirements/data.ts'
import { MODE } from './requirements/endpoint-modes.ts'
import { ERR } from './requirements/errors.ts'
import { FIELD } from './requirements/field-selection.ts'
import { INT } from './requirements/introspection.ts'
import { LIFE } from './requirements/lifecycle.ts'
import { MCP } from './requirements/mcp.ts'
import { OPN } from './requirements/operation-names.ts'
import { PAGE } from './requirements/pagination.ts'
import { PROG } from './requirements/progress.ts'
import { REL } from './requirements/relationships.ts'
import { REQ } from './requirements/request.ts'
import { RES } from './requirements/response.ts'
import type { Requirement } from './requirements/row.ts'
import { X } from './requirements/rulings.ts'
import { SES } from './requirements/session.ts'
import { MULTI } from './requirements/several-adapters.ts'
import { TOOL } from './requirements/tools.ts'
import { TYPE } from './requirements/types.ts'
import { UPD } from './requirements/update-merge.ts'
import { VAL } from './requirements/validation.ts'

export type { Requirement } from './requirements/row.ts'

/** The ledger: every row of the protocol catalogue, in its order. The cases that show a row carry its id in their name. */
export const REQUIREMENTS: readonly Requirement[] = Object.freeze([
  ...SES,
  ...MODE,
  ...TOOL,
  ...REQ,
  ...UPD,
  ...VAL,
  ...DATA,
  ...RES,
  ...ERR,
  ...INT,
  ...TYPE,
  ...OPN,
  ...LIFE,
  ...BATCH,
  ...FIELD,
  ...COLL,
  ...PAGE,
  ...AGG,
  ...COMP,
  ...REL,
  ...CONC,
  ...PROG,
  ...MULTI,
  ...MCP,
  ...CONF,
  ...X,
])

type Counts = Readonly<Record<Requirement['status'] | 'total', number>>

/** Rows by family and status, families in the catalogue's order. */
export function summary(requirements: readonly Requirement[] = REQUIREMENTS): ReadonlyMap<string, Counts> {
  const families = new Set(requirements.map(familyOf))
  return new Map(
    [...families].map((family) => [family, countsOf(requirements.filter((row) => familyOf(row) === family))]),
  )
}

export function familyOf({ id }: Pick<Requirement, 'id'>): string {
  return id.slice(0, id.indexOf('-'))
}

function countsOf(rows: readonly Requirement[]): Counts {
  const having = (status: Requirement['status']) => rows.filter((row) => row.status === status).length
  return { total: rows.length, met: having('met'), later: having('later'), waived: having('waived') }
}
