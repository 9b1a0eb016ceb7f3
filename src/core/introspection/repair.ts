import type { ErrorDetail } from '../../protocol/result.ts'
import { failure, type OperationFailure } from '../../protocol/result.ts'
import type { Fields, Routed } from '../call.ts'
import type { Operation } from '../registry/compile-operation.ts'
import type { Param } from '../registry/param.ts'
import { holdsSecrets } from '../registry/secrets.ts'
import { signatureOf } from './signature.ts'

/**
 * Extension "repairable errors": the first fault stays the error; `details` adds the other faults, the signature and a
 * request that would pass. Values of sensitive parameters are not repeated.
 */
export function repair(
  first: OperationFailure,
  { target }: Routed,
  given: Fields,
  others: readonly OperationFailure[] = [],
): OperationFailure {
  const { code, message, details } = first.error
  const wrong = new Set([first, ...others].map(({ error }) => rootName(error)))
  return failure({
    code,
    message,
    details: Object.freeze({
      ...details,
      ...(others.length > 0 && { other_faults: others.slice(0, 8).map(({ error }) => error.message) }),
      signature: signatureOf(target),
      example: corrected(target, given, wrong),
    }),
  })
}

/** `tags[2].name` is a fault of `tags`; a field that may not be written is one of `input`. */
function rootName({ details }: ErrorDetail): string {
  if (details?.field !== undefined || details?.unknown_fields !== undefined) return 'input'
  const name = String(details?.param_name ?? details?.location ?? '')
  return name.split(/[.[]/)[0] ?? name
}

/** What was right is kept, what was wrong or missing is replaced by something that fits. */
function corrected(target: Operation, given: Fields, wrong: ReadonlySet<string>): unknown {
  const shown = target.definition.examples?.[0]?.params ?? {}
  const params: Record<string, unknown> = {}
  for (const entry of target.params) {
    const { name, required, param } = entry
    const row = name === 'input' && target.input ? { ...param, fields: target.input.rows } : param
    const kept = Object.hasOwn(given, name) && !wrong.has(name) && isShort(given[name]) && !holdsSecrets({ row })
    if (kept) params[name] = given[name]
    else if (required || (Object.hasOwn(given, name) && Object.hasOwn(shown, name))) {
      params[name] = Object.hasOwn(shown, name) && !param.sensitive ? shown[name] : sampleOf(param)
    }
  }
  return { operation: target.name, params }
}

function isShort(value: unknown): boolean {
  return (JSON.stringify(value)?.length ?? 0) <= 200
}

function sampleOf(param: Param): unknown {
  if (param.default !== undefined) return param.default
  const [choice] = param.enum ?? []
  const base = param.type.split(' | ')[0] ?? ''
  if (base.endsWith('[]')) return choice === undefined ? [] : [choice]
  if (choice !== undefined) return choice
  if (base === 'number' || base === 'integer') return param.minimum ?? 1
  if (base === 'boolean') return true
  if (base === 'array') return []
  if (base === 'object') return sampleFields(param)
  return '…'
}

function sampleFields({ fields = {} }: Param): unknown {
  const required = Object.entries(fields).filter(([, field]) => field.required)
  return Object.fromEntries(required.map(([name, field]) => [name, sampleOf(field)]))
}
