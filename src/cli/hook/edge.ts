import { writeSync } from 'node:fs'
import { answerClient, type Ending } from './answer-client.ts'
import { type HookOrder, runHook } from './run-hook.ts'

/**
 * The process of a hook. A client takes every exit code but 0 and 2 for a hook that does not matter, so this process
 * knows no third: signals, faults of our own and a closed pipe end in 2 as well. It never returns.
 */
export async function runAsProcess(order: HookOrder | undefined): Promise<never> {
  const failed = (reason: string) => end(answerClient({ kind: 'deny', reason }, '', order?.client))
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.removeAllListeners(event)
    process.on(event, () => failed('The mcpaql hook failed'))
  }
  for (const signal of SIGNALS) {
    process.removeAllListeners(signal)
    process.on(signal, () => failed(`The mcpaql hook was ended by ${signal}`))
  }
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error')
    stream.on('error', () => failed('The mcpaql hook was not heard'))
  }
  // Not even a wedged event loop outlives the deadline by much.
  const patience = (order?.deadlineMs ?? 0) + 2_000
  setTimeout(() => failed('The mcpaql hook took too long'), patience).unref()
  return end(await runHook(order, process.stdin, workingFolder()))
}

/** It may have been deleted. */
function workingFolder(): string {
  try {
    return process.cwd()
  } catch {
    return ''
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGPIPE', 'SIGUSR2'] as const

/** Written at once and in full, so that nothing is left to a stream that nobody flushes. */
function end({ stdout, stderr, exit }: Ending): never {
  let isHeard = true
  for (const [stream, text] of [
    [1, stdout],
    [2, stderr],
  ] as const) {
    try {
      if (text !== '') writeSync(stream, text)
    } catch {
      isHeard = false
    }
  }
  process.exit(isHeard ? exit : 2)
}
