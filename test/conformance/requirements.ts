import { ELEM } from './requirements/adapter-files.ts'
import { GEN } from './requirements/adapter-generator.ts'
import { BLOCK } from './requirements/agent-blocks.ts'
import { AGG } from './requirements/aggregation.ts'
import { AUDIT } from './requirements/audit-trail.ts'
import { AUTO } from './requirements/autonomy.ts'
import { BATCH } from './requirements/batch.ts'
import { COLL } from './requirements/collections.ts'
import { COMP } from './requirements/computed-fields.ts'
import { CONC } from './requirements/concurrency.ts'
import { TOK } from './requirements/confirmation-tokens.ts'
import { CONF } from './requirements/conformance-levels.ts'
import { DNG } from './requirements/danger-levels.ts'
import { DATA } from './requirements/data.ts'
import { DISC } from './requirements/discovery-bundles.ts'
import { MODE } from './requirements/endpoint-modes.ts'
import { ERR } from './requirements/errors.ts'
import { FIELD } from './requirements/field-selection.ts'
import { GATE } from './requirements/gatekeeper.ts'
import { INT } from './requirements/introspection.ts'
import { LIFE } from './requirements/lifecycle.ts'
import { MCP } from './requirements/mcp.ts'
import { NOTE } from './requirements/notifications.ts'
import { OPN } from './requirements/operation-names.ts'
import { OOB } from './requirements/out-of-band-verification.ts'
import { PAGE } from './requirements/pagination.ts'
import { PLUG } from './requirements/plugins.ts'
import { PROG } from './requirements/progress.ts'
import { RATE } from './requirements/rate-limits.ts'
import { REL } from './requirements/relationships.ts'
import { REQ } from './requirements/request.ts'
import { RES } from './requirements/response.ts'
import type { Requirement } from './requirements/row.ts'
import { X } from './requirements/rulings.ts'
import { DONGLE } from './requirements/safety-dongle.ts'
import { LOOP } from './requirements/safety-loop.ts'
import { R } from './requirements/safety-rulings.ts'
import { SELF } from './requirements/self-approval.ts'
import { SES } from './requirements/session.ts'
import { SESS } from './requirements/session-state.ts'
import { MULTI } from './requirements/several-adapters.ts'
import { TOOL } from './requirements/tools.ts'
import { TRUST } from './requirements/trust-levels.ts'
import { TYPE } from './requirements/types.ts'
import { UPD } from './requirements/update-merge.ts'
import { VAL } from './requirements/validation.ts'

export type { Requirement } from './requirements/row.ts'

/** The ledger: every row of the protocol catalogue and of the safety catalogue, in their order. The cases that show a row carry its id in their name. */
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
  ...GATE,
  ...DNG,
  ...TRUST,
  ...TOK,
  ...RATE,
  ...LOOP,
  ...AUTO,
  ...NOTE,
  ...OOB,
  ...BLOCK,
  ...SELF,
  ...AUDIT,
  ...SESS,
  ...DONGLE,
  ...ELEM,
  ...PLUG,
  ...GEN,
  ...DISC,
  ...R,
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
