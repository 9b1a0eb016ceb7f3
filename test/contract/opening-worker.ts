import { record } from '../../src/core/ports/store.ts'
import { openSqliteStore } from '../../src/store/sqlite.ts'
import { sayAtOnce } from '../say-at-once.ts'

/**
 * `opening-worker hold FILE` opens the store, says its name and stays; `fill FILE` writes until writing fails, and says
 * what then still works. A uid behind the file is taken on when everything is loaded: the account need not be able to
 * read the program.
 */
const [task = '', file = '', uid] = process.argv.slice(2)

try {
  if (uid !== undefined) {
    await (await openSqliteStore(`${file}.other`)).close() // loads the library
    process.setgroups?.([])
    process.setgid?.(Number(uid))
    process.setuid?.(Number(uid))
  }
  const store = await openSqliteStore(file)
  sayAtOnce(store.opener)
  if (task === 'hold') setInterval(() => {}, 1_000)
  else await fill()

  async function fill(): Promise<void> {
    const ref = record<string>('filler', 'x')
    const put = (n: number) => {
      const text = String(n).padStart(20_000, '.')
      const entry = { timestamp: '2026-01-01T00:00:00.000Z', event: 'SERVER_STARTED', n } as const
      return store.update({ ref }, () => ({ next: { ref: text }, audit: [entry], result: n }))
    }
    let acknowledged = 0
    let refusal = ''
    for (let n = 1; refusal === '' && n < 2_000; n++) {
      const group = await Promise.allSettled([put(n), put(n), put(n)])
      const failed = group.filter((each) => each.status === 'rejected')
      if (failed.length > 0 && failed.length < 3) refusal = 'half a group'
      else if (failed[0]) refusal = String(failed[0].reason)
      else acknowledged = n
    }
    const kept = Number((await store.get(ref))?.replaceAll('.', ''))
    const { seq } = await store.trail.head()
    const [newest] = await store.trail.read({ limit: 1 })
    sayAtOnce(JSON.stringify({ acknowledged, refusal, kept, seq, newest: newest?.entry.n }))
    await store.close()
  }
} catch (cause) {
  sayAtOnce(String(cause))
}
