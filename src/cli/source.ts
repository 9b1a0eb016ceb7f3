import { EXIT, isStop, type Stop, stop } from './command.ts'
import { nearestWord } from './nearest-word.ts'

/** What a SOURCE on the command line names. */
export type Source =
  | { readonly kind: 'demo' }
  | { readonly kind: 'module'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'command'; readonly command: string; readonly args: readonly string[] }

/** A source whose operations run in this process. */
export type LocalSource = Extract<Source, { kind: 'demo' | 'module' }>

export const SOURCES = 'demo, a module (*.ts, *.js), the http(s) address of a running server, or -- COMMAND…'

const LOCAL_SOURCES = 'demo, or a module (*.ts, *.js) that exports an adapter'

/** A SOURCE for a command that must have its operations in this process; `refusal` says why another will not do. */
export function readLocalSource(given: string, refusal: string): LocalSource | Stop {
  const source = readSource(given, [], LOCAL_SOURCES)
  if (isStop(source) || isLocal(source)) return source
  return stop(EXIT.badUsage, `${given} ${refusal}`, `SOURCE is ${LOCAL_SOURCES}`)
}

/** One SOURCE; without one, the command after `--`. */
export function readSource(given: string | undefined, command: readonly string[], accepted = SOURCES): Source | Stop {
  const [program, ...args] = command
  if (given === undefined && program !== undefined) return { kind: 'command', command: program, args }
  if (given === undefined) return stop(EXIT.badUsage, 'Which source?', `SOURCE is ${accepted}`)
  if (given === 'demo') return { kind: 'demo' }
  if (/^https?:\/\//i.test(given)) return readUrl(given)
  if (/\.[mc]?[jt]s$/.test(given)) return { kind: 'module', path: given }
  const hint = nearestWord(given, ['demo']) ? 'Did you mean demo?' : ''
  return stop(EXIT.badUsage, `'${given}' is not a source`, hint, `SOURCE is ${accepted}`)
}

export function isLocal(source: Source): source is LocalSource {
  return source.kind === 'demo' || source.kind === 'module'
}

function readUrl(given: string): Source | Stop {
  if (!URL.canParse(given))
    return stop(EXIT.badUsage, `'${given}' is not an address`, 'For example http://127.0.0.1:7420/mcp')
  const { username, password, host, pathname } = new URL(given)
  // Not repeated: what is said here ends in logs and reports.
  if (username !== '' || password !== '')
    return stop(EXIT.badUsage, `The address at ${host}${pathname} must hold no name and no password`)
  return { kind: 'url', url: given }
}
