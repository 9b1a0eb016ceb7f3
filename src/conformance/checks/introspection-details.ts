import { CONCURRENCY, ENDPOINT_MODES } from '../../protocol/endpoints.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { checksOf, failed, passed, skipped, verdict } from '../check.ts'
import { collections, has } from '../probes.ts'
import { keys, type Shape, typeDetailsShape } from '../shapes.ts'
import { codeOf, messageOf, type Reply, type Target } from '../target.ts'
import { at, isObject, objectAt, same, textsOf } from '../values.ts'
import { sendBatch } from './level-2.ts'
import { expect } from './request-format.ts'

/** Introspection document beyond the four published tests. */
export const INTROSPECTION_DETAILS = checksOf('Introspection Details', 1, [
  {
    id: 'introspect-parameters',
    requirements: ['INT-02', 'INT-21'],
    title: 'introspect takes query, with an enum that includes operations and types, and name; no kind changes state',
    async run(target) {
      const details = await target.details('introspect')
      const query = details?.parameters.find((row) => row.name === 'query')
      const kinds = textsOf(query?.enum)
      const faults: string[] = []
      if (!query?.required || query.type !== 'string') faults.push('query is not a required string')
      faults.push(
        ...['operations', 'types']
          .filter((kind) => !kinds.includes(kind))
          .map((kind) => `query does not offer '${kind}'`),
      )
      if (!details?.parameters.some((row) => row.name === 'name' && !row.required))
        faults.push('name is not an optional parameter')
      if (kinds.includes('revoke_token')) faults.push("query offers 'revoke_token'")
      return details ? verdict(1, 'descriptions', faults) : failed('introspect has no details.')
    },
  },
  {
    id: 'introspect-bad-query',
    requirements: ['INT-22'],
    title: 'A missing query is VALIDATION_MISSING_PARAM, an unsupported one VALIDATION_INVALID_VALUE with the kinds',
    async run(target) {
      const none = await target.introspect({})
      const odd = await target.introspect({ query: 'zz_none' })
      const faults = [...expect(none, 'VALIDATION_MISSING_PARAM'), ...expect(odd, 'VALIDATION_INVALID_VALUE')]
      if (
        !['operations', 'types'].every(
          (kind) => messageOf(odd).includes(kind) || JSON.stringify(odd.result).includes(`"${kind}"`),
        )
      )
        faults.push('the supported kinds are not listed')
      return verdict(2, 'queries', faults)
    },
  },
  {
    id: 'introspect-unknown-name',
    requirements: ['INT-16', 'X-06'],
    title: 'An unknown name is a success with null',
    async run(target) {
      const operation = await target.introspect({ query: 'operations', name: 'zz_no_such_name' })
      const type = await target.introspect({ query: 'types', name: 'ZzNoSuchName' })
      const faults: string[] = []
      if (!same(operation.result, { success: true, data: { operation: null } }))
        faults.push(`operation: ${codeOf(operation)}`)
      if (!same(type.result, { success: true, data: { type: null } })) faults.push(`type: ${codeOf(type)}`)
      return verdict(2, 'names', faults)
    },
  },
  {
    id: 'introspect-bare',
    requirements: ['INT-24', 'X-26'],
    title: 'A successful introspect has only success and data',
    async run(target) {
      const faults: string[] = []
      for (const params of [{ query: 'operations' }, { query: 'types' }, { query: 'operations', name: 'introspect' }]) {
        const reply = await target.introspect(params)
        if (codeOf(reply) !== 'success') faults.push(`${JSON.stringify(params)}: ${codeOf(reply)}`)
        faults.push(
          ...Object.keys(reply.result ?? {})
            .filter((key) => key !== 'success' && key !== 'data')
            .map((key) => `${JSON.stringify(params)}: ${key}`),
        )
      }
      return verdict(3, 'queries', faults)
    },
  },
  {
    id: 'introspect-stable',
    requirements: ['INT-23'],
    title: 'The same query gives the same answer throughout a session',
    async run(target) {
      const faults: string[] = []
      for (const params of [{ query: 'operations' }, { query: 'types' }, { query: 'operations', name: 'introspect' }]) {
        const texts = [await target.introspect(params), await target.introspect(params)].map(settled)
        if (!texts[0]) return failed('introspect does not answer.')
        if (texts[0] !== texts[1]) faults.push(JSON.stringify(params))
      }
      return verdict(3, 'queries asked twice', faults, 'should')
    },
  },
  {
    id: 'introspect-protocol',
    requirements: ['INT-05', 'INT-06', 'INT-08', 'MODE-09', 'X-03', 'X-29', 'CONC-01', 'CONC-04', 'CONF-03'],
    title: '_protocol states version, level, mode, profile, adapter and capabilities, and they are true',
    async run(target) {
      const told = target.protocol
      const faults: string[] = []
      if (told.version !== '1.0.0-draft') faults.push(`version is ${JSON.stringify(told.version)}`)
      if (!['level-1', 'level-2'].includes(String(told.conformance)))
        faults.push(`conformance is ${JSON.stringify(told.conformance)}`)
      if (!ENDPOINT_MODES.some((mode) => mode === told.mode) || told.mode !== target.mode)
        faults.push(`mode is ${JSON.stringify(told.mode)}, the tools are ${target.mode}`)
      for (const key of ['profile', 'adapter', 'display_name'])
        if (typeof told[key] !== 'string') faults.push(`${key} is missing`)
      if (!isObject(told.capabilities)) faults.push('capabilities is missing')
      if (told.concurrency !== undefined && !CONCURRENCY.some((kind) => kind === told.concurrency))
        faults.push(`concurrency is ${JSON.stringify(told.concurrency)}`)
      return told.version === undefined ? failed('_protocol is missing.') : verdict(1, 'protocol objects', faults)
    },
  },
  {
    id: 'introspect-limits',
    requirements: ['DATA-08', 'DATA-11'],
    title: '_protocol.limits publishes the five limits, each within its range',
    async run(target) {
      const limits = target.protocol.limits
      if (limits === undefined) return skipped('The limits are not published in _protocol.')
      const rows = Object.values(LIMITS)
      const ranges = rows.map(
        (row) =>
          [
            row.key,
            ((value, path) =>
              typeof value === 'number' && value >= row.least && value <= row.most
                ? []
                : [`${path} is outside ${row.least}–${row.most}`]) satisfies Shape,
          ] as const,
      )
      return verdict(rows.length, 'limits', keys(Object.fromEntries(ranges), {})(limits, 'limits'))
    },
  },
  {
    id: 'introspect-capabilities',
    requirements: ['INT-07', 'BATCH-01'],
    title: 'A capability is announced exactly where the feature is there',
    async run(target) {
      const told = objectAt(target.protocol, 'capabilities')
      if (!told) return failed('capabilities is missing.')
      const there = await featuresOf(target)
      const faults = Object.entries(there).flatMap(([name, found]) => {
        if (typeof told[name] !== 'boolean') return [`${name} is not stated`]
        return told[name] === found ? [] : [`${name} is ${told[name]}, the feature is ${found ? '' : 'not '}there`]
      })
      const odd = Object.entries(told).filter(
        ([name, value]) => typeof value !== (name === 'execution_safety_loop' ? 'string' : 'boolean'),
      )
      return verdict(Object.keys(there).length, 'capabilities', [
        ...faults,
        ...odd.map(([name]) => `${name} is no flag`),
      ])
    },
  },
  {
    id: 'introspect-types',
    requirements: ['TYPE-02', 'INT-15', 'X-27'],
    title: 'The details of a type depend on its kind and agree with the list',
    async run(target) {
      const types = (await target.types()).slice(0, 200)
      const faults: string[] = []
      for (const { name, kind } of types) {
        const details = await target.type(name)
        faults.push(...typeDetailsShape(details, name))
        if (details && (details.name !== name || details.kind !== kind)) faults.push(`${name}: differs from the list`)
      }
      return verdict(types.length, 'types', faults)
    },
  },
  {
    id: 'introspect-type-names',
    requirements: ['TYPE-03', 'TYPE-04'],
    title: 'Every type that is named is built in or listed',
    async run(target) {
      const types = await target.types()
      const known = new Set([...BUILT_IN, ...types.map(({ name }) => name)])
      const used = new Map<string, string>()
      for (const details of await target.allDetails()) {
        used.set(details.returns.name, `${details.name} returns`)
        for (const row of details.parameters) note(row.type, `${details.name}.${row.name}`)
      }
      for (const { name } of types) {
        const details = await target.type(name)
        for (const row of details?.fields ?? []) note(row.type, `${name}.${row.name}`)
        for (const member of details?.members ?? []) note(member, name)
      }
      const faults = [...used]
        .filter(([name]) => name && !known.has(name.replaceAll('[]', '')))
        .map(([name, where]) => `${where}: '${name}'`)
      return verdict(used.size, 'type names', faults)

      function note(type: string, where: string): void {
        for (const part of String(type).split('|')) used.set(part.trim(), where)
      }
    },
  },
  {
    id: 'introspect-protocol-types',
    requirements: ['TYPE-01'],
    title: "The protocol's own types are listed",
    async run(target) {
      const kinds = new Map((await target.types()).map(({ name, kind }) => [name, kind as string]))
      const faults = PROTOCOL_TYPES.filter(([name, kind]) => kinds.get(name) !== kind).map(
        ([name, kind]) => `${name} (${kind})`,
      )
      const category = await target.type('SemanticCategory')
      if (!same(at(category, 'values'), ['CREATE', 'READ', 'UPDATE', 'DELETE', 'EXECUTE']))
        faults.push('the values of SemanticCategory')
      return faults.length === 0
        ? passed(`${PROTOCOL_TYPES.length} types.`)
        : verdict(
            1,
            'types',
            faults.map((fault) => `missing: ${fault}`),
            'should',
          )
    },
  },
])

