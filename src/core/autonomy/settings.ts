import {
  type AutonomySettings,
  DEFAULT_AUTONOMY,
  RISK_TOLERANCES,
  type RiskTolerance,
} from '../../protocol/directive.ts'

/** What an adapter, a policy file or an agent may say about autonomy; absent keys stay as they are (AUTO-15). */
export type AutonomyOverrides = Partial<AutonomySettings>

/** The operator's word: what is given replaces the default. */
export function withDefaults(given: AutonomyOverrides = {}): AutonomySettings {
  return freeze({ ...DEFAULT_AUTONOMY, ...given })
}

/** AUTO-15, LOOP-08: an agent's wishes can only tighten. Prohibitions add up, permissions must be in both. */
export function tighten(settings: AutonomySettings, wishes: AutonomyOverrides = {}): AutonomySettings {
  const { maxAutonomousSteps, riskTolerance, deny = [], requiresApproval = [], autoApprove } = wishes
  return freeze({
    maxAutonomousSteps: fewer(settings.maxAutonomousSteps, maxAutonomousSteps ?? null),
    riskTolerance: riskTolerance ? stricter(settings.riskTolerance, riskTolerance) : settings.riskTolerance,
    deny: union(settings.deny, deny),
    requiresApproval: union(settings.requiresApproval, requiresApproval),
    autoApprove: autoApprove
      ? settings.autoApprove.filter((pattern) => autoApprove.includes(pattern))
      : settings.autoApprove,
  })
}

/** So many patterns of such a length keep the work on one hint small. What an agent brings along is its own work load. */
export const PATTERN_LIMITS = {
  operator: { most: 500, longest: 200 },
  agent: { most: 10, longest: 60 },
} as const

/** DONGLE-03: what is wrong with settings from outside, in words; nothing when they can be used as they are. */
export function autonomyFaults(value: unknown, from: keyof typeof PATTERN_LIMITS = 'operator'): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ['autonomy must be an object']
  return Object.entries(value).flatMap(([key, entry]) => {
    const row = Object.hasOwn(ROWS, key) ? ROWS[key as keyof AutonomySettings] : undefined
    if (!row) return [`'${key}' is not an autonomy setting; known are ${Object.keys(ROWS).join(', ')}`]
    return row.accepts(entry, PATTERN_LIMITS[from]) ? [] : [`'${key}' must be ${row.expected(PATTERN_LIMITS[from])}`]
  })
}

const PATTERNS: SettingRow = {
  expected: ({ most, longest }) => `at most ${most} patterns of 1 to ${longest} characters`,
  accepts: (value, { most, longest }) =>
    Array.isArray(value) && value.length <= most && value.every((each) => isPattern(each, longest)),
}

const ROWS: Readonly<Record<keyof AutonomySettings, SettingRow>> = {
  maxAutonomousSteps: {
    expected: () => 'a non-negative integer, or null for no limit',
    accepts: (value) => value === null || (Number.isSafeInteger(value) && (value as number) >= 0),
  },
  riskTolerance: {
    expected: () => Object.keys(RISK_TOLERANCES).join(', '),
    accepts: (value) => typeof value === 'string' && Object.hasOwn(RISK_TOLERANCES, value),
  },
  deny: PATTERNS,
  requiresApproval: PATTERNS,
  autoApprove: PATTERNS,
}

interface SettingRow {
  readonly expected: (limits: PatternLimits) => string
  readonly accepts: (value: unknown, limits: PatternLimits) => boolean
}

type PatternLimits = (typeof PATTERN_LIMITS)[keyof typeof PATTERN_LIMITS]

function isPattern(value: unknown, longest: number): boolean {
  return typeof value === 'string' && value.trim().length > 0 && value.length <= longest
}

function fewer(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.min(a, b)
}

function stricter(a: RiskTolerance, b: RiskTolerance): RiskTolerance {
  return RISK_TOLERANCES[a] <= RISK_TOLERANCES[b] ? a : b
}

function union(a: readonly string[], b: readonly string[]): readonly string[] {
  return [...new Set([...a, ...b])]
}

function freeze(settings: AutonomySettings): AutonomySettings {
  return Object.freeze({
    ...settings,
    deny: Object.freeze([...settings.deny]),
    requiresApproval: Object.freeze([...settings.requiresApproval]),
    autoApprove: Object.freeze([...settings.autoApprove]),
  })
}
