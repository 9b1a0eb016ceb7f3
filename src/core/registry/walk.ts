import type { Budget } from './patterns.ts'

/**
 * What one walk through a value may cost in telling which alternatives of its declaration it is. Whoever walks starts
 * with a full budget, so each walk through a value comes to the same; once it is spent, all that is left is sensitive.
 */
export const WALK: Budget = { steps: 0 }

/** Of the same kind as a step of a pattern: some 15 ms. A call is masked several times. */
const STEPS = 3_000_000

export function startWalk(): void {
  WALK.steps = STEPS
}

export function isWalkSpent(): boolean {
  return WALK.steps < 0
}

/** False once the budget is spent. */
export function walkOn(steps: number): boolean {
  WALK.steps -= steps
  return WALK.steps >= 0
}
