import { once } from 'node:events'
import { record } from '../../src/core/ports/store.ts'
import { openSqliteStore } from '../../src/store/sqlite.ts'
import { sayAtOnce } from '../say-at-once.ts'

/**
 * `race-worker FILE CYCLE GROUP`: redeems token after token, GROUP at a time, against whoever does the same on FILE.
 * Says `ready` when the store is open, and begins when something comes in. Says `took I` when it was the one that redeemed token I, and `late I` when not: both
 * only after the answer. It goes on until it is killed.
 */
const [file = '', cycle = '', group = '8'] = process.argv.slice(2)
const store = await openSqliteStore(file)
sayAtOnce('ready')
await once(process.stdin, 'readable')

for (let next = 0; ; next += Number(group)) {
  await Promise.all(Array.from({ length: Number(group) }, (_, i) => redeem(next + i)))
  await new Promise((resolve) => setTimeout(resolve, 1)) // SQLite's lock is not fair: this lets the other in
}

async function redeem(i: number): Promise<void> {
  const refs = { token: record<string>(`token:${cycle}`, String(i)), spent: record<number>('spent', cycle) }
  const isMine = await store.update(refs, ({ token, spent = 0 }) =>
    token === undefined
      ? {
          next: { token: store.opener, spent: spent + 1 },
          audit: [{ timestamp: '2026-01-01T00:00:00.000Z', event: 'TOKEN_VALIDATED', token_id: `${cycle}/${i}` }],
          result: true,
        }
      : { result: false },
  )
  sayAtOnce(`${isMine ? 'took' : 'late'} ${i}`)
}
