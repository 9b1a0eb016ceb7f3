import type { DangerLevel } from '../../protocol/danger.ts'
import { type MatrixCell, TRUST_LEVEL_NAMES, TRUST_MATRIX, type TrustLevel } from '../../protocol/trust.ts'

/** TRUST-13 to TRUST-17. */
export function matrixCell(level: DangerLevel, trust: TrustLevel): MatrixCell {
  return TRUST_MATRIX[level][trust]
}

/** DNG-16: the first column of the row that is `confirm` or `allow`. */
export function minimumTrust(level: DangerLevel): TrustLevel {
  const first = TRUST_LEVEL_NAMES.find((trust) => ['confirm', 'allow'].includes(matrixCell(level, trust)))
  return first ?? 'certified'
}
