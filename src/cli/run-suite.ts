import type { Given, Stop } from './command.ts'
import type { World } from './world.ts'

export async function runSuite(_given: Given, _world: World): Promise<number | Stop> {
  throw new Error('not yet')
}
