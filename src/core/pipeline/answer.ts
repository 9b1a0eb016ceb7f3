import { CATEGORIES } from '../../protocol/categories.ts'
import { fail } from '../../protocol/errors.ts'
import type { Limits } from '../../protocol/limits.ts'
import { type BatchSuccess, isFailure, type OperationFailure, type OperationResult } from '../../protocol/result.ts'
import { askedUntil } from '../asked-until.ts'
import type { Caller, Fields } from '../call.ts'
import { nextTurn } from '../next-turn.ts'
import type { Registry } from '../registry/registry.ts'
import { maskGiven } from '../registry/secrets.ts'
import type { ToolNames } from '../registry/tool-names.ts'
import type { Session } from '../session.ts'
import type { Sessions } from '../sessions.ts'
import { type BatchAnswer, notParallel, runBatch, runParallel } from './batch.ts'
import { givenParams } from './bind-params.ts'
import { byteLimits, checkSize, type Decoded, type DecodeSettings, decode, type Entry } from './decode.ts'
import { handle, type Stations } from './handle.ts'
import { type Answer, render, renderBatch } from './render.ts'
import { metaOf, withSession } from './shape.ts'
import { settleWarnings } from './warnings.ts'

export interface Call extends Caller {
  /** The name of the tool that received the call; one of the runtime's `tools`. */
  readonly tool: string
  readonly arguments: unknown
  readonly session: Session
}

export interface AnswerSettings extends Omit<DecodeSettings, 'bytes'> {
  readonly limits: Limits
  /** Records what nobody foresaw, and gives the name under which the caller hears of it (ERR-04). */
  readonly report: (cause: unknown, about: Fields) => string
  readonly now: () => number
  /** Told of every call as it comes, and of what it was answered. */
  readonly sessions: Pick<Sessions, 'began' | 'weighed' | 'asked'>
}

/** From the arguments of a tool to the text that is sent back. Never rejects: whatever goes wrong is an answer (VAL-02). */
export function createAnswerer(stations: Stations, settings: AnswerSettings): (call: Call) => Promise<Answer> {
  const { report, now, sessions } = settings
  const max = settings.limits.max_response_size
  const around: Surroundings = {
    stations,
    settings: { ...settings, bytes: byteLimits(settings.limits) },
    families: familiesOf(stations.routes.names),
    explain: (cause, { id: session_id }) =>
      fail('INTERNAL_ERROR', {
        description: `unexpected failure, reference ${report(cause, { session: session_id })}`,
        session_id,
      }),
  }

  const written = (given: OperationResult | BatchAnswer, call: Call): Answer => {
    if (isBatch(given)) return renderBatch(withMeta(told(given.done, call), call), given.texts, max)
    return render(told(given, call), max)
  }

  const noted = (answer: Answer, session: Session): Answer => {
    const until = askedUntil(answer.result)
    if (until !== undefined) sessions.asked(session, until)
    return answer
  }

  return async (call) => {
    const { session } = call
    const ended = sessions.began(session)
    if (typeof ended === 'number') return written(busy(ended, now()), call)
    try {
      return noted(written(await resultOf(call, around), call), session)
    } catch (cause) {
      return noted(written(around.explain(cause, session), call), session)
    } finally {
      ended()
    }
  }
}

/** The family of each tool; undefined for the unified one. */
type Families = ReadonlyMap<string, string | undefined>

function familiesOf({ families, unified }: ToolNames): Families {
  const byTool = [...families].map(([family, tool]) => [tool, family] as const)
  return new Map<string, string | undefined>(unified === undefined ? byTool : [...byTool, [unified, undefined]])
}

/** What every call meets. */
interface Surroundings {
  readonly stations: Stations
  readonly settings: AnswerSettings & DecodeSettings
  readonly families: Families
  readonly explain: (cause: unknown, session: Session) => OperationFailure
}

