import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, describe, expect, test } from 'vitest'
import { record, type Store, updateRecord } from '../../src/core/ports/store.ts'
import { createMemoryStore } from '../../src/store/memory.ts'
import { openStore } from '../../src/store/open.ts'
import { openSqliteStore } from '../../src/store/sqlite.ts'
import { storeContract } from './store.ts'

const ROOT = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'mcpaql-store-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fresh = () => join(folder, randomUUID(), 'state.db')
const COUNTER = record<number>('counter', 'x')
const increment = (n: number | undefined) => ({ next: (n ?? 0) + 1, result: n ?? 0 })

storeContract('memory', async () => createMemoryStore())
storeContract('sqlite', () => openSqliteStore(fresh()))

describe('a SQLite store', () => {
  test('survives a restart', async () => {
    const path = fresh()
    const first = await openSqliteStore(path)
    await updateRecord(first, COUNTER, increment)
    await first.close()
    const second = await openSqliteStore(path)
    expect(await second.get(COUNTER)).toBe(1)
    await second.close()
  })

  test('is on disk before the answer, in a write-ahead log', async () => {
    const path = fresh()
    const store = await openSqliteStore(path)
    await updateRecord(store, COUNTER, increment)
    const onlooker = new Database(path)
    expect(onlooker.pragma('journal_mode')).toEqual([{ journal_mode: 'wal' }])
    expect(onlooker.prepare('select value from records').all()).toEqual([{ value: '1' }])
    onlooker.close()
    await store.close()
  })

  test.skipIf(process.platform === 'win32')('belongs to its owner alone', async () => {
    const path = fresh()
    const store = await openSqliteStore(path)
    await updateRecord(store, COUNTER, increment)
    expect(mode(join(path, '..'))).toBe('700')
    const files = readdirSync(join(path, '..'))
    expect(files).toContain('state.db-wal')
    for (const file of files) expect(`${file} ${mode(join(path, '..', file))}`).toBe(`${file} 600`)
    await store.close()
  })

  test.skipIf(process.platform === 'win32')('takes away what others could read', async () => {
    const path = join(folder, 'open.db')
    writeFileSync(path, '', { mode: 0o644 })
    await (await openSqliteStore(path)).close()
    expect(mode(path)).toBe('600')
  })

  test('two connections to one file lose nothing', async () => {
    const path = fresh()
    const stores = await Promise.all([openSqliteStore(path), openSqliteStore(path)])
    const updates = Array.from({ length: 40 }, (_, i) => updateRecord(stores[i % 2] as Store, COUNTER, increment))
    await Promise.all(updates)
    expect(await stores[0].get(COUNTER)).toBe(40)
    await Promise.all(stores.map((store) => store.close()))
  })

  test('two processes on one file lose nothing', async () => {
    const path = fresh()
    const store = await openSqliteStore(path)
    const other = run(
      `
      const bump = db.transaction(() => {
        const [row] = db.prepare("select value from records where kind = 'counter' and id = 'x'").all()
        db.prepare("insert into records values ('counter', 'x', ?) on conflict do update set value = excluded.value")
          .run(String(Number(row?.value ?? 0) + 1))
      })
      for (let i = 0; i < 200; i++) bump.immediate()`,
      path,
    )
    await other.ready
    for (let i = 0; i < 200; i++) {
      await updateRecord(store, COUNTER, increment)
      await new Promise(setImmediate)
    }
    expect(await other.exit).toBe(0)
    expect(await store.get(COUNTER)).toBe(400)
    await store.close()
  })

  test('waits for another process that holds the file while it opens', async () => {
    const path = fresh()
    mkdirSync(join(path, '..'))
    const other = run(`db.exec('begin exclusive'); setTimeout(() => db.exec('commit'), 500)`, path)
    await other.ready
    const store = await openSqliteStore(path)
    expect(await updateRecord(store, COUNTER, increment)).toBe(0)
    expect(await other.exit).toBe(0)
    await store.close()
  })

  test('a change that waits for another process holds up nothing else', async () => {
    const path = fresh()
    const store = await openSqliteStore(path)
    const other = new Database(path)
    other.exec('begin immediate')
    const waiting = updateRecord(store, COUNTER, increment)
    await new Promise((resolve) => setTimeout(resolve, 200)) // SQLite's own waiting would end in a refusal instead
    other.exec('commit')
    expect(await waiting).toBe(0)
    other.close()
    await store.close()
  })

  test('a change that the database itself has rolled back fails with the reason', async () => {
    const path = fresh()
    const store = await openSqliteStore(path)
    const other = new Database(path)
    other.exec("create trigger full before insert on records begin select raise(rollback, 'the disk is full'); end")
    await expect(updateRecord(store, COUNTER, increment)).rejects.toThrow('the disk is full')
    other.exec('drop trigger full')
    expect(await updateRecord(store, COUNTER, increment)).toBe(0)
    other.close()
    await store.close()
  })

  test('six processes may open a new file at the same time', async () => {
    const path = fresh()
    mkdirSync(join(path, '..'))
    const others = Array.from({ length: 5 }, () => run(`for (let i = 0; i < 50; i++) db.pragma('user_version')`, path))
    const store = await openSqliteStore(path)
    expect(await updateRecord(store, COUNTER, increment)).toBe(0)
    expect(await Promise.all(others.map((other) => other.exit))).toEqual([0, 0, 0, 0, 0])
    await store.close()
  })
})

