import { canonicalJson } from '../../../core/canonical-json.ts'
import type { Decided } from '../../../core/gatekeeper/approvals.ts'
import type { ApprovalRequest } from '../../../core/gatekeeper/request.ts'
import { agentId } from '../../../core/operator/agents.ts'
import { shortSession } from '../../../core/operator/connection.ts'
import { SESSION_USES, type Viewer } from '../../../core/operator/request-view.ts'
import { humanDecision } from '../../../core/ports/human.ts'
import { DANGER_LEVELS } from '../../../protocol/danger.ts'
import { requestBody, requestItem, valuePart } from '../request-shape.ts'
import { type Answer, badBody, type Call, type ConsoleDesk, ok, type Route, refusal, textField } from '../route.ts'
import { shown } from '../shown.ts'
import { sourceId } from '../source-id.ts'
import { PURPOSES } from './reauth.ts'

/** What waits for a human, and the human's word. */
export const REQUESTS: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/requests',
    needs: 'viewer',
    answer: async ({ query }, desk) => ok(await inbox(desk, limitIn(query))),
  },
  {
    method: 'GET',
    path: '/api/requests/:id',
    needs: 'viewer',
    answer: async ({ names, signIn }, { operator, flags }) => {
      const view = await operator.request(names.id ?? '', viewerOf(signIn))
      return view ? ok(await requestBody(view, operator.clock.now(), flags)) : unknown()
    },
  },
  {
    method: 'GET',
    path: '/api/requests/:id/values/:at',
    needs: 'viewer',
    answer: async ({ names, query, signIn }, { operator }) => {
      const request = await operator.requestAlone(names.id ?? '', viewerOf(signIn))
      const [at, from] = [names.at ?? '', query.get('from') ?? '0']
      const isPlace = /^\d{1,9}$/.test(at) && /^\d{1,12}$/.test(from)
      const part = request && isPlace ? valuePart(request, Number(at), Number(from)) : undefined
      return part ? ok(part) : unknown()
    },
  },
  {
    method: 'GET',
    path: '/api/requests/:id/params',
    needs: 'viewer',
    answer: async ({ names, signIn }, { operator }) => {
      const request = await operator.requestAlone(names.id ?? '', viewerOf(signIn))
      if (!request) return unknown()
      return {
        status: 200,
        headers: { 'content-disposition': `attachment; filename="request-${names.id}.json"` },
        download: { type: 'application/json; charset=utf-8', pieces: once(canonicalJson(request.params)) },
      }
    },
  },
  { method: 'POST', path: '/api/requests/:id/decision', needs: 'approver', answer: decideRequest },
]

function viewerOf({ subject, id }: Call['signIn']): Viewer {
  return { subject, channel: 'console', view: id }
}

const LIMIT = { usual: 100, most: 500 } as const

/** How many requests the page wants to show; of the others it gets the ids. */
function limitIn(query: URLSearchParams): number {
  const given = query.get('limit') ?? ''
  return /^[1-9]\d{0,2}$/.test(given) ? Math.min(Number(given), LIMIT.most) : LIMIT.usual
}

async function inbox({ operator, flags }: ConsoleDesk, limit: number) {
  const now = operator.clock.now()
  const [{ open, waiting, approved, recent, held }, unknownOutcomes, challenges, sources] = await Promise.all([
    operator.inboxOf({ most: limit, keep: (request) => requestItem(request, now, flags) }),
    operator.unknownOutcomes(),
    operator.challenges.open(),
    operator.sources(),
  ])
  return {
    items: open,
    /** All that wait, also those of which there is no item here. */
    waiting,
    approved,
    recent,
    challenges: challenges.map(({ id, agentKey, element_name, principal, hint, ...challenge }) => ({
      id,
      agent: {
        id: agentId(agentKey),
        name: shown(element_name),
        principal: shown(principal),
        session: shown(challenge.session.slice(0, 8)),
      },
      hint: shown(hint),
      tier: challenge.tier,
      score: challenge.score,
      state: challenge.state,
      issued_at: challenge.issuedAt,
      expires_at: challenge.expiresAt,
    })),
    held: held.map(({ principal, session, count, nextAt, operations, first }) => ({
      principal: shown(principal),
      session: session === undefined ? null : shown(shortSession(session)),
      count,
      next_at: nextAt ?? null,
      operations: operations.map(({ operation, count: times }) => ({ operation: shown(operation), count: times })),
      first,
    })),
    attention: [
      ...unknownOutcomes.map(({ seq, operation, adapter, at }) => ({
        kind: 'unknown_outcome',
        ref: seq,
        at: Date.parse(at),
        operation: shown(operation),
        source: shown(adapter),
      })),
      ...sources
        .filter(({ drift = [] }) => drift.length > 0)
        .map(({ adapter, display_name, drift = [], updated_at }) => ({
          kind: 'drift',
          ref: sourceId(adapter),
          at: updated_at,
          source: shown(display_name),
          changed: drift.length,
        })),
    ],
  }
}

