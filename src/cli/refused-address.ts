import { EXIT, type Stop, stop } from './command.ts'

/** Why a server cannot listen where it was told to. */
export function refusedAddress(error: unknown, port: number): Stop {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return stop(EXIT.badUsage, `Port ${port} is in use`, 'Choose another, or --http 0 for one that is free')
  if (code === 'EACCES') return stop(EXIT.badUsage, `Port ${port} may not be used`, 'Choose one above 1023')
  return stop(EXIT.badUsage, message)
}
