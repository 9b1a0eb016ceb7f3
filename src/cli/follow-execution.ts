import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from './client.ts'
import { EXIT, isStop, type Stop, stop } from './command.ts'
import type { Reply } from './connect.ts'
import { plainLine } from './render.ts'
import type { World } from './world.ts'

/**
 * Spec §8.4. An execution ends with the server that runs it. Where that server was started for this one call, the call
 * is over only when the execution is.
 */
export async function followExecution(client: Client, first: Reply, world: World): Promise<Reply | Stop> {
  let reply = first
  for (let state = runningIn(reply); state !== undefined; state = runningIn(reply)) {
    world.progress(progressText(state))
    await sleep(POLL_MS, undefined, { signal: world.interrupted }).catch(() => {})
    if (world.interrupted.aborted) return interrupted(state, world)
    const next = await client.call('get_execution', { execution_id: state.execution_id })
    if (isStop(next)) return next
    // A server without that operation leaves the first answer as the only one.
    if (!next.result.success) break
    reply = next
  }
  world.progress('')
  return reply
}

function interrupted({ execution_id }: Running, world: World): Stop {
  world.progress('')
  return stop(EXIT.failed, `Interrupted; execution ${plainLine(execution_id)} is cancelled with its server`)
}

const POLL_MS = 200

interface Running {
  readonly execution_id: string
  readonly status: string
  readonly progress?: { readonly percentage?: number; readonly message?: string }
}

function runningIn({ result }: Reply): Running | undefined {
  const { execution_id, status } = (result.data ?? {}) as Partial<Running>
  if (typeof execution_id !== 'string' || (status !== 'running' && status !== 'pending')) return undefined
  return result.data as Running
}

function progressText({ status, progress }: Running): string {
  const share = typeof progress?.percentage === 'number' ? ` ${Math.round(progress.percentage)} %` : ''
  return plainLine(`${status}${share} ${progress?.message ?? ''}`)
}
