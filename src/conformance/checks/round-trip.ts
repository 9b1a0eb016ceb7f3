import { checksOf, skipped, verdict } from '../check.ts'
import { changes, roundTrips, strayed } from '../probes.ts'
import { resources } from '../scratch.ts'
import { same, shown } from '../values.ts'

/** Conformance document §3.4. Published: two tests. */
export const ROUND_TRIP = checksOf('Round-Trip Integrity', 1, [
  {
    id: 'roundtrip-create-read',
    requirements: ['CONF-06'],
    title: 'Create then read returns every submitted field unchanged',
    async run(target) {
      const offered = await resources(target)
      if (offered.length === 0) return skipped('No pair of create_… and get_… is offered.')
      const trips = await roundTrips(target)
      const faults = trips.flatMap(({ made, stored, expected }) => {
        if (!stored) return [`${made.resource.noun}: cannot be read back`]
        const lost = Object.keys(expected).filter((name) => !same(stored[name], expected[name]))
        return lost.map(
          (name) => `${made.resource.noun}.${name}: sent ${shown(expected[name])}, read ${shown(stored[name])}`,
        )
      })
      return trips.length === 0
        ? skipped('No resource could be created from the documentation.')
        : verdict(trips.length, 'resources created and read', faults)
    },
  },
  {
    id: 'roundtrip-update-preserves',
    requirements: ['CONF-06', 'UPD-03'],
    title: 'An update changes what it names and leaves everything else as it was',
    async run(target) {
      const updatable = (await resources(target)).filter(({ update }) => update)
      if (updatable.length === 0) return skipped('No resource with create_…, get_… and update_… is offered.')
      const made = await changes(target)
      const faults = made.flatMap((change) => {
        const { noun } = change.made.resource
        const wrong = same(change.after?.[change.field], change.value)
          ? []
          : [`${noun}.${change.field} was not changed`]
        return [...wrong, ...strayed(change).map((name) => `${noun}.${name} changed although it was not named`)]
      })
      return made.length === 0
        ? skipped('No resource could be changed from the documentation.')
        : verdict(made.length, 'resources changed', faults)
    },
  },
])
