import { CODE_PREFIXES, ERRORS } from '../../protocol/errors.ts'
import { NAME_PATTERN } from '../../protocol/request.ts'
import { checksOf, failed, skipped, verdict } from '../check.ts'
import { askable, probeErrors, working } from '../probes.ts'
import { resultShape, warningShape } from '../shapes.ts'
import { codeOf, detailsOf, flagOf, type Reply } from '../target.ts'
import { at, isObject, listAt, same, textAt } from '../values.ts'

/** Spec §5: what a response is. Most of these look back on everything that the run has received so far. */
export const RESPONSES = checksOf('Responses', 1, [
  {
    id: 'responses-shape',
    requirements: ['RES-01', 'RES-02', 'RES-03'],
    title: 'Every result is a success with data or a failure with error, and has no other keys',
    async run(target) {
      await askable(target)
      const seen = target.transcript.filter(({ answer }) => answer.kind === 'result')
      const faults = seen.flatMap((reply) =>
        reply.result ? resultShape(reply.result, operationOf(reply)) : [`${operationOf(reply)}: no MCP-AQL result`],
      )
      return seen.length === 0
        ? failed('No tool call was answered.')
        : verdict(seen.length, 'results', [...new Set(faults)])
    },
  },
  {
    id: 'responses-content',
    requirements: ['RES-05', 'RES-06'],
    title: 'The content is one text item with the JSON of the whole result; isError is always there',
    async run(target) {
      await target.introspect({ query: 'types' })
      const seen = target.transcript.filter(({ answer }) => answer.kind === 'result')
      const faults = seen.flatMap((reply) => {
        const raw = reply.answer.kind === 'result' ? reply.answer.result : {}
        const items = listAt(raw, 'content')
        const structured = at(raw, 'structuredContent')
        return [
          ...(items.length === 1 && at(items[0], 'type') === 'text' && reply.result
            ? []
            : ['content is not one JSON text']),
          ...(typeof raw.isError === 'boolean' ? [] : ['isError is missing']),
          ...(structured === undefined || same(structured, reply.result)
            ? []
            : ['structuredContent differs from the text']),
        ].map((fault) => `${operationOf(reply)}: ${fault}`)
      })
      return verdict(seen.length, 'tool results', [...new Set(faults)])
    },
  },
  {
    id: 'responses-is-error',
    requirements: ['ERR-07', 'X-21'],
    title: 'isError is false for successes and for failures that the agent can act on',
    async run(target) {
      await probeErrors(target)
      const seen = target.transcript.filter((reply) => reply.result && isNamed(reply.sent))
      const faults = seen.flatMap((reply) => {
        const expected = codeOf(reply).startsWith('INTERNAL_') || isShapeFault(reply)
        return flagOf(reply) === expected ? [] : [`${codeOf(reply)}: isError is ${String(flagOf(reply))}`]
      })
      return verdict(seen.length, 'flags', [...new Set(faults)])
    },
  },
  {
    id: 'responses-codes',
    requirements: ['ERR-01', 'ERR-02', 'X-18', 'X-23'],
    title: 'Error codes come from the registry or begin with one of its categories',
    async run(target) {
      await probeErrors(target)
      const codes = new Set(target.transcript.map((reply) => textAt(reply.result, 'error.code')).filter(Boolean))
      const odd = [...codes].filter(
        (code) => NEVER.has(code) || !(isRegistered(code) || CODE_PREFIXES.some((prefix) => code.startsWith(prefix))),
      )
      return verdict(codes.size, 'codes', odd)
    },
  },
  {
    id: 'responses-details',
    requirements: ['ERR-20', 'ERR-21', 'ERR-22', 'ERR-23', 'ERR-30'],
    title: 'The details of a failure carry the fields that its code promises',
    async run(target) {
      await probeErrors(target)
      const seen = target.transcript.filter((reply) => DETAILS.has(codeOf(reply)))
      const faults = seen.flatMap((reply) => {
        const lacking = (DETAILS.get(codeOf(reply)) ?? []).filter((key) => !Object.hasOwn(detailsOf(reply), key))
        return lacking.map((key) => `${codeOf(reply)} without details.${key}`)
      })
      return verdict(seen.length, 'failures with details', [...new Set(faults)])
    },
  },
  {
    id: 'responses-warnings',
    requirements: ['RES-07', 'RES-08'],
    title: 'Warnings stand only on successes and have their shape; a deprecated operation gives one',
    async run(target) {
      const faults: string[] = []
      for (const details of await target.allDetails()) {
        if (details.semantic_category !== 'READ' || !/deprecated/i.test(details.description)) continue
        const params = await working(target, details)
        const reply = params && (await target.operate(details.name, params))
        const codes = listAt(reply?.result, 'warnings').map((warning) => textAt(warning, 'code'))
        if (reply && !codes.includes('DEPRECATION_WARNING'))
          faults.push(`${details.name} is deprecated and does not warn`)
      }
      const seen = target.transcript.flatMap((reply) =>
        listAt(reply.result, 'warnings').map((warning) => ({ reply, warning })),
      )
      faults.push(...seen.flatMap(({ reply, warning }) => warningShape(warning, operationOf(reply))))
      const many = target.transcript.filter((reply) => listAt(reply.result, 'warnings').length > 11)
      faults.push(...many.map((reply) => `${operationOf(reply)}: more than ten warnings`))
      return verdict(seen.length, 'warnings', [...new Set(faults)])
    },
  },
  {
    id: 'responses-not-found',
    requirements: ['ERR-31'],
    title: 'A resource that does not exist is NOT_FOUND_RESOURCE',
    async run(target) {
      const cases = (await probeErrors(target)).filter(({ name }) => name.startsWith('no such resource'))
      if (cases.length === 0) return skipped('No get_… operation beside a create_… is offered.')
      return verdict(
        cases.length,
        'lookups',
        cases.flatMap(({ name, reply }) => (FAIR.has(codeOf(reply)) ? [] : [`${name}: ${codeOf(reply)}`])),
      )
    },
  },
])

