import { displayClaim, displayText, textOf } from '../display.ts'
import { isShared, NO_SESSION } from '../session.ts'

/** Who asks, as the operator sees it: what the server knows, what the operator has said, what the client claims. */
export interface Connection {
  readonly principal: string
  readonly session: string
  /** `serve --client`. */
  readonly label?: string | undefined
  /** The name that the client gives itself; anyone can give any (SELF-04). */
  readonly client?: string | undefined
}

/** `stdio (laptop) session 3fa91c02, says "claude-code 2.1"`. */
export function connectionText({ principal, session, label, client }: Connection): string {
  const named = label === undefined ? '' : ` (${displayText(label)})`
  const said = client === undefined ? '' : `, says ${claimText(client)}`
  return `${displayText(principal)}${named}${sessionText(session)}${said}`
}

/** In quotes that it cannot leave. */
export function claimText(client: string): string {
  const short = client.length > LONGEST ? `${client.slice(0, LONGEST).toWellFormed()}…` : client
  return `"${textOf(displayClaim(short))}"`
}

const LONGEST = 60

/** As much as tells sessions apart: behind what all sessions of one client's hook begin with. */
export function shortSession(session: string): string {
  const [head = ''] = HOOK_SESSION.exec(session) ?? []
  const own = session.slice(head.length)
  if (head === '') return own.slice(0, 8)
  return `${head}${own.length > 20 ? `${own.slice(0, 8)}…${own.slice(-4)}` : own}`
}

const HOOK_SESSION = /^hook:[^:]{1,40}:/

/** ` session 3fa91c02`; nothing for a call that was made without one. */
export function sessionText(session: unknown): string {
  if (typeof session !== 'string' || session === 'none' || session.startsWith(NO_SESSION)) return ''
  return ` session ${displayText(shortSession(session))}`
}

/** The principal of everything that clients' hooks ask. */
export const HOOK_PRINCIPAL = 'hook'

/** What the gate does with a stopped principal; nothing else is claimed. */
export function stopEffect(principal: string): string {
  if (principal === HOOK_PRINCIPAL)
    return 'Its next tool call is refused, reads included, and every one after it. What a client has already started runs outside of this program and is not reached: end it by hand.'
  return `Everything that principal ${displayText(principal)} asks for is refused from its next request on, reads included, in every safety mode, and what it has running is cancelled. Only introspection, abort_execution and verify_challenge remain to it.`
}

/** What a stop of this principal does beside stopping the one that was meant; undefined where it is one caller. */
export function sharedNote(principal: string): string | undefined {
  if (principal === HOOK_PRINCIPAL)
    return 'All clients whose hook asks this store share this name: every one of them is stopped.'
  if (!isShared(principal)) return undefined
  return principal === 'stdio'
    ? 'All processes on stdio share this name: every one of them on this store is stopped.'
    : 'All callers without a token share this name: every one of them is stopped. mcpaql client add NAME tells one apart.'
}
