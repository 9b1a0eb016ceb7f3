import { DANGER_PATTERNS, type DangerPattern } from '../../protocol/danger.ts'
import { matchesGlob } from '../registry/glob.ts'
import { faultOf, type KeyRules, quoted, TEXTS } from './key-rules.ts'

export type DangerPatterns = readonly DangerPattern[]

/** DNG-12: the operator's `danger_patterns`. */
export interface PatternSettings {
  readonly dangerous?: readonly string[]
  readonly forbidden?: readonly string[]
  /** Built-in patterns to do without, spelled as the built-in list spells them. */
  readonly remove?: readonly string[]
}

/** DNG-12: entries add to the built-in list; only `remove` takes one of those away. */
export function compilePatterns(
  settings: PatternSettings,
): { readonly patterns: DangerPatterns } | { readonly error: string } {
  const error = faultOf(settings, KEYS, 'danger_patterns') ?? wrongPattern(settings) ?? wrongRemoval(settings)
  if (error !== undefined) return { error }
  const { dangerous = [], forbidden = [], remove = [] } = settings
  const builtIn = DANGER_PATTERNS.filter(({ pattern }) => !remove.includes(pattern))
  const own = [...dangerous.map(ownRow('dangerous')), ...forbidden.map(ownRow('forbidden'))]
  return { patterns: Object.freeze([...builtIn, ...own]) }
}

/**
 * DNG-09, R-12: a pattern that begins with a word is also tried on each remainder after an underscore. One that begins
 * with `*` matches a remainder only where it matches the whole.
 */
export function matchesName(pattern: string, name: string, tryRemainders: boolean): boolean {
  if (matchesGlob(pattern, name)) return true
  if (!tryRemainders) return false
  for (let at = name.indexOf('_'); at >= 0; at = name.indexOf('_', at + 1)) {
    if (matchesGlob(pattern, name.slice(at + 1))) return true
  }
  return false
}

const KEYS: KeyRules = { dangerous: TEXTS, forbidden: TEXTS, remove: TEXTS }

function ownRow(level: DangerPattern['level']) {
  return (pattern: string): DangerPattern => ({ pattern, level, reason: 'the operator listed names like this one' })
}

/** Another character could never match a name, and a rule that never matches is worse than none. */
function wrongPattern({ dangerous = [], forbidden = [] }: PatternSettings): string | undefined {
  const wrong = [...dangerous, ...forbidden].find((pattern) => !/^[a-z0-9_*?]+$/.test(pattern))
  if (wrong === undefined) return undefined
  return `the danger pattern ${quoted(wrong)} must hold only a-z, 0-9, '_', '*' and '?', as operation names do`
}

function wrongRemoval({ remove = [] }: PatternSettings): string | undefined {
  const known = DANGER_PATTERNS.map(({ pattern }) => pattern)
  const wrong = remove.find((pattern) => !known.includes(pattern))
  if (wrong === undefined) return undefined
  return `\`danger_patterns.remove\` names ${quoted(wrong)}, which is not built in; there are ${known.join(', ')}`
}
