import { randomBytes } from 'node:crypto'
import {
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { fitsForm, formText } from '../core/gatekeeper/form-text.ts'
import type { ApprovalRequest } from '../core/gatekeeper/request.ts'
import type { Answer } from '../core/pipeline/render.ts'
import { humanDecision } from '../core/ports/human.ts'
import type { Runtime } from '../core/runtime.ts'
import { clientOf, type Session } from '../core/session.ts'
import { waitsFor } from '../core/waits-for.ts'
import { isFailure } from '../protocol/result.ts'
import { type ElicitationCapability, elicitationOf, showsForms } from './can-elicit.ts'

export interface ElicitationSettings {
  /** May the user approve inside the client at all (SELF-06)? */
  readonly isOn: boolean
  /** Class C2 too (SELF-14). */
  readonly allowsDangerous: boolean
  /** For URL mode: where a request can be looked at. */
  readonly consoleUrl?: string
  /** No console and no terminal can decide: a form that was declined unread is sent again with the next call. */
  readonly isOnlyChannel?: boolean
}

export const NO_ELICITATION: ElicitationSettings = { isOn: false, allowsDangerous: false }

export interface Elicitation {
  /** For the SDK's server: refuses a state that is not ours. */
  readonly verify: ReturnType<typeof createRequestStateCodec<State>>['verify']
  /** An answer of the user that came with this call: decides, and gives the arguments that redeem the approval. */
  resume(runtime: Runtime, session: Session, args: unknown, ctx: ServerContext): Promise<Resumed>
  /** The question to send in place of an answer that waits for a human; undefined where this client cannot ask. */
  ask(
    runtime: Runtime,
    session: Session,
    answer: Answer,
    server: Server,
    ctx: ServerContext,
  ): Promise<InputRequiredResult | undefined>
}

/** The call as it goes on: where it came without a session, with the one that its question was bound to (MCP-25). */
export interface Resumed {
  readonly session: Session
  readonly arguments: unknown
}

/** Signed, not secret: nothing but names. Digest, single use and expiry are the store's. */
interface State {
  readonly approval: string
  readonly hash: string
  readonly via: 'form' | 'url'
  readonly session?: string
  /** When the question was asked, by this process's own steady clock. */
  readonly askedAt: number
}

const FIELD = 'confirm'

/** SELF-05, MCP-17: the server opens the question, and only an explicit `true` in an accepted answer approves. */
export function createElicitation(settings: ElicitationSettings): Elicitation {
  const codec = createRequestStateCodec<State>({
    key: randomBytes(32),
    ttlSeconds: 900,
    bind: (ctx) => ctx.mcpReq.method,
  })
  return {
    verify: codec.verify,

    async resume(runtime, session, args, ctx) {
      const state = settings.isOn ? ctx.mcpReq.requestState<State>() : undefined
      if (!state) return { session, arguments: args }
      const holder = holderOf(runtime, session, state.session)
      const request = await runtime.findRequest(state.approval, holder)
      if (!request) return { session, arguments: args }
      if (state.via === 'form') await decideBy(runtime, request, state, ctx)
      return { session: holder, arguments: withToken(args, request) }
    },

    async ask(runtime, session, { result }, server, ctx) {
      const waiting = settings.isOn ? waitsFor(result) : undefined
      if (waiting === undefined || ctx.mcpReq.requestState<State>()) return undefined
      const { session_id } = (isFailure(result) && result.error.details) || {}
      const holder = holderOf(runtime, session, session_id)
      const request = await runtime.findRequest(waiting, holder)
      const via = request && wayTo(request, elicitationOf(server, ctx), settings)
      if (!request || !via) return undefined
      const state: State = {
        approval: request.id,
        hash: request.paramsHash,
        via,
        askedAt: performance.now(),
        ...(session.id === undefined && { session: request.session }),
      }
      const message = formText(request, request.expiresAt)
      return inputRequired({
        inputRequests: {
          [FIELD]:
            via === 'form'
              ? inputRequired.elicit({ message, requestedSchema: FORMS[request.kind] })
              : inputRequired.elicitUrl({ message, url: `${settings.consoleUrl}/#/r/${request.id}` }),
        },
        requestState: await codec.mint(state, ctx),
      })
    },
  }
}

function holderOf(runtime: Runtime, session: Session, minted: unknown): Session {
  if (session.id !== undefined || typeof minted !== 'string') return session
  return runtime.findSession(minted, session.principal, clientOf(session.owner)) ?? session
}

/** SELF-05: without a default, so that an answer nobody gave is no answer. */
function formOf(title: string, description: string) {
  return {
    type: 'object' as const,
    properties: { [FIELD]: { type: 'boolean' as const, title, description } },
    required: [FIELD],
  }
}

const RUN = formOf('Run it', 'True runs exactly this, once.')
const FORMS = {
  operation: RUN,
  quota: RUN,
  agent: formOf('Let it start', 'True starts exactly this agent, once, under supervision.'),
  pause: formOf('Let it go on', 'True allows what is asked above, and nothing else.'),
} as const

function wayTo(
  request: ApprovalRequest,
  elicitation: ElicitationCapability | undefined,
  { allowsDangerous, consoleUrl, isOnlyChannel = false }: ElicitationSettings,
): State['via'] | undefined {
  if (!elicitation || !request.shown || request.state !== 'pending') return undefined
  if (request.formDeclined && !isOnlyChannel) return undefined
  const fits = request.class === 'C1' || (request.class === 'C2' && allowsDangerous && !request.requiresReauth)
  if (showsForms(elicitation) && fits && fitsForm(request)) return 'form'
  return elicitation.url !== undefined && consoleUrl !== undefined ? 'url' : undefined
}

/** MCP-17: accept, decline and cancel are told apart; `reject` is an older word for decline. */
async function decideBy(
  runtime: Runtime,
  request: ApprovalRequest,
  { hash, askedAt }: State,
  ctx: ServerContext,
): Promise<void> {
  const answer = inputResponse(ctx.mcpReq.inputResponses, FIELD)
  if (answer.kind !== 'elicit') return
  const decision = decisionOf(answer.action, answer.content)
  if (!decision) return
  const by = { subject: `user of ${request.principal}`, channel: 'elicitation', role: 'approver' } as const
  await runtime.answerForm(request, {
    decision: humanDecision({ decision, by, paramsHash: hash }),
    isFilledIn: answer.action === 'accept',
    elapsedMs: performance.now() - askedAt,
  })
}

function decisionOf(action: string, content: unknown): 'approve' | 'deny' | undefined {
  if (action === 'decline' || action === 'reject') return 'deny'
  if (action !== 'accept' || typeof content !== 'object' || content === null || !Object.hasOwn(content, FIELD))
    return undefined
  const said = (content as Readonly<Record<string, unknown>>)[FIELD]
  return said === true ? 'approve' : said === false ? 'deny' : undefined
}

/** The token stands in our store; the client never had to send it. */
function withToken(args: unknown, { token }: ApprovalRequest): unknown {
  return typeof args === 'object' && args !== null && token !== undefined ? { ...args, _confirmation: token } : args
}
