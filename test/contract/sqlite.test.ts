import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import Database from 'libsql'
import { afterAll, describe, expect, test } from 'vitest'
import { compareRecords } from '../../src/core/operator/compare-records.ts'
import { record, type Store, updateRecord } from '../../src/core/ports/store.ts'
import { isStoreFault } from '../../src/core/ports/store-fault.ts'
import { openSqliteStore } from '../../src/store/sqlite.ts'
import { walkChain } from './chain.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const IS_POSIX = process.platform !== 'win32'
const COUNTER = record<number>('counter', 'x')
const ENTRY = { timestamp: '2026-01-01T00:00:00.000Z', event: 'SERVER_STARTED' } as const

interface RootPage {
  readonly rootpage: number
}

interface PageSize {
  readonly page_size: number
}

const fresh = () => join(folder, randomUUID(), 'state.db')
const increment = (n: number | undefined) => ({ next: (n ?? 0) + 1, result: n ?? 0 })
const count = (store: Store) =>
  store.update({ n: COUNTER }, ({ n = 0 }) => ({ next: { n: n + 1 }, audit: [{ ...ENTRY, n }], result: n }))

test('a file of version 1 is taken over with its records', async () => {
  const path = fresh()
  mkdirSync(join(path, '..'))
  const old = new Database(path)
  old.exec(`create table records (kind text, id text, value text not null, primary key (kind, id)) without rowid;
    insert into records values ('counter', 'x', '41');
    pragma application_id = ${0x4d434151}; pragma user_version = 1`)
  old.close()
  const store = await openSqliteStore(path)
  expect(await count(store)).toBe(41)
  expect(await store.get(COUNTER)).toBe(42)
  expect((await store.trail.head()).seq).toBe(1)
  await store.close()
})

test('a change always sees what another connection has written since its own last one', async () => {
  const path = fresh()
  const [one, other] = [await openSqliteStore(path), await openSqliteStore(path)]
  const seen: number[] = []
  for (let turn = 0; turn < 20; turn++) seen.push(await count(turn % 3 === 0 ? one : other))
  expect(seen).toEqual(Array.from({ length: 20 }, (_, n) => n))
  await other.update({ n: COUNTER }, () => ({ next: { n: undefined }, result: undefined }))
  expect([await count(one), await count(other)]).toEqual([0, 1])
  await one.close()
  await other.close()
})

test('two spellings of one id are one record, also within a group', async () => {
  const store = await openSqliteStore(fresh())
  const [broken, mended] = [record<number>('counter', '\ud800'), record<number>('counter', '\ufffd')]
  expect(await Promise.all([updateRecord(store, broken, increment), updateRecord(store, mended, increment)])).toEqual([
    0, 1,
  ])
  expect(await updateRecord(store, broken, increment)).toBe(2)
  await store.close()
})

describe.runIf(IS_POSIX)('a file that goes away under a running server', () => {
  const MOVED = 'its file was deleted, moved or replaced while it was in use'
  const refusals = async (store: Store) =>
    (await Promise.allSettled([count(store), store.get(COUNTER), store.list('counter'), store.trail.head()])).map(
      (each) => (each.status === 'rejected' ? String(each.reason.message) : 'served'),
    )

  const emptyFile = (path: string): string => {
    writeFileSync(path, '')
    return path
  }

  test.each([
    ['deleted', (path: string) => ['', '-wal', '-shm'].map((side) => rmSync(path + side))],
    ['moved', (path: string) => renameSync(path, `${path}.old`)],
    ['replaced', (path: string) => renameSync(emptyFile(`${path}.new`), path)],
  ])('AUDIT-08 %s: nothing is acknowledged that nobody will find, and nothing old is told', async (_, harm) => {
    const path = fresh()
    const store = await openSqliteStore(path)
    await count(store)
    harm(path)
    expect(await refusals(store)).toEqual([
      expect.stringContaining(`Cannot write to the store: ${MOVED}`),
      ...Array.from({ length: 3 }, () => expect.stringContaining(`Cannot read the store: ${MOVED}`)),
    ])
    await store.close()
  })

  test.each(['-wal', '-shm'])('AUDIT-08 without its %s it is read and not written', async (side) => {
    const path = fresh()
    const store = await openSqliteStore(path)
    await count(store)
    renameSync(path + side, `${path}.aside`)
    expect(await refusals(store)).toEqual([expect.stringContaining(MOVED), 'served', 'served', 'served'])
    renameSync(`${path}.aside`, path + side)
    expect(await count(store)).toBe(1)
    await store.close()
  })

  test('put back as it was, it is used again without a restart', async () => {
    const path = fresh()
    const store = await openSqliteStore(path)
    await count(store)
    renameSync(path, `${path}.old`)
    await expect(count(store)).rejects.toThrow(MOVED)
    renameSync(`${path}.old`, path)
    expect([await count(store), await store.get(COUNTER)]).toEqual([1, 2])
    await store.close()
  })
})

