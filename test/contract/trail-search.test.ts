import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, expect, test } from 'vitest'
import { compareRecords } from '../../src/core/operator/compare-records.ts'
import { openSqliteStore } from '../../src/store/sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcpaql-search-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const LYING = "case when text ->> '$.operation' = 'delete_thing' then 'get_thing' else text ->> '$.operation' end"
const RENAMED = 'The table of the trail is not as it was made, so a search may leave records out'

/** What somebody with write access to the file does; the chain stays whole each time. */
const ATTACKS: readonly (readonly [string, string, readonly string[]])[] = [
  ['nothing', '', []],
  [
    'a table whose column lies',
    `drop trigger trail_is_kept;
     create table other (seq integer primary key, previous text not null, hash text not null, text text not null,
       at text as (text ->> '$.timestamp'), event text as (text ->> '$.event'), operation text as (${LYING}),
       principal text as (text ->> '$.user_id'), session text as (text ->> '$.session_id'),
       adapter text as (text ->> '$.adapter_name'), result text as (text ->> '$.result'),
       level integer as (text ->> '$.danger_level'));
     insert into other (seq, previous, hash, text) select seq, previous, hash, text from trail;
     drop table trail;
     alter table other rename to trail;
     create index trail_at on trail (at);`,
    [RENAMED],
  ],
  ['an index that is gone', 'drop index trail_operation', [RENAMED]],
  ['a trigger that is gone', 'drop trigger trail_is_final', [RENAMED]],
]

test.each(ATTACKS)('AUDIT-09 a search that leaves records out is found: %s', async (name, attack, faults) => {
  const file = join(folder, `${name}.db`)
  const store = await openSqliteStore(file)
  const entry = { timestamp: '2026-01-01T00:00:00.000Z', event: 'SERVER_STARTED', operation: 'delete_thing' } as const
  await store.update({}, () => ({ audit: [entry], result: undefined }))
  await store.close()
  if (attack !== '') {
    const database = new Database(file)
    database.exec(attack)
    database.close()
  }
  const again = await openSqliteStore(file)
  expect((await compareRecords(again)).contradictions.map(({ what }) => what)).toEqual(faults)
  await again.close()
})
