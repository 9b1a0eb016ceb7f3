import { ok, type Route } from '../route.ts'
import { shown } from '../shown.ts'

/** How a human is reached, and what these protections can and cannot do here. */
export const HEALTH: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/health',
    needs: 'viewer',
    answer: async (_, { operator }) => {
      const { separation, channels, store, modes, version } = await operator.health()
      return ok({
        separation,
        channels: channels.map(({ adapter, name, state, classes, note }) => ({
          source: shown(adapter),
          name: shown(name),
          state,
          classes,
          note: note === undefined ? null : shown(note),
        })),
        store: { ...store, place: shown(store.place) },
        modes: modes.map(({ adapter, mode, updatedAt }) => ({ source: shown(adapter), mode, updated_at: updatedAt })),
        version,
      })
    },
  },
]
