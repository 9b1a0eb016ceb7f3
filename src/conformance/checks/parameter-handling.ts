import { NAME_PATTERN } from '../../protocol/request.ts'
import { checksOf, failed, verdict, warned } from '../check.ts'
import { probeMissing, probeUnknown, UNKNOWN, working } from '../probes.ts'
import { codeOf, dataOf, messageOf, type Reply } from '../target.ts'
import { listAt, same } from '../values.ts'

/** Conformance document §3.2. Published: four tests. */
export const PARAMETER_HANDLING = checksOf('Parameter Handling', 1, [
  {
    id: 'parameters-required',
    requirements: ['VAL-02', 'VAL-03', 'ERR-20'],
    title: 'Leaving out a required parameter is refused, and the message names it',
    async run(target) {
      const probes = await probeMissing(target)
      const faults = probes.flatMap(({ operation, parameter, reply }) => {
        if (codeOf(reply) !== 'VALIDATION_MISSING_PARAM') return [`${operation} without ${parameter}: ${codeOf(reply)}`]
        return messageOf(reply).includes(parameter) ? [] : [`${operation}: the message does not name ${parameter}`]
      })
      return probes.length === 0
        ? failed('No operation with a required parameter is listed.')
        : verdict(probes.length, 'omissions refused', faults)
    },
  },
  {
    id: 'parameters-unknown',
    requirements: ['VAL-05', 'ERR-23', 'X-09'],
    title: 'A parameter that an operation does not know is refused, in params and at the top level',
    async run(target) {
      const probes = await probeUnknown(target)
      if (probes.length === 0) return failed('No operation is listed.')
      const beside = await target.operate('introspect', { query: 'types' }, { [UNKNOWN]: true })
      const all = [...probes, { operation: 'introspect (top level)', parameter: UNKNOWN, reply: beside }]
      const bad = all.filter(({ reply }) => !isRefused(reply))
      const silent = bad.filter(({ reply }) => listAt(reply.result, 'warnings').length === 0)
      // Where a call fails later on, its warning has no place to stand.
      const warnedOf = bad.length > silent.length && silent.every(({ reply }) => reply.result?.success === false)
      if (warnedOf) return warned('Unknown parameters are only warned about.')
      const faults = silent.map(({ operation, reply }) => `${operation}: ${codeOf(reply)}`)
      return verdict(all.length, 'unknown parameters refused', faults)
    },
  },
  {
    id: 'parameters-defaults',
    requirements: ['VAL-08'],
    title: 'An omitted parameter behaves as its documented default',
    async run(target) {
      const faults: string[] = []
      let tested = 0
      for (const details of await target.allDetails()) {
        const rows = details.parameters.filter((row) => row.default !== undefined)
        const params =
          details.semantic_category === 'READ' && rows.length > 0 ? await working(target, details) : undefined
        if (!params) continue
        const without = dataOf(await target.operate(details.name, params))
        for (const row of rows.filter(({ name }) => !PAIRED.has(name))) {
          const reply = await target.operate(details.name, { ...params, [row.name]: row.default })
          tested += 1
          if (!same(dataOf(reply), without)) faults.push(`${details.name}.${row.name} = ${JSON.stringify(row.default)}`)
        }
      }
      return verdict(tested, 'defaults compared', faults)
    },
  },
  {
    id: 'parameters-snake-case',
    requirements: ['REQ-05'],
    title: 'Parameter names are written in snake_case',
    async run(target) {
      const rows = (await target.allDetails()).flatMap((details) =>
        details.parameters.map((row) => [details.name, row.name] as const),
      )
      const faults = rows.filter(([, name]) => !NAME_PATTERN.test(name)).map((pair) => pair.join('.'))
      return rows.length === 0 ? failed('No parameter is documented.') : verdict(rows.length, 'parameter names', faults)
    },
  },
])

function isRefused(reply: Reply): boolean {
  return codeOf(reply) === 'VALIDATION_UNKNOWN_PARAM' && messageOf(reply).includes(UNKNOWN)
}

/** Paging controls of the other styles: sent alone they choose the style, so they are no plain default. */
const PAIRED: ReadonlySet<string> = new Set(['limit', 'offset', 'page', 'page_size'])
