import { fail } from '../../../src/protocol/errors.ts'
import type { OperationFailure } from '../../../src/protocol/result.ts'
import type { Database } from './database.ts'
import { getIssue, recordActivity, touchIssue } from './issues.ts'
import { missing, type Resource, timestamp } from './records.ts'

/** The demo has no mail server: what would be sent is recorded in the history of the issue. */
export function sendReminder(
  db: Database,
  issueId: string,
  message: string | undefined,
  now: number,
): Resource | OperationFailure {
  return db.change(() => {
    const issue = getIssue(db, issueId)
    if (!issue) return missing('issue', issueId)
    const state = issue.state === 'closed' ? 'closed' : issue.assignee === null ? 'unassigned' : undefined
    if (state) return fail('CONFLICT_INVALID_STATE', { operation: 'send_reminder', state, resource_id: issueId })
    recordActivity(db, issueId, { actor: 'bot', action: 'reminded', now })
    touchIssue(db, issueId, now)
    const text = message ?? `Please look into ${issue.ref}.`
    return { to: issue.assignee, issue_id: issueId, message: text, sent_at: timestamp(now) }
  })
}
