import { ok, type Route } from '../route.ts'
import { shown } from '../shown.ts'

/** RATE-14: use against warn, pause and stop. Nothing here resets anything. */
export const QUOTAS: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/quotas',
    needs: 'viewer',
    answer: async (_, { operator }) => {
      if (!operator.quotas) return ok({ available: false, items: [] })
      const items = (await operator.quotas()).map(({ adapter, metric, unit, window, resetsAt, ...quota }) => ({
        ...quota,
        source: shown(adapter),
        metric: shown(metric),
        unit: shown(unit),
        window: shown(window),
        resets_at: resetsAt ?? null,
      }))
      return ok({ available: true, items })
    },
  },
]
