import type { Bindable } from '../backend/database.ts'

/** How one field of an issue is reached and compared in SQL. */
export interface Column {
  readonly sql: string
  /** The value in the form in which the column holds it; undefined when SQL would not compare it rightly. */
  readonly bind: (value: unknown) => Bindable | undefined
  /** False where the order of the stored texts is not that of the values. */
  readonly isOrdered: boolean
  /** Only such columns need a place for what has no value, which an index cannot give. */
  readonly isNullable: boolean
}

/** The only names that ever become part of a statement. A field that is missing here is left to the query room. */
export const COLUMNS: ReadonlyMap<string, Column> = new Map([
  ['id', text('i.id')],
  ['project', text('i.project')],
  ['ref', text("i.project || '-' || i.number")],
  ['state', text('i.state')],
  ['priority', text('i.priority')],
  ['assignee', nullable(text('i.assignee'))],
  ['reporter', text('i.reporter')],
  ['estimate_hours', nullable(number('i.estimate_hours'))],
  ['due_date', nullable(time("i.due_date || 'T00:00:00.000Z'"))],
  ['external_id', nullable(bigint("CASE i.external_id WHEN '-0' THEN '0' ELSE i.external_id END"))],
  ['comment_count', number('(SELECT count(*) FROM comments WHERE issue_id = i.id)')],
  ['created_at', time('i.created_at')],
  ['updated_at', time('i.updated_at')],
  ['closed_at', nullable(time('i.closed_at'))],
  ['_version', number('i.version')],
])

/** Lower-case copies, made by the same function that the query room uses. */
export const TEXT_COLUMNS: ReadonlyMap<string, string> = new Map([
  ['title', 'i.title_lower'],
  ['body', 'i.body_lower'],
])

/** Handles, keys and ids are ASCII by their patterns, so SQLite orders and folds them as JavaScript does. */
function text(sql: string): Column {
  return { sql, bind: (value) => (typeof value === 'string' ? value : undefined), isOrdered: true, isNullable: false }
}

function number(sql: string): Column {
  return { sql, bind: (value) => (typeof value === 'number' ? value : undefined), isOrdered: true, isNullable: false }
}

/** DATA-05: moments in UTC with milliseconds; a date alone is its midnight. Beyond the year 9999 texts do not sort. */
function time(sql: string): Column {
  const bind = (value: unknown) => {
    const moment = typeof value === 'string' && value.length === DATE ? `${value}T00:00:00.000Z` : value
    return typeof moment === 'string' && moment.length === MOMENT ? moment : undefined
  }
  return { sql, bind, isOrdered: true, isNullable: false }
}

/** DATA-06: `007` and `7` are one number, and 9 comes before 10. */
function bigint(sql: string): Column {
  const bind = (value: unknown) => (typeof value === 'string' ? String(BigInt(value)) : undefined)
  return { sql, bind, isOrdered: false, isNullable: false }
}

function nullable(column: Column): Column {
  return { ...column, isNullable: true }
}

const DATE = '2026-02-04'.length
const MOMENT = '2026-02-04T10:30:00.000Z'.length
