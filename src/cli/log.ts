import type { Config } from '../config.ts'
import type { Log, LogEntry } from '../core/ports/log.ts'
import { escapeUnseen, jsonLine } from './json-line.ts'
import type { World } from './world.ts'

const LEVELS: readonly LogEntry['level'][] = ['debug', 'info', 'warning', 'error']

/** One line of JSON for each entry at or above the level. A source may have written parts of it: a terminal obeys none. */
export function createLog(level: Config['log_level'], { err, now }: Pick<World, 'err' | 'now'>): Log {
  const least = LEVELS.indexOf(level)
  return {
    write(entry) {
      if (LEVELS.indexOf(entry.level) >= least) err(lineOf({ time: new Date(now()).toISOString(), ...entry }))
    },
  }
}

function lineOf(entry: LogEntry & { readonly time: string }): string {
  try {
    return escapeUnseen(JSON.stringify(entry, plain))
  } catch {
    // A value that refers to itself must not silence the entry.
    const { time, level, message } = entry
    return jsonLine({ time, level, message, unprintable: true })
  }
}

/** What JSON would drop or refuse. */
function plain(_: string, value: unknown): unknown {
  if (value instanceof Error)
    return { name: value.name, message: value.message, stack: value.stack, cause: value.cause }
  return typeof value === 'bigint' ? String(value) : value
}
