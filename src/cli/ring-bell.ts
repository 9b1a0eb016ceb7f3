import type { Bell, Notice } from '../channels/webhook.ts'
import type { AuditEntry } from '../core/audit/entry.ts'
import { shortSession } from '../core/operator/connection.ts'
import type { Watch } from '../core/operator/watch.ts'
import type { Store } from '../core/ports/store.ts'
import type { AuditEvent } from '../protocol/audit.ts'
import { DANGER_LEVEL_NAMES } from '../protocol/danger.ts'

/** What a human is called for, by the entry of the trail that says it. */
const KINDS: Readonly<Partial<Record<AuditEvent, Notice['kind']>>> = {
  CONFIRMATION_REQUIRED: 'approval',
  CHALLENGE_ISSUED: 'challenge',
  AGENT_BLOCKED: 'block',
  QUOTA_PAUSED: 'quota',
}

const MOST_REMEMBERED = 1_000

/** Rings once for each question, whichever process raised it; returns how to stop. */
export function ringFor(watch: Watch, store: Store, bell: Bell, link: string): () => void {
  const rung = new Set<string>()
  return watch.subscribe(({ seq, id }) => {
    void store.trail.read({ after: seq - 1, before: seq + 1 }).then(async ([found]) => {
      const kind = found && KINDS[found.entry.event]
      const key = `${kind} ${id || seq}`
      if (!kind || rung.has(key)) return
      if (rung.size >= MOST_REMEMBERED) rung.clear()
      rung.add(key)
      const level = DANGER_LEVEL_NAMES[found.entry.danger_level ?? 4] ?? 'forbidden'
      await bell.ring({ kind, level, link, ...fromOf(found.entry) })
    }, ignore)
  })
}

/** What the client calls itself stays behind: an agent chose it. */
function fromOf({ user_id: principal, session_id, client_context }: AuditEntry): Pick<Notice, 'from'> {
  if (principal === undefined) return {}
  const { label } = client_context ?? {}
  const session = session_id === undefined ? {} : { session: shortSession(session_id) }
  return { from: { principal, ...session, ...(label !== undefined && { label }) } }
}

/** A store that cannot be read says so where it is asked. */
function ignore(): void {}
