import type { Operator } from '../../core/operator/operator.ts'
import type { OperatorRole } from '../../core/ports/human.ts'
import type { Account } from './account.ts'
import type { Flags } from './flags.ts'
import type { Reauths } from './reauth.ts'
import type { SecretDoor } from './secret-door.ts'
import type { SignIn, SignIns } from './sign-ins.ts'

/** One row of the API. A path segment that begins with a colon is a name. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  /** The least role; `none`: before signing in. */
  readonly needs: 'none' | OperatorRole
  readonly answer: (call: Call, desk: ConsoleDesk) => Promise<Answer>
}

/** What the server keeps for all calls. */
export interface ConsoleDesk {
  readonly operator: Operator
  readonly account: Account
  readonly signIns: SignIns
  readonly reauths: Reauths
  readonly door: SecretDoor
  readonly flags: Flags
}

export interface Call {
  /** Path names, checked to be plain ids. */
  readonly names: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Readonly<Record<string, unknown>>
  /** Our own: what changes something has been refused without it. Empty when a page only reads. */
  readonly origin: string
  /** Absent only before signing in, where the route needs no role. */
  readonly signIn: SignIn
}

export interface Answer {
  readonly status: number
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  /** In place of `body`: a download, piece by piece. */
  readonly download?: { readonly type: string; readonly pieces: AsyncIterable<string> }
}

export function ok(body: Readonly<Record<string, unknown>>): Answer {
  return { status: 200, body }
}

/** Says what, why, what next; `more` is for the page to act on. */
export function refusal(
  status: number,
  code: string,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
): Answer {
  return { status, body: { error: { code, message }, ...more } }
}

/** A text field of a body; undefined when it is absent, of another type or longer. */
export function textField(body: Call['body'], name: string, longest: number): string | undefined {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  return typeof value === 'string' && value.length <= longest ? value : undefined
}

export function badBody(what: string): Answer {
  return refusal(400, 'bad_request', what)
}

export function notHere(what: string): Answer {
  return refusal(501, 'not_available', `${what} is not available from this process.`)
}