/** Without a promise where none is needed: most requests are small. */
function resultOf(call: Call, around: Surroundings): Resulting {
  if (!around.families.has(call.tool)) return fail('INTERNAL_ERROR', { description: 'no such tool here' })
  const decoded = decode(call.arguments, around.settings)
  if (isFailure(decoded)) return decoded
  return decoded.isLarge ? runLarge(decoded, call, around) : run(decoded, call, around)
}

/** Of several megabytes when it is parsed, and it may wait for its turn for long. */
const PLACES_OF_LARGE = 16

async function runLarge(decoded: Decoded, call: Call, around: Surroundings): Promise<OperationResult | BatchAnswer> {
  const { sessions, now } = around.settings
  const lighter = sessions.weighed(call.session, PLACES_OF_LARGE - 1)
  if (typeof lighter === 'number') return busy(lighter, now())
  try {
    await nextTurn()
    return await run(decoded, call, around)
  } finally {
    lighter()
  }
}

type Resulting = OperationResult | BatchAnswer | Promise<OperationResult | BatchAnswer>

function run(decoded: Decoded, call: Call, around: Surroundings): Resulting {
  if (decoded.kind === 'batch') return batchOf(decoded, call, around)
  const { tool, session } = call
  const { operation, fields, isLarge } = decoded
  const family = around.families.get(tool)
  return handle({ family, tool, session, operation, fields, caller: call, inBatch: false }, around.stations, isLarge)
}

function batchOf(
  decoded: Batch,
  call: Call,
  { stations, settings: { limits, bytes, now }, families, explain }: Surroundings,
): OperationFailure | Promise<BatchAnswer | OperationFailure> {
  const { tool, session } = call
  const family = families.get(tool)
  const { registry } = stations.routes
  const write = decoded.parallel ? findWrite(decoded, registry) : undefined
  if (write !== undefined) return notParallel(write)
  const run = decoded.parallel ? runParallel : runBatch
  return run(decoded.entries, {
    handle: ({ operation, fields }: Entry) =>
      handle({ family, tool, session, operation, fields, caller: call, inBatch: true }, stations, decoded.isLarge),
    checkSize: (fields) => checkSize(fields, bytes),
    maxBytes: limits.max_request_size,
    maxResponse: limits.max_response_size,
    explain: (cause) => explain(cause, session),
    isStopped: () => call.signal?.aborted === true,
    now,
    paramsOf(operation, fields) {
      const target = registry.operations.get(operation)
      const given = givenParams(fields, target)
      return target ? maskGiven(target, given) : given
    },
  })
}

type Batch = Decoded & { readonly kind: 'batch' }

/** New work is refused; what is under way is never dropped for it. */
function busy(limit: number, now: number): OperationFailure {
  return fail('RATE_LIMIT_EXCEEDED', {
    limit,
    remaining: 0,
    window: 'second',
    resets_at: new Date(now + 1_000).toISOString(),
    retry_after_seconds: 1,
  })
}

function isBatch(result: OperationResult | BatchAnswer): result is BatchAnswer {
  return Object.hasOwn(result, 'texts')
}

/** What the transport had to say. Failures and halted batches have no place for warnings. */
function told<T extends OperationResult | BatchSuccess>(result: T, { warnings }: Call): T {
  if (!warnings || !result.success || Object.hasOwn(result, 'halted_at')) return result
  return { ...result, warnings: settleWarnings([...warnings, ...(result.warnings ?? [])]) }
}

/** REQ-12 for a batch; one that halted carries nothing beside what its schema has, and its demand the session. */
function withMeta(done: BatchSuccess, call: Call): BatchSuccess {
  const meta = done.halted_at ? undefined : withSession(metaOf(call.arguments as Fields, done.results), call.session)
  return meta ? { ...done, _meta: meta } : done
}

function findWrite({ entries }: Batch, { operations }: Registry): string | undefined {
  const write = entries.find(({ operation }) => {
    const target = operations.get(operation)
    return target && !CATEGORIES[target.category].readOnly
  })
  return write?.operation
}
