import type { Schedule } from './schedule.ts'
import type { ApiWindow, Window } from './windows.ts'

/** RATE-08: what each quota metric measures, and over which window. */
export const METRICS = {
  requests_per_minute: { unit: 'requests', window: 'minute' },
  requests_per_hour: { unit: 'requests', window: 'hour' },
  requests_per_day: { unit: 'requests', window: 'day' },
  tokens_per_minute: { unit: 'tokens', window: 'minute' },
  tokens_per_hour: { unit: 'tokens', window: 'hour' },
  tokens_per_day: { unit: 'tokens', window: 'day' },
  cost_per_hour: { unit: 'cost', window: 'hour' },
  cost_per_day: { unit: 'cost', window: 'day' },
  cost_per_month: { unit: 'cost', window: 'month' },
} as const satisfies Record<string, { readonly unit: string; readonly window: Window }>

export type Metric = keyof typeof METRICS
export type Unit = (typeof METRICS)[Metric]['unit']

/** An adapter's `rate_limits` block, checked and normalised. */
export interface RateLimits {
  readonly apiLimits: readonly ApiLimit[]
  /** None when quotas are not enabled. */
  readonly quotas: readonly Quota[]
  readonly cost?: Cost
  readonly persistence: Persistence
  readonly errors?: undefined
}

export const PERSISTENCE = ['memory', 'file', 'database'] as const
export type Persistence = (typeof PERSISTENCE)[number]

/** RATE-02. */
export interface ApiLimit {
  /** Names the counter. */
  readonly key: string
  readonly scope: 'global' | 'endpoint' | 'category'
  readonly endpoint?: string
  /** As the wire spells it: in lower case. */
  readonly category?: string
  readonly limit: number
  readonly window: ApiWindow
  /** In lower case. */
  readonly remainingHeader?: string
  readonly resetHeader?: string
}

/** RATE-07. Thresholds are in the unit of the counter: requests, tokens or millionths of the currency. */
export interface Quota {
  readonly key: string
  readonly metric: Metric
  readonly unit: Unit
  readonly window: Window
  readonly warn: number
  readonly pause: number
  readonly hardStop?: number
  readonly currency?: string
  /** Present only where it moves the window. */
  readonly schedule?: Schedule
}

/** RATE-16. */
export interface Cost {
  readonly currency: string
  /** The most specific pattern first. */
  readonly pricing: readonly Price[]
}

export interface Price {
  readonly endpoint: string
  /** In millionths. */
  readonly perCall: number
  /** In millionths of millionths. */
  readonly perToken?: { readonly input: bigint; readonly output: bigint }
}

/** What is known of a request before it is sent. */
export interface LimitedCall {
  readonly operation: string
  /** In either case. */
  readonly category: string
  readonly method?: string
  readonly path?: string
  /** An estimate, for sources that can make one. */
  readonly tokens?: Tokens
}

export interface Tokens {
  readonly input: number
  readonly output: number
}
