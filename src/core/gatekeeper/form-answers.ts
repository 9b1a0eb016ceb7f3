import { DANGER_LEVELS } from '../../protocol/danger.ts'
import type { AuditEntry } from '../audit/entry.ts'
import { canonicalHash } from '../canonical-json.ts'
import type { Clock } from '../ports/clock.ts'
import type { HumanDecision } from '../ports/human.ts'
import { type RecordRef, record, type Store } from '../ports/store.ts'
import { type DecisionRules, decide } from './approvals.ts'
import { type ApprovalRequest, requestRef } from './request.ts'

/** How a client answered a form that the server sent it (SELF-05). */
export interface FormAnswer {
  readonly decision: HumanDecision
  /** The user filled the form in; without that the client merely said no. */
  readonly isFilledIn: boolean
  /** Between the question and its answer. */
  readonly elapsedMs: number
}

/** Nobody reads an operation with its parameters and says no in less. */
export const SHORTEST_READING_MS = 1_500

/**
 * Several clients announce forms and decline each of them at once, unseen. Taken for a denial, that would keep the
 * request from the humans who can decide. So a "no" counts only when a person can have read the question, and a bare
 * decline only from a client that has accepted a form before; otherwise the request goes on waiting. A "no" is never
 * consent, so nothing runs either way.
 */
export async function answerForm(
  store: Store,
  clock: Clock,
  request: ApprovalRequest,
  answer: FormAnswer,
  rules?: DecisionRules,
): Promise<void> {
  const { decision, isFilledIn, elapsedMs } = answer
  const known = formsRef(request)
  const why = decision.decision === 'deny' ? await doubtAbout() : undefined
  if (why !== undefined) return setAside(store, clock, request, decision, why)
  const { kind } = await decide(store, clock, request.id, decision, rules)
  if (kind === 'decided' && isFilledIn)
    await store.update({ known }, () => ({ next: { known: ACCEPTED }, result: undefined }))

  async function doubtAbout(): Promise<string | undefined> {
    if (elapsedMs < SHORTEST_READING_MS) return 'the form was declined faster than a person can read it'
    if (isFilledIn || (await store.get(known))) return undefined
    return 'the form was declined by a client that has never accepted one'
  }
}

/** A user of this client, as it calls itself, has filled in a form. */
interface Forms {
  readonly accepted: true
}

const ACCEPTED: Forms = { accepted: true }

function formsRef({ principal, client = '' }: ApprovalRequest): RecordRef<Forms> {
  return record('forms', canonicalHash([principal, client]))
}

/** The request goes on waiting, and its form is not sent again where another channel can decide. */
async function setAside(
  store: Store,
  clock: Clock,
  { id }: ApprovalRequest,
  { by }: HumanDecision,
  reason: string,
): Promise<void> {
  await store.update({ request: requestRef(id) }, ({ request }) => {
    if (request?.state !== 'pending') return { result: undefined }
    const entry: AuditEntry = {
      timestamp: new Date(clock.now()).toISOString(),
      event: 'FORM_DECLINED',
      operation: request.operation,
      adapter_name: request.adapter,
      danger_level: DANGER_LEVELS[request.level],
      approval_id: id,
      user_id: request.principal,
      session_id: request.session,
      channel: by.channel,
      reason,
    }
    return { next: { request: { ...request, formDeclined: true } }, audit: [entry], result: undefined }
  })
}
