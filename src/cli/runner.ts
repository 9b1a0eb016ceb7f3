import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ALIAS_EXIT, runAlias } from '../conformance/alias.ts'
import { isStop, type Stop } from './command.ts'
import { readConfig } from './read-config.ts'
import { isLocal, readSource } from './source.ts'
import { startThrowaway } from './start-throwaway.ts'
import type { World } from './world.ts'

/** Conformance document §7 (CONF-08): the suite as the executable `mcpaql-conformance`. */
export async function runner(args: readonly string[], world: World): Promise<number> {
  const closers: (() => Promise<void>)[] = []
  try {
    const run = runAlias(args, {
      progress: world.progress,
      out: (text) => world.out(text.replace(/\n$/, '')),
      err: (text) => world.err(text.replace(/\n$/, '')),
      readFile: (path) => readFile(resolve(world.cwd, path), 'utf8'),
      writeFile: (path, text) => writeFile(resolve(world.cwd, path), text),
      async startSource(given, mode) {
        const server = await start(given, mode, world)
        if (isStop(server)) throw new Error([server.message, ...server.next].join('\n'))
        closers.push(server.close)
        return { url: server.url }
      },
    })
    return await Promise.race([run, interruption(world)])
  } finally {
    for (const close of closers) await close()
  }
}

/** The suite's own code for what did not pass (CONF-08). */
function interruption({ interrupted, err }: World): Promise<number> {
  return new Promise((done) => {
    const end = () => {
      err('Interrupted; the suite did not finish')
      done(ALIAS_EXIT.failed)
    }
    if (interrupted.aborted) end()
    else interrupted.addEventListener('abort', end, { once: true })
  })
}

async function start(given: string, mode: 'semantic' | 'single', world: World): Promise<Started | Stop> {
  const source = readSource(given, [])
  if (isStop(source)) return source
  const config = await readConfig({}, world)
  if (isStop(config)) return config
  if (!isLocal(source)) throw new Error(`${given} needs no start`)
  return startThrowaway(source, { ...config, endpoint_mode: mode }, world)
}

type Started = Exclude<Awaited<ReturnType<typeof startThrowaway>>, Stop>