describe('group commit', () => {
  test('what arrives in one turn of the event loop is one commit, what comes later is another', async () => {
    const path = fresh()
    const store = await openSqliteStore(path)
    const onlooker = new Database(path)
    const commits = () => (onlooker.pragma('data_version') as [{ data_version: number }])[0].data_version
    const before = commits()
    await Promise.all(Array.from({ length: 300 }, () => count(store)))
    const first = commits()
    await count(store)
    const second = commits()
    const entries = onlooker.prepare('select count(*) as n from trail').get() as { n: number }
    onlooker.close()
    await store.close()
    expect({ first: first - before, second: second - first, entries: entries.n }).toEqual({
      first: 1,
      second: 1,
      entries: 301,
    })
  })

  test('when the commit fails the whole group is refused, nothing has changed, and reads go on', async () => {
    const path = fresh()
    const store = await openSqliteStore(path)
    await count(store)
    const other = new Database(path)
    other.exec("create trigger full before insert on trail begin select raise(rollback, 'the disk is full'); end")
    const group = await Promise.allSettled([count(store), updateRecord(store, COUNTER, increment), count(store)])
    expect(group.map((each) => (each.status === 'rejected' ? each.reason.message : each.status))).toEqual([
      'Cannot write to the store: the disk is full.',
      'Cannot write to the store: the disk is full.',
      'Cannot write to the store: the disk is full.',
    ])
    expect([await store.get(COUNTER), (await store.trail.read()).length]).toEqual([1, 1])
    other.exec('drop trigger full')
    expect(await Promise.all([count(store), count(store)])).toEqual([1, 2])
    other.close()
    await store.close()
  })

  test('a group that finds the file locked is tried again as a whole, and refused when that lasts', async () => {
    const path = fresh()
    const store = await openSqliteStore(path)
    const other = new Database(path)
    other.exec('begin immediate')
    const group = Promise.all([count(store), count(store)])
    await new Promise((resolve) => setTimeout(resolve, 150))
    other.exec('commit')
    expect(await group).toEqual([0, 1])
    other.exec('begin immediate')
    await expect(count(store)).rejects.toThrow('Cannot write to the store: another process keeps it locked.')
    expect(await store.get(COUNTER)).toBe(2)
    other.exec('commit')
    expect(await count(store)).toBe(2)
    other.close()
    await store.close()
  })
})

describe('a disk that takes no more', () => {
  test.skipIf(!IS_POSIX)(
    'AUDIT-08 writes are refused with the reason, nothing is half written, reads go on',
    async () => {
      const path = fresh()
      const { lines, closed } = start(['fill', path], { limit: true })
      await closed
      const { acknowledged, refusal, ...left } = JSON.parse((await lines).at(-1) ?? '{}')
      expect(refusal).toMatch(/^Error: Cannot write to the store: the disk (does not work|is full)\.$/)
      expect(acknowledged).toBeGreaterThan(0)
      expect(left).toEqual({ kept: acknowledged, seq: 3 * acknowledged, newest: acknowledged })
      const store = await openSqliteStore(path) // here there is room again
      expect(walkChain(await store.trail.read({ order: 'oldest' }))).toEqual(await store.trail.head())
      expect((await store.trail.head()).seq).toBe(3 * acknowledged)
      expect(await count(store)).toBe(0)
      await store.close()
    },
  )
})

