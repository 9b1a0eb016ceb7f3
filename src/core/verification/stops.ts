import type { SafetyMode } from '../../protocol/directive.ts'
import { fail } from '../../protocol/errors.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import { findBlock, type OpenBlock, type OpenBlocks } from './block.ts'

/** Who asks: as much of a session as a stop looks at. */
export interface Stoppable {
  readonly principal: string
  readonly owner: string
}

/** Who is stopped at this moment, for a check on the path of every call (GATE-07). */
export interface Stops {
  of(session: Stoppable): OperationFailure | undefined
  /** By blocks that a commit has in hand, so that nothing is used up after the stop was written. */
  among(open: OpenBlocks | undefined, session: Stoppable): OperationFailure | undefined
}

export interface StopParts {
  readonly mode: SafetyMode
  /** The blocks in force. Throws when they cannot be read, and then nothing is run. */
  readonly open: () => OpenBlocks | undefined
  /** Names of the executions that the session runs. */
  readonly namesOf: (session: string) => readonly string[]
}

export function createStops({ mode, open, namesOf }: StopParts): Stops {
  let indexed: OpenBlocks | undefined
  let byPrincipal: ReadonlyMap<string, readonly OpenBlock[]> = new Map()

  const among = (blocks: OpenBlocks | undefined, { principal, owner }: Stoppable): OperationFailure | undefined => {
    if (blocks !== indexed) {
      byPrincipal = group(blocks ?? {})
      indexed = blocks
    }
    const own = byPrincipal.get(principal)
    const block = own && stopOf(own, mode, principal, namesOf(owner))
    return block && blockedBy(block)
  }

  return { of: (session) => among(open(), session), among }
}

function group(blocks: OpenBlocks): ReadonlyMap<string, readonly OpenBlock[]> {
  const groups = new Map<string, OpenBlock[]>()
  for (const block of Object.values(blocks)) {
    const own = groups.get(block.principal)
    if (own) own.push(block)
    else groups.set(block.principal, [block])
  }
  return groups
}

/**
 * a stop by the operator holds in every mode and for everything of the principal; what the loop has set holds
 * while it enforces. There an execution that runs under another name goes on (BLOCK-04), and whoever has none cannot
 * act around the block.
 */
function stopOf(
  own: readonly OpenBlock[],
  mode: SafetyMode,
  principal: string,
  names: readonly string[],
): OpenBlock | undefined {
  const byOperator = own.find(({ trigger }) => trigger === 'operator')
  if (byOperator || mode !== 'enforcing') return byOperator
  if (names.length === 0) return own[0]
  const open = Object.fromEntries(own.map((block) => [block.agentKey, block]))
  return names.map((name) => findBlock(open, principal, name)).find((block) => block !== undefined)
}

/** BLOCK-02. */
function blockedBy({ element_name, verificationId, blockedAt, reason, trigger }: OpenBlock): OperationFailure {
  return fail('PERMISSION_AGENT_BLOCKED', {
    element_name,
    ...(verificationId !== undefined && { verificationId }),
    blocked_at: new Date(blockedAt).toISOString(),
    reason,
    next: trigger === 'operator' ? BY_OPERATOR : BY_LOOP,
  })
}

const BY_OPERATOR =
  'Stop, and tell the user: the operator has stopped you, and only the operator can let you go on (mcpaql unblock, or the console).'
const BY_LOOP =
  'Stop, and tell the user: a human has to pass on the verification code, or the operator lifts the block (mcpaql unblock, or the console).'

/** BLOCK-02: what a blocked agent can still do. What an earlier READ has left over is no introspection. */
export function remains(operation: string, params: Readonly<Record<string, unknown>>): boolean {
  switch (operation) {
    case 'introspect':
      return params.query !== 'rest'
    case 'abort_execution':
    case 'verify_challenge':
      return true
    default:
      return false
  }
}
