/** RATE-14, one row for each metric of each adapter. */
export interface QuotaView {
  readonly adapter: string
  readonly metric: string
  readonly unit: string
  readonly window: string
  readonly current: number
  readonly warn?: number
  readonly pause?: number
  readonly stop?: number
  readonly status: 'ok' | 'warn' | 'paused' | 'exhausted'
  readonly resetsAt?: number
}

export type ReadQuotas = () => Promise<readonly QuotaView[]>
