import type { Config } from '../config.ts'
import { nearestNames } from '../core/introspection/letter-pairs.ts'
import { matchesGlob } from '../core/registry/glob.ts'
import type { Runtime } from '../core/runtime.ts'
import { EXIT, type Stop, stop } from './command.ts'

/** A glob that chooses nothing was meant otherwise: what it should have kept away would be served. */
export function idleGlob({ include, exclude }: Config, runtimes: readonly Runtime[]): Stop | undefined {
  const names = runtimes.flatMap(({ adapter }) => adapter.operations.map(({ name }) => name))
  for (const [setting, globs] of Object.entries({ include, exclude })) {
    const idle = globs.find((glob) => !names.some((name) => matchesGlob(glob, name)))
    if (idle === undefined) continue
    const nearest = nearestNames(idle.replaceAll(/[*?]/g, ''), names, 3)
    const guess = nearest.length > 0 ? `Near it: ${nearest.join(', ')}` : ''
    return stop(EXIT.badUsage, `${setting}: no operation has a name that matches '${idle}'`, guess)
  }
  return undefined
}
