import type { SafetyMode } from '../../protocol/directive.ts'
import { fail } from '../../protocol/errors.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import type { OpenBlock, OpenBlocks } from './block.ts'

/** Who asks: as much of a session as a stop looks at. */
export interface Stoppable {
  readonly principal: string
  /** Of several blocks its own session's is told. */
  readonly owner?: string
}

/** Who is stopped at this moment, for a check on the path of every call (GATE-07). */
export interface Stops {
  of(session: Stoppable): OperationFailure | undefined
  /** The block that `of` tells about. */
  blockOn(session: Stoppable): OpenBlock | undefined
  /** By blocks that a commit has in hand, so that nothing is used up after the stop was written. */
  among(open: OpenBlocks | undefined, session: Stoppable): OperationFailure | undefined
}

export interface StopParts {
  readonly mode: SafetyMode
  /** The blocks in force. Throws when they cannot be read, and then nothing is run. */
  readonly open: () => OpenBlocks | undefined
}

export function createStops({ mode, open }: StopParts): Stops {
  let indexed: OpenBlocks | undefined
  let byPrincipal: ReadonlyMap<string, readonly OpenBlock[]> = new Map()

  const find = (blocks: OpenBlocks | undefined, { principal, owner }: Stoppable): OpenBlock | undefined => {
    if (blocks !== indexed) {
      byPrincipal = group(blocks ?? {})
      indexed = blocks
    }
    const own = byPrincipal.get(principal)
    return own && stopOf(own, owner, mode)
  }
  const blockOn = (session: Stoppable) => find(open(), session)
  const among = (blocks: OpenBlocks | undefined, session: Stoppable) => told(find(blocks, session))

  return { of: (session) => told(blockOn(session)), blockOn, among }
}

/** What the trail says of work that ended with a stop. The reason of the block says who set it, and why. */
export function stoppedBecause({ error: { details } }: OperationFailure): string {
  const reason = details?.reason
  return `its agent was stopped${typeof reason === 'string' && reason !== '' ? `: ${reason.slice(0, 200).toWellFormed()}` : ''}`
}

function told(block: OpenBlock | undefined): OperationFailure | undefined {
  return block && blockedBy(block)
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
 * BLOCK-02, R-25: a block stops everything of its principal, whatever executions run, end or begin meanwhile, because a
 * name is only what an agent calls itself. A stop by the operator holds in every mode, what the loop has set while it
 * enforces. That other names go on being evaluated (BLOCK-04) is the loop's own business.
 */
function stopOf(own: readonly OpenBlock[], owner: string | undefined, mode: SafetyMode): OpenBlock | undefined {
  const byOperator = own.find(({ trigger }) => trigger === 'operator')
  return byOperator ?? (mode === 'enforcing' ? (own.find(({ session }) => session === owner) ?? own[0]) : undefined)
}

/** BLOCK-02, known without asking the store: whether a challenge can still be answered is not (OOB-14), so none is named. */
function blockedBy({ element_name, blockedAt, reason, trigger }: OpenBlock): OperationFailure {
  return fail('PERMISSION_AGENT_BLOCKED', {
    element_name,
    blocked_at: new Date(blockedAt).toISOString(),
    reason,
    next: trigger === 'operator' ? BY_OPERATOR : BY_LOOP,
  })
}

const BY_OPERATOR =
  'Stop, and tell the user: the operator has stopped you, and only the operator can let you go on (mcpaql unblock, or the console).'
const BY_LOOP =
  'Stop, and tell the user: a human has to pass on a verification code, whose id the next refused call of the stopped session names, or the operator lifts the block (mcpaql unblock, or the console).'

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
