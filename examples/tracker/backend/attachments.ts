import { Buffer } from 'node:buffer'
import type { OperationFailure } from '../../../src/protocol/result.ts'
import type { Database, Row } from './database.ts'
import { getIssue, touchIssue } from './issues.ts'
import { missing, nextId, type Resource, timestamp } from './records.ts'

/** DATA-07: base64 with its encoding and media type beside it. Kept as it came, so it returns unchanged. */
export interface NewAttachment {
  readonly issue_id: string
  readonly file_name: string
  readonly file_content: string
  readonly file_encoding: 'base64'
  readonly file_mime_type: string
}

export function getAttachment(db: Database, id: string): Resource | undefined {
  const row = db.one('SELECT * FROM attachments WHERE id = ?', [id])
  return row && attachmentOf(row)
}

export function createAttachment(db: Database, file: NewAttachment, now: number): Resource | OperationFailure {
  return db.change(() => {
    if (!getIssue(db, file.issue_id)) return missing('issue', file.issue_id)
    const id = nextId(db, 'att')
    db.run('INSERT INTO attachments VALUES (?, ?, ?, ?, ?, ?, ?)', [
      ...[id, file.issue_id, file.file_name, file.file_content, file.file_encoding, file.file_mime_type],
      timestamp(now),
    ])
    touchIssue(db, file.issue_id, now)
    return getAttachment(db, id) ?? missing('attachment', id)
  })
}

export function deleteAttachment(db: Database, id: string, now: number): OperationFailure | undefined {
  return db.change(() => {
    const stored = getAttachment(db, id)
    if (!stored) return missing('attachment', id)
    db.run('DELETE FROM attachments WHERE id = ?', [id])
    touchIssue(db, String(stored.issue_id), now)
    return undefined
  })
}

function attachmentOf(row: Row): Resource {
  return { ...row, file_size: Buffer.byteLength(String(row.file_content), 'base64') }
}
