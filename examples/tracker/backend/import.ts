import { setTimeout } from 'node:timers/promises'
import type { Run } from '../../../src/core/registry/operation.ts'
import { fail } from '../../../src/protocol/errors.ts'
import { isFailure, type OperationFailure } from '../../../src/protocol/result.ts'
import type { Database } from './database.ts'
import { type ForeignIssue, foreignIssue, isRefused } from './import-source.ts'
import { insertIssue } from './issues.ts'
import { closedTo } from './projects.ts'
import { missing, type Resource } from './records.ts'
import { getUser } from './users.ts'

export interface Import {
  readonly project: string
  readonly apiKey: string
  readonly count: number
  readonly delayMs: number
  readonly now: number
}

/**
 * Fetches one row after the other, then stores them in one transaction: cancelled or failed on the way, the import
 * leaves nothing behind. What an earlier import has brought is skipped.
 */
export async function importIssues(
  db: Database,
  { project, apiKey, count, delayMs, now }: Import,
  { signal, progress }: Pick<Run, 'signal' | 'progress'>,
): Promise<Resource | OperationFailure> {
  if (isRefused(apiKey)) return fail('PERMISSION_DENIED', { reason: 'the foreign tracker refused the key' })
  const fetched: ForeignIssue[] = []
  for (let index = 0; index < count; index++) {
    await pause(delayMs, signal)
    if (signal.aborted) return fail('CONFLICT_INVALID_STATE', { operation: 'import_issues', state: 'cancelled' })
    fetched.push(foreignIssue(index))
    progress({ current: index + 1, total: count, message: `Fetched ${index + 1} of ${count}` })
  }
  return db.change(() => refusal(db, project) ?? store(db, project, fetched, now))
}

/** Checked before the start and again when storing: in between the project may have been archived. */
export function refusal(db: Database, project: string): OperationFailure | undefined {
  return closedTo(db, project) ?? (getUser(db, REPORTER) ? undefined : missing('user', REPORTER))
}

const REPORTER = 'bot'

function store(
  db: Database,
  project: string,
  fetched: readonly ForeignIssue[],
  now: number,
): Resource | OperationFailure {
  const issue_ids: unknown[] = []
  for (const { labels = [], ...foreign } of fetched) {
    const sql = 'SELECT 1 FROM issues WHERE project = ? AND external_id = ?'
    if (db.one(sql, [project, foreign.external_id])) continue
    const known = labels.filter((label) => db.one('SELECT 1 FROM labels WHERE name = ?', [label]))
    const issue = { ...foreign, labels: known, project, reporter: REPORTER }
    const stored = insertIssue(db, issue, { action: 'imported', now })
    if (isFailure(stored)) return stored
    issue_ids.push(stored.id)
  }
  return { project, imported: issue_ids.length, skipped: fetched.length - issue_ids.length, issue_ids }
}

/** Ends early, without an exception, when the signal is raised. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {})
}
