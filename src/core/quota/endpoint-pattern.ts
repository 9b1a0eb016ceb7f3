import { matchesGlob } from '../registry/glob.ts'
import type { ApiLimit, LimitedCall, RateLimits } from './rate-limits.ts'

/** RATE-03: the API limits that a request counts against. */
export function limitsFor({ apiLimits }: RateLimits, call: LimitedCall): readonly ApiLimit[] {
  return apiLimits.filter((limit) => applies(limit, call))
}

/**
 * RATE-02: a pattern is `METHOD /path`, `/path` or the name of an operation, with `*` and `?`. The path is the one that
 * is sent, without its query: otherwise a parameter would lead past the limit.
 */
export function matchesEndpoint(pattern: string, { operation, method, path }: LimitedCall): boolean {
  if (pattern === '*' || matchesGlob(pattern, operation)) return true
  if (path === undefined) return false
  const [bare = ''] = path.split(/[?#]/, 1)
  return matchesGlob(pattern, bare) || (method !== undefined && matchesGlob(pattern, `${method.toUpperCase()} ${bare}`))
}

/** Methods are compared in capitals. */
export function normalisePattern(pattern: string): string {
  const space = pattern.indexOf(' ')
  return space < 0 ? pattern : pattern.slice(0, space).toUpperCase() + pattern.slice(space)
}

/** RATE-16, for sorting: a pattern without wildcards first, then the one with more fixed characters. */
export function bySpecificity(a: string, b: string): number {
  return Number(isWild(a)) - Number(isWild(b)) || fixedCharacters(b) - fixedCharacters(a)
}

function applies(limit: ApiLimit, call: LimitedCall): boolean {
  switch (limit.scope) {
    case 'global':
      return true
    case 'category':
      return limit.category === call.category.toLowerCase()
    case 'endpoint':
      return limit.endpoint !== undefined && matchesEndpoint(limit.endpoint, call)
  }
}

function isWild(pattern: string): boolean {
  return /[*?]/.test(pattern)
}

function fixedCharacters(pattern: string): number {
  return pattern.replace(/[*?]/g, '').length
}
