import type { GraphEdge, GraphNode } from '../../../src/core/query/relations.ts'
import { fail } from '../../../src/protocol/errors.ts'
import type { OperationFailure } from '../../../src/protocol/result.ts'
import type { Relationship } from '../vocabulary.ts'
import type { Database } from './database.ts'
import { getIssue } from './issues.ts'
import { getLabel } from './labels.ts'
import { missing, nextId, type Resource, taken } from './records.ts'

export interface NewRelation {
  readonly type: Relationship
  readonly source_id: string
  readonly target_id: string
}

export function createRelation(db: Database, relation: NewRelation): Resource | OperationFailure {
  return db.change(() => {
    const { type, source_id, target_id } = relation
    const unknown = [source_id, target_id].find((id) => !getIssue(db, id))
    if (unknown !== undefined) return missing('issue', unknown)
    if (source_id === target_id) {
      return fail('VALIDATION_INVALID_VALUE', { param_name: 'target_id', constraint: 'an issue other than source_id' })
    }
    const known = 'SELECT id FROM relations WHERE type = ? AND source_id = ? AND target_id = ?'
    const same = db.one(known, [type, source_id, target_id])
    if (same) return taken('relation', String(same.id))
    const id = nextId(db, 'rel')
    db.run('INSERT INTO relations VALUES (?, ?, ?, ?)', [id, type, source_id, target_id])
    return { id, type, source_id, target_id }
  })
}

export function deleteRelation(db: Database, id: string): OperationFailure | undefined {
  return db.change(() => {
    if (!db.one('SELECT 1 FROM relations WHERE id = ?', [id])) return missing('relation', id)
    db.run('DELETE FROM relations WHERE id = ?', [id])
    return undefined
  })
}

export function hasNode(db: Database, { element_type, element_name }: GraphNode): boolean {
  if (element_type === 'issue') return getIssue(db, element_name) !== undefined
  return element_type === 'label' && getLabel(db, element_name) !== undefined
}

/** Every edge that begins or ends here. An issue uses its labels. */
export function edgesOf(db: Database, { element_type, element_name }: GraphNode): readonly GraphEdge[] {
  if (element_type === 'label') {
    const wearers = db.all('SELECT DISTINCT issue_id FROM issue_labels WHERE label = ? ORDER BY issue_id', [
      element_name,
    ])
    return wearers.map(({ issue_id }) => edge('uses', 'incoming', 'issue', issue_id))
  }
  const from = db.all('SELECT type, target_id FROM relations WHERE source_id = ? ORDER BY rowid', [element_name])
  const to = db.all('SELECT type, source_id FROM relations WHERE target_id = ? ORDER BY rowid', [element_name])
  const labels = db.all('SELECT DISTINCT label FROM issue_labels WHERE issue_id = ? ORDER BY label', [element_name])
  return [
    ...from.map(({ type, target_id }) => edge(type, 'outgoing', 'issue', target_id)),
    ...to.map(({ type, source_id }) => edge(type, 'incoming', 'issue', source_id)),
    ...labels.map(({ label }) => edge('uses', 'outgoing', 'label', label)),
  ]
}

function edge(type: unknown, direction: GraphEdge['direction'], elementType: string, name: unknown): GraphEdge {
  return { type: String(type), direction, target: { element_type: elementType, element_name: String(name) } }
}
