import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { fail } from '../../../src/protocol/errors.ts'
import { type Bindable, type Database, openDatabase } from './database.ts'
import { prepare } from './schema.ts'

const folder = mkdtempSync(join(tmpdir(), 'tracker-'))
const open: Database[] = []
const opened = (path: string) => {
  const db = openDatabase(path)
  open.push(db)
  prepare(db)
  return db
}
const count = (db: Database, table: string) => db.one(`SELECT count(*) AS n FROM ${table}`)?.n

afterEach(() => {
  for (const db of open.splice(0)) db.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the seed has its rows, and the same ones each time', () => {
  const [first, second] = [opened(':memory:'), opened(':memory:')]
  const tables = ['projects', 'users', 'labels', 'issues', 'comments', 'relations', 'attachments']
  expect(tables.map((table) => count(first, table))).toEqual([4, 6, 8, 60, 100, 12, 3])
  for (const table of [...tables, 'activity', 'issue_labels', 'counters']) {
    expect(second.all(`SELECT * FROM ${table}`)).toEqual(first.all(`SELECT * FROM ${table}`))
  }
})

test('DATA-05 every stored time is UTC with milliseconds and Z', () => {
  const db = opened(':memory:')
  const times = db.all(
    'SELECT created_at AS at FROM issues UNION SELECT at FROM activity UNION SELECT created_at FROM comments',
  )
  for (const { at } of times) expect(at).toMatch(/^2026-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('a file is its owner’s alone, in WAL mode, and keeps what was written', () => {
  const path = join(folder, 'deep', 'tracker.db')
  const first = opened(path)
  expect(first.one('PRAGMA journal_mode')?.journal_mode).toBe('wal')
  first.run("UPDATE issues SET title = 'kept' WHERE id = 'iss_1'")
  expect([path, `${path}-wal`].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600])
  first.close()
  open.length = 0
  const second = opened(path)
  expect(second.one("SELECT title FROM issues WHERE id = 'iss_1'")?.title).toBe('kept')
  expect(count(second, 'issues')).toBe(60)
})

test('a file of another layout is refused', () => {
  const path = join(folder, 'other.db')
  opened(path).run('PRAGMA user_version = 99')
  expect(() => opened(path)).toThrow('layout 99')
})

test.each([true, undefined, {}, [], Number.NaN, new Uint8Array(1)])(
  '%o is refused before it reaches libsql',
  (value) => {
    const db = opened(':memory:')
    expect(() => db.all('SELECT ?', [value as Bindable])).toThrow(TypeError)
  },
)

test('an exception and a failure value undo a change, a preview leaves no trace', () => {
  const db = opened(':memory:')
  const clear = () => db.run('DELETE FROM comments')
  const refused = fail('PERMISSION_DENIED', { reason: 'no' })
  expect(db.change(() => [clear(), refused][1])).toBe(refused)
  expect(count(db, 'comments')).toBe(100)
  expect(() => db.change(() => [clear()].concat(raise()))).toThrow('no')
  expect(count(db, 'comments')).toBe(100)
  expect(db.preview(() => [clear(), count(db, 'comments')][1])).toBe(0)
  expect(count(db, 'comments')).toBe(100)
})

test('a change inside a preview is undone with it', () => {
  const db = opened(':memory:')
  db.preview(() => db.change(() => db.run('DELETE FROM comments')))
  expect(count(db, 'comments')).toBe(100)
})

function raise(): never {
  throw new Error('no')
}
