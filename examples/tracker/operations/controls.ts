import type { OperationFailure } from '../../../src/protocol/result.ts'
import type { Database } from '../backend/database.ts'
import type { Change, Resource } from '../backend/records.ts'

/** `input`, `if_match` and `dry_run` are added by the registry and checked there; a handler's own table lacks them. */
interface Controls {
  readonly input?: Resource
  readonly if_match?: string | number
  readonly dry_run?: boolean
}

export function changeOf(params: object, now: number): Change {
  const { input = {}, if_match } = params as Controls
  return { input, ifMatch: if_match, now }
}

/** REQ-10: a dry run does everything that the call would do, and then undoes it. */
export function attempt<T>(db: Database, params: object, work: () => T): T {
  return isDryRun(params) ? db.preview(work) : db.change(work)
}

export function removal(
  db: Database,
  params: object,
  id: string,
  work: () => OperationFailure | undefined,
): Resource | OperationFailure {
  return attempt(db, params, work) ?? { id, deleted: !isDryRun(params) }
}

function isDryRun(params: object): boolean {
  return (params as Controls).dry_run === true
}
