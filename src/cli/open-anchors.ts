import { resolve } from 'node:path'
import type { Config } from '../config.ts'
import type { Trail } from '../core/ports/store.ts'
import type { AnchorKeeper } from './audit-anchor.ts'
import { EXIT, type Stop, stop } from './command.ts'
import { createLog } from './log.ts'
import type { World } from './world.ts'

/**
 * AUDIT-09: a trail that does not fit its anchor is told before anything is served on it. Whoever closes it does so when
 * the last record has been written. Undefined where no anchor is kept.
 */
export async function openAnchors(
  trail: Trail,
  config: Config,
  world: World,
): Promise<AnchorKeeper | Stop | undefined> {
  if (config.audit_anchor === '') return undefined
  const { keepAnchors, readAnchors, verifySinceAnchor } = await import('./audit-anchor.ts')
  const file = resolve(world.cwd, config.audit_anchor)
  try {
    readAnchors(file)
  } catch (error) {
    const { faultOf } = await import('./read-text.ts')
    return stop(
      EXIT.badUsage,
      `'audit_anchor' cannot be used: ${faultOf(config.audit_anchor, error)}`,
      'Name a file that this account may read and write, or leave the setting out',
    )
  }
  const verified = await verifySinceAnchor(trail, file)
  if (verified?.broken) {
    const { seq, why } = verified.broken
    return stop(EXIT.failed, `The audit trail is broken at ${seq}: ${why}`, 'See mcpaql audit verify')
  }
  const log = createLog(config.log_level, world)
  const report = (cause: unknown) => log.write({ level: 'error', message: `No anchor could be kept: ${String(cause)}` })
  return keepAnchors({ trail, file, now: world.now, report })
}
