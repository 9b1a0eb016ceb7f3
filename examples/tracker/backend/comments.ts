import { isFailure, type OperationFailure } from '../../../src/protocol/result.ts'
import { Comment } from '../types.ts'
import type { Database, Row } from './database.ts'
import { getIssue, recordActivity, touchIssue } from './issues.ts'
import { closedTo } from './projects.ts'
import { type Change, merged, missing, nextId, type Resource, text, timestamp } from './records.ts'
import { getUser } from './users.ts'

export interface NewComment {
  readonly issue_id: string
  readonly body: string
  readonly author: string
}

export function listComments(db: Database, issueId: string): readonly Resource[] | OperationFailure {
  if (!getIssue(db, issueId)) return missing('issue', issueId)
  return db.all('SELECT * FROM comments WHERE issue_id = ? ORDER BY created_at, id', [issueId]).map(commentOf)
}

export function getComment(db: Database, id: string): Resource | undefined {
  const row = db.one('SELECT * FROM comments WHERE id = ?', [id])
  return row && commentOf(row)
}

/** Adds the comment and, with it, an entry to the issue's history, which grows in no other way by hand (VAL-11). */
export function createComment(db: Database, comment: NewComment, now: number): Resource | OperationFailure {
  return db.change(() => {
    const { issue_id, body, author } = comment
    const issue = getIssue(db, issue_id)
    if (!issue) return missing('issue', issue_id)
    if (!getUser(db, author)) return missing('user', author)
    const refusal = closedTo(db, String(issue.project))
    if (refusal) return refusal
    const id = nextId(db, 'cmt')
    db.run('INSERT INTO comments VALUES (?, ?, ?, ?, ?, 1)', [id, issue_id, author, body, timestamp(now)])
    recordActivity(db, issue_id, { actor: author, action: 'commented', now })
    touchIssue(db, issue_id, now)
    return getComment(db, id) ?? missing('comment', id)
  })
}

export function updateComment(db: Database, id: string, change: Change): Resource | OperationFailure {
  return db.change(() => {
    const stored = getComment(db, id)
    if (!stored) return missing('comment', id)
    const next = merged(Comment, id, stored, change)
    if (isFailure(next) || next === stored) return next
    db.run('UPDATE comments SET body = ?, version = version + 1 WHERE id = ?', [text(next.body), id])
    return getComment(db, id) ?? missing('comment', id)
  })
}

export function deleteComment(db: Database, id: string, now: number): OperationFailure | undefined {
  return db.change(() => {
    const stored = getComment(db, id)
    if (!stored) return missing('comment', id)
    db.run('DELETE FROM comments WHERE id = ?', [id])
    touchIssue(db, String(stored.issue_id), now)
    return undefined
  })
}

function commentOf({ version, ...row }: Row): Resource {
  return { ...row, _version: version }
}
