import type { Deed } from '../../core/operator/history.ts'
import { shown } from './shown.ts'

export function deedShape({ seq, at, operation, level, result, by }: Deed) {
  return {
    seq,
    at: Date.parse(at),
    operation: shown(operation),
    level: level ?? null,
    result,
    by: by === undefined ? null : shown(by),
  }
}
