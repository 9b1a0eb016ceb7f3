import type { Progress } from '../../../src/protocol/lifecycle.ts'
import { PRIORITIES, type Priority } from '../vocabulary.ts'
import type { Database } from './database.ts'
import { recordActivity } from './issues.ts'
import { type Resource, timestamp } from './records.ts'

/** Raises the priority of every open issue whose date has passed by one step. */
export function triage(
  db: Database,
  { project, now }: { readonly project?: string | undefined; readonly now: number },
  progress: (progress: Progress) => void,
): Resource {
  return db.change(() => {
    const today = timestamp(now).slice(0, 10)
    const due = db.all(DUE, [project ?? null, project ?? null, today])
    for (const [index, { id, priority }] of due.entries()) {
      const next = PRIORITIES[PRIORITIES.indexOf(priority as Priority) + 1] ?? 'urgent'
      const change = 'UPDATE issues SET priority = ?, updated_at = ?, version = version + 1 WHERE id = ?'
      db.run(change, [next, timestamp(now), String(id)])
      recordActivity(db, String(id), { actor: 'bot', action: 'triaged', now })
      progress({ current: index + 1, total: due.length })
    }
    return { checked: openCount(db, project), changed: due.map(({ id }) => id) }
  })
}

const OPEN = `
  FROM issues JOIN projects ON projects.key = issues.project
  WHERE issues.state <> 'closed' AND projects.archived = 0 AND (? IS NULL OR issues.project = ?)`

const DUE = `SELECT issues.id, issues.priority ${OPEN}
  AND issues.due_date < ? AND issues.priority <> 'urgent' ORDER BY issues.rowid`

function openCount(db: Database, project: string | undefined): unknown {
  return db.one(`SELECT count(*) AS n ${OPEN}`, [project ?? null, project ?? null])?.n
}
