import { defineOperation } from '../../../src/core/registry/operation.ts'
import type { Database } from '../backend/database.ts'
import { createLabel, deleteLabel, listLabels, updateLabel } from '../backend/labels.ts'
import { changeOf, removal } from './controls.ts'

const NAME = { type: 'string', required: true, pattern: '^[a-z][a-z0-9-]*$', maxLength: 50 } as const

export const labelOperations = (db: Database) => [
  defineOperation({
    name: 'list_labels',
    category: 'READ',
    endpoint: 'discover',
    description: 'List labels and how often each is used.',
    collection: { of: 'Label', paging: ['cursor', 'page'], aggregate: false },
    examples: [{ params: { sort: { field: 'issue_count', order: 'desc' }, page: 1, page_size: 5 } }],
    handler: () => listLabels(db),
  }),

  defineOperation({
    name: 'create_label',
    category: 'CREATE',
    description: 'Add a label.',
    params: {
      name: NAME,
      color: { type: 'string', pattern: '^#[0-9a-f]{6}$', default: '#cccccc' },
      description: { type: 'string', maxLength: 500 },
    },
    returns: 'Label',
    examples: [{ params: { name: 'urgent-call', color: '#ff8800' } }],
    handler: (label) => createLabel(db, label),
  }),

  defineOperation({
    name: 'update_label',
    category: 'UPDATE',
    description: 'Change the colour or description of a label.',
    params: { name: NAME },
    updates: 'Label',
    returns: 'Label',
    examples: [{ params: { name: 'design', input: { description: 'How it looks.' } } }],
    handler: ({ name, ...params }, { now }) => updateLabel(db, name, changeOf(params, now)),
  }),

  defineOperation({
    name: 'delete_label',
    category: 'DELETE',
    description: 'Delete a label and take it off every issue.',
    params: { name: NAME },
    returns: 'Deleted',
    dryRun: true,
    examples: [{ params: { name: 'design', dry_run: true } }],
    handler: ({ name, ...params }, { now }) => removal(db, params, name, () => deleteLabel(db, name, now)),
  }),
]
