import type { BatchSuccess, OperationResult } from '../protocol/result.ts'
import { isFailure } from '../protocol/result.ts'

/** Until when the question that an answer speaks of, or its approval, can be used; undefined where it speaks of none. */
export function askedUntil(result: OperationResult | BatchSuccess): number | undefined {
  const asking = Object.hasOwn(result, 'halted_at') ? (result as BatchSuccess).halted_at?.result : result
  if (!isFailure(asking) || !CODES.has(asking.error.code)) return undefined
  const { expires_at } = asking.error.details ?? {}
  return typeof expires_at === 'string' ? Date.parse(expires_at) + TOLERANCE_MS : undefined
}

const CODES: ReadonlySet<string> = new Set(['CONFIRMATION_REQUIRED', 'RATE_LIMIT_QUOTA_PAUSE'])

/** TOK-12: a token is taken a little after its end. */
const TOLERANCE_MS = 60_000
