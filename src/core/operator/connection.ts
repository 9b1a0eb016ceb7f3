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

export function shortSession(session: string): string {
  return session.slice(0, 8)
}

/** ` session 3fa91c02`; nothing for a call that was made without one. */
export function sessionText(session: unknown): string {
  if (typeof session !== 'string' || session === 'none' || session.startsWith(NO_SESSION)) return ''
  return ` session ${displayText(shortSession(session))}`
}

/** What a stop of this principal does beside stopping the one that was meant; undefined where it is one caller. */
export function sharedNote(principal: string): string | undefined {
  if (!isShared(principal)) return undefined
  return principal === 'stdio'
    ? 'All processes on stdio share this name: every one of them on this store is stopped.'
    : 'All callers without a token share this name: every one of them is stopped. mcpaql client add NAME tells one apart.'
}
