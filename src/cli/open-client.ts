import type { Config } from '../config.ts'
import { type Client, createClient } from './client.ts'
import { isStop, type Stop } from './command.ts'
import { connectRemote, connectRuntime } from './connect.ts'
import { isLocal, type Source } from './source.ts'
import type { World } from './world.ts'

/** A client of whatever a SOURCE names; closing it closes what was opened for it. */
export async function openClient(source: Source, config: Config, world: World): Promise<Client | Stop> {
  const connection = isLocal(source) ? await openLocal(source, config, world) : await connectRemote(source, world)
  if (isStop(connection)) return connection
  const client = createClient(connection)
  if (isStop(client)) await connection.close()
  return client
}

async function openLocal(source: Extract<Source, { kind: 'demo' | 'module' }>, config: Config, world: World) {
  const { openRuntimes } = await import('./open-runtime.ts')
  const opened = await openRuntimes([source], config, world)
  if (isStop(opened)) return opened
  const [runtime] = opened.runtimes
  if (!runtime) throw new Error('One source gives one runtime')
  return { ...connectRuntime(runtime, world), close: opened.close }
}
