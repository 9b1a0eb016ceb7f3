import { defineOperation } from '../../../src/core/registry/operation.ts'
import { createComment, deleteComment, listComments, updateComment } from '../backend/comments.ts'
import type { Database } from '../backend/database.ts'
import { changeOf, removal } from './controls.ts'

const COMMENT_ID = { type: 'string', required: true, description: 'Such as cmt_1.' } as const

export const commentOperations = (db: Database) => [
  defineOperation({
    name: 'list_comments',
    category: 'READ',
    description: 'List the comments of an issue, oldest first.',
    params: { issue_id: { type: 'string', required: true, description: 'Such as iss_1.' } },
    collection: { of: 'Comment', order: { field: 'created_at' }, filter: ['author', 'created_at'], aggregate: false },
    examples: [{ params: { issue_id: 'iss_15', filter: { author: 'linus' } } }],
    handler: ({ issue_id }) => listComments(db, issue_id),
  }),

  defineOperation({
    name: 'create_comment',
    category: 'CREATE',
    description: 'Comment on an issue; adds to its history.',
    params: {
      issue_id: { type: 'string', required: true, description: 'Such as iss_1.' },
      body: { type: 'string', required: true, minLength: 1, maxLength: 20_000 },
      author: { type: 'string', default: 'bot', description: 'Handle.' },
    },
    returns: 'Comment',
    examples: [{ params: { issue_id: 'iss_1', body: 'Fixed on the staging shop.', author: 'grace' } }],
    handler: (comment, { now }) => createComment(db, comment, now),
  }),

  defineOperation({
    name: 'update_comment',
    category: 'UPDATE',
    description: 'Change the text of a comment.',
    params: { comment_id: COMMENT_ID },
    updates: 'Comment',
    returns: 'Comment',
    examples: [{ params: { comment_id: 'cmt_1', input: { body: 'Reproduced with an expired card.' } } }],
    handler: ({ comment_id, ...params }, { now }) => updateComment(db, comment_id, changeOf(params, now)),
  }),

  defineOperation({
    name: 'edit_comment',
    category: 'UPDATE',
    description: 'Change a comment under its first name; `edit` is `update` elsewhere.',
    params: { comment_id: COMMENT_ID },
    updates: 'Comment',
    returns: 'Comment',
    deprecated: { since: '0.1.0', replacement: 'update_comment', removal: '2027-06-30' },
    examples: [{ params: { comment_id: 'cmt_2', input: { body: 'Reset the result on input.' } } }],
    handler: ({ comment_id, ...params }, { now }) => updateComment(db, comment_id, changeOf(params, now)),
  }),

  defineOperation({
    name: 'delete_comment',
    category: 'DELETE',
    description: 'Delete a comment.',
    params: { comment_id: COMMENT_ID },
    returns: 'Deleted',
    dryRun: true,
    examples: [{ params: { comment_id: 'cmt_3', dry_run: true } }],
    handler: ({ comment_id, ...params }, { now }) =>
      removal(db, params, comment_id, () => deleteComment(db, comment_id, now)),
  }),
]
