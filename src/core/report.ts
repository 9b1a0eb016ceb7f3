import { randomBytes } from 'node:crypto'
import type { Log } from './ports/log.ts'
import { maskText } from './registry/secrets.ts'

/** ERR-04: the cause goes to the log, without sensitive values (VAL-10); the caller gets a reference. */
export function createReport(log: Log) {
  return (cause: unknown, about: Readonly<Record<string, unknown>> = {}, secrets: readonly string[] = []): string => {
    const reference = randomBytes(6).toString('hex')
    const { message, stack } = described(cause)
    log.write({
      level: 'error',
      message: maskText(message, secrets),
      reference,
      ...about,
      ...(stack && { stack: maskText(stack, secrets) }),
    })
    return reference
  }
}

/** Whatever was thrown: it may have no text, or throw when it is asked for one. */
function described(cause: unknown): { readonly message: string; readonly stack?: string } {
  try {
    const message = String(cause)
    return cause instanceof Error && typeof cause.stack === 'string' ? { message, stack: cause.stack } : { message }
  } catch {
    return { message: `something that is not an Error (${typeof cause})` }
  }
}
