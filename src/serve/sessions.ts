import type { Runtime } from '../core/runtime.ts'
import type { Session } from '../core/session.ts'
import { fail } from '../protocol/errors.ts'
import type { OperationFailure } from '../protocol/result.ts'

/** Whose call it is. What the client writes into `_meta` has no say in it (SES-05). */
export interface Sessions {
  resolve(runtime: Runtime, args: unknown): Session | OperationFailure
  close(): Promise<void>
}

/**
 * Spec §2.3. One session for each adapter behind one connection, opened by the first call that needs it: a client that
 * only asks which protocol is spoken leaves nothing behind. Serves stdio, and a `Mcp-Session-Id` (SES-01, SES-07).
 */
export function createConnectionSessions(principal: string): Sessions {
  const open = new Map<Runtime, Session>()
  return {
    resolve(runtime) {
      const known = open.get(runtime)
      if (known) return known
      const session = runtime.openSession(principal)
      open.set(runtime, session)
      return session
    },
    async close() {
      const all = [...open]
      open.clear()
      await Promise.all(all.map(([runtime, session]) => runtime.closeSession(session)))
    },
  }
}

export interface HandleLimits {
  readonly maxHandles: number
  readonly idleMs: number
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number
}

export interface HandleSessions {
  /** The view of one principal: a handle is a name and not a capability, so each sees its own only (MCP-25). */
  of(principal: string): Pick<Sessions, 'resolve'>
  /** Closes what nobody has used for `idleMs`. */
  sweep(): Promise<void>
  close(): Promise<void>
}

/**
 * MCP-25. HTTP without a handshake: the session travels as a handle in `_session`, beside `operation`. `introspect`
 * without one mints it and reports it in `_protocol`; any other call without one belongs to the principal.
 */
export function createHandleSessions({ maxHandles, idleMs, now }: HandleLimits): HandleSessions {
  /** Handles in the order of their last use; `fresh` ones were never sent back and hold no state worth keeping. */
  const fresh = new Map<Session, Handle>()
  const used = new Map<Session, Handle>()

  function find(runtime: Runtime, id: string, principal: string): Session | OperationFailure {
    const session = runtime.findSession(id, principal)
    if (!session) return unknownSession(id)
    fresh.delete(session)
    used.delete(session)
    used.set(session, { runtime, seen: now() })
    return session
  }

  function mint(runtime: Runtime, principal: string): Session {
    if (fresh.size + used.size >= maxHandles) {
      const oldest = fresh.entries().next()
      if (oldest.done) return runtime.anonymous(principal)
      fresh.delete(oldest.value[0])
      void oldest.value[1].runtime.closeSession(oldest.value[0])
    }
    const session = runtime.openSession(principal)
    fresh.set(session, { runtime, seen: now() })
    return session
  }

  async function closeOlder(than: number): Promise<void> {
    const ended = [fresh, used].flatMap((handles) => {
      const old = [...handles].filter(([, { seen }]) => seen <= than)
      for (const [session] of old) handles.delete(session)
      return old
    })
    await Promise.all(ended.map(([session, { runtime }]) => runtime.closeSession(session)))
  }

  return {
    of: (principal) => ({
      resolve(runtime, args) {
        const given = ownValue(args, '_session')
        if (typeof given === 'string') return find(runtime, given, principal)
        if (given !== undefined) {
          const actual_type = given === null ? 'null' : Array.isArray(given) ? 'array' : typeof given
          return fail('VALIDATION_INVALID_TYPE', { param_name: '_session', expected_type: 'string', actual_type })
        }
        return ownValue(args, 'operation') === 'introspect' ? mint(runtime, principal) : runtime.anonymous(principal)
      },
    }),
    sweep: () => closeOlder(now() - idleMs),
    close: () => closeOlder(Number.POSITIVE_INFINITY),
  }
}

interface Handle {
  readonly runtime: Runtime
  readonly seen: number
}

function unknownSession(id: string): OperationFailure {
  return fail('NOT_FOUND_RESOURCE', {
    resource_type: 'session',
    resource_id: id.slice(0, 128),
    hint: 'The session is unknown or has ended. Leave _session out, or call introspect with {"query":"operations"}: _protocol.session_id is a new one.',
  })
}

function ownValue(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Readonly<Record<string, unknown>>)[key]
}
