import { checksOf, failed, passed, skipped, verdict } from '../check.ts'
import { isStrict, probeTypes, sample, UNKNOWN, working } from '../probes.ts'
import { isToken, violations, wrongType } from '../samples.ts'
import { identify, read, scratch, writable } from '../scratch.ts'
import { codeOf, detailsOf, flagOf, type Reply } from '../target.ts'
import { at, same } from '../values.ts'

/** Spec §4.1 to §4.6: what a request is. */
export const REQUEST_FORMAT = checksOf('Request Format', 1, [
  {
    id: 'request-without-operation',
    requirements: ['REQ-02', 'ERR-07'],
    title: 'A request without an operation fails as a whole and says so',
    async run(target) {
      if (!target.readTool) return failed('No tool answers introspect.')
      const reply = await target.call(target.readTool, {})
      const faults = [...expect(reply, 'VALIDATION_MISSING_PARAM'), ...isFlagged(reply)]
      if (detailsOf(reply).param_name !== 'operation')
        faults.push(`param_name is ${JSON.stringify(detailsOf(reply).param_name)}`)
      return verdict(1, 'requests', faults)
    },
  },
  {
    id: 'request-wrong-shape',
    requirements: ['REQ-01', 'REQ-02', 'ERR-07'],
    title: 'An operation that is no string and params that are no object are refused as wrong types',
    async run(target) {
      if (!target.readTool) return failed('No tool answers introspect.')
      const shapes = [
        { operation: 5 },
        { operation: ['introspect'] },
        { operation: 'introspect', params: [] },
        { operation: 'introspect', params: 'query' },
      ]
      const faults: string[] = []
      for (const args of shapes) {
        const reply = await target.call(target.readTool, args)
        faults.push(
          ...[...expect(reply, 'VALIDATION_INVALID_TYPE'), ...isFlagged(reply)].map(
            (fault) => `${JSON.stringify(args)}: ${fault}`,
          ),
        )
      }
      return verdict(shapes.length, 'malformed requests', faults)
    },
  },
  {
    id: 'request-unknown-operation',
    requirements: ['ERR-30', 'MCP-15', 'X-04'],
    title: 'An unknown operation is a tool result NOT_FOUND_OPERATION, and names are compared with their case',
    async run(target) {
      if (!target.readTool) return failed('No tool answers introspect.')
      const unknown = await target.call(target.readTool, { operation: 'zz_no_such_operation' })
      const cased = await target.call(target.readTool, { operation: 'Introspect', params: { query: 'types' } })
      const faults = [...expect(unknown, 'NOT_FOUND_OPERATION')]
      if (codeOf(cased) === 'success') faults.push("'Introspect' was taken for 'introspect'")
      if (flagOf(unknown) !== false) faults.push(`isError is ${String(flagOf(unknown))}`)
      return verdict(2, 'names', faults)
    },
  },
  {
    id: 'request-top-level-params',
    requirements: ['REQ-03'],
    title: 'A parameter may stand beside operation, and the one inside params wins',
    async run(target) {
      const inside = await target.introspect({ query: 'types' })
      const beside = await target.operate('introspect', undefined, { query: 'types' })
      const both = await target.operate('introspect', { query: 'types' }, { query: 'operations' })
      if (codeOf(inside) !== 'success') return failed(`introspect answers ${codeOf(inside)}`)
      const faults: string[] = []
      if (!same(beside.result, inside.result)) faults.push(`beside operation: ${codeOf(beside)}`)
      if (!same(both.result, inside.result)) faults.push(`in both places: ${codeOf(both)}`)
      return verdict(2, 'placements', faults)
    },
  },
  {
    id: 'request-underscore-keys',
    requirements: ['REQ-04'],
    title: 'Keys that begin with an underscore are metadata at both levels, never parameters',
    async run(target) {
      const reply = await target.operate(
        'introspect',
        { query: 'types', _trace: 'x' },
        { _meta: { a: 1 }, _request_id: 'r-1', _zz: 1 },
      )
      return verdict(1, 'requests', expect(reply, 'success'))
    },
  },
  {
    id: 'request-types',
    requirements: ['VAL-04', 'ERR-21'],
    title: 'Values of another JSON type are refused without coercion',
    async run(target) {
      const probes = await probeTypes(target)
      const faults = probes.flatMap(({ operation, parameter, reply }) =>
        expect(reply, 'VALIDATION_INVALID_TYPE').map((fault) => `${operation}.${parameter}: ${fault}`),
      )
      const coerced: readonly (readonly [unknown, string])[] = [
        [null, 'null'],
        [['types'], 'an array'],
      ]
      for (const [value, what] of coerced) {
        faults.push(
          ...expect(await target.introspect({ query: value }), 'VALIDATION_INVALID_TYPE').map(
            (fault) => `${what} for a string: ${fault}`,
          ),
        )
      }
      for (const details of await target.allDetails()) {
        const row = details.parameters.find(({ type }) => type === 'integer')
        const params = row && details.semantic_category === 'READ' ? await working(target, details) : undefined
        for (const value of row && params ? ['5', 1.5] : []) {
          const reply = await target.operate(details.name, { ...params, [row?.name ?? '']: value })
          faults.push(
            ...expect(reply, 'VALIDATION_INVALID_TYPE').map(
              (fault) => `${details.name}.${row?.name} = ${JSON.stringify(value)}: ${fault}`,
            ),
          )
        }
      }
      return verdict(probes.length, 'wrong types', faults)
    },
  },
  {
    id: 'request-order',
    requirements: ['VAL-01'],
    title: 'The first failing stage decides: required, types, unknown, constraints',
    async run(target) {
      if (!(await isStrict(target))) return failed('Missing and unknown parameters are not refused at all.')
      const faults: string[] = []
      faults.push(
        ...expect(await target.introspect({ [UNKNOWN]: 1, name: 5 }), 'VALIDATION_MISSING_PARAM').map(
          (fault) => `required before the rest: ${fault}`,
        ),
      )
      faults.push(
        ...expect(await target.introspect({ query: 5, [UNKNOWN]: 1 }), 'VALIDATION_INVALID_TYPE').map(
          (fault) => `types before unknown: ${fault}`,
        ),
      )
      faults.push(
        ...expect(await target.introspect({ query: 'zz_none', [UNKNOWN]: 1 }), 'VALIDATION_UNKNOWN_PARAM').map(
          (fault) => `unknown before constraints: ${fault}`,
        ),
      )
      for (const details of await target.allDetails()) {
        const row = details.parameters.find((entry) => violations(entry).length > 0)
        const wrong = details.parameters.find(
          (entry) => entry.name !== row?.name && !isToken(entry) && wrongType(entry) !== undefined,
        )
        if (!row || !wrong) continue
        const params = {
          ...sample(target, details),
          [row.name]: violations(row)[0]?.value,
          [wrong.name]: wrongType(wrong),
        }
        faults.push(
          ...expect(await target.operate(details.name, params), 'VALIDATION_INVALID_TYPE').map(
            (fault) => `${details.name}, types before constraints: ${fault}`,
          ),
        )
      }
      return verdict(3, 'orders', faults)
    },
  },
  {
    id: 'request-prototype-keys',
    requirements: ['UPD-09', 'VAL-05'],
    title: 'Keys such as __proto__ are refused or without effect',
    async run(target) {
      if (!target.readTool) return failed('No tool answers introspect.')
      const faults: string[] = []
      for (const key of ['__proto__', 'constructor', 'prototype']) {
        // Parsed, since in a literal `__proto__` would set the prototype instead of a key.
        const params: unknown = JSON.parse(`{"${key}":{"query":"types"}}`)
        const reply = await target.call(target.readTool, { operation: 'introspect', params })
        if (codeOf(reply) === 'success') faults.push(`${key} supplied a parameter`)
      }
      return verdict(3, 'keys', faults)
    },
  },
  {
    id: 'request-dry-run',
    requirements: ['REQ-10'],
    title: 'dry_run changes nothing',
    async run(target) {
      const made = await scratch(target)
      const found = made && (await writable(target, made))
      const operations = [made?.resource.update, made?.resource.remove].filter((details) =>
        details?.parameters.some((row) => row.name === 'dry_run'),
      )
      const faults: string[] = []
      for (const details of operations) {
        if (!made || !details || (details === made.resource.update && !found)) continue
        const before = await read(target, made)
        const input = details === made.resource.update ? { input: { [found?.field ?? '']: 'by a dry run' } } : {}
        const reply = await target.operate(details.name, { ...identify(details, made), ...input, dry_run: true })
        if (codeOf(reply) !== 'success') faults.push(`${details.name}: ${codeOf(reply)}`)
        if (!same(await read(target, made), before)) faults.push(`${details.name} changed the stored resource`)
      }
      return operations.length === 0
        ? skipped('No operation on a scratch resource documents dry_run.')
        : verdict(operations.length, 'dry runs', faults)
    },
  },
  {
    id: 'request-id-echo',
    requirements: ['REQ-12', 'RES-04', 'X-19'],
    title: 'A _request_id comes back as _meta.request_id',
    async run(target) {
      for (const details of await target.allDetails()) {
        if (details.semantic_category !== 'READ' || details.name === 'introspect') continue
        const params = await working(target, details)
        if (!params) continue
        const reply = await target.operate(details.name, params, { _request_id: 'probe-1' })
        const echoed = at(reply.result, '_meta.request_id')
        return echoed === 'probe-1'
          ? passed('Echoed.')
          : verdict(1, 'ids', [`_meta.request_id is ${JSON.stringify(echoed)}`], 'should')
      }
      return skipped('No READ operation beside introspect could be called.')
    },
  },
])

/** Faults of a reply that should have had this code. */
export function expect(reply: Reply, code: string): string[] {
  return codeOf(reply) === code ? [] : [`${codeOf(reply)} in place of ${code}`]
}

function isFlagged(reply: Reply): readonly string[] {
  return flagOf(reply) === true ? [] : [`isError is ${String(flagOf(reply))}`]
}
