import { matchesEndpoint } from './endpoint-pattern.ts'
import { fromMicros, picosToMicros } from './money.ts'
import type { LimitedCall, RateLimits, Tokens } from './rate-limits.ts'

/** RATE-16: what one request will cost as far as is known before it is sent; nothing where costs are not declared. */
export function estimateCost(limits: RateLimits, call: LimitedCall): Amount | undefined {
  if (!limits.cost) return undefined
  return { amount: fromMicros(costOf(limits, call, 1, soundTokens(call.tokens))), currency: limits.cost.currency }
}

export interface Amount {
  readonly amount: number
  readonly currency: string
}

/** In millionths, rounded up. The first row that matches prices the call, for the rows are sorted. */
export function costOf({ cost }: RateLimits, call: LimitedCall, requests: number, tokens: Tokens | undefined): number {
  const price = cost?.pricing.find(({ endpoint }) => matchesEndpoint(endpoint, call))
  if (!price) return 0
  const forCalls = price.perCall * requests
  if (!price.perToken || !tokens) return forCalls
  const picos = price.perToken.input * BigInt(tokens.input) + price.perToken.output * BigInt(tokens.output)
  return forCalls + picosToMicros(picos)
}

/** Usage comes from outside: a negative or broken number must not lower a counter. */
export function soundTokens(tokens: Tokens | undefined): Tokens | undefined {
  return tokens && isCount(tokens.input) && isCount(tokens.output) ? tokens : undefined
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
