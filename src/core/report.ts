import { randomBytes } from 'node:crypto'
import { LONGEST_OF_ERROR, redactBeginning } from './audit/redact.ts'
import type { Log } from './ports/log.ts'
import { maskText } from './registry/secrets.ts'

/** ERR-04: the cause goes to the log, without sensitive values (VAL-10); the caller gets a reference. */
export function createReport(log: Log) {
  return (cause: unknown, about: Readonly<Record<string, unknown>> = {}, secrets: readonly string[] = []): string => {
    const reference = randomBytes(6).toString('hex')
    const { message, stack } = described(cause)
    log.write({
      level: 'error',
      message: loggedText(message, secrets),
      reference,
      ...about,
      ...(stack && { stack: loggedText(stack, secrets) }),
    })
    return reference
  }
}

/** AUDIT-06: an error may repeat a credential that no parameter declares, such as one of a connection. */
function loggedText(text: string, secrets: readonly string[]): string {
  return redactBeginning(maskText(text, secrets), LONGEST_OF_ERROR)
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
