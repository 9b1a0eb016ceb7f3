import { parseUrl } from '../parse-url.ts'

/** String formats that parameters and fields may name. Each test is linear in the length of the text. */
export const FORMATS: Readonly<Record<string, Format>> = Object.freeze({
  date: { test: isDate, expected: 'a calendar date such as 2026-02-04' },
  'date-time': { test: isDateTime, expected: 'an ISO 8601 time with zone such as 2026-02-04T10:30:00Z' },
  'date-or-time': { test: (text) => isDate(text) || isDateTime(text), expected: 'an ISO 8601 date or time with zone' },
  bigint: { test: (text) => /^-?(?:0|[1-9]\d{0,999})$/.test(text), expected: 'an integer written as a string' },
  base64: { test: isBase64, expected: 'padded standard base64 (RFC 4648)' },
  uuid: {
    test: (text) => /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/.test(text),
    expected: 'a UUID',
  },
  email: { test: isEmail, expected: 'an e-mail address' },
  uri: { test: (text) => parseUrl(text) !== undefined, expected: 'an absolute URI' },
})

export interface Format {
  readonly test: (text: string) => boolean
  readonly expected: string
}

/** DATA-04: `YYYY-MM-DD`, and a day that exists. */
export function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  return parts !== null && isDay(Number(parts[1]), Number(parts[2]), Number(parts[3]))
}

/** DATA-04: with `Z` or a numeric offset; `T` between date and time. */
export function isDateTime(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:Z|[+-](\d{2}):(\d{2}))$/.exec(text)
  if (!parts) return false
  const [, year, month, day, hour, minute, second, zoneHour = '00', zoneMinute = '00'] = parts
  return (
    isDay(Number(year), Number(month), Number(day)) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60 &&
    Number(zoneHour) < 24 &&
    Number(zoneMinute) < 60
  )
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(2000, month - 1, day))
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && day > 0
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}

/** One `@` with something around it and a dot behind it; whether it can be delivered is for the mail server. */
function isEmail(text: string): boolean {
  const at = text.indexOf('@')
  return at > 0 && at === text.lastIndexOf('@') && text.indexOf('.', at + 2) > 0 && !/[\s\p{Cc}]/u.test(text)
}
