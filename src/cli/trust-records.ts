import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../config.ts'
import type { Store } from '../core/ports/store.ts'
import { type TrustRecord, trustRecord } from '../core/trust/trust-record.ts'
import { EXIT, messageOf, type Stop, stop } from './command.ts'
import { stateFolder, storeUrl } from './state-folder.ts'
import type { World } from './world.ts'

/** What the store holds of every source; a store that is not there yet holds nothing, and is not made by asking. */
export async function readTrustRecords(config: Config, world: World): Promise<readonly TrustRecord[] | Stop> {
  const url = storeUrl(config.store_url, world)
  if (url === 'memory:' || (url.startsWith('sqlite:') && !existsSync(url.slice('sqlite:'.length)))) return []
  const { openStore } = await import('../store/open.ts')
  try {
    const store = await openStore(url, { stateFolder: dirname(stateFolder(world)) })
    try {
      return (await store.list<TrustRecord>('trust')).map(({ id, value }) => ({ ...value, adapter: id }))
    } finally {
      await store.close()
    }
  } catch (error) {
    const why = messageOf(error)
    return stop(EXIT.badUsage, `The store ${url} cannot be opened: ${why}`, 'With --store memory: none is read')
  }
}

/** For a store that is thrown away: what is decided there is decided as in the other. */
export function withTrustRecords(records: readonly TrustRecord[]): (store: Store) => Promise<unknown> {
  return async (store) => {
    for (const record of records) {
      await store.update({ record: trustRecord(record.adapter) }, () => ({ next: { record }, result: undefined }))
    }
  }
}
