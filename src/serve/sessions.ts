import { randomBytes } from 'node:crypto'
import type { Runtime } from '../core/runtime.ts'
import { rankOf, type Session, type SessionUse } from '../core/session.ts'
import { fail } from '../protocol/errors.ts'
import type { OperationFailure } from '../protocol/result.ts'

/** Whose call it is. What the client writes into `_meta` has no say in it (SES-05). */
export interface Sessions {
  resolve(runtime: Runtime, args: unknown): Session | OperationFailure
  close(): Promise<void>
}

export interface ConnectionSessions extends Sessions {
  /** What the connection was used for, whichever adapter it speaks to. */
  use(): SessionUse
}

/** Who calls: the principal, and for a named client the record that it has proved to be. */
export interface Principal {
  readonly principal: string
  readonly client?: string
  /** What the operator calls the connection. */
  readonly label?: string
}

/**
 * Spec §2.3. One session for each adapter behind one connection, opened by the first call that needs it: a client that
 * only asks which protocol is spoken leaves nothing behind. Serves stdio, and a `Mcp-Session-Id` (SES-01, SES-07).
 */
export function createConnectionSessions({ principal, client, label }: Principal): ConnectionSessions {
  const open = new Map<Runtime, Session>()
  /** One connection is one session, whichever adapter it speaks to. */
  const options = {
    id: randomBytes(16).toString('base64url'),
    ...(client !== undefined && { client }),
    ...(label !== undefined && { label }),
  }
  return {
    resolve(runtime) {
      const known = open.get(runtime)
      if (known) return known
      const session = runtime.openSession(principal, options)
      open.set(runtime, session)
      return session
    },
    use: () =>
      [...open]
        .map(([runtime, session]) => runtime.useOf(session))
        .reduce((most, use) => (rankOf(use) > rankOf(most) ? use : most), 'opened'),
    async close() {
      const all = [...open]
      open.clear()
      await Promise.all(all.map(([runtime, session]) => runtime.closeSession(session)))
    },
  }
}

/**
 * MCP-25. HTTP without a handshake: the session travels as a handle in `_session`, beside `operation`. `introspect`
 * without one mints it and reports it in `_protocol`; for any other call one is made when the call leaves something
 * behind: a question, an execution, a rest. A handle is a name and not a capability: it is looked up together with the
 * principal, and the runtime lets it expire.
 */
export function createHandleSessions({ principal, client }: Principal): Pick<Sessions, 'resolve'> {
  return {
    resolve(runtime, args) {
      const given = ownValue(args, '_session')
      if (typeof given === 'string') return runtime.findSession(given, principal, client) ?? unknownSession(given)
      if (given !== undefined) {
        const actual_type = given === null ? 'null' : Array.isArray(given) ? 'array' : typeof given
        return fail('VALIDATION_INVALID_TYPE', { param_name: '_session', expected_type: 'string', actual_type })
      }
      if (!asksForProtocol(args)) return runtime.anonymous(principal, client)
      const options = { expires: true, ...(client !== undefined && { client }) }
      return runtime.refuseHandle(principal) ?? runtime.openSession(principal, options)
    },
  }
}

/** Only the list of operations shows `_protocol.session_id`; nothing else is worth a new session. */
function asksForProtocol(args: unknown): boolean {
  if (ownValue(args, 'operation') !== 'introspect') return false
  const inner = ownValue(args, 'params')
  const asked = (name: string) => ownValue(inner, name) ?? ownValue(args, name)
  return asked('query') === 'operations' && asked('name') === undefined
}

function unknownSession(id: string): OperationFailure {
  return fail('NOT_FOUND_RESOURCE', {
    resource_type: 'session',
    resource_id: id.slice(0, 128),
    hint: 'The session is unknown or has ended. Leave _session out, or call introspect with {"query":"operations"}: _protocol.session_id is a new one.',
  })
}

export function ownValue(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Readonly<Record<string, unknown>>)[key]
}