/** The decision names what was shown; everything else is judged where it counts, in the store's own step. */
async function decideRequest({ names, body, signIn }: Call, { operator, reauths }: ConsoleDesk): Promise<Answer> {
  const id = names.id ?? ''
  const { decision, version } = body
  const scope = body.scope ?? 'once'
  const paramsHash = textField(body, 'params_hash', 128)
  const reason = textField(body, 'reason', 500)
  const tellAgent = textField(body, 'tell_agent', 500)?.trim()
  if (decision !== 'approve' && decision !== 'deny' && decision !== 'revoke')
    return badBody('The decision must be approve, deny or revoke.')
  if (scope !== 'once' && scope !== 'session') return badBody('The scope must be once or session.')
  if (typeof version !== 'number' || paramsHash === undefined)
    return badBody('A decision names the version and the parameter hash that were shown.')
  if (body.reason !== undefined && reason === undefined) return badBody('The reason has 500 characters at most.')
  if (body.tell_agent !== undefined && (tellAgent === undefined || decision !== 'deny'))
    return badBody('Words for the agent have 500 characters at most, and go with a denial.')
  const authenticatedAt = reauths.redeem(textField(body, 'reauth_id', 64), signIn.id, PURPOSES.request(id))
  const result = await operator.decide(
    id,
    humanDecision({
      decision,
      scope,
      maxUses: scope === 'session' ? SESSION_USES : 1,
      manipulated: body.manipulated === true,
      version,
      paramsHash,
      ...(reason && { reason }),
      ...(tellAgent && { tellAgent }),
      by: {
        subject: signIn.subject,
        channel: 'console',
        role: signIn.role,
        ...(authenticatedAt !== undefined && { authenticatedAt }),
      },
    }),
  )
  return decidedAnswer(result)
}

function decidedAnswer(result: Decided): Answer {
  if (result.kind === 'decided') {
    const { state, approvedAt, cooldownSeconds } = result.request
    const until = approvedAt !== undefined && cooldownSeconds > 0 ? approvedAt + cooldownSeconds * 1_000 : null
    return ok({ state, cooldown_until: until })
  }
  const [status, message] = REFUSED[result.why] ?? OTHERWISE
  return refusal(status, result.why, message, {
    ...(NEEDS[result.why] && { needs: NEEDS[result.why] }),
    ...(result.request && lastWord(result.request)),
  })
}

type Row = readonly [status: number, message: string]

const REFUSED: Readonly<Record<string, Row>> = {
  unknown: [404, 'There is no such request.'],
  expired: [410, 'The time to decide has ended. Nothing ran.'],
  already: [409, 'Somebody has decided already.'],
  changed: [409, 'The request has changed since it was shown. Read it again.'],
  role: [403, 'Your role cannot decide this.'],
  reauth: [403, 'This needs the operator secret once more.'],
  own_subject: [403, 'Whoever caused a request cannot decide it.'],
  same_person: [403, 'A second person has to approve this.'],
  channel: [403, 'This cannot be approved through the console.'],
  scope: [403, 'This can only be approved once at a time.'],
}
const OTHERWISE: Row = [409, 'The decision does not count.']

const NEEDS: Readonly<Record<string, string>> = {
  role: 'role',
  reauth: 'reauth',
  own_subject: 'other_subject',
  same_person: 'other_subject',
}

function lastWord({ state, decisions, level }: ApprovalRequest) {
  const last = decisions.at(-1)
  return {
    state,
    level: DANGER_LEVELS[level],
    ...(last && { by: shown(last.by), channel: last.channel, at: last.at }),
  }
}

function unknown(): Answer {
  return refusal(404, 'unknown', 'There is no such request.')
}

async function* once(text: string): AsyncIterable<string> {
  yield text
}
