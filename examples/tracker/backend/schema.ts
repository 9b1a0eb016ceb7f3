import type { Database } from './database.ts'
import { seed } from './seed.ts'

/** Creates and seeds an empty database; leaves one that is already in use as it is. */
export function prepare(db: Database): void {
  db.change(() => {
    const version = db.one('PRAGMA user_version')?.user_version
    if (version !== 0 && version !== VERSION)
      throw new Error(`The tracker file has layout ${version}, and this release reads ${VERSION}.`)
    if (version === 0) createAll(db)
    for (const index of ADDED_INDEXES) db.run(index)
  })
}

function createAll(db: Database): void {
  for (const table of TABLES) db.run(table)
  seed(db)
  db.run(`PRAGMA user_version = ${VERSION}`)
}

const VERSION = 1

/** Times are UTC with milliseconds and `Z`, so that their order as text is their order in time (DATA-05). */
const TABLES = [
  `CREATE TABLE counters (name TEXT PRIMARY KEY, last INTEGER NOT NULL) STRICT`,

  `CREATE TABLE users (
    handle TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT,
    role TEXT NOT NULL,
    created_at TEXT NOT NULL,
    version INTEGER NOT NULL
  ) STRICT`,

  `CREATE TABLE projects (
    key TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    description TEXT,
    lead TEXT NOT NULL REFERENCES users (handle),
    archived INTEGER NOT NULL,
    last_number INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL
  ) STRICT`,

  `CREATE TABLE labels (
    name TEXT PRIMARY KEY,
    color TEXT NOT NULL,
    description TEXT,
    version INTEGER NOT NULL
  ) STRICT`,

  // The lower-case copies let SQL look for text exactly as the query language does: SQLite folds ASCII only.
  `CREATE TABLE issues (
    id TEXT PRIMARY KEY,
    project TEXT NOT NULL REFERENCES projects (key),
    number INTEGER NOT NULL,
    title TEXT NOT NULL,
    title_lower TEXT NOT NULL,
    body TEXT,
    body_lower TEXT,
    state TEXT NOT NULL,
    priority TEXT NOT NULL,
    assignee TEXT REFERENCES users (handle),
    reporter TEXT NOT NULL REFERENCES users (handle),
    estimate_hours REAL,
    due_date TEXT,
    external_id TEXT,
    metadata TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    closed_at TEXT,
    version INTEGER NOT NULL,
    UNIQUE (project, number),
    UNIQUE (project, external_id)
  ) STRICT`,

  `CREATE INDEX issues_by_update ON issues (updated_at DESC, id)`,
  `CREATE INDEX issues_by_state ON issues (state)`,

  `CREATE TABLE issue_labels (
    issue_id TEXT NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    label TEXT NOT NULL REFERENCES labels (name),
    PRIMARY KEY (issue_id, position)
  ) STRICT, WITHOUT ROWID`,

  `CREATE TABLE comments (
    id TEXT PRIMARY KEY,
    issue_id TEXT NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
    author TEXT NOT NULL REFERENCES users (handle),
    body TEXT NOT NULL,
    created_at TEXT NOT NULL,
    version INTEGER NOT NULL
  ) STRICT`,

  `CREATE INDEX comments_by_issue ON comments (issue_id)`,

  `CREATE TABLE activity (
    issue_id TEXT NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    at TEXT NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    PRIMARY KEY (issue_id, position)
  ) STRICT, WITHOUT ROWID`,

  `CREATE TABLE relations (
    id TEXT PRIMARY KEY,
    type TEXT NOT NULL,
    source_id TEXT NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
    target_id TEXT NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
    UNIQUE (type, source_id, target_id)
  ) STRICT`,

  `CREATE INDEX relations_by_target ON relations (target_id)`,

  `CREATE TABLE attachments (
    id TEXT PRIMARY KEY,
    issue_id TEXT NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
    file_name TEXT NOT NULL,
    file_content TEXT NOT NULL,
    file_encoding TEXT NOT NULL,
    file_mime_type TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT`,

  `CREATE INDEX attachments_by_issue ON attachments (issue_id)`,
]

/** A file of an earlier release gets them as well: an index changes no answer, only how long it takes. */
const ADDED_INDEXES = ['CREATE INDEX IF NOT EXISTS issue_labels_by_label ON issue_labels (label, issue_id)']
