import { defineOperation } from '../../../src/core/registry/operation.ts'
import type { Database } from '../backend/database.ts'
import { createProject, deleteProject, listProjects, updateProject } from '../backend/projects.ts'
import { changeOf, removal } from './controls.ts'

const KEY = { type: 'string', required: true, pattern: '^[A-Z]{2,5}$', description: 'Such as WEB.' } as const

export const projectOperations = (db: Database) => [
  defineOperation({
    name: 'list_projects',
    category: 'READ',
    endpoint: 'discover',
    description: 'List projects.',
    collection: { of: 'Project', aggregate: false },
    examples: [{ params: { filter: { archived: false }, sort: { field: 'open_issues', order: 'desc' } } }],
    handler: () => listProjects(db),
  }),

  defineOperation({
    name: 'create_project',
    category: 'CREATE',
    description: 'Start a project.',
    params: {
      key: KEY,
      name: { type: 'string', required: true, minLength: 1, maxLength: 100 },
      description: { type: 'string', maxLength: 2000 },
      lead: { type: 'string', default: 'ada', description: 'Handle of a user.' },
    },
    returns: 'Project',
    examples: [{ params: { key: 'OPS', name: 'Operations', lead: 'linus' } }],
    handler: (project, { now }) => createProject(db, project, now),
  }),

  defineOperation({
    name: 'update_project',
    category: 'UPDATE',
    description: 'Change a project, archive it or bring it back.',
    params: { key: KEY },
    updates: 'Project',
    returns: 'Project',
    examples: [{ params: { key: 'LEG', input: { archived: false } } }],
    handler: ({ key, ...params }, { now }) => updateProject(db, key, changeOf(params, now)),
  }),

  defineOperation({
    name: 'delete_project',
    category: 'DELETE',
    description: 'Delete an empty project for good. Archive one with issues by update_project.',
    params: { key: KEY },
    returns: 'Deleted',
    dryRun: true,
    danger: { level: 'destructive', reasons: ['cannot be undone'], confirmation_message: 'Delete project {key}?' },
    examples: [{ params: { key: 'LAB', dry_run: true } }],
    handler: ({ key, ...params }) => removal(db, params, key, () => deleteProject(db, key)),
  }),
]
