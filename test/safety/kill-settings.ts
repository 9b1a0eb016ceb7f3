import type { AdapterDefinition, RuntimeOptions } from '../support.ts'

/** Counted, and never reached. */
export const LIMITS: Partial<AdapterDefinition> = {
  rate_limits: {
    quotas: { enabled: true, limits: [{ metric: 'requests_per_day', warn: 1e8, pause: 1e9 }] },
  },
}

export const SAFETY: Partial<RuntimeOptions> = {
  safety: { mode: 'enforcing', channels: [{ kind: 'console', name: 'console', where: 'the console' }] },
  reach: () => ({ channels: ['console'] }),
  tokenCapacity: 1e6,
}