/** A key that cannot be one by its pattern is an invalid value before it is a missing resource. */
const FAIR: ReadonlySet<string> = new Set(['NOT_FOUND_RESOURCE', 'VALIDATION_INVALID_VALUE'])

/** Rulings. */
const NEVER: ReadonlySet<string> = new Set([
  'VALIDATION_UNKNOWN_OPERATION',
  'VALIDATION_ERROR',
  'VALIDATION_INVALID_ENUM',
  'VALIDATION_OUT_OF_RANGE',
  'VALIDATION_PATTERN_MISMATCH',
])

/** Codes of the safety half, which the table does not hold. */
const SAFETY: ReadonlySet<string> = new Set(['CONFIRMATION_REQUIRED', 'AUTONOMY_BLOCKED'])

const DETAILS: ReadonlyMap<string, readonly string[]> = new Map([
  ['VALIDATION_MISSING_PARAM', ['param_name']],
  ['VALIDATION_INVALID_TYPE', ['param_name', 'expected_type', 'actual_type']],
  ['VALIDATION_INVALID_VALUE', ['param_name', 'constraint']],
  ['VALIDATION_UNKNOWN_PARAM', ['operation', 'unknown_params', 'valid_params']],
  ['VALIDATION_UNKNOWN_FIELD', ['operation', 'unknown_fields', 'valid_fields']],
  ['VALIDATION_ENDPOINT_MISMATCH', ['operation', 'expected_endpoint', 'actual_endpoint']],
  ['VALIDATION_PAYLOAD_TOO_LARGE', ['limit_type', 'limit_value', 'actual_value', 'unit']],
  ['NOT_FOUND_OPERATION', ['operation']],
])

export function operationOf({ sent }: Reply): string {
  return isObject(sent) && typeof sent.operation === 'string' ? sent.operation : 'request'
}

function isRegistered(code: string): boolean {
  return Object.hasOwn(ERRORS, code) || SAFETY.has(code)
}

/** REQ-02, BATCH-02: no operation was selected. */
function isShapeFault({ sent }: Reply): boolean {
  return !isObject(sent) || (sent.params !== undefined && !isObject(sent.params)) || sent.operations !== undefined
}

/** An operation that is spelled as one; a server may call another spelling a fault of the shape. */
function isNamed(sent: unknown): boolean {
  return isObject(sent) && typeof sent.operation === 'string' && NAME_PATTERN.test(sent.operation)
}
