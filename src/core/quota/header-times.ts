/** RATE-05: a whole number from 0, as a counting header has it. */
export function parseWhole(text: string | undefined): number | undefined {
  const trimmed = text?.trim() ?? ''
  return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : undefined
}

/** `Retry-After`: seconds or a date of HTTP (RFC 9110 §10.2.3). The moment, when it lies ahead. */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  const seconds = parseWhole(text)
  return ahead(seconds === undefined ? parseDate(text) : now + seconds * 1_000, now)
}

/** A reset header: seconds from now, seconds or milliseconds since 1970, or a date. The sizes cannot be confused. */
export function parseReset(text: string | undefined, now: number): number | undefined {
  const number = parseWhole(text)
  if (number === undefined) return ahead(parseDate(text), now)
  if (number < EARLIEST_SECONDS) return ahead(now + number * 1_000, now)
  return ahead(number < EARLIEST_MILLISECONDS ? number * 1_000 : number, now)
}

/** In 2001, as seconds; below it lies every sensible distance. */
const EARLIEST_SECONDS = 1_000_000_000
const EARLIEST_MILLISECONDS = 100_000_000_000

/** An API that names the year 9999 does not stop an adapter for ever. */
const FARTHEST = 31 * 86_400_000

function ahead(moment: number | undefined, now: number): number | undefined {
  return moment !== undefined && moment > now ? Math.ceil(Math.min(moment, now + FARTHEST)) : undefined
}

/** `Date.parse` makes a date of almost anything, so the form is checked first. The last one has no zone and means UTC. */
const DATE_FORMS: readonly { readonly form: RegExp; readonly zone: string }[] = [
  { form: /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/, zone: '' },
  { form: /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/, zone: '' },
  { form: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/, zone: '' },
  { form: /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/, zone: ' GMT' },
]

function parseDate(text: string | undefined): number | undefined {
  const trimmed = text?.trim() ?? ''
  const found = DATE_FORMS.find(({ form }) => form.test(trimmed))
  const moment = found ? Date.parse(trimmed + found.zone) : Number.NaN
  return Number.isNaN(moment) ? undefined : moment
}
