import type { Explanation } from '../core/runtime.ts'
import { painter, plainText, table } from './render.ts'
import type { World } from './world.ts'

const WORDS = { allow: 'would run', confirm: 'would wait for a human', deny: 'would be refused' } as const

/** The decision first, then every layer in the order in which it is asked. */
export function printExplanation(
  { operation, decision, danger_level, trust, trust_why, reasons, trace }: Explanation,
  world: World,
): void {
  const paint = painter(world)
  world.out(`${paint('bold', plainText(operation))} ${WORDS[decision]}. Danger ${danger_level}, trust ${trust}.`)
  if (trust_why !== undefined) world.out(plainText(`  trust ${trust}: ${trust_why}`))
  for (const reason of reasons) world.out(plainText(`  ${reason}`))
  const rows = trace.map(({ layer, verdict, text, decisive }) => [decisive ? '→' : '', layer, verdict, text])
  world.out('')
  world.out(table(['', 'layer', 'verdict', 'why'], rows, world, { folds: true }))
}
