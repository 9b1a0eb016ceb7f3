import { randomUUID } from 'node:crypto'
import { failure, isFailure, type OperationFailure, type OperationResult, type Warning } from '../../protocol/result.ts'
import { MAX_WARNINGS, warn } from '../../protocol/warnings.ts'
import type { Fields } from '../call.ts'
import type { Admitted } from '../gatekeeper/admit.ts'
import { fitAnswer } from '../introspection/fit-answer.ts'
import type { Rests } from '../introspection/rests.ts'
import { estimateTokens } from '../introspection/tokens.ts'
import { nextTurn } from '../next-turn.ts'
import { answerQuery } from '../query/answer-query.ts'
import type { CollectionAnswer } from '../query/collection.ts'
import type { CursorCodec } from '../query/cursor.ts'
import { selectFields } from '../query/select-fields.ts'
import { shorterOf } from '../query/shorter.ts'
import { isObject } from '../registry/check-value.ts'
import { jsonText } from '../registry/json-text.ts'
import { maskError, maskWarning, secretsOf } from '../registry/secrets.ts'
import { type Session, seated } from '../session.ts'
import { declares, deprecation } from './bind-params.ts'
import type { Outcome } from './execute.ts'
import { settleWarnings } from './warnings.ts'

export interface ShapeSettings {
  readonly cursors: CursorCodec
  readonly rests: Rests
  /** 0: never. */
  readonly slowMs: number
  readonly now: () => number
}

/** Spec §5 — from what the handler returned to what the caller receives. */
export function shape(
  call: Admitted,
  { value, context }: Outcome,
  settings: ShapeSettings,
): OperationResult | Promise<OperationResult> {
  context.finish()
  if (isFailure(value)) return masked(value, call)
  const { target, params } = call
  const warnings: Warning[] = [...call.warnings, ...handlerWarnings(context.warnings, call)]
  let data: unknown = HAS_NO_JSON.has(typeof value) ? null : value
  let shortened: CollectionAnswer['shortened']
  if (target.collection) {
    const rows = value as Parameters<typeof answerQuery>[2] // which it checks
    const answer = answerQuery(target.collection, context.query, rows, settings.cursors, context.now)
    data = answer.data
    shortened = answer.shortened
    warnings.push(...answer.warnings)
  } else if (call.selection && target.resource && isObject(data)) {
    data = selectFields(data, call.selection, target.resource, context.now)
  }
  if (target.name === 'introspect') return { success: true, data }
  if (target.definition.deprecated)
    warnings.push(deprecation('operation', target.name, target.definition.deprecated, context.now))
  if (settings.slowMs > 0) warnSlow(target.name, settings.now() - context.now, settings.slowMs, warnings)
  if (typeof params.max_tokens === 'number' && target.category === 'READ' && !declares(target, 'max_tokens'))
    return fitToBudget({ call, data, shortened, budget: params.max_tokens, warnings }, settings)
  // Twenty labels may group thousands of items each: to write down what they came to is work of its own.
  if (call.query && call.query.aggregate.length > 0) return nextTurn().then(() => success(call, data, warnings))
  return success(call, data, warnings)
}

/** RES-01: `data` is always there. */
const HAS_NO_JSON: ReadonlySet<string> = new Set(['undefined', 'function', 'symbol'])

/** RES-01 to RES-04, RES-07: nothing that nobody asked for, but for the session that was made for the call (MCP-25). */
function success(call: Admitted, data: unknown, warnings: readonly Warning[]): OperationResult {
  const meta = withSession(metaOf(call.fields, data), call.session)
  if (warnings.length === 0 && !meta) return { success: true, data }
  const settled = warnings.length > 0 ? settleWarnings(warnings) : undefined
  return { success: true, data, ...(settled && { warnings: settled }), ...(meta && { _meta: meta }) }
}

/** REQ-12: the caller's own id comes back; `_meta: {tokens: true}` asks for the size of the answer. */
export function metaOf(fields: Fields, data: unknown): Meta | undefined {
  const sent = fields._request_id
  const given = Number.isSafeInteger(sent) ? String(sent) : sent
  const asked = isObject(fields._meta) && fields._meta.tokens === true
  if (given === undefined && !asked) return undefined
  const request_id = typeof given === 'string' && given.length <= 200 ? given : randomUUID()
  return asked ? { request_id, tokens: estimateTokens(jsonText(data)) } : { request_id }
}

