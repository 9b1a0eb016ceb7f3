import { tokenRef } from '../core/audit/token-ref.ts'
import { exitOf } from './client.ts'
import { EXIT, isStop, type Stop } from './command.ts'
import type { Reply } from './connect.ts'
import { plainText } from './render.ts'
import type { World } from './world.ts'

type Controls = Readonly<Record<string, unknown>>

/** Calls, and where a human is waited for, again with the token, until somebody has decided or the time is over. */
export async function awaitApproval(
  call: (controls: Controls) => Promise<Reply | Stop>,
  seconds: number,
  world: World,
): Promise<Reply | Stop> {
  const first = await call({})
  if (isStop(first)) return first
  const token = tokenOf(first)
  if (token === undefined || seconds <= 0) return first
  const deadline = world.now() + seconds * 1_000
  const { approval_id = tokenRef(token), waiting_for } = detailsOf(first)
  world.err(
    plainText(
      `Waiting for ${String(waiting_for ?? 'a human').split('. ')[0]}: ${world.program} approve ${String(approval_id)}`,
    ),
  )
  let reply: Reply | Stop = first
  while (!isStop(reply) && tokenOf(reply) === token && !world.interrupted.aborted) {
    const left = Math.ceil((deadline - world.now()) / 1_000)
    if (left <= 0) return reply
    reply = await call({ _confirmation: token, _wait_seconds: Math.min(left, A_ROUND) })
  }
  return reply
}

/** Below the time after which clients give up on a request. */
const A_ROUND = 20

/** Also of a paused quota (RATE-11), whose answer has no `confirmation`. */
function tokenOf(reply: Reply): string | undefined {
  const { confirmation_token: token } = detailsOf(reply)
  return exitOf(reply) === EXIT.waiting && typeof token === 'string' ? token : undefined
}

function detailsOf({ result }: Reply): Readonly<Record<string, unknown>> {
  const { error } = result as { readonly error?: { readonly details?: Readonly<Record<string, unknown>> } }
  return error?.details ?? {}
}
