import { type Certification, isTrustLevel, type TrustBlock, type TrustLevel } from '../../protocol/trust.ts'
import { isObject } from '../registry/check-value.ts'
import { FORMATS } from '../registry/formats.ts'
import { COUNT, faultOf, type KeyRule, NAME, quoted, TEXT, TEXTS, TIME, TRUST } from './key-rules.ts'

export interface TrustReading {
  /** What the adapter says of itself; what counts is decided by `effectiveTrust`. */
  readonly claim: TrustLevel
  /** Only when the whole block is right. */
  readonly block?: TrustBlock
  readonly warnings: readonly string[]
}

/** Trust levels document §3, TRUST-02 and TRUST-08: whatever is not understood claims nothing, and says why. */
export function readTrust(block: unknown): TrustReading {
  if (block === undefined) return untested('there is no `trust` block')
  const level = isObject(block) && Object.hasOwn(block, 'level') ? block.level : undefined
  if (typeof level === 'string' && !isTrustLevel(level)) return untested(`the trust level ${quoted(level)} is unknown`)
  const fault = faultOf(block, BLOCK, 'trust') ?? faultOfParts({ ...(block as TrustBlock) })
  if (fault !== undefined) return untested(fault)
  const read = structuredClone(block) as TrustBlock
  return { claim: read.level, block: read, warnings: [] }
}

function untested(why: string): TrustReading {
  return { claim: 'untested', warnings: [`${why}; the adapter counts as untested`] }
}

const OBJECT: KeyRule = { test: isObject, expected: 'an object' }
const LIST: KeyRule = { test: Array.isArray, expected: 'a list' }
const NULLABLE: KeyRule = { test: (value) => value === null || isObject(value), expected: 'null or an object' }
const PERCENT: KeyRule = {
  test: (value) => typeof value === 'number' && value >= 0 && value <= 100,
  expected: 'a number from 0 to 100',
}
const SIGNATURE: KeyRule = {
  test: (value) => typeof value === 'string' && value !== '' && FORMATS.base64?.test(value) === true,
  expected: 'a signature in base64',
}

const BLOCK = {
  level: needed(TRUST),
  generated_at: TIME,
  generated_by: TEXT,
  validated_at: TIME,
  validated_by: TEXT,
  validation_report: OBJECT,
  promoted_from: TRUST,
  promotion_history: LIST,
  certification: NULLABLE,
} as const satisfies Record<keyof TrustBlock, KeyRule>

const REPORT = {
  tests_passed: COUNT,
  tests_total: COUNT,
  endpoints_verified: COUNT,
  coverage_percent: PERCENT,
  last_api_response: TIME,
}

const CHANGE = { from: needed(TRUST), to: needed(TRUST), at: needed(TIME), by: needed(NAME), reason: TEXT }

/** A certificate without terms would be good for everything and for ever, so each of them is required. */
const CERTIFICATION = {
  authority: needed(NAME),
  signature: needed(SIGNATURE),
  certificate_id: needed(NAME),
  issued_at: needed(TIME),
  expires_at: needed(TIME),
  scope: needed(TEXTS),
} as const satisfies Record<keyof Certification, KeyRule>

function faultOfParts({ validation_report, promotion_history = [], certification }: TrustBlock): string | undefined {
  return (
    (validation_report && faultOf(validation_report, REPORT, 'trust.validation_report')) ??
    promotion_history
      .map((change, at) => faultOf(change, CHANGE, `trust.promotion_history[${at}]`))
      .find((fault) => fault !== undefined) ??
    (certification ? faultOf(certification, CERTIFICATION, 'trust.certification') : undefined)
  )
}

function needed(rule: KeyRule): KeyRule {
  return { ...rule, required: true }
}
