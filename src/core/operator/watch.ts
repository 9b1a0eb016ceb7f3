import type { AuditEvent } from '../../protocol/audit.ts'
import type { AuditEntry } from '../audit/entry.ts'
import type { Store } from '../ports/store.ts'

/** Something changed; what it is now, the reader fetches. */
export interface Happening {
  /** The place in the trail, so that a reader who was away can say from where on. */
  readonly seq: number
  readonly kind: HappeningKind
  readonly id: string
}

export type HappeningKind = 'request' | 'agent' | 'outcome' | 'source' | 'policy' | 'trail'

export interface Watch {
  subscribe(listener: (happening: Happening) => void): () => void
  /** Looks at once: something was written in this process. */
  look(): Promise<void>
  /** What has happened since; undefined when it is too much to tell. */
  since(seq: number): Promise<readonly Happening[] | undefined>
  close(): void
}

/**
 * Everything of interest leaves an entry in the trail in the same commit, whichever process it happens in, so the head
 * of the trail is all that has to be polled; and only while somebody listens.
 */
export function createWatch(store: Store, intervalMs = 1_000): Watch {
  const listeners = new Set<(happening: Happening) => void>()
  let readTo: number | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  let looking: Promise<void> | undefined

  const catchUp = async () => {
    const { seq } = await store.trail.head()
    if (readTo === undefined || seq < readTo) readTo = seq
    while (readTo < seq) {
      const entries = await store.trail.read({ order: 'oldest', after: readTo, before: seq + 1, limit: PAGE })
      const last = entries.at(-1)
      if (!last) return
      readTo = last.seq
      for (const each of entries) for (const listener of listeners) listener(happeningOf(each))
    }
  }

  const look = () => {
    looking ??= catchUp()
      .catch(() => {}) // A store that cannot be read says so where it is asked; the next look tries again.
      .finally(() => {
        looking = undefined
      })
    return looking
  }

  const stop = () => {
    clearInterval(timer)
    timer = undefined
    readTo = undefined
  }

  return {
    subscribe(listener) {
      listeners.add(listener)
      if (timer === undefined) {
        timer = setInterval(look, intervalMs)
        timer.unref?.()
        void look()
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) stop()
      }
    },

    async look() {
      await looking
      if (listeners.size > 0) await look()
    },

    async since(seq) {
      const entries = await store.trail.read({ order: 'oldest', after: seq, limit: PAGE })
      return entries.length < PAGE ? entries.map(happeningOf) : undefined
    },

    close() {
      listeners.clear()
      stop()
    },
  }
}

const PAGE = 500

/** Which events concern what a console shows; all others only make the trail longer. */
const KINDS: Readonly<Partial<Record<AuditEvent, HappeningKind>>> = {
  CONFIRMATION_REQUIRED: 'request',
  CONFIRMATION_GRANTED: 'request',
  APPROVAL_DENIED: 'request',
  TOKEN_ISSUED: 'request',
  TOKEN_VALIDATED: 'request',
  TOKEN_REVOKED: 'request',
  QUOTA_PAUSED: 'request',
  QUOTA_EXHAUSTED: 'policy',
  OPERATION_OUTCOME: 'outcome',
  OUTCOME_FINDING: 'outcome',
  CHALLENGE_ISSUED: 'agent',
  CHALLENGE_SHOWN: 'agent',
  CHALLENGE_VERIFIED: 'agent',
  CHALLENGE_FAILED: 'agent',
  CHALLENGE_EXPIRED: 'agent',
  CHALLENGE_UNDELIVERABLE: 'agent',
  AGENT_BLOCKED: 'agent',
  AGENT_UNBLOCKED: 'agent',
  ADMIN_OVERRIDE: 'agent',
  CLIENT_ADDED: 'agent',
  CLIENT_REVOKED: 'agent',
  TRUST_CHANGED: 'source',
  POLICY_CHANGED: 'policy',
  SAFETY_MODE_CHANGED: 'policy',
  SERVER_STARTED: 'source',
  SERVER_STOPPED: 'source',
}

function happeningOf({ seq, entry }: { readonly seq: number; readonly entry: AuditEntry }): Happening {
  return { seq, kind: KINDS[entry.event] ?? 'trail', id: idOf(entry) }
}

/** Ids are ours, so they may travel; anything else stays behind. */
function idOf({ approval_id, token_id, verificationId }: AuditEntry): string {
  const id = approval_id ?? token_id ?? verificationId
  return typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? id : ''
}
