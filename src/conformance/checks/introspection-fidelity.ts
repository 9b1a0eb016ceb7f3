import { checksOf, failed, passed, verdict, warned } from '../check.ts'
import { isStrict, probeUnknown, sample, UNKNOWN, working } from '../probes.ts'
import { isToken } from '../samples.ts'
import { operationDetailsShape, operationsListShape, typesListShape } from '../shapes.ts'
import { codeOf, detailsOf, type Target } from '../target.ts'
import { objectAt, textsOf } from '../values.ts'

/** Conformance document §3.1. Published: four tests. */
export const INTROSPECTION_FIDELITY = checksOf('Introspection Fidelity', 1, [
  {
    id: 'introspection-operations',
    requirements: ['INT-01', 'INT-03', 'INT-04', 'INT-05'],
    title: 'The operations query lists every operation, itself included, with exactly the documented keys',
    async run(target) {
      const reply = await target.introspect({ query: 'operations' })
      if (codeOf(reply) !== 'success') return failed(`introspect answered ${codeOf(reply)}`)
      const faults = [...operationsListShape(reply.result?.data)]
      if (!target.operations.some(({ name }) => name === 'introspect')) faults.push('introspect does not list itself')
      return verdict(target.operations.length, 'operations listed', faults)
    },
  },
  {
    id: 'introspection-types',
    requirements: ['INT-15'],
    title: 'The types query lists the types with exactly the documented keys',
    async run(target) {
      const reply = await target.introspect({ query: 'types' })
      if (codeOf(reply) !== 'success') return failed(`introspect answered ${codeOf(reply)}`)
      const faults = typesListShape(reply.result?.data)
      const types = await target.types()
      return faults.length === 0 && types.length === 0
        ? failed('No type is listed.')
        : verdict(types.length, 'types listed', faults)
    },
  },
  {
    id: 'introspection-details',
    requirements: ['INT-09', 'INT-11', 'INT-12', 'INT-13', 'INT-14'],
    title: 'The details of every operation have the documented shape and agree with the list',
    async run(target) {
      if (target.operations.length === 0) return failed('No operation is listed.')
      const faults: string[] = []
      for (const { name, semantic_category: category, endpoint } of target.operations.slice(0, 200)) {
        const details = objectAt((await target.introspect({ query: 'operations', name })).result, 'data.operation')
        faults.push(...operationDetailsShape(details, name))
        if (details && details.name !== name) faults.push(`${name}: the details are those of '${details.name}'`)
        if (details && details.semantic_category !== category) faults.push(`${name}: another category than in the list`)
        if (details && details.endpoint !== endpoint) faults.push(`${name}: another endpoint than in the list`)
      }
      return verdict(target.operations.length, 'operations described', faults)
    },
  },
  {
    id: 'introspection-parameters',
    requirements: ['INT-17'],
    title: 'Every documented parameter is accepted and no other is',
    async run(target) {
      if (target.operations.length === 0) return failed('No operation is listed.')
      const missing = await acceptedUndocumented(target)
      const refused = await documentedRefused(target)
      if (missing.length > 0) return failed(`Accepted without being documented: ${missing.join(', ')}`)
      if (refused.length > 0) return warned(`Documented but refused: ${refused.join(', ')}`)
      return passed('The documented parameters are those that the server takes.')
    },
  },
])

/** Names that implementations like to take in silence. */
const SUSPECTS = [
  'limit',
  'offset',
  'fields',
  'filter',
  'sort',
  'order',
  'preset',
  'verbose',
  'force',
  'format',
  'query',
  'id',
  'name',
]

/** Published test 4, first half: a READ operation is offered what its description does not have. */
async function acceptedUndocumented(target: Target): Promise<readonly string[]> {
  const found: string[] = []
  for (const details of await target.allDetails()) {
    if (details.semantic_category !== 'READ') continue
    const params = await working(target, details)
    const documented = new Set(details.parameters.map((row) => row.name))
    for (const name of params ? SUSPECTS.filter((suspect) => !documented.has(suspect)) : []) {
      const reply = await target.operate(details.name, { ...params, [name]: 'probe' })
      if (codeOf(reply) === 'success') found.push(`${details.name}.${name}`)
    }
  }
  return found
}

/**
 * Second half: all documented parameters are sent together with one that is unknown, so nothing runs, and the refusal
 * says which of them it does not know.
 */
export async function documentedRefused(target: Target): Promise<readonly string[]> {
  if (!(await isStrict(target))) return []
  const found: string[] = []
  for (const { operation, reply } of await probeUnknown(target)) {
    const details = await target.details(operation)
    if (codeOf(reply) !== 'VALIDATION_UNKNOWN_PARAM' || !details) continue
    const sent = Object.keys(sample(target, details))
    const refused = textsOf(detailsOf(reply).unknown_params).filter((name) => name !== UNKNOWN)
    const valid = detailsOf(reply).valid_params
    const unknown = valid
      ? details.parameters
          .filter((row) => !isToken(row))
          .map((row) => row.name)
          .filter((name) => !textsOf(valid).includes(name))
      : []
    found.push(
      ...new Set([...refused.filter((name) => sent.includes(name)), ...unknown].map((name) => `${operation}.${name}`)),
    )
  }
  return found
}
