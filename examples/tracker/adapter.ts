import { type AdapterDefinition, defineAdapter } from '../../src/core/registry/adapter.ts'
import type { EndpointProfile } from '../../src/protocol/endpoints.ts'
import { openDatabase } from './backend/database.ts'
import { prepare } from './backend/schema.ts'
import { attachmentOperations } from './operations/attachments.ts'
import { commentOperations } from './operations/comments.ts'
import { issueOperations } from './operations/issues.ts'
import { jobOperations } from './operations/jobs.ts'
import { labelOperations } from './operations/labels.ts'
import { projectOperations } from './operations/projects.ts'
import { relationOperations } from './operations/relations.ts'
import { userOperations } from './operations/users.ts'
import { TYPES } from './types.ts'
import { ERRORS } from './vocabulary.ts'

export interface Tracker {
  readonly adapter: AdapterDefinition
  readonly close: () => void
}

/** An issue tracker in one SQLite file, `:memory:` included. An empty file is filled with the demo's rows. */
export function openTracker(path: string): Tracker {
  const db = openDatabase(path)
  prepare(db)
  const close = once(() => db.close())
  const adapter = defineAdapter({
    name: 'tracker',
    displayName: 'Issue tracker',
    version: '0.1.0',
    description: 'An issue tracker: projects, issues, comments, labels, users.',
    operations: [
      ...issueOperations(db),
      ...commentOperations(db),
      ...projectOperations(db),
      ...labelOperations(db),
      ...userOperations(db),
      ...relationOperations(db),
      ...attachmentOperations(db),
      ...jobOperations(db),
    ],
    types: TYPES,
    profiles: [DESK],
    concurrency: 'read-concurrent',
    errors: ERRORS,
    close,
  })
  return { adapter, close }
}

/** Families named for what one wants to do (MODE-05). */
const DESK: EndpointProfile = {
  name: 'desk',
  introspection: 'discover',
  families: [
    { name: 'discover', purpose: 'See what there is: operations, projects, people, labels.', categories: [] },
    { name: 'query', purpose: 'Read issues and what belongs to them.', categories: ['READ'] },
    { name: 'manage', purpose: 'Add, change and remove.', categories: ['CREATE', 'UPDATE', 'DELETE'] },
    { name: 'operate', purpose: 'Run and control jobs.', categories: ['EXECUTE'] },
  ],
}

/** The runtime closes its adapter, and whoever opened the tracker may close it too. */
function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}
