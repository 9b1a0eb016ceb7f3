import { EXIT, type Stop, stop } from './command.ts'

/** A name that nobody has: those that come nearest, and the way to all of them. */
export function notFound(kind: string, name: string, nearest: readonly string[], next: string): Stop {
  const guess = nearest.length > 0 ? `Did you mean ${nearest.join(', ')}?` : ''
  return stop(EXIT.failed, `There is no ${kind} ${name}`, guess, next)
}
