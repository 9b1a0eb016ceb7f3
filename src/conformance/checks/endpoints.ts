import { RESERVED_OPERATIONS } from '../../protocol/reserved.ts'
import { checksOf, failed, passed, skipped, verdict } from '../check.ts'
import { askable, collections } from '../probes.ts'
import { codeOf, detailsOf, type Reply, type Target } from '../target.ts'
import { objectAt } from '../values.ts'

/** Spec §6: one family for each operation, and no other takes it. */
export const ENDPOINTS = checksOf('Endpoints', 1, [
  {
    id: 'endpoints-mismatch',
    requirements: ['MODE-07', 'CONF-01'],
    title: 'An operation sent to the tool of another family is refused with VALIDATION_ENDPOINT_MISMATCH',
    async run(target) {
      if (target.families.size < 2) return skipped('There is one tool only.')
      const sent = await mismatches(target)
      const faults = sent
        .filter(({ reply }) => codeOf(reply) !== 'VALIDATION_ENDPOINT_MISMATCH')
        .map(({ operation, family, reply }) => `${operation} on ${family}: ${codeOf(reply)}`)
      return verdict(sent.length, 'wrong endpoints', faults)
    },
  },
  {
    id: 'endpoints-mismatch-details',
    requirements: ['ERR-27', 'X-05'],
    title: 'The refusal names the operation, the expected and the actual endpoint',
    async run(target) {
      if (target.families.size < 2) return skipped('There is one tool only.')
      const sent = await mismatches(target)
      const faults = sent.flatMap(({ operation, family, reply }) => {
        const { expected_endpoint: expected, actual_endpoint: actual, operation: named } = detailsOf(reply)
        const own = target.operations.find(({ name }) => name === operation)?.endpoint ?? ''
        const right = named === operation && equal(expected, own) && equal(actual, family)
        return right ? [] : [`${operation} on ${family}: ${JSON.stringify(detailsOf(reply))}`]
      })
      return verdict(sent.length, 'refusals', faults)
    },
  },
  {
    id: 'endpoints-mcp-tool',
    requirements: ['INT-10', 'TOOL-04'],
    title: 'mcpTool is the listed tool that accepts the operation',
    async run(target) {
      if (target.operations.length === 0) return failed('No operation is listed.')
      const faults: string[] = []
      for (const { name } of target.operations.slice(0, 200)) {
        const told = objectAt(
          (await target.introspect({ query: 'operations', name })).result,
          'data.operation',
        )?.mcpTool
        const expected = target.toolOf(name)
        if (told !== expected) faults.push(`${name}: ${JSON.stringify(told)} in place of ${expected}`)
      }
      return verdict(target.operations.length, 'operations', faults)
    },
  },
  {
    id: 'endpoints-families',
    requirements: ['MODE-04', 'INT-04'],
    title: 'Every operation belongs to a family that exists; the crude profile has all five',
    async run(target) {
      if (target.operations.length === 0) return failed('No operation is listed.')
      const faults: string[] = []
      const names = target.operations.map(({ name }) => name)
      faults.push(
        ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name} is listed twice`),
      )
      const orphans = target.operations.filter(
        ({ endpoint }) =>
          endpoint !== endpoint.toLowerCase() || (target.families.size > 0 && !target.families.has(endpoint)),
      )
      faults.push(...orphans.map(({ name, endpoint }) => `${name}: no tool for '${endpoint}'`))
      if (target.protocol.profile === 'crude' && target.families.size > 0) {
        faults.push(
          ...CRUDE.filter((family) => !target.families.has(family)).map(
            (family) => `the crude profile has no ${family} tool`,
          ),
        )
      }
      return verdict(target.operations.length, 'operations', faults)
    },
  },
  {
    id: 'endpoints-single',
    requirements: ['MODE-08'],
    title: 'The unified tool takes every operation and applies the same rules',
    async run(target) {
      const single = [target, target.other].find((each) => each?.unified !== undefined)
      const tool = single?.unified
      if (!single || tool === undefined) return skipped('There is no unified tool.')
      const faults: string[] = []
      const asked = await askable(single)
      for (const details of asked) {
        const reply = await single.call(tool, { operation: details.name, params: { zz_unknown_parameter: 1 } })
        if (!VALIDATION.has(codeOf(reply))) faults.push(`${details.name}: ${codeOf(reply)}`)
      }
      return verdict(asked.length, 'operations on the unified tool', faults)
    },
  },
  {
    id: 'endpoints-reserved',
    requirements: ['INT-01'],
    title: 'Reserved names have their category, and introspect is READ',
    async run(target) {
      const named = target.operations.filter(({ name }) => Object.hasOwn(RESERVED_OPERATIONS, name))
      const faults = named.filter(
        ({ name, semantic_category: category }) =>
          category !== RESERVED_OPERATIONS[name as keyof typeof RESERVED_OPERATIONS],
      )
      return named.length === 0
        ? failed('introspect is not listed.')
        : verdict(
            named.length,
            'reserved names',
            faults.map(({ name, semantic_category: category }) => `${name} is ${category}`),
          )
    },
  },
  {
    id: 'endpoints-read-changes-nothing',
    requirements: ['OPN-01'],
    title: 'READ operations can be called again with the same answer, and lists stay as they were',
    async run(target) {
      const found = (await collections(target)).slice(0, 3)
      const faults: string[] = []
      for (const { details, base, items } of found) {
        const reply = await target.operate(details.name, base)
        if (JSON.stringify(objectAt(reply.result, 'data')?.items) !== JSON.stringify(items))
          faults.push(`${details.name} answers differently`)
      }
      return found.length === 0
        ? skipped('No collection could be read.')
        : faults.length === 0
          ? passed(`${found.length} lists.`)
          : verdict(1, 'lists', faults, 'should')
    },
  },
])

const CRUDE = ['create', 'read', 'update', 'delete', 'execute']
const VALIDATION: ReadonlySet<string> = new Set(['VALIDATION_UNKNOWN_PARAM', 'VALIDATION_MISSING_PARAM'])

interface Mismatch {
  readonly operation: string
  readonly family: string
  readonly reply: Reply
}

/** Reading operations go first: where even they are not refused, nothing else is sent to the wrong tool. */
function mismatches(target: Target): Promise<readonly Mismatch[]> {
  return target.once('mismatches', async () => {
    const found: Mismatch[] = []
    const ordered = [...target.operations].sort(
      (a, b) => Number(b.semantic_category === 'READ') - Number(a.semantic_category === 'READ'),
    )
    for (const { name, endpoint, semantic_category: category } of ordered.slice(0, 100)) {
      const loose = found.some(({ reply }) => codeOf(reply) === 'success')
      if (category !== 'READ' && loose) break
      for (const [family, tool] of target.families) {
        if (family === endpoint.toLowerCase()) continue
        found.push({ operation: name, family, reply: await target.call(tool, { operation: name }) })
      }
    }
    return found
  })
}

function equal(told: unknown, family: string): boolean {
  return typeof told === 'string' && told.toLowerCase() === family.toLowerCase()
}