describe('a file that cannot be the store is named with the reason', () => {
  const text = join(folder, 'text.db')
  writeFileSync(text, 'These are notes and not a database.\n'.repeat(200))

  const foreign = join(folder, 'foreign.db')
  const shop = new Database(foreign)
  shop.exec('create table orders (id integer)')
  shop.close()

  const newer = join(folder, 'newer.db')
  const future = new Database(newer)
  future.exec(`create table records (x); pragma application_id = ${0x4d434151}; pragma user_version = 99`)
  future.close()

  test.each([
    ['text', text, 'it is not a SQLite database'],
    ['a folder', folder, 'it is a folder'],
    ['a path through a file', join(text, 'state.db'), 'a part of its path is a file'],
    ['the database of another program', foreign, 'it is the database of another program'],
    ['the store of a newer version', newer, 'it was written by a newer version of mcpaql'],
  ])('%s', async (_, path, reason) => {
    await expect(openSqliteStore(path)).rejects.toThrow(`Cannot use '${path}' as the store: ${reason}.`)
  })

  test.skipIf(process.platform !== 'linux')('a folder that cannot be made, told at once', async () => {
    const path = '/proc/nowhere/mcpaql/state.db'
    await expect(openSqliteStore(path)).rejects.toThrow(
      `Cannot use '${path}' as the store: a folder of its path cannot be made there.`,
    )
  })

  test('another program’s database is left as it was', () => {
    const database = new Database(foreign)
    expect(database.prepare('select name from sqlite_schema').all()).toEqual([{ name: 'orders' }])
    expect(database.pragma('journal_mode')).toEqual([{ journal_mode: 'delete' }])
    database.close()
  })

  test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'a folder without write permission',
    async () => {
      const locked = join(folder, 'locked')
      mkdirSync(locked, { mode: 0o500 })
      await expect(openSqliteStore(join(locked, 'state.db'))).rejects.toThrow('it may not be written by this user')
      chmodSync(locked, 0o700)
    },
  )
})

describe('openStore', () => {
  test.each([[''], ['default']])('%j is state.db in the state folder', async (url) => {
    const stateFolder = join(folder, randomUUID())
    await (await openStore(url, { stateFolder })).close()
    expect(readdirSync(join(stateFolder, 'mcpaql'))).toContain('state.db')
  })

  test('sqlite:PATH is that file', async () => {
    const path = fresh()
    await (await openStore(`sqlite:${path}`, { stateFolder: folder })).close()
    expect(statSync(path).isFile()).toBe(true)
  })

  test('memory: leaves nothing behind', async () => {
    const stateFolder = join(folder, randomUUID())
    const store = await openStore('memory:', { stateFolder })
    expect(await updateRecord(store, COUNTER, increment)).toBe(0)
    await store.close()
    expect(statSync(stateFolder, { throwIfNoEntry: false })).toBeUndefined()
  })

  test.each([
    ['sqlite:'],
    ['sqlite::memory:'],
    ['postgres://localhost/x'],
    ['http://example.com'],
    ['/tmp/x.db'],
    ['Memory:'],
  ])('%s is refused with what is accepted', async (url) => {
    await expect(openStore(url, { stateFolder: folder })).rejects.toThrow(
      `Unknown store '${url}'. Accepted: 'default' or nothing (mcpaql/state.db in the user's state folder), 'sqlite:PATH', 'memory:'.`,
    )
  })
})

function mode(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}

/** Another process on the same file, with nothing of ours in it. `ready` once its script has run to its first pause. */
function run(script: string, path: string): { readonly ready: Promise<void>; readonly exit: Promise<number | null> } {
  const source = `
    const Database = require('libsql')
    const db = new Database(${JSON.stringify(path)})
    db.pragma('busy_timeout = 20000')
    process.stdout.write('started')
    ${script}`
  const child = spawn(process.execPath, ['-e', source], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  return {
    ready: new Promise((resolve) => child.stdout.once('data', () => resolve())),
    exit: new Promise((resolve) => child.once('exit', resolve)),
  }
}
