import type { TrailQuery } from '../core/ports/store.ts'
import { AUDIT_EVENTS } from '../protocol/audit.ts'
import { DANGER_LEVEL_NAMES, DANGER_LEVELS, isDangerLevel } from '../protocol/danger.ts'
import { EXIT, isStop, type Options, type Stop, stop } from './command.ts'
import { nearestWord } from './nearest-word.ts'

/** What narrows the trail, for `tail` and `export`. */
export const FILTERS = {
  event: { type: 'string', multiple: true, value: 'NAME', description: 'Only this event; may be repeated.' },
  operation: { type: 'string', value: 'NAME', description: 'Only this operation.' },
  principal: { type: 'string', value: 'NAME', description: 'Only what this principal did.' },
  session: { type: 'string', value: 'ID', description: 'Only this session.' },
  level: { type: 'string', value: '0-4', description: 'Only operations of this danger level, by number or name.' },
  since: {
    type: 'string',
    value: 'TIME',
    description: 'From then on: 2026-05-01T12:00:00Z, 2026-05-01, or 45s, 30m, 2h, 3d ago.',
  },
  text: { type: 'string', value: 'TEXT', description: 'Only entries in which this text stands.' },
  limit: { type: 'string', value: 'N', description: 'At most so many entries.' },
} as const satisfies Options

export type FilterValues = {
  readonly [N in keyof typeof FILTERS]?: N extends 'event' ? readonly string[] : string
}

export function readFilter(values: FilterValues, now: number): TrailQuery | Stop {
  const { event, operation, principal, session, text } = values
  const unknown = event?.map((name) => name.toUpperCase()).find((name) => !EVENTS.includes(name))
  if (unknown !== undefined) return noEvent(unknown)
  const level = values.level === undefined ? undefined : readLevel(values.level)
  if (isStop(level)) return level
  const from = values.since === undefined ? undefined : readSince(values.since, now)
  if (isStop(from)) return from
  const limit = values.limit === undefined ? undefined : readLimit(values.limit)
  if (isStop(limit)) return limit
  return {
    ...(event && { events: event.map((name) => name.toUpperCase()) }),
    ...(operation !== undefined && { operation }),
    ...(principal !== undefined && { principal }),
    ...(session !== undefined && { session }),
    ...(level !== undefined && { level }),
    ...(from !== undefined && { from }),
    ...(text !== undefined && { text }),
    ...(limit !== undefined && { limit }),
  }
}

const EVENTS: readonly string[] = AUDIT_EVENTS

function noEvent(name: string): Stop {
  const nearest = nearestWord(name, EVENTS)
  return stop(
    EXIT.badUsage,
    `There is no event ${name}`,
    nearest ? `Did you mean ${nearest}?` : `Events: ${EVENTS.join(', ')}`,
  )
}

function readLevel(text: string): number | Stop {
  const name = text.toLowerCase()
  if (isDangerLevel(name)) return DANGER_LEVELS[name]
  if (/^[0-4]$/.test(text)) return Number(text)
  const names = DANGER_LEVEL_NAMES.map((level) => `${DANGER_LEVELS[level]} ${level}`)
  return stop(EXIT.badUsage, `There is no danger level ${text}`, `Levels: ${names.join(', ')}`)
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

function readSince(text: string, now: number): string | Stop {
  const [, count, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  const time = count === undefined ? isoTime(text) : now - Number(count) * (UNITS[unit] as number)
  if (!Number.isNaN(time)) return new Date(Math.max(0, time)).toISOString()
  return stop(
    EXIT.badUsage,
    `--since ${text} is no time`,
    'Write 2026-05-01T12:00:00Z, 2026-05-01, or 45s, 30m, 2h, 3d',
  )
}

/** A time without a zone is UTC, as the trail's own times are. */
function isoTime(text: string): number {
  const parts = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/.exec(text)
  if (!parts) return Number.NaN
  return Date.parse(text.includes('T') && parts[1] === undefined ? `${text}Z` : text)
}

function readLimit(text: string): number | Stop {
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0
  return limit > 0 ? limit : stop(EXIT.badUsage, `--limit ${text} is no number of entries`)
}
