import { failWith } from '../../../src/protocol/errors.ts'
import { isFailure, type OperationFailure } from '../../../src/protocol/result.ts'
import { Project } from '../types.ts'
import { ERRORS } from '../vocabulary.ts'
import type { Database, Row } from './database.ts'
import { type Change, merged, missing, present, type Resource, taken, text, timestamp } from './records.ts'
import { getUser } from './users.ts'

export interface NewProject {
  readonly key: string
  readonly name: string
  readonly description?: string | undefined
  readonly lead: string
}

export function listProjects(db: Database): readonly Resource[] {
  return db.all(`${SELECT} ORDER BY key`).map(projectOf)
}

export function getProject(db: Database, key: string): Resource | undefined {
  const row = db.one(`${SELECT} WHERE key = ?`, [key])
  return row && projectOf(row)
}

export function createProject(db: Database, project: NewProject, now: number): Resource | OperationFailure {
  return db.change(() => {
    const { key, name, description = null, lead } = project
    if (getProject(db, key)) return taken('project', key)
    if (!getUser(db, lead)) return missing('user', lead)
    const at = timestamp(now)
    db.run('INSERT INTO projects VALUES (?, ?, ?, ?, 0, 0, ?, ?, 1)', [key, name, description, lead, at, at])
    return getProject(db, key) ?? missing('project', key)
  })
}

export function updateProject(db: Database, key: string, change: Change): Resource | OperationFailure {
  return db.change(() => {
    const stored = getProject(db, key)
    if (!stored) return missing('project', key)
    const next = merged(Project, key, stored, change)
    if (isFailure(next) || next === stored) return next
    if (!getUser(db, String(next.lead))) return missing('user', String(next.lead))
    db.run(
      `UPDATE projects SET name = ?, description = ?, lead = ?, archived = ?, updated_at = ?, version = version + 1
       WHERE key = ?`,
      [
        ...[text(next.name), text(next.description), text(next.lead)],
        ...[next.archived === true ? 1 : 0, timestamp(change.now), key],
      ],
    )
    return getProject(db, key) ?? missing('project', key)
  })
}

export function deleteProject(db: Database, key: string): OperationFailure | undefined {
  return db.change(() => {
    if (!getProject(db, key)) return missing('project', key)
    const held = db.one('SELECT count(*) AS issues FROM issues WHERE project = ?', [key])?.issues
    if (held !== 0) {
      const details = { resource_type: 'project', resource_id: key, issues: held }
      return failWith('CONFLICT_PROJECT_NOT_EMPTY', ERRORS.CONFLICT_PROJECT_NOT_EMPTY, details)
    }
    db.run('DELETE FROM projects WHERE key = ?', [key])
    return undefined
  })
}

/** Why nothing may be written to the project's issues, if something stands against it. */
export function closedTo(db: Database, key: string): OperationFailure | undefined {
  const project = getProject(db, key)
  if (!project) return missing('project', key)
  if (project.archived !== true) return undefined
  const details = { resource_type: 'project', resource_id: key }
  return failWith('CONFLICT_PROJECT_ARCHIVED', ERRORS.CONFLICT_PROJECT_ARCHIVED, details)
}

const SELECT = `
  SELECT key, name, description, lead, archived, created_at, updated_at, version,
    (SELECT count(*) FROM issues WHERE project = projects.key AND state <> 'closed') AS open_issues
  FROM projects`

function projectOf({ version, archived, ...row }: Row): Resource {
  return { ...present(row), archived: archived === 1, _version: version }
}
