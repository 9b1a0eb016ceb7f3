import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { readSafetyPolicy, type SafetyPolicy } from '../../core/autonomy/read-safety-policy.ts'
import { readMessage } from '../../core/pipeline/bytes.ts'
import { bellFault } from '../bell.ts'
import { EXIT, type Stop, stop } from '../command.ts'
import { faultOf } from '../read-text.ts'
import type { World } from '../world.ts'

/** DONGLE-03: strictly, and a key that is written twice is a fault as well; without a file the built-in lists apply. */
export async function readSafetyFile(file: string | undefined, world: World): Promise<SafetyPolicy | Stop> {
  if (file === undefined) return { autonomy: {}, channels: {} }
  let bytes: Uint8Array
  try {
    bytes = await readFile(resolve(world.cwd, file))
  } catch (error) {
    return stop(EXIT.badUsage, faultOf(file, error), 'Check the path after --policy')
  }
  const scanned = readMessage(bytes, LIMITS)
  if (!scanned.ok) return stop(EXIT.badUsage, `${file}: ${FAULTS[scanned.fault.kind]}`, EXAMPLE)
  const policy = readSafetyPolicy(scanned.value)
  if ('faults' in policy)
    return stop(EXIT.badUsage, policy.faults.map((fault) => `${file}: ${fault}`).join('\n'), EXAMPLE)
  const { webhook } = policy.channels
  const fault = webhook && (await bellFault(webhook, world))
  return fault === undefined ? policy : stop(EXIT.badUsage, `${file}: 'channels.webhook' ${fault}`)
}

const LIMITS = { maxBytes: 1_048_576, maxDepth: 16, maxString: 10_000, maxArray: 1_000 }

const FAULTS = {
  encoding: 'the text is not UTF-8',
  limit: 'the file is too large or too deep',
  syntax: 'it is not JSON',
  duplicate_key: 'a key stands in it twice',
} as const

const EXAMPLE =
  'A policy looks like this: { "deny": ["drop_*"], "requiresApproval": ["git push*"], "autoApprove": ["get_*"], "maxAutonomousSteps": 10, "riskTolerance": "moderate" }'