describe('a file that went bad', () => {
  const filled = async () => {
    const path = fresh()
    const store = await openSqliteStore(path)
    for (let i = 0; i < 200; i++)
      await updateRecord(store, record<string>('filler', String(i)), () => ({ next: 'x'.repeat(500), result: i }))
    await store.close()
    return path
  }

  test('a first page of noise is refused at opening', async () => {
    const path = await filled()
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0x2a, 0, 200))
    await expect(openSqliteStore(path)).rejects.toThrow(
      `Cannot use '${path}' as the store: it is not a SQLite database.`,
    )
  })

  test('a damaged record is named, what it held is not, and it stands in nobody else’s way', async () => {
    const path = fresh()
    const store = await openSqliteStore(path)
    const other = record<number>('counter', 'y')
    await count(store)
    const raw = new Database(path)
    raw.prepare('update records set value = ?').run('conf_0123 is no JSON')
    raw.close()
    const message = "The counter record 'x' in the store is damaged."
    await expect(store.get(COUNTER)).rejects.toThrow(new Error(message))
    await expect(store.list('counter')).rejects.toThrow(new Error(message))
    const both = [count(store), updateRecord(store, other, increment)] as const
    await expect(both[0]).rejects.toThrow(new Error(message))
    expect(await both[1]).toBe(0)
    await store.close()
  })

  test('noise further inside is named by whoever meets it, and nothing is written over it', async () => {
    const path = await filled()
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0x2a, 4_096))
    const said: string[] = []
    try {
      const store = await openSqliteStore(path)
      for (const work of [() => store.get(record('filler', '1')), () => count(store)])
        await work().catch((cause: Error) => said.push(cause.message))
      await store.close()
    } catch (cause) {
      said.push(String(cause))
    }
    expect(said.length).toBeGreaterThan(0)
    for (const message of said) expect(message).toContain('the database is damaged')
    expect(
      readFileSync(path)
        .subarray(4_096)
        .every((byte) => byte === 0x2a),
    ).toBe(true)
  })

  test.each(['trail', 'records'])(
    'AUDIT-09 noise in its table of %s is a fault, and contradicts nothing',
    async (table) => {
      const path = fresh()
      const store = await openSqliteStore(path)
      for (let i = 0; i < 50; i++) await count(store)
      await store.close()
      const raw = new Database(path)
      const { rootpage } = raw.prepare('select rootpage from sqlite_master where name = ?').get(table) as RootPage
      const { page_size } = raw.prepare('pragma page_size').get() as PageSize
      raw.close()
      const bytes = readFileSync(path)
      writeFileSync(path, bytes.fill(0x2a, (rootpage - 1) * page_size, rootpage * page_size))
      const damaged = await openSqliteStore(path)
      const fault = await compareRecords(damaged).catch((cause: unknown) => cause)
      expect([isStoreFault(fault), fault]).toEqual([true, new Error('Cannot read the store: the database is damaged.')])
      await damaged.close()
    },
  )

  test.skipIf(!IS_POSIX)('one that may only be read is refused with the reason', async () => {
    const path = await filled()
    const uid = process.getuid?.() === 0 ? 65_534 : undefined // root may write everything
    if (uid !== undefined) for (const each of [folder, join(path, '..'), path]) chownSync(each, uid, uid)
    chmodSync(path, 0o400)
    const { lines, closed } = start(['hold', path, ...(uid === undefined ? [] : [String(uid)])])
    await closed
    expect(await lines).toEqual([`Error: Cannot use '${path}' as the store: it may not be written by this user.`])
  })
})

describe('several openings of one file', () => {
  test('AUDIT-09 none forks the chain', async () => {
    const path = fresh()
    const stores = await Promise.all([openSqliteStore(path), openSqliteStore(path), openSqliteStore(path)])
    const counts = Array.from({ length: 90 }, async (_, i) => {
      await new Promise((resolve) => setTimeout(resolve, i % 7))
      return count(stores[i % 3] as Store)
    })
    expect((await Promise.all(counts)).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 90 }, (_, i) => i))
    const entries = await stores[0].trail.read({ order: 'oldest' })
    expect(walkChain(entries)).toEqual(await stores[1].trail.head())
    expect(entries.map(({ entry }) => entry.n)).toEqual(Array.from({ length: 90 }, (_, i) => i))
    await Promise.all(stores.map((store) => store.close()))
  })

  test.skipIf(!IS_POSIX)('opening the file again in one process does not give up what keeps its log safe', async () => {
    const path = fresh()
    const one = await openSqliteStore(path)
    await count(one)
    const two = await openSqliteStore(path)
    const log = statSync(`${path}-wal`).ino
    await passBy(path)
    expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.ino).toBe(log)
    expect([await count(one), await count(two)]).toEqual([1, 2])
    await passBy(path)
    const onlooker = new Database(path)
    expect(onlooker.prepare('select count(*) as n from trail').get()).toMatchObject({ n: 3 })
    onlooker.close()
    await Promise.all([one.close(), two.close()])
  })

  test('an opening is gone when it is closed, not while it is open', async () => {
    const path = fresh()
    const [one, two] = await Promise.all([openSqliteStore(path), openSqliteStore(path)])
    expect(one.opener).not.toBe(two.opener)
    expect(await one.isGone(two.opener)).toBe(false)
    await two.close()
    expect(await one.isGone(two.opener)).toBe(true)
    expect(await one.isGone(one.opener)).toBe(false)
    await one.close()
  })

  test('another process is gone when it has ended, however it ended', async () => {
    const path = fresh()
    const store = await openSqliteStore(path)
    const { child, first, closed } = start(['hold', path])
    const other = await first
    expect(await store.isGone(other)).toBe(false)
    child.kill('SIGKILL')
    await closed
    expect(await store.isGone(other)).toBe(true)
    await store.close()
  })

  test.skipIf(process.platform !== 'linux')(
    'a process number that was given again is not its first owner',
    async () => {
      const store = await openSqliteStore(fresh())
      const [, ...parts] = store.opener.split('.')
      expect(await store.isGone(`${process.ppid}.${parts.join('.')}`)).toBe(true)
      expect(await store.isGone(store.opener.replace(/\.[^.]*\./, '.00000000-1.'))).toBe(true)
      await store.close()
    },
  )

  test.each([['nobody'], ['1'], ['-1.0.AAAAAAAAAAAA'], ['99999999999999.0.AAAAAAAAAAAA'], ['1.0.AAAAAAAAAAAA\n']])(
    'what is no name of an opening, %j, is gone',
    async (name) => {
      const store = await openSqliteStore(fresh())
      expect(await store.isGone(name)).toBe(true)
      await store.close()
    },
  )
})