/** MCP-25: a session that was made because the request left something behind. */
export function withSession(meta: Meta | undefined, { minted }: Session): Meta | undefined {
  return minted === undefined ? meta : { ...meta, session_id: minted }
}

type Meta = Readonly<Record<string, unknown>>

/** ERR-51. */
function warnSlow(operation: string, duration_ms: number, threshold_ms: number, warnings: Warning[]): void {
  if (duration_ms <= threshold_ms) return
  const factor = duration_ms / threshold_ms
  const severity = factor > 10 ? 'high' : factor >= 2 ? 'medium' : 'low'
  warnings.push(warn('PERFORMANCE_SLOW_QUERY_WARNING', { operation, duration_ms, threshold_ms }, severity))
}

interface Long {
  readonly call: Admitted
  readonly data: unknown
  readonly shortened: CollectionAnswer['shortened']
  readonly budget: number
  readonly warnings: readonly Warning[]
}

/** Extension "answers that fit", ERR-50. The warning that tells of a cut is paid from the budget as well. */
async function fitToBudget(long: Long, { rests }: ShapeSettings): Promise<OperationResult> {
  const { call, budget, shortened } = long
  const room = Math.max(budget - WARNING_TOKENS, budget / 2)
  const whole = estimateTokens(jsonText(long.data)) <= budget
  const page = whole ? long : shortPage(long, room)
  const { warnings } = page
  const fitted = fitAnswer(page.data, whole ? budget : room, MAX_WARNINGS - settleWarnings(warnings).length)
  const session = fitted.cuts.length > 0 ? seated(call.session) : call.session
  const cut = await Promise.all(
    fitted.cuts.map(async (each) => {
      const rest = await rests.keep(session, each, budget)
      return truncated(each.field, each.originalCount, each.kept, rest)
    }),
  )
  const items = fitted.cuts.find(({ field }) => field === 'items')
  const data = items && shortened ? { ...(fitted.data as object), ...shortened(items.kept) } : fitted.data
  return success(call, data, [...warnings, ...cut])
}

/** A page that its handler has cut ends earlier: its cursor goes on from there, and there is no rest to keep. */
function shortPage({ data, warnings }: Long, room: number): Pick<Long, 'data' | 'warnings'> {
  const shorter = shorterOf(data)
  if (!shorter || shorter.count < 2) return { data, warnings }
  const fits = (count: number) => estimateTokens(jsonText(shorter.of(count))) <= room
  let [least, most] = [1, shorter.count - 1]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (fits(middle)) least = middle
    else most = middle - 1
  }
  return { data: shorter.of(least), warnings: [...warnings, truncated(shorter.field, shorter.count, least)] }
}

/** ERR-50. */
function truncated(field: string, original_count: number, kept: number, rest?: string): Warning {
  const severity = (original_count - kept) / original_count > 0.5 ? 'medium' : 'low'
  const details = { field, original_count, truncated_count: kept, limit: kept, rest }
  return warn('VALIDATION_TRUNCATED_WARNING', details, severity)
}

/** What a warning of one cut costs. */
const WARNING_TOKENS = 70

/** VAL-10: what a handler put into its failure is cleared of sensitive values. */
function masked(failed: OperationFailure, { target, params }: Admitted): OperationFailure {
  const secrets = secretsOf(target, params)
  return secrets.length === 0 ? failed : failure(maskError(failed.error, secrets))
}

/** RES-07: a warning has four keys; VAL-10 holds for it too. */
function handlerWarnings(warnings: readonly Warning[], { target, params }: Admitted): readonly Warning[] {
  if (warnings.length === 0) return warnings
  const secrets = secretsOf(target, params)
  return warnings.map(({ code, message, details, severity }) =>
    maskWarning({ code, message, ...(details && { details }), ...(severity && { severity }) }, secrets),
  )
}