/** On the revision without a handshake every such answer may name a new session (MCP-25). */
function settled({ text }: Reply): string {
  return (text ?? '').replace(/"session_id":"[^"]*",?/, '')
}

const BUILT_IN = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null', 'any', 'unknown']

const PROTOCOL_TYPES: readonly (readonly [string, string])[] = [
  ['SemanticCategory', 'enum'],
  ['OperationInput', 'object'],
  ['OperationResult', 'union'],
  ['OperationSuccess', 'object'],
  ['OperationFailure', 'object'],
  ['EndpointPermissions', 'object'],
]

/** What can be seen of the features from outside. */
async function featuresOf(target: Target): Promise<Readonly<Record<string, boolean>>> {
  const all = await target.allDetails()
  const reads = all.filter((details) => details.semantic_category === 'READ')
  return {
    batch: codeOf(await sendBatch(target)) === 'success',
    field_selection: reads.some((details) => has(details, 'fields')),
    pagination: (await collections(target)).some(({ page }) => typeof page.hasNextPage === 'boolean'),
    aggregations: all.some((details) => details.aggregation_support?.supported === true),
    computed_fields: all.some((details) => (details.computed_fields ?? []).length > 0),
    relationship_queries: all.some((details) => details.relationship_capabilities?.supported === true),
  }
}
