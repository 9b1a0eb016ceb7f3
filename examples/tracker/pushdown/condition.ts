import type { Condition, TextQuery } from '../../../src/core/query/collection.ts'
import { allOf, anyOf, type Clause } from './clause.ts'
import { COLUMNS, type Column, TEXT_COLUMNS } from './columns.ts'

/** One condition of a filter in SQL; undefined when SQL cannot say it as the query language means it. */
export function conditionClause(condition: Condition): Clause | undefined {
  if (condition.field === 'labels') return labelClause(condition)
  const column = COLUMNS.get(condition.field)
  return column && columnClause(column, condition)
}

/** COLL-03: every phrase, and any of the words, in any of the fields. */
export function textClause({ words, phrases, fields }: TextQuery): Clause {
  const columns = fields.flatMap((field) => TEXT_COLUMNS.get(field) ?? [])
  const holds = (part: string) => anyOf(columns.map((column) => ({ sql: `instr(${column}, ?) > 0`, values: [part] })))
  return allOf([...phrases.map(holds), ...(words.length > 0 ? [anyOf(words.map(holds))] : [])])
}

const COMPARISONS = new Map([
  ['gt', '>'],
  ['gte', '>='],
  ['lt', '<'],
  ['lte', '<='],
])

function columnClause(column: Column, { op, value }: Condition): Clause | undefined {
  const { sql } = column
  if (op === 'exists') return { sql: `${sql} IS ${value === true ? 'NOT ' : ''}NULL`, values: [] }
  if (value === null) return { sql: `${sql} IS ${op === 'ne' ? 'NOT ' : ''}NULL`, values: [] }
  if (op === 'in') return membership(column, value as readonly unknown[])
  const bound = column.bind(value)
  if (bound === undefined) return undefined
  switch (op) {
    case 'eq':
      return { sql: `${sql} = ?`, values: [bound] }
    case 'ne':
      return { sql: `${sql} IS NOT ?`, values: [bound] }
    case 'contains':
      return { sql: `instr(lower(${sql}), ?) > 0`, values: [String(bound).toLowerCase()] }
    case 'starts_with': {
      const start = String(bound).toLowerCase()
      return { sql: `substr(lower(${sql}), 1, length(?)) = ?`, values: [start, start] }
    }
    default: {
      const sign = COMPARISONS.get(op)
      return column.isOrdered && sign ? { sql: `${sql} ${sign} ?`, values: [bound] } : undefined
    }
  }
}

/** The list travels as one JSON text, so the statement is the same for any number of values. */
function membership({ sql, bind }: Column, wanted: readonly unknown[]): Clause | undefined {
  const values = wanted.filter((value) => value !== null).map(bind)
  if (values.includes(undefined)) return undefined
  const member = { sql: `${sql} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(values)] }
  return wanted.includes(null) ? anyOf([member, { sql: `${sql} IS NULL`, values: [] }]) : member
}

const LABELS = 'SELECT 1 FROM issue_labels AS l WHERE l.issue_id = i.id'

/** A condition on a list looks for one element; an empty list is no value. */
function labelClause({ op, value }: Condition): Clause | undefined {
  if (op === 'exists') return { sql: `${value === true ? '' : 'NOT '}EXISTS (${LABELS})`, values: [] }
  if (value === null) return { sql: `${op === 'ne' ? '' : 'NOT '}EXISTS (${LABELS})`, values: [] }
  if (op === 'in') {
    const wanted = value as readonly unknown[]
    const labels = JSON.stringify(wanted.filter((label) => label !== null))
    const member = { sql: `EXISTS (${LABELS} AND l.label IN (SELECT value FROM json_each(?)))`, values: [labels] }
    return wanted.includes(null) ? anyOf([member, { sql: `NOT EXISTS (${LABELS})`, values: [] }]) : member
  }
  const equals = { sql: `EXISTS (${LABELS} AND l.label = ?)`, values: [String(value)] }
  if (op === 'eq' || op === 'contains') return equals
  return op === 'ne' ? { ...equals, sql: `NOT ${equals.sql}` } : undefined
}
