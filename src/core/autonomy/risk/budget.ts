/** Work that one hint may cost, counted in steps and not in time: equal input, equal result (AUTO-19). */
export interface Budget {
  left: number
  isSpent: boolean
}

/** A step is about the work on two plain characters, or some tenths of a microsecond; the whole is some milliseconds. */
export const STEPS = 24_000

/** How deep commands may stand in commands. */
export const MOST_DEPTH = 24

export function createBudget(steps: number = STEPS): Budget {
  return { left: steps, isSpent: false }
}

/** False when the work must end here. */
export function spend(budget: Budget, steps: number): boolean {
  budget.left -= steps
  if (budget.left < 0) budget.isSpent = true
  return !budget.isSpent
}
