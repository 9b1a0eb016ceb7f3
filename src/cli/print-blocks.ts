import { displayText, displayValue, textOf } from '../core/display.ts'
import { agentId } from '../core/operator/agents.ts'
import type { BlockView } from '../core/operator/blocks.ts'
import { table } from './render.ts'
import type { Line } from './show-request.ts'
import type { World } from './world.ts'

/** By the name that a human knows, the short id of the list, or the whole key. */
export function findBlocks(blocks: readonly BlockView[], given: string): readonly BlockView[] {
  return blocks.filter(({ name, agentKey }) => [name, agentKey, agentId(agentKey)].includes(given))
}

/** Who is stopped and since when; not what they wanted to do. */
export function blocksText(blocks: readonly BlockView[], world: World): string {
  if (blocks.length === 0) return 'No agent is stopped.'
  const rows = blocks.map(({ agentKey, name, principal, trigger, since, liftedAt }) => [
    agentId(agentKey),
    displayText(name),
    displayText(principal),
    trigger,
    new Date(since).toISOString(),
    liftedAt === undefined ? '' : new Date(liftedAt).toISOString(),
  ])
  return table(['ID', 'AGENT', 'PRINCIPAL', 'BY', 'SINCE', 'LIFTED'], rows, world)
}

export function blocksJson(blocks: readonly BlockView[]) {
  return {
    blocks: blocks.map(({ agentKey, name, principal, trigger, score, since, liftedAt }) => ({
      id: agentId(agentKey),
      agent: name,
      principal,
      trigger,
      ...(score !== undefined && { score }),
      blocked_at: new Date(since).toISOString(),
      ...(liftedAt !== undefined && { unblocked_at: new Date(liftedAt).toISOString() }),
    })),
  }
}

/** R-25. */
const HOLDS = {
  operator: 'in every safety mode, for everything of the principal',
  loop: 'where the safety loop is enforcing; in a weaker mode it is kept, and not applied',
} as const

export function blockLines(block: BlockView): readonly Line[] {
  const { name, principal, trigger, score, hint, reason, since, by, liftedAt, liftedBy, liftedReason } = block
  return [
    ['Agent', `${displayText(name)}, ${agentId(block.agentKey)}`],
    ['Principal', displayText(principal)],
    ['Stopped', `${new Date(since).toISOString()}, ${trigger}${by === undefined ? '' : `, by ${displayText(by)}`}`],
    ...(liftedAt === undefined ? [['Holds', HOLDS[trigger === 'operator' ? 'operator' : 'loop']] as const] : []),
    ...(reason ? [['Because', displayText(reason)] as const] : []),
    ...(score === undefined ? [] : [['Score', String(score)] as const]),
    ...(hint === '' ? [] : [['It announced', `${textOf(displayValue(hint))} (its own words)`] as const]),
    ...(liftedAt === undefined
      ? []
      : [['Lifted', `${new Date(liftedAt).toISOString()}, by ${displayText(liftedBy ?? '')}`] as const]),
    ...(liftedReason === undefined ? [] : [['', displayText(liftedReason)] as const]),
    ['', ''],
  ]
}
