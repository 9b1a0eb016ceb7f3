import { fail } from '../../../src/protocol/errors.ts'
import { isFailure, type OperationFailure } from '../../../src/protocol/result.ts'
import { Issue } from '../types.ts'
import type { Priority, State } from '../vocabulary.ts'
import type { Bindable, Database, Row } from './database.ts'
import { unknownLabel } from './labels.ts'
import { closedTo } from './projects.ts'
import {
  type Change,
  merged,
  missing,
  nextId,
  number,
  present,
  type Resource,
  taken,
  text,
  timestamp,
} from './records.ts'
import { getUser } from './users.ts'

export interface NewIssue {
  readonly project: string
  readonly title: string
  readonly body?: string | undefined
  readonly state?: State | undefined
  readonly priority?: Priority | undefined
  /** Absent: the project's lead. Null: nobody. */
  readonly assignee?: string | null | undefined
  readonly reporter: string
  readonly labels?: readonly string[] | undefined
  readonly estimate_hours?: number | undefined
  readonly due_date?: string | undefined
  readonly external_id?: string | undefined
  readonly metadata?: Resource | undefined
}

/** Everything an issue shows, ready for a WHERE. `i` is the name that pushed-down conditions use. */
export const SELECT_ISSUE = `
  SELECT i.id, i.project, i.project || '-' || i.number AS ref, i.title, i.body, i.state, i.priority, i.assignee, i.reporter, i.estimate_hours,
    i.due_date, i.external_id, i.metadata, i.created_at, i.updated_at, i.closed_at, i.version,
    (SELECT json_group_array(label ORDER BY position) FROM issue_labels WHERE issue_id = i.id) AS labels,
    (SELECT json_group_array(id ORDER BY rowid) FROM attachments WHERE issue_id = i.id) AS attachments,
    (SELECT json_group_array(json_object('at', at, 'actor', actor, 'action', action) ORDER BY position)
      FROM activity WHERE issue_id = i.id) AS activity,
    (SELECT count(*) FROM comments WHERE issue_id = i.id) AS comment_count
  FROM issues AS i`

export function getIssue(db: Database, id: string): Resource | undefined {
  const row = db.one(`${SELECT_ISSUE} WHERE i.id = ?`, [id])
  return row && issueOf(row)
}

export function createIssue(db: Database, issue: NewIssue, now: number): Resource | OperationFailure {
  return db.change(() => {
    const refusal = closedTo(db, issue.project) ?? tooLarge(issue) ?? unknownNames(db, issue) ?? duplicate(db, issue)
    return refusal ?? insertIssue(db, issue, { action: 'created', now })
  })
}

export function updateIssue(db: Database, id: string, change: Change, actor: string): Resource | OperationFailure {
  return db.change(() => {
    const stored = getIssue(db, id)
    if (!stored) return missing('issue', id)
    const next = merged(Issue, id, stored, change)
    if (isFailure(next) || next === stored) return next
    const refusal =
      closedTo(db, String(stored.project)) ??
      tooLarge(next, change.input, 'input.') ??
      unknownNames(db, next) ??
      duplicate(db, next, id)
    if (refusal) return refusal
    writeIssue(db, id, next, change.now)
    recordActivity(db, id, { actor, action: actionOf(stored, next), now: change.now })
    return getIssue(db, id) ?? missing('issue', id)
  })
}

export function deleteIssue(db: Database, id: string): OperationFailure | undefined {
  return db.change(() => {
    if (!getIssue(db, id)) return missing('issue', id)
    db.run('DELETE FROM issues WHERE id = ?', [id])
    return undefined
  })
}

export function recordActivity(
  db: Database,
  id: string,
  { actor, action, now }: { readonly actor: string; readonly action: string; readonly now: number },
): void {
  db.run(
    `INSERT INTO activity
     SELECT ?, coalesce(max(position), -1) + 1, ?, ?, ? FROM activity WHERE issue_id = ?`,
    [id, timestamp(now), actor, action, id],
  )
}

/** A comment, a file or a relation changes what the issue shows, and so its version (CONC-02). */
export function touchIssue(db: Database, id: string, now: number): void {
  db.run('UPDATE issues SET version = version + 1, updated_at = ? WHERE id = ?', [timestamp(now), id])
}

