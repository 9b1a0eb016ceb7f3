import { isFailure, type OperationFailure } from '../../../src/protocol/result.ts'
import { Label } from '../types.ts'
import type { Database, Row } from './database.ts'
import { type Change, merged, missing, present, type Resource, taken, text, timestamp } from './records.ts'

export interface NewLabel {
  readonly name: string
  readonly color: string
  readonly description?: string | undefined
}

export function listLabels(db: Database): readonly Resource[] {
  return db.all(`${SELECT} ORDER BY name`).map(labelOf)
}

export function getLabel(db: Database, name: string): Resource | undefined {
  const row = db.one(`${SELECT} WHERE name = ?`, [name])
  return row && labelOf(row)
}

/** The first of these that does not exist, found by one statement for any number of them. */
export function unknownLabel(db: Database, names: readonly string[]): string | undefined {
  const sql = 'SELECT value FROM json_each(?) WHERE value NOT IN (SELECT name FROM labels) ORDER BY key LIMIT 1'
  return text(db.one(sql, [JSON.stringify(names)])?.value) ?? undefined
}

export function createLabel(db: Database, label: NewLabel): Resource | OperationFailure {
  return db.change(() => {
    if (getLabel(db, label.name)) return taken('label', label.name)
    db.run('INSERT INTO labels VALUES (?, ?, ?, 1)', [label.name, label.color, label.description ?? null])
    return getLabel(db, label.name) ?? missing('label', label.name)
  })
}

export function updateLabel(db: Database, name: string, change: Change): Resource | OperationFailure {
  return db.change(() => {
    const stored = getLabel(db, name)
    if (!stored) return missing('label', name)
    const next = merged(Label, name, stored, change)
    if (isFailure(next) || next === stored) return next
    db.run('UPDATE labels SET color = ?, description = ?, version = version + 1 WHERE name = ?', [
      ...[text(next.color), text(next.description), name],
    ])
    return getLabel(db, name) ?? missing('label', name)
  })
}

/** The issues that wear it change, so their version does too. */
export function deleteLabel(db: Database, name: string, now: number): OperationFailure | undefined {
  return db.change(() => {
    if (!getLabel(db, name)) return missing('label', name)
    const worn = 'id IN (SELECT issue_id FROM issue_labels WHERE label = ?)'
    db.run(`UPDATE issues SET version = version + 1, updated_at = ? WHERE ${worn}`, [timestamp(now), name])
    db.run('DELETE FROM issue_labels WHERE label = ?', [name])
    db.run('DELETE FROM labels WHERE name = ?', [name])
    return undefined
  })
}

const SELECT = `
  SELECT name, color, description, version,
    (SELECT count(DISTINCT issue_id) FROM issue_labels WHERE label = labels.name) AS issue_count
  FROM labels`

function labelOf({ version, ...row }: Row): Resource {
  return { ...present(row), _version: version }
}