describe('AUDIT-07 the trail in the file', () => {
  test.each([
    ["update trail set text = '{}' where seq = 1", 'altered'],
    ['delete from trail', 'removed'],
  ])('%s is refused', async (sql, word) => {
    const path = fresh()
    const store = await openSqliteStore(path)
    await count(store)
    const other = new Database(path)
    expect(() => other.exec(sql)).toThrow(`an audit entry is never ${word}`)
    other.close()
    expect((await store.trail.read()).length).toBe(1)
    await store.close()
  })

  test.each([
    ['no JSON', '{"timestamp"', 'x"timestamp"'],
    ['another value', 'SERVER_STARTED', 'SERVER_STOPPED'],
  ])('a text that was altered to %s breaks the chain', async (_, from, to) => {
    const path = fresh()
    const store = await openSqliteStore(path)
    await count(store)
    await store.close()
    const bytes = readFileSync(path)
    bytes.write(to, bytes.indexOf(from), 'latin1')
    writeFileSync(path, bytes)
    const again = await openSqliteStore(path)
    expect(walkChain(await again.trail.read())).toBe(1)
    await again.close()
  })
})

test('AUDIT-09 a text that says the same in other words breaks the chain too', async () => {
  const path = fresh()
  const store = await openSqliteStore(path)
  await count(store)
  const other = new Database(path)
  other.exec(`drop trigger trail_is_final; update trail set text = replace(text, '","', '" , "')`)
  other.close()
  const entries = await store.trail.read()
  expect(Object.keys(entries[0]?.entry ?? {})).toEqual(['unreadable'])
  expect(walkChain(entries)).toBe(1)
  await store.close()
})

/** A process that opens the file and closes it: SQLite removes the log when it believes to be the last. */
async function passBy(path: string): Promise<void> {
  const script = `
    const Database = require('libsql')
    const db = new Database(${JSON.stringify(path)})
    db.pragma('user_version')
    db.exec('select count(*) from records')
    db.close()`
  const child = spawn(process.execPath, ['-e', script], { cwd: join(import.meta.dirname, '../..'), stdio: 'inherit' })
  await once(child, 'close')
}

interface Started {
  readonly child: ChildProcess
  readonly first: Promise<string>
  readonly lines: Promise<readonly string[]>
  readonly closed: Promise<unknown>
}

/** With `limit` no file that it writes may grow beyond 400 blocks. */
function start(args: readonly string[], { limit = false }: { limit?: boolean } = {}): Started {
  const shim = new URL('../e2e/shim/typescript.mjs', import.meta.url).href
  const worker = fileURLToPath(new URL('./opening-worker.ts', import.meta.url))
  const command = [process.execPath, '--import', shim, worker, ...args]
  const limited = ['sh', '-c', `trap '' XFSZ; ulimit -f 400; exec "$@"`, 'sh', ...command]
  const [program = '', ...rest] = limit ? limited : command
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit'] })
  const said: string[] = []
  const reader = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  reader.on('line', (line) => said.push(line))
  const closed = once(child, 'close')
  return {
    child,
    first: once(reader, 'line').then(([line]) => String(line)),
    lines: closed.then(() => said),
    closed,
  }
}