/** Without the checks of `createIssue`: for callers that have made them for many issues. */
export function insertIssue(
  db: Database,
  issue: NewIssue,
  { action, now }: { readonly action: string; readonly now: number },
): Resource | OperationFailure {
  const id = nextId(db, 'iss')
  const row = db.one('UPDATE projects SET last_number = last_number + 1 WHERE key = ? RETURNING last_number, lead', [
    issue.project,
  ])
  const at = timestamp(now)
  const assignee = issue.assignee === undefined ? text(row?.lead) : issue.assignee
  const { project, title, body, state = 'open', priority = 'normal', reporter, metadata } = issue
  db.run(`INSERT INTO issues VALUES (${Array(19).fill('?').join(', ')})`, [
    ...[id, project, number(row?.last_number), title, title.toLowerCase(), body ?? null, lower(body), state, priority],
    ...[assignee, reporter, issue.estimate_hours ?? null, issue.due_date ?? null, issue.external_id ?? null],
    ...[json(metadata), at, at, state === 'closed' ? at : null, 1],
  ])
  writeLabels(db, id, issue.labels ?? [])
  recordActivity(db, id, { actor: reporter, action, now })
  return getIssue(db, id) ?? missing('issue', id)
}

export function issueOf({ version, labels, attachments, activity, metadata, assignee, ...row }: Row): Resource {
  return {
    ...present(row),
    ...(row.external_id !== null && { external_id_type: 'bigint' }),
    ...(metadata !== null && { metadata: JSON.parse(String(metadata)) }),
    assignee,
    labels: JSON.parse(String(labels)),
    attachments: JSON.parse(String(attachments)),
    activity: JSON.parse(String(activity)),
    _version: version,
  }
}

function writeIssue(db: Database, id: string, next: Resource, now: number): void {
  const at = timestamp(now)
  const values: readonly Bindable[] = [
    ...[text(next.title), lower(next.title), text(next.body), lower(next.body), text(next.state), text(next.priority)],
    ...[text(next.assignee), number(next.estimate_hours), text(next.due_date), text(next.external_id)],
    ...[json(next.metadata), at, next.state === 'closed' ? (text(next.closed_at) ?? at) : null, id],
  ]
  db.run(
    `UPDATE issues SET title = ?, title_lower = ?, body = ?, body_lower = ?, state = ?, priority = ?,
       assignee = ?, estimate_hours = ?, due_date = ?, external_id = ?,
       metadata = ?, updated_at = ?, closed_at = ?, version = version + 1
     WHERE id = ?`,
    values,
  )
  db.run('DELETE FROM issue_labels WHERE issue_id = ?', [id])
  writeLabels(db, id, next.labels as readonly string[])
}

function writeLabels(db: Database, id: string, labels: readonly string[]): void {
  db.run('INSERT INTO issue_labels SELECT ?, key, value FROM json_each(?)', [id, JSON.stringify(labels)])
}

function actionOf(stored: Resource, next: Resource): string {
  if (next.state === 'closed' && stored.state !== 'closed') return 'closed'
  return next.state !== 'closed' && stored.state === 'closed' ? 'reopened' : 'updated'
}

/** The first person or label that does not exist. */
function unknownNames(db: Database, issue: NewIssue | Resource): OperationFailure | undefined {
  const people = [issue.assignee, issue.reporter].filter((handle) => typeof handle === 'string')
  const nobody = people.find((handle) => !getUser(db, handle))
  if (nobody !== undefined) return missing('user', nobody)
  const unknown = unknownLabel(db, (issue.labels ?? []) as readonly string[])
  return unknown === undefined ? undefined : missing('label', unknown)
}

/** A page shows a hundred issues with all that they hold, so what one issue holds decides how long a page takes. */
function tooLarge(issue: NewIssue | Resource, given: object = issue, prefix = ''): OperationFailure | undefined {
  const crossed = MOST.find(({ name, size, most }) => Object.hasOwn(given, name) && size(issue[name]) > most)
  return (
    crossed &&
    fail('VALIDATION_INVALID_VALUE', {
      param_name: prefix + crossed.name,
      constraint: `no more than ${crossed.most} ${crossed.unit}`,
    })
  )
}

const lengthOf = (value: unknown) => (value as { readonly length?: number } | null | undefined)?.length ?? 0

const MOST = [
  { name: 'labels', most: 100, unit: 'labels', size: lengthOf },
  { name: 'body', most: 20_000, unit: 'characters', size: lengthOf },
  { name: 'metadata', most: 20_000, unit: 'characters of JSON', size: (value: unknown) => lengthOf(json(value)) },
] as const

/** An `external_id` names one issue of a project. */
function duplicate(
  db: Database,
  { project, external_id }: NewIssue | Resource,
  self = '',
): OperationFailure | undefined {
  if (typeof external_id !== 'string' || typeof project !== 'string') return undefined
  const sql = 'SELECT 1 FROM issues WHERE project = ? AND external_id = ? AND id <> ?'
  return db.one(sql, [project, external_id, self]) ? taken('issue', external_id) : undefined
}

function lower(value: unknown): string | null {
  return text(value)?.toLowerCase() ?? null
}

function json(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value)
}
