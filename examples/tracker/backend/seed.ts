import type { Bindable, Database } from './database.ts'
import { ATTACHMENTS, COMMENTS, ISSUES, LABELS, PROJECTS, RELATIONS, type SeedIssue, USERS } from './seed-data.ts'

/** The same rows with the same ids and times in every new database, so that examples can name them. */
export function seed(db: Database): void {
  const insert = (table: string, rows: readonly (readonly Bindable[])[]) => {
    for (const row of rows) db.run(`INSERT INTO ${table} VALUES (${row.map(() => '?').join(', ')})`, row)
  }
  const issues = ISSUES.map(issueOf)
  const comments = COMMENTS.map(commentOf)
  const numbers = PROJECTS.map(([key]) => issues.filter((issue) => issue.project === key).length)

  insert(
    'users',
    USERS.map(([handle, name, email, role]) => [handle, name, email, role, START, 1]),
  )
  insert(
    'projects',
    PROJECTS.map(([key, name, description, lead, archived], index) => [
      key,
      name,
      description,
      lead,
      archived ? 1 : 0,
      numbers[index] ?? 0,
      START,
      START,
      1,
    ]),
  )
  insert(
    'labels',
    LABELS.map(([name, color, description]) => [name, color, description, 1]),
  )
  insert(
    'issues',
    issues.map((issue) => issue.row),
  )
  insert(
    'issue_labels',
    issues.flatMap(({ id, labels }) => labels.map((label, position) => [id, position, label])),
  )
  insert(
    'comments',
    comments.map(({ id, issue_id, author, body, at }) => [id, issue_id, author, body, at, 1]),
  )
  insert('activity', activityOf(issues, comments))
  insert(
    'relations',
    RELATIONS.map(([type, source, target], index) => [`rel_${index + 1}`, type, `iss_${source}`, `iss_${target}`]),
  )
  insert(
    'attachments',
    ATTACHMENTS.map(([issue, name, mime, content], index) => [
      `att_${index + 1}`,
      `iss_${issue}`,
      name,
      content,
      'base64',
      mime,
      time(issue * STEP_HOURS + 2),
    ]),
  )
  insert('counters', [
    ['iss', ISSUES.length],
    ['cmt', COMMENTS.length],
    ['rel', RELATIONS.length],
    ['att', ATTACHMENTS.length],
  ])
}

const START = '2026-01-05T08:00:00.000Z'
const HOUR = 3_600_000
const STEP_HOURS = 67

interface SeededIssue {
  readonly id: string
  readonly project: string
  readonly reporter: string
  readonly labels: readonly string[]
  readonly created: string
  readonly closed: string | null
  readonly row: readonly Bindable[]
}

interface SeededComment {
  readonly id: string
  readonly issue_id: string
  readonly author: string
  readonly body: string
  readonly at: string
}

function issueOf(issue: SeedIssue, index: number): SeededIssue {
  const { project, title, body, state, priority, assignee, reporter, labels, estimate, due, external, metadata } = issue
  const id = `iss_${index + 1}`
  const number = ISSUES.slice(0, index + 1).filter((other) => other.project === project).length
  const created = time((index + 1) * STEP_HOURS)
  const closed = state === 'closed' ? time((index + 1) * STEP_HOURS + 200 + (index % 5) * 24) : null
  const updated = closed ?? time((index + 1) * STEP_HOURS + 30 + (index % 7) * 11)
  const row = [
    ...[id, project, number, title, title.toLowerCase(), body, body?.toLowerCase() ?? null, state, priority],
    ...[assignee, reporter, estimate, due, external, metadata && JSON.stringify(metadata)],
    ...[created, updated, closed, 1],
  ]
  return { id, project, reporter, labels, created, closed, row }
}

/** The comments of an issue follow one another as they stand in the list, so that its history is oldest first. */
function commentOf([issue, author, body]: (typeof COMMENTS)[number], index: number): SeededComment {
  const before = COMMENTS.slice(0, index).filter(([other]) => other === issue).length
  const at = time(issue * STEP_HOURS + 3 + before * 5)
  return { id: `cmt_${index + 1}`, issue_id: `iss_${issue}`, author, body, at }
}

function activityOf(issues: readonly SeededIssue[], comments: readonly SeededComment[]): (readonly Bindable[])[] {
  return issues.flatMap(({ id, reporter, created, closed }) => {
    const said = comments.filter(({ issue_id }) => issue_id === id).map(({ at, author }) => [at, author, 'commented'])
    const events = [[created, reporter, 'created'], ...said, ...(closed ? [[closed, reporter, 'closed']] : [])]
    return events.map((event, position) => [id, position, ...event])
  })
}

function time(hours: number): string {
  return new Date(Date.parse(START) + hours * HOUR).toISOString()
}
