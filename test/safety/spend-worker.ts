import { createInterface } from 'node:readline'
import { openSqliteStore } from '../../src/store/sqlite.ts'
import { deletion, openGated } from './gated-adapter.ts'

/**
 * `spend-worker STORE EFFECTS`: says `ready`; for each line `SESSION THING TOKEN COUNT` redeems the token COUNT times at
 * once in that session, and says how each attempt ended.
 */
const [file = '', effects = ''] = process.argv.slice(2)
const store = await openSqliteStore(file)
const { runtime, call } = await openGated(store, effects)
process.stdout.write('ready\n')

for await (const line of createInterface({ input: process.stdin })) {
  const [id = '', thing = '', token = '', count = '0'] = line.split(' ')
  const session = runtime.openSession('agent', { id })
  const attempts = Array.from({ length: Number(count) }, () => call(deletion(thing, token), session))
  const ended = (await Promise.all(attempts)).map(({ success, error }) => (success ? 'done' : error?.code))
  process.stdout.write(`${ended.join(' ')}\n`)
}
await runtime.close()
await store.close()
