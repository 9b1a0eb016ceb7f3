import { unwatchFile, watchFile } from 'node:fs'
import { resolve } from 'node:path'
import type { Runtime } from '../core/runtime.ts'
import { isStop } from './command.ts'
import { readPolicyFile } from './read-policy-file.ts'
import { counted } from './render.ts'
import type { World } from './world.ts'

/** GATE-11, SELF-14: a changed file is taken in while the server runs; one that is wrong changes nothing. */
export function watchPolicies(file: string, runtimes: readonly Runtime[], world: World): () => void {
  const path = resolve(world.cwd, file)
  const look = async () => {
    const records = await readPolicyFile(file, world)
    if (isStop(records)) {
      world.err(`${records.message}\nThe policies in force stay as they were.`)
      return
    }
    for (const runtime of runtimes) {
      const { added, kept } = await runtime.addPolicies(records)
      const waiting =
        kept > 0
          ? `; ${counted(kept, 'that the file no longer has holds', 'that the file no longer has hold')} until the next start`
          : ''
      world.err(`${runtime.adapter.name}: ${counted(added, 'policy was added', 'policies were added')}${waiting}.`)
    }
  }
  const changed = () =>
    void look().catch((cause) => world.err(`The policies in force stay as they were: ${String(cause)}`))
  watchFile(path, { interval: 1_000, persistent: false }, changed)
  return () => unwatchFile(path, changed)
}
