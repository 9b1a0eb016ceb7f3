import type { BatchSuccess, OperationResult } from '../protocol/result.ts'
import { isFailure } from '../protocol/result.ts'
import { tokenRef } from './audit/token-ref.ts'

/**
 * The approval that an answer waits for, for a channel that puts it before the user at once (SELF-06, SELF-14): of a call
 * that the gate holds, or of a report that the safety loop has paused. `Runtime.findRequest` has the request.
 */
export function waitsFor(result: OperationResult | BatchSuccess): string | undefined {
  if (isFailure(result)) return result.confirmation && tokenRef(result.confirmation.token)
  if (!Object.hasOwn(result, 'data')) return undefined
  return pauseIn((result as { readonly data?: unknown }).data)
}

interface Paused {
  readonly autonomy?: {
    readonly continue?: unknown
    readonly notifications?: readonly {
      readonly type: string
      readonly metadata?: { readonly approvalId?: string }
    }[]
  }
}

/** What an adapter returns may look alike; then there is no such request of the session. */
function pauseIn(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, 'autonomy')) return undefined
  const { autonomy } = data as Paused
  if (typeof autonomy !== 'object' || autonomy?.continue !== false || !Array.isArray(autonomy.notifications))
    return undefined
  const found = autonomy.notifications.find(
    ({ type, metadata }) => type === 'autonomy_pause' && metadata?.approvalId !== undefined,
  )
  return found?.metadata?.approvalId
}
