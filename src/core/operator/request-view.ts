import { DANGER_LEVELS } from '../../protocol/danger.ts'
import { deskRef, TOKEN_RATES } from '../gatekeeper/desk.ts'
import { type ApprovalRequest, type RequestState, requestRef, stateOf } from '../gatekeeper/request.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { type Diff, diffOf } from './diff-of.ts'
import { type Deed, readHistory } from './history.ts'
import { type SourceRecord, sourceRef } from './source-record.ts'

/** Everything that a human should know before deciding on one request. */
export interface RequestView {
  readonly request: ApprovalRequest
  readonly state: RequestState
  readonly source?: SourceRecord
  readonly history: readonly Deed[]
  /** How often this operation was denied in the session, and after how many denials nobody is asked any more. */
  readonly denials: { readonly count: number; readonly most: number }
  /** TOK-14: whether the identical call may be allowed for the session. */
  readonly session: { readonly allowed: boolean; readonly maxUses: number }
  readonly diff?: Diff
}

/** Who looks. `view` names one looking, so that a page that refreshes itself is recorded once. */
export interface Viewer {
  readonly subject: string
  readonly channel: string
  readonly view: string
}

/** The state that a write would change, as its paired READ shows it; undefined where it cannot be read. */
export type Preview = (
  request: ApprovalRequest,
) => Promise<{ readonly value: unknown; readonly readAt: number } | undefined>

export interface RequestViewParts {
  readonly store: Store
  readonly clock: Clock
  readonly preview?: Preview
}

export const SESSION_USES = 5

export function createRequestView({ store, clock, preview }: RequestViewParts) {
  const viewed = new Set<string>()

  /** Security note, section 5: reading parameters is recorded. */
  const recordView = async ({ id, version, ...request }: ApprovalRequest, viewer: Viewer) => {
    const looking = JSON.stringify([viewer.view, id, version])
    if (viewed.has(looking)) return
    if (viewed.size >= MOST_VIEWED) viewed.clear()
    viewed.add(looking)
    await store.update({}, () => ({
      audit: [
        {
          timestamp: new Date(clock.now()).toISOString(),
          event: 'REQUEST_VIEWED',
          operation: request.operation,
          adapter_name: request.adapter,
          danger_level: DANGER_LEVELS[request.level],
          approval_id: id,
          user_id: request.principal,
          session_id: request.session,
          operator: viewer.subject,
          channel: viewer.channel,
        },
      ],
      result: undefined,
    }))
  }

  const alone = async (id: string, viewer: Viewer): Promise<ApprovalRequest | undefined> => {
    const request = await store.get(requestRef(id))
    if (request) await recordView(request, viewer)
    return request
  }

  const whole = async (id: string, viewer: Viewer): Promise<RequestView | undefined> => {
    const request = await alone(id, viewer)
    if (!request) return undefined
    const state = stateOf(request, clock.now())
    const [source, desk, history, diff] = await Promise.all([
      store.get(sourceRef(request.adapter)),
      store.get(deskRef(request.session)),
      readHistory(store, request.principal),
      state === 'pending' ? readDiff(request, preview) : undefined,
    ])
    return {
      request,
      state,
      ...(source && { source }),
      history,
      denials: { count: ownNumber(desk?.denials, request.operation), most: TOKEN_RATES.denials },
      session: { allowed: allowsSession(request), maxUses: SESSION_USES },
      ...(diff && { diff }),
    }
  }

  return { alone, whole }
}

const MOST_VIEWED = 10_000

/** TOK-14, SELF-14: as the decision itself checks again. */
function allowsSession({ kind, level, class: asked }: ApprovalRequest): boolean {
  return asked !== 'C3' && DANGER_LEVELS[level] <= DANGER_LEVELS.destructive && kind !== 'pause' && kind !== 'agent'
}

async function readDiff(request: ApprovalRequest, preview: Preview | undefined): Promise<Diff | undefined> {
  if (!request.preview || !preview) return undefined
  const read = await preview(request).catch(() => undefined) // A source that cannot be read leaves the page without a diff.
  return read && diffOf(read.value, request.params, read.readAt)
}

function ownNumber(counts: Readonly<Record<string, number>> | undefined, name: string): number {
  return counts && Object.hasOwn(counts, name) ? (counts[name] ?? 0) : 0
}
