import { fail } from '../../protocol/errors.ts'
import type { OperationFailure } from '../../protocol/result.ts'
import { tokenRef } from '../audit/token-ref.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import type { AdapterDefinition } from '../registry/adapter.ts'
import { defineOperation, type OperationDefinition } from '../registry/operation.ts'
import type { Session } from '../session.ts'
import { revoke } from './end-session.ts'
import { invalid, isTheirs } from './redeem.ts'
import { requestRef } from './request.ts'
import { isToken } from './tokens.ts'

/**
 * TOK-16: a session takes a question of its own back, before or after a human has answered it. Added to adapters that
 * have a tool for it already, and gives way to an operation of that name.
 */
export function revokeTokenOperations(
  { operations }: AdapterDefinition,
  store: Store,
  clock: Clock,
): readonly OperationDefinition[] {
  if (!Array.isArray(operations)) return []
  const isMissing = !operations.some((operation) => operation?.name === NAME)
  return isMissing && operations.some((operation) => operation?.category === 'DELETE')
    ? [revokeToken(store, clock)]
    : []
}

const NAME = 'revoke_token'

function revokeToken(store: Store, clock: Clock): OperationDefinition {
  return defineOperation({
    name: NAME,
    category: 'DELETE',
    description: 'Withdraw a question to the human that you asked in this session.',
    tags: ['safety'],
    weight: -1,
    danger: { level: 'reversible', reasons: ['the question can be asked again'] },
    params: {
      token: { type: 'string', required: true, maxLength: 200, description: 'Its confirmation_token.' },
    },
    returns: 'object',
    examples: [{ params: { token: 'conf_…' } }],
    handler: ({ token }, { session }) => withdraw(store, clock, token, (session as Session).id),
  })
}

async function withdraw(
  store: Store,
  clock: Clock,
  token: string,
  session: string | undefined,
): Promise<{ readonly revoked: string } | OperationFailure> {
  if (!isToken(token) || session === undefined) return invalid(token)
  const request = await store.get(requestRef(tokenRef(token)))
  if (!request || !isTheirs(request, token, session)) return invalid(token)
  if (request.state === 'consumed') return usedUp(token, request.consumedAt ?? clock.now())
  const isTaken = await revoke(store, clock, request, 'withdrawn by the session that asked')
  return isTaken ? { revoked: request.operation } : invalid(token)
}

function usedUp(token: string, at: number): OperationFailure {
  return fail('TOKEN_ALREADY_USED', { token, consumed_at: new Date(at).toISOString() })
}
