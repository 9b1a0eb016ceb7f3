import { defineRelationships } from '../../../src/core/query/relations.ts'
import { defineOperation } from '../../../src/core/registry/operation.ts'
import type { Database } from '../backend/database.ts'
import { createRelation, deleteRelation, edgesOf, hasNode } from '../backend/relations.ts'
import { RELATIONSHIPS } from '../vocabulary.ts'
import { removal } from './controls.ts'

export const relationOperations = (db: Database) => [
  {
    ...defineRelationships({
      description: 'Walk from an issue or label to what it references, uses or blocks.',
      elementTypes: ['issue', 'label'],
      relationships: RELATIONSHIPS,
      maxDepth: 5,
      exists: (node) => hasNode(db, node),
      edges: (node) => edgesOf(db, node),
    }),
    examples: [{ params: { root: { element_type: 'issue', element_name: 'iss_1' }, direction: 'outgoing', depth: 3 } }],
  },

  defineOperation({
    name: 'create_relation',
    category: 'CREATE',
    description: 'Link one issue to another.',
    params: {
      type: { type: 'string', required: true, enum: RELATIONSHIPS },
      source_id: { type: 'string', required: true, description: 'The issue that references, uses or blocks.' },
      target_id: { type: 'string', required: true },
    },
    returns: 'Relation',
    examples: [{ params: { type: 'blocks', source_id: 'iss_22', target_id: 'iss_33' } }],
    handler: (relation) => createRelation(db, relation),
  }),

  defineOperation({
    name: 'delete_relation',
    category: 'DELETE',
    description: 'Unlink two issues.',
    params: { relation_id: { type: 'string', required: true, description: 'Such as rel_1.' } },
    returns: 'Deleted',
    dryRun: true,
    danger: { level: 'reversible', reasons: ['create_relation links them again'] },
    examples: [{ params: { relation_id: 'rel_3', dry_run: true } }],
    handler: ({ relation_id, ...params }) => removal(db, params, relation_id, () => deleteRelation(db, relation_id)),
  }),
]
