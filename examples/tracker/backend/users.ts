import { failWith } from '../../../src/protocol/errors.ts'
import { isFailure, type OperationFailure } from '../../../src/protocol/result.ts'
import { User } from '../types.ts'
import { ERRORS, type Role } from '../vocabulary.ts'
import type { Database, Row } from './database.ts'
import { type Change, merged, missing, present, type Resource, taken, text, timestamp } from './records.ts'

export interface NewUser {
  readonly handle: string
  readonly name: string
  readonly email?: string | undefined
  readonly role: Role
}

export function listUsers(db: Database): readonly Resource[] {
  return db.all('SELECT * FROM users ORDER BY handle').map(userOf)
}

export function getUser(db: Database, handle: string): Resource | undefined {
  const row = db.one('SELECT * FROM users WHERE handle = ?', [handle])
  return row && userOf(row)
}

export function createUser(db: Database, user: NewUser, now: number): Resource | OperationFailure {
  return db.change(() => {
    if (getUser(db, user.handle)) return taken('user', user.handle)
    db.run('INSERT INTO users VALUES (?, ?, ?, ?, ?, 1)', [
      ...[user.handle, user.name, user.email ?? null, user.role, timestamp(now)],
    ])
    return getUser(db, user.handle) ?? missing('user', user.handle)
  })
}

export function updateUser(db: Database, handle: string, change: Change): Resource | OperationFailure {
  return db.change(() => {
    const stored = getUser(db, handle)
    if (!stored) return missing('user', handle)
    const next = merged(User, handle, stored, change)
    if (isFailure(next) || next === stored) return next
    db.run('UPDATE users SET name = ?, email = ?, role = ?, version = version + 1 WHERE handle = ?', [
      ...[text(next.name), text(next.email), text(next.role), handle],
    ])
    return getUser(db, handle) ?? missing('user', handle)
  })
}

/** Issues lose their assignee; whoever reported, wrote or leads something stays. */
export function deleteUser(db: Database, handle: string, now: number): OperationFailure | undefined {
  return db.change(() => {
    if (!getUser(db, handle)) return missing('user', handle)
    if (db.one(WORK, [handle, handle, handle])) {
      return failWith('CONFLICT_USER_IN_USE', ERRORS.CONFLICT_USER_IN_USE, {
        resource_type: 'user',
        resource_id: handle,
      })
    }
    db.run('UPDATE issues SET assignee = NULL, version = version + 1, updated_at = ? WHERE assignee = ?', [
      ...[timestamp(now), handle],
    ])
    db.run('DELETE FROM users WHERE handle = ?', [handle])
    return undefined
  })
}

const WORK = `
  SELECT 1 FROM projects WHERE lead = ?
  UNION ALL SELECT 1 FROM issues WHERE reporter = ?
  UNION ALL SELECT 1 FROM comments WHERE author = ? LIMIT 1`

function userOf({ version, ...row }: Row): Resource {
  return { ...present(row), _version: version }
}
