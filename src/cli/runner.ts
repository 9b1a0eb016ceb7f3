import type { World } from './world.ts'

export async function runner(_args: readonly string[], _world: World): Promise<number> {
  throw new Error('not yet')
}
