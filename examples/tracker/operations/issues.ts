import { defineOperation } from '../../../src/core/registry/operation.ts'
import type { Database } from '../backend/database.ts'
import { createIssue, deleteIssue, getIssue, updateIssue } from '../backend/issues.ts'
import { missing } from '../backend/records.ts'
import { queryIssues } from '../pushdown.ts'
import { PRIORITIES } from '../vocabulary.ts'
import { attempt, changeOf, removal } from './controls.ts'

const ISSUE_ID = { type: 'string', required: true, description: 'Such as iss_1.' } as const
const TAGS = ['ticket', 'bug', 'task']

export const issueOperations = (db: Database) => [
  defineOperation({
    name: 'list_issues',
    category: 'READ',
    description: 'List or count issues.',
    tags: TAGS,
    weight: 9,
    collection: {
      of: 'Issue',
      search: [],
      filter: ['project', 'state', 'priority', 'assignee', 'labels', 'due_date', '_computed.age_days'],
      sort: ['due_date', 'updated_at'],
      order: { field: 'updated_at', order: 'desc' },
    },
    examples: [{ params: { filter: { labels: 'bug' }, sort: { field: 'due_date' } } }],
    handler: (_, { query }) => queryIssues(db, query),
  }),

  defineOperation({
    name: 'search_issues',
    category: 'READ',
    description: 'Find issues by words in title and body. `search` says it better than `list`.',
    tags: TAGS,
    weight: 8,
    collection: {
      of: 'Issue',
      filter: ['project', 'state', 'labels'],
      sort: ['updated_at'],
      order: { field: 'updated_at', order: 'desc' },
      aggregate: false,
    },
    examples: [{ params: { query: '"checkout button" screens', fields: 'planning' } }],
    handler: (_, { query }) => queryIssues(db, query),
  }),

  defineOperation({
    name: 'get_issue',
    category: 'READ',
    description: 'Get one issue with its history.',
    tags: TAGS,
    weight: 7,
    params: { issue_id: ISSUE_ID },
    returns: 'Issue',
    examples: [{ params: { issue_id: 'iss_1' } }],
    handler: ({ issue_id }) => getIssue(db, issue_id) ?? missing('issue', issue_id),
  }),

  defineOperation({
    name: 'create_issue',
    category: 'CREATE',
    description: 'Open an issue in a project.',
    tags: TAGS,
    weight: 9,
    params: {
      project: { type: 'string', required: true, description: 'Such as WEB.' },
      title: { type: 'string', required: true, minLength: 1, maxLength: 200 },
      body: { type: 'string' },
      priority: { type: 'string', enum: PRIORITIES, default: 'normal' },
      assignee: { type: 'string | null', description: 'Handle. Omitted: the lead. Null: nobody.' },
      reporter: { type: 'string', default: 'bot' },
      labels: { type: 'string[]', items: { type: 'string', maxLength: 50 } },
      estimate_hours: { type: 'number', minimum: 0, maximum: 1000 },
      due_date: { type: 'string', format: 'date', description: 'Calendar date, no zone.' },
      external_id: { type: 'string', format: 'bigint', description: 'Integer as text.' },
      metadata: { type: 'object', open: true },
    },
    returns: 'Issue',
    dryRun: true,
    examples: [
      { params: { project: 'WEB', title: 'Basket forgets its colour', labels: ['bug'], due_date: '2026-12-24' } },
    ],
    handler: (params, { now }) => attempt(db, params, () => createIssue(db, params, now)),
  }),

  defineOperation({
    name: 'update_issue',
    category: 'UPDATE',
    description: 'Change an issue: close, assign, label, plan.',
    tags: TAGS,
    weight: 9,
    params: { issue_id: ISSUE_ID },
    updates: 'Issue',
    returns: 'Issue',
    examples: [{ params: { issue_id: 'iss_2', if_match: 1, input: { state: 'closed', metadata: { votes: 32 } } } }],
    preview_with: 'get_issue',
    handler: ({ issue_id, ...params }, { now }) => updateIssue(db, issue_id, changeOf(params, now), 'bot'),
  }),

  defineOperation({
    name: 'delete_issue',
    category: 'DELETE',
    description: 'Delete an issue with its comments, files and relations for good.',
    tags: TAGS,
    params: { issue_id: ISSUE_ID },
    returns: 'Deleted',
    dryRun: true,
    danger: {
      level: 'destructive',
      reasons: ['cannot be undone'],
      confirmation_message: 'Delete issue {issue_id}?',
    },
    preview_with: 'get_issue',
    examples: [{ params: { issue_id: 'iss_29', dry_run: true } }],
    handler: ({ issue_id, ...params }) => removal(db, params, issue_id, () => deleteIssue(db, issue_id)),
  }),
]
