import { defineOperation } from '../../../src/core/registry/operation.ts'
import type { Database } from '../backend/database.ts'
import { createUser, deleteUser, listUsers, updateUser } from '../backend/users.ts'
import { ROLES } from '../vocabulary.ts'
import { changeOf, removal } from './controls.ts'

const HANDLE = { type: 'string', required: true, pattern: '^[a-z][a-z0-9-]*$', maxLength: 40 } as const

export const userOperations = (db: Database) => [
  defineOperation({
    name: 'list_users',
    category: 'READ',
    endpoint: 'discover',
    description: 'List users.',
    tags: ['people', 'members', 'team'],
    collection: { of: 'User', paging: ['cursor', 'offset'], aggregate: false },
    examples: [{ params: { filter: { role: 'member' }, limit: 2, offset: 2 } }],
    handler: () => listUsers(db),
  }),

  defineOperation({
    name: 'create_user',
    category: 'CREATE',
    description: 'Add a user.',
    params: {
      handle: HANDLE,
      name: { type: 'string', required: true, minLength: 1, maxLength: 100 },
      email: { type: 'string', format: 'email', maxLength: 200 },
      role: { type: 'string', enum: ROLES, default: 'member' },
    },
    returns: 'User',
    examples: [{ params: { handle: 'katherine', name: 'Katherine Weiss', email: 'katherine@tracker.example' } }],
    handler: (user, { now }) => createUser(db, user, now),
  }),

  defineOperation({
    name: 'update_user',
    category: 'UPDATE',
    description: 'Change a user.',
    params: { handle: HANDLE },
    updates: 'User',
    returns: 'User',
    examples: [{ params: { handle: 'alan', input: { role: 'admin' } } }],
    handler: ({ handle, ...params }, { now }) => updateUser(db, handle, changeOf(params, now)),
  }),

  defineOperation({
    name: 'delete_user',
    category: 'DELETE',
    description: 'Delete a user who has written nothing; issues lose the assignee.',
    params: { handle: HANDLE },
    returns: 'Deleted',
    dryRun: true,
    examples: [{ params: { handle: 'bot', dry_run: true } }],
    handler: ({ handle, ...params }, { now }) => removal(db, params, handle, () => deleteUser(db, handle, now)),
  }),
]
